import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import {
  type BatchRecipes,
  type BatchSettings,
  type ClipRange,
  checkJobOptions,
  GATES,
  type JobDocument,
} from '@stuntdouble/jobs';
import {
  type BatchFolder,
  isBucketPlace,
  joinPlace,
  openBatchFolder,
  openBucketFolder,
  readBucketPlace,
  readDocument,
} from '@stuntdouble/jobs/node';
import { InvalidArgumentError } from 'commander';
import type { SharedOptions } from '../commands/context.js';
import { optionsOfFlags } from '../flags/option-flags.js';

/** What may be typed for `batch`, beside the flags of the engine's options and of limits. */
export type BatchCommandOptions = SharedOptions & {
  onto: string[];
  out: string;
  work?: string;
  recipe?: string;
  recipes?: string;
  format?: string;
  layout?: string;
  name?: string;
  animationOnly?: boolean;
  compress?: boolean;
  replace?: boolean;
  workers?: number;
  queue?: string;
  queueRoot?: string;
  timeLimit?: number;
  junit?: string;
  gallery?: boolean | 'all';
  watch?: boolean;
  dryRun?: boolean;
  retryFailed?: boolean;
  stopAfter?: number;
  force?: boolean;
  prune?: boolean;
  clip?: string[];
  range?: ClipRange;
  keys?: boolean;
  fps?: number;
  map?: string;
  contacts?: string;
  constraints?: string;
  referenceFrom?: string[];
};

/** Flags of `retarget` that name a document of one source and one character, which a batch has in its recipes. */
const ONE_PAIR = ['map', 'contacts', 'constraints'] as const;

const LAYOUTS = ['cell', 'character'];

/**
 * What all cells share, out of what was typed.
 * @throws UsageError where flags cannot be meant together.
 */
export function batchSettings(options: BatchCommandOptions): BatchSettings {
  if (options.keys && options.fps !== undefined)
    throw new UsageError('--keys keeps the keys as they are and --fps bakes them; give one of the two');
  for (const name of ONE_PAIR)
    if (options[name] !== undefined)
      throw new UsageError(`--${name} is for one pair of files; put it into a recipe (--recipe, --recipes)`);
  const settings: BatchSettings = {
    options: optionsOfFlags(options),
    ...(options.clip && { clips: options.clip }),
    ...(options.range && { range: options.range }),
    ...(options.animationOnly && { animationOnly: true }),
    ...(options.compress && { compress: true }),
    ...(options.replace && { replace: true }),
    ...(options.layout === 'character' && { layout: 'character' }),
  };
  if (options.layout !== undefined && !LAYOUTS.includes(options.layout))
    throw new UsageError(`--layout ${options.layout}: there are ${LAYOUTS.join(' and ')}`);
  if (settings.options?.rootMotion === 'apart')
    throw new UsageError(
      '--root-motion apart gives a file beside each result, which a batch does not write; extract keeps it in the file',
    );
  checkJobOptions({ ...settings });
  return settings;
}

/**
 * The recipes of a batch by their names: one for all, or those of a folder.
 * @throws UsageError where both are given, Failure where one cannot be read.
 */
export async function batchRecipes({ recipe, recipes }: BatchCommandOptions): Promise<BatchRecipes> {
  const found = new Map<string, JobDocument>();
  if (recipe !== undefined && recipes !== undefined)
    throw new UsageError(
      '--recipe is one for all and --recipes a folder of them; give one, with default.json in the folder',
    );
  if (recipe !== undefined) found.set('default.json', (await readDocument(recipe))!);
  if (recipes === undefined) return found;
  if (!existsSync(recipes)) throw new UsageError(`--recipes ${recipes}: there is no such folder`);
  for (const name of readdirSync(recipes).sort())
    if (/(^default|@.+)\.json$/.test(name)) found.set(name, (await readDocument(join(recipes, name)))!);
  if (found.size === 0)
    throw new UsageError(
      `--recipes ${recipes}: it holds no recipe; they are called SOURCE@TARGET.json, @TARGET.json or default.json`,
    );
  return found;
}

/**
 * Opens what results go to: a folder, or a place in a bucket.
 * @throws UsageError where flags cannot be meant together, Failure where another batch is at it.
 */
export async function openResults(options: BatchCommandOptions): Promise<BatchFolder> {
  const { out, work } = options;
  if (!isBucketPlace(out)) {
    if (work !== undefined)
      throw new UsageError('--work is for results in a bucket: --out s3://BUCKET/FOLDER');
    return openBatchFolder(out);
  }
  for (const flag of ['gallery', 'watch', 'prune'] as const)
    if (options[flag])
      throw new UsageError(`--${flag} needs a folder on a disk; ${out} is in a bucket, which has neither`);
  const { bucket, prefix } = readBucketPlace(out);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return openBucketFolder(
    joinPlace(`s3://${bucket}`, prefix),
    work ?? join(cache, 'stuntdouble', bucket, prefix),
  );
}

/** The limits that were typed, by their flags. */
export function batchLimits(options: object): Record<string, number> {
  const typed = options as Record<string, unknown>;
  return Object.fromEntries(
    GATES.flatMap(({ flag }) => {
      const limit = typed[flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
      return typeof limit === 'number' ? [[flag, limit]] : [];
    }),
  );
}

/** As many threads as there are processors but one, which the coordinator and the system share. */
export function defaultWorkers(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** A count as it is typed. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 10_000) throw new InvalidArgumentError('It is a count.');
  return value;
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A span of time as it is typed, such as 90s, 10m or 1h. @returns milliseconds. */
export function parseSpan(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text) ?? [];
  if (number === undefined || !(Number(number) > 0))
    throw new InvalidArgumentError('It is a span such as 90s, 10m or 1h.');
  return Math.min(Number(number) * UNITS[unit as keyof typeof UNITS], 2 ** 31 - 1);
}
