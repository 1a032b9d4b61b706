import { describe, expect, it } from 'vitest';
import { createThreadRunner } from './cell-runners.js';
import type { CellOrder } from './do-cell.js';

describe('createThreadRunner', () => {
  const module = new URL('file:///there-is-no-such-module.js');
  const order: CellOrder = {
    cell: {
      ...{ key: 'k', source: 'a.bvh', target: 'b.glb', family: [], hashes: [] },
      ...{ output: 'c.glb', recipe: null },
    },
    ...{ folder: '/', base: '/', settings: {}, read: {}, makes: 'files', worker: '1', version: '1' },
  };

  it('starts no thread before there is a cell', async () => {
    const runner = createThreadRunner({ threads: 2, timeLimit: 1000, module });
    expect(runner.width).toBe(2);
    await runner.close();
  });

  it('fails every cell with a sentence where threads die at once, however many wait', async () => {
    const runner = createThreadRunner({ threads: 2, timeLimit: 60_000, module });
    const entries = await Promise.all([1, 2, 3, 4, 5].map(() => runner.run(order)));
    await runner.close();
    // Closed, it starts threads anew; what they die of while they look at a file is told likewise.
    await expect(runner.look({ path: 'a.bvh', base: '/', read: {} })).rejects.toThrow(
      /^the thread that did it died/,
    );
    await runner.close();
    for (const entry of entries)
      expect(entry).toMatchObject({
        ...{ state: 'failed', attempts: 2 },
        error: { sentence: expect.stringMatching(/^the thread that did it died: Cannot find module/) },
      });
  });
});
