import { UsageError } from '@stuntdouble/core/engine';
import { FILE_KINDS, type FileKindName, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { parseDocument } from '../documents/parse-document.js';
import { fileName, foldName, outputPaths, stemOf } from '../output-paths.js';
import { canonicalJson, sha256Of } from './canonical-json.js';
import { type BatchFile, type BatchRecipes, type BatchSettings, type Cell, partOutput } from './cell.js';

/** Changes when a cell comes to other bytes for the same inputs though the version of the package stays. */
const CELL_FORMAT = 2;

/** How results are named if nothing is said. */
export const DEFAULT_NAME = '{target}/{source}{ext}';

/** What a batch is made of. */
export type BatchInput = {
  sources: readonly BatchFile[];
  targets: readonly BatchFile[];
  settings: BatchSettings;
  recipes?: BatchRecipes;
  /** The extension of results; `same` is the target's. `same` if left out. */
  format?: string;
  /**
   * How results are named: `{source}`, `{target}`, `{clip}`, `{key}` and `{ext}` stand for what they say, `{folder}` for the
   * name of the folder that the source lies in, `{path}` for all of its folders below what was named. With `{clip}` every
   * clip is a cell of its own. Files of a character with all clips have none of `{source}`, `{folder}`, `{path}` and `{clip}`.
   */
  name?: string;
  /** Files that the batch reads, as results would be named that took their places: none may. */
  reads?: readonly string[];
  /** The version of the package, which is part of every key. */
  version: string;
};

/**
 * Lists the cells of a batch, character by character, each with the key that says whether it has been done. Copies of one
 * file that would have one result have one key: it is theirs together.
 * @throws UsageError where two cells would have one name, or a name cannot be meant.
 */
export async function planCells(input: BatchInput): Promise<Cell[]> {
  const { sources, targets, settings, recipes = new Map(), name = DEFAULT_NAME } = input;
  const isPart = settings.layout === 'character';
  if (isPart) checkCharacters(input);
  else checkName(name, FIELDS);
  const isByClip = !isPart && name.includes('{clip}');
  const byFolder = !isPart && name.includes('{folder}');
  const byPath = !isPart && name.includes('{path}');
  const { animationOnly: _only, compress: _compress, replace: _replace, ...ofParts } = settings;
  const { clips: _clips, ...ofClips } = settings;
  const shared = canonicalJson([
    ...[CELL_FORMAT, input.version],
    isPart ? ofParts : isByClip ? ofClips : settings,
  ]);
  const recipeKeys = new Map<string, string>();
  for (const [called, document] of recipes)
    recipeKeys.set(called, parseDocument(document, 'a recipe', canonicalJson));
  const cells: Cell[] = [];
  const taken = new Map<string, Cell>();
  const clashes: [Cell, Cell, string][] = [];
  const reads = new Set(input.reads?.map(foldName));
  const take = (cell: Cell, output: string) => {
    if (reads.has(foldName(output))) throw new UsageError(`${pairWords(cell)} ${placeWords(output)}`);
    const other = taken.get(foldName(output));
    const isCopy = other?.key === cell.key && (other.source !== cell.source || other.target !== cell.target);
    if (other && !isCopy) clashes.push([other, cell, output]);
    else taken.set(foldName(output), cell);
  };
  for (const target of targets) {
    const extension = isPart ? '' : extensionOf(target, input);
    for (const source of sources) {
      const recipe = recipeFor(stemOf(source.path), stemOf(target.path), recipes);
      const parts = [
        ...[shared, source.sha256, target.sha256, source.family?.map(({ sha256 }) => sha256) ?? []],
        ...[stemOf(source.path), stemOf(target.path), extension],
        // Files that are the same but for their folder have results of their own then.
        ...(byFolder ? [folderOf(source.path)] : []),
        ...(byPath ? [pathOf(source)] : []),
        recipe === null ? null : recipeKeys.get(recipe)!,
      ];
      const family = source.family?.map(({ path }) => path) ?? [];
      const hashes = [source, target, ...(source.family ?? [])].map(({ sha256 }) => sha256);
      for (const clip of isByClip ? clipsOf(source, settings) : [undefined]) {
        const key = await sha256Of(canonicalJson(clip === undefined ? parts : [...parts, clip]));
        const fields: Record<string, string> = {
          source: fileName(stemOf(source.path)),
          folder: folderOf(source.path),
          path: pathOf(source),
          target: fileName(stemOf(target.path)),
          clip: fileName(clip ?? 'unknown'),
          key,
          ext: `.${extension}`,
        };
        const output = isPart ? partOutput(key) : fillName(name, fields);
        const cell: Cell = {
          ...{ key, source: source.path, target: target.path, family, hashes, output, recipe },
          ...(clip !== undefined && { clip }),
        };
        cells.push(cell);
        // Parts are called by their keys: those of one name are one. A clip that is not there is not written.
        const hasClip = (name: string) => source.clips?.includes(name) ?? true;
        if (isPart || clip === null || (clip !== undefined && !hasClip(clip))) continue;
        const inIt = clip !== undefined ? [clip] : (settings.clips?.filter(hasClip) ?? source.clips ?? []);
        for (const { path } of outputPaths(output, inIt)) take(cell, path);
      }
    }
  }
  if (clashes.length > 0) throw new UsageError(clashWords(clashes, input));
  return cells;
}

/** The name of the folder that a file lies in; empty where its path has none. */
function folderOf(path: string): string {
  const folder = path.split('/').at(-2) ?? '';
  return /^\.{0,2}$/.test(folder) ? '' : fileName(folder);
}

/** The folders that a file lies in below what was named, made fit for names; empty where there are none. */
function pathOf({ below = '' }: BatchFile): string {
  return below.split('/').filter(Boolean).map(fileName).join('/');
}

/** What is said where results would have one name, with a pattern by which the first two have names of their own. */
function clashWords(clashes: readonly [Cell, Cell, string][], { sources, name = DEFAULT_NAME }: BatchInput) {
  const [[a, b, output]] = clashes as [[Cell, Cell, string]];
  const isTold = (nameOf: (file: BatchFile) => string) => {
    const [one, other] = [a, b].map(({ source }) => nameOf(sources.find(({ path }) => path === source)!));
    return foldName(one!) !== foldName(other!);
  };
  const tells = (field: string, nameOf: (file: BatchFile) => string) =>
    name.includes('{source}') && !name.includes(field) && isTold(nameOf);
  const apart = tells('{path}', pathOf)
    ? name.replace('{source}', '{path}/{source}')
    : tells('{folder}', ({ path }) => folderOf(path))
      ? name.replace('{source}', '{folder}/{source}')
      : name.replace('{ext}', '-{key}{ext}');
  const more = clashes.length > 1 ? ` (and ${clashes.length - 1} more such)` : '';
  return `${pairWords(a)} and ${pairWords(b)} would both be ${output}${more}; tell them apart with --name, such as '${apart}'`;
}

/** The clips of a source that have a cell each; null for one of which none is known. */
function clipsOf({ path, clips }: BatchFile, settings: BatchSettings): (string | null)[] {
  const wanted = settings.clips ?? clips;
  if (!wanted)
    throw new UsageError(`names by {clip} need the names of the clips in ${path}, which are not given`);
  // Two of one name are refused, as they would be one file, but for those that were asked for twice.
  return wanted.length === 0 ? [null] : settings.clips ? [...new Set(wanted)] : [...wanted];
}

const pairWords = ({ source, target, clip }: Cell) =>
  typeof clip === 'string' ? `${clip} of ${source} on ${target}` : `${source} on ${target}`;

const placeWords = (output: string) =>
  `would be ${output}, in place of a file that the batch reads; give --out another folder, or --name another name`;

/** How files of one character each are named if nothing is said. */
const CHARACTER_NAME = '{target}{ext}';

/**
 * The file of a character that has the clips of its cells, as a cell with parts.
 * @param parts The cells that are done, in the order in which their clips stand.
 */
export async function planCharacter(
  target: BatchFile,
  parts: readonly Cell[],
  input: Pick<BatchInput, 'settings' | 'format' | 'name' | 'version'>,
): Promise<Cell> {
  const { settings, version, name = CHARACTER_NAME } = input;
  const extension = extensionOf(target, input);
  const { animationOnly = false, compress = false, replace = false } = settings;
  const key = await sha256Of(
    canonicalJson([
      ...[CELL_FORMAT, version, 'character', target.sha256, stemOf(target.path), extension],
      { animationOnly, compress, replace },
      parts.map((part) => [part.key, stemOf(part.source)]),
    ]),
  );
  return {
    ...{ key, source: '', target: target.path, family: [], hashes: ['', target.sha256], recipe: null },
    output: fillName(name, { target: fileName(stemOf(target.path)), key, ext: `.${extension}` }),
    parts: parts.map((part) => ({ key: part.key, source: part.source })),
  };
}

/** Makes sure that every character has a file of its own, which holds many clips, before work begins. */
function checkCharacters(input: BatchInput): void {
  const { targets, name = CHARACTER_NAME } = input;
  checkName(name, CHARACTER_FIELDS);
  const reads = new Set(input.reads?.map(foldName));
  const taken = new Map<string, string>();
  for (const target of targets) {
    const extension = extensionOf(target, input);
    if (FILE_KINDS[extension].clips === 'one')
      throw new UsageError(
        `--layout character: a .${extension} file holds one clip; write another with --format glb, or one file a cell`,
      );
    const stem = fileName(stemOf(target.path));
    const output = fillName(name, { target: stem, key: target.sha256, ext: `.${extension}` });
    if (reads.has(foldName(output)))
      throw new UsageError(`${target.path} with all clips ${placeWords(output)}`);
    const other = taken.get(foldName(output));
    if (other !== undefined)
      throw new UsageError(
        `${other} and ${target.path} would both be ${output}; tell them apart with --name, such as '{target}-{key}{ext}'`,
      );
    taken.set(foldName(output), target.path);
  }
}

function fillName(name: string, fields: Readonly<Record<string, string>>): string {
  // Of a folder without a name nothing is left, nor what parts it from the rest.
  return name
    .replace(/\{(folder|path)\}[/\\_-]?/g, (all, field: string) => (fields[field] ? all : ''))
    .replace(/\{(\w+)\}/g, (_, field: string) => fields[field]!);
}

/** What the result for a character is written as. @throws UsageError where that is not written. */
function extensionOf(
  target: BatchFile,
  { format = 'same', settings }: Pick<BatchInput, 'format' | 'settings'>,
): FileKindName {
  const own = /\.([^./\\]*)$/.exec(target.path)?.[1]?.toLowerCase();
  const wanted = WRITTEN_EXTENSIONS.find((known) => known === (format === 'same' ? own : format));
  if (!wanted && format !== 'same')
    throw new UsageError(`--format ${format}: there are ${['same', ...WRITTEN_EXTENSIONS].join(', ')}`);
  // A VRM is a character with its meshes: without them its clips are a GLB.
  const isClipsOfVrm = wanted === 'vrm' && settings.animationOnly;
  if (isClipsOfVrm && format !== 'same')
    throw new UsageError(
      '--format vrm --animation-only: a .vrm is a whole character; write clips alone with --format glb or vrma',
    );
  return !wanted || isClipsOfVrm ? 'glb' : wanted;
}

const FIELDS = ['source', 'folder', 'path', 'target', 'clip', 'key', 'ext'];
const CHARACTER_FIELDS = ['target', 'key', 'ext'];

function checkName(name: string, known: readonly string[]): void {
  for (const [, field] of name.matchAll(/\{(\w*)\}/g))
    if (!known.includes(field!))
      throw new UsageError(
        `--name ${name}: there is no {${field}}; there are ${known.map((each) => `{${each}}`).join(', ')}`,
      );
  if (/^([/\\]|[A-Za-z]:)/.test(name) || name.split(/[/\\]/).includes('..'))
    throw new UsageError(`--name ${name} leads out of the folder that results go to`);
  if (!name.includes('{ext}')) throw new UsageError(`--name ${name}: end it with {ext}`);
}

/** The recipe that a cell follows: the most special one that there is. */
function recipeFor(source: string, target: string, recipes: BatchRecipes): string | null {
  const names = [`${source}@${target}.json`, `@${target}.json`, 'default.json'];
  return names.find((name) => recipes.has(name)) ?? null;
}
