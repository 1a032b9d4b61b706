import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import type { ReadOptions } from '@stuntdouble/formats';
import {
  type BatchFile,
  type BatchRecipes,
  type BatchSettings,
  type Cell,
  partOutput,
} from '../../batch/cell.js';
import type { ManifestEntry } from '../../batch/manifest.js';
import { planCells, planCharacter } from '../../batch/plan-cells.js';
import { judgeFigures } from '../../measure/gates.js';
import { outputPaths } from '../../output-paths.js';
import { type BatchFiles, findBatchFiles } from './batch-files.js';
import type { BatchFolder } from './batch-folder.js';
import type { CellRunner } from './cell-runners.js';
import { type CellOrder, cardName, failedEntry, pictureOf } from './do-cell.js';
import { withFamilies } from './find-families.js';
import { type KnownLook, knownLook, type Looker, lookAtFiles, PLAIN_LOOKER } from './look-at-file.js';
import { keepFamilies } from './read-planned.js';

/** Every source on every character. */
export type Batch = {
  /** Files, folders and patterns. */
  sources: readonly string[];
  targets: readonly string[];
  folder: BatchFolder;
  settings: BatchSettings;
  recipes: BatchRecipes;
  read: ReadOptions;
  /** Files by which sources with their skeleton are understood; else the member of each family that stands best. */
  references?: readonly string[];
  format?: string;
  name?: string;
  version: string;
  /** Limits by their flags, held against every cell. */
  limits: Readonly<Record<string, number>>;
  /** Whether cells are done again that are up to date. */
  force?: boolean;
  /** Whether cells are tried again that failed by their files. */
  retryFailed?: boolean;
  /** Whether it is only said what would be done: characters are looked at, too, as no cell will tell of them. */
  isDry?: boolean;
};

/** What of a batch is done, and what is to be done. */
export type BatchPlan = {
  /** Where its files are. */
  files: BatchFiles;
  targets: readonly BatchFile[];
  cells: readonly Cell[];
  /** Cells to be done, in the order in which they are. */
  todo: readonly Cell[];
  /** Lines of cells that are up to date, or that failed by their files before. */
  kept: readonly ManifestEntry[];
  /** Results of cells that are no part of the batch any more, below its folder. */
  orphans: readonly string[];
  /** Files that could not be hashed or looked at, and why. */
  unread: readonly ManifestEntry[];
  /** Files that were looked at and cannot be read: their cells fail, and say why. */
  unreadable: readonly string[];
  /** Bytes that the results will take, guessed from what the sources hold and from the characters. */
  expectedBytes: number;
};

/** How many results are asked for at once, where they are in a bucket. */
const AT_ONCE = 32;

/**
 * Finds what is to be done: cells whose key stands in the manifest, and whose files are as they were written, are not.
 * @param looker What looks at sources that are new; the thread that calls it if left out.
 * @throws UsageError where names clash, Failure where nothing is found.
 */
export async function planBatch(batch: Batch, looker: Looker = PLAIN_LOOKER): Promise<BatchPlan> {
  const { folder, settings, recipes, version } = batch;
  const files = await findBatchFiles(folder);
  const references = batch.references ? (await files.find(batch.references)).files : [];
  const found = await files.find(batch.sources);
  const skeleton = settings.options?.sourceSkeleton;
  const place = { base: files.base, read: batch.read, version, ...(skeleton !== undefined && { skeleton }) };
  const struck = await lookAtFiles([...found.files, ...references], folder.looks, place, looker);
  const [seen, unseen] = [false, true].map((isStruck) =>
    found.files.filter(({ sha256 }) => struck.has(sha256) === isStruck),
  ) as [BatchFile[], BatchFile[]];
  const sources = withFamilies(seen, references, folder.looks, skeleton).map((file) => ({
    ...file,
    clips: knownLook(file, folder.looks, skeleton)?.clips ?? [],
  }));
  const { files: targets, unread } = await files.find(batch.targets);
  // Which of its skeletons is meant is said of sources alone.
  if (batch.isDry)
    await lookAtFiles(targets, folder.looks, { base: files.base, read: batch.read, version }, looker);
  const isJoined = settings.layout === 'character';
  const reads = [...sources, ...references, ...targets].flatMap(({ path }) => files.resultNameOf(path) ?? []);
  const cells = await planCells({
    ...{ sources, targets, settings, recipes, version, reads },
    ...(batch.format !== undefined && { format: batch.format }),
    ...(batch.name !== undefined && { name: batch.name }),
  });
  const kept: ManifestEntry[] = [];
  const todo: Cell[] = [];
  const begun = new Set<string>();
  for (let first = 0; first < cells.length; first += AT_ONCE)
    for (const [cell, before] of await Promise.all(
      cells.slice(first, first + AT_ONCE).map(async (cell) => {
        const before = folder.entries.get(cell.key);
        const isDone = before && !batch.force && (await isKept(before, cell, batch, files));
        return [cell, isDone ? before : null] as const;
      }),
    ))
      if (before) kept.push(lineOf(cell, before));
      // Copies of one file have one result, which is made once.
      else if (!begun.has(cell.key)) {
        begun.add(cell.key);
        todo.push(cell);
      }
  const own = new Set(cells.map(({ key }) => key));
  // What a character with all clips is called hangs on none of these but where its key is in its name.
  const characters = isJoined
    ? await Promise.all(targets.map((target) => planCharacter(target, cellsOf(target, cells), batch)))
    : [];
  const current = new Set([
    ...kept.flatMap(({ output }) => output),
    ...[...cells, ...characters].map(({ output }) => output),
  ]);
  const orphans = [...folder.entries.values()]
    .filter(({ key }) => !own.has(key))
    .flatMap(({ output }) => output)
    .filter((path) => !current.has(path));
  const lookOfSource = new Map(seen.map((file) => [file.path, knownLook(file, folder.looks, skeleton)]));
  return {
    files,
    targets,
    cells,
    todo: inReadingOrder(todo, targets.length),
    kept,
    orphans: [...new Set(orphans)].filter(files.isThere),
    unread: [
      ...found.unread,
      ...unseen.map(({ path, sha256 }) => [path, struck.get(sha256)] as const),
      ...unread,
    ].map(([path, error]) =>
      failedEntry(orderOf(batch, { files }, { ...NO_CELL, source: path }, 'files'), error),
    ),
    unreadable: [
      ...seen.filter(({ path }) => !lookOfSource.get(path)),
      ...(batch.isDry ? targets.filter((target) => !knownLook(target, folder.looks)) : []),
    ].map(({ path }) => path),
    expectedBytes: expectedBytes(todo, targets, (source) => lookOfSource.get(source) ?? null, settings),
  };
}

/** The line of a cell by what was done for its key: maybe for a copy of its files, or where they lay before. */
function lineOf({ source, target, family, recipe }: Cell, entry: ManifestEntry): ManifestEntry {
  const sentence = entry.error?.sentence.replaceAll(entry.source, source).replaceAll(entry.target, target);
  const error = entry.error && { ...entry.error, sentence: sentence! };
  return { ...entry, source, target, family, recipe, error };
}

/** A cell that is none, for files that no cell can be made of. */
const NO_CELL: Cell = {
  ...{ key: '', source: '', target: '', family: [], hashes: [], output: '', recipe: null },
};

/** Whether what stands in the manifest for a cell holds still. */
async function isKept(
  entry: ManifestEntry,
  cell: Cell,
  { retryFailed }: Batch,
  files: BatchFiles,
): Promise<boolean> {
  if (entry.state === 'failed') return !retryFailed && ['file', 'use'].includes(entry.error?.code ?? '');
  // What is kept for a character is one file, whatever clips are in it.
  const isOne = cell.output === partOutput(cell.key);
  const expected = isOne ? [cell.output] : outputPaths(cell.output, entry.clip).map(({ path }) => path);
  if (expected.join('\n') !== entry.output.join('\n')) return false;
  for (const [n, path] of entry.output.entries())
    if (!(await files.isAsWritten(path, entry.sha256[n]))) return false;
  return true;
}

/** How many characters stay read in a thread beside the sources. */
const MOST_TARGETS = 12;

/** Source by source where all characters stay in memory, so that each file is read once a thread. */
function inReadingOrder(cells: readonly Cell[], targets: number): Cell[] {
  const ordered = [...cells];
  if (targets <= MOST_TARGETS)
    ordered.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0));
  return ordered;
}

/** Bytes that a skeleton takes in a file of a kind, and each of its keys' numbers, as measured on a body of 55 joints. */
const ROOM: Readonly<Record<string, readonly [skeleton: number, number: number]>> = {
  ...{ glb: [14_000, 3.2], vrm: [14_000, 3.2], vrma: [14_000, 3.2], gltf: [20_000, 4.5] },
  ...{ fbx: [120_000, 6], bvh: [5_000, 20] },
};

/** What a number takes where keys are compressed. */
const COMPRESSED = 0.5;

function expectedBytes(
  todo: readonly Cell[],
  targets: readonly BatchFile[],
  lookOf: (source: string) => KnownLook | null,
  { animationOnly = false, compress = false, layout }: BatchSettings,
): number {
  const sizes = new Map(targets.map(({ path, bytes }) => [path, bytes]));
  const isJoined = layout === 'character';
  let sum = 0;
  for (const { source, target, output, clip } of todo) {
    const look = lookOf(source);
    // It fails, and takes none.
    if (!look) continue;
    const kind = isJoined ? 'glb' : output.split('.').at(-1)!;
    const [skeleton, perNumber] = ROOM[kind] ?? ROOM.glb!;
    const numbers = look.numbers / (clip === undefined ? 1 : Math.max(look.clips.length, 1));
    const keys = numbers * (compress && /^(glb|vrma)$/.test(kind) ? COMPRESSED : perNumber);
    // Clips of a character with all of them are kept beside it.
    if (isJoined) sum += keys + numbers * perNumber;
    else sum += keys + (animationOnly || /^(bvh|vrma)$/.test(kind) ? skeleton : sizes.get(target)!);
  }
  // Written whole as soon as one of its clips is another.
  if (isJoined && todo.length > 0)
    for (const size of sizes.values()) sum += animationOnly ? ROOM.glb![0] : size;
  return Math.round(sum);
}

/** What a batch is run with. */
export type BatchRun = {
  runner: CellRunner;
  /** Is told of every cell as it ends. */
  onCell?: (entry: ManifestEntry, done: number, total: number) => void;
  /** Whether to begin no further cell. */
  isStopped?: () => boolean;
  /** How many failures end the batch. */
  stopAfter?: number;
};

/**
 * Does what is to be done, and keeps the manifest.
 * @returns a line of every cell that has one now, in the order of the plan, and behind them those of characters that have
 * the clips of their cells; see {@link isCharacterLine}.
 */
export async function runBatch(batch: Batch, plan: BatchPlan, run: BatchRun): Promise<ManifestEntry[]> {
  const { folder } = batch;
  const ended = new Map<string, ManifestEntry>(plan.kept.map((entry) => [entry.key, entry]));
  if (plan.todo.length > 0)
    await keepFamilies(plan.todo, { base: plan.files.base, folder: plan.files.place });
  let next = 0;
  let failures = 0;
  // What is computed for a disk without room is computed for nothing.
  let isFull = false;
  let done = 0;
  const goOn = async () => {
    while (next < plan.todo.length) {
      if (isFull || run.isStopped?.() || failures >= (run.stopAfter ?? Number.POSITIVE_INFINITY)) return;
      const cell = plan.todo[next++]!;
      const entry = await run.runner.run(orderOf(batch, plan, cell, 'files')).catch((error: unknown) => {
        return failedEntry(orderOf(batch, plan, cell, 'files'), error);
      });
      // Taken back before it was begun: it is left for another time.
      if (!entry) continue;
      if (entry.state === 'failed') failures++;
      isFull ||= entry.error?.code === 'disk-full';
      ended.set(cell.key, entry);
      folder.entries.set(cell.key, entry);
      folder.add(entry);
      run.onCell?.(judged(entry, batch), ++done, plan.todo.length);
    }
  };
  await Promise.all(Array.from({ length: run.runner.width }, goOn));
  const entries = plan.cells.flatMap((cell) => {
    const entry = ended.get(cell.key);
    return entry ? [judged(lineOf(cell, entry), batch)] : [];
  });
  const characters =
    batch.settings.layout === 'character' ? await joinCharacters(batch, plan, ended, run) : [];
  await folder.settle([...entries, ...characters, ...othersOf(folder, plan)]);
  return [...entries, ...characters];
}

function cellsOf(target: BatchFile, cells: readonly Cell[]): Cell[] {
  return cells.filter((cell) => cell.target === target.path);
}

/** Writes every character whose cells have all ended, with the clips of those that are done; one that is up to date stays. */
async function joinCharacters(
  batch: Batch,
  plan: BatchPlan,
  ended: ReadonlyMap<string, ManifestEntry>,
  run: BatchRun,
): Promise<ManifestEntry[]> {
  const { folder } = batch;
  const entries: (ManifestEntry | null)[] = [];
  let next = 0;
  const goOn = async () => {
    while (next < plan.targets.length && !run.isStopped?.()) {
      const at = next++;
      const cells = cellsOf(plan.targets[at]!, plan.cells);
      const parts = cells.filter(({ key }) => ended.get(key)?.state === 'done');
      if (parts.length === 0 || cells.some(({ key }) => !ended.has(key))) continue;
      const cell = await planCharacter(plan.targets[at]!, parts, batch);
      const before = folder.entries.get(cell.key);
      const isDone = before && !batch.force && (await isKept(before, cell, batch, plan.files));
      const order = orderOf(batch, plan, cell, 'files');
      const entry = isDone
        ? before
        : await run.runner.run(order).catch((error: unknown) => failedEntry(order, error));
      entries[at] = entry;
      if (isDone || !entry) continue;
      folder.entries.set(cell.key, entry);
      folder.add(entry);
    }
  };
  await Promise.all(Array.from({ length: run.runner.width }, goOn));
  return entries.filter((entry) => entry !== null && entry !== undefined);
}

/** Lines of cells that are no part of the batch now but whose files are there: a later batch may have them again. */
function othersOf(folder: BatchFolder, { cells, orphans }: BatchPlan): ManifestEntry[] {
  const own = new Set(cells.map(({ key }) => key));
  const there = new Set(orphans);
  return [...folder.entries.values()].filter(
    ({ key, output }) => !own.has(key) && output.some((path) => there.has(path)),
  );
}

/** What shows a cell: the path of its picture, and the way from the folder of the batch to its report card, if it has one. */
export type DrawnCell = { picture: string; card: string | null };

/** What pictures are drawn with. */
export type DrawRun = Pick<BatchRun, 'runner' | 'isStopped'> & {
  /** Is told of every picture that is there, also of those that were before. */
  onPicture?: (done: number, total: number) => void;
};

/** Draws pictures of cells that have none yet, and makes their report cards. @returns those that have one, by key. */
export async function drawCells(
  batch: Batch,
  plan: BatchPlan,
  cells: readonly Cell[],
  run: DrawRun,
): Promise<Map<string, DrawnCell>> {
  const drawn = new Map<string, DrawnCell>();
  let next = 0;
  const goOn = async () => {
    while (next < cells.length) {
      const cell = cells[next++]!;
      const path = pictureOf(batch.folder.path, cell);
      if (!existsSync(path)) {
        if (run.isStopped?.()) return;
        await run.runner.run(orderOf(batch, plan, cell, 'picture'));
      }
      const card = cardName(cell);
      if (existsSync(path))
        drawn.set(cell.key, {
          picture: path,
          card: existsSync(join(batch.folder.path, card)) ? card : null,
        });
      run.onPicture?.(drawn.size, cells.length);
    }
  };
  await Promise.all(Array.from({ length: run.runner.width }, goOn));
  return drawn;
}

/** Removes results of cells that are no part of the batch any more. */
export function pruneBatch({ folder }: Batch, orphans: readonly string[]): void {
  for (const path of orphans) rmSync(join(folder.path, path), { force: true });
}

function judged(entry: ManifestEntry, { limits }: Batch): ManifestEntry {
  return {
    ...entry,
    gates: entry.state === 'done' ? judgeFigures(entry.figures, limits, entry.warnings) : [],
  };
}

function orderOf(
  batch: Batch,
  { files: { base, place } }: Pick<BatchPlan, 'files'>,
  cell: Cell,
  makes: CellOrder['makes'],
): CellOrder {
  const recipe = cell.recipe === null ? undefined : batch.recipes.get(cell.recipe);
  if (cell.recipe !== null && !recipe) throw new UsageError(`there is no recipe ${cell.recipe}`);
  return {
    ...{
      cell,
      folder: place,
      base,
      settings: batch.settings,
      read: batch.read,
      makes,
    },
    ...{ worker: `${process.pid}`, version: batch.version },
    ...(recipe && { recipe }),
  };
}
