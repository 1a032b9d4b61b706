import { type ClipMeasures, printable } from '@stuntdouble/core/engine';
import { type Cleaned, type CleanedClip, formatWord } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { layOut } from './table.js';
import { bytes, counted, heading, judgedLines, seconds, short, toldJson, toldLines } from './words.js';

/** What was cleaned, and whether its files were written. */
export type CleanedFiles = Cleaned & { dryRun: boolean };

/** The document that `clean --json` prints. */
export function cleanJson({ scene, clips, left, made, verdict, warnings, dryRun }: CleanedFiles) {
  const paths = made.map(({ path }) => path);
  return {
    format: scene.format,
    output: dryRun ? null : paths.length === 1 ? paths[0]! : paths,
    clips: clips.map(({ name, duration, frames, before, after }) => ({
      ...{ name, duration, frames, before, after },
    })),
    left,
    verdict: verdict.verdict,
    reasons: verdict.reasons,
    ...toldJson(warnings),
  };
}

/** How many clips in which nothing stands are named. */
const MOST_LOOSE = 4;

/** What `clean` tells a person of one file. */
export function cleanLines(done: CleanedFiles, terminal: Terminal): string[] {
  const { input, scene, clips, left, made, verdict, warnings, dryRun } = done;
  const { colors } = terminal;
  const rows = [['clip', '', '', 'feet slide', 'sunk', 'float', 'jerk', 'contacts'], ...clips.map(rowOf)];
  const right = { align: 'right' } as const;
  const lines = [
    `${heading(input, terminal)}  ${formatWord(scene)}, ${counted(clips.length, 'clip')} cleaned`,
    ...layOut(rows, [{ most: 40 }, right, right, right, right, right, right, right]).map(
      (line, n) => `  ${n === 0 ? colors.dim(line) : line}`,
    ),
    colors.dim('  slide of standing feet in % of the hip height a second; sunk: % of frames; float in %;'),
    colors.dim('  jerk: of what there was; contacts: how many are held'),
  ];
  if (left.length > 0)
    lines.push(`  ${counted(left.length, 'clip')} left as ${left.length === 1 ? 'it is' : 'they are'}`);
  const loose = clips
    .filter(({ contacts }) => contacts.length === 0)
    .map(({ name }) => `"${printable(name)}"`);
  if (loose.length > 0)
    lines.push(
      `  nothing was found to stand in ${loose.slice(0, MOST_LOOSE).join(', ')}${loose.length > MOST_LOOSE ? ` and ${loose.length - MOST_LOOSE} more` : ''}: where feet do and only shake, --calm 6 takes that out first, and --contacts tells when they stand`,
    );
  lines.push('', ...judgedLines(verdict, terminal));
  if (warnings.length > 0) lines.push('', ...toldLines(warnings, terminal));
  lines.push('');
  if (made.length > 1) lines.push('A BVH file holds one clip, so there is one file a clip:');
  for (const file of made)
    lines.push(
      dryRun
        ? colors.dim(`dry run: ${printable(file.path)} was not written`)
        : `${colors.green('wrote')} ${printable(file.path)} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}

function rowOf({ name, duration, frames, contacts, before, after }: CleanedClip): string[] {
  const both = (read: (measures: ClipMeasures) => number | undefined) =>
    [before, after].map((each) => figure(read(each))).join(' → ');
  return [
    name === '' ? '(no name)' : name,
    seconds(duration),
    counted(frames, 'frame'),
    both(({ motion }) => motion.slide?.result.mean),
    both(({ motion }) =>
      motion.heights ? (100 * motion.heights.sunkFrames) / motion.heights.frames : undefined,
    ),
    both(({ motion }) => motion.heights?.float.mean),
    figure(after.motion.smoothness?.jerkRatio),
    String(contacts.length),
  ];
}

function figure(value: number | null | undefined): string {
  return value === undefined || value === null || !Number.isFinite(value) ? '–' : short(value);
}
