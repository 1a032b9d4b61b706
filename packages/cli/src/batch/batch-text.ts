import { printable } from '@stuntdouble/core/engine';
import { type ManifestEntry, sourceWords } from '@stuntdouble/jobs';
import type { BatchPlan } from '@stuntdouble/jobs/node';
import type { Terminal } from '../terminal.js';
import { bytes, counted } from '../text/words.js';
import { isOff, offWords } from './batch-junit.js';
import { byReason, worstFirst } from './gallery.js';

/** What a batch has come to. */
export type RanBatch = {
  plan: BatchPlan;
  entries: readonly ManifestEntry[];
  /** Lines of characters that have the clips of their cells. */
  characters: readonly ManifestEntry[];
  isDry: boolean;
};

/** Those of some lines that failed. */
export function failedOnes(entries: readonly ManifestEntry[]): ManifestEntry[] {
  return entries.filter(({ state }) => state === 'failed');
}

/** The document that `batch --json` prints. */
export function batchJson({ plan, entries, characters, isDry }: RanBatch) {
  const failed = failedOnes([...entries, ...characters, ...plan.unread]);
  return {
    cells: plan.cells.length,
    done: isDry ? 0 : entries.filter(({ state }) => state === 'done').length - upToDate(plan),
    upToDate: upToDate(plan),
    failed: failed.length,
    limitsNotKept: entries.filter(({ gates }) => gates.some(({ passed }) => !passed)).length,
    broken: entries.filter(({ verdict }) => verdict === 'broken').length,
    left: isDry ? plan.todo.length : plan.cells.length - entries.length,
    bytes: isDry ? plan.expectedBytes : entries.reduce((sum, entry) => sum + entry.bytes, 0),
    characters: characters.filter(({ state }) => state === 'done').map(({ output }) => output[0]!),
    orphans: plan.orphans,
    unreadable: plan.unreadable,
    failures: failed.map(({ source, target, ofClip, error }) => ({
      ...{ source, target, ...(typeof ofClip === 'string' && { clip: ofClip }) },
      error: error?.sentence ?? '',
    })),
  };
}

const upToDate = ({ kept }: BatchPlan) => kept.filter(({ state }) => state === 'done').length;

/** More than this is worth a word about leaving meshes out: 10 GB. */
const MUCH_ROOM = 10 ** 10;

/** Lines on what would be done. */
export function planLines(
  plan: BatchPlan,
  { out, animationOnly }: { out: string; animationOnly?: boolean },
  { colors }: Terminal,
): string[] {
  const before = failedOnes(plan.kept).length;
  const lines = [
    `${counted(plan.cells.length, 'cell')}: ${upToDate(plan)} up to date, ${plan.todo.length} to do, about ${bytes(plan.expectedBytes)}`,
  ];
  if (before > 0)
    lines.push(
      colors.red(`${counted(before, 'cell')} failed before by their files (--retry-failed tries them again)`),
    );
  if (plan.expectedBytes > MUCH_ROOM && !animationOnly)
    lines.push('  --animation-only leaves meshes out, which takes a tenth of it and less');
  lines.push(...familyLines(plan, colors));
  for (const { source, target, clip, output } of plan.todo.slice(0, 5))
    lines.push(
      colors.dim(
        `  ${printable(sourceWords({ source, ofClip: clip ?? null }))} → ${printable(target)}: ${printable(`${out}/${output}`)}`,
      ),
    );
  if (plan.todo.length > 5) lines.push(colors.dim(`  and ${plan.todo.length - 5} more`));
  return [
    ...lines,
    ...unreadableLines(plan, colors),
    ...failureLines([...plan.unread], colors),
    ...orphanLines(plan),
  ];
}

/** Lines on what was done. */
export function batchLines(
  { plan, entries, characters }: RanBatch,
  { out, prune, gallery }: { out: string; prune?: boolean; gallery?: boolean | 'all' },
  { colors }: Terminal,
): string[] {
  const failed = failedOnes([...entries, ...characters, ...plan.unread]);
  const done = entries.filter(({ state }) => state === 'done');
  const off = worstFirst(entries.filter(isOff));
  const lines = [
    `${colors.green('done')} ${done.length} of ${counted(plan.cells.length, 'cell')} in ${printable(out)}, of which ${upToDate(plan)} were up to date; ${bytes(done.reduce((sum, entry) => sum + entry.bytes, 0))}`,
  ];
  const left = plan.cells.length - entries.length;
  const joined = characters.filter(({ state }) => state === 'done');
  if (joined.length > 0)
    lines.push(
      `${counted(joined.length, 'character')} with all clips: ${joined
        .slice(0, 5)
        .map(({ output }) => printable(output[0]!))
        .join(', ')}${joined.length > 5 ? ' …' : ''}`,
    );
  if (left > 0) lines.push(`${counted(left, 'cell')} left; the same command goes on from here`);
  if (off.length > 0) lines.push(colors.yellow(`${counted(off.length, 'cell')} broken or beyond a limit`));
  for (const entry of off.slice(0, 5))
    lines.push(
      `  ${printable(sourceWords(entry))} → ${printable(entry.target)}: ${printable(offWords(entry).join(', '))}`,
    );
  if (off.length > 5) lines.push(`  and ${off.length - 5} more; manifest.csv has them all`);
  lines.push(...failureLines(failed, colors));
  lines.push(...orphanLines(plan, prune));
  if (gallery) lines.push(`pictures, the worst first: ${printable(out)}/index.html`);
  return lines;
}

/** Which files say how those of one skeleton stand. */
function familyLines({ cells }: BatchPlan, colors: Terminal['colors']): string[] {
  const sources = new Map<string, Set<string>>();
  for (const { source, family } of cells)
    for (const path of family) sources.set(path, (sources.get(path) ?? new Set()).add(source));
  const lines = [...sources].map(([path, of]) =>
    colors.dim(
      `  ${printable(path)} says how ${counted(of.size, 'other file')} of its skeleton ${of.size === 1 ? 'stands' : 'stand'}`,
    ),
  );
  return [...lines.slice(0, 5), ...(lines.length > 5 ? [colors.dim(`  and ${lines.length - 5} more`)] : [])];
}

/** Which files no cell can be done of; what is wrong with each is told by its cells. */
function unreadableLines({ unreadable }: BatchPlan, colors: Terminal['colors']): string[] {
  if (unreadable.length === 0) return [];
  return [
    colors.red(`${counted(unreadable.length, 'file')} cannot be read:`),
    ...unreadable.slice(0, 5).map((path) => `  ${printable(path)}`),
    ...(unreadable.length > 5 ? [`  and ${unreadable.length - 5} more`] : []),
  ];
}

/** What is told where the batch stays, after each round: what failed in it, and not in one before. */
export function roundOf(ran: RanBatch, options: { out: string }, terminal: Terminal): string {
  const [line] = batchLines(ran, options, terminal);
  const before = new Set(failedOnes(ran.plan.kept).map(({ key }) => key));
  const failed = failedOnes([...ran.entries, ...ran.characters, ...ran.plan.unread]);
  const now = failed.filter(({ key }) => !before.has(key));
  return [`${line}; waits for changes, Ctrl-C ends it`, ...failureLines(now, terminal.colors)].join('\n');
}

function failureLines(failed: readonly ManifestEntry[], colors: Terminal['colors']): string[] {
  if (failed.length === 0) return [];
  const lines = [colors.red(`${counted(failed.length, 'cell')} failed`)];
  const shown = byReason(failed).slice(0, 5);
  for (const [entry, ...others] of shown)
    lines.push(
      `  ${[sourceWords(entry), entry.target].filter(Boolean).map(printable).join(' → ')}: ${printable(entry.error?.sentence ?? '')}${others.length > 0 ? ` (the same for ${others.length} more)` : ''}`,
    );
  const left = failed.length - shown.flat().length;
  if (left > 0) lines.push(`  and ${left} more; manifest.csv has them all`);
  return lines;
}

function orphanLines({ orphans }: BatchPlan, areRemoved = false): string[] {
  if (orphans.length === 0) return [];
  const files = `${counted(orphans.length, 'file')} of cells that are no part of this any more`;
  return [
    areRemoved ? `removed ${files}:` : `${files} (--prune removes them):`,
    ...orphans.slice(0, 5).map((path) => `  ${printable(path)}`),
    ...(orphans.length > 5 ? [`  and ${orphans.length - 5} more`] : []),
  ];
}
