import {
  AXIS_VECTORS,
  type Axis,
  addToList,
  oneLine,
  partNotes,
  printable,
  type ResultVerdict,
  WARNING_MEANINGS,
  type Warning,
} from '@stuntdouble/core/engine';
import { asTyped, short, uniqueWarnings } from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { cut, layOut } from './table.js';

export { short, uniqueWarnings };

/** A count with its noun: `1 joint`, `12 joints`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** An angle in degrees: three digits tell what is exact from what is merely good. */
export function degrees(angle: number, digits = 3): string {
  return Number.isFinite(angle) ? `${angle.toFixed(digits)}°` : '–';
}

/** A share from 0 to 1 in percent. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Seconds for a table. */
export function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

/** A size in bytes, for a person. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1e6 ? `${(size / 1e3).toFixed(0)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}

/** The cosine of 1°: how near a direction must be to an axis to be called by its name. */
const NEAR = Math.cos(Math.PI / 180);

/** The name of the axis that a direction follows within 1°, such as `+Z`, else the unit vector itself. */
export function axisOf(direction: readonly [number, number, number]): Axis | [number, number, number] {
  const [x, y, z] = direction;
  const length = Math.hypot(x, y, z) || 1;
  for (const axis of Object.keys(AXIS_VECTORS) as Axis[]) {
    const [ax, ay, az] = AXIS_VECTORS[axis];
    if ((x * ax + y * ay + z * az) / length >= NEAR) return axis;
  }
  return [x / length, y / length, z / length];
}

/** A direction for a person: an axis name, or three numbers. */
export function directionWords(direction: readonly [number, number, number]): string {
  const axis = axisOf(direction);
  return typeof axis === 'string' ? axis : `(${axis.map((value) => value.toFixed(2)).join(', ')})`;
}

/** A reference pose in a few words. */
export function referenceWords(reference: { kind: string; frame?: { clip: string; time: number } }): string {
  if (reference.frame)
    return `"${cut(printable(reference.frame.clip), 60)}" at ${short(reference.frame.time)} s`;
  return reference.kind === 'pose' ? 'given pose' : `${reference.kind} pose`;
}

/** What was told as `--json` has it, notes and warnings apart: codes and sentences. */
export function toldJson(
  told: readonly Warning[],
): Record<'notes' | 'warnings', { code: string; message: string }[]> {
  const json = ({ code, message }: Warning) => ({ code, message: asTyped(oneLine(message)) });
  const { notes, warnings } = partNotes(told);
  return { notes: notes.map(json), warnings: warnings.map(json) };
}

/** How many warnings of one code are listed before the rest is only counted. */
const MOST_OF_A_CODE = 5;

/**
 * Lines that list what was told under its codes: what was lost or is doubtful, then choices that were made; none where
 * there is nothing to tell.
 */
export function toldLines(told: readonly Warning[], { colors }: Pick<Terminal, 'colors'>): string[] {
  const { notes, warnings } = partNotes(told);
  const listed = [
    codeLines(warnings, 'warning', colors.yellow, colors.dim),
    codeLines(notes, 'note', colors.dim, colors.dim),
  ].filter((lines) => lines.length > 0);
  return listed.flatMap((lines, n) => (n === 0 ? lines : ['', ...lines]));
}

/** How many reasons of a verdict are listed before the rest is only counted. */
const MOST_REASONS = 6;

/**
 * The verdict on a result and why, for a person; reasons that warnings say anyway are left to them.
 * @param isMeasured Whether there are measures; else the verdict goes by map and skin alone, which is said.
 */
export function judgedLines(
  { verdict, reasons }: ResultVerdict,
  { colors }: Pick<Terminal, 'colors'>,
  isMeasured = true,
): string[] {
  const paint = { good: colors.green, look: colors.yellow, broken: colors.red }[verdict];
  const told = reasons.filter(({ code }) => !(code in WARNING_MEANINGS));
  const others = reasons.length - told.length;
  const good = isMeasured ? 'nothing to mend' : 'as far as is known';
  const words = { good, look: 'worth a look', broken: 'not to be used as it is' }[verdict];
  const warned = others > 0 && told.length === 0 ? `: ${counted(others, 'warning')}` : '';
  return [
    `verdict: ${paint(verdict)}, ${words}${isMeasured ? '' : ', since nothing was measured'}${warned}`,
    ...told
      .slice(0, MOST_REASONS)
      .map(({ clip, message }) => `  ${oneLine(clip === undefined ? message : `"${clip}": ${message}`)}`),
    ...(told.length > MOST_REASONS
      ? [colors.dim(`  and ${told.length - MOST_REASONS} more; --json has them all`)]
      : []),
  ];
}

type Paint = (text: string) => string;

function codeLines(told: readonly Warning[], noun: string, paint: Paint, dim: Paint): string[] {
  if (told.length === 0) return [];
  const groups = new Map<string, string[]>();
  for (const { code, message } of told) addToList(groups, code, message);
  const lines = [paint(counted(told.length, noun))];
  for (const [code, messages] of groups) {
    lines.push(`  ${paint(code)}`);
    for (const message of messages.slice(0, MOST_OF_A_CODE)) lines.push(`    ${asTyped(oneLine(message))}`);
    if (messages.length > MOST_OF_A_CODE)
      lines.push(dim(`    and ${messages.length - MOST_OF_A_CODE} more; --json has them all`));
  }
  return lines;
}

/** Lines of `label  value  (reason)`, labels and reasons dimmed. */
export function factLines(
  facts: readonly (readonly [label: string, value: string, reason?: string])[],
  { colors }: Pick<Terminal, 'colors'>,
): string[] {
  return layOut(
    facts.map(([label, value, reason]) => [
      { text: label, paint: colors.dim },
      value,
      { text: reason ?? '', paint: colors.dim },
    ]),
  ).map((line) => `  ${line}`);
}

/** The headline of a section. */
export function heading(text: string, { colors }: Pick<Terminal, 'colors'>): string {
  return colors.bold(cut(printable(text), 300));
}
