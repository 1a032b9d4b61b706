/*
 * The doc gate: everything that a package exports has a doc comment that says something.
 *
 * Every module below a package's src is held to it, not only what an index exports: a symbol that is internal
 * today is public after one line in an index, and readers of the code need it as much as users do.
 *
 *   node scripts/check-docs.mjs [FOLDER]
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isMain, listPackages, listSources, placeOf } from './source-files.mjs';

/**
 * Finds the exports without a doc comment.
 * @param {string} root the repository
 * @returns {{ exports: number, problems: string[] }} how many exports were looked at, and `file:line name` of
 * each that says nothing
 */
export function checkDocs(root) {
  const paths = listPackages(root).flatMap(({ folder }) => listSources(root, folder));
  // Imports need not be followed: each symbol is looked at in the file that declares it.
  const program = ts.createProgram(
    paths.map((path) => join(root, path)),
    { noResolve: true, noLib: true, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.Preserve },
  );
  const checker = program.getTypeChecker();
  const problems = [];
  let count = 0;
  for (const path of paths) {
    const file = program.getSourceFile(join(root, path));
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) continue;
    const found = [];
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declaration = symbol.declarations?.[0];
      if (!declaration || declaration.getSourceFile() !== file) continue;
      count++;
      if (ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() === '')
        found.push({ name: exported.name, position: declaration.getStart() });
    }
    found.sort((a, b) => a.position - b.position);
    for (const { name, position } of found) problems.push(`${placeOf(path, file, position)} ${name}`);
  }
  return { exports: count, problems };
}

if (isMain(import.meta.url)) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  const { exports, problems } = checkDocs(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} of ${exports} exports have no doc comment`);
    process.exitCode = 1;
  } else if (exports === 0) {
    console.error(`no exports found below ${join(root, 'packages')}`);
    process.exitCode = 1;
  } else {
    console.log(`docs: all ${exports} exports have a doc comment`);
  }
}
