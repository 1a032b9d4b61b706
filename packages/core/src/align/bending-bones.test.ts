import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { measure } from '../measures/measure.js';
import { retarget } from '../retarget.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { findBendingBones } from './bending-bones.js';

/** A figure whose left hand slides off the forearm's line: by a third of the forearm, up and down. */
function slidingHand(names: 'mixamo' | 'unreal') {
  const figure = stickFigure({ names, axes: 'boneY' });
  const hand = figure.jointOf('leftHand');
  const { rest } = figure.skeleton;
  const at = Array.from(rest.translations.subarray(3 * hand, 3 * hand + 3));
  const length = Math.hypot(...at);
  const values = [0, 1, 0, -1, 0].flatMap((side) =>
    at.map((x, c) => x + (c === 2 ? (side * length) / 3 : 0)),
  );
  figure.clips.push({
    name: 'slide',
    duration: 1,
    tracks: [
      {
        joint: hand,
        channel: 'translation',
        interpolation: 'linear',
        times: Float32Array.of(0, 0.25, 0.5, 0.75, 1),
        values: Float32Array.from(values),
      },
    ],
    morphs: [],
  });
  return figure;
}

describe('bones that bend', () => {
  const source = sceneOf(slidingHand('mixamo'), 'source');
  const target = sceneOf(stickFigure({ names: 'unreal', axes: 'boneX', arms: 'A', upperArm: 0.4 }), 'target');

  it('M4: a bone points where its two joints are, not where its joint has turned', () => {
    const result = retarget(source, target, { clips: ['slide'] });
    expect(result.report.clips[0]!.way).toBe('frames');
    const [clip] = measure(source, {
      ...target,
      characters: [{ ...target.characters[0]!, clips: result.clips }],
    }).clips;
    expect(clip!.direction.worst).toBeLessThan(0.1);
  });

  it('is found by the joint that slides, and by no other', () => {
    const { setup } = setUpScenes(source, target, {});
    const clip = source.characters[0]!.clips.find(({ name }) => name === 'slide')!;
    const bones = findBendingBones(setup, clip);
    expect(bones.map(({ start }) => source.characters[0]!.skeleton.names[start])).toEqual([
      'mixamorig:LeftForeArm',
    ]);
  });

  it('would be off by many degrees if only the turn were copied', () => {
    const { setup } = setUpScenes(source, target, {});
    const clip = source.characters[0]!.clips.find(({ name }) => name === 'slide')!;
    const without = retarget(source, target, { clips: ['slide'] }).clips[0]!;
    without.tracks = without.tracks.filter(
      ({ joint }) => joint !== setup.map.joints.find(({ role }) => role === 'leftLowerArm')!.target,
    );
    const [measured] = measure(source, {
      ...target,
      characters: [{ ...target.characters[0]!, clips: [{ ...without, name: clip.name }] }],
    }).clips;
    expect(measured!.direction.worst).toBeGreaterThan(10);
  });

  it('are none where every bone keeps its direction', () => {
    const { setup } = setUpScenes(target, source, {});
    for (const clip of target.characters[0]!.clips) expect(findBendingBones(setup, clip)).toEqual([]);
  });
});
