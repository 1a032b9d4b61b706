import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
const check = (files: Record<string, string>) => {
  const root = writeTree({
    'docs/house.md':
      '| room | what |\n|---|---|\n| `base` | first |\n| `goals` | second |\n\n- **base**, **goals**: so.\n',
    'packages/core/package.json': '{ "name": "@stuntdouble/core" }',
    'packages/core/src/base/limits.ts': 'export const LIMIT = 1;\nexport type Limit = number;\n',
    ...files,
  });
  folders.push(root);
  return runScript('check-words.mjs', root);
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('check-words', () => {
  test('passes names with one home, and reads of them', () => {
    const { code, lines } = check({
      'packages/core/src/goals/reach.ts':
        "import { LIMIT } from '../base/limits.js';\n/** The reach of an arm. */\nexport const REACH = LIMIT;\n",
      'docs/glossary.md': '- **goal**: where a limb shall be.\n',
      'docs/decisions/0001-one.md': '# 0001: One\n',
    });
    expect(lines).toEqual(['words: 2 files have one meaning a name, 0 known exceptions left']);
    expect(code).toBe(0);
  });

  test('fails on a name of two homes, a comment without a subject, and files that differ by a letter', () => {
    const { code, lines } = check({
      'packages/core/src/goals/solve-bone.ts':
        '/** What is too far. */\nconst LIMIT = 2;\ntype Limit = string;\n',
      'packages/core/src/goals/solve-bones.ts': '/*\n * What bones are.\n */\nexport {};\n',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'LIMIT is declared in packages/core/src/base/limits.ts and in packages/core/src/goals/solve-bone.ts',
      'Limit is declared in packages/core/src/base/limits.ts and in packages/core/src/goals/solve-bone.ts',
      'packages/core has files whose names differ by a letter: solve-bone, solve-bones',
      'packages/core/src/goals/solve-bone.ts has a comment that does not name its subject: What is too far.',
      'packages/core/src/goals/solve-bones.ts has a comment that does not name its subject: What bones are.',
    ]);
  });

  test('fails on rooms without a paragraph, code in the glossary and decisions of one number', () => {
    const { lines } = check({
      'docs/house.md': '| `base` | first |\n| `goals` | second |\n\n- **base**: so.\n',
      'docs/glossary.md': '- **RigMap**: a type.\n',
      'docs/decisions/0001-one.md': '# 0001: One\n',
      'docs/decisions/0001-two.md': '# Two\n',
    });
    expect(lines).toEqual([
      'docs/decisions/0001-two.md does not begin with its number: # 0001: …',
      'docs/decisions/0001-two.md has the number of 0001-one.md',
      'docs/glossary.md explains RigMap, which is a name of code and no word',
      'docs/house.md does not say how goals works',
    ]);
  });
});
