import { describe, expect, it } from 'vitest';
import { angleBetween, createRandom, quatAt, randomClip, randomSkeleton } from '../../../test/tiny-rigs.js';
import { type Interpolation, sampleTrack, type Track } from '../../scene/clip.js';
import { createReader, type Instants, readBetween, readFrames } from './read-tracks.js';

const random = createRandom(8);
const skeleton = randomSkeleton(random, 2);
const times = Float32Array.from({ length: 9 }, (_, k) => k / 8);

/** A track of rotations or places with keys on the frames, or elsewhere. */
function trackOf(
  channel: 'rotation' | 'translation',
  interpolation: Interpolation,
  onFrames: boolean,
): Track {
  const clip = randomClip(random, skeleton, { interpolation, keys: 9, duration: 1, travels: 0 });
  const track = clip.tracks.find((one) => one.channel === channel)!;
  return onFrames ? { ...track, times } : track;
}

/** Instants, all half way but one. */
const instants: Instants = {
  times: Float32Array.of(1 / 16, 5 / 16, 0.4, 15 / 16),
  intervals: Int32Array.of(0, 2, 3, 7),
  parts: Float64Array.of(0.5, 0.5, (Math.fround(0.4) - 0.375) * 8, 0.5),
};

describe('a track that is read at many instants', () => {
  for (const channel of ['rotation', 'translation'] as const)
    for (const interpolation of ['step', 'linear', 'cubic'] as const)
      it(`${channel}, ${interpolation}: is what it is when sampled one by one, in any pieces`, () => {
        for (const onFrames of [true, false]) {
          const track = trackOf(channel, interpolation, onFrames);
          const reader = createReader(track, times, new Map());
          expect(reader.isOnFrames).toBe(onFrames && interpolation !== 'cubic');
          const size = channel === 'rotation' ? 4 : 3;
          const expectAt = (out: Float64Array, n: number, time: number) => {
            const wanted = new Float64Array(size);
            sampleTrack(wanted, 0, track, time);
            if (size === 4) expect(angleBetween(quatAt(out, n), quatAt(wanted, 0))).toBeLessThan(1e-6);
            else for (let c = 0; c < 3; c++) expect(out[3 * n + c]).toBeCloseTo(wanted[c]!, 6);
          };
          const out = new Float64Array(size * 9);
          for (const [from, count] of [
            [0, 9],
            [3, 4],
          ] as const) {
            expect(readFrames(out, reader, times, from, count)).toBe(true);
            for (let n = 0; n < count; n++) expectAt(out, n, times[from + n]!);
          }
          for (const [from, count] of [
            [0, 4],
            [2, 2],
          ] as const) {
            readBetween(out, reader, instants, from, count);
            for (let n = 0; n < count; n++) expectAt(out, n, instants.times[from + n]!);
          }
        }
      });

  it('is at unit length where keys are not, and says where a key is no turn or no number', () => {
    const track = trackOf('rotation', 'linear', true);
    const plain = track.values;
    const out = new Float64Array(36);
    for (const [length, isTurn] of [
      [1.0001, true],
      [3, false],
    ] as const) {
      track.values = plain.map((x) => length * x);
      expect(readFrames(out, createReader(track, times, new Map()), times, 0, 9)).toBe(isTurn);
      for (let n = 0; n < 9; n++) expect(Math.hypot(...quatAt(out, n))).toBeCloseTo(1, 12);
    }
    track.values[6] = Number.NaN;
    expect(readFrames(out, createReader(track, times, new Map()), times, 0, 9)).toBe(false);
    expect(quatAt(out, 1)).toEqual([0, 0, 0, 1]);
  });
});
