import { UsageError } from '../errors.js';
import { didWork } from '../watch-work.js';

/**
 * Pairs rows with columns so that the sum of their scores is the greatest there is, each row and column at
 * most once. A pair is only made where its score is above `reject`; −Infinity forbids it altogether.
 *
 * The Hungarian method on the scores themselves, by shortest augmenting paths with potentials (Jonker and
 * Volgenant 1987), O(n²·m). Each row has a column of its own that stands for "none" and is worth `reject`:
 * so a pair is also given up where that lets two others win more (K10).
 * @param scores One row per source, all of one length, not NaN.
 * @returns for each row its column, or −1.
 */
export function assignBest(scores: readonly (readonly number[])[], reject = 0): Int32Array {
  const rows = scores.length;
  const columns = widthOf(scores);
  const assigned = new Int32Array(rows).fill(-1);
  if (rows === 0 || columns === 0) return assigned;
  let finite = Math.abs(reject) + 1;
  for (const row of scores) for (const score of row) if (score > reject) finite += Math.abs(score);
  // A forbidden pair costs more than all others together, so that it is never part of the best.
  const cost = (i: number, j: number): number => {
    if (j >= columns) return j - columns === i ? 0 : 4 * finite;
    const score = scores[i]![j]!;
    return score > reject ? reject - score : 4 * finite;
  };
  const width = columns + rows;
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(width + 1);
  // Counted from 1: column 0 stands for "the row that is being placed".
  const rowOf = new Int32Array(width + 1);
  const previous = new Int32Array(width + 1);
  for (let i = 1; i <= rows; i++) {
    const distances = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(width + 1);
    rowOf[0] = i;
    let at = 0;
    do {
      done[at] = 1;
      // A column is looked at a tenth as long as a joint.
      didWork(0.1 * width);
      const row = rowOf[at]!;
      let next = 0;
      let step = Number.POSITIVE_INFINITY;
      for (let j = 1; j <= width; j++) {
        if (done[j]) continue;
        const reduced = cost(row - 1, j - 1) - rowPotential[row]! - columnPotential[j]!;
        if (reduced < distances[j]!) {
          distances[j] = reduced;
          previous[j] = at;
        }
        if (distances[j]! < step) {
          step = distances[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= width; j++) {
        if (done[j]) {
          rowPotential[rowOf[j]!]! += step;
          columnPotential[j]! -= step;
        } else distances[j]! -= step;
      }
      at = next;
    } while (rowOf[at] !== 0);
    while (at !== 0) {
      const before = previous[at]!;
      rowOf[at] = rowOf[before]!;
      at = before;
    }
  }
  for (let j = 1; j <= columns; j++) {
    const row = rowOf[j]! - 1;
    if (row >= 0 && scores[row]![j - 1]! > reject) assigned[row] = j - 1;
  }
  return assigned;
}

/**
 * Pairs rows with columns by taking the best pair that is left, again and again, until none scores above
 * `reject` (Körner et al., section 3.1.2). Of equal scores the first row, then the first column wins.
 * @returns for each row its column, or −1.
 */
export function assignGreedy(scores: readonly (readonly number[])[], reject = 0): Int32Array {
  const columns = widthOf(scores);
  const pairs: { row: number; column: number; score: number }[] = [];
  scores.forEach((row, i) => {
    for (let j = 0; j < columns; j++) if (row[j]! > reject) pairs.push({ row: i, column: j, score: row[j]! });
  });
  pairs.sort((a, b) => b.score - a.score || a.row - b.row || a.column - b.column);
  const assigned = new Int32Array(scores.length).fill(-1);
  const taken = new Uint8Array(columns);
  for (const { row, column } of pairs) {
    if (assigned[row]! >= 0 || taken[column]) continue;
    assigned[row] = column;
    taken[column] = 1;
  }
  return assigned;
}

function widthOf(scores: readonly (readonly number[])[]): number {
  const columns = scores[0]?.length ?? 0;
  scores.forEach((row, i) => {
    if (row.length !== columns)
      throw new UsageError(`row ${i} of the scores has ${row.length} columns, the first has ${columns}`);
    const wrong = row.findIndex((score) => Number.isNaN(score) || score === Number.POSITIVE_INFINITY);
    if (wrong >= 0) throw new UsageError(`the score of row ${i} and column ${wrong} is ${row[wrong]}`);
  });
  return columns;
}
