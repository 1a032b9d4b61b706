import {
  type ClipMeasures,
  type CoverageMeasure,
  oneLine,
  poolMeasures,
  printable,
} from '@stuntdouble/core/engine';
import { type ClipPair, listed, type Measured, type Verdict } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { armTable, limbTable, measureLegend, measureTable, motionTable } from './report-card.js';
import { cut } from './table.js';
import { counted, degrees, heading, judgedLines, toldJson, toldLines } from './words.js';

/** The document that `measure --json` prints. */
export function measureJson({ clips, verdict, coverage, limits, told }: Measured) {
  return {
    clips,
    pooled: poolMeasures(clips.map(({ motion }) => motion)),
    verdict: verdict.verdict,
    reasons: verdict.reasons,
    coverage,
    limits,
    ...toldJson(told),
  };
}

/**
 * What `measure` tells a person.
 * @param names What the two files are called.
 * @param isAsked Whether the clips were paired by the user, who knows which were left alone.
 */
export function measuredLines(
  names: readonly [source: string, result: string],
  measured: Measured,
  isAsked: boolean,
  terminal: Terminal,
): string[] {
  const { clips, pairs, alone, coverage, verdict, told, limits } = measured;
  return [
    `${heading(names[0], terminal)} → ${heading(names[1], terminal)}  ${counted(clips.length, 'clip')} measured`,
    '',
    ...measureLines(clips, pairs, terminal),
    ...skinLines(clips, coverage),
    ...(isAsked ? [] : aloneLines(alone.result, 'result', terminal)),
    '',
    ...judgedLines(verdict, terminal),
    ...(told.length > 0 ? ['', ...toldLines(told, terminal)] : []),
    ...limitLines(limits, terminal),
  ];
}

/** What of the skin comes along, in a line. */
function skinLines(clips: readonly ClipMeasures[], coverage: CoverageMeasure | null): string[] {
  const parts = [
    ...(coverage?.driven == null ? [] : [`${Math.round(100 * coverage.driven)} % of the skin comes along`]),
    ...(coverage ? [`the map is ${Math.round(100 * coverage.confidence)} % sure`] : []),
  ];
  const stretch = Math.max(0, ...clips.map(({ skin }) => skin?.stretch ?? 0));
  if (stretch > 0)
    parts.push(`edges of skin without a driver are at most ${stretch.toFixed(1)} times as long`);
  return parts.length === 0 ? [] : ['', `  ${parts.join(', ')}`];
}

function limitLines(verdicts: readonly Verdict[], { colors }: Terminal): string[] {
  if (verdicts.length === 0) return [];
  const failed = verdicts.filter(({ passed }) => !passed);
  const unknown = verdicts.filter(({ value }) => value === null);
  return [
    '',
    ...failed.map(({ message }) => `${colors.red('failed')} ${oneLine(message)}`),
    ...unknown.map(({ message }) => colors.dim(oneLine(message))),
    ...(failed.length === 0 ? [colors.green(`${counted(verdicts.length, 'limit')} kept`)] : []),
  ];
}

function measureLines(
  clips: readonly ClipMeasures[],
  pairs: readonly ClipPair[],
  terminal: Terminal,
): string[] {
  const lines = [...measureTable(clips, terminal), measureLegend(terminal)];
  const renamed = pairs.filter(([a, b]) => a !== b);
  if (renamed.length > 0)
    lines.push(
      '',
      ...renamed.map(([a, b]) =>
        terminal.colors.dim(`  "${cut(printable(b), 60)}" was measured against "${cut(printable(a), 60)}"`),
      ),
    );
  const motion = motionTable(clips, terminal);
  if (motion.length > 0) lines.push('', ...motion);
  const arms = armTable(clips, terminal);
  if (arms.length > 0) lines.push('', ...arms);
  const limbs = limbTable(clips, terminal);
  if (limbs.length > 0) lines.push('', ...limbs);
  const bends = clips.map(({ kneeBend }) => kneeBend).filter((bend) => bend !== null);
  if (bends.length > 0)
    lines.push(
      terminal.colors.dim(
        `  knees rest up to ${degrees(Math.max(...bends), 1)} apart; kept as anatomy, not counted`,
      ),
    );
  return lines;
}

function aloneLines(names: readonly string[], where: string, { colors }: Terminal): string[] {
  if (names.length === 0) return [];
  return [
    '',
    colors.dim(
      `not measured, since it did not come from this source: ${oneLine(listed(names))} of the ${where}`,
    ),
  ];
}
