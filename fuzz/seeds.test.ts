import { detectFormat, read } from '@stuntdouble/formats';
import { describe, expect, it, test } from 'vitest';
import { openFiles } from './file-case.js';
import { createRandom } from './random/random.js';
import { FUZZED_FORMATS, loadSeeds } from './seeds.js';
import { makeSkeletonCase } from './skeleton-case.js';

describe('loadSeeds', () => {
  it.each(FUZZED_FORMATS)(
    '%s: the samples alone give several, which are of the format and sound',
    async (format) => {
      const seeds = await loadSeeds(format, 95_000, false);
      expect(seeds.length).toBeGreaterThan(2);
      for (const { bytes } of seeds) {
        expect(detectFormat(bytes).extensions).toContain(format.replace(/-.*/, ''));
        const { characters } = await read(bytes, { skin: false });
        expect(characters).toHaveLength(1);
      }
      const isBinary = seeds.map(({ bytes }) => bytes[0] === 'K'.charCodeAt(0));
      if (format.startsWith('fbx')) expect(new Set(isBinary)).toEqual(new Set([format === 'fbx-binary']));
    },
  );
});

test('a case is the same for the same numbers, and another for others', async () => {
  const make = await openFiles('bvh', { withData: false });
  for (const each of [make, makeSkeletonCase]) {
    const bytesOf = (seed: number, index: number) => each(seed, index).file().bytes;
    expect(bytesOf(1, 7)).toEqual(bytesOf(1, 7));
    expect(bytesOf(1, 7)).not.toEqual(bytesOf(1, 8));
    expect(bytesOf(1, 7)).not.toEqual(bytesOf(2, 7));
  }
});

test('random numbers fill their range', () => {
  const random = createRandom(1, 1);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) counts[random.below(10)]!++;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
