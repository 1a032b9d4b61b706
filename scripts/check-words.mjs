/*
 * Words: one meaning a name. In core a constant's and a type's name is declared in one file; in a package no two files
 * have names that differ by one letter; comments of contacts, goals and plans name their subject; every room has its
 * paragraph in docs/house.md; the glossary has words and no names of code; every decision has a number of its own.
 *
 * What still goes against it stands in scripts/words-debt.json, a list that may only shrink, as that of the rooms.
 *
 *   node scripts/check-words.mjs [FOLDER] [--write]     --write: writes the list as it is now
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { readRooms } from './check-rooms.mjs';
import { judgeByDebt } from './debt-list.mjs';
import { isMain, listPackages, listSources, parseFile } from './source-files.mjs';

const CORE = 'packages/core/src/';

/** Rooms full of numbers, in which "what" could be a foot, a hand or a height. */
const NAMED_SUBJECTS = ['contacts/', 'goals/', 'ways/plan/'].map((room) => CORE + room);

/**
 * The constants and types that a file declares at its top: names in capitals, and names of types.
 * @param {import('typescript').SourceFile} file
 * @returns {string[]}
 */
function declaredNames(file) {
  const names = [];
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations)
        if (ts.isIdentifier(name) && /^[A-Z][A-Z0-9_]*$/.test(name.text)) names.push(name.text);
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
      names.push(statement.name.text);
  }
  return names;
}

/** Whether two words are the same but for one letter, changed, added or taken out. */
function differByALetter(a, b) {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1 || a === b) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}

/** Lines on which a comment begins with "What". */
function namelessComments(text) {
  const begins = /(?:\/\*\*?|\/\/)\s*(?:\n\s*\*\s*)?What\b/g;
  return [...text.matchAll(begins)].map(({ index, 0: { length } }) => {
    const line = text.slice(text.lastIndexOf('What', index + length)).split('\n', 1)[0];
    return line.replace(/\*\/$/, '').trim().slice(0, 60);
  });
}

/**
 * @param {string} root
 * @returns {string[]}
 */
function checkPages(root) {
  const problems = [];
  const house = readFileSync(join(root, 'docs/house.md'), 'utf8');
  const told = [...house.matchAll(/^- ((?:\*\*[a-z]+\*\*(?:, )?)+):/gm)].flatMap(([, names]) =>
    [...names.matchAll(/\*\*([a-z]+)\*\*/g)].map(([, name]) => name),
  );
  for (const room of readRooms(root))
    if (!told.includes(room)) problems.push(`docs/house.md does not say how ${room} works`);
  const glossary = join(root, 'docs/glossary.md');
  for (const [, word] of existsSync(glossary)
    ? readFileSync(glossary, 'utf8').matchAll(/^- \*\*([^*]+)\*\*/gm)
    : [])
    if (/[a-z][A-Z]|[`_]/.test(word))
      problems.push(`docs/glossary.md explains ${word}, which is a name of code and no word`);
  const decisions = join(root, 'docs/decisions');
  const numbers = new Map();
  for (const name of existsSync(decisions) ? readdirSync(decisions).sort() : []) {
    const number = name.slice(0, 4);
    if (numbers.has(number)) problems.push(`docs/decisions/${name} has the number of ${numbers.get(number)}`);
    numbers.set(number, name);
    if (!readFileSync(join(decisions, name), 'utf8').startsWith(`# ${number}: `))
      problems.push(`docs/decisions/${name} does not begin with its number: # ${number}: …`);
  }
  return problems;
}

/**
 * Everything that goes against one meaning a name, each as one line without line numbers.
 * @param {string} root the repository
 * @returns {{ files: number, problems: string[] }}
 */
export function checkWords(root) {
  const problems = new Set(checkPages(root));
  const homes = new Map();
  let files = 0;
  for (const { folder } of listPackages(root)) {
    const names = new Set();
    for (const path of listSources(root, folder)) {
      files++;
      names.add(posix.basename(path).replace(/\.tsx?$/, ''));
      if (!path.startsWith(CORE)) continue;
      const file = parseFile(root, path);
      for (const name of declaredNames(file)) {
        const home = homes.get(name);
        if (home === undefined) homes.set(name, path);
        else if (home !== path) problems.add(`${name} is declared in ${home} and in ${path}`);
      }
      if (NAMED_SUBJECTS.some((room) => path.startsWith(room)))
        for (const words of namelessComments(file.text))
          problems.add(`${path} has a comment that does not name its subject: ${words}`);
    }
    const sorted = [...names].sort();
    sorted.forEach((name, i) => {
      for (const other of sorted.slice(i + 1))
        if (differByALetter(name, other))
          problems.add(`${folder} has files whose names differ by a letter: ${name}, ${other}`);
    });
  }
  return { files, problems: [...problems].sort() };
}

if (isMain(import.meta.url))
  judgeByDebt(import.meta.url, 'scripts/words-debt.json', checkWords, (files, left) => {
    return `words: ${files} files have one meaning a name, ${left} known exceptions left`;
  });
