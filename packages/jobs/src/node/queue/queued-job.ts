import { createHash } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import { z } from 'zod';
import type { BatchSettings } from '../../batch/cell.js';
import type { ManifestEntry } from '../../batch/manifest.js';
import { Failure } from '../../failure.js';
import type { CellOrder } from '../batch/do-cell.js';
import { placeUnder } from '../place-under.js';
import { isBucketPlace } from '../store/object-store.js';

/** How many cells go into a job at most: about two seconds of work, so that a queue is not busy with itself. */
export const MOST_CELLS = 32;

const place = z.string().min(1).max(4096);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const cell = z.strictObject({
  key: sha256,
  // None of a character, which is made of cells.
  source: z.string().max(4096),
  target: place,
  clip: z.string().max(65_536).nullish(),
  family: z.array(place).max(64),
  hashes: z.array(z.string().max(64)).max(66),
  output: place,
  recipe: z.string().max(1024).nullable(),
  parts: z
    .array(z.strictObject({ key: sha256, source: place }))
    .max(100_000)
    .optional(),
});
const schema = z.strictObject({
  version: z.literal(1),
  /** Folders below the root that workers and coordinators share. */
  base: z.string().max(4096),
  folder: z.string().max(4096),
  cells: z.array(cell).min(1).max(MOST_CELLS),
  settings: z.record(z.string(), z.unknown()),
  /** Recipes that the cells name, in base64. */
  recipes: z.record(z.string(), z.string()),
  makes: z.enum(['files', 'picture']),
  /** Lines of cells that another worker has done before it was told to end. */
  done: z.array(z.looseObject({ key: z.string() })).max(MOST_CELLS),
});

/** A job of the queue: cells of one source, as plain data. All paths are relative to the root of who does it. */
export type QueuedJob = z.infer<typeof schema>;

/**
 * Puts orders of one source into a job.
 * @throws Failure where a file lies outside the root, which no worker could read.
 */
export function packJob(root: string, orders: readonly CellOrder[]): QueuedJob {
  const [{ base, folder, settings, makes }] = orders as [CellOrder, ...CellOrder[]];
  const below = (path: string) => {
    const way = isBucketPlace(root) ? belowBucket(root, path) : relative(root, path).split(sep).join('/');
    if (way === null || way === '..' || way.startsWith('../') || /^([A-Za-z]:|\/)/.test(way))
      throw new Failure(
        `${path} lies outside ${root}; --queue-root names a folder that holds files and results`,
      );
    return way;
  };
  const recipes = new Map<string, string>();
  for (const { cell, recipe } of orders)
    if (cell.recipe !== null && recipe)
      recipes.set(cell.recipe, Buffer.from(recipe.bytes).toString('base64'));
  return {
    version: 1,
    base: below(base),
    folder: below(folder),
    cells: orders.map(({ cell }) => cell),
    settings: settings as Record<string, unknown>,
    recipes: Object.fromEntries(recipes),
    makes,
    done: [],
  };
}

/** The way from a place in a bucket to one below it; null where it is not below. */
function belowBucket(root: string, path: string): string | null {
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

/**
 * What a job asks a worker to do, as orders for its threads.
 * @throws Failure where the job is none of ours, or names a place outside the root.
 */
export function unpackJob(
  root: string,
  data: unknown,
  own: Pick<CellOrder, 'read' | 'worker' | 'version'>,
): { orders: CellOrder[]; done: ManifestEntry[] } {
  const read = schema.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Failure(
      `the job is none of this version: ${issue!.path.join('.') || 'all of it'}: ${issue!.message}`,
    );
  }
  const { base, folder, cells, settings, recipes, makes, done } = read.data;
  const under = (path: string) => (path === '' ? root : placeUnder(root, path));
  const places = { base: under(base), folder: under(folder) };
  const known = new Set(done.map(({ key }) => key));
  const orders = cells
    .filter(({ key }) => !known.has(key))
    .map(({ parts, clip, ...each }): CellOrder => {
      for (const path of [each.source, each.target, ...each.family]) placeUnder(root, posix.join(base, path));
      placeUnder(root, posix.join(folder, each.output));
      const recipe = each.recipe === null ? undefined : recipes[each.recipe];
      if (each.recipe !== null && recipe === undefined)
        throw new Failure(`the job has no recipe ${each.recipe}, which one of its cells follows`);
      return {
        ...{ ...own, ...places, settings: settings as BatchSettings, makes },
        cell: { ...each, ...(parts && { parts }), ...(clip !== undefined && { clip }) },
        ...(recipe !== undefined && {
          recipe: { name: each.recipe!, bytes: new Uint8Array(Buffer.from(recipe, 'base64')) },
        }),
      };
    });
  return { orders, done: done as unknown as ManifestEntry[] };
}

/** The name of a job: the same for the same cells to the same place, so that none waits twice. */
export function nameOfJob({ folder, cells, makes }: QueuedJob): string {
  const keys = cells.map(({ key, output }) => `${key} ${output}`);
  return createHash('sha256')
    .update([folder, makes, ...keys].join('\n'))
    .digest('hex');
}

/** The name of the queue for a version: workers of another version do not see its jobs. */
export function nameOfQueue(version: string): string {
  return `stuntdouble-${version}`;
}
