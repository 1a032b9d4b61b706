import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** The page of names that versions promise to keep has at most so many values. */
const MOST_VALUES = 80;

const { Alias, Value } = ts.SymbolFlags;

/** @typedef {{ name: string, path: string, says: string, isValue: boolean }} Name */

/**
 * Reads the public names of core, in the groups in which index.ts lists them: `// Title` over a group.
 * @param {string} root the repository
 * @returns {{ title: string, names: Name[] }[]}
 * @throws where a name is said nothing of, there are too many values, or a signature names a type that is not public
 */
export function listApi(root) {
  const entry = join(root, 'packages/core/src/index.ts');
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  if (!file) throw new Error('packages/core/src/index.ts is not there');
  const groups = [];
  const symbols = new Map();
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause)
      throw new Error('packages/core/src/index.ts must name every export: no `export *`');
    const title = titleOver(file, statement);
    if (title !== null || groups.length === 0) groups.push({ title: title ?? 'Names', names: [] });
    for (const element of statement.exportClause.elements) {
      const symbol = resolved(checker, checker.getSymbolAtLocation(element.name));
      const source = symbol.declarations?.[0]?.getSourceFile().fileName;
      if (source === undefined)
        throw new Error(`packages/core/src/index.ts: ${element.name.text} is not there`);
      const says = firstSentence(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
      if (says === '') throw new Error(`${element.name.text} has no doc comment to say what it is`);
      symbols.set(symbol, element.name.text);
      const isTypeOnly = statement.isTypeOnly || element.isTypeOnly;
      groups.at(-1).names.push({
        name: element.name.text,
        path: relative(root, source).split(sep).join('/'),
        says,
        isValue: !isTypeOnly && (symbol.flags & Value) !== 0,
      });
    }
  }
  const values = groups.flatMap(({ names }) => names).filter(({ isValue }) => isValue);
  if (values.length > MOST_VALUES)
    throw new Error(`core has ${values.length} public values, and ${MOST_VALUES} are the most`);
  const unnamed = unnamedTypes(checker, symbols, join(root, 'packages/core/src'));
  if (unnamed.length > 0)
    throw new Error(`public signatures name types that are not public: ${unnamed.join(', ')}`);
  return groups;
}

/** The line comment directly over a statement, or null. */
function titleOver(file, statement) {
  const comments = ts.getLeadingCommentRanges(file.text, statement.getFullStart()) ?? [];
  const last = comments.at(-1);
  return last?.kind === ts.SyntaxKind.SingleLineCommentTrivia
    ? file.text.slice(last.pos + 2, last.end).trim()
    : null;
}

function resolved(checker, symbol) {
  return symbol && symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types of core that the signatures of public values name and that are not public themselves. */
function unnamedTypes(checker, symbols, folder) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) {
      const symbol = resolved(checker, checker.getSymbolAtLocation(node.typeName));
      const source = symbol?.declarations?.[0]?.getSourceFile().fileName;
      const isOwn = source?.startsWith(folder) && !(symbol.flags & ts.SymbolFlags.TypeParameter);
      if (isOwn && !symbols.has(symbol)) found.add(symbol.name);
    }
    ts.forEachChild(node, visit);
  };
  for (const symbol of symbols.keys())
    for (const declaration of symbol.declarations ?? []) {
      if (ts.isFunctionDeclaration(declaration)) {
        for (const { type } of declaration.parameters) if (type) visit(type);
        if (declaration.type) visit(declaration.type);
      } else if (ts.isVariableDeclaration(declaration) && declaration.type) visit(declaration.type);
    }
  return [...found].sort();
}

/** The first sentence of a doc comment on one line, links as code. */
function firstSentence(text) {
  const flat = text
    .replace(/\{@link (\w+) ?\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?= [A-Z`{]|$)/.exec(flat)?.[0] ?? flat;
}
