import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { listPackages } from './source-files.mjs';

const TYPE = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class;

/**
 * Lists the types that the libraries export, each with the first sentence of its doc comment, by name.
 * @param {string} root the repository
 * @param {readonly string[]} folders of the packages, relative to `root`
 * @returns {{ name: string, path: string, says: string }[]}
 */
export function listTypes(root, folders) {
  const entries = listPackages(root)
    .filter(({ folder }) => folders.includes(folder))
    .flatMap(({ folder, manifest }) =>
      Object.values(manifest.exports ?? {}).map((entry) =>
        join(root, folder, entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
      ),
    )
    .filter((path) => path.endsWith('.ts') && existsSync(path));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const found = new Map();
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const file = symbol.declarations?.[0]?.getSourceFile().fileName;
      if (!(symbol.flags & TYPE) || file === undefined || file.endsWith('.d.ts')) continue;
      const path = relative(root, file).split(sep).join('/');
      const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      found.set(`${exported.name} ${path}`, { name: exported.name, path, says: firstSentence(text) });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The first sentence of a doc comment on one line, links as code. */
function firstSentence(text) {
  const flat = text
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?= [A-Z`{]|$)/.exec(flat)?.[0] ?? flat;
}
