import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * A copy of the engine with one more pass in its pipeline and one more option in its list, and nothing else changed:
 * both must be everywhere.
 */

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'stuntdouble-one-more-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PASS = `
import { definePass } from './pass.js';

/** Moves the travelling joint. */
export const nudgeHips = definePass({
  name: 'nudgeHips',
  summary: 'moves the hips along the first axis of what they hang on',
  options: ['nudge'],
  compile: ({ pair: { travel }, options: { nudge } }) =>
    travel && nudge ? { joint: travel.target, nudge } : null,
  writes: ({ joint }) => ({ moves: [joint] }),
  prepare:
    ({ joint, nudge }, { place }) =>
    ({ target }) => {
      target.translations[3 * joint] = target.translations[3 * joint]! + nudge;
      place?.({ target } as never);
    },
});
`;

const OPTION = `
  /** How far the hips are moved. */
  nudge: defineOption(number({ least: -1, most: 1, unit: 'm' }), {
    default: '0',
    summary: 'how far the hips are moved aside',
    group: 'root',
    pass: 'nudgeHips',
    flag: { typed: '--nudge <METRES>' },
    changesKeys: 'given',
    live: true,
  }),
`;

/** What is put into which file, behind which words. */
const CHANGES: Record<string, [after: string, text: string][]> = {
  'core/src/passes/pipeline.ts': [
    ["import { matchGround } from './match-ground.js';\n", "import { nudgeHips } from './nudge-hips.js';\n"],
    ['  lookAtPoint,\n', '  nudgeHips,\n'],
  ],
  'core/src/options/lists/root-options.ts': [['export const ROOT_OPTIONS = {\n', OPTION]],
};

const USE = `
import type { PassName } from './core/src/passes/pipeline.js';
import type { RetargetOptions } from './core/src/passes/parts/told-options.js';
export const right: RetargetOptions = { nudge: 0.5, passes: ['nudgeHips'] };
export const name: PassName = 'nudgeHips';
// @ts-expect-error: it is a number
export const text: RetargetOptions = { nudge: 'far' };
// @ts-expect-error: there is no such option
export const other: RetargetOptions = { shove: 1 };
`;

/** Runs in a process of its own, in which the engine is the copy; prints what it found as JSON. */
const RUN = `
import { Command } from 'commander';
import * as engine from '@stuntdouble/core/engine';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from './core/test/tiny-rigs.js';
import { addOptionFlags, optionsOfFlags } from './cli/option-flags.js';
import { optionsPage, pipelinePage } from '${new URL('../../../scripts/write-docs.mjs', import.meta.url).href}';

const hipsOf = (skeleton) => jointOf(skeleton, 'hips');
const found = { ways: {} };
const source = tinyHuman({ spines: 3 });
const clip = randomClip(createRandom(11), source, { travels: hipsOf(source) });
const targets = {
  copy: [source, {}],
  keys: [tinyHuman({ spines: 3, arms: 0.7 }), {}],
  products: [tinyHuman({ spines: 1 }), {}],
  frames: [tinyHuman({ spines: 3, arms: 0.7 }), { keys: 'bake' }],
};
const poses = (skeleton, moved) => [0, 0.3, 0.7].map((time) => engine.poseAt(skeleton, moved, time * clip.duration));
for (const [way, [target, options]] of Object.entries(targets)) {
  const [from, to] = [sceneOf(source, [clip]), { ...sceneOf(target, []), name: 'other' }];
  const results = [{}, { nudge: 0.5 }].map((more) =>
    engine.retarget(from, to, { corrections: 'none', measure: false, ...options, ...more }),
  );
  const hips = hipsOf(target);
  const asides = results.map(({ clips }) => poses(target, clips[0]).map((pose) => pose.translations[3 * hips]));
  const live = [{}, { nudge: 0.5 }].map((more) => {
    const retargeter = engine.createRetargeter(engine.setUpScenes(from, to, { corrections: 'none', ...more }).setup);
    return poses(source, clip).map((pose) => retargeter.update(pose).translations[3 * hips]);
  });
  const difference = ([a, b]) => a.map((x, i) => Math.round(1e4 * (b[i] - x)) / 1e4);
  found.ways[way] = {
    without: results[0].report.clips[0].way,
    moved: difference(asides),
    live: difference(live),
    warnings: results[1].report.warnings.length - results[0].report.warnings.length,
  };
}
const from = sceneOf(source, [clip]);
const idle = engine.retarget(from, from, { nudge: 0.5, passes: ['copyRotations'] }).report.warnings;
found.idle = idle.map(({ message }) => message);
found.keyChange = engine.findKeyChange({ nudge: 0 });
const refusal = (act) => {
  try {
    act();
    return 'none';
  } catch (error) {
    return error.message;
  }
};
found.wrong = refusal(() => engine.retarget(from, from, { nudge: 3 }));
found.read = engine.readRecipe({ version: 1, settings: { nudge: 0.5 } }).warnings.length;
found.unread = refusal(() => engine.readRecipe({ version: 1, settings: { nudge: 'far' } }));
found.schema = engine.recipeSchema().properties.settings.properties.nudge;
found.passes = engine.recipeSchema().properties.passes.items.enum.includes('nudgeHips');
const command = addOptionFlags(new Command('retarget').exitOverride());
found.help = command.helpInformation();
found.typed = optionsOfFlags(command.parse(['--nudge', '0.5'], { from: 'user' }).opts());
found.options = optionsPage(engine);
found.pipeline = pipelinePage(engine.PASSES, engine.describeOption);
console.log(JSON.stringify(found));
`;

type Found = {
  ways: Record<string, { without: string; moved: number[]; live: number[]; warnings: number }>;
  idle: string[];
  keyChange: string;
  wrong: string;
  read: number;
  unread: string;
  schema: unknown;
  passes: boolean;
  help: string;
  typed: unknown;
  options: string;
  pipeline: string;
};

/** Writes a file of the copy, and what it is as JavaScript. */
function put(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(file.replace(/\.ts$/, '.js'), outputText);
}

/** Puts text behind words that stand in a file once. */
function insert(text: string, after: string, more: string): string {
  if (text.split(after).length !== 2) throw new Error(`"${after}" does not stand there once`);
  return text.replace(after, () => after + more);
}

function copySources(from: string, to: string, isMeant: (path: string) => boolean): void {
  for (const entry of readdirSync(join(repository, from), { recursive: true, encoding: 'utf8' })) {
    const path = entry.replaceAll('\\', '/');
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || !isMeant(path)) continue;
    let text = readFileSync(join(repository, from, path), 'utf8');
    for (const [after, more] of CHANGES[`${to}/${path}`] ?? []) text = insert(text, after, more);
    put(`${to}/${path}`, text);
  }
}

let found: Found;

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  copySources('packages/core/src', 'core/src', () => true);
  copySources('packages/core/test', 'core/test', (path) => path === 'tiny-rigs.ts');
  copySources('packages/cli/src/flags', 'cli', (path) =>
    /^(option-flags|([a-z]+-)?arguments)\.ts$/.test(path),
  );
  put('core/src/passes/nudge-hips.ts', PASS);
  put('use.ts', USE);
  const engine = join(folder, 'node_modules/@stuntdouble/core');
  mkdirSync(engine, { recursive: true });
  const exports = { '.': './index.js', './engine': './engine.js' };
  writeFileSync(join(engine, 'package.json'), JSON.stringify({ type: 'module', exports }));
  for (const name of ['index', 'engine'])
    writeFileSync(join(engine, `${name}.js`), `export * from '../../../core/src/${name}.js';\n`);
  symlinkSync(join(repository, 'node_modules/commander'), join(folder, 'node_modules/commander'), 'junction');
  symlinkSync(join(repository, 'packages/formats'), join(engine, '../formats'), 'junction');
  writeFileSync(join(folder, 'run.mjs'), RUN);
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run.mjs')], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  found = JSON.parse(stdout) as Found;
});

describe('one more pass in the pipeline', () => {
  it.each(['copy', 'keys', 'products', 'frames'])(
    'has its effect on a clip that would go by %s, and live',
    (way) => {
      expect(found.ways[way]).toEqual({
        without: way,
        moved: [0.5, 0.5, 0.5],
        live: [0.5, 0.5, 0.5],
        warnings: 0,
      });
    },
  );

  it('is in the documentation, in the schema, and told of where it does not run', () => {
    expect(found.pipeline).toContain('| `nudge` | 0 | how far the hips are moved aside |');
    expect(found.passes).toBe(true);
    expect(found.idle).toContain(
      'the option nudge has no effect: nudgeHips is not among the passes that run',
    );
  });
});

describe('one more option in the list', () => {
  it('is in the types', () => {
    const file = join(folder, 'use.ts');
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
    });
    const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
  });

  it('is checked, read from recipes, in their schema, and refused with a new bind pose', () => {
    expect(found.wrong).toBe('nudge is 3; it goes from -1 to 1');
    expect(found.read).toBe(0);
    expect(found.unread).toBe('recipe.settings.nudge: must be a number, and is "far"');
    expect(found.schema).toEqual({
      description: 'how far the hips are moved aside (m). If left out: 0',
      type: 'number',
      minimum: -1,
      maximum: 1,
    });
    expect(found.keyChange).toBe('nudge');
  });

  it('is a flag of the command line with its own help, and documented', () => {
    expect(found.help).toMatch(
      /Root: [^\n]*:\n(?: .*\n)*? {2}--nudge <METRES> +how far the hips are moved aside\n/,
    );
    expect(found.typed).toEqual({ nudge: 0.5 });
    expect(found.options).toContain('How far the hips are moved aside. (`--nudge <METRES>`');
  });
});
