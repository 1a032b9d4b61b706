import { describe, expect, test } from 'vitest';
import { makeCase, tryCase } from './fuzz-case.js';
import { createRandom } from './random.js';
import { type FuzzedFormat, loadSeeds } from './seeds.js';

/** Files of this many bytes and less: as odd as large ones, and many more of them in the same time. */
const LARGEST = 120_000;

/** Milliseconds after which a format has had its share of the time. */
const BUDGET = 6000;

describe('mutated files', () => {
  const formats: [FuzzedFormat, number][] = [
    ['gltf', 600],
    ['bvh', 600],
    ['fbx', 400],
  ];
  test.each(formats)(
    '%s: only scenes or FormatErrors, none slow, of up to %i with a fixed seed',
    async (format, count) => {
      const seeds = loadSeeds(format, LARGEST);
      expect(seeds.length).toBeGreaterThan(0);
      const ends = { read: 0, refused: 0, fault: 0 };
      const faults: string[] = [];
      const started = performance.now();
      for (let index = 0; index < count && performance.now() - started < BUDGET; index++) {
        const one = makeCase(format, seeds, 20, index);
        // Time of the processor, not of the clock: other programs may keep it busy.
        const start = process.cpuUsage();
        const outcome = await tryCase(one, index % 4 === 0);
        const { user, system } = process.cpuUsage(start);
        const milliseconds = (user + system) / 1000;
        ends[outcome.kind]++;
        if (outcome.kind === 'fault') faults.push(`case ${index} of ${one.seed.path}: ${outcome.error}`);
        if (milliseconds > 2000) faults.push(`case ${index} of ${one.seed.path}: ${milliseconds} ms`);
      }
      expect(faults).toEqual([]);
      // Mutations that all are refused at the door, or change nothing, would try nothing.
      expect(ends.read).toBeGreaterThan(10);
      expect(ends.refused).toBeGreaterThan(10);
    },
  );
});

test('a case is the same for the same numbers, and another for others', () => {
  const seeds = loadSeeds('bvh', LARGEST);
  const bytesOf = (seed: number, index: number) => makeCase('bvh', seeds, seed, index).bytes;
  expect(bytesOf(1, 7)).toEqual(bytesOf(1, 7));
  expect(bytesOf(1, 7)).not.toEqual(bytesOf(1, 8));
  expect(bytesOf(1, 7)).not.toEqual(bytesOf(2, 7));
});

test('random numbers fill their range', () => {
  const random = createRandom(1, 1);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) counts[random.below(10)]!++;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
