/*
 * Cuts out of a packed entry what was never run while our samples were played: functions, branches, what stands behind
 * a return. In its place stands a call of `notBrought` (packages/adapters/src/shared/whole-when-missing.ts).
 *
 * What was never run is told by places: a statement of the outermost scope has so and so many places that may be cut,
 * counted in the order in which they stand. A statement that is new, or whose text has changed since, is left whole.
 */
import { createHash } from 'node:crypto';
import ts from 'typescript';

/** Below so many letters the call that stands in for something takes as much as it saves. */
const LEAST = 8;

const TRAP = 'notBrought()';

/**
 * Places of a statement that may be cut, the outer before the inner: where each begins and ends, and what comes in its
 * place.
 * @param {ts.Node} statement
 */
export function listCuts(statement) {
  const cuts = [];
  const add = (first, last, put) => cuts.push({ start: first.getStart(), end: last.end, put });
  const walkList = (statements) => {
    statements.forEach((each, n) => {
      // All that follows goes with it: where one statement was not reached those behind it were not. Functions are
      // there before their statement is reached.
      if (!ts.isFunctionDeclaration(each)) {
        let last = n;
        while (last + 1 < statements.length && !ts.isFunctionDeclaration(statements[last + 1])) last++;
        add(each, statements[last], `${TRAP};`);
      }
      walk(each);
    });
  };
  const walkBranch = (branch, put) => {
    add(branch, branch, put);
    walk(branch);
  };
  const walk = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      node.parameters.forEach(walk);
      if (ts.isBlock(node.body)) {
        add(node.body, node.body, `{ ${TRAP}; }`);
        walkList(node.body.statements);
      } else walkBranch(node.body, TRAP);
    } else if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) {
      if (node.expression) walk(node.expression);
      walkList(node.statements);
    } else if (ts.isIfStatement(node)) {
      walk(node.expression);
      walkBranch(node.thenStatement, `${TRAP};`);
      if (node.elseStatement) walkBranch(node.elseStatement, `${TRAP};`);
    } else if (ts.isConditionalExpression(node)) {
      walk(node.condition);
      walkBranch(node.whenTrue, TRAP);
      walkBranch(node.whenFalse, TRAP);
    } else if (ts.isBinaryExpression(node) && /^(&&|\|\||\?\?)$/.test(node.operatorToken.getText())) {
      walk(node.left);
      walkBranch(node.right, TRAP);
    } else if (ts.isIterationStatement(node, false)) {
      ts.forEachChild(node, (child) =>
        child === node.statement ? walkBranch(child, `${TRAP};`) : walk(child),
      );
    } else ts.forEachChild(node, walk);
  };
  walk(statement);
  return cuts;
}

/** A few letters by which a statement is known again, whatever numbers packing has added to its names. */
export const markOf = (text) =>
  createHash('sha256')
    .update(text.replace(/\b([A-Za-z_$]\w*?)\d+\b/g, '$1'))
    .digest('hex')
    .slice(0, 6);

/**
 * Which cuts of a statement were never run.
 * @param {(start: number, end: number) => boolean} wasRun whether anything of a stretch of the text was
 * @returns {number[]} places in the list of cuts; none that lies in another
 */
export function findCold(statement, wasRun) {
  const cold = [];
  let end = -1;
  listCuts(statement).forEach((cut, place) => {
    if (cut.start < end || cut.end - cut.start < LEAST || wasRun(cut.start, cut.end)) return;
    cold.push(place);
    end = cut.end;
  });
  return cold;
}

/** Statements of the outermost scope of a packed entry that give names, where each begins. */
function statementsOf(text) {
  const { statements } = ts.createSourceFile(
    'entry.js',
    text,
    ts.ScriptTarget.ES2022,
    true,
    ts.ScriptKind.JS,
  );
  return new Map(statements.map((statement) => [statement.getStart(), statement]));
}

/** What is told of a function that was never run. */
const NEVER = 'never';

/** What is told of one statement: how it is known again, in which file it comes, and which of its cuts were never run. */
const write = ({ mark, part, cold }) => [mark, part, ...cold].join(' ');
const read = (told) => {
  const [mark, part, ...cold] = told.split(' ');
  return { mark, part, cold: cold.map(Number) };
};

/**
 * What {@link cutCold} is told of a packed entry: what of its statements was run.
 * @param {(unit: object) => string} nameOf the name that a unit is told by
 * @param {{ part: string, wasRun: (start: number, end: number) => boolean }[]} runs what was run, the least first: a
 *   function comes with the first that runs it
 */
export function tellCold(text, { units }, nameOf, runs) {
  const told = {};
  const put = (unit, line) => {
    told[unit.file] ??= {};
    told[unit.file][nameOf(unit)] = line;
  };
  const statements = statementsOf(text);
  for (const unit of units) {
    if (unit.names.length === 0) continue;
    const statement = statements.get(unit.start);
    const { start, end } = unit.isFunction
      ? { start: statement.body.getStart(), end: statement.body.end }
      : { start: unit.start, end: unit.start + 1 };
    const first = runs.find(({ wasRun }) => wasRun(start, end));
    if (!first) {
      if (unit.isFunction) put(unit, NEVER);
      continue;
    }
    const cold = findCold(statement, (from, to) => runs.some(({ wasRun }) => wasRun(from, to)));
    if (cold.length === 0 && !unit.isFunction) continue;
    put(unit, write({ mark: markOf(unit.text), part: first.part, cold }));
  }
  return told;
}

/**
 * A packed entry without what was never run.
 * @returns its text, and by name the file that each function which was run comes in
 */
export function cutCold(text, { units }, nameOf, told) {
  const changes = [];
  const parts = new Map();
  const statements = statementsOf(text);
  for (const unit of units) {
    if (unit.names.length === 0) continue;
    const statement = statements.get(unit.start);
    const line = told[unit.file]?.[nameOf(unit)];
    // New since: it comes whole.
    if (line === undefined) continue;
    if (line === NEVER) {
      changes.push({ start: statement.body.getStart(), end: statement.body.end, put: `{ ${TRAP}; }` });
      continue;
    }
    const { mark, part, cold } = read(line);
    if (unit.isFunction) parts.set(unit.names[0], part);
    if (cold.length === 0 || mark !== markOf(unit.text)) continue;
    const cuts = listCuts(statement);
    for (const place of cold) changes.push(cuts[place]);
  }
  let cut = text;
  for (const { start, end, put } of changes.sort((a, b) => b.start - a.start))
    cut = cut.slice(0, start) + put + cut.slice(end);
  return { text: cut, parts };
}
