import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import type { IndexingMethod } from '../options/chain-matching.js';
import {
  boneDistances,
  createJointIndexer,
  indexJoints,
  normalisedLengths,
  shareTurns,
} from './index-joints.js';

const line = (...heights: number[]): Vec3[] => heights.map((y) => [0, y, 0]);

function randomChain(random: () => number, count: number): Vec3[] {
  const at: Vec3 = [random(), random(), random()];
  return Array.from({ length: count }, () => {
    at[0] += 0.2 * random();
    at[1] += random();
    at[2] -= 0.3 * random();
    return [...at];
  });
}

describe('indexJoints', () => {
  it('has nothing to say of empty chains, and merges all into a chain of one', () => {
    expect(indexJoints([], line(0, 1))).toEqual([]);
    expect(indexJoints(line(0, 1), [])).toEqual([]);
    expect(indexJoints(line(0, 1, 2), line(5))).toEqual([{ target: 0, sources: [0, 1, 2] }]);
    expect(indexJoints(line(5), line(0, 1, 2))).toEqual([{ target: 0, sources: [0] }]);
  });

  it('survives joints that coincide or are not finite', () => {
    expect(normalisedLengths(line(1, 1, 1))).toEqual([0, 0.5, 1]);
    const pairs = indexJoints(line(0, Number.NaN, 2), line(0, 1));
    expect(pairs.map(({ target }) => target)).toEqual([0, 1]);
  });

  it('K15, K17: pairs index with index where the counts agree, however long the bones', () => {
    for (const by of ['index', 'nearest', 'length'] as const)
      expect(indexJoints(line(0, 0.1, 4), line(0, 3, 4), by)).toEqual([
        { target: 0, sources: [0] },
        { target: 1, sources: [1] },
        { target: 2, sources: [2] },
      ]);
  });

  it('K18: pairs by normalised cumulative length, and appends leftover source joints to the nearest', () => {
    // Normalised: 0, 0.1, 0.45, 0.9, 1 and 0, 0.5, 1.
    expect(indexJoints(line(0, 1, 4.5, 9, 10), line(0, 20, 40))).toEqual([
      { target: 0, sources: [0, 1] },
      { target: 1, sources: [2] },
      { target: 2, sources: [3, 4] },
    ]);
  });

  it('K15: leaves surplus target joints out', () => {
    expect(indexJoints(line(0, 5, 10), line(0, 1, 2.4, 3.8, 5))).toEqual([
      { target: 0, sources: [0] },
      { target: 2, sources: [1] },
      { target: 4, sources: [2] },
    ]);
  });

  it('folds into the next joint where that is asked, so that the first driver stays the first', () => {
    expect(indexJoints(line(0, 1, 2, 3, 4), line(0, 1), 'length', 'next')).toEqual([
      { target: 0, sources: [0] },
      { target: 1, sources: [1, 2, 3, 4] },
    ]);
  });

  it('K16, KP8: whatever the lengths, pairs stay in order, sources have no gap and none is lost or used twice', () => {
    const random = createRandom(11);
    const methods: IndexingMethod[] = [
      'index',
      'nearest',
      'length',
      (a, b) => a.map(() => b.map(() => random())),
    ];
    for (let round = 0; round < 400; round++) {
      const m = 1 + Math.floor(7 * random());
      const n = 1 + Math.floor(7 * random());
      const pairs = indexJoints(randomChain(random, m), randomChain(random, n), methods[round % 4]);
      expect(pairs).toHaveLength(Math.min(m, n));
      expect(pairs.flatMap(({ sources }) => sources)).toEqual(Array.from({ length: m }, (_, i) => i));
      expect(pairs.every(({ target }, k) => k === 0 || target > pairs[k - 1]!.target)).toBe(true);
    }
  });

  it('KP9: does not depend on unit, place, or the way to the first joint', () => {
    const random = createRandom(5);
    for (let round = 0; round < 50; round++) {
      const a = randomChain(random, 2 + Math.floor(6 * random()));
      const b = randomChain(random, 2 + Math.floor(6 * random()));
      const moved = a.map((p): Vec3 => [100 * p[0] + 900, 100 * p[1] - 40, 100 * p[2]]);
      for (const by of ['nearest', 'length'] as const)
        expect(indexJoints(moved, b, by)).toEqual(indexJoints(a, b, by));
    }
  });

  it('K17: takes distances of one’s own', () => {
    const onlyLast = indexJoints(line(0, 1, 2), line(0), (a, b) => a.map((_, i) => b.map(() => 2 - i)));
    expect(onlyLast).toEqual([{ target: 0, sources: [0, 1, 2] }]);
  });

  it('K17: remembers what it has found', () => {
    let calls = 0;
    const index = createJointIndexer(line(0, 1, 2), line(0, 2), (a, b) => {
      calls++;
      return a.map((p) => b.map((q) => Math.abs(p[1] - q[1])));
    });
    expect(index([0, 1, 2], [0, 1])).toBe(index([0, 1, 2], [0, 1]));
    expect(calls).toBe(1);
    expect(index([0, 1], [0, 1])).not.toBe(index([0, 1, 2], [0, 1]));
    expect(calls).toBe(2);
  });
});

describe('boneDistances', () => {
  /** Legs as joints from the top: a shoulder blade that points ahead, thigh, shin and foot that point down. */
  const withBlade: Vec3[] = [
    [0, 1.2, 0],
    [0, 0.95, 0.4],
    [0, 0.5, 0.3],
    [0, 0.1, 0.35],
    [0, 0, 0.5],
  ];
  const without: Vec3[] = [
    [0, 1, 0],
    [0, 0.55, 0],
    [0, 0.1, 0],
  ];
  const by = () => boneDistances(withBlade, without, { source: 4, target: 3 });

  it('K7: keeps thigh on thigh and knee on knee where legs are built differently, where length alone does not', () => {
    expect(indexJoints(withBlade.slice(0, 4), without, by, 'between')).toEqual([
      { target: 0, sources: [0, 1] },
      { target: 1, sources: [2] },
      { target: 2, sources: [3] },
    ]);
    expect(indexJoints(withBlade.slice(0, 4), without, 'length')[0]!.sources).toEqual([0]);
  });

  it('leaves out what lies beyond the last mapped joint: a shin does not turn as the toes do', () => {
    const shin = without.slice(0, 2);
    const pairs = indexJoints(
      withBlade.slice(1, 4),
      shin,
      () => boneDistances(withBlade.slice(1), without, { source: 3, target: 2 }),
      'between',
    );
    expect(pairs).toEqual([
      { target: 0, sources: [0] },
      { target: 1, sources: [1] },
    ]);
  });

  it('is finite where bones have no length', () => {
    const dot: Vec3[] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (const row of boneDistances(dot, without, { source: 2, target: 3 }))
      for (const distance of row) expect(Number.isFinite(distance)).toBe(true);
  });
});

describe('shareTurns', () => {
  it('M8: spreads the bend evenly, rises from joint to joint and ends with all of it', () => {
    for (let m = 1; m < 6; m++)
      for (let n = m; n < 12; n++) {
        const reached = shareTurns(m, n).map(({ from, weight }) => from + 1 + weight);
        reached.forEach((value, j) => {
          expect(value).toBeCloseTo(((j + 1) * m) / n, 9);
        });
        expect(shareTurns(m, n).every(({ source, from }) => source === from + 1 && source < m)).toBe(true);
      }
    expect(shareTurns(0, 3)).toEqual([]);
  });
});
