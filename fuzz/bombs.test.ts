import { read } from '@stuntdouble/formats';
import { expect, test } from 'vitest';
import { attempt, createVerdict } from './attempt.js';
import { makeBombs } from './bombs.js';

/** Milliseconds of the processor that one file may take. */
const LONGEST = 2000;

test('bombs are read or refused in a sentence, none of them slowly', async () => {
  const faults: string[] = [];
  const bombs = await makeBombs();
  expect(bombs.length).toBeGreaterThan(30);
  for (const { name, bytes } of bombs) {
    const verdict = createVerdict();
    // Time of the processor, not of the clock: other programs may keep it busy.
    const start = process.cpuUsage();
    await attempt(verdict, 'read', () => read(bytes));
    const { user, system } = process.cpuUsage(start);
    if (user + system > 1000 * LONGEST) verdict.faults.push('takes too long');
    faults.push(...verdict.faults.map((fault) => `${name}: ${fault}`));
  }
  expect(faults).toEqual([]);
});
