import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../scene/clip.js';
import { evenTimes, partTimes } from './bake-times.js';

function clipAt(...lists: number[][]): Clip {
  const tracks = lists.map(
    (times, joint): Track => ({
      joint,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.from(times),
      values: Float32Array.from(times.flatMap((_, k) => [0, Math.sin(k), 0, Math.cos(k)])),
    }),
  );
  return { name: 'clip', duration: Math.max(...lists.flat()), tracks, morphs: [] };
}

const frames = (count: number, rate: number) => Array.from({ length: count }, (_, k) => k / rate);
const every = () => true;
const rateOf = (times: Float32Array) => (times.length - 1) / times.at(-1)!;

describe('the even rate of a bake', () => {
  it('is the source’s own, frame for frame, whatever rate that is', () => {
    for (const rate of [24, 25, 29.97, 30, 59.94, 60, 120]) {
      const clip = clipAt(frames(77, rate));
      const times = evenTimes(clip, every, true);
      expect(times).toBe(clip.tracks[0]!.times);
    }
  });

  it('is the source’s where some tracks have fewer keys, or keys are missing', () => {
    const all = frames(91, 29.97);
    const clip = clipAt(
      all.filter((_, k) => k % 7 !== 3),
      [0, all.at(-1)!],
      [0],
    );
    const times = evenTimes(clip, every, true);
    expect(times.length).toBe(91);
    expect(rateOf(times)).toBeCloseTo(29.97, 4);
  });

  it('is the one on whose grid most keys of a sparse clip lie, else 30, and 60 where limbs are corrected', () => {
    const sparse = clipAt([0, 5, 11, 13, 24, 31, 48].map((frame) => frame / 24));
    expect(rateOf(evenTimes(sparse, every, false))).toBeCloseTo(24, 6);
    expect(rateOf(evenTimes(sparse, every, true))).toBeCloseTo(48, 6);
    const odd = clipAt([0, 0.1234, 0.4711, 0.8089, 1]);
    expect(rateOf(evenTimes(odd, every, false))).toBeCloseTo(30, 6);
    expect(rateOf(evenTimes(odd, every, true))).toBeCloseTo(60, 6);
  });

  it('has no two steps of different lengths, but for the last', () => {
    const clip = clipAt([0, 0.31, 0.317, 0.9, 1.234], frames(12, 10));
    const times = evenTimes(clip, every, false);
    for (let k = 1; k < times.length - 1; k++) expect(times[k]! - times[k - 1]!).toBeCloseTo(1 / 30, 5);
    expect(times.at(-1)).toBeCloseTo(clip.duration, 6);
  });

  it('parts every step alike', () => {
    expect([...partTimes(Float32Array.of(0, 1, 2), 4)]).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
  });
});
