import { expect, it } from 'vitest';
import type { ManifestEntry } from '../../batch/manifest.js';
import { type Batch, type BatchPlan, runBatch } from './run-batch.js';

/** Runs six cells, of which some fail by a code, one after another. @returns keys of those that were begun and settled. */
async function runSix(codes: Record<string, string>, stopAfter?: number) {
  const cells = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({
    ...{ key, source: key, target: 't', family: [], hashes: [], output: `${key}.glb`, recipe: null },
  }));
  const settled: ManifestEntry[] = [];
  const batch = {
    folder: {
      path: '/',
      entries: new Map(),
      add: () => {},
      settle: async (entries: ManifestEntry[]) => settled.push(...entries),
    },
    ...{ recipes: new Map(), settings: {}, limits: {} },
  } as unknown as Batch;
  const plan = {
    ...{ cells, todo: cells, kept: [], orphans: [], targets: [], files: { base: '/', place: '/' } },
  } as unknown as BatchPlan;
  const begun: string[] = [];
  await runBatch(batch, plan, {
    runner: {
      width: 1,
      run: async ({ cell: { key } }) => {
        begun.push(key);
        const code = codes[key];
        return {
          ...{ key, state: code ? 'failed' : 'done', error: code ? { code, sentence: '' } : null },
          ...{ figures: {}, warnings: [], output: [] },
        } as unknown as ManifestEntry;
      },
      close: async () => {},
    },
    ...(stopAfter !== undefined && { stopAfter }),
  });
  return { begun: begun.join(''), settled: settled.map(({ key }) => key).join('') };
}

it('goes on past files that fail, until as many have as end it', async () => {
  const broken = { b: 'file', d: 'file' };
  expect(await runSix(broken)).toEqual({ begun: 'abcdef', settled: 'abcdef' });
  expect(await runSix(broken, 2)).toEqual({ begun: 'abcd', settled: 'abcd' });
});

it('begins nothing more where the disk is full, and leaves the rest for when there is room', async () => {
  expect(await runSix({ b: 'disk-full' })).toEqual({ begun: 'ab', settled: 'ab' });
});
