import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const write = (files: Record<string, string>) => {
  const root = writeTree(files);
  folders.push(root);
  return root;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const page = (rows: [id: string, part: string, place: string][]) =>
  [
    '# Requirements',
    '',
    ...rows.map(([id, part, place]) => `| ${id} | Holds. | ${part} | ${place} |`),
    '',
  ].join('\n');
const unproved = page([
  ['W1', 'first', 'open'],
  ['W2', 'first', 'open'],
  ['W3', 'first', '[gone.test.ts](../packages/core/src/gone.test.ts)'],
  ['WP1', 'none: a misprint', '–'],
  ['F1', 'later', 'open'],
  ['X1', 'first', 'open'],
  ['X2', 'first', 'open'],
  ['X3', 'first', 'open'],
]);

describe('requirements', () => {
  test('fills in the files whose titles name an id, and opens what no title names', () => {
    const root = write({
      'docs/requirements.md': unproved,
      'packages/core/src/walk.test.ts': [
        "describe('walk (W1)', () => {",
        "  test.each([1])('X1–X2: holds for %s', () => {});",
        `  it(\`keeps contact F1 at \${limit}\`, () => {}); // not W2`,
        "  test.skip('W3', () => {});",
        "  test.todo('X3');",
        '});',
      ].join('\n'),
      'samples/dance.test.ts': "describe.skipIf(missing)('dances ' + 'as W1 says', () => {});",
    });
    expect(runScript('requirements.mjs', root)).toEqual({
      code: 0,
      lines: ['requirements: 3 of 8 are named by a test'],
    });
    const walk = '[walk.test.ts](../packages/core/src/walk.test.ts)';
    expect(readFileSync(join(root, 'docs/requirements.md'), 'utf8')).toBe(
      page([
        ['W1', 'first', `${walk}, [dance.test.ts](../samples/dance.test.ts)`],
        ['W2', 'first', 'open'],
        ['W3', 'first', 'open'],
        ['WP1', 'none: a misprint', '–'],
        ['F1', 'later', 'open'],
        ['X1', 'first', walk],
        ['X2', 'first', walk],
        ['X3', 'first', 'open'],
      ]),
    );
    expect(runScript('requirements.mjs', '--check', root).code).toBe(0);
  });

  test('--check fails and writes nothing where the page is out of date', () => {
    const root = write({ 'docs/requirements.md': unproved });
    expect(runScript('requirements.mjs', '--check', root)).toEqual({
      code: 1,
      lines: ['docs/requirements.md is not up to date with the tests: run `npm run docs`'],
    });
    expect(readFileSync(join(root, 'docs/requirements.md'), 'utf8')).toBe(unproved);
  });

  test('fails where a requirement was lost', () => {
    const root = write({
      'docs/requirements.md': page([
        ['W1', 'first', 'open'],
        ['W3', 'first', 'open'],
      ]),
    });
    const { code, lines } = runScript('requirements.mjs', root);
    expect(code).toBe(1);
    expect(lines.join('\n')).toContain('docs/requirements.md:4: found W3; expected W2');
  });
});
