import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { READ_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { Failure } from '../../failure.js';

const READ: ReadonlySet<string> = new Set<string>(READ_EXTENSIONS);

/** Whether a file is one that can be read, by its name, and none of its steps is hidden. */
export function isReadName(path: string): boolean {
  const steps = path.split('/');
  return (
    !steps.some((step) => step.startsWith('.')) && READ.has(steps.at(-1)!.split('.').at(-1)!.toLowerCase())
  );
}

/** A file that an argument names. */
export type ListedFile = {
  /** With slashes. */
  path: string;
  /** The folders that it lies in below the first argument by which it is found, or below where its pattern has marks. */
  below: string;
};

/**
 * The files that arguments of a batch name: files as they are; of folders every one below that can be read, hidden
 * ones left out; patterns with `*`, `**` and `?`, for shells that leave them alone. Each once, sorted, as paths with
 * slashes. Links are followed; one that leads nowhere is listed, so that somebody is told of it.
 * @param isLeftOut What of folders and patterns is passed over: the folder of the results, and what they are.
 * @throws Failure that names an argument by which nothing is found.
 */
export function listFiles(names: readonly string[], isLeftOut: (path: string) => boolean): ListedFile[] {
  const found = new Map<string, ListedFile>();
  const add = (path: string, above = dirname(path)) => {
    const below = dirname(relative(above, path)).split(sep).join('/');
    const listed = { path: path.split(sep).join('/'), below: below === '.' ? '' : below };
    if (!found.has(resolve(path))) found.set(resolve(path), listed);
  };
  for (const name of names) {
    const before = found.size;
    const stats = statsOf(name);
    if (stats?.isFile()) {
      add(name);
      continue;
    }
    if (stats?.isDirectory()) for (const path of walk(name, isLeftOut)) add(path, name);
    else if (/[*?]/.test(name)) for (const path of matches(name, isLeftOut)) add(path, folderOfPattern(name));
    else throw new Failure(`cannot read ${name}: there is no such file or folder`);
    if (found.size === before) throw new Failure(`${name}: no file in it can be read`);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** What a path leads to; undefined where that is nothing, or a link that leads to itself. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function* walk(
  folder: string,
  isLeftOut: (path: string) => boolean,
  above: readonly string[] = [],
): Generator<string> {
  const place = realpathSync(folder);
  // A link that leads back to where it came from.
  if (above.includes(place)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || isLeftOut(resolve(path))) continue;
    const kind = entry.isSymbolicLink() ? statsOf(path) : entry;
    if (kind?.isDirectory()) yield* walk(path, isLeftOut, [...above, place]);
    else if ((kind?.isFile() ?? true) && READ.has(entry.name.split('.').at(-1)!.toLowerCase())) yield path;
  }
}

/** The part of a pattern that has no marks in it. */
function folderOfPattern(pattern: string): string {
  const steps = pattern.split(/[/\\]/);
  return steps.slice(0, firstMark(steps)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

const firstMark = (steps: readonly string[]) => steps.findIndex((step) => /[*?]/.test(step));

/** The files below the part of a pattern that has no marks in it which the pattern fits. */
function* matches(pattern: string, isLeftOut: (path: string) => boolean): Generator<string> {
  const root = folderOfPattern(pattern);
  if (!statsOf(root)?.isDirectory()) return;
  const steps = pattern.split(/[/\\]/);
  const rest = steps.slice(firstMark(steps)).map((step) =>
    step === '**'
      ? '(?:.*/)?'
      : `${step
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replace(/\*/g, '[^/]*')
          .replace(/\?/g, '[^/]')}/`,
  );
  const fits = new RegExp(`^${rest.join('')}$`);
  for (const path of walk(root, isLeftOut))
    if (fits.test(`${relative(root, path).split(sep).join('/')}/`)) yield path;
}
