import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/tiny-rigs.js';
import { UsageError } from '../errors.js';
import { assignBest, assignGreedy } from './assign.js';

function total(scores: number[][], assigned: Int32Array, reject: number): number {
  let sum = 0;
  assigned.forEach((column, row) => {
    if (column >= 0) sum += scores[row]![column]! - reject;
  });
  return sum;
}

/** The best there is, by trying everything. */
function bestByTrying(scores: number[][], reject: number, row = 0, taken = 0): number {
  if (row === scores.length) return 0;
  let best = bestByTrying(scores, reject, row + 1, taken);
  scores[row]!.forEach((score, column) => {
    if ((taken >> column) & 1 || !(score > reject)) return;
    best = Math.max(best, score - reject + bestByTrying(scores, reject, row + 1, taken | (1 << column)));
  });
  return best;
}

describe('assignBest', () => {
  it('has nothing to pair where a side is empty', () => {
    expect([...assignBest([])]).toEqual([]);
    expect([...assignBest([[], []])]).toEqual([-1, -1]);
    expect([...assignBest([[0.3], [0.2]], 0.5)]).toEqual([-1, -1]);
  });

  it('K10: finds the best sum there is, with a reject threshold and none, on any shape of table', () => {
    const random = createRandom(7);
    for (let round = 0; round < 400; round++) {
      const rows = 1 + Math.floor(5 * random());
      const columns = 1 + Math.floor(5 * random());
      const scores = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () =>
          random() < 0.15 ? Number.NEGATIVE_INFINITY : 2 * random() - 0.8,
        ),
      );
      const reject = random() - 0.4;
      const assigned = assignBest(scores, reject);
      const used = [...assigned].filter((column) => column >= 0);
      expect(new Set(used).size).toBe(used.length);
      assigned.forEach((column, row) => {
        if (column >= 0) expect(scores[row]![column]!).toBeGreaterThan(reject);
      });
      expect(total(scores, assigned, reject)).toBeCloseTo(bestByTrying(scores, reject), 9);
    }
  });

  it('K10: wins where greedy, as printed, does not', () => {
    const scores = [
      [1, 0.9],
      [0.95, 0.1],
    ];
    expect([...assignGreedy(scores)]).toEqual([0, 1]);
    // The best pair first, wherever it stands.
    expect([...assignGreedy([...scores].reverse())]).toEqual([1, 0]);
    expect([...assignBest(scores)]).toEqual([1, 0]);
  });

  it('KP4: pairs a row whose scores are all negative with its best column, not with the first', () => {
    expect([...assignBest([[-3, -1, -2]], -10)]).toEqual([1]);
    expect([...assignGreedy([[-3, -1, -2]], -10)]).toEqual([1]);
    expect([...assignBest([[-3, -1, -2]])]).toEqual([-1]);
  });

  it('does 300 by 300', () => {
    const random = createRandom(3);
    const scores = Array.from({ length: 300 }, () => Array.from({ length: 300 }, random));
    const assigned = assignBest(scores);
    expect(new Set(assigned).size).toBe(300);
  });

  it('says which score is no number', () => {
    expect(() => assignBest([[0, Number.NaN]])).toThrow(UsageError);
    expect(() => assignGreedy([[0, 1], [2]])).toThrow('row 1 of the scores has 1 columns, the first has 2');
  });
});
