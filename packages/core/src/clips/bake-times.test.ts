import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  type Quat,
  rotationTrack,
  translationTrack,
  unevenTimes,
} from '../../test/tiny-rigs.js';
import { RetargetError } from '../base/errors.js';
import type { Clip, Track } from '../scene/clip.js';
import { refuseHugeBake } from '../scene/motion.js';
import { bakeTimes, evenTimes, refuseSparseBake } from './bake-times.js';

const all = () => true;
const empty: Clip = { name: '', duration: 0, tracks: [], morphs: [] };

describe('bakeTimes', () => {
  it('R19, KP16: no key is skipped, times rise, and gaps are as short as a frame', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 40 }), (seed, count) => {
        const random = createRandom(seed);
        const clip = clipOf([
          rotationTrack(0, unevenTimes(random, count, 3), []),
          translationTrack(1, unevenTimes(random, count + 3, 2), [], 'step'),
          rotationTrack(2, unevenTimes(random, 2, 3), [], 'cubic'),
        ]);
        const times = bakeTimes(clip, all);
        for (const track of clip.tracks)
          for (const key of track.times)
            expect(Math.min(...times.map((t) => Math.abs(t - key)))).toBeLessThan(1.1e-4);
        for (let k = 1; k < times.length; k++) {
          expect(times[k]!).toBeGreaterThan(times[k - 1]!);
          expect(times[k]! - times[k - 1]!).toBeLessThan(1 / 23 + 1e-6);
        }
        expect(times[0]).toBe(0);
        expect(times[times.length - 1]).toBeCloseTo(clip.duration, 6);
      }),
    );
  });

  it('a gap of hours gets as many frames as one of four seconds', () => {
    const clip = clipOf([rotationTrack(0, [0, 20_000, 20_001], [])]);
    expect(bakeTimes(clip, all)).toHaveLength(1 + 120 + 30);
  });

  it('few keys over a long time are not made millions where all joints share them', () => {
    const tracks = (count: number) =>
      Array.from({ length: count }, (_, n) => rotationTrack(n, [0, 1, 1200], []));
    expect(evenTimes(clipOf(tracks(2)), all, false)).toHaveLength(1200 * 30 + 1);
    expect(evenTimes(clipOf(tracks(100)), all, false)).toHaveLength(1 + 30 + 120);
  });

  it('dense keys at a steady rate are the frames themselves', () => {
    const keys = Array.from({ length: 61 }, (_, k) => Math.fround(k / 30));
    expect([...bakeTimes(clipOf([rotationTrack(0, keys, [])]), all)]).toEqual(keys);
  });

  it('a higher rate fills what is sparse, and cubic keys up to that rate; lines between dense keys stay', () => {
    const keys = Array.from({ length: 31 }, (_, k) => Math.fround(k / 30));
    const count = (interpolation: 'linear' | 'cubic', times: readonly number[], rate?: number) =>
      bakeTimes(clipOf([rotationTrack(0, times, [], interpolation)]), all, rate).length;
    expect(count('linear', keys)).toBe(31);
    expect(count('linear', keys, 60)).toBe(31);
    expect(count('cubic', keys)).toBe(31);
    expect(count('cubic', keys, 60)).toBe(61);
    expect(count('linear', [0, 1])).toBe(31);
    expect(count('linear', [0, 1], 60)).toBe(61);
    const dense = Array.from({ length: 61 }, (_, k) => Math.fround(k / 60));
    expect(count('cubic', dense, 60)).toBe(61);
  });

  it('a step keeps a frame right before it', () => {
    const times = bakeTimes(stepsOf([0, 1, 0, 0], [0, 0.5, 1]), all);
    const at = times.findIndex((t) => Math.abs(t - 0.5) < 1e-6);
    expect(times[at]! - times[at - 1]!).toBeLessThan(2e-3);
  });

  it('a step from a value to the same is none: frames stay the keys', () => {
    const keys = Array.from({ length: 61 }, (_, k) => Math.fround(k / 30));
    expect([...bakeTimes(stepsOf([0, 0, 0, 1], keys), all)]).toEqual(keys);
    expect(bakeTimes(stepsOf([1, 0, 0, 0], keys), all).length).toBeGreaterThan(keys.length);
  });

  /** Steps between no turn and another one. */
  function stepsOf(turn: Readonly<Quat>, keys: readonly number[]): Clip {
    const values = keys.map((_, k): Readonly<Quat> => (k % 2 === 0 ? [0, 0, 0, 1] : turn));
    return clipOf([rotationTrack(0, keys, values, 'step')]);
  }

  it('joints that do not matter are not looked at', () => {
    const dense = Array.from({ length: 500 }, (_, k) => k / 499);
    const clip = clipOf([rotationTrack(0, [0, 1], []), rotationTrack(1, dense, [])]);
    expect(bakeTimes(clip, (joint) => joint === 0).length).toBeLessThan(40);
    expect(bakeTimes(clip, all).length).toBeGreaterThanOrEqual(500);
  });

  it('an empty clip and one of no length are one frame', () => {
    expect([...bakeTimes(empty, all)]).toEqual([0]);
    expect([...bakeTimes(clipOf([rotationTrack(0, [0], [])]), all)]).toEqual([0]);
  });

  it('keys that are no times, come before 0 or after the end are left out', () => {
    const clip = { ...clipOf([rotationTrack(0, [-1, Number.NaN, 0.02, 1e30], [])]), duration: 0.04 };
    expect([...bakeTimes(clip, all)].map((t) => Math.round(t * 1e4) / 1e4)).toEqual([0, 0.02, 0.04]);
  });

  it('keys in no order come out in order', () => {
    const times = bakeTimes({ ...clipOf([rotationTrack(0, [0.04, 0, 0.02], [])]), duration: 0.04 }, all);
    expect([...times].map((t) => Math.round(t * 1e4) / 1e4)).toEqual([0, 0.02, 0.04]);
  });

  it('a rate that makes millions of few keys is refused; one of as many keys is not', () => {
    const tracks = (keys: number) =>
      Array.from(
        { length: 200 },
        (_, joint): Track => ({
          joint,
          channel: 'rotation',
          interpolation: 'linear',
          times: Float32Array.from({ length: keys }, (_, k) => (k * 25_000) / (keys - 1)),
          values: new Float32Array(4 * keys),
        }),
      );
    const clip = (keys: number): Clip => ({
      name: 'far',
      duration: 25_000,
      tracks: tracks(keys),
      morphs: [],
    });
    expect(() => refuseSparseBake(clip(3), 30)).toThrow(
      'clip "far" of 25000 s has 600 keys and would have 750000 frames of 200 channels at 30 a second',
    );
    expect(() => refuseSparseBake(clip(1000), 30)).not.toThrow();
    expect(() => refuseSparseBake(clip(3), 0.5)).not.toThrow();
    // Where constraints are met in every frame, a frame costs more and fewer are made.
    expect(() => refuseSparseBake(clip(3), 0.5, true)).toThrow('would have 12500 frames');
    expect(() => refuseSparseBake(clip(3), 0.04, true)).not.toThrow();
  });

  it('a length that no machine holds is refused in one sentence, at once', () => {
    for (const duration of [1e30, 1e6, Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => bakeTimes({ ...empty, duration }, all)).toThrow(RetargetError);
    expect(() => refuseHugeBake(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toThrow(
      'a clip says it is Infinity s long; one of its times must be broken',
    );
    expect(() => refuseHugeBake(1_000_000, 33_333)).not.toThrow();
  });
});
