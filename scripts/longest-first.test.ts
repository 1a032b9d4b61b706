import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import LongestFirst, { SECONDS } from './longest-first.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

test('every file that is known to take long is there', () => {
  expect(Object.keys(SECONDS).filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
});

test('what takes long begins first, all others by name', async () => {
  const slowest = Object.entries(SECONDS).sort(([, a], [, b]) => b - a)[0]![0];
  const files = ['b.test.ts', slowest, 'a.test.ts'].map(
    (path) => ({ moduleId: `${root}/${path}` }) as TestSpecification,
  );
  const sorted = await new LongestFirst({ config: { root } } as Vitest).sort(files);
  expect(sorted.map(({ moduleId }) => moduleId.replace(`${root}/`, ''))).toEqual([
    slowest,
    'a.test.ts',
    'b.test.ts',
  ]);
});
