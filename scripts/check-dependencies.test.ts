import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const check = (files: Record<string, string>) => {
  const root = writeTree({
    'packages/core/package.json': '{ "name": "@stuntdouble/core" }',
    'packages/formats/package.json':
      '{ "name": "@stuntdouble/formats", "dependencies": { "@stuntdouble/core": "1", "meshoptimizer": "1" }, "imports": { "#decoder": "./dist/a.js" } }',
    'packages/cli/package.json':
      '{ "name": "stuntdouble", "dependencies": { "@stuntdouble/core": "1", "@stuntdouble/formats": "1" } }',
    ...files,
  });
  folders.push(root);
  return runScript('check-dependencies.mjs', root);
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('check-dependencies', () => {
  test('passes imports that go the right way', () => {
    const { code, lines } = check({
      'packages/core/src/index.ts': "export * from './body/arm.js';",
      'packages/core/src/body/arm.ts': "import { leg } from '../leg.js';\nexport const arm = leg;",
      'packages/core/src/leg.ts': "export const leg = { console: 'a name of its own', says: 'console.log' };",
      'packages/core/src/leg.test.ts': "import { readFileSync } from 'node:fs';\nconsole.log(readFileSync);",
      'packages/formats/src/index.ts': [
        "import { leg } from '@stuntdouble/core';",
        "import { MeshoptDecoder } from 'meshoptimizer/decoder';",
        "export const fs = (): typeof import('node:fs') | null => null;",
        "export const open = () => import('#decoder');",
      ].join('\n'),
      'packages/cli/src/index.ts': [
        "import { readFileSync } from 'node:fs';",
        "export * from '@stuntdouble/formats/gltf';",
        'console.log(readFileSync);',
      ].join('\n'),
    });
    expect(lines).toEqual(['dependencies: all 8 imports go the right way']);
    expect(code).toBe(0);
  });

  test('lets a package that runs anywhere have a folder for Node, which the rest of it may not import', () => {
    const { lines } = check({
      'packages/jobs/package.json': '{ "name": "@stuntdouble/jobs" }',
      'packages/jobs/src/node/read.ts': "import { readFileSync } from 'node:fs';\nexport * from '../a.js';",
      'packages/jobs/src/a.ts': "import { readFileSync } from 'node:fs';",
      'packages/jobs/src/b.ts': "export * from './node/read.js';",
    });
    expect(lines.slice(0, 2)).toEqual([
      'packages/jobs/src/a.ts:1 packages/jobs may not import "node:fs": it runs outside Node',
      'packages/jobs/src/b.ts:1 "./node/read.js" is for Node alone, and this runs outside it',
    ]);
    expect(lines).toHaveLength(3);
  });

  test('fails with file and line of each import that core may not have', () => {
    const { code, lines } = check({
      'packages/core/src/index.ts': [
        "import { readFileSync } from 'node:fs';",
        "import path from 'path';",
        "import { Vector3 } from 'three';",
        "export * from '@stuntdouble/formats';",
        "export const lazy = () => import('node:os');",
        "export type Scene = import('@stuntdouble/formats').Scene;",
        "export * from '../../formats/src/index.js';",
        "export * from '@stuntdouble/core';",
        "import three = require('three');",
      ].join('\n'),
    });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((line) => `packages/core/src/index.ts:${line}`),
      '9',
    ]);
    expect(lines[3]).toContain('packages/core may not import packages/formats');
    expect(lines[6]).toContain('leaves packages/core/src');
  });

  test('fails where formats imports the command, Node, or an undeclared package or name', () => {
    const { code, lines } = check({
      'packages/formats/src/a.ts': "import { run } from 'stuntdouble';",
      'packages/formats/src/b.ts': "import { readFile } from 'node:fs/promises';",
      'packages/formats/src/c.ts': "import { unzlibSync } from 'fflate';",
      'packages/formats/src/d.ts': "export const open = () => import('node:fs');",
      'packages/formats/src/e.ts': "export const open = () => import('#files');",
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'packages/formats/src/a.ts:1 packages/formats may not import packages/cli ("stuntdouble")',
      'packages/formats/src/b.ts:1 packages/formats may not import "node:fs/promises", so that it can be packed for pages: ask the process for it',
      'packages/formats/src/c.ts:1 "fflate" is not among the dependencies in packages/formats/package.json',
      'packages/formats/src/d.ts:1 packages/formats may not import "node:fs", so that it can be packed for pages: ask the process for it',
      'packages/formats/src/e.ts:1 "#files" is not in packages/formats/package.json',
      expect.stringMatching(/^5 imports or uses are not allowed/),
    ]);
  });

  test('fails where core or formats speak to the console', () => {
    const { code, lines } = check({
      'packages/core/src/a.ts': '// console.log is fine in a comment\nconsole.log(1);',
      'packages/core/src/b.ts': 'const { warn } = console;\nglobalThis.console.info(warn);',
      'packages/formats/src/c.ts': "console['error'](1);",
    });
    expect(code).toBe(1);
    expect(lines.slice(0, -1)).toEqual([
      'packages/core/src/a.ts:2 packages/core may not use the console',
      'packages/core/src/b.ts:1 packages/core may not use the console',
      'packages/core/src/b.ts:2 packages/core may not use the console',
      'packages/formats/src/c.ts:1 packages/formats may not use the console',
    ]);
  });

  test('fails where what makes results computes with what differs between engines', () => {
    const { code, lines } = check({
      'packages/core/src/a.ts': [
        '// Math.sin is fine in a comment, and so is 2 ** 31:',
        'export const exact = Math.sqrt(2 ** 31 + 2 ** -17) + Math.fround(Math.PI);',
        'export const turn = (x: number) => Math.sin(x);',
        'export const square = (x: number) => x ** 2;',
        'const { cos } = Math;',
        'export const power = (x: number) => 2 ** x;',
      ].join('\n'),
      'packages/formats/src/b.ts': "export let y = Math['hypot'](3, 4);\ny **= 0.5;",
      'packages/formats/src/b.test.ts': 'export const expected = Math.cos(1);',
      'packages/cli/src/c.ts': 'export const shown = Math.log10(5);',
    });
    expect(code).toBe(1);
    const told = (place: string, what: string) =>
      `packages/${place} ${what} differs between engines: base/math/functions.ts of core has it`;
    expect(lines.slice(0, -1)).toEqual([
      told('core/src/a.ts:3', 'Math.sin'),
      told('core/src/a.ts:4', '**'),
      told('core/src/a.ts:5', 'Math as a whole'),
      told('core/src/a.ts:6', '**'),
      told('formats/src/b.ts:1', 'Math as a whole'),
      told('formats/src/b.ts:2', '**='),
    ]);
  });

  test('fails on what package.json declares, and on a package that states no place', () => {
    const { code, lines } = check({
      'packages/core/package.json': '{ "name": "@stuntdouble/core", "peerDependencies": { "three": "1" } }',
      'packages/formats/package.json':
        '{ "name": "@stuntdouble/formats", "dependencies": { "stuntdouble": "1" } }',
      'packages/helpers/package.json': '{ "name": "helpers" }',
    });
    expect(code).toBe(1);
    expect(lines.slice(0, -1)).toEqual([
      'packages/core/package.json:1 packages/core may not depend on three',
      'packages/formats/package.json:1 packages/formats may not depend on stuntdouble',
      'packages/helpers/package.json:1 has no rule in scripts/check-dependencies.mjs',
    ]);
  });
});
