/*
 * Dependencies go one way: core ← formats ← picture ← jobs ← cli and studio, core ← adapters ← cli. Core runs anywhere,
 * so it has no dependency at all; formats runs in browsers, so it imports no `node:` module, not even at the moment it
 * needs one, since programs that pack modules for pages stop at it: it asks the process for them, and imports their
 * types. Pictures need none, and neither do jobs outside of their folder `node`. None of them speaks to the console:
 * what is imperfect is data in a report. And none of them uses what the language leaves to its engines, `Math.sin` and its
 * like: packages/core/src/base/math/functions.ts has them with the same bits everywhere.
 *
 *   node scripts/check-dependencies.mjs [FOLDER]
 */
import { builtinModules } from 'node:module';
import { posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isMain, listPackages, listSources, parseFile, placeOf } from './source-files.mjs';

/**
 * What each package may do. A folder that is not listed is a problem: a new package states its place here.
 * `uses`: the packages of this workspace it may import. `node`: whether it may import Node's own modules; below the
 * folder `nodeFolder` it always may, and what stands outside of it may not import what is inside. Who may use the
 * console prints, and makes no results.
 */
const RULES = {
  'packages/core': { uses: [], npm: false, node: 'never', console: false },
  'packages/formats': { uses: ['packages/core'], npm: true, node: 'types', console: false },
  'packages/picture': {
    uses: ['packages/core', 'packages/formats'],
    npm: true,
    node: 'never',
    console: false,
  },
  'packages/jobs': {
    uses: ['packages/core', 'packages/formats', 'packages/picture'],
    npm: true,
    node: 'never',
    nodeFolder: 'packages/jobs/src/node/',
    console: false,
  },
  'packages/adapters': { uses: ['packages/core'], npm: true, node: 'never', console: false },
  'packages/cli': {
    uses: ['packages/core', 'packages/formats', 'packages/picture', 'packages/jobs', 'packages/adapters'],
    npm: true,
    node: 'always',
    console: true,
  },
  'apps/studio': {
    uses: ['packages/core', 'packages/formats', 'packages/picture', 'packages/jobs', 'packages/adapters'],
    npm: true,
    node: 'never',
    console: true,
  },
};

const BUILT_IN = new Set(builtinModules);

/** What of `Math` is "implementation-approximated" (ECMA-262, 21.3.2); the rest gives the same bits everywhere. */
const APPROXIMATED = new Set(
  'acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh'.split(
    ' ',
  ),
);

/**
 * What a node uses that engines compute each in their own way, or null: a function of `Math`, and powers but for whole
 * ones of two, which all have exactly.
 * @param {import('typescript').Node} node
 */
function approximated(node) {
  if (ts.isIdentifier(node) && node.text === 'Math') {
    const { parent } = node;
    const name = ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text;
    // Taken apart, handed on or asked by a computed name, it may be any of them.
    if (!name) return ts.isPropertyAccessExpression(parent) ? null : 'Math as a whole';
    return APPROXIMATED.has(name) ? `Math.${name}` : null;
  }
  if (!ts.isBinaryExpression(node)) return null;
  const { operatorToken, left, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken) return '**=';
  if (operatorToken.kind !== ts.SyntaxKind.AsteriskAsteriskToken) return null;
  return left.getText() === '2' && /^-?\d+$/.test(right.getText()) ? null : '**';
}

/** The string an expression stands for, or null where it is computed. */
const literalText = (node) => (node && ts.isStringLiteralLike(node) ? node.text : null);

/**
 * Lists what a file imports, in every way TypeScript knows, where it names the console, and what it uses that engines
 * compute each in their own way.
 * @param {import('typescript').SourceFile} file
 */
function readUses(file) {
  const imports = [];
  const consoles = [];
  const differing = [];
  const add = (specifier, node, isType = false) => {
    if (specifier !== null) imports.push({ specifier, position: node.getStart(), isType });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(literalText(node.moduleSpecifier), node);
    else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      add(literalText(node.moduleReference.expression), node);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(literalText(node.argument.literal), node, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(literalText(node.arguments[0]), node);
    else if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'require'
    )
      add(literalText(node.arguments[0]), node);
    else if (ts.isIdentifier(node) && node.text === 'console' && isConsole(node))
      consoles.push(node.getStart());
    const what = approximated(node);
    if (what) differing.push({ what, position: node.getStart() });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, consoles, differing };
}

/** Whether an identifier `console` means the global one: alone, or as `globalThis.console`. */
function isConsole(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return (
      ts.isIdentifier(parent.expression) && ['globalThis', 'window', 'self'].includes(parent.expression.text)
    );
  const isOwnName =
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
  return !isOwnName;
}

/**
 * Finds every import, and every use of the console or of what differs between engines, that a package is not allowed.
 * @param {string} root the repository
 * @returns {{ imports: number, problems: string[] }} how many imports were looked at, and `file:line what` of
 * each that is not allowed
 */
export function checkDependencies(root) {
  const packages = listPackages(root);
  const folderOf = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]));
  const problems = [];
  let count = 0;
  for (const { folder, manifest } of packages) {
    const rule = RULES[folder];
    if (!rule) {
      problems.push(`${folder}/package.json:1 has no rule in scripts/check-dependencies.mjs`);
      continue;
    }
    const declared = new Set(
      ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.keys(manifest[kind] ?? {}),
      ),
    );
    for (const name of declared) {
      const other = folderOf.get(name);
      if (other ? !rule.uses.includes(other) : !rule.npm)
        problems.push(`${folder}/package.json:1 ${folder} may not depend on ${name}`);
    }

    /** Why the package may not import this, or null. */
    const refusal = (path, specifier, isType) => {
      const isForNode = rule.nodeFolder !== undefined && path.startsWith(rule.nodeFolder);
      if (specifier.startsWith('.')) {
        const to = posix.join(posix.dirname(path), specifier);
        if (!isForNode && rule.nodeFolder !== undefined && to.startsWith(rule.nodeFolder))
          return `"${specifier}" is for Node alone, and this runs outside it`;
        return to.startsWith(`${folder}/src/`) ? null : `leaves ${folder}/src by "${specifier}"`;
      }
      if (specifier.startsWith('#'))
        return manifest.imports?.[specifier] ? null : `"${specifier}" is not in ${folder}/package.json`;
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (specifier.startsWith('node:') || BUILT_IN.has(name)) {
        if (rule.node === 'always' || isForNode) return null;
        if (rule.node === 'never') return `${folder} may not import "${specifier}": it runs outside Node`;
        if (isType) return null;
        return `${folder} may not import "${specifier}", so that it can be packed for pages: ask the process for it`;
      }
      const other = folderOf.get(name);
      if (other === folder) return `${folder} imports itself by "${specifier}"`;
      if (other && !rule.uses.includes(other)) return `${folder} may not import ${other} ("${specifier}")`;
      if (!other && !rule.npm) return `${folder} may not import "${specifier}": it has no dependencies`;
      return declared.has(name) ? null : `"${name}" is not among the dependencies in ${folder}/package.json`;
    };

    for (const path of listSources(root, folder)) {
      const file = parseFile(root, path);
      const { imports, consoles, differing } = readUses(file);
      for (const { specifier, position, isType } of imports) {
        count++;
        const why = refusal(path, specifier, isType);
        if (why) problems.push(`${placeOf(path, file, position)} ${why}`);
      }
      if (rule.console) continue;
      for (const position of consoles)
        problems.push(`${placeOf(path, file, position)} ${folder} may not use the console`);
      for (const { what, position } of differing)
        problems.push(
          `${placeOf(path, file, position)} ${what} differs between engines: base/math/functions.ts of core has it`,
        );
    }
  }
  return { imports: count, problems };
}

if (isMain(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  const { imports, problems } = checkDependencies(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(
      `${problems.length} imports or uses are not allowed; see the top of scripts/check-dependencies.mjs`,
    );
    process.exitCode = 1;
  } else if (imports === 0) {
    console.error(`no imports found below ${root}/packages`);
    process.exitCode = 1;
  } else {
    console.log(`dependencies: all ${imports} imports go the right way`);
  }
}
