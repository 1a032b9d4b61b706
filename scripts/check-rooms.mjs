/*
 * The house of core: rooms in an order, each importing only from itself and from those before it, types included.
 * The order is read from the table in docs/house.md, so that what people read is what holds. Beside it: no cycle of
 * files in any package, no crowded folder, no function in core that is too long or takes too much, no list of what
 * happens that cannot be read at a sitting, no command that is more than flags, a call and printing.
 *
 * What still goes against it stands in scripts/rooms-debt.json. That list may only shrink: what is not in it fails,
 * and so does what is in it and no longer there.
 *
 *   node scripts/check-rooms.mjs [FOLDER] [--write]     --write: writes the list as it is now
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { judgeByDebt } from './debt-list.mjs';
import { isMain, listFiles, listPackages, listSources, parseFile } from './source-files.mjs';

const CORE = 'packages/core/src';

/** Files of code in one folder; more than that is a list that nobody reads. Data in tables is read by its name. */
const MOST_FILES = 25;
const TABLES = `${CORE}/body/names/tables`;

/** Lines of a function of core, and parameters outside the rooms whose functions take flat numbers. */
const MOST_LINES = 120;
const MOST_PARAMETERS = 6;
const FLAT = [`${CORE}/base/math/`, `${CORE}/solvers/`];

/** Lines of a command, which is flags, a call into the jobs and printing; and of the list from two scenes to a report. */
const COMMANDS = 'packages/cli/src/commands/';
const NUMBERED_LIST = `${CORE}/retarget.ts`;
const MOST_FILE_LINES = 200;

/** Programs beside the packages: they have no rooms, but no cycles and no crowds either. */
const PROGRAMS = ['bench', 'fuzz', 'samples', 'examples'];

/** Files that belong to no room: they see all of them. */
const ROOT_FILES = new Set([
  'index.ts',
  'engine.ts',
  'retarget.ts',
  'convert-constraints.ts',
  'retarget-together.ts',
  'retargeter.ts',
  'preview-frame.ts',
]);

/**
 * The rooms of core in their order, from the table in docs/house.md.
 * @param {string} root
 * @returns {string[]}
 */
export function readRooms(root) {
  const page = readFileSync(join(root, 'docs/house.md'), 'utf8');
  return [...page.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, room]) => room);
}

/**
 * The files that a file imports from its own package, types included.
 * @param {import('typescript').SourceFile} file
 * @param {string} path
 */
function importedFiles(file, path) {
  const found = new Set();
  const add = (node) => {
    if (!node || !ts.isStringLiteralLike(node) || !node.text.startsWith('.')) return;
    found.add(posix.join(posix.dirname(path), node.text).replace(/\.js$/, '.ts'));
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * The files that are part of a cycle: strongly connected components of more than one file (Tarjan 1972, without
 * recursion, since a chain of imports may be long).
 * @param {Map<string, Set<string>>} imports
 * @returns {string[]}
 */
function filesInCycles(imports) {
  const order = new Map();
  const low = new Map();
  const open = [];
  const isOpen = new Set();
  const found = [];
  for (const start of imports.keys()) {
    if (order.has(start)) continue;
    const work = [{ at: start, next: [...imports.get(start)] }];
    while (work.length > 0) {
      const { at, next } = work[work.length - 1];
      if (!order.has(at)) {
        order.set(at, order.size);
        low.set(at, order.get(at));
        open.push(at);
        isOpen.add(at);
      }
      const other = next.pop();
      if (other !== undefined) {
        if (!imports.has(other)) continue;
        if (!order.has(other)) work.push({ at: other, next: [...imports.get(other)] });
        else if (isOpen.has(other)) low.set(at, Math.min(low.get(at), order.get(other)));
        continue;
      }
      work.pop();
      const above = work[work.length - 1]?.at;
      if (above !== undefined) low.set(above, Math.min(low.get(above), low.get(at)));
      if (low.get(at) !== order.get(at)) continue;
      const part = open.splice(open.indexOf(at));
      for (const file of part) isOpen.delete(file);
      if (part.length > 1) found.push(...part);
    }
  }
  return found.sort();
}

/** The name of a function, as people would call it. */
function nameOf(node) {
  if (node.name) return node.name.getText();
  const { parent } = node;
  if (parent && (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)))
    return parent.name.getText();
  return 'function';
}

/** @param {import('typescript').SourceFile} file */
function oversizedFunctions(file, path) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = (at) => file.getLineAndCharacterOfPosition(at).line;
      const lines = line(node.getEnd()) - line(node.getStart()) + 1;
      if (lines > MOST_LINES) found.push(`${path} ${nameOf(node)} is longer than ${MOST_LINES} lines`);
      if (node.parameters.length > MOST_PARAMETERS && !FLAT.some((room) => path.startsWith(room)))
        found.push(`${path} ${nameOf(node)} takes more than ${MOST_PARAMETERS} parameters`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * Everything that goes against the house, each as one line without line numbers, so that it can stand in a list.
 * @param {string} root the repository
 * @returns {{ files: number, problems: string[] }}
 */
export function checkRooms(root) {
  const rooms = readRooms(root);
  const problems = new Set();
  const imports = new Map();
  const crowds = new Map();
  for (const { folder } of listPackages(root))
    for (const path of listSources(root, folder)) {
      const file = parseFile(root, path);
      imports.set(path, importedFiles(file, path));
      const place = posix.dirname(path);
      if (place !== TABLES) crowds.set(place, (crowds.get(place) ?? 0) + 1);
      const isBounded = path.startsWith(COMMANDS) || path === NUMBERED_LIST;
      if (isBounded && file.getLineStarts().length - 1 > MOST_FILE_LINES)
        problems.add(`${path} is longer than ${MOST_FILE_LINES} lines`);
      if (!path.startsWith(`${CORE}/`)) continue;
      for (const problem of oversizedFunctions(file, path)) problems.add(problem);
      const inside = path.slice(CORE.length + 1);
      const room = inside.includes('/') ? inside.split('/')[0] : null;
      if (room === null && !ROOT_FILES.has(inside)) problems.add(`${path} stands in no room`);
      if (room !== null && !rooms.includes(room))
        problems.add(`${path} stands in a room that docs/house.md does not name`);
      if (room === null) continue;
      for (const other of imports.get(path)) {
        const there = other.slice(CORE.length + 1);
        const otherRoom = there.includes('/') ? there.split('/')[0] : null;
        if (otherRoom === null || rooms.indexOf(otherRoom) > rooms.indexOf(room))
          problems.add(`${path} imports ${other}, which comes later`);
      }
    }
  for (const folder of PROGRAMS)
    for (const path of listFiles(root, folder, '.ts')) {
      if (/\.(test|d)\.ts$|\/dist\//.test(path)) continue;
      imports.set(path, importedFiles(parseFile(root, path), path));
      const place = posix.dirname(path);
      crowds.set(place, (crowds.get(place) ?? 0) + 1);
    }
  for (const path of filesInCycles(imports)) problems.add(`${path} is part of a cycle of imports`);
  for (const [place, count] of crowds)
    if (count > MOST_FILES) problems.add(`${place} holds more than ${MOST_FILES} files`);
  return { files: imports.size, problems: [...problems].sort() };
}

if (isMain(import.meta.url))
  judgeByDebt(import.meta.url, 'scripts/rooms-debt.json', checkRooms, (files, left) => {
    return `rooms: ${files} files keep the order of docs/house.md, ${left} known exceptions left`;
  });
