import type { Report, ResultVerdict, RetargetOptions } from '@stuntdouble/core/engine';
import type { JobDocument } from '../documents/parse-document.js';
import { Failure } from '../failure.js';
import { figuresOfClips } from '../measure/gates.js';
import { retargetFiles } from '../retarget-files.js';
import type { JobFile, MadeFile, MovedClips } from '../retarget-job.js';
import { sha256Of } from './canonical-json.js';
import type { BatchSettings, Cell } from './cell.js';
import { type CellMeasures, cellMeasures } from './manifest.js';

/** A cell with its files at hand. */
export type CellJob = {
  cell: Cell;
  source: JobFile;
  target: JobFile;
  settings: BatchSettings;
  recipe?: JobDocument;
  /** Whether a picture is drawn too. */
  picture?: boolean;
  signal?: { throwIfAborted(): void };
};

/** What a cell has come to: bytes, and plain data about them. */
export type CellResult = {
  /** The clips themselves, which are kept where one file has all of a character. */
  moved: MovedClips;
  /** What was told of each of them. */
  done: Report['clips'];
  /** What recipe and options say together. */
  told: RetargetOptions;
  files: (MadeFile & { sha256: string })[];
  picture: Uint8Array | null;
  facts: {
    clip: string[];
    frames: number;
    duration: number;
    way: string[];
    mapped: number;
    warnings: string[];
    measures: CellMeasures;
    verdict: ResultVerdict['verdict'];
    reasons: string[];
    figures: Record<string, number | null>;
    /** Milliseconds. */
    phases: { retarget: number; encode: number };
  };
};

/** Pixels of a cell's picture: a gallery holds hundreds of them. */
const PICTURE_WIDTH = 900;

/**
 * Does one cell: bytes or scenes in, bytes and measures out. It reads, writes and prints nothing by itself.
 * @throws what {@link retargetFiles} does.
 */
export async function runCell({ cell, source, target, ...job }: CellJob): Promise<CellResult> {
  const { options, clips, range, animationOnly, compress, replace, layout } = job.settings;
  const wanted = typeof cell.clip === 'string' ? [cell.clip] : clips;
  const begun = performance.now();
  let encoding = begun;
  let told: RetargetOptions = {};
  const { files, report, moved } = await retargetFiles({
    source,
    target,
    output: layout === 'character' ? null : cell.output,
    ...(options && { options }),
    ...(wanted && { clips: wanted }),
    ...(range && { range }),
    ...(animationOnly && { animationOnly }),
    ...(compress && { compress }),
    ...(replace && { replace }),
    ...(job.recipe && { recipe: job.recipe }),
    ...(job.picture && { picture: `${cell.output}.png`, pictureWidth: PICTURE_WIDTH }),
    ...(job.signal && { signal: job.signal }),
    onPlan: (plan) => {
      if (cell.clip === null)
        throw new Failure(`the clips of ${cell.source} were not known when the batch was planned`);
      told = plan.options;
    },
    onProgress: (done) => {
      if (done < 0.9) encoding = performance.now();
    },
  });
  const { clips: done, map, measures } = report.retarget;
  const clipFiles = files.filter(({ kind }) => kind === 'clips');
  return {
    moved,
    done,
    told,
    files: await Promise.all(
      clipFiles.map(async (file) => ({ ...file, sha256: await sha256Of(file.bytes) })),
    ),
    picture: files.find(({ kind }) => kind === 'picture')?.bytes ?? null,
    facts: {
      clip: done.map(({ name }) => name),
      frames: done.reduce((sum, { frames }) => sum + frames, 0),
      duration: done.reduce((sum, { duration }) => sum + duration, 0),
      way: done.map(({ way }) => way),
      mapped: map.joints.length,
      warnings: [...new Set(report.warnings.map(({ code }) => code))],
      measures: cellMeasures(measures),
      verdict: report.verdict.verdict,
      reasons: report.verdict.reasons.map(({ message, clip }) => (clip ? `${clip}: ${message}` : message)),
      figures: figuresOfClips(measures),
      phases: { retarget: encoding - begun, encode: performance.now() - encoding },
    },
  };
}
