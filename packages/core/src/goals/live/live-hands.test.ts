import { describe, expect, it } from 'vitest';
import { standingGoals } from '../../../test/standing-goals.js';
import { createLiveHands } from './live-hands.js';

/** Plays a hand whose goal is moved by so much, xyz in hip heights, frame by frame; gives where it is, seen from there. */
function play(
  moves: (k: number) => readonly number[],
  stands: (k: number) => boolean = () => false,
  seconds = 1 / 60,
) {
  const { setup, goals } = standingGoals();
  const n = setup.limbs.findIndex(({ kind }) => kind === 'arm');
  const others = goals.places.slice();
  const copied = [0, 1, 2].map(
    (c) => goals.target.matrices[16 * setup.limbs[n]!.target.end + 12 + c]! / setup.hipHeight,
  );
  const hands = createLiveHands(setup);
  goals.seconds[0] = seconds;
  const path = Array.from({ length: 90 }, (_, k) => {
    for (let c = 0; c < 3; c++) goals.places[3 * n + c] = setup.hipHeight * (copied[c]! + moves(k)[c]!);
    goals.carried[n] = stands(k) ? 1 : 0;
    hands.update(goals);
    return [0, 1, 2].map((c) => goals.places[3 * n + c]! / setup.hipHeight - copied[c]!);
  });
  return { path, n, goals, others, floor: setup.floor / setup.hipHeight - copied[1]! };
}

const jerks = (path: readonly number[][], c: number) =>
  Math.max(...path.slice(2).map((at, k) => Math.abs(at[c]! - 2 * path[k + 1]![c]! + path[k]![c]!)));

describe('createLiveHands', () => {
  it('a hand that nothing moves stays as copied, from the first frame on; and legs stay', () => {
    const { path, others, goals } = play(() => [0, 0, 0]);
    for (const at of path) for (const value of at) expect(value).toBeCloseTo(0, 12);
    for (let i = 0; i < 6; i++) expect(goals.places[i]).toBe(others[i]);
  });

  it('what a hand in the air is moved by leaps no longer, and is reached', () => {
    const { path } = play((k) => (k < 30 ? [0, 0, 0] : [0, 0, 0.2]));
    expect(path[29]![2]).toBeCloseTo(0, 12);
    expect(jerks(path, 2)).toBeLessThan(0.05);
    expect(path[45]![2]).toBeGreaterThan(0.19);
    expect(path[89]![2]).toBeCloseTo(0.2, 6);
  });

  it('a hand that stands is not late: it stands still while the body goes over it', () => {
    // The copied hand goes ahead with the body, so that what the standing one is moved by grows steadily.
    const at = (k: number) => -0.01 * Math.max(0, k - 20);
    const { path } = play(
      (k) => [0, 0, at(k)],
      (k) => k >= 20,
    );
    for (let k = 35; k < 90; k++) expect(path[k]![2]).toBeCloseTo(at(k), 2);
    const late = play((k) => [0, 0, at(k)]).path;
    expect(late[60]![2]! - at(60)).toBeGreaterThan(0.3 * 0.01 * 60 * 0.05);
    for (let k = 40; k < 90; k++)
      expect(Math.abs(path[k]![2]! - path[k - 1]![2]! + 0.01)).toBeLessThan(0.0005);
  });

  it('goes on as it went when it comes to stand, and when it leaves', () => {
    const { path } = play(
      (k) => (k < 30 || k > 60 ? [0, 0, 0] : [0.15, 0, 0]),
      (k) => k >= 30 && k <= 60,
    );
    expect(jerks(path, 0)).toBeLessThan(0.04);
    expect(path[59]![0]).toBeCloseTo(0.15, 4);
    expect(path[89]![0]).toBeCloseTo(0, 4);
  });

  it('one that comes to stand comes down the rest of its way as softly as an elbow can', () => {
    const { path } = play(
      (k) => (k < 30 ? [0, 0, 0] : [0, 0.1, 0]),
      (k) => k >= 30,
    );
    expect(jerks(path, 1)).toBeLessThan(0.01);
    expect(path[50]![1]).toBeCloseTo(0.1, 2);
  });

  it('no hand is under the floor, not for a frame, and none is stopped there at once', () => {
    const down = (k: number) => -0.02 * k;
    const { path, floor } = play((k) => [0, down(k), 0]);
    for (const at of path) expect(at[1]).toBeGreaterThan(floor - 1e-9);
    expect(path[89]![1]).toBeLessThan(floor + 0.1);
    expect(jerks(path, 1)).toBeLessThan(0.02);
  });

  it('without time between frames it takes what it is told', () => {
    const { path } = play((k) => [0.01 * k, 0, 0], undefined, 0);
    path.forEach((at, k) => {
      expect(at[0]).toBeCloseTo(0.01 * k, 12);
    });
  });
});
