import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../scene/clip.js';
import { createSkeleton } from '../../scene/skeleton.js';
import { unrollLoop } from './unroll-loop.js';

const { skeleton } = createSkeleton('one', [{ name: 'hips', parent: -1 }]);
const place = (...values: number[]): Track => ({
  joint: 0,
  channel: 'translation',
  interpolation: 'linear',
  times: Float32Array.of(0, 0.5, 1),
  values: Float32Array.from(values),
});
const unrolled = (track: Track): Track => {
  const clip: Clip = { name: 'loop', duration: 1, tracks: [track], morphs: [] };
  return unrollLoop(skeleton, 0, clip, 60).tracks[0]!;
};

describe('unrollLoop', () => {
  it('goes on with what carries the body, a turn before and after', () => {
    const { times, values } = unrolled(place(0, 1, 0, 0.5, 1, 0, 1, 1, 0));
    expect(times).toHaveLength(181);
    for (const k of [0, 45, 90, 150, 180]) expect(values[3 * k]).toBeCloseTo((k - 60) / 60, 5);
  });

  it('leaves places that never change as they are', () => {
    const still = place(0, 1, 0, 0, 1, 0, 0, 1, 0);
    expect(unrolled(still)).toBe(still);
  });
});
