import { isNote, type Warning } from '@stuntdouble/core';
import { create } from 'zustand';
import type { StudioDocument } from '../document/document.js';
import type {
  FileFacts,
  FileId,
  Job,
  Judged,
  Preview,
  SolvedClip,
  Understanding,
} from '../engine/protocol.js';

/** A line of the console. */
export type ConsoleLine = {
  id: number;
  level: 'error' | 'warning' | 'note';
  text: string;
  /** The code of a warning of the engine, where it is one. */
  code?: string;
  joint?: string;
  /** The files that it is about, where it is about some. */
  about?: readonly FileId[];
};

/** A file that is at hand. */
export type HeldFile = {
  id: FileId;
  name: string;
  size: number;
  file: Blob;
  beside: { name: string; file: Blob }[];
  facts: FileFacts;
};

/** A result with what it took. */
export type SolvedEntry = SolvedClip & { milliseconds: number; warnings: string[] };

/** Everything that follows from the document and can be made again. */
export type DerivedState = {
  files: Record<FileId, HeldFile>;
  /** By {@link jobKey}. */
  understood: Record<string, Understanding>;
  /** How two characters were understood last, with whatever settings, by {@link pairKey}. */
  lastUnderstood: Record<string, Understanding>;
  /** By {@link clipKey}. */
  solved: Record<string, SolvedEntry>;
  judged: Record<string, Judged>;
  /** What could not be done, by key, in one sentence. */
  failed: Record<string, string>;
  /** What a dragged setting shows until the whole is solved, with the key that it is of. */
  preview: (Preview & { key: string }) | null;
  lines: ConsoleLine[];
  /** How many files are being opened. */
  opening: number;
  /** What is under way, for the status line; null where nothing is. */
  busy: string | null;
  exporting: { part: number; words: string } | null;
  /** Files that a reopened document speaks of and that are not at hand. */
  missing: { name: string; size: number; sha256: FileId; role: 'source' | 'target' }[];
  saved: 'saved' | 'saving' | 'not kept';
};

/** The store of what is derived. */
export const useDerived = create<DerivedState>(() => ({
  files: {},
  understood: {},
  lastUnderstood: {},
  solved: {},
  judged: {},
  failed: {},
  preview: null,
  lines: [],
  opening: 0,
  busy: null,
  exporting: null,
  missing: [],
  saved: 'saved',
}));

/** What a job is known by. */
export function jobKey({ source, target, recipe }: Job): string {
  return `${source.slice(0, 16)} ${target.slice(0, 16)} ${JSON.stringify(recipe)}`;
}

/** What the two files of a job are known by. */
function pairKey({ source, target }: Job): string {
  return `${source} ${target}`;
}

/** What one clip of a job is known by. */
export function clipKey(job: Job, clip: string): string {
  return `${clip}\n${jobKey(job)}`;
}

/**
 * Seconds of a source's clip at which its result begins: behind a pose for calibration, or where a part or a cycle of it
 * was taken. While it is not solved, as it was when it last was, with any settings and on any target.
 */
export function sourceStart(job: Job, clip: string): number {
  const { solved } = useDerived.getState();
  const own = solved[clipKey(job, clip)];
  if (own) return own.start;
  const range = job.recipe.settings?.range;
  if (Array.isArray(range) && typeof range[0] === 'number') return range[0];
  const head = clipKey({ ...job, target: '' }, clip).slice(0, clip.length + 18);
  const known = Object.keys(solved).filter((key) => key.startsWith(head));
  return solved[known.at(-1) ?? '']?.start ?? 0;
}

let nextLine = 1;

/** Says something in the console. A sentence that was the last one is not said again. */
export function say(
  level: ConsoleLine['level'],
  text: string,
  more: { code?: string; joint?: string; about?: readonly FileId[] } = {},
): void {
  const about = String(more.about);
  useDerived.setState(({ lines }) => {
    if (lines.some((line) => line.text === text && line.level === level && String(line.about) === about))
      return {};
    return { lines: [...lines, { id: nextLine++, level, text, ...more }].slice(-500) };
  });
}

/** Tells what the engine told: choices that were made as notes, what was lost or is doubtful as warnings. */
export function tell(
  told: readonly Warning[],
  { file, about }: { file?: string; about?: readonly FileId[] } = {},
): void {
  for (const one of told)
    say(isNote(one) ? 'note' : 'warning', file === undefined ? one.message : `${file}: ${one.message}`, {
      code: one.code,
      ...(about && { about }),
      ...(one.joint && { joint: one.joint }),
    });
}

/** Whether something is of now: not about files that the document has no more. */
export function isOfNow({ about }: Pick<ConsoleLine, 'about'>, { source, targets }: StudioDocument): boolean {
  return (about ?? []).every((id) => source?.sha256 === id || targets.some(({ sha256 }) => sha256 === id));
}

/** The files that the document speaks of and that are not at hand. */
export function missingOf({ missing }: DerivedState, document: StudioDocument): DerivedState['missing'] {
  return missing.filter(({ sha256 }) => isOfNow({ about: [sha256] }, document));
}

/** Results that are kept, in bytes: undoing finds the old one at once. */
const MOST_BYTES = 64e6;

/** What of a record fits into so many bytes, the newest first; that is always among it. */
function fitting<T>(
  record: Record<string, T>,
  sizeOf: (value: T) => number,
  most: number,
): Record<string, T> {
  let room = most;
  const kept = Object.entries(record)
    .reverse()
    .filter(([, value], n) => {
      room -= sizeOf(value);
      return n === 0 || room > 0;
    });
  return Object.fromEntries(kept.reverse());
}

/** Keeps a report; the oldest are dropped where their curves take more room than they may. */
export function keepJudged(key: string, value: Judged): void {
  useDerived.setState(({ judged: { [key]: _, ...others } }) => ({
    // Eight curves of as many numbers as there are instants, and the rest.
    judged: fitting({ ...others, [key]: value }, ({ curves }) => 20_000 + 64 * curves.count, MOST_BYTES),
  }));
}

/** How two characters were understood is kept for so many sets of settings: of each both poses and the map. */
const MOST_UNDERSTOOD = 200;

/** Keeps how two characters were understood; the oldest is dropped beyond that. */
export function keepUnderstood(job: Job, value: Understanding): void {
  const [key, pair] = [jobKey(job), pairKey(job)];
  useDerived.setState(
    ({ understood: { [key]: _, ...others }, lastUnderstood: { [pair]: __, ...otherPairs } }) => ({
      understood: fitting({ ...others, [key]: value }, () => 1, MOST_UNDERSTOOD),
      lastUnderstood: fitting({ ...otherPairs, [pair]: value }, () => 1, MOST_UNDERSTOOD),
    }),
  );
}

/**
 * How the two characters of a job are understood; while that is not known for its settings, as they last were: what is
 * on the screen stays there while a setting is dragged. Null where they have not been understood yet.
 */
export function understandingOfJob(
  { understood, lastUnderstood }: DerivedState,
  job: Job | null,
): Understanding | null {
  return job && (understood[jobKey(job)] ?? lastUnderstood[pairKey(job)] ?? null);
}

/** Keeps a result; the oldest are dropped where they take more room than they may. */
export function keepSolved(key: string, entry: SolvedEntry): void {
  useDerived.setState(({ solved: { [key]: _, ...others } }) => ({
    solved: fitting(
      { ...others, [key]: entry },
      ({ clip }) =>
        clip.tracks.reduce((sum, { times, values }) => sum + times.byteLength + values.byteLength, 0),
      MOST_BYTES,
    ),
  }));
}
