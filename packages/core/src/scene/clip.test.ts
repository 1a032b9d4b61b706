import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  DEGREES,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  randomTurn,
  rotationTrack,
  times,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import { channelSize, durationOf, findKey, frameRateOf, keyCount, sampleClip, sampleTrack } from './clip.js';
import { copyPose } from './pose.js';

const sample = (track: Parameters<typeof sampleTrack>[2], time: number): number[] => {
  const out = new Float64Array(4);
  sampleTrack(out, 0, track, time);
  return [...out.subarray(0, channelSize(track.channel))];
};

describe('findKey', () => {
  it('finds the last key at or before a time, whatever the hint', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: -1, max: 11, noNaN: true }),
        fc.integer({ min: -3, max: 40 }),
        (list, time, hint) => {
          const sorted = Float64Array.from(list).sort();
          let expected = 0;
          sorted.forEach((t, k) => {
            if (t <= time) expected = k;
          });
          expect(findKey(sorted, time, hint)).toBe(expected);
        },
      ),
    );
  });

  it('ends on times that do not rise, are equal, or are no numbers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double(), fc.constant(Number.NaN)), { minLength: 1, maxLength: 20 }),
        fc.double(),
        fc.integer({ min: 0, max: 20 }),
        (list, time, hint) => {
          const k = findKey(Float64Array.from(list), time, hint);
          expect(k).toBeGreaterThanOrEqual(0);
          expect(k).toBeLessThan(list.length);
        },
      ),
    );
  });
});

describe('sampling by the formulae of the glTF specification, appendix C', () => {
  const keys = [0.25, 1, 1.75, 4];
  const random = createRandom(5);
  const points = keys.map((): Vec3 => [random(), random(), random()]);
  const quats = keys.map(() => randomTurn(random));
  const slopes3 = keys.map((): Vec3 => [random() - 0.5, 2 * random(), random()]);
  const slopes4 = keys.map((): Quat => [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]);
  const instants = Array.from({ length: 60 }, (_, n) => 0.25 + (3.75 * n) / 59);
  const spanOf = (t: number) => {
    let k = 0;
    while (k < keys.length - 2 && keys[k + 1]! <= t) k++;
    return { k, td: keys[k + 1]! - keys[k]!, u: (t - keys[k]!) / (keys[k + 1]! - keys[k]!) };
  };

  it('W1, W5: step keeps the value of the key before', () => {
    for (const t of instants) {
      const { k, u } = spanOf(t);
      const at = u >= 1 ? k + 1 : k;
      sample(translationTrack(0, keys, points, 'step'), t).forEach((x, c) => {
        expect(x).toBeCloseTo(points[at]![c]!, 6);
      });
      expect(angleBetween(sample(rotationTrack(0, keys, quats, 'step'), t) as Quat, quats[at]!)).toBeLessThan(
        1e-6,
      );
    }
  });

  it('W1, W5: linear is a straight line for vectors and a slerp for rotations', () => {
    for (const t of instants) {
      const { k, u } = spanOf(t);
      sample(translationTrack(0, keys, points), t).forEach((x, c) => {
        expect(x).toBeCloseTo((1 - u) * points[k]![c]! + u * points[k + 1]![c]!, 6);
      });
      const [a, b] = [quats[k]!, quats[k + 1]!];
      const d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
      const angle = Math.acos(Math.abs(d));
      const expected = a.map(
        (x, c) =>
          (Math.sin(angle * (1 - u)) * x + Math.sign(d) * Math.sin(angle * u) * b[c]!) / Math.sin(angle),
      ) as Quat;
      expect(angleBetween(sample(rotationTrack(0, keys, quats), t) as Quat, expected)).toBeLessThan(1e-6);
    }
  });

  it('W1, W5: cubic is a Hermite spline whose tangents take the span, rotations at unit length', () => {
    const hermite = (k: number, td: number, u: number, value: number[][], slope: number[][]) =>
      value[k]!.map(
        (v, c) =>
          (2 * u ** 3 - 3 * u ** 2 + 1) * v +
          td * (u ** 3 - 2 * u ** 2 + u) * slope[k]![c]! +
          (-2 * u ** 3 + 3 * u ** 2) * value[k + 1]![c]! +
          td * (u ** 3 - u ** 2) * -slope[k + 1]![c]!,
      );
    const minus = <T extends number[]>(v: T) => v.map((x) => -x) as T;
    const moving = translationTrack(
      0,
      keys,
      keys.flatMap((_, k) => [minus(slopes3[k]!), points[k]!, slopes3[k]!]),
      'cubic',
    );
    const turning = rotationTrack(
      0,
      keys,
      keys.flatMap((_, k) => [minus(slopes4[k]!), quats[k]!, slopes4[k]!]),
      'cubic',
    );
    for (const t of instants) {
      const { k, td, u } = spanOf(t);
      hermite(k, td, u, points, slopes3).forEach((x, c) => {
        expect(sample(moving, t)[c]).toBeCloseTo(x, 5);
      });
      const q = sample(turning, t) as Quat;
      const raw = hermite(k, td, u, quats, slopes4);
      const length = Math.hypot(...raw);
      expect(angleBetween(q, raw.map((x) => x / length) as Quat)).toBeLessThan(1e-5);
      expect(Math.hypot(...q)).toBeCloseTo(1, 9);
    }
  });

  it('stands still before the first and after the last key, in every way of interpolating', () => {
    for (const interpolation of ['step', 'linear', 'cubic'] as const) {
      const values =
        interpolation === 'cubic' ? keys.flatMap((_, k) => [slopes3[k]!, points[k]!, slopes3[k]!]) : points;
      const track = translationTrack(0, keys, values, interpolation);
      for (const [t, k] of [
        [-5, 0],
        [0, 0],
        [0.25, 0],
        [4, 3],
        [99, 3],
      ] as const)
        sample(track, t).forEach((x, c) => {
          expect(x).toBeCloseTo(points[k]![c]!, 6);
        });
    }
  });

  it('a clip of one key holds it; keys at the same time do not divide by zero', () => {
    expect(sample(translationTrack(0, [0.5], [[1, 2, 3]]), 0.1)).toEqual([1, 2, 3]);
    const twice = translationTrack(
      0,
      [0, 1, 1, 2],
      [
        [0, 0, 0],
        [1, 1, 1],
        [5, 5, 5],
        [6, 6, 6],
      ],
    );
    expect(sample(twice, 1)).toEqual([5, 5, 5]);
    for (const t of [0.999999, 1, 1.000001]) expect(sample(twice, t).every(Number.isFinite)).toBe(true);
  });

  it('BP6, R13: a true turn of 170 degrees between two sparse keys is played whole', () => {
    const from = turn([0.2, 1, 0.1], 0.3);
    const track = rotationTrack(0, [0, 1], [from, times(from, turn([0, 1, 0], 170 * DEGREES))]);
    for (const u of [0.1, 0.5, 0.9])
      expect(
        angleBetween(sample(track, u) as Quat, times(from, turn([0, 1, 0], u * 170 * DEGREES))),
      ).toBeLessThan(1e-5);
  });
});

describe('sampleClip', () => {
  it('WP4: channels without a track keep what the pose holds: the rest', () => {
    const random = createRandom(8);
    const skeleton = randomSkeleton(random, 4, { scales: true });
    const clip = randomClip(random, skeleton, { joints: [1], travels: 2 });
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, 0.7);
    expect([...pose.scales]).toEqual([...skeleton.rest.scales]);
    for (const joint of [0, 2, 3])
      expect(quatAt(pose.rotations, joint)).toEqual(quatAt(skeleton.rest.rotations, joint));
    expect([...pose.translations.subarray(0, 6)]).toEqual([...skeleton.rest.translations.subarray(0, 6)]);
    expect(quatAt(pose.rotations, 1)).not.toEqual(quatAt(skeleton.rest.rotations, 1));
  });

  it('R8: gives the same pose in any order of times, with and without hints', () => {
    const random = createRandom(9);
    const skeleton = randomSkeleton(random, 5);
    const clip = randomClip(random, skeleton, { interpolation: 'cubic', travels: 0, keys: 20 });
    const hints = new Int32Array(clip.tracks.length);
    for (let n = 0; n < 40; n++) {
      const t = 2.2 * random();
      const [a, b] = [copyPose(skeleton.rest), copyPose(skeleton.rest)];
      sampleClip(a, clip, t, hints);
      sampleClip(b, clip, t);
      expect(a).toEqual(b);
    }
  });

  it('skips tracks without keys', () => {
    const skeleton = randomSkeleton(createRandom(2), 2);
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, { name: '', duration: 1, tracks: [rotationTrack(0, [], [])], morphs: [] }, 0.5);
    expect(pose).toEqual(skeleton.rest);
  });
});

describe('frameRateOf, durationOf, keyCount', () => {
  it('reads the rate of the densest track, rounded where float32 blurred it', () => {
    const at = (n: number, rate: number) => Array.from({ length: n }, (_, k) => Math.fround(k / rate));
    const clip = (keyTimes: number[]) => ({
      name: '',
      duration: 0,
      tracks: [
        translationTrack(
          0,
          [0, 1],
          [
            [0, 0, 0],
            [0, 0, 0],
          ],
        ),
        translationTrack(1, keyTimes, []),
      ],
      morphs: [],
    });
    expect(frameRateOf(clip(at(100, 30)))).toBe(30);
    expect(frameRateOf(clip(at(100, 120)))).toBe(120);
    expect(frameRateOf(clip(at(100, 12.5)))).toBeCloseTo(12.5, 3);
  });

  it('a clip without two keys has no rate of its own and is taken at 30', () => {
    const empty = { name: '', duration: 0, tracks: [], morphs: [] };
    expect(frameRateOf(empty)).toBe(30);
    expect(durationOf(empty)).toBe(0);
    expect(frameRateOf({ ...empty, tracks: [rotationTrack(0, [1], [[0, 0, 0, 1]])] })).toBe(30);
    expect(keyCount(rotationTrack(0, [0, 1, 2], []))).toBe(3);
  });

  it('the duration is the latest key of bodies and faces', () => {
    const morph = {
      mesh: 'face',
      morph: 'smile',
      interpolation: 'linear' as const,
      times: Float32Array.of(0, 3),
      values: Float32Array.of(0, 1),
    };
    expect(durationOf({ tracks: [rotationTrack(0, [0, 2], [])], morphs: [morph] })).toBe(3);
  });
});
