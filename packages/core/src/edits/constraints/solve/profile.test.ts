import { describe, expect, it } from 'vitest';
import { factorMatrix, substitute } from './factor.js';
import { createProfile, factorProfile, goBackwards, goForwards } from './profile.js';
import { columnsFromLeaves } from './tree-path.js';

/** A trunk of two joints with two limbs of three, and one that hangs on nothing. */
const PARENTS = [-1, 0, 1, 2, 3, 1, 5, 6, -1];
const SIZE = 3 * PARENTS.length + 3;

/** A definite matrix in which joints have to do with those above them alone; its lower half. */
function matrixOfTree(): Float64Array {
  const m = new Float64Array(SIZE * SIZE);
  const isAbove = (i: number, j: number): boolean => j >= 0 && (i === j || isAbove(i, PARENTS[j]!));
  for (let a = 0; a < SIZE; a++)
    for (let b = 0; b <= a; b++) {
      const [i, j] = [Math.floor(a / 3), Math.floor(b / 3)];
      if (a === b) m[a * SIZE + b] = 20;
      else if (i === PARENTS.length || isAbove(j, i)) m[a * SIZE + b] = Math.sin(7 * a + 3 * b);
    }
  return m;
}

const vector = (seed: number): Float64Array =>
  Float64Array.from({ length: SIZE }, (_, c) => Math.cos(seed + c * c));

describe('columnsFromLeaves', () => {
  it('puts every joint before what it hangs on, limbs one after the other, and the place of the hips last', () => {
    expect([...columnsFromLeaves([-1, 0, 0, 1])]).toEqual([9, 10, 11, 3, 4, 5, 6, 7, 8, 0, 1, 2, 12, 13, 14]);
    const order = columnsFromLeaves(PARENTS);
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
    const at = PARENTS.map((_, i) => order.indexOf(3 * i));
    PARENTS.forEach((parent, i) => {
      if (parent >= 0) expect(at[i]!).toBeLessThan(at[parent]!);
    });
  });
});

describe('a profile', () => {
  it('solves as a full factor does, and has nothing to do with limbs apart from each other', () => {
    const matrix = matrixOfTree();
    const profile = createProfile(columnsFromLeaves(PARENTS));
    const least = factorProfile(profile, matrix);
    const full = matrix.slice();
    expect(least).toBeGreaterThan(0.1);
    expect(factorMatrix(full, SIZE, SIZE)).toBeGreaterThan(0.1);
    const [wanted, half, found] = [vector(1), new Float64Array(SIZE), new Float64Array(SIZE)];
    expect(goForwards(profile, half, 0, wanted, 0)).toBe(0);
    goBackwards(profile, found, half);
    substitute(full, wanted, SIZE, SIZE);
    found.forEach((x, c) => {
      expect(x).toBeCloseTo(wanted[c]!, 12);
    });
    // The second limb's rows begin where the first one's have ended.
    const place = (joint: number): number => profile.order.indexOf(3 * joint);
    const [one, other] = [place(4), place(7)];
    expect(profile.firsts[Math.max(one, other) + 2]).toBe(Math.max(one, other));
  });

  it('says where a row that begins with zeros goes on, and takes products of rows as they are', () => {
    const matrix = matrixOfTree();
    const profile = createProfile(columnsFromLeaves(PARENTS));
    factorProfile(profile, matrix);
    const [row, other] = [vector(2), vector(3)];
    for (let joint = 0; joint < PARENTS.length; joint++)
      if (![0, 1, 5, 6, 7].includes(joint)) row.fill(0, 3 * joint, 3 * joint + 3);
    const [a, b] = [new Float64Array(SIZE), new Float64Array(SIZE)];
    const from = goForwards(profile, a, 0, row, 0);
    goForwards(profile, b, 0, other, 0);
    expect(from).toBe(Math.min(...[0, 1, 5, 6, 7].map((joint) => profile.order.indexOf(3 * joint))));
    expect([...a.subarray(0, from)].every((x) => x === 0)).toBe(true);
    const full = matrix.slice();
    factorMatrix(full, SIZE, SIZE);
    substitute(full, other, SIZE, SIZE);
    const product = (x: Float64Array, y: Float64Array) => x.reduce((sum, each, c) => sum + each * y[c]!, 0);
    expect(product(a, b)).toBeCloseTo(product(row, other), 12);
  });

  it('has no factor of what is not definite', () => {
    const matrix = matrixOfTree();
    matrix[4 * SIZE + 4] = -1;
    expect(factorProfile(createProfile(columnsFromLeaves(PARENTS)), matrix)).toBe(0);
  });
});
