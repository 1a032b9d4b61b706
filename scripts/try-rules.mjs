/*
 * Tries every number of the rules tables: halved, and half as large again. A test of a room that reads the table must
 * notice either, or the number says nothing. The tree is not touched: the number is changed while vitest loads the file.
 *
 *   npm run rules                       every number; writes docs/rules.md
 *   npm run rules -- --only AHEAD       those whose names have the text in them; may be given several times
 *   npm run rules -- --list             what there is, and nothing is tried
 *
 * The page keeps the rows of numbers that were not tried and are still what they were. Exit code 1 where a change is
 * not noticed. The tests of a room run in one worker without isolation, until the first that fails; the room of the
 * table comes first.
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
    // Numbers and names that are reckoned with; what is called or built is none.
    if (!/^[\w\s.+*/()-]+$/.test(value.getText()) || !/(?<!\w)\.?\d/.test(value.getText())) return;
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
            add(
              `${name.getText()}.${property.name.getText()}`,
              property.initializer,
              ts.getJSDocCommentsAndTags(property).length > 0 ? property : statement,
            );
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
 * Makes what runs tests with one file read as another text, until the first that fails. The tests of a room are started
 * once and run again and again: a start takes longer than most of them.
 */
function createTrier(root) {
  /** By room what runs its tests, and which text each file is read as. */
  const started = new Map();
  const texts = new Map();
  const start = async (room) => {
    const { createVitest } = await import('vitest/node');
    const vitest = await createVitest(
      'test',
      { root, watch: false, isolate: false, pool: 'threads', maxWorkers: 1, bail: 1, reporters: [{}] },
      {
        plugins: [
          {
            name: 'change-a-rule',
            enforce: 'pre',
            transform: (_, id) => texts.get(resolve(id.split('?')[0])),
          },
        ],
      },
    );
    const tests = await vitest.globTestSpecifications(listFiles(root, `${ROOMS}/${room}`, '.test.ts'));
    return { vitest, tests };
  };
  return {
    /** @returns {Promise<string | null>} the name of the first test that fails, or null where all pass */
    async firstFailure(room, path, text) {
      if (!started.has(room)) started.set(room, await start(room));
      const { vitest, tests } = started.get(room);
      const whole = join(root, path);
      // What was changed before is what it was.
      const before = [...texts.keys()];
      texts.clear();
      texts.set(whole, text);
      for (const file of [...before, whole]) vitest.invalidateFile(file);
      const { testModules } = await vitest.runTestSpecifications(tests, true);
      const failed = testModules.flatMap((module) => [
        ...[...module.children.allTests('failed')].map((test) => test.fullName),
        ...module.errors().map(({ message }) => `${module.moduleId}: ${message}`),
      ]);
      const ran = testModules.some((module) => [...module.children.allTests('passed')].length > 0);
      process.exitCode = 0;
      if (!ran && failed.length === 0) throw new Error(`no test of ${room} ran`);
      return failed[0] ?? null;
    },
    async close() {
      for (const { vitest } of started.values()) await vitest.close();
    },
  };
}

/** What noticed the rules of a page, by name and value. */
function noticedOf(page) {
  return new Map(
    [...page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|.* \| ([^|]*) \| ([^|]*) \|$/gm)].map(
      ([, name, value, ...noticed]) => [`${name} ${value}`, noticed],
    ),
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
  const before = noticedOf(existsSync(path) ? readFileSync(path, 'utf8') : '');
  let page = HEAD;
  let lost = 0;
  const trier = createTrier(root);
  for (const table of listTables(root)) {
    const text = readFileSync(join(root, table), 'utf8');
    const rules = listRules(text);
    if (rules.length === 0) continue;
    page += `\n## [${posix.basename(table)}](../${table})\n\n| rule | value | meaning | halved | half as large again |\n|---|---|---|---|---|\n`;
    const tried = rules.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
    if (!isList && tried.length > 0) {
      const failed = await trier.firstFailure(roomOf(table), table, text);
      if (failed !== null) throw new Error(`${table}: a test fails with the rules as they are: ${failed}`);
    }
    for (const rule of rules) {
      if (isList) console.log(`${rule.name} = ${rule.text}: ${rule.meaning}`);
      if (isList || !tried.includes(rule)) {
        page += `${rowOf(rule, before.get(`${rule.name} ${rule.text}`) ?? ['not tried', 'not tried'])}\n`;
        continue;
      }
      const noticed = [];
      for (const factor of FACTORS) {
        let found = null;
        for (const room of roomsThatRead(root, table, rule.name))
          found ??= await trier.firstFailure(room, table, changeRule(text, rule, factor));
        noticed.push(found);
        console.log(`${rule.name} × ${factor}: ${noticed.at(-1) ?? 'NOT NOTICED'}`);
      }
      lost += noticed.filter((test) => test === null).length;
      page += `${rowOf(rule, noticed)}\n`;
    }
  }
  await trier.close();
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
