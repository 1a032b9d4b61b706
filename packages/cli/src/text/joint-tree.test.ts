import { describe, expect, it } from 'vitest';
import { treeBranches } from './joint-tree.js';

describe('treeBranches', () => {
  it('draws a bar where siblings follow', () => {
    expect(treeBranches([-1, 0, 1, 0, -1])).toEqual(['', '├ ', '│ └ ', '└ ', '']);
    expect(treeBranches([])).toEqual([]);
  });

  it('stays narrow however deep a chain is', () => {
    const chain = Array.from({ length: 500 }, (_, i) => i - 1);
    expect(Math.max(...treeBranches(chain).map(({ length }) => length))).toBeLessThan(60);
  });
});
