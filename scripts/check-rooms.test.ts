import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const check = (files: Record<string, string>, debt: readonly string[] = []) => {
  const root = writeTree({
    'docs/house.md':
      '| room | what |\n|---|---|\n| `base` | first |\n| `scene` | second |\n| `body` | third |\n',
    'scripts/rooms-debt.json': JSON.stringify(debt),
    'packages/core/package.json': '{ "name": "@stuntdouble/core" }',
    ...files,
  });
  folders.push(root);
  return runScript('check-rooms.mjs', root);
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const core = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/core/src/${path}`, text]));

describe('check-rooms', () => {
  test('passes rooms that import from those before them', () => {
    const { code, lines } = check(
      core({
        'index.ts': "export * from './body/rig.js';",
        'base/vector.ts': 'export type Vec = number;',
        'scene/pose.ts': "import type { Vec } from '../base/vector.js';\nexport type Pose = Vec;",
        'body/rig.ts': "import type { Pose } from '../scene/pose.js';\nexport type Rig = Pose;",
      }),
    );
    expect(lines).toEqual(['rooms: 4 files keep the order of docs/house.md, 0 known exceptions left']);
    expect(code).toBe(0);
  });

  test('fails on a type from a later room, on what stands in no room, and on a cycle of files', () => {
    const { code, lines } = check(
      core({
        'stray.ts': 'export const stray = 1;',
        'base/vector.ts': "export type Vec = import('../scene/pose.js').Pose;",
        'scene/pose.ts': 'export type Pose = number;',
        'body/a.ts': "import type { B } from './b.js';\nexport type A = B;",
        'body/b.ts': "import type { A } from './a.js';\nexport type B = A | 1;",
        'attic/c.ts': 'export const c = 1;',
      }),
    );
    expect(code).toBe(1);
    expect(lines).toEqual([
      'packages/core/src/attic/c.ts stands in a room that docs/house.md does not name',
      'packages/core/src/base/vector.ts imports packages/core/src/scene/pose.ts, which comes later',
      'packages/core/src/body/a.ts is part of a cycle of imports',
      'packages/core/src/body/b.ts is part of a cycle of imports',
      'packages/core/src/stray.ts stands in no room',
    ]);
  });

  test('fails on a command that does more than read flags, call and print', () => {
    const lines = (count: number) => `${'export {};\n'.repeat(count)}`;
    const found = check({
      ...core({ 'base/a.ts': 'export const a = 1;' }),
      'packages/cli/package.json': '{ "name": "stuntdouble" }',
      'packages/cli/src/commands/fits.ts': lines(200),
      'packages/cli/src/commands/grew.ts': lines(201),
    });
    expect(found.code).toBe(1);
    expect(found.lines).toEqual(['packages/cli/src/commands/grew.ts is longer than 200 lines']);
  });

  test('fails where the list from two scenes to a report is no list any more', () => {
    const { code, lines } = check(core({ 'retarget.ts': 'export {};\n'.repeat(201) }));
    expect(code).toBe(1);
    expect(lines).toEqual(['packages/core/src/retarget.ts is longer than 200 lines']);
  });

  test('fails on crowded folders, long functions and long lists of parameters, math aside', () => {
    const many = Object.fromEntries(
      Array.from({ length: 26 }, (_, n) => [`body/part-${n}.ts`, 'export const part = 1;']),
    );
    const wide = (name: string) => `export function ${name}(a, b, c, d, e, f, g) {}`;
    const { code, lines } = check(
      core({
        ...many,
        'scene/long.ts': `export function long() {${'\n'.repeat(120)}}`,
        'scene/wide.ts': wide('wide'),
        'base/math/flat.ts': wide('flat'),
      }),
    );
    expect(code).toBe(1);
    expect(lines).toEqual([
      'packages/core/src/body holds more than 25 files',
      'packages/core/src/scene/long.ts long is longer than 120 lines',
      'packages/core/src/scene/wide.ts wide takes more than 6 parameters',
    ]);
  });

  test('the list of exceptions may only shrink', () => {
    const against = core({
      'base/vector.ts': "import '../scene/pose.js';",
      'scene/pose.ts': 'export {};',
    });
    const line =
      'packages/core/src/base/vector.ts imports packages/core/src/scene/pose.ts, which comes later';
    expect(check(against, [line]).code).toBe(0);
    const mended = check(core({ 'base/vector.ts': 'export {};' }), [line]);
    expect(mended.code).toBe(1);
    expect(mended.lines).toEqual([`scripts/rooms-debt.json: no longer so, take it out: ${line}`]);
  });
});
