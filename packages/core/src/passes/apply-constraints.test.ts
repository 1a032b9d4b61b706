import { describe, expect, it } from 'vitest';
import { beast } from '../../test/beast.js';
import { looseFeet } from '../../test/loose-feet.js';
import { retargetPlainly, setUpScenesPlainly } from '../../test/plainly.js';
import { underNode, worldMotion } from '../../test/reexpress.js';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import type { Constraint } from '../options/constraint.js';
import type { EditedContact } from '../options/contact.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import { type Clip, poseAt, type Track } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';

const BUILD = { names: 'unreal', size: 0.8 } as const;
const source = stickFigure();
const whole = stickFigure(BUILD);
const loose = looseFeet(BUILD);
const rooted = underNode(whole, { name: 'Root' });
rooted.skeleton.flags[0] = 1;

const STANDING = (['leftHeel', 'leftToe', 'rightHeel', 'rightToe'] as const).map(
  (point): EditedContact => ({ point, start: 0, end: 1, height: 0 }),
);
const PARTS = ['hips', 'leftLowerLeg', 'leftFoot', 'leftToes', 'rightFoot', 'rightToes', 'rightHand'];

/** Where parts are, in several frames, on the body whose feet hang on the root and on the same one whole. */
function onBoth(constraints: Constraint[]) {
  const motion = (target: typeof rooted | typeof loose, jointOf: (part: string) => number) => {
    const { clips, report } = retargetPlainly(sceneOf(source), sceneOf(target), {
      keys: 'bake',
      contacts: { [source.clips[0]!.name]: STANDING },
      constraints,
    });
    const states = report.clips[0]!.constraints!.map(({ state }) => state);
    return {
      states,
      places: worldMotion(target.skeleton, clips[0]!, [0, 0.1, 1 / 3, 0.5, 0.9, 1], PARTS.map(jointOf)),
    };
  };
  return {
    expected: motion(rooted, (part) => rooted.places[whole.jointOf(part)]!),
    found: motion(loose, loose.jointOf),
  };
}

describe('feet that hang on the root', () => {
  it.each<[string, Constraint[]]>([
    [
      'held while a hand goes down',
      [
        {
          kind: 'point',
          joint: 'rightHand',
          space: 'copied',
          unit: 'height',
          goal: { place: [0, -0.25, 0.15] },
        },
      ],
    ],
    [
      'raised',
      [
        {
          kind: 'plane',
          side: 'above',
          joint: 'every foot',
          unit: 'height',
          space: 'ground',
          goal: { normal: [0, 1, 0], height: 0.2 },
        },
      ],
    ],
    [
      'turned',
      [
        { kind: 'orientation', joint: 'leftFoot', goal: { degrees: [0, 40, 0] } },
        { kind: 'point', joint: 'left toe', space: 'copied', unit: 'limb', goal: { place: [0.1, 0.3, 0.1] } },
      ],
    ],
  ])('M14: the ends of their legs: %s', (_, constraints) => {
    const { expected, found } = onBoth(constraints);
    expect(expected.states).toEqual(
      constraints.flatMap(({ joint }) => (joint === 'every foot' ? ['met', 'met'] : ['met'])),
    );
    expect(found.states).toEqual(expected.states);
    found.places.forEach((value, i) => {
      expect(value).toBeCloseTo(expected.places[i]!, 4);
    });
  });

  it('M14: live too', () => {
    const asked: Constraint = {
      kind: 'plane',
      side: 'above',
      joint: 'leftFoot',
      space: 'ground',
      unit: 'height',
      goal: { normal: [0, 1, 0], height: 0.2 },
    };
    const { setup } = setUpScenesPlainly(sceneOf(source), sceneOf(loose), { constraints: [asked] });
    const { skeleton, space, floor } = setup.target;
    const pose = createRetargeter(setup).update(poseAt(setup.source.skeleton, source.clips[0]!, 0.4), 1 / 30);
    const { matrices } = modelPoseOf(skeleton, pose);
    const at = (part: string) => [12, 13, 14].map((c) => matrices[16 * loose.jointOf(part) + c]!);
    const rest = modelPoseOf(skeleton, skeleton.rest).matrices;
    const length = (of: Float64Array) =>
      Math.hypot(
        ...[12, 13, 14].map(
          (c) => of[16 * loose.jointOf('leftFoot') + c]! - of[16 * loose.jointOf('leftLowerLeg') + c]!,
        ),
      );
    expect(at('leftFoot')[1]! - floor.height).toBeGreaterThan(0.2 * space.height - 1e-3);
    expect(length(matrices)).toBeCloseTo(length(rest), 4);
  });
});

it('F4: paws that hang on handles go with their legs, also where the source is of the same rig', () => {
  const { skeleton, jointOf } = beast({ loose: true });
  const instants = Float32Array.of(0, 1);
  const still: Clip = {
    name: 'still',
    duration: 1,
    morphs: [],
    tracks: [
      {
        joint: jointOf.get('head')!,
        channel: 'rotation',
        interpolation: 'linear',
        times: instants,
        values: Float32Array.of(0, 0, 0, 1, 0, 0.2, 0, Math.sqrt(0.96)),
      },
    ],
  };
  const scene = sceneOf({ skeleton, clips: [still] }, 'beast');
  const { clips, report } = retarget(scene, scene, {
    keys: 'bake',
    constraints: [
      { kind: 'point', joint: 'front foot', space: 'copied', goal: { place: [0, 0.15, 0.1] } },
      { kind: 'orientation', joint: 'neck1', goal: { degrees: [20, 20, 0] } },
    ],
  });
  expect(report.clips[0]!.constraints!.map(({ state }) => state)).toEqual(['met', 'met', 'met']);
  const parts = ['frontLeftLowerLeg', 'frontLeftFoot'].map((part) => jointOf.get(part)!);
  const plain = retarget(scene, scene, { keys: 'bake', wholeBody: true }).clips[0]!;
  const [before, after] = [plain, clips[0]!].map((clip) => worldMotion(skeleton, clip, [0, 0.5, 1], parts));
  const length = (of: Float64Array, k: number) =>
    Math.hypot(...[0, 1, 2].map((c) => of[6 * k + 3 + c]! - of[6 * k + c]!));
  for (let k = 0; k < 3; k++) {
    expect(length(after!, k)).toBeCloseTo(length(before!, k), 5);
    [0, 0.15, 0.1].forEach((way, c) => {
      expect(after![6 * k + 3 + c]! - before![6 * k + 3 + c]!).toBeCloseTo(way, 4);
    });
  }
});

it('M13: what is asked of joints that a clip has no tracks for is in the result, be it still', () => {
  const only = { ...source.clips[0]!, tracks: source.clips[0]!.tracks.slice(0, 1) };
  const still = sceneOf({ ...source, clips: [{ ...only, tracks: only.tracks.map(held) }] });
  const target = sceneOf(whole);
  const asked: Constraint = {
    ...{
      kind: 'point',
      joint: 'rightHand',
      space: 'rest',
      unit: 'height',
      goal: { place: [0.1, -0.1, 0.1] },
    },
    from: 'rightUpperArm',
  };
  const turn = { joints: { head: [{ time: 0, degrees: [0, 20, 0] as [number, number, number] }] } };
  const plain = retarget(still, target, {}).clips[0]!;
  const joints = (clip: Clip) => [...new Set(clip.tracks.map(({ joint }) => joint))];
  const upper = whole.jointOf('rightUpperArm');
  expect(joints(plain)).not.toContain(upper);
  expect(joints(retarget(still, target, { constraints: [asked] }).clips[0]!)).toContain(upper);
  expect(joints(retarget(still, target, { layers: [turn] }).clips[0]!)).toContain(whole.jointOf('head'));
  // What is for another clip leaves this one alone.
  const other = retarget(still, target, { constraints: [{ ...asked, clip: 'another' }] });
  expect(joints(other.clips[0]!)).toEqual(joints(plain));
});

/** A track that holds its first value. */
function held(track: Track): Track {
  const values = track.values.slice() as Float32Array;
  const size = values.length / track.times.length;
  for (let i = size; i < values.length; i++) values[i] = values[i % size]!;
  return { ...track, values };
}
