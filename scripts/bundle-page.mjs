/*
 * The entries for pages that move clips, cut down to what our samples run: scripts/page-calls.json tells what that is,
 * which scripts/find-page-calls.mjs finds. What was never run fetches the whole engine, with which the call begins again
 * (packages/adapters/src/shared/whole-when-missing.ts). What holds feet and hands, and what measures, come apart: a page
 * that asks for neither never loads them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { cutEntry, liftMethods, readUnits, sourceName, wordless } from './bundle-live.mjs';
import { cutCold } from './cut-cold.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the entries are written, from the root. */
export const PAGE = 'packages/adapters/dist/page';

/** The entries by name: their modules, from packages/adapters/src. */
export const ENTRIES = { 'three-clip': 'three/clip', core: 'page' };

/** What comes whole: functions of numbers, of which a branch hangs on the numbers, and what fetches the rest. */
const WHOLE =
  /core\/src\/base\/math\/functions\.ts$|adapters\/src\/(page|three\/clip|shared\/(late|whole-when-missing))\.ts$/;

/** What the files of an entry know of each other, which nobody else does. */
const HELP = ['late', 'latePart', 'notBrought'];

/**
 * An entry in one file; the whole engine stays where it is, to be fetched.
 * @param {string} name
 * @param {import('esbuild').Plugin} fromSources resolves our own packages
 */
export async function packPage(name, fromSources) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './${ENTRIES[name]}.js';
export { late, latePart } from './shared/late.js';
export { notBrought } from './shared/whole-when-missing.js';`,
      resolveDir: join(root, 'packages/adapters/src'),
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['three', 'three/*', '@babylonjs/*'],
    plugins: [wholeElsewhere(name), fromSources],
    write: false,
  });
  return liftMethods(wordless(outputFiles[0].text));
}

/** Leaves what an entry fetches to the built modules beside it. */
const wholeElsewhere = (name) => ({
  name: 'whole-elsewhere',
  setup({ onResolve }) {
    const folder = join('../..', ENTRIES[name], '..');
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: join(folder, path).replaceAll('\\', '/'), external: true }
        : undefined,
    );
  },
});

/** The name that a unit has in its source. */
export const nameOf = ({ names, file }) => sourceName(names[0], file);

/** What of an entry may be cut. */
export const readCuttable = (text) => {
  const { units } = readUnits(text);
  return { units: units.filter(({ file }) => !WHOLE.test(file)) };
};

/** Cuts a packed entry. @returns {Map<string, string>} the files by name */
export function cutPage(packed, told) {
  const { text, parts } = cutCold(packed, readCuttable(packed), nameOf, told);
  const entry = readUnits(text);
  const reached = reachedOf(entry);
  return cutEntry(
    { ...entry, units: entry.units.filter((unit) => reached.has(unit)) },
    // What was never run is a call of `notBrought` by now, which is smaller than one that fetches it.
    { placeOf: ({ names: [name] }) => parts.get(name) ?? 'first', help: HELP },
  );
}

/** Units that an entry can still reach. */
function reachedOf({ units, exports }) {
  const byName = new Map(units.flatMap((unit) => unit.names.map((name) => [name, unit])));
  const reached = new Set();
  const reach = (unit) => {
    if (!unit || reached.has(unit)) return;
    reached.add(unit);
    for (const name of unit.reads) reach(byName.get(name));
  };
  for (const { own } of exports) reach(byName.get(own));
  return reached;
}

/**
 * Tells Chrome that a file holds what will be run, so that it is compiled while it loads, apart from the page's own
 * thread, and not function by function as each is called: half the time of a first call was that. Others pass over it;
 * who packs pages anew has to say it again.
 */
const RUNS = '//# allFunctionsCalledOnLoad';

/** Writes the entries. */
export async function bundlePage(outdir, fromSources) {
  const lists = JSON.parse(readFileSync(new URL('page-calls.json', import.meta.url), 'utf8'));
  rmSync(join(root, outdir), { recursive: true, force: true });
  for (const name of Object.keys(ENTRIES)) {
    mkdirSync(join(root, outdir, name), { recursive: true });
    for (const [file, text] of cutPage(await packPage(name, fromSources), lists[name] ?? {}))
      writeFileSync(join(root, outdir, name, file), `${RUNS}\n${text}\n`);
    // Beside it for who looks for types there, as the tarball does.
    writeFileSync(join(root, outdir, name, 'index.d.ts'), `export * from '../../${ENTRIES[name]}.js';\n`);
  }
}
