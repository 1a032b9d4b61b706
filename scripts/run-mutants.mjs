/*
 * Runs tests on sources that are broken on purpose, in one process and without touching a file: a plugin gives vitest
 * the broken text of one source at a time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

/**
 * One line broken on purpose, and where that must be noticed.
 * @typedef {{
 *   id: string,
 *   file: string,
 *   find: string,
 *   replace: string,
 *   tests: string[],
 *   named?: string,
 * }} Mutant `id` a requirement; `find` stands once in `file`; `tests` the files of which one test that names the id
 * must fail; `named` what the titles of these tests name instead, such as a range of ids.
 */

/**
 * What became of a mutant: the test that failed, that none did, or why it could not be tried.
 * @typedef {{ mutant: Mutant, killedBy: string } | { mutant: Mutant, survived: true } |
 *   { mutant: Mutant, cannot: string }} Verdict
 */

/**
 * The text of a file with a mutant in it.
 * @param {string} text
 * @param {Pick<Mutant, 'file' | 'find' | 'replace'>} mutant
 * @returns {string}
 * @throws where the text does not stand in it exactly once
 */
export function mutate(text, { file, find, replace }) {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} has the text ${count} times: ${find}`);
  if (find === replace) throw new Error(`${file}: nothing would change: ${find}`);
  return text.replace(find, () => replace);
}

function addTitle(titles, file, title) {
  if (!titles.has(file)) titles.set(file, new Set());
  titles.get(file).add(title);
}

/** Tests whose titles name an id, by itself or in a range such as B10–B13. */
function titlesNaming(id) {
  const [, family, number] = /^([A-Z]+)(\d+)$/.exec(id) ?? [];
  if (!family) return new RegExp(id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const ranges = [];
  for (let from = 1; from <= Number(number); from++)
    for (let to = Number(number); to <= Number(number) + 12; to++)
      if (to > from) ranges.push(`${family}${from}[–-]${family}${to}`);
  return new RegExp(`\\b(?:${family}${number}|${ranges.join('|')})\\b`);
}

/**
 * Starts vitest for mutants. Tests run as one has them who has only the clone: what only real files notice is not noticed.
 * @param {string} root the repository
 * @param {readonly Mutant[]} mutants all that may be tried: of their test files only what they name is run
 */
export async function createMutantRunner(root, mutants) {
  process.env.STUNTDOUBLE_DATA = 'none';
  /** The titles that mutants name, by test file. */
  const titles = new Map();
  for (const { id, named, tests } of mutants)
    for (const file of tests) addTitle(titles, file, titlesNaming(named ?? id).source);
  /** @type {Mutant | null} */
  let active = null;
  const pathOf = (file) => join(root, file);
  const plugin = {
    name: 'mutants',
    enforce: 'pre',
    /** @param {string} id */
    load(id) {
      const path = id.split('?')[0];
      if (!active || path !== pathOf(active.file)) return null;
      return mutate(readFileSync(path, 'utf8'), active);
    },
  };
  const vitest = await createVitest(
    'test',
    // Each file loads its modules itself: what is broken is seen, and what is mended.
    { root, watch: false, maxWorkers: 1, isolate: true, reporters: [{}], testTimeout: 60_000 },
    { plugins: [plugin], logLevel: 'silent' },
  );
  await vitest.standalone();

  /** Runs the tests of some files whose titles match a pattern. */
  async function runTests(files, pattern) {
    vitest.setGlobalTestNamePattern(pattern);
    const paths = new Set(files.map(pathOf));
    const specifications = [...paths].flatMap((path) => vitest.getModuleSpecifications(path));
    const { testModules: known } = await vitest.runTestSpecifications(specifications, false);
    // What ran before is still in the list.
    const testModules = known.filter(({ moduleId }) => paths.has(moduleId));
    const cases = testModules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({ name: test.fullName, state: test.result().state })),
    );
    return { cases, isBroken: testModules.some((module) => module.state() === 'failed') };
  }

  /** What every test file comes to without a mutant, by its path. */
  const sound = new Map();

  /** Why a mutant's tests cannot prove anything; null where they can. */
  async function judgeTests({ id, named, tests }) {
    const pattern = titlesNaming(named ?? id);
    let count = 0;
    for (const file of tests) {
      if (!sound.has(file)) {
        const named = new RegExp([...titles.get(file)].join('|'));
        sound.set(file, (await runTests([file], named)).cases);
      }
      for (const { name, state } of sound.get(file).filter((each) => pattern.test(each.name))) {
        if (state === 'failed') return `without it, this fails already: ${name}`;
        if (state === 'passed') count++;
      }
    }
    return count > 0 ? null : `no test of ${tests.join(', ')} names ${id}`;
  }

  return {
    /**
     * Tries a mutant. Its test files are first run on the sources as they are, once: a test that fails there proves
     * nothing.
     * @param {Mutant} mutant
     * @returns {Promise<Verdict>}
     */
    async try(mutant) {
      try {
        mutate(readFileSync(pathOf(mutant.file), 'utf8'), mutant);
      } catch (error) {
        return { mutant, cannot: error instanceof Error ? error.message : String(error) };
      }
      const cannot = await judgeTests(mutant);
      if (cannot) return { mutant, cannot };
      active = mutant;
      vitest.invalidateFile(pathOf(mutant.file));
      const { cases, isBroken } = await runTests(mutant.tests, titlesNaming(mutant.named ?? mutant.id));
      active = null;
      vitest.invalidateFile(pathOf(mutant.file));
      const failed = cases.find(({ state }) => state === 'failed');
      if (failed) return { mutant, killedBy: failed.name };
      return isBroken ? { mutant, killedBy: 'the file cannot be loaded' } : { mutant, survived: true };
    },
    close: () => vitest.close(),
  };
}
