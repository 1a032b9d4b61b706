/*
 * Breaks the code on purpose, one line at a time, and sees whether the tests of the requirement that the line carries
 * out notice it. The list stands in mutants/, a file a letter; the table of all becomes docs/mutants.md.
 *
 *   npm run mutants                 all that were not noticed yet as they and their files are now, and the table
 *   npm run mutants -- B K9         those of some requirements, noticed before or not
 *   npm run mutants -- --again      all of them
 *   npm run mutants -- --check      whether every text still stands in its file, and every requirement has a mutant
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMutantRunner, mutate } from './run-mutants.mjs';
import { isMain } from './source-files.mjs';

const FOLDER = 'mutants';
const PAGE = 'docs/mutants.md';
/** What was noticed, by the mutant and its files: a run that was stopped goes on where it was. */
const NOTICED = 'out/mutants.json';
/** So many are tried in one process, which then begins anew: what was noticed is kept after each. */
const AT_ONCE = 16;
const ROW = /^\| ([A-Z]{1,2}\d+) \| .+ \| ([^|]+) \| ([^|]*) \|$/;

const FLAGS = ['--again', '--check'];

/** @typedef {import('./run-mutants.mjs').Mutant} Mutant */

/**
 * Whether a mutant is of a requirement, named whole or by its letters.
 * @param {Mutant} mutant
 * @param {string} word
 */
function isOf({ id }, word) {
  return id === word || id.replace(/\d+$/, '') === word;
}

/**
 * Reads the list.
 * @param {string} root
 * @returns {Mutant[]}
 */
export function readMutants(root) {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/**
 * The requirements that a test is due for, by docs/requirements.md, but for those of the studio and of constraints; those
 * that no test names yet are left out.
 * @param {string} root
 * @returns {string[]}
 */
function provedIds(root) {
  return readFileSync(join(root, 'docs/requirements.md'), 'utf8')
    .split('\n')
    .map((line) => ROW.exec(line))
    .filter((row) => row && !/^(?:none|studio|constraints)/.test(row[2].trim()) && row[3] !== 'open')
    .map((row) => row[1]);
}

/**
 * What is wrong with the list, one sentence each.
 * @param {string} root
 * @param {readonly Mutant[]} mutants
 * @returns {string[]}
 */
export function checkMutants(root, mutants) {
  const wrong = [];
  for (const mutant of mutants)
    try {
      mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant);
      for (const test of mutant.tests)
        if (!existsSync(join(root, test))) wrong.push(`${mutant.id}: there is no ${test}`);
    } catch (error) {
      wrong.push(`${mutant.id}: ${error instanceof Error ? error.message : error}`);
    }
  const known = new Set(mutants.map(({ id }) => id));
  const missing = provedIds(root).filter((id) => !known.has(id));
  if (missing.length > 0) wrong.push(`without a mutant: ${missing.join(', ')}`);
  return wrong;
}

/** What was noticed before, by {@link keyOf}. */
function readNoticed(root) {
  const path = join(root, NOTICED);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** Changes with a mutant, the file that it is in, and its tests. */
function keyOf(root, mutant) {
  const hash = createHash('sha256').update(JSON.stringify(mutant));
  for (const file of [mutant.file, ...mutant.tests]) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 24);
}

/** Keeps code within its cell of a Markdown table. */
const code = (text) => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return `\`${(line.length > 90 ? `${line.slice(0, 89)}…` : line).replaceAll('|', '\\|').replaceAll('`', "'")}\``;
};

/**
 * Gives docs/mutants.md.
 * @param {readonly { mutant: Mutant, killedBy: string }[]} killed
 * @returns {string}
 */
export function mutantsPage(killed) {
  const order = ({ id }) => {
    const [, family, number] = /^([A-Z]+)(\d+)$/.exec(id) ?? ['', id, '0'];
    return `${family.padEnd(2, ' ')}${number.padStart(3, '0')}`;
  };
  const sorted = [...killed].sort((a, b) => order(a.mutant).localeCompare(order(b.mutant)));
  const ids = new Set(sorted.map(({ mutant }) => mutant.id));
  const lines = new Set(sorted.map(({ mutant: { file, find, replace } }) => `${file} ${find} ${replace}`));
  return [
    '# Mutants',
    '',
    '<!-- Written by scripts/mutants.mjs; run `npm run mutants` after a change. -->',
    '',
    `A test proves something if it fails when the line that does it is broken. Here ${lines.size} lines are broken on purpose, one at a time, ${killed.length} times in all, for ${ids.size} of the [requirements](requirements.md); each time a test that names the requirement in its title fails. \`npm run mutants\` breaks them all again, in memory, and fails where one goes unnoticed; the list is in [mutants](../mutants).`,
    '',
    '| id | in | instead of | stands | noticed by |',
    '|---|---|---|---|---|',
    ...sorted.map(
      ({ mutant: { id, file, find, replace }, killedBy }) =>
        `| ${id} | [${file.split('/').at(-1)}](../${file}) | ${code(find)} | ${code(replace)} | ${killedBy.split(' > ').at(-1).replaceAll('|', '\\|')} |`,
    ),
    '',
  ].join('\n');
}

if (isMain(import.meta.url)) {
  const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
  const given = process.argv.slice(2);
  const all = readMutants(root);
  // All of them take an hour: a word that means nothing must not begin that.
  const unknown = given.filter((word) => !FLAGS.includes(word) && !all.some((mutant) => isOf(mutant, word)));
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: neither a requirement with mutants nor one of ${FLAGS.join(', ')}`);
    process.exit(2);
  }
  const wrong = checkMutants(root, all);
  for (const sentence of wrong) console.error(sentence);
  let isSound = wrong.length === 0;
  if (!given.includes('--check')) {
    const chosen = given.filter((each) => !each.startsWith('--'));
    const isChosen = (mutant) => chosen.length === 0 || chosen.some((each) => isOf(mutant, each));
    const known = readNoticed(root);
    const isKnown = (mutant) =>
      chosen.length === 0 && !given.includes('--again') && keyOf(root, mutant) in known;
    const runner = await createMutantRunner(root, all);
    const killed = [];
    const tried = all.filter(isChosen);
    const tell = (verdict) => {
      const { mutant } = verdict;
      if ('killedBy' in verdict) {
        killed.push(verdict);
        known[keyOf(root, mutant)] = verdict.killedBy;
        return;
      }
      isSound = false;
      console.error(
        `${mutant.id}: ${'cannot' in verdict ? verdict.cannot : `nothing noticed that ${mutant.file} has ${JSON.stringify(mutant.replace)} instead of ${JSON.stringify(mutant.find)}`}`,
      );
    };
    for (const mutant of tried.filter(isKnown)) tell({ mutant, killedBy: known[keyOf(root, mutant)] });
    // Mutants of one test file stand together, so that what it loads is loaded once.
    const left = tried
      .filter((mutant) => !isKnown(mutant))
      .sort((a, b) => (a.tests[0] < b.tests[0] ? -1 : 1));
    for (let n = 0; n < left.length; n += AT_ONCE) {
      for (const verdict of await runner.try(left.slice(n, n + AT_ONCE))) tell(verdict);
      mkdirSync(join(root, 'out'), { recursive: true });
      writeFileSync(join(root, NOTICED), JSON.stringify(known, null, 1));
      console.log(`${Math.min(n + AT_ONCE, left.length)} of ${left.length} tried`);
    }
    await runner.close();
    console.log(`mutants: ${killed.length} of ${tried.length} were noticed`);
    if (chosen.length === 0 && isSound) {
      const inOrder = killed.sort((a, b) => tried.indexOf(a.mutant) - tried.indexOf(b.mutant));
      writeFileSync(join(root, PAGE), mutantsPage(inOrder));
    }
  }
  // Tests that fail, as they shall here, leave another one.
  process.exitCode = isSound ? 0 : 1;
}
