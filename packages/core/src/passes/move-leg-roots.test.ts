import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure, turn } from '../../test/stick-figure.js';
import { poseAt, sampleClip } from '../scene/clip.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { moveLegRoots } from './move-leg-roots.js';
import { compiledOf } from './pass.js';
import type { PassName } from './pipeline.js';
import { createFrame, prepareSteps } from './run-passes.js';

/** A figure that turns by a quarter and bows, whose hips joint stands so far behind its legs. */
function figure(behind: number, size = 1) {
  const made = stickFigure({ size });
  const { skeleton, jointOf } = made;
  const hips = jointOf('hips');
  const { translations } = skeleton.rest;
  translations[3 * hips + 2]! -= behind * size;
  skeleton.parents.forEach((parent, joint) => {
    if (parent === hips) translations[3 * joint + 2]! += behind * size;
  });
  const times = Float32Array.of(0, 1);
  const place = [...translations.subarray(3 * hips, 3 * hips + 3)];
  const clip = {
    name: 'turn',
    duration: 1,
    tracks: [
      {
        joint: hips,
        channel: 'rotation' as const,
        interpolation: 'linear' as const,
        times,
        values: Float32Array.from([0, 0, 0, 1, ...turn([0, 1, 0], 90)]),
      },
      {
        joint: hips,
        channel: 'translation' as const,
        interpolation: 'linear' as const,
        times,
        values: Float32Array.from([...place, ...place]),
      },
    ],
    morphs: [],
  };
  return { ...made, clips: [clip] };
}

type Made = ReturnType<typeof figure>;

/** The middle of the leg roots, x and z. */
function middle({ skeleton, jointOf }: Made, pose: Pose): [number, number] {
  const { matrices } = modelPoseOf(skeleton, pose);
  const [left, right] = [jointOf('leftUpperLeg'), jointOf('rightUpperLeg')];
  return [12, 14].map((c) => (matrices[16 * left + c]! + matrices[16 * right + c]!) / 2) as [number, number];
}

/** How far the middle of the leg roots goes on the target while the source turns. */
function wayOf(source: Made, target: Made, passes: readonly PassName[]): [number, number] {
  const { setup } = setUpScenes(sceneOf(source), sceneOf(target), {});
  const steps = prepareSteps(setup, null, passes);
  const [a, b] = [0, 1].map((time) => {
    const frame = createFrame(setup, null);
    sampleClip(frame.source, source.clips[0]!, time);
    for (const step of steps) step(frame);
    return middle(target, frame.target);
  }) as [[number, number], [number, number]];
  return [b[0] - a[0], b[1] - a[1]];
}

describe('moveLegRoots', () => {
  it('rule C: the middle of the leg roots goes as the source’s, wherever the hips joint stands', () => {
    const [source, target] = [figure(0.12), figure(-0.03, 0.8)];
    const [a, b] = [0, 1].map((time) => middle(source, poseAt(source.skeleton, source.clips[0]!, time)));
    const meant = [0.8 * (b![0] - a![0]), 0.8 * (b![1] - a![1])];
    const way = wayOf(source, target, ['copyRotations', 'moveRoot', 'moveLegRoots']);
    for (const i of [0, 1]) expect(way[i]).toBeCloseTo(meant[i]!, 5);
    // Without it the legs are swung about the joint that is called hips.
    const plain = wayOf(source, target, ['copyRotations', 'moveRoot']);
    expect(Math.hypot(plain[0] - meant[0]!, plain[1] - meant[1]!)).toBeGreaterThan(0.05);
  });

  it('has nothing to do on bodies alike, without corrections, and where hips are not copied', () => {
    const compiled = (...[a, b, options]: [number, number, object?]) =>
      compiledOf(setUpScenes(sceneOf(figure(a)), sceneOf(figure(b, 0.8)), options ?? {}).setup, moveLegRoots);
    expect(compiled(0.1, 0.1)).toBeNull();
    expect(compiled(0.1, 0)).not.toBeNull();
    expect(compiled(0.1, 0, { corrections: 'none' })).toBeNull();
    expect(compiled(0.1, 0, { root: { copyRotation: false } })).toBeNull();
  });
});
