import { describe, expect, test } from 'vitest';
import type { FuzzCase } from './attempt.js';
import { DOCUMENTS, openDocuments } from './document-case.js';
import { openFiles } from './file-case.js';
import { FUZZED_FORMATS } from './seeds.js';
import { makeSkeletonCase } from './skeleton-case.js';

/*
 * A fixed part of what `npm run fuzz` tries, from the repository's own samples alone, so that it is the same
 * everywhere. Numbers of cases are such that all of it takes less than forty seconds.
 */

const SEED = 20;
/** Milliseconds by the clock after which a test has failed: far more than it takes, for machines that are busy. */
const PATIENCE = 300_000;
/**
 * Milliseconds of the processor that one case may take here: ten times what `npm run fuzz` allows, since code that is not
 * warm yet, and a busy machine's shared cores, take several times as long. What grows without bounds is found all the same.
 */
const LONGEST = 20_000;

/** Tries cases, and gives how many came to something and all that was wrong. */
async function tryCases(
  make: (seed: number, index: number) => FuzzCase,
  count: number,
): Promise<{ results: number; refused: number; faults: string[] }> {
  let results = 0;
  const faults: string[] = [];
  for (let index = 0; index < count; index++) {
    const one = make(SEED, index);
    // Time of the processor, not of the clock: other programs may keep it busy.
    const start = process.cpuUsage();
    const verdict = await one.run();
    const { user, system } = process.cpuUsage(start);
    if (verdict.gave) results++;
    const isSlow = user + system > 1000 * LONGEST;
    for (const fault of isSlow ? [...verdict.faults, 'takes too long'] : verdict.faults)
      faults.push(`seed ${SEED}, case ${index}, from ${one.from}: ${fault}`);
  }
  return { results, refused: count - results, faults };
}

describe('mutated files', () => {
  test.each(FUZZED_FORMATS)(
    '%s: only sound results or sentences',
    async (format) => {
      const make = await openFiles(format, { largest: 95_000, withData: false });
      const { results, refused, faults } = await tryCases(make, 180);
      expect(faults).toEqual([]);
      // Mutations that are all refused at the door, or change nothing, would try nothing.
      expect(results).toBeGreaterThan(20);
      expect(refused).toBeGreaterThan(20);
    },
    PATIENCE,
  );
});

describe('mutated documents', () => {
  test.each(DOCUMENTS)(
    '%s: only sound results or sentences',
    async (kind) => {
      const { results, faults } = await tryCases(await openDocuments(kind), 60);
      expect(faults).toEqual([]);
      expect(results).toBeGreaterThan(10);
    },
    PATIENCE,
  );
});

test(
  'random skeletons, clips and options: only sound results or sentences',
  async () => {
    const { results, refused, faults } = await tryCases(makeSkeletonCase, 90);
    expect(faults).toEqual([]);
    expect(results).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(10);
  },
  PATIENCE,
);
