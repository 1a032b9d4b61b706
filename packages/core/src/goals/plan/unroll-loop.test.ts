import { describe, expect, it } from 'vitest';
import { type Clip, sampleTrack, type Track } from '../../scene/clip.js';
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
  return unrollLoop(skeleton, 0, clip, { rate: 60, lead: 60 }).tracks[0]!;
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

  it('a key a frame is taken over as it would be read, turns as turns', () => {
    const rate = 30;
    const turns: Track = {
      joint: 0,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.from({ length: rate + 1 }, (_, k) => k / rate),
      values: Float32Array.from(
        Array.from({ length: rate + 1 }, (_, k) => {
          const angle = Math.sin((2 * Math.PI * k) / rate);
          return [2 * Math.sin(angle), 0, 0, 2 * Math.cos(angle)];
        }).flat(),
      ),
    };
    const clip: Clip = { name: 'loop', duration: 1, tracks: [turns], morphs: [] };
    const { values } = unrollLoop(skeleton, 0, clip, { rate, lead: rate }).tracks[0]!;
    const read = new Float64Array(4);
    for (let k = 0; k <= 3 * rate; k++) {
      sampleTrack(read, 0, turns, (k % rate) / rate);
      for (let c = 0; c < 4; c++) expect(values[4 * k + c], `${k}`).toBeCloseTo(read[c]!, 6);
    }
  });
});
