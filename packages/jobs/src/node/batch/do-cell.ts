import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { partNotes, type Scene, UsageError } from '@stuntdouble/core/engine';
import { FormatError, type ReadOptions } from '@stuntdouble/formats';
import { sha256Of } from '../../batch/canonical-json.js';
import { type BatchSettings, type Cell, partOutput, plannedHash } from '../../batch/cell.js';
import { cellCard } from '../../batch/cell-card.js';
import { type ManifestEntry, NO_MEASURES } from '../../batch/manifest.js';
import { runCell } from '../../batch/run-cell.js';
import type { JobDocument } from '../../documents/parse-document.js';
import { Failure, sentenceOf } from '../../failure.js';
import { isBucketPlace } from '../store/object-store.js';
import { openStore } from '../store/open-store.js';
import { joinCharacter, writePart } from './join-character.js';
import { readPlanned } from './read-planned.js';

/** A cell as a thread gets it: paths, not scenes. */
export type CellOrder = {
  cell: Cell;
  /** The folder that results go to, or a place in a bucket. */
  folder: string;
  /** The folder that paths of sources and characters are counted from, or a place in a bucket. */
  base: string;
  settings: BatchSettings;
  read: ReadOptions;
  recipe?: JobDocument;
  /** Whether files are written, or a picture and a report card are made and kept. */
  makes: 'files' | 'picture';
  worker: string;
  version: string;
};

/** How many scenes a thread keeps; the oldest goes first. */
const MOST_SCENES = 16;

/**
 * Makes what does cells one after the other, in a thread or without one. It keeps the scenes that it has read, and the
 * engine with them all that it has understood of their skeletons.
 * @returns what does a cell: a line for the manifest, whatever happens but what ends the thread.
 */
export function createCellDoer(): (order: CellOrder) => Promise<ManifestEntry> {
  const scenes = new Map<string, Scene>();
  const sceneOf = async (path: string, order: CellOrder): Promise<Scene> => {
    // A file that has changed is another one.
    const name = `${path} ${plannedHash(order.cell, path)}`;
    const scene = scenes.get(name) ?? (await readPlanned(path, order.cell, order));
    scenes.delete(name);
    scenes.set(name, scene);
    if (scenes.size > MOST_SCENES) scenes.delete(scenes.keys().next().value!);
    return scene;
  };
  return async (order) => {
    const { cell, settings } = order;
    const cpu = threadTime();
    const phases = { read: 0, retarget: 0, encode: 0, write: 0 };
    try {
      if (cell.parts)
        return {
          ...(await doCharacter(order, await sceneOf(cell.target, order))),
          cpuMs: cpuSince(cpu),
        };
      let begun = performance.now();
      const source = { name: cell.source, content: await sceneOf(cell.source, order) };
      const target = { name: cell.target, content: await sceneOf(cell.target, order) };
      const family: Scene[] = [];
      for (const path of cell.family) family.push(await sceneOf(path, order));
      phases.read = performance.now() - begun;
      const { files, picture, facts, moved, told, done } = await runCell({
        ...{ cell, source, target, picture: order.makes === 'picture' },
        settings: family.length > 0 ? withFamily(settings, family) : settings,
        ...(order.recipe && { recipe: order.recipe }),
      });
      begun = performance.now();
      if (settings.layout === 'character') {
        const bytes = writePart(moved);
        files.push({ name: cell.output, kind: 'clips', bytes, sha256: await sha256Of(bytes) });
      }
      if (!picture) for (const { name, bytes, sha256 } of files) await putResult(order, name, bytes, sha256);
      else {
        const store = await openStore(order.folder);
        const card = settings.range
          ? null
          : await cellCard(
              { name: cell.source, scene: source.content },
              { name: cell.target, scene: target.content },
              moved,
              told,
              done,
            );
        if (card !== null) await store.put(cardName(cell), new TextEncoder().encode(card), { replace: true });
        // Last: where the picture is there, nothing is missing.
        await store.put(pictureName(cell), picture, { replace: true });
      }
      phases.write = performance.now() - begun;
      Object.assign(phases, facts.phases);
      return {
        ...entryOf(order),
        ...facts,
        output: files.map(({ name }) => name),
        sha256: files.map(({ sha256 }) => sha256),
        bytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
        state: 'done',
        cpuMs: cpuSince(cpu),
        phases: roundAll(phases),
      };
    } catch (error) {
      return { ...failedEntry(order, error), cpuMs: cpuSince(cpu), phases: roundAll(phases) };
    }
  };
}

/** Writes a character with the clips of its cells. @returns its line. */
async function doCharacter(order: CellOrder, scene: Scene): Promise<ManifestEntry> {
  const { cell, settings, folder } = order;
  const store = await openStore(folder);
  const begun = performance.now();
  const { bytes, clips, warnings } = await joinCharacter(scene, cell, settings, (key) =>
    store.get(partOutput(key)),
  );
  const encoded = performance.now();
  const sha256 = await sha256Of(bytes);
  await putResult(order, cell.output, bytes, sha256);
  return {
    ...entryOf(order),
    ...{ state: 'done', output: [cell.output], sha256: [sha256], bytes: bytes.byteLength },
    clip: clips.map(({ name }) => name),
    duration: clips.reduce((sum, { duration }) => sum + duration, 0),
    warnings: [...new Set(partNotes(warnings).warnings.map(({ code }) => code))],
    phases: roundAll({
      ...{ read: 0, retarget: 0 },
      ...{ encode: encoded - begun, write: performance.now() - encoded },
    }),
  };
}

function withFamily(settings: BatchSettings, sourceFamily: Scene[]): BatchSettings {
  return { ...settings, options: { ...settings.options, sourceFamily } };
}

/**
 * Puts a result where it belongs. In a bucket it is put where nothing is: a cell that was done twice has the same bytes,
 * and only what another batch left there before gives way.
 */
async function putResult(
  { folder }: CellOrder,
  name: string,
  bytes: Uint8Array,
  sha256: string,
): Promise<void> {
  const store = await openStore(folder);
  if (isBucketPlace(folder)) {
    if (await store.put(name, bytes)) return;
    if ((await store.head(name))?.sha256 === sha256) return;
  }
  await store.put(name, bytes, { replace: true });
}

/** What the picture of a cell is called, below the folder of a batch. */
const pictureName = ({ key }: Pick<Cell, 'key'>) => `.stuntdouble/pictures/${key}.png`;

/** What the report card of a cell is called, below the folder of a batch. */
export const cardName = ({ key }: Pick<Cell, 'key'>) => `.stuntdouble/cards/${key}.html`;

/** Where the picture of a cell is kept. */
export function pictureOf(folder: string, cell: Pick<Cell, 'key'>): string {
  return join(folder, pictureName(cell));
}

/** The line of a cell that failed, with its reason. */
export function failedEntry(order: CellOrder, error: unknown): ManifestEntry {
  // Manifests are carried elsewhere, where paths of this machine say nothing.
  const sentence = sentenceOf(error).replaceAll(`${order.base}${sep}`, '');
  return { ...entryOf(order), state: 'failed', error: { code: codeOf(error), sentence } };
}

/** The line of a cell of which nothing is known yet. */
export function entryOf({ cell, worker, version }: CellOrder): ManifestEntry {
  const { key, source, target, family, recipe, clip } = cell;
  const ofClip = clip ?? null;
  return {
    ...{ key, source, target, family, ofClip, clip: ofClip === null ? [] : [ofClip] },
    ...{ output: [], sha256: [], bytes: 0, state: 'failed' },
    ...{ attempts: 1, worker, cpuMs: null, phases: { read: 0, retarget: 0, encode: 0, write: 0 } },
    ...{
      frames: 0,
      duration: 0,
      way: [],
      mapped: 0,
      warnings: [],
      measures: NO_MEASURES,
      verdict: null,
      reasons: [],
      figures: {},
      gates: [],
    },
    ...{ error: null, version, recipe },
  };
}

/** What a disk answers that has no room left. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Codes of failures that another try may do without: the disk, not the files. */
export const PASSING_FAILURES: ReadonlySet<string> = new Set(['disk-full', 'system']);

function codeOf(error: unknown): string {
  const refused = error instanceof Failure ? (error.cause as NodeJS.ErrnoException | undefined)?.code : null;
  if (refused) return NO_ROOM.has(refused) ? 'disk-full' : 'system';
  if (error instanceof FormatError || error instanceof Failure) return 'file';
  if (error instanceof UsageError) return 'use';
  return error instanceof Error ? error.name : 'unknown';
}

function cpuSince(before: number | null): number | null {
  const now = threadTime();
  return now === null || before === null ? null : now - before;
}

/** Milliseconds in a tick of the processor, as Linux tells them. */
const TICK = 10;

/** The processor time of this thread in milliseconds, where the system tells it: Linux does. */
function threadTime(): number | null {
  try {
    // The name in parentheses may hold anything; the 12th and 13th field behind it are user's and system's ticks.
    const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return TICK * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return null;
  }
}

function roundAll<T extends Record<string, number>>(values: T): T {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(1))]),
  ) as T;
}
