import { describe, expect, it } from 'vitest';
import { angleBetween, clipOf, type Quat, quatAt, rotationTrack, times, turn } from '../../test/tiny-rigs.js';
import { repairKeys } from './repair-keys.js';

const FRAMES = Array.from({ length: 12 }, (_, k) => k / 30);
const smooth = (k: number): Quat => turn([1, 2, 0.5], 0.1 * k);
const HALF_TURN = turn([0, 0, 1], Math.PI);

describe('repairKeys', () => {
  it('B14, BP6: keys a half turn off become what the keys around them say, also two pairs in a row', () => {
    const quats = FRAMES.map((_, k) => smooth(k));
    for (const fault of [3, 5, 8, 9]) quats[fault] = times(smooth(fault), HALF_TURN);
    const { clip, repaired } = repairKeys(clipOf([rotationTrack(0, FRAMES, quats)]));
    expect(repaired).toBe(4);
    for (let k = 0; k < FRAMES.length; k++)
      expect(angleBetween(quatAt(clip.tracks[0]!.values, k), smooth(k))).toBeLessThan(1e-3);
  });

  it('B14: one key between two that agree is put on the way from one to the other', () => {
    const still = turn([0, 1, 0], 0.4);
    const quats = FRAMES.map((_, k) => (k === 4 ? times(still, HALF_TURN) : still));
    const { clip, repaired } = repairKeys(clipOf([rotationTrack(0, FRAMES, quats)]));
    expect(repaired).toBe(1);
    for (let k = 0; k < FRAMES.length; k++)
      expect(angleBetween(quatAt(clip.tracks[0]!.values, k), still)).toBeLessThan(1e-3);
  });

  it('R13, BP6: a true half turn between sparse keys is kept, and so is a clip without faults', () => {
    const spin = clipOf([
      rotationTrack(
        0,
        [0, 0.05, 0.1],
        [turn([0, 1, 0], 0), turn([0, 1, 0], Math.PI), turn([0, 1, 0], 2.2 * Math.PI)],
      ),
      rotationTrack(1, [0, 1, 2], [turn([0, 1, 0], 0), turn([0, 1, 0], Math.PI), turn([0, 1, 0], 0)]),
      rotationTrack(
        2,
        FRAMES,
        FRAMES.map((_, k) => smooth(k)),
      ),
    ]);
    expect(repairKeys(spin)).toEqual({ clip: spin, repaired: 0 });
  });

  it('B14, BP6: half turns one after another about other axes go on, and are meant', () => {
    const [x, y] = [turn([1, 0, 0], Math.PI), turn([0, 1, 0], Math.PI)];
    const still = turn([0, 1, 0], 0);
    // Each is orthogonal to all others: nothing before agrees with anything after.
    const tumble = clipOf([rotationTrack(0, [0, 0.03, 0.06, 0.09], [still, x, times(x, y), times(x, y)])]);
    expect(repairKeys(tumble)).toEqual({ clip: tumble, repaired: 0 });
  });

  it('empty tracks and single keys are nothing to repair', () => {
    const clip = clipOf([rotationTrack(0, [], []), rotationTrack(1, [0], [smooth(1)])]);
    expect(repairKeys(clip).repaired).toBe(0);
  });
});
