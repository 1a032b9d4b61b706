import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  translationTrack,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { type Clip, type MorphTrack, sampleTrack, type Track } from '../scene/clip.js';
import { changeSpeed, finiteClip, sampleMorph, trimClip } from './edit-clip.js';

const seeds = fc.integer({ min: 1, max: 1e6 });
const ways = fc.constantFrom('step' as const, 'linear' as const, 'cubic' as const);

const smile = (interpolation: MorphTrack['interpolation']): MorphTrack => ({
  mesh: 'face',
  morph: 'smile',
  interpolation,
  times: Float32Array.of(0.1, 0.5, 1.2, 1.9),
  values: Float32Array.from(
    interpolation === 'cubic' ? [0, 0.1, 2, 1, 0.9, -1, 0, 0.4, 1, 0.3, 0, 0] : [0.1, 0.9, 0.4, 0],
  ),
});

function makeClip(seed: number, interpolation: Track['interpolation']): Clip {
  const random = createRandom(seed);
  const skeleton = randomSkeleton(random, 3);
  const clip = randomClip(random, skeleton, { interpolation, travels: 0, keys: 6 });
  return { ...clip, morphs: [smile(interpolation)] };
}

/** The largest difference of two clips where the second is read at another time: radians and units. */
function difference(a: Clip, b: Clip, toOther: (time: number) => number, at: number[]): number {
  let worst = 0;
  const [x, y] = [new Float64Array(4), new Float64Array(4)];
  for (const t of at) {
    a.tracks.forEach((track, n) => {
      sampleTrack(x, 0, track, t);
      sampleTrack(y, 0, b.tracks[n]!, toOther(t));
      worst = Math.max(
        worst,
        track.channel === 'rotation'
          ? angleBetween(quatAt(x, 0), quatAt(y, 0))
          : Math.hypot(x[0]! - y[0]!, x[1]! - y[1]!, x[2]! - y[2]!),
      );
    });
    a.morphs.forEach((track, n) => {
      worst = Math.max(worst, Math.abs(sampleMorph(track, t) - sampleMorph(b.morphs[n]!, toOther(t))));
    });
  }
  return worst;
}

describe('trimClip', () => {
  it('the part is the whole at the same instants, cubic curves included', () => {
    fc.assert(
      fc.property(
        seeds,
        ways,
        fc.integer({ min: 0, max: 900 }).map((n) => n / 1000),
        fc.integer({ min: 100, max: 1000 }).map((n) => n / 1000),
        (seed, way, start, length) => {
          const clip = makeClip(seed, way);
          const [from, to] = [2 * start, Math.min(2 * start + 2 * length, 2)];
          fc.pre(to - from > 0.01);
          const part = trimClip(clip, from, to);
          expect(part.duration).toBeCloseTo(to - from, 9);
          // A step within a float's rounding of an instant may fall on either side of it.
          const steps =
            way === 'step'
              ? clip.tracks.flatMap(({ times }) => [...times]).concat([...smile(way).times])
              : [];
          const at = Array.from({ length: 80 }, (_, n) => ((n + 0.37) / 80) * (to - from)).filter((t) =>
            steps.every((step) => Math.abs(step - from - t) > 1e-5),
          );
          expect(difference(part, clip, (t) => t + from, at)).toBeLessThan(2e-5);
          for (const { times } of [...part.tracks, ...part.morphs]) {
            expect(times[0]).toBe(0);
            expect(times[times.length - 1]).toBeCloseTo(to - from, 5);
            for (let k = 1; k < times.length; k++) expect(times[k]!).toBeGreaterThan(times[k - 1]!);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('rotation keys made at cuts have unit length', () => {
    const part = trimClip(makeClip(3, 'cubic'), 0.31, 1.27);
    for (const track of part.tracks) {
      if (track.channel !== 'rotation') continue;
      for (let k = 0; k < track.times.length; k++)
        expect(Math.hypot(...quatAt(track.values, 3 * k + 1))).toBeCloseTo(1, 6);
    }
  });

  it('keys inside the range are kept as they are', () => {
    const clip = makeClip(4, 'linear');
    const part = trimClip(clip, 0, clip.duration);
    part.tracks.forEach((track, n) => {
      expect([...track.values]).toEqual([...clip.tracks[n]!.values]);
    });
  });

  it('a range outside the keys but inside the clip holds the nearest key', () => {
    for (const way of ['step', 'linear', 'cubic'] as const) {
      const slope = way === 'cubic';
      const points = (
        slope
          ? [
              [9, 9, 9],
              [1, 2, 3],
              [9, 9, 9],
            ]
          : [[1, 2, 3]]
      ) as [number, number, number][];
      const track = translationTrack(0, [1], points, way);
      const clip: Clip = { name: 'late', duration: 4, tracks: [track], morphs: [] };
      for (const [from, to] of [
        [0, 0.5],
        [0.5, 3],
        [2, 4],
      ] as const) {
        const out = new Float64Array(3);
        for (const t of [0, 0.2, to - from]) {
          sampleTrack(out, 0, trimClip(clip, from, to).tracks[0]!, t);
          expect([...out]).toEqual([1, 2, 3]);
        }
      }
    }
  });

  it('a range that holds nothing, or is no range, is a wrong use', () => {
    const clip = makeClip(1, 'linear');
    for (const [from, to] of [
      [3, 4],
      [1, 1],
      [1.5, 0.5],
      [Number.NaN, 1],
      [0, Number.NaN],
    ] as const)
      expect(() => trimClip(clip, from, to)).toThrow(UsageError);
    expect(trimClip({ ...clip, tracks: [rotationTrack(0, [], [])] }, 0, 1).tracks[0]!.times).toHaveLength(0);
  });
});

describe('changeSpeed', () => {
  it('the fast clip at t is the slow one at speed · t, cubic curves included', () => {
    fc.assert(
      fc.property(seeds, ways, fc.double({ min: 0.2, max: 5, noNaN: true }), (seed, way, speed) => {
        const clip = makeClip(seed, way);
        const fast = changeSpeed(clip, speed);
        expect(fast.duration).toBeCloseTo(clip.duration / speed, 9);
        const steps = clip.tracks.flatMap(({ times }) => [...times]).concat([...smile(way).times]);
        const at = Array.from({ length: 50 }, (_, n) => ((n + 0.41) / 50) * fast.duration).filter(
          (t) => way !== 'step' || steps.every((step) => Math.abs(step - speed * t) > 1e-5),
        );
        expect(difference(fast, clip, (t) => t * speed, at)).toBeLessThan(2e-5);
      }),
    );
  });

  it('a speed that is none is a wrong use', () => {
    for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => changeSpeed(makeClip(1, 'linear'), speed)).toThrow(UsageError);
  });

  it('W12: neither cutting nor speeding changes the clip it is given', () => {
    const clip = makeClip(9, 'cubic');
    const before = structuredClone(clip);
    trimClip(clip, 0.3, 1.1);
    changeSpeed(clip, 2);
    expect(clip).toEqual(before);
  });
});

describe('finiteClip', () => {
  it('gives the clip itself where nothing is broken', () => {
    const clip = makeClip(2, 'cubic');
    expect(finiteClip(clip)).toEqual({ clip, dropped: 0 });
    expect(finiteClip(clip).clip).toBe(clip);
  });

  it('finds what is broken among numbers of any size, at any place', () => {
    for (const store of [Float32Array, Float64Array])
      for (const value of [0.5, 3, -1e15])
        for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
          for (let at = 0; at < 9; at++) {
            const values = new store(9).fill(value);
            const track = { ...translationTrack(0, [0, 1, 2], []), values };
            const clip: Clip = { name: '', duration: 2, tracks: [track], morphs: [] };
            expect(finiteClip(clip).clip).toBe(clip);
            values[at] = bad;
            expect(finiteClip(clip).dropped).toBe(1);
          }
    // Larger than a light year is nowhere, whatever the signs add up to; no file could hold what comes of it.
    const huge = { ...translationTrack(0, [0], []), values: Float64Array.of(1e308, -1e308, 0) };
    expect(finiteClip({ name: '', duration: 0, tracks: [huge], morphs: [] }).dropped).toBe(1);
  });

  it('leaves out keys with broken times or values and says how many', () => {
    const quat: Quat = [0, 0, 0, 1];
    const track = rotationTrack(0, [0, 1, 2, 3], [quat, [0, Number.NaN, 0, 1], quat, quat]);
    track.times[3] = Number.POSITIVE_INFINITY;
    const { clip, dropped } = finiteClip({ name: '', duration: 3, tracks: [track], morphs: [] });
    expect(dropped).toBe(2);
    expect([...clip.tracks[0]!.times]).toEqual([0, 2]);
    expect([...clip.tracks[0]!.values]).toEqual([...quat, ...quat]);
  });

  it('lays broken tangents flat and keeps their keys', () => {
    const track = translationTrack(
      0,
      [0],
      [
        [Number.NaN, 1, 1],
        [1, 2, 3],
        [1, Number.NEGATIVE_INFINITY, 1],
      ],
      'cubic',
    );
    const { clip, dropped } = finiteClip({ name: '', duration: 0, tracks: [track], morphs: [] });
    expect(dropped).toBe(0);
    expect([...clip.tracks[0]!.values]).toEqual([0, 1, 1, 1, 2, 3, 1, 0, 1]);
  });

  it('leaves out keys whose values are missing', () => {
    const track = translationTrack(0, [0, 1, 2], [[1, 2, 3]]);
    const { clip, dropped } = finiteClip({ name: '', duration: 2, tracks: [track], morphs: [] });
    expect(dropped).toBe(2);
    expect([...clip.tracks[0]!.times]).toEqual([0]);
  });

  it('looks at faces too', () => {
    const morph = smile('linear');
    morph.values[2] = Number.NaN;
    const { clip } = finiteClip({ name: '', duration: 2, tracks: [], morphs: [morph] });
    expect(clip.morphs[0]!.times).toHaveLength(3);
  });
});
