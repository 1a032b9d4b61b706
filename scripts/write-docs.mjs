/*
 * Writes what the documentation takes from the code: docs/pipeline.md from the lists of passes, ways and steps,
 * docs/options.md and the recipe's JSON Schema from the list of options, docs/warnings.md from the table of warnings,
 * docs/api.md from the public names of core and their doc comments, the
 * last column of docs/requirements.md from the tests, and the code in README.md from examples/. Needs a
 * build, since it reads the engine's own lists.
 *
 *   node scripts/write-docs.mjs [--check] [FOLDER]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listApi } from './list-api.mjs';
import { fillRequirements } from './requirements.mjs';
import { isMain } from './source-files.mjs';

const GENERATED = '<!-- Written by scripts/write-docs.mjs; run `npm run docs` after a change. -->';

/** Keeps a text within its cell of a Markdown table. */
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** `copyRotations` lives in `copy-rotations.ts`. */
const kebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first letter of a sentence, and its end. */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** @typedef {{ name: string, takes: string, default: string, summary: string }} Row of a table of options */

/**
 * The numbered steps in the comments of a file, each in one line; none where the file is not there.
 * @param {string} root
 * @param {string} path relative to `root`
 * @returns {string[]}
 */
function numberedSteps(root, path) {
  if (!existsSync(join(root, path))) return [];
  const steps = [];
  let isOpen = false;
  for (const line of readFileSync(join(root, path), 'utf8').split('\n')) {
    const step = /^\s*(?:\/\/|\*) (\d+)\. (.*)$/.exec(line);
    const rest = /^\s*\* {4}(\S.*)$/.exec(line);
    if (step && Number(step[1]) === steps.length + 1) steps.push(step[2]);
    else if (isOpen && rest) steps[steps.length - 1] += ` ${rest[1]}`;
    isOpen = step !== null || (isOpen && rest !== null);
  }
  return steps;
}

const NOTHING_AROUND = { ways: [], steps: [], looks: [], folders: new Map() };

/**
 * By the name of a pass the folder below `passes` that its file stands in, `goals/`, where it is in one.
 * @param {string} root
 * @returns {Map<string, string>}
 */
function passFolders(root) {
  const path = join(root, 'packages/core/src/passes/pipeline.ts');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return new Map(
    [...text.matchAll(/^import \{ (\w+) \} from '\.\/([a-z]+\/)/gm)].map(([, name, folder]) => [
      name,
      folder,
    ]),
  );
}

/**
 * Gives docs/pipeline.md.
 * @param {readonly { name: string, summary: string, options: string[] }[]} passes
 * @param {(path: string) => Row[]} describeOption
 * @param {{ ways: readonly { name: string, summary: string }[], steps: readonly string[], looks: readonly string[], folders: ReadonlyMap<string, string> }}
 * around the ways that a clip can go, what `retarget` does, and what is looked at in a clip, each in order
 */
export function pipelinePage(passes, describeOption, { ways, steps, looks, folders } = NOTHING_AROUND) {
  const numbered = (list) => list.map((step, n) => `${n + 1}. ${step}`);
  const lines = [
    '# The pipeline',
    '',
    GENERATED,
    '',
    'From two scenes to clips and a report ([retarget.ts](../packages/core/src/retarget.ts)):',
    '',
    ...numbered(steps),
    '',
    'A clip is moved by the first of these ways that does not refuse; the report says which, and why the others did ([ways.ts](../packages/core/src/ways/ways.ts)).',
    '',
    '| | way | what it does |',
    '|---|---|---|',
    ...ways.map(({ name, summary }, n) => `| ${n + 1} | \`${name}\` | ${cell(summary)} |`),
    '',
    'Before a clip is moved it is looked at as a whole ([plan-clip.ts](../packages/core/src/ways/plan/plan-clip.ts)); live it is not, and passes go by each pose:',
    '',
    ...numbered(looks),
    '',
    'Frames go through these passes, in this order. The list stands in [pipeline.ts](../packages/core/src/passes/pipeline.ts), with the reason for the order.',
    '',
    'Before the first pass both characters get an explicit reference pose, the two references are made comparable, and a rig map says who drives whom. A pass reads and writes one frame, never allocates in it, and reports what is imperfect as a [warning](warnings.md).',
    '',
    '| | pass | what it does |',
    '|---|---|---|',
    ...passes.map(
      ({ name, summary }, n) => `| ${n + 1} | [\`${name}\`](#${name.toLowerCase()}) | ${cell(summary)} |`,
    ),
    '',
  ];
  for (const { name, summary, options } of passes) {
    const file = `packages/core/src/passes/${folders.get(name) ?? ''}${kebabCase(name)}.ts`;
    lines.push(`## ${name}`, '', `${sentence(summary)} ([source](../${file}))`, '');
    if (options.length === 0) {
      lines.push('It has no options.', '');
      continue;
    }
    lines.push('| option | default | meaning |', '|---|---|---|');
    for (const row of options.flatMap(describeOption))
      lines.push(`| \`${row.name}\` | ${cell(row.default)} | ${cell(row.summary)} |`);
    lines.push('');
  }
  return lines.join('\n');
}

/**
 * Gives docs/options.md.
 * @param {{ listOptions(): [string, { group: string, pass?: string, flag?: { typed: string }, saved?: string, live?: true }][], describeOption(path: string): Row[], OPTION_GROUPS: Record<string, string> }} engine
 */
export function optionsPage({ listOptions, describeOption, OPTION_GROUPS }) {
  const lines = [
    '# Options',
    '',
    GENERATED,
    '',
    'Everything that `retarget` may be told, and what holds where it is not. An option is given to the library by its name, `retarget(source, target, { keys: "keep" })`; to the command line by its flag; and kept in a recipe among its settings, for which [recipe.schema.json](../packages/core/recipe.schema.json) lets editors complete and check names and values. The list stands in [list.ts](../packages/core/src/options/list.ts).',
    '',
  ];
  const notes = ({ flag, pass, saved, live }) =>
    [
      flag && `\`${flag.typed}\``,
      pass && `pass [${pass}](pipeline.md#${pass.toLowerCase()})`,
      saved === 'never' && 'not in recipes',
      live && 'also live',
    ]
      .filter(Boolean)
      .join(' · ');
  for (const [group, title] of Object.entries(OPTION_GROUPS)) {
    lines.push(`## ${title}`, '');
    for (const [name, option] of listOptions().filter(([, each]) => each.group === group)) {
      const [whole, ...parts] = describeOption(name);
      const told = notes(option);
      lines.push(`### ${name}`, '', `${sentence(whole.summary)}${told === '' ? '' : ` (${told})`}`, '');
      lines.push('| | takes | if left out | |', '|---|---|---|---|');
      for (const row of [whole, ...parts])
        lines.push(
          `| \`${row.name}\` | ${cell(row.takes)} | ${cell(row.default)} | ${row === whole ? '' : cell(row.summary)} |`,
        );
      lines.push('');
    }
  }
  return lines.join('\n');
}

/**
 * Gives docs/warnings.md.
 * @param {Readonly<Record<string, string>>} warnings
 * @param {Readonly<Record<string, string>>} notes
 */
export function warningsPage(warnings, notes) {
  /** @param {Readonly<Record<string, string>>} meanings */
  const table = (meanings) => [
    '| code | meaning |',
    '|---|---|',
    ...Object.keys(meanings)
      .sort()
      .map((code) => `| \`${code}\` | ${cell(meanings[code])} |`),
  ];
  return [
    '# Warnings and notes',
    '',
    GENERATED,
    '',
    'What is to be told of a file, a rig or a result is never thrown and never logged: it stands in the report, with a code, a sentence with the names and figures of the case, and the pass and joint where there is one. It is one of two things: a **warning** (`report.warnings`) where something was lost or is doubtful, and a **note** (`report.notes`) where a choice was made that is good to know and nothing has to be done. The codes are closed unions (`WarningCode`, `NoteCode`), so a program may switch over them. `--strict` makes the command end with exit code 3 where there is a warning; notes never do.',
    '',
    '## Warnings',
    '',
    ...table(warnings),
    '',
    '## Notes',
    '',
    ...table(notes),
    '',
  ].join('\n');
}

/**
 * Gives a page with the code of its marked blocks taken from the files they name:
 * `<!-- example: examples/first.ts -->`, a fenced block, `<!-- end of example -->`.
 * @param {string} root the repository
 * @param {string} text
 * @throws where a block is not closed or its file is missing
 */
export function insertExamples(root, text) {
  const opened = text.match(/<!-- example: /g)?.length ?? 0;
  let closed = 0;
  const result = text.replace(/<!-- example: (\S+) -->\n[\s\S]*?<!-- end of example -->/g, (_, path) => {
    closed++;
    if (!existsSync(join(root, path))) throw new Error(`README.md names ${path}, which is not there`);
    const code = readFileSync(join(root, path), 'utf8').trimEnd();
    const language = path.split('.').at(-1);
    return `<!-- example: ${path} -->\n\`\`\`${language}\n${code}\n\`\`\`\n<!-- end of example -->`;
  });
  if (opened !== closed) throw new Error('README.md has an example without <!-- end of example -->');
  return result;
}

/**
 * Gives docs/api.md: the public names of core, a sentence each.
 * @param {readonly { title: string, names: { name: string, path: string, says: string, isValue: boolean }[] }[]} groups
 */
export function apiPage(groups) {
  const values = groups.flatMap(({ names }) => names.filter(({ isValue }) => isValue));
  return [
    '# Public names',
    '',
    GENERATED,
    '',
    `What \`@stuntdouble/core\` exports, and \`stuntdouble\` with it: ${values.length} functions and constants, and the types that their signatures name. These names are what versions promise to keep. The list stands in [index.ts](../packages/core/src/index.ts); everything else that the engine is made of is under \`@stuntdouble/core/engine\` and may change with any version.`,
    '',
    ...groups.flatMap(({ title, names }) => [
      `## ${title}`,
      '',
      '| name | what it is |',
      '|---|---|',
      ...[...names].map(({ name, path, says }) => `| [\`${name}\`](../${path}) | ${cell(says)} |`),
      '',
    ]),
  ].join('\n');
}

/**
 * Gives every page as it should stand: path and text.
 * @param {string} root the repository
 * @returns {Promise<Record<string, string>>}
 */
async function createPages(root) {
  const built = join(root, 'packages/core/dist/engine.js');
  if (!existsSync(built)) throw new Error('packages/core is not built: run `npm run build` first');
  const engine = await import(pathToFileURL(built).href);
  for (const name of [
    'PASSES',
    'WARNING_MEANINGS',
    'NOTE_MEANINGS',
    'listOptions',
    'describeOption',
    'recipeSchema',
  ])
    if (!engine[name]) throw new Error(`packages/core exports no ${name}`);
  const { PASSES, WARNING_MEANINGS, NOTE_MEANINGS } = engine;
  const around = {
    ways: engine.WAYS ?? [],
    steps: numberedSteps(root, 'packages/core/src/retarget.ts'),
    looks: numberedSteps(root, 'packages/core/src/ways/plan/plan-clip.ts'),
    folders: passFolders(root),
  };
  return {
    'docs/pipeline.md': pipelinePage(PASSES, engine.describeOption, around),
    'docs/options.md': optionsPage(engine),
    'packages/core/recipe.schema.json': `${JSON.stringify(engine.recipeSchema(), null, 2)}\n`,
    'docs/warnings.md': warningsPage(WARNING_MEANINGS, NOTE_MEANINGS),
    'docs/api.md': apiPage(listApi(root)),
    'docs/requirements.md': fillRequirements(root).text,
    'README.md': insertExamples(root, readFileSync(join(root, 'README.md'), 'utf8')),
  };
}

/**
 * Writes the pages that are not as they should stand, or says which.
 * @param {string} root the repository
 * @param {{ isCheck?: boolean }} [options] with `isCheck` nothing is written, and a stale page is a failure
 * @returns {Promise<{ code: number, lines: string[] }>} the exit code, and what is said
 */
export async function writeDocs(root, { isCheck = false } = {}) {
  try {
    const pages = await createPages(root);
    const stale = Object.keys(pages).filter(
      (path) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== pages[path],
    );
    if (isCheck)
      return stale.length > 0
        ? { code: 1, lines: stale.map((path) => `${path} is not up to date: run \`npm run docs\``) }
        : { code: 0, lines: [`docs: ${Object.keys(pages).join(', ')} are up to date`] };
    for (const path of stale) writeFileSync(join(root, path), pages[path]);
    return {
      code: 0,
      lines: [stale.length > 0 ? `docs: wrote ${stale.join(', ')}` : 'docs: nothing to write'],
    };
  } catch (error) {
    return { code: 1, lines: [`docs: ${error instanceof Error ? error.message : error}`] };
  }
}

if (isMain(import.meta.url)) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)));
  const { code, lines } = await writeDocs(root, { isCheck: process.argv.includes('--check') });
  for (const line of lines) (code === 0 ? console.log : console.error)(line);
  process.exitCode = code;
}
