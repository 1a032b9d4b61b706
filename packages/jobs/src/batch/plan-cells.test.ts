import { describe, expect, it } from 'vitest';
import type { BatchFile } from './cell.js';
import { type BatchInput, planCells } from './plan-cells.js';

const file = (path: string, sha256 = path): BatchFile => ({ path, sha256, bytes: 1 });
const recipe = (name: string, json: unknown) => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(json)),
});
const input: BatchInput = {
  sources: [file('a/walk.bvh'), file('a/run.bvh')],
  targets: [file('hero.vrm'), file('ogre.fbx')],
  settings: {},
  version: '1.0.0',
};
const keyOf = async (change: Partial<BatchInput>) => (await planCells({ ...input, ...change }))[0]!.key;

describe('planCells', () => {
  it('lists every source on every character, named after both, as what the character is', async () => {
    const cells = await planCells(input);
    expect(cells.map(({ output }) => output)).toEqual([
      'hero/walk.vrm',
      'hero/run.vrm',
      'ogre/walk.fbx',
      'ogre/run.fbx',
    ]);
    expect(new Set(cells.map(({ key }) => key)).size).toBe(4);
  });

  it('gives another key whenever something changes that the result depends on, and the same otherwise', async () => {
    const plain = await keyOf({});
    const changes: Partial<BatchInput>[] = [
      { sources: [file('a/walk.bvh', 'other')] },
      { sources: [{ ...file('a/walk.bvh'), family: [file('a/stand.bvh')] }] },
      { targets: [file('hero.vrm', 'other')] },
      { settings: { options: { mirror: true } } },
      { settings: { animationOnly: true } },
      { format: 'glb' },
      { version: '1.0.1' },
      { recipes: new Map([['default.json', recipe('default.json', { version: 1 })]]) },
    ];
    const keys = await Promise.all(changes.map(keyOf));
    expect(new Set([plain, ...keys]).size).toBe(changes.length + 1);
    // Other sources, another folder and another order of options change nothing.
    expect(await keyOf({ sources: [file('b/walk.bvh', 'a/walk.bvh')] })).toBe(plain);
    expect(await keyOf({ settings: { options: { speed: 2, mirror: true } } })).toBe(
      await keyOf({ settings: { options: { mirror: true, speed: 2 } } }),
    );
  });

  it('takes the most special recipe', async () => {
    const names = ['default.json', '@hero.json', 'walk@hero.json'];
    const recipes = new Map(names.map((name) => [name, recipe(name, { version: 1 })]));
    const cells = await planCells({ ...input, recipes });
    expect(cells.map((cell) => cell.recipe)).toEqual([
      'walk@hero.json',
      '@hero.json',
      'default.json',
      'default.json',
    ]);
  });

  it('refuses two results of one name before any work, also where only some file systems take them for one', async () => {
    const twice = [file('a/walk.bvh'), file('b/WALK.bvh', 'other')];
    await expect(planCells({ ...input, sources: twice })).rejects.toThrow(
      /^a\/walk\.bvh on hero\.vrm and b\/WALK\.bvh on hero\.vrm would both be hero\/WALK\.vrm/,
    );
    expect(await planCells({ ...input, sources: twice, name: '{target}-{key}{ext}' })).toHaveLength(4);
  });

  it.each([
    ['{clip}{ext}', /there is no \{clip\}/],
    ['../{source}{ext}', /leads out of the folder/],
    ['/{source}{ext}', /leads out of the folder/],
    ['{source}.glb', /end it with \{ext\}/],
  ])('refuses the name %s', async (name, message) => {
    await expect(planCells({ ...input, name })).rejects.toThrow(message);
  });

  it('refuses a format that is not written', async () => {
    await expect(planCells({ ...input, format: 'usd' })).rejects.toThrow(
      /^--format usd: there are same, glb/,
    );
  });
});
