import { UsageError } from '@stuntdouble/core/engine';
import { WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { parseDocument } from '../documents/parse-document.js';
import { fileName, foldName, stemOf } from '../output-paths.js';
import { canonicalJson, sha256Of } from './canonical-json.js';
import type { BatchFile, BatchRecipes, BatchSettings, Cell } from './cell.js';

/** Changes when a cell comes to other bytes for the same inputs though the version of the package stays. */
const CELL_FORMAT = 1;

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
  /** How results are named: `{source}`, `{target}`, `{key}` and `{ext}` stand for what they say. */
  name?: string;
  /** The version of the package, which is part of every key. */
  version: string;
};

/**
 * Lists the cells of a batch, character by character, each with the key that says whether it has been done.
 * @throws UsageError where two cells would have one name, or a name cannot be meant.
 */
export async function planCells(input: BatchInput): Promise<Cell[]> {
  const { sources, targets, settings, recipes = new Map(), format = 'same', name = DEFAULT_NAME } = input;
  checkName(name);
  if (format !== 'same' && !isWritten(format))
    throw new UsageError(`--format ${format}: there are ${['same', ...WRITTEN_EXTENSIONS].join(', ')}`);
  const shared = canonicalJson([CELL_FORMAT, input.version, settings]);
  const recipeKeys = new Map<string, string>();
  for (const [called, document] of recipes)
    recipeKeys.set(called, parseDocument(document, 'a recipe', canonicalJson));
  const cells: Cell[] = [];
  const taken = new Map<string, Cell>();
  for (const target of targets) {
    const extension = format === 'same' ? extensionOfTarget(target.path) : format;
    for (const source of sources) {
      const recipe = recipeFor(stemOf(source.path), stemOf(target.path), recipes);
      const key = await sha256Of(
        canonicalJson([
          shared,
          source.sha256,
          target.sha256,
          source.family ?? null,
          stemOf(source.path),
          stemOf(target.path),
          extension,
          recipe === null ? null : recipeKeys.get(recipe)!,
        ]),
      );
      const fields: Record<string, string> = {
        source: fileName(stemOf(source.path)),
        target: fileName(stemOf(target.path)),
        key,
        ext: `.${extension}`,
      };
      const output = name.replace(/\{(\w+)\}/g, (_, field: string) => fields[field]!);
      const cell = { key, source: source.path, target: target.path, output, recipe };
      const other = taken.get(foldName(output));
      if (other)
        throw new UsageError(
          `${other.source} on ${other.target} and ${cell.source} on ${cell.target} would both be ${output}; tell them apart with --name, such as '{target}/{source}-{key}{ext}'`,
        );
      taken.set(foldName(output), cell);
      cells.push(cell);
    }
  }
  return cells;
}

function isWritten(extension: string): boolean {
  return WRITTEN_EXTENSIONS.some((known) => known === extension);
}

function extensionOfTarget(path: string): string {
  const extension = /\.([^./\\]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return isWritten(extension) ? extension : 'glb';
}

const FIELDS = ['source', 'target', 'key', 'ext'];

function checkName(name: string): void {
  for (const [, field] of name.matchAll(/\{(\w*)\}/g))
    if (!FIELDS.includes(field!))
      throw new UsageError(
        `--name ${name}: there is no {${field}}; there are ${FIELDS.map((each) => `{${each}}`).join(', ')}`,
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
