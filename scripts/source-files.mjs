import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'out', 'coverage', '.git']);

/**
 * Lists the files below a folder whose name ends in `ending`, sorted, as paths with forward slashes relative
 * to `root`. Installed and built files are left out; a folder that is not there has no files.
 * @param {string} root
 * @param {string} folder relative to `root`
 * @param {string} ending
 * @returns {string[]}
 */
export function listFiles(root, folder, ending) {
  const found = [];
  const walk = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) walk(join(at, entry.name));
      } else if (entry.name.endsWith(ending)) {
        found.push(relative(root, join(at, entry.name)).split(sep).join('/'));
      }
    }
  };
  if (existsSync(join(root, folder))) walk(join(root, folder));
  return found.sort();
}

/**
 * Lists the workspace packages below `packages` and `apps`: folder relative to `root`, and package.json.
 * @param {string} root
 * @returns {{ folder: string, manifest: Record<string, any> }[]}
 */
export function listPackages(root) {
  const found = [];
  for (const group of ['packages', 'apps']) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group)).sort()) {
      const path = join(root, group, name, 'package.json');
      if (existsSync(path))
        found.push({ folder: `${group}/${name}`, manifest: JSON.parse(readFileSync(path, 'utf8')) });
    }
  }
  return found;
}

/**
 * Lists what a package ships: the TypeScript below its `src`, tests left out.
 * @param {string} root
 * @param {string} folder the package's, relative to `root`
 */
export function listSources(root, folder) {
  return [...listFiles(root, `${folder}/src`, '.ts'), ...listFiles(root, `${folder}/src`, '.tsx')].filter(
    (path) => !/\.test\.tsx?$/.test(path),
  );
}

/**
 * Parses one TypeScript file with parent links.
 * @param {string} root
 * @param {string} path relative to `root`
 */
export function parseFile(root, path) {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true);
}

/**
 * Names the place of a node for a person and for a terminal that makes it a link: `file:line`.
 * @param {string} path
 * @param {import('typescript').SourceFile} file
 * @param {number} position
 */
export function placeOf(path, file, position) {
  return `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
}

/**
 * Whether this module was started by `node`, rather than imported.
 * @param {string} moduleUrl its `import.meta.url`
 */
export function isMain(moduleUrl) {
  // A module's address has its links resolved, the command line has not.
  return process.argv[1] !== undefined && moduleUrl === pathToFileURL(realpathSync(process.argv[1])).href;
}
