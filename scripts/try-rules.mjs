/*
 * Tries every number of the rules tables: halved, and half as large again. A test of a room that reads the table must
 * notice either, or the number says nothing. The tree is not touched: the number is changed while vitest loads the file.
 *
 *   npm run rules                       every number; writes docs/rules.md
 *   npm run rules -- --only AHEAD       those whose names have the text in them; may be given several times
 *   npm run rules -- --list             what there is, and nothing is tried
 *
 * The page keeps the rows of numbers that were not tried and are still what they were. Exit code 1 where a change is
 * not noticed. The tests of
 * a room run in one worker without isolation, until the first that fails; the room of the table comes first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { isMain, listFiles, listSources } from './source-files.mjs';

const CORE = 'packages/core';
const ROOMS = `${CORE}/src`;
const PAGE = 'docs/rules.md';
const FACTORS = [0.5, 1.5];
/** Taken for a number that is 0, which has no half. */
const INSTEAD_OF_NONE = 0.4;

/**
 * A number of a table: its name, its text, where that stands in the file, and what it means.
 * @typedef {{ name: string, text: string, start: number, end: number, meaning: string }} Rule
 */

/**
 * The tables of rules: files of core that are called so.
 * @param {string} root
 */
export function listTables(root) {
  return listSources(root, CORE).filter((path) => /-rules\.ts$/.test(path));
}

/**
 * The numbers of a table: each exported constant, or each field of one, whose value is written in numbers.
 * @param {string} text
 * @returns {Rule[]}
 */
export function listRules(text) {
  const file = ts.createSourceFile('rules.ts', text, ts.ScriptTarget.Latest, true);
  const rules = [];
  const add = (name, value, node) => {
    if (!/\d/.test(value.getText().replace(/[A-Za-z_]\w*/g, ''))) return;
    rules.push({
      name,
      text: value.getText(),
      start: value.getStart(),
      end: value.getEnd(),
      meaning: meaningOf(node),
    });
  };
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!initializer) continue;
      if (ts.isObjectLiteralExpression(initializer)) {
        for (const property of initializer.properties)
          if (ts.isPropertyAssignment(property))
            add(`${name.getText()}.${property.name.getText()}`, property.initializer, statement);
      } else add(name.getText(), initializer, statement);
    }
  }
  return rules;
}

/** The first sentence of the comment before a statement. */
function meaningOf(statement) {
  const [comment] = ts.getJSDocCommentsAndTags(statement);
  const words = comment ? (ts.getTextOfJSDocComment(comment.comment) ?? '') : '';
  return words
    .replace(/\s+/g, ' ')
    .split(/(?<=\.)\s/)[0]
    .trim();
}

/**
 * The table with one number changed.
 * @param {string} text
 * @param {Rule} rule
 * @param {number} factor
 */
export function changeRule(text, { text: value, start, end }, factor) {
  const changed = Number(value) === 0 ? `${factor * INSTEAD_OF_NONE}` : `(${factor} * (${value}))`;
  return text.slice(0, start) + changed + text.slice(end);
}

/**
 * The rooms that read a number, its own first.
 * @param {string} root
 * @param {string} table
 * @param {string} name of the number, `TABLE.field` or `NAME`
 */
export function roomsThatRead(root, table, name) {
  const constant = name.split('.')[0];
  const imports = new RegExp(
    `import \\{([^}]*)\\} from '(\\.[^']*/${posix.basename(table, '.ts')})\\.js'`,
    'g',
  );
  const reads = (path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(imports)].some(
      ([, names, to]) =>
        `${posix.join(posix.dirname(path), to)}.ts` === table &&
        names.split(',').some((each) => each.trim() === constant),
    );
  const rooms = listSources(root, CORE).filter(reads).map(roomOf);
  return [...new Set([roomOf(table), ...rooms])];
}

/** The room that a file of core stands in. */
function roomOf(path) {
  return path.slice(ROOMS.length + 1).split('/')[0];
}

/**
 * Runs tests with one file read as another text, until the first that fails.
 * @returns {Promise<string | null>} the name of that test, or null where all passed
 */
async function firstFailure(root, tests, path, text) {
  const { startVitest } = await import('vitest/node');
  const whole = join(root, path);
  const vitest = await startVitest(
    'test',
    tests,
    { run: true, root, watch: false, isolate: false, maxWorkers: 1, bail: 1, reporters: [{}] },
    {
      plugins: [
        {
          name: 'change-a-rule',
          enforce: 'pre',
          transform: (_, id) => (resolve(id.split('?')[0]) === whole ? text : undefined),
        },
      ],
    },
  );
  const modules = vitest.state.getTestModules();
  const failed = modules.flatMap((module) => [
    ...[...module.children.allTests('failed')].map((test) => test.fullName),
    ...module.errors().map(({ message }) => `${module.moduleId}: ${message}`),
  ]);
  const ran = modules.some((module) => [...module.children.allTests('passed')].length > 0);
  await vitest.close();
  process.exitCode = 0;
  if (!ran && failed.length === 0) throw new Error(`no test ran of ${tests.join(', ')}`);
  return failed[0] ?? null;
}

/** The rows that a page has, by name. */
function rowsOf(page) {
  return new Map(
    [...page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|.*$/gm)].map(([row, name, value]) => [
      `${name} ${value}`,
      row,
    ]),
  );
}

function rowOf(rule, noticed) {
  const cells = noticed.map((test) => (test === null ? '**not noticed**' : test.replaceAll('|', '/')));
  return `| \`${rule.name}\` | \`${rule.text}\` | ${rule.meaning} | ${cells.join(' | ')} |`;
}

const HEAD = `# Rules, and what notices them

Numbers that say what a contact is and how goals are planned and followed stand in tables: one place each, for whole clips and for live alike. \`npm run rules\` changes each number by half, down and up, and runs the tests of the rooms that read its table; the test that fails first is named here. A number that nobody notices says nothing. A number that is 0 is tried as ${FACTORS.map((factor) => factor * INSTEAD_OF_NONE).join(' and ')}.
`;

async function run(root, only, isList) {
  const path = join(root, PAGE);
  const before = rowsOf(existsSync(path) ? readFileSync(path, 'utf8') : '');
  let page = HEAD;
  let lost = 0;
  for (const table of listTables(root)) {
    const text = readFileSync(join(root, table), 'utf8');
    const testsOf = (room) => listFiles(root, `${ROOMS}/${room}`, '.test.ts');
    page += `\n## [${posix.basename(table)}](../${table})\n\n| rule | value | meaning | halved | half as large again |\n|---|---|---|---|---|\n`;
    const rules = listRules(text);
    const tried = rules.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
    if (!isList && tried.length > 0) {
      const failed = await firstFailure(root, testsOf(roomOf(table)), table, text);
      if (failed !== null) throw new Error(`${table}: a test fails with the rules as they are: ${failed}`);
    }
    for (const rule of rules) {
      if (isList) console.log(`${rule.name} = ${rule.text}: ${rule.meaning}`);
      if (isList || !tried.includes(rule)) {
        const known = before.get(`${rule.name} ${rule.text}`);
        page += `${known ?? `| \`${rule.name}\` | \`${rule.text}\` | ${rule.meaning} | not tried | not tried |`}\n`;
        continue;
      }
      const noticed = [];
      for (const factor of FACTORS) {
        let found = null;
        for (const room of roomsThatRead(root, table, rule.name))
          found ??= await firstFailure(root, testsOf(room), table, changeRule(text, rule, factor));
        noticed.push(found);
        console.log(`${rule.name} × ${factor}: ${noticed.at(-1) ?? 'NOT NOTICED'}`);
      }
      lost += noticed.filter((test) => test === null).length;
      page += `${rowOf(rule, noticed)}\n`;
    }
  }
  if (isList) return;
  writeFileSync(path, page);
  console.log(lost === 0 ? 'rules: every change is noticed' : `rules: ${lost} changes are not noticed`);
  if (lost > 0) process.exitCode = 1;
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, list: { type: 'boolean' } },
  });
  await run(fileURLToPath(new URL('..', import.meta.url)), values.only ?? [], values.list === true);
}
