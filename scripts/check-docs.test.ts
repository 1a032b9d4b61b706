import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const check = (files: Record<string, string>) => {
  const root = writeTree({ 'packages/core/package.json': '{ "name": "@stuntdouble/core" }', ...files });
  folders.push(root);
  return runScript('check-docs.mjs', root);
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('check-docs', () => {
  test('passes a tree whose exports are all documented', () => {
    const { code, lines } = check({
      'packages/core/src/index.ts': "export * from './walk.js';\n",
      'packages/core/src/walk.ts': [
        '/** How far a step goes, in metres. */',
        'export const STEP = 0.7;',
        '/** A step. */',
        'export type Step = { length: number };',
        'const helper = 1;',
        '/** Makes a step. */',
        'function step(): number { return helper; }',
        'export { step };',
      ].join('\n'),
      'packages/core/src/walk.test.ts': 'export const undocumented = 1;',
      'packages/core/dist/walk.ts': 'export const undocumented = 1;',
    });
    expect(lines).toEqual(['docs: all 3 exports have a doc comment']);
    expect(code).toBe(0);
  });

  test('fails with file, line and name of every kind of export that says nothing', () => {
    const { code, lines } = check({
      'packages/core/src/index.ts': "export * from './walk.js';\nexport * from './gait/index.js';\n",
      'packages/core/src/walk.ts': [
        'export const STEP = 0.7;',
        'export type Step = { length: number };',
        '/** */',
        'export function step(): void {}',
        '/** @internal */',
        'export class Walk {}',
        '// An ordinary comment is not seen by editors.',
        'function stride(): void {}',
        'export { stride };',
        'export default 1;',
      ].join('\n'),
      'packages/core/src/gait/index.ts': 'export const TROT = 2;',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'packages/core/src/gait/index.ts:1 TROT',
      'packages/core/src/walk.ts:1 STEP',
      'packages/core/src/walk.ts:2 Step',
      'packages/core/src/walk.ts:4 step',
      'packages/core/src/walk.ts:6 Walk',
      'packages/core/src/walk.ts:8 stride',
      'packages/core/src/walk.ts:10 default',
      '7 of 7 exports have no doc comment',
    ]);
  });

  test('fails where there is nothing to look at, as in the wrong folder', () => {
    const { code, lines } = check({});
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^no exports found below /);
  });
});
