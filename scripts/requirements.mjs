/*
 * Fills the last column of docs/requirements.md: which test files name a requirement's id in a title.
 * The table itself is the list of requirements, so it is edited there, all but that column.
 *
 *   node scripts/requirements.mjs [--check] [FOLDER]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isMain, listFiles, parseFile } from './source-files.mjs';

const DOCUMENT = 'docs/requirements.md';
const TEST_FOLDERS = ['packages', 'apps', 'samples', 'bench', 'examples'];
const ROW = /^\| ([A-Z]{1,2})(\d+) \| (.+) \| ([^|]+) \| ([^|]*) \|$/;

/**
 * Finds the requirement ids in the title of a test: `W6`, `WP3`, and ranges such as `X1–X4`.
 * F, P and H number ideas, and F1 is also a measure: those count only in brackets or before a leading colon.
 * @param {string} title
 * @param {ReadonlySet<string>} known all ids there are
 * @returns {string[]}
 */
export function idsInTitle(title, known) {
  const found = new Set();
  const take = (text, letters) => {
    const pattern = new RegExp(`\\b(${letters})(\\d{1,2})(?:[–-]\\1(\\d{1,2}))?\\b`, 'g');
    for (const [, family, first, last] of text.matchAll(pattern))
      for (let n = Number(first); n <= Number(last ?? first); n++)
        if (known.has(`${family}${n}`)) found.add(`${family}${n}`);
  };
  take(title, '[XR]|[WSBKM]P?');
  for (const [part] of title.matchAll(/\([^)]*\)|^[^:]*:/g)) take(part, '[FPH]');
  return [...found];
}

/**
 * Lists the titles of a file's tests and groups. Tests that are switched off prove nothing and are left out.
 * @param {import('typescript').SourceFile} file
 * @returns {string[]}
 */
function titlesOf(file) {
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.arguments.length > 0) {
      // test('…'), test.each([…])('…'), describe.skipIf(…)('…'): walk down to the first name.
      const words = [];
      let at = node.expression;
      while (!ts.isIdentifier(at)) {
        if (ts.isPropertyAccessExpression(at)) words.push(at.name.text);
        if (!at.expression) break;
        at = at.expression;
      }
      if (ts.isIdentifier(at) && ['test', 'it', 'describe', 'describeData'].includes(at.text)) {
        if (words.includes('skip') || words.includes('todo')) return;
        const title = titleText(node.arguments[0]);
        if (title !== null) titles.push(title);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** The words of a title; where it is put together, those that are written out. */
function titleText(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' … ');
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return `${titleText(node.left) ?? ''}${titleText(node.right) ?? ''}`;
  return null;
}

/**
 * Gives docs/requirements.md with its last column filled from the tests.
 * @param {string} root the repository
 * @returns {{ text: string, proved: number, total: number }}
 * @throws where an id stands twice or is missing in its family
 */
export function fillRequirements(root) {
  const lines = readFileSync(join(root, DOCUMENT), 'utf8').split('\n');
  const rows = lines.map((line) => ROW.exec(line));
  const known = new Set();
  const next = new Map();
  rows.forEach((row, n) => {
    if (!row) return;
    const [, family, number] = row;
    const due = next.get(family) ?? 1;
    if (Number(number) !== due)
      throw new Error(`${DOCUMENT}:${n + 1}: found ${family}${number}; expected ${family}${due}`);
    next.set(family, due + 1);
    known.add(`${family}${number}`);
  });
  if (known.size === 0) throw new Error(`${DOCUMENT}: no requirement found`);

  const places = new Map([...known].map((id) => [id, new Set()]));
  for (const path of TEST_FOLDERS.flatMap((folder) => listFiles(root, folder, '.test.ts')))
    for (const title of titlesOf(parseFile(root, path)))
      for (const id of idsInTitle(title, known)) places.get(id).add(path);

  let proved = 0;
  const filled = lines.map((line, n) => {
    const row = rows[n];
    if (!row) return line;
    const [, family, number, says, part] = row;
    const paths = [...places.get(`${family}${number}`)].sort();
    if (paths.length > 0) proved++;
    const place =
      paths.length > 0
        ? paths.map((path) => `[${path.split('/').at(-1)}](../${path})`).join(', ')
        : part.startsWith('none')
          ? '–'
          : 'open';
    return `| ${family}${number} | ${says} | ${part} | ${place} |`;
  });
  return { text: filled.join('\n'), proved, total: known.size };
}

if (isMain(import.meta.url)) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)));
  const { text, proved, total } = fillRequirements(root);
  if (readFileSync(join(root, DOCUMENT), 'utf8') === text || !process.argv.includes('--check')) {
    writeFileSync(join(root, DOCUMENT), text);
    console.log(`requirements: ${proved} of ${total} are named by a test`);
  } else {
    console.error(`${DOCUMENT} is not up to date with the tests: run \`npm run docs\``);
    process.exitCode = 1;
  }
}
