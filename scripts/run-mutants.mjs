/*
 * Runs tests on sources that are broken on purpose, many mutants in one process and without touching a file. A test file
 * is loaded once more for each mutant, under a mark behind its path; a plugin gives the broken text to what is loaded
 * under that mark, with all that imports it. What does not depend on the broken file is loaded once for all of them:
 * anew for each it was nine tenths of the time.
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

/** The tests that must notice a mutant. */
const patternOf = ({ id, named }) => titlesNaming(named ?? id);

const MARK = '?mutant=';

/** A path and the mark behind it; the mark is null where there is none. */
function splitMark(id) {
  const at = id.lastIndexOf(MARK);
  return at < 0 ? { path: id, mark: null } : { path: id.slice(0, at), mark: id.slice(at + MARK.length) };
}

/** Tests run as they are listed: those on sound sources before those on broken ones. */
class AsListed {
  sort(files) {
    return files;
  }
  shard(files) {
    return files;
  }
}

/**
 * Starts vitest for mutants. Tests run as one has them who has only the clone: what only real files notice is not noticed.
 * @param {string} root the repository
 * @param {readonly Mutant[]} mutants all that may be tried: of their test files only what they name is run
 */
export async function createMutantRunner(root, mutants) {
  process.env.STUNTDOUBLE_DATA = 'none';
  const pathOf = (file) => join(root, file);
  /** What mutants name, by test file. */
  const named = new Map();
  for (const mutant of mutants)
    for (const file of mutant.tests) named.set(file, [...(named.get(file) ?? []), patternOf(mutant).source]);
  /** The mutant that is loaded under each mark, or none, and, from the first import on, the files that depend on it. */
  const marked = new Map();
  const plugin = {
    name: 'mutants',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const { path, mark } = splitMark(importer ?? '');
      if (mark === null) return null;
      const found = await this.resolve(source, path, { ...options, skipSelf: true });
      const loaded = marked.get(mark);
      loaded.dependants ??= loaded.mutant ? dependantsOf(pathOf(loaded.mutant.file)) : new Set();
      return found && loaded.dependants.has(found.id) ? { ...found, id: found.id + MARK + mark } : found;
    },
    load(id) {
      const { path, mark } = splitMark(id);
      if (mark === null) return null;
      const text = readFileSync(path, 'utf8');
      const { mutant } = marked.get(mark);
      return mutant && path === pathOf(mutant.file) ? mutate(text, mutant) : text;
    },
  };
  const vitest = await createVitest(
    'test',
    {
      ...{ root, watch: false, maxWorkers: 1, isolate: false, reporters: [{}], testTimeout: 60_000 },
      sequence: { sequencer: AsListed },
    },
    { plugins: [plugin], logLevel: 'silent' },
  );
  await vitest.standalone();
  const [project] = vitest.projects;

  /** A source and all that imports it, itself or by others, of what has been loaded without a mark. */
  function dependantsOf(path) {
    const found = new Set();
    const visit = (node) => {
      if (!node.id || node.id.includes(MARK) || found.has(node.id)) return;
      found.add(node.id);
      for (const importer of node.importers) visit(importer);
    };
    for (const { moduleGraph } of Object.values(project.vite.environments))
      for (const node of moduleGraph.getModulesByFile(path) ?? []) visit(node);
    return found;
  }

  /** What became of the tests of one file. */
  function casesOf(specification) {
    const { testModule } = specification;
    return {
      cases: [...(testModule?.children.allTests() ?? [])].map((test) => ({
        name: test.fullName,
        state: test.result().state,
      })),
      isBroken: testModule?.state() === 'failed',
    };
  }

  /** What every test file comes to without a mutant, by its path. */
  const sound = new Map();

  /** Why a mutant's tests cannot prove anything; null where they can. */
  function judgeTests(mutant) {
    let count = 0;
    for (const file of mutant.tests) {
      const broken = sound.get(file).find(({ state }) => state === 'failed');
      if (broken) return `without it, this fails already: ${broken.name}`;
      const isNamed = ({ name, state }) => state === 'passed' && patternOf(mutant).test(name);
      count += sound.get(file).filter(isNamed).length;
    }
    return count > 0 ? null : `no test of ${mutant.tests.join(', ')} names ${mutant.named ?? mutant.id}`;
  }

  const specify = (path, testNamePattern) => project.createSpecification(path, { testNamePattern });
  /** A test file once more, with a mutant or as it is. */
  const specifyAgain = (file, pattern, mutant) => {
    const mark = String(marked.size);
    marked.set(mark, { mutant });
    return specify(pathOf(file) + MARK + mark, pattern);
  };

  /** Tries mutants in one process; null where one of them has spoilt it for others, as by writing into a constant. */
  async function tryTogether(some) {
    const files = [...new Set(some.flatMap(({ tests }) => tests))];
    const allNamed = (file) => new RegExp(named.get(file).join('|'));
    const plain = files
      .filter((file) => !sound.has(file))
      .map((file) => ({ file, run: specify(pathOf(file), allNamed(file)) }));
    const tried = some.map((mutant) => ({
      mutant,
      runs: mutant.tests.map((file) => specifyAgain(file, patternOf(mutant), mutant)),
    }));
    const after = some.length > 1 ? files.map((file) => specifyAgain(file, allNamed(file), null)) : [];
    const all = [...plain.map(({ run }) => run), ...tried.flatMap(({ runs }) => runs), ...after];
    await vitest.runTestSpecifications(all, false);
    for (const { file, run } of plain) sound.set(file, casesOf(run).cases);
    const isSound = (file) => sound.get(file).every(({ state }) => state !== 'failed');
    if (after.some((run, n) => isSound(files[n]) && casesOf(run).isBroken)) return null;
    return tried.map(({ mutant, runs }) => judge(mutant, runs.map(casesOf)));
  }

  /** @returns {Verdict} */
  function judge(mutant, found) {
    const cannot = judgeTests(mutant);
    if (cannot) return { mutant, cannot };
    const failed = found.flatMap(({ cases }) => cases).find(({ state }) => state === 'failed');
    if (failed) return { mutant, killedBy: failed.name };
    return found.some(({ isBroken }) => isBroken)
      ? { mutant, cannot: 'with it the file cannot be loaded' }
      : { mutant, survived: true };
  }

  return {
    /**
     * Tries some mutants. Their test files are first run on the sources as they are, once: a test that fails there
     * proves nothing. So they are after all of them in the same process: where one fails then, each mutant is tried
     * again in a process of its own.
     * @param {readonly Mutant[]} some
     * @returns {Promise<Verdict[]>} one for each
     */
    async try(some) {
      const together = await tryTogether(some);
      if (together) return together;
      const verdicts = [];
      for (const mutant of some) verdicts.push(...(await tryTogether([mutant])));
      return verdicts;
    },
    close: () => vitest.close(),
  };
}
