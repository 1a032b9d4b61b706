/*
 * The live entries of the adapters, cut in two: what a first frame calls, and what is fetched when it is called for the
 * first time. What a first frame calls stands in scripts/live-first.json, which scripts/find-live-first.mjs finds by
 * playing our samples; a function that is not in that list comes late, and works all the same
 * (packages/adapters/src/shared/late.ts).
 *
 * An entry is packed into one file first, in which every function has a name of its own. Then each function of the
 * outermost scope that is not in the list moves into a file by the room that it lives in, with the constants that
 * nobody else needs, and leaves a call that fetches that file.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

/** Where the entries are written, from the root. */
export const LIVE = 'packages/adapters/dist/live';
export const ENGINES = ['three', 'babylon'];

/**
 * Functions that come with what may use them: those of numbers, since which branch does hangs on the numbers, and those
 * that begin with what is there.
 */
const ALWAYS = /core\/src\/base\/math\/functions\.ts$|adapters\/src\/shared\/(late|follow-live)\.ts$/;

/**
 * What a first frame does without, by what it gives until it has been fetched: the same that it gives where there is
 * nothing to do. Nothing is told then that asks for more (`follow-live.ts`), so much of it would have nothing to do.
 */
const UNTIL_THEN = {
  'core/src/map/pair-chains.ts': { pairsOfChains: '[]' },
  'core/src/map/create-rig-map.ts': { findUnmapped: '{ source: [], target: [] }' },
  'core/src/setup/idle-chains.ts': { findIdleMapRules: '[]', findIdleMembers: '[]' },
  'core/src/setup/idle-options.ts': { findIdleOptions: '[]' },
  'core/src/setup/chains-told.ts': {
    checkChainOptions: 'undefined',
    rulesOf: '{}',
    withArmature: '({ ...given[0], told: [] })',
    withChainOptions: 'given[0]',
    withModeOptions: 'given[0]',
  },
  // A live avatar brings no clips of its own that could show what holds a sword.
  'core/src/body/understand/held-pieces.ts': { findHeldPieces: '[]' },
  'core/src/align/find-followers.ts': { findFollowers: '({ followers: [], pairs: [], left: [] })' },
  // Only bodies in pieces have joints that are placed.
  'core/src/align/align-references.ts': { findPlaced: '[]' },
  'core/src/align/align-chains.ts': { directionsOfChains: 'new Map()' },
  'core/src/base/warnings.ts': { partNotes: '({ notes: [], warnings: [] })' },
  'core/src/body/names/known-lexicon.ts': { allWords: 'null' },
  // Where no name is known the next thing that is asked for has to be fetched, and then all is.
  'core/src/body/shape/guess-roles.ts': { whyNoBody: "given[2] ? null : ''" },
  'adapters/src/babylon/morphs.ts': { createMorphCopies: '({ from: [], to: [], before: [] })' },
  'adapters/src/three/morph-copies.ts': { createMorphCopies: '({ from: [], to: [], before: [] })' },
  'adapters/src/three/skeleton-utils-options.ts': {
    takeSkeletonUtilsOptions: '({ others: given[0], told: {} })',
  },
  ...Object.fromEntries(
    [
      ...['apply-constraints', 'extract-root', 'follow-skin', 'goals/solve-carriers', 'goals/solve-chains'],
      ...['limit-joints', 'match-ground', 'space-limbs', 'spread-twist'],
    ].map((pass) => {
      const name = pass.replace(/.*\//, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
      return [`core/src/passes/${pass}.ts`, { [`${name}_compile`]: 'null' }];
    }),
  ),
};

/** What holds feet and hands, and what a first frame does without: fetched at once, while the first frames copy. */
const SOON = 'feet';

/** The other late files by what is in them; the first that fits is taken. */
const PARTS = [
  ['edits', /core\/src\/(edits|passes\/(apply|add-|parts\/(layer|edit)))/],
  ['options', /core\/src\/(options|setup\/idle)/],
  ['shape', /core\/src\/body\/(shape|chains)|core\/src\/map\/(match|pair)-/],
  ['names', /core\/src\/body\/names/],
  ['solvers', /core\/src\/(solvers|goals\/(limb-chain|chain-goals|solve-reach)|passes\/goals\/solve-chains)/],
  ['clips', /core\/src\/(goals\/plan|ways|clips|contacts)|\/plan-[\w-]+\.ts$/],
  ['rest', /./],
];

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * An entry in one file, every function of it in the outermost scope under a name of its own: those of passes, too.
 * @param {string} engine
 * @param {import('esbuild').Plugin} fromSources resolves our own packages
 */
export async function packLive(engine, fromSources) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './${engine}/live.js'; export { ${HELP.join(', ')} } from './shared/late.js';`,
      resolveDir: join(root, 'packages/adapters/src'),
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['three', 'three/*', '@babylonjs/*'],
    plugins: [fromSources],
    write: false,
  });
  return partWholes(liftMethods(wordless(outputFiles[0].text)));
}

/** Leaves out what passes, ways and options say of themselves, which nothing in a page shows. */
export const wordless = (text) => text.replace(/\bsummary: "(?:[^"\\]|\\.)*"/g, 'summary: ""');

/** What the files of an entry know of each other, which nobody else does. */
const HELP = ['late', 'latePart', 'begins', 'whileBeginning'];

const parse = (text) => ts.createSourceFile('live.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** Makes functions of the outermost scope of the methods of passes, which nothing else is around. */
export function liftMethods(text) {
  const changes = [];
  for (const statement of parse(text).statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const given = initializer && ts.isCallExpression(initializer) && initializer.arguments[0];
      if (!given || !ts.isObjectLiteralExpression(given) || initializer.expression.getText() !== 'definePass')
        continue;
      for (const method of given.properties)
        if (ts.isMethodDeclaration(method)) {
          const lifted = `${name.getText()}_${method.name.getText()}`;
          const rest = text.slice(method.name.end, method.end);
          changes.push({
            start: method.getStart(),
            end: method.end,
            put: `${method.name.getText()}: ${lifted}`,
          });
          changes.push({ start: statement.end, end: statement.end, put: `\nfunction ${lifted}${rest}` });
        }
    }
  }
  return applyChanges(text, changes);
}

/** Parts what a first frame does without from a word that stands for it until then. */
function partWholes(text) {
  const changes = [];
  const wanted = new Set(
    Object.entries(UNTIL_THEN).flatMap(([file, names]) =>
      Object.keys(names).map((name) => `${file} ${name}`),
    ),
  );
  for (const unit of readUnits(text).units) {
    if (!unit.isFunction) continue;
    const file = unit.file.replace(/^packages\//, '');
    const own = sourceName(unit.names[0], unit.file);
    const given = UNTIL_THEN[file]?.[own];
    if (given === undefined) continue;
    wanted.delete(`${file} ${own}`);
    const [name] = unit.names;
    const at = unit.start + unit.text.indexOf(name);
    changes.push({ start: at, end: at + name.length, put: `${name}_whole` });
    const end = unit.start + unit.text.length;
    changes.push({
      ...{ start: end, end },
      put: `\nfunction ${name}(...given) { return begins() ? ${given} : ${name}_whole(...given); }`,
    });
  }
  for (const missing of wanted)
    if (!missing.startsWith('adapters/'))
      throw new Error(`there is no ${missing} that a first frame does without`);
  return applyChanges(text, changes);
}

function applyChanges(text, changes) {
  let changed = text;
  for (const { start, end, put } of changes.sort((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + put + changed.slice(end);
  return changed;
}

/** The statements of a packed entry with the source file that each is of, what it imports and what it exports. */
export function readUnits(text) {
  const imports = [];
  const units = [];
  const exports = [];
  let file = '';
  for (const statement of parse(text).statements) {
    const before = text.slice(statement.getFullStart(), statement.getStart());
    for (const [, name] of before.matchAll(/^\/\/ (\S+\.ts)$/gm)) file = name;
    if (ts.isImportDeclaration(statement)) imports.push(importOf(statement));
    else if (ts.isExportDeclaration(statement))
      exports.push(
        ...statement.exportClause.elements.map(({ name, propertyName }) => ({
          name: name.text,
          own: (propertyName ?? name).text,
        })),
      );
    else units.push({ file, ...unitOf(statement) });
  }
  return { imports, units, exports };
}

const importOf = (statement) => ({
  from: statement.moduleSpecifier.getText(),
  parts: statement.importClause.namedBindings.elements.map((each) => ({
    name: each.name.text,
    text: each.getText(),
  })),
});

/** Imports of what a file mentions, and of nothing else. */
const importsFor = (imports, names) =>
  imports.flatMap(({ from, parts }) => {
    const needed = parts.filter(({ name }) => names.has(name)).map(({ text }) => text);
    return needed.length > 0 ? [`import { ${needed.join(', ')} } from ${from};`] : [];
  });

/** The names that a declaration gives, be it by taking a list or an object apart. */
const namesIn = (name) =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []));

function unitOf(statement) {
  const isFunction = ts.isFunctionDeclaration(statement);
  const names = isFunction
    ? [statement.name.text]
    : ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
      : [];
  return {
    names,
    isFunction,
    text: statement.getText(),
    start: statement.getStart(),
    ...mentionedIn(statement),
  };
}

/**
 * Names that a statement may read and set, and those that it reads as it is run, other than to hand them on; some more
 * where an inner name hides an outer one.
 */
function mentionedIn(statement) {
  const reads = new Set();
  const sets = new Set();
  const atOnce = new Set();
  const walk = (node, isInside) => {
    if (ts.isIdentifier(node) && !isKey(node)) {
      reads.add(node.text);
      if (isSet(node)) sets.add(node.text);
      if (!isInside && !isValue(node)) atOnce.add(node.text);
    }
    ts.forEachChild(node, (child) => walk(child, isInside || ts.isFunctionLike(node)));
  };
  walk(statement, false);
  return { reads, sets, atOnce };
}

const isKey = (node) =>
  (ts.isPropertyAccessExpression(node.parent) ||
    ts.isPropertyAssignment(node.parent) ||
    ts.isMethodDeclaration(node.parent)) &&
  node.parent.name === node;

/** Whether a name is the value of a field: what is called there is called later. */
const isValue = (node) =>
  (ts.isPropertyAssignment(node.parent) && node.parent.initializer === node) ||
  ts.isShorthandPropertyAssignment(node.parent);

const isSet = ({ parent, text }) =>
  (ts.isBinaryExpression(parent) &&
    parent.left.getText() === text &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment) ||
  ts.isPostfixUnaryExpression(parent) ||
  ts.isPrefixUnaryExpression(parent);

/** The name that a function has in its source: packing adds a number where two files use one name. */
export function sourceName(name, file) {
  const source = readFileSync(join(root, file), 'utf8');
  const [, plain, rest] = /^(\w+?)\d*((?:_\w+)?)$/.exec(name);
  return new RegExp(`\\b${name.replace(/_\w+$/, '')}\\b`).test(source) ? name : plain + rest;
}

/**
 * Cuts a packed live entry.
 * @param {string} text
 * @param {Record<'first' | 'soon', Record<string, string[]>>} lists by file the functions that a first frame calls where
 *   turns are copied, and those that it calls besides where feet and hands are held
 * @returns {Map<string, string>} the files by name
 */
export function cutLive(text, { first, soon }) {
  const isIn = (list, { file, names }) => list[file]?.includes(sourceName(names[0], file));
  return cutEntry(readUnits(text), {
    placeOf: (unit) =>
      isIn(first, unit)
        ? 'first'
        : isIn(soon, unit) || ALWAYS.test(unit.file)
          ? SOON
          : PARTS.find(([, files]) => files.test(unit.file))[0],
    soon: SOON,
  });
}

/**
 * Cuts a packed entry. What must be there at once: what is placed there, what is no function and is used by that, and
 * functions that set a variable which others use.
 * @param {ReturnType<typeof readUnits>} entry
 * @param {{ placeOf: (unit: object) => string, soon?: string, help?: string[] }} places the file that each function is to be in, and the
 *   one that is fetched without waiting for its first call
 * @returns {Map<string, string>} the files by name
 */
export function cutEntry({ imports, units, exports }, { placeOf, soon, help = HELP }) {
  const byName = new Map(units.flatMap((unit) => unit.names.map((name) => [name, unit])));
  const uses = (unit) =>
    [...unit.reads].map((name) => byName.get(name)).filter((used) => used && used !== unit);
  const users = new Map(units.map((unit) => [unit, new Set()]));
  for (const unit of units) for (const used of uses(unit)) users.get(used).add(unit);

  for (const unit of units) {
    const isExported = exports.some(({ own }) => unit.names.includes(own));
    unit.part = isExported || (!unit.isFunction && unit.names.length === 0) ? 'first' : null;
    if (unit.isFunction && !unit.part) unit.part = placeOf(unit);
  }
  const bring = (unit) => {
    let brought = 0;
    for (const used of uses(unit))
      if (used.isFunction && ALWAYS.test(used.file) && used.part !== 'first') {
        used.part = 'first';
        brought += 1 + bring(used);
      }
    return brought;
  };
  const bringAll = () => units.reduce((sum, unit) => sum + (unit.part === 'first' ? bring(unit) : 0), 0);
  bringAll();
  // Constants bring what they are made by, which may be made by more.
  do placeConstants(units, uses, users);
  while (bringAll() > 0);

  const files = new Map();
  const stubs = new Map();
  for (const unit of units)
    for (const used of uses(unit))
      if (used.part !== unit.part && used.isFunction && used.part !== 'first')
        stubs.set(used.names[0], used.part);
  // Names that go between files are written as they are by all who minify: short ones are short there, too.
  const keys = new Map([...stubs.keys()].map((name, n) => [name, `f${n.toString(36)}`]));
  const parts = [...new Set(units.map(({ part }) => part))].filter((part) => part !== 'first');
  const shown = new Set();
  for (const part of parts) {
    const own = units.filter((unit) => unit.part === part);
    const names = new Set(own.flatMap((unit) => [...unit.reads]));
    const fromFirst = [...names].filter(
      (name) =>
        byName.has(name) &&
        (byName.get(name).part === 'first' || (byName.get(name).part !== part && stubs.has(name))),
    );
    const fromShared =
      part === 'shared' ? [] : [...names].filter((name) => byName.get(name)?.part === 'shared');
    for (const name of fromFirst) shown.add(name);
    const given =
      part === 'shared'
        ? own.flatMap((unit) => unit.names)
        : own
            .flatMap((unit) => unit.names)
            .filter((name) => stubs.has(name))
            .map((name) => `${name} as ${keys.get(name)}`);
    files.set(
      `${part}.js`,
      [
        ...importsFor(imports, names),
        `import { ${fromFirst.join(', ')} } from './first.js';`,
        ...(fromShared.length > 0 ? [`import { ${fromShared.join(', ')} } from './shared.js';`] : []),
        ...own.map((unit) => unit.text),
        `export { ${given.join(', ')} };`,
      ].join('\n'),
    );
  }
  const fetched = [...new Set(stubs.values())];
  const own = units.filter(({ part }) => part === 'first');
  files.set(
    'first.js',
    [
      ...importsFor(imports, new Set(own.flatMap((unit) => [...unit.reads]))),
      ...fetched.map((part) =>
        part === soon
          ? `var part_${part} = latePart(() => import('./${part}.js'), true);`
          : `var part_${part} = latePart(() => import('./${part}.js'));`,
      ),
      ...[...stubs].map(([name, part]) => `var ${name} = late(part_${part}, '${keys.get(name)}');`),
      ...own.map((unit) => unit.text),
      `export { ${[...new Set([...exports.map(({ own }) => own), ...shown])].join(', ')} };`,
    ].join('\n'),
  );
  const open = exports.filter(({ name }) => !help.includes(name));
  const names = open.map(({ name, own }) => (name === own ? name : `${own} as ${name}`));
  files.set('index.js', `export { ${names.join(', ')} } from './first.js';`);
  return files;
}

/**
 * Gives every constant a place: with its users where all of them are in one file, else with what comes first, or apart
 * where only late files use it. Functions that run while constants are made, and those that set variables, stand by them.
 */
function placeConstants(units, uses, users) {
  const constants = units.filter(({ isFunction, names }) => !isFunction && names.length > 0);
  for (let changed = true; changed; ) {
    changed = false;
    const move = (unit, part) => {
      if (unit.part === part) return;
      unit.part = part;
      changed = true;
    };
    // Users stand behind what they use: from the last to the first, each knows where its users are.
    for (const unit of [...constants].reverse()) {
      const places = new Set([...users.get(unit)].map(({ part }) => part).filter(Boolean));
      if (unit.part === 'first') continue;
      move(
        unit,
        places.has('first') || places.size === 0 ? 'first' : places.size === 1 ? [...places][0] : 'shared',
      );
    }
    for (const unit of constants)
      for (const used of uses(unit))
        if (used.isFunction && used.part !== unit.part && used.names.some((name) => unit.atOnce.has(name)))
          move(used, 'first');
    for (const unit of units)
      for (const name of unit.sets) {
        const variable = constants.find(({ names }) => names.includes(name));
        if (unit.isFunction && variable && variable.part !== unit.part) {
          move(unit, 'first');
          move(variable, 'first');
        }
      }
  }
}

/** Writes the live entries. */
export async function bundleLive(outdir, fromSources) {
  const lists = JSON.parse(readFileSync(new URL('live-first.json', import.meta.url), 'utf8'));
  rmSync(join(root, outdir), { recursive: true, force: true });
  for (const engine of ENGINES) {
    mkdirSync(join(root, outdir, engine), { recursive: true });
    for (const [name, text] of cutLive(await packLive(engine, fromSources), lists))
      writeFileSync(join(root, outdir, engine, name), `${text}\n`);
    // Beside it for who looks for types there, as the tarball does.
    writeFileSync(join(root, outdir, engine, 'index.d.ts'), `export * from '../../${engine}/live.js';\n`);
  }
}
