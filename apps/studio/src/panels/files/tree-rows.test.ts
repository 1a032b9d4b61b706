import { expect, it } from 'vitest';
import { treeRows } from './tree-rows.js';

const PARENTS = [-1, 0, 1, 0, -1];

it('joints stand below their parents, in the order of the file, one step in', () => {
  expect(treeRows(PARENTS, new Set()).map(({ joint, depth }) => [joint, depth])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 1],
    [4, 0],
  ]);
});

it('what is below a closed joint is left out, and the joint says that something is there', () => {
  const rows = treeRows(PARENTS, new Set([1]));
  expect(rows.map(({ joint }) => joint)).toEqual([0, 1, 3, 4]);
  expect(rows[1]!.hasChildren).toBe(true);
});
