import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from './run-cases.js';
import { shrinkCase } from './shrink-case.js';
import { watchChild } from './watch-child.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-watch-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const errand = { subject: 'x', seed: 1, from: 5, end: 8, shrink: false };

/** A child that ends case after case, but case 6 as it is told. */
function childThat(does: string): string {
  const path = join(folder, `${does.length}.mjs`);
  const say = 'const say = (m) => new Promise((done) => process.send(m, done));';
  const end = "await say({ kind: 'end', index, gave: true, faults: [], milliseconds: 1, from: '' });";
  writeFileSync(
    path,
    `${say} const { from, end } = JSON.parse(process.env.STUNTDOUBLE_FUZZ);
    for (let index = from; index < end; index++) {
      await say({ kind: 'begin', index });
      if (index === 6) { ${does} }
      ${end}
    }
    process.disconnect();`,
  );
  return path;
}

it('tells the case that hangs, and the one to go on with', async () => {
  const heard: Message[] = [];
  const ended = await watchChild(childThat('for (;;);'), errand, (message) => heard.push(message), 0.2);
  expect(ended).toEqual({ next: 7, lost: { index: 6, why: 'hangs' } });
  expect(heard.at(-1)).toEqual({ kind: 'begin', index: 6 });
});

it('tells the case that ends the process', async () => {
  const ended = await watchChild(childThat('process.exit(3);'), errand, () => {});
  expect(ended.next).toBe(7);
  expect(ended.lost).toMatchObject({ index: 6 });
  expect(ended.lost!.why).toContain('code 3');
});

it('goes to the end where nothing is wrong', async () => {
  expect(await watchChild(childThat(''), errand, () => {})).toEqual({ next: 8, lost: null });
});

it('shrinkCase takes away what a fault does not need', async () => {
  const caseOf = (numbers: readonly number[]): Parameters<typeof shrinkCase>[0] => ({
    from: numbers.join(' '),
    run: async () => ({ gave: true, faults: numbers.includes(7) ? ['has a seven'] : [] }),
    file: () => ({ bytes: new Uint8Array(0), extension: 'x' }),
    smaller: () => numbers.map((_, n) => caseOf(numbers.filter((__, i) => i !== n))),
  });
  expect((await shrinkCase(caseOf([1, 7, 3, 9]))).from).toBe('7');
});
