import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  distance,
  mapOf,
  modelAt,
  placeAt,
  plainRig,
  quatAt,
  randomTurn,
  rotationTrack,
  skeletonOf,
  translationTrack,
  turnVector,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import type { SetupOptions } from '../options/setup-options.js';
import { createRetargeter } from '../retargeter.js';
import { type Clip, sampleClip, type Track } from '../scene/clip.js';
import { copyPose, modelPoseOf } from '../scene/pose.js';
import { createSetup } from '../setup/create-setup.js';
import { retargetClip } from '../ways/retarget-clip.js';
import { moveJoints } from './move-joints.js';
import type { Setup } from './pass.js';
import { compiledOf } from './pass.js';
import { PASS_NAMES, type PassName } from './pipeline.js';

const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot'];
const random = createRandom(4);

/** A body, a head on it and a lip on the head, with axes of their own; the body travels. */
const bones = (size: number, prefix: string, mid = false) => {
  const joints = [
    { name: `${prefix}body`, parent: -1, translation: [0, size, 0], rotation: randomTurn(random) },
    { name: `${prefix}head`, parent: 0, translation: [0, 0.5 * size, 0], rotation: randomTurn(random) },
  ];
  if (mid)
    joints.push({ name: `${prefix}mid`, parent: 1, translation: [0.02, 0, 0], rotation: randomTurn(random) });
  joints.push({
    name: `${prefix}lip`,
    parent: joints.length - 1,
    translation: [0.1 * size, 0.02, 0],
    rotation: randomTurn(random),
  });
  return skeletonOf(joints, prefix);
};

const small = bones(1, 's');
const large = bones(2, 't');
const setUp = (options: SetupOptions = {}, from = small, to = large): Setup =>
  createSetup(
    plainRig(from),
    plainRig(to),
    mapOf([
      [0, 0, 'hips'],
      [1, 1],
      [from.names.length - 1, to.names.length - 1],
    ]),
    options,
  );

const keys = [0, 0.4, 1];
const scaleTrack = (joint: number, values: readonly Vec3[]): Track => ({
  ...translationTrack(joint, keys, values),
  channel: 'scale',
});

/** The lip moves in the head while head and body turn. */
const speech: Clip = clipOf([
  rotationTrack(
    0,
    keys,
    keys.map(() => randomTurn(random)),
  ),
  rotationTrack(
    1,
    keys,
    keys.map(() => randomTurn(random)),
  ),
  translationTrack(2, keys, [
    [0.1, 0.02, 0],
    [0.12, 0, 0.03],
    [0.08, 0.05, -0.01],
  ]),
]);

/** How far the lip is from its reference place, in model space, as if the head had not turned. */
function wayOf({ map: _, ...setup }: Setup, clip: Clip, side: 'source' | 'target', time: number): Vec3 {
  const { skeleton } = setup[side];
  const model = modelAt(skeleton, clip, time);
  const reference = side === 'source' ? setup.sourceReference : setup.alignment.model;
  const lip = skeleton.names.length - 1;
  const back = (turned: typeof model, at: Vec3, head: Vec3): Vec3 => {
    const q = quatAt(turned.rotations, 1);
    const seen = turnVector([-q[0], -q[1], -q[2], q[3]], [at[0] - head[0], at[1] - head[1], at[2] - head[2]]);
    return turnVector(quatAt(reference.rotations, 1), seen);
  };
  const now = back(model, placeAt(model, lip), placeAt(model, 1));
  const then = back(reference, placeAt(reference, lip), placeAt(reference, 1));
  return [now[0] - then[0], now[1] - then[1], now[2] - then[2]];
}

const scaled = (v: Vec3, k: number): Vec3 => [v[0] * k, v[1] * k, v[2] * k];

describe('translations of joints other than the travelling one', () => {
  const ratio = Math.hypot(0.2, 0.02) / Math.hypot(0.1, 0.02);
  for (const [mode, k] of [
    ['rest', 0],
    ['copied', 1],
    ['rootScaled', 3],
    ['boneLengthScaled', ratio],
  ] as const)
    it(`WP6: ${mode}: the way from the reference place is the source's times ${k.toFixed(2)}, however heads turn`, () => {
      const setup = setUp({ translations: mode, rootScales: { horizontal: 3, vertical: 1 } });
      for (const how of ['keep', 'bake'] as const) {
        const { clip } = retargetClip(setup, speech, { passes, keys: how });
        for (const time of keys)
          expect(
            distance(wayOf(setup, clip, 'target', time), scaled(wayOf(setup, speech, 'source', time), k)),
          ).toBeLessThan(1e-6);
      }
    });

  const movesOf = (options: Parameters<typeof setUp>[0]) =>
    compiledOf(setUp(options), moveJoints)?.moves ?? [];

  it('is set joint by joint, a star for the others; unknown names and modes are told', () => {
    expect(movesOf({ translations: { tlip: 'copied', '*': 'rest' } }).map(({ target }) => target)).toEqual([
      2,
    ]);
    expect(movesOf({ translations: { tlip: 'rest' } }).map(({ target }) => target)).toEqual([1]);
    expect(movesOf({ translations: 'rest' })).toEqual([]);
    expect(() => setUp({ translations: { nose: 'copied' } })).toThrow(UsageError);
    expect(() => setUp({ translations: { tlip: 'stretched' as 'rest' } })).toThrow(/stretched/);
  });

  it('sparse and cubic keys stay what they are', () => {
    const values = Array.from({ length: 27 }, (_, i) => 0.1 * Math.sin(i));
    const cubic: Track = {
      joint: 2,
      channel: 'translation',
      interpolation: 'cubic',
      times: Float32Array.from(keys),
      values: Float32Array.from(values),
    };
    const setup = setUp();
    const clip = clipOf([cubic]);
    const kept = retargetClip(setup, clip, { passes });
    const track = kept.clip.tracks.find(({ joint, channel }) => joint === 2 && channel === 'translation')!;
    expect([kept.way, track.interpolation, [...track.times]]).toEqual(['keys', 'cubic', [...cubic.times]]);
    const baked = retargetClip(setup, clip, { passes, frameRate: 240 }).clip;
    for (const time of [0.1, 0.25, 0.4, 0.7, 0.9]) {
      const [a, b] = [modelAt(large, kept.clip, time), modelAt(large, baked, time)];
      expect(distance(placeAt(a, 2), placeAt(b, 2))).toBeLessThan(2e-4);
    }
  });

  it('X3: what an unmapped joint between two mapped ones does to the place of the lower is not lost', () => {
    const deep = bones(1, 's', true);
    const setup = setUp({ translations: 'copied' }, deep);
    const wobble = clipOf([
      rotationTrack(
        1,
        keys,
        keys.map(() => randomTurn(random)),
      ),
      rotationTrack(
        2,
        keys,
        keys.map(() => randomTurn(random)),
      ),
      translationTrack(
        2,
        keys,
        keys.map((k): Vec3 => [0.02, 0.1 * k, 0]),
      ),
      translationTrack(
        3,
        keys,
        keys.map((k): Vec3 => [0.1, 0.02, 0.05 * k]),
      ),
    ]);
    const { clip, way } = retargetClip(setup, wobble, { passes });
    expect(way).toBe('frames');
    for (const time of keys)
      expect(distance(wayOf(setup, clip, 'target', time), wayOf(setup, wobble, 'source', time))).toBeLessThan(
        1e-5,
      );
  });
});

describe('scales', () => {
  it('both cores and live scale a joint as its driver, from the reference, along the axes that lie alike', () => {
    const joint = (name: string, scale: Vec3, rotation: readonly number[]) =>
      skeletonOf([{ name, parent: -1, translation: [0, 1, 0], scale, rotation }], name);
    // The target's x is the source's y: a quarter turn about z.
    const [from, to] = [
      joint('a', [2, 2, 2], [0, 0, 0, 1]),
      joint('b', [1, 1, 4], [0, 0, Math.SQRT1_2, Math.SQRT1_2]),
    ];
    const setup = createSetup(plainRig(from), plainRig(to), mapOf([[0, 0, 'hips']]));
    const grows = clipOf([
      scaleTrack(0, [
        [2, 2, 2],
        [2, 6, 2],
        [4, 4, 4],
      ]),
    ]);
    const wanted = [
      [1, 1, 4],
      [3, 1, 4],
      [2, 2, 8],
    ];
    const live = createRetargeter(setup, { passes });
    const source = copyPose(from.rest);
    const kept = retargetClip(setup, grows, { passes });
    expect(kept.way).toBe('keys');
    const baked = retargetClip(setup, grows, { passes, keys: 'bake' });
    for (const [n, time] of keys.entries()) {
      for (const { clip } of [kept, baked]) {
        const pose = copyPose(to.rest);
        sampleClip(pose, clip, time);
        pose.scales.forEach((scale, c) => {
          expect(scale).toBeCloseTo(wanted[n]![c]!, 5);
        });
      }
      sampleClip(source, grows, time);
      live.update(source).scales.forEach((scale, c) => {
        expect(scale).toBeCloseTo(wanted[n]![c]!, 5);
      });
    }
    // And back: nothing of a frame stays for the next.
    expect([...live.update(from.rest).scales]).toEqual([1, 1, 4]);
    expect(compiledOf(setUp({ scales: 'rest' }), moveJoints)?.scalings ?? []).toEqual([]);
  });

  it('a scale through zero, or from a reference of none, gives numbers', () => {
    const flat = skeletonOf([{ name: 'a', parent: -1, translation: [0, 1, 0], scale: [0, 1, 1] }], 'a');
    const setup = createSetup(plainRig(flat), plainRig(large), mapOf([[0, 0, 'hips']]));
    const vanishes = clipOf([
      scaleTrack(0, [
        [0, 1, 1],
        [0, 0, 0],
        [1, 1, 1],
      ]),
      translationTrack(
        0,
        keys,
        keys.map((k): Vec3 => [k, 1, 0]),
      ),
    ]);
    for (const how of ['auto', 'bake'] as const)
      for (const { values } of retargetClip(setup, vanishes, { passes: PASS_NAMES, keys: how }).clip.tracks)
        expect(values.every(Number.isFinite)).toBe(true);
  });
});

it('R8: frames out of order, moved, scaled and at rest, come out the same', () => {
  const setup = setUp({ translations: 'copied' });
  const clip = {
    ...speech,
    tracks: [
      ...speech.tracks,
      scaleTrack(1, [
        [1, 1, 1],
        [2, 1, 1],
        [1, 3, 1],
      ]),
    ],
  };
  const live = createRetargeter(setup, { passes });
  const at = (time: number) => {
    const pose = copyPose(small.rest);
    sampleClip(pose, clip, time);
    return pose;
  };
  const once = (time: number) => {
    const { translations, rotations, scales } = createRetargeter(setup, { passes }).update(at(time));
    return [...translations, ...rotations, ...scales];
  };
  for (const time of [0, 0.4, 0, 1, 0.7, 0]) {
    const { translations, rotations, scales } = live.update(at(time));
    expect([...translations, ...rotations, ...scales]).toEqual(once(time));
  }
  expect(modelPoseOf(large, live.pose).matrices.every(Number.isFinite)).toBe(true);
});

describe('what rounding leaves', () => {
  it('is no scale and no move, and a thousandth is both', () => {
    const live = createRetargeter(setUp({ translations: 'boneLengthScaled' }));
    const { rest } = large;
    const at = (share: number) => {
      const pose = copyPose(small.rest);
      for (let i = 0; i < 9; i++) pose.scales[i] = pose.scales[i]! * (1 + share);
      for (let i = 3; i < 9; i++) pose.translations[i] = pose.translations[i]! * (1 + share);
      return live.update(pose);
    };
    for (const share of [5e-7, 1e-3, -5e-7]) {
      const { scales, translations } = at(share);
      const isRounding = Math.abs(share) < 1e-6;
      for (const i of [3, 6]) {
        expect(scales[i] === rest.scales[i]).toBe(isRounding);
        expect(Math.abs(translations[i + 1]! - rest.translations[i + 1]!) < 1e-12).toBe(isRounding);
      }
    }
  });
});
