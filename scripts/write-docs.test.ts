import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runScript, writeTree } from './run-script.js';
import { writeDocs } from './write-docs.mjs';

const README = [
  '# Readme',
  '<!-- example: examples/first.ts -->',
  '```ts',
  'an old program',
  '```',
  '<!-- end of example -->',
  'The rest.',
  '',
].join('\n');
const ENGINE = [
  "export const PASSES = [{ name: 'copyRotations', summary: 'turns | joints', options: ['weight'] }, { name: 'moveRoot', summary: 'moves', options: [] }];",
  "export const OPTION_GROUPS = { turns: 'Turns' };",
  "export const listOptions = () => [['weight', { group: 'turns', flag: { typed: '--weight <N>' } }]];",
  "export const describeOption = (name) => [{ name, takes: 'number | none', default: '1', summary: 'how much' }];",
  "export const recipeSchema = () => ({ title: 'recipe' });",
  "export const WAYS = [{ name: 'keys', summary: 'moves keys' }];",
  "export const WARNING_MEANINGS = { 'no-hips': 'No hips.', 'clip-empty': 'No keys.' };",
  "export const NOTE_MEANINGS = { 'unit-guessed': 'A unit.' };",
].join('\n');

const WALK = [
  '/** A way to walk, see {@link Step}. Says more. */',
  'export type Walk = Step[];',
  '/** One step',
  ' * of a walk. */',
  'export type Step = number;',
  '/** Walks so far. */',
  'export function walk(steps: Walk): Step { return steps.length; }',
  '/** Nobody else’s. */',
  'export type Own = string;',
  '/** Runs. */',
  'export function run(own: Own): void {}',
].join('\n');

const INDEX = [
  '/* What is public. */',
  '',
  '// Walking',
  "export { walk } from './walk.js';",
  '',
  '// Types',
  "export type { Step, Walk } from './walk.js';",
].join('\n');

const folders: string[] = [];
const write = (files: Record<string, string> = {}) => {
  const root = writeTree({
    'package.json': '{ "type": "module" }',
    'packages/core/package.json':
      '{ "type": "module", "exports": { ".": { "default": "./dist/index.js" } } }',
    'packages/core/src/index.ts': INDEX,
    'packages/core/src/walk.ts': WALK,
    'packages/core/src/retarget.ts': '// 1. Checks.\n// 2. Moves.\n',
    'packages/core/src/ways/plan/plan-clip.ts':
      '/**\n * 1. Looks at\n *    bones.\n * 2. Looks at feet.\n */\n',
    'packages/core/dist/engine.js': ENGINE,
    'docs/requirements.md': '| W1 | Holds. | first | open |\n',
    'examples/first.ts': "import { read } from 'stuntdouble';\n",
    'README.md': README,
    ...files,
  });
  folders.push(root);
  return root;
};
/** A folder whose pages are up to date, made when it is first asked for. */
let upToDate: string | null = null;
const written = async (): Promise<string> => {
  if (upToDate === null) {
    upToDate = write({ 'packages/core/src/walk.test.ts': '' });
    folders.splice(folders.indexOf(upToDate), 1);
    await writeDocs(upToDate);
  }
  return upToDate;
};
afterAll(() => {
  if (upToDate !== null) rmSync(upToDate, { recursive: true });
});
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('write-docs', () => {
  test('as a command ends with 1 where a page is stale', () => {
    const { code, lines } = runScript('write-docs.mjs', '--check', write());
    expect(code).toBe(1);
    expect(lines[0]).toBe('docs/pipeline.md is not up to date: run `npm run docs`');
  });

  test('writes pages that --check accepts, and says which', () => {
    const root = write();
    expect(runScript('write-docs.mjs', root)).toEqual({
      code: 0,
      lines: [
        'docs: wrote docs/pipeline.md, docs/options.md, packages/core/recipe.schema.json, docs/warnings.md, docs/api.md, README.md',
      ],
    });
    expect(runScript('write-docs.mjs', '--check', root).code).toBe(0);
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(read('README.md')).toBe(README.replace('an old program', "import { read } from 'stuntdouble';"));
    expect(read('docs/pipeline.md')).toContain(
      '| 1 | [`copyRotations`](#copyrotations) | turns \\| joints |',
    );
    expect(read('docs/pipeline.md')).toContain('| `weight` | 1 | how much |');
    expect(read('docs/options.md')).toContain('How much. (`--weight <N>`)');
    expect(read('docs/options.md')).toContain('| `weight` | number \\| none | 1 |  |');
    expect(JSON.parse(read('packages/core/recipe.schema.json'))).toEqual({ title: 'recipe' });
    expect(read('docs/api.md')).toContain('1 functions and constants');
    expect(
      read('docs/api.md')
        .split('\n')
        .filter((line) => /^(## |\| \[)/.test(line)),
    ).toEqual([
      '## Walking',
      '| [`walk`](../packages/core/src/walk.ts) | Walks so far. |',
      '## Types',
      '| [`Step`](../packages/core/src/walk.ts) | One step of a walk. |',
      '| [`Walk`](../packages/core/src/walk.ts) | A way to walk, see `Step`. |',
    ]);
    expect(read('docs/warnings.md')).toMatch(
      /`clip-empty` \| No keys\. \|\n\| `no-hips` \| No hips\. \|\n[\s\S]*`unit-guessed` \| A unit\. \|\n$/,
    );
  });

  test.each([
    ['docs/pipeline.md', 'packages/core/dist/engine.js', ENGINE.replace('moves', 'travels')],
    ['docs/options.md', 'packages/core/dist/engine.js', ENGINE.replace('--weight', '--mass')],
    ['packages/core/recipe.schema.json', 'packages/core/dist/engine.js', ENGINE.replace("'recipe'", "'map'")],
    ['docs/warnings.md', 'packages/core/dist/engine.js', ENGINE.replace('No keys.', 'Nothing.')],
    ['docs/api.md', 'packages/core/src/walk.ts', WALK.replace('One step', 'Half a step')],
    ['docs/requirements.md', 'packages/core/src/walk.test.ts', "test('W1', () => {});"],
    ['README.md', 'examples/first.ts', 'another program\n'],
  ])('--check fails on %s alone where %s changed', async (page, path, text) => {
    const root = mkdtempSync(join(tmpdir(), 'stuntdouble-scripts-'));
    folders.push(root);
    cpSync(await written(), root, { recursive: true });
    writeFileSync(join(root, path), text);
    expect(await writeDocs(root, { isCheck: true })).toEqual({
      code: 1,
      lines: [`${page} is not up to date: run \`npm run docs\``],
    });
  });

  test.each([
    ['an example that is not there', { 'README.md': README.replace('first.ts', 'second.ts') }, 'second.ts'],
    ['an example that is not closed', { 'README.md': README.replace('<!-- end', '<!-- the end') }, 'without'],
    ['names that nobody lists', { 'packages/core/src/index.ts': "export * from './walk.js';" }, 'export *'],
    [
      'a public name that says nothing',
      { 'packages/core/src/walk.ts': WALK.replace('/** Walks so far. */', '') },
      'walk has no doc comment',
    ],
    [
      'a signature with a type that is not public',
      { 'packages/core/src/index.ts': INDEX.replace('{ walk }', '{ run, walk }') },
      'not public: Own',
    ],
    [
      'more public values than a head holds',
      {
        'packages/core/src/many.ts': Array.from(
          { length: 81 },
          (_, n) => `/** One. */\nexport const N${n} = ${n};`,
        ).join('\n'),
        'packages/core/src/index.ts': `export { ${Array.from({ length: 81 }, (_, n) => `N${n}`).join(', ')} } from './many.js';`,
      },
      '81 public values',
    ],
    ['an engine without passes', { 'packages/core/dist/engine.js': 'export {};' }, 'PASSES'],
  ])('fails in one sentence on %s', async (_, files, word) => {
    const { code, lines } = await writeDocs(write(files));
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(word);
  });
});
