import type { ClipMeasures, ResultVerdict } from '@stuntdouble/core/engine';
import type { Verdict } from '../measure/gates.js';

/** Figures of a cell, the mean of its clips; null where they could not be measured. */
export type CellMeasures = {
  slide: number | null;
  float: number | null;
  sink: number | null;
  agreement: number | null;
  tilt: number | null;
  selfContact: number | null;
  jerk: number | null;
  pops: number | null;
  direction: number | null;
};

/** One line of a manifest: a cell, and what became of it. */
export type ManifestEntry = {
  key: string;
  /** Empty for a character with the clips of many cells. */
  source: string;
  target: string;
  /** Paths of files with the skeleton of the source by which it was understood; none where it was by itself. */
  family: string[];
  /** The clip of its source that the cell is of; null where it is of all. Left out by older versions. */
  ofClip?: string | null;
  /** Names of the clips in the result. */
  clip: string[];
  /** Paths below the folder of the batch; several where a format holds one clip a file. */
  output: string[];
  /** Of each file of `output`. */
  sha256: string[];
  /** Of all of them. */
  bytes: number;
  state: 'done' | 'failed' | 'skipped';
  attempts: number;
  worker: string;
  /** Processor time of the thread; null where the system does not tell it. */
  cpuMs: number | null;
  /** Milliseconds; measuring is part of retargeting. */
  phases: { read: number; retarget: number; encode: number; write: number };
  frames: number;
  /** Seconds, of all clips together. */
  duration: number;
  /** How each clip was moved. */
  way: string[];
  /** Target joints that are driven. */
  mapped: number;
  /** Codes of warnings; notes are none. */
  warnings: string[];
  measures: CellMeasures;
  /** What is to be thought of the result; null where there is none. */
  verdict: ResultVerdict['verdict'] | null;
  /** Why it is not good, the worst reason first. */
  reasons: string[];
  /** The figure of every limit that can be set, by its flag: the worst of all clips. */
  figures: Record<string, number | null>;
  /** Limits that were set, held against the cell. */
  gates: Pick<Verdict, 'flag' | 'limit' | 'value' | 'passed'>[];
  error: { code: string; sentence: string } | null;
  version: string;
  recipe: string | null;
};

/** What a line is of, without its character: the source, and the clip where there is a cell for each. */
export function sourceWords({ source, ofClip }: Pick<ManifestEntry, 'source' | 'ofClip'>): string {
  return typeof ofClip === 'string' ? `${source} (${ofClip})` : source;
}

/** Whether a line is that of a character with the clips of many cells, which has no source of its own. */
export function isCharacterLine({ source }: Pick<ManifestEntry, 'source'>): boolean {
  return source === '';
}

/** What stands in a manifest for a cell of which nothing is known yet. */
export const NO_MEASURES: CellMeasures = {
  slide: null,
  float: null,
  sink: null,
  agreement: null,
  tilt: null,
  selfContact: null,
  jerk: null,
  pops: null,
  direction: null,
};

/** The figures of a cell out of the measures of its clips. */
export function cellMeasures(clips: readonly ClipMeasures[]): CellMeasures {
  const mean = (value: (clip: ClipMeasures) => number | null | undefined) => {
    const found = clips.map(value).filter((each): each is number => Number.isFinite(each));
    return found.length === 0 ? null : rounded(found.reduce((sum, each) => sum + each, 0) / found.length);
  };
  return {
    slide: mean(({ motion }) => motion.slide?.result.mean),
    float: mean(({ motion }) => motion.heights?.float.mean),
    sink: mean(({ motion }) => motion.heights?.sink.worst),
    agreement: mean(({ motion }) => motion.agreement?.f1),
    tilt: mean(({ motion }) => motion.soleTilt?.mean),
    selfContact: mean(({ motion }) => motion.selfContact?.result.mean),
    jerk: mean(({ motion }) => motion.smoothness?.jerkRatio),
    pops: mean(({ motion }) => motion.smoothness && motion.smoothness.kneePops + motion.smoothness.bendFlips),
    direction: mean(({ direction }) => direction.worst),
  };
}

const rounded = (value: number) => Number(value.toPrecision(6));

/** A manifest as a table for spreadsheets: one row a cell. */
export function manifestCsv(entries: readonly ManifestEntry[]): string {
  const heads = [
    ...['source', 'clip', 'target', 'state', 'output', 'bytes', 'frames', 'duration', 'mapped', 'cpuMs'],
    ...Object.keys(NO_MEASURES),
    ...['verdict', 'reasons', 'warnings', 'gates', 'error', 'family', 'recipe', 'key'],
  ];
  const rows = entries.map((entry) =>
    [
      entry.source,
      entry.clip.join('; '),
      entry.target,
      entry.state,
      entry.output.join(' '),
      entry.bytes,
      entry.frames,
      entry.duration,
      entry.mapped,
      entry.cpuMs,
      ...Object.values(entry.measures),
      entry.verdict ?? '',
      entry.reasons?.join('; ') ?? '',
      entry.warnings.join(' '),
      entry.gates.map(({ flag, passed }) => `${flag}:${passed ? 'kept' : 'not kept'}`).join(' '),
      entry.error?.sentence ?? '',
      entry.family?.join(' ') ?? '',
      entry.recipe ?? '',
      entry.key,
    ]
      .map(csvCell)
      .join(','),
  );
  return `${[heads.join(','), ...rows].join('\n')}\n`;
}

/** A value as a cell of a table. Text that a spreadsheet would take for a formula is kept from being one. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}
