import { type Contact, POINT_NAMES, printable } from '@stuntdouble/core/engine';
import type { Terminal } from '../terminal.js';
import { heading, seconds } from './words.js';

/** Columns of a timeline, where they fit. */
const WIDEST = 72;
/** What is higher than this over the floor, in hip heights, is drawn as standing on something. */
const OFF_FLOOR = 0.03;

/**
 * Draws when which point of the body touches what, as text: a row a point, `█` on the floor, `▀` on something
 * higher, `▄` on something lower, `▒` on the own body or on what is carried, `·` in the air; a column is touched where more than half of it is.
 */
export function timelineLines(
  clip: { name: string; duration: number },
  contacts: readonly Contact[],
  terminal: Terminal,
): string[] {
  const { colors, columns } = terminal;
  const title = `${heading(printable(clip.name) || '(no name)', terminal)}  ${seconds(clip.duration)}`;
  if (contacts.length === 0) return [title, colors.dim('  nothing stands still on anything')];
  const points = POINT_NAMES.filter((name) => contacts.some(({ point }) => point === name));
  const margin = Math.max(...points.map((name) => name.length)) + 4;
  const width = Math.max(10, Math.min(WIDEST, columns - margin));
  const step = clip.duration / width;
  const rows = points.map((name) => {
    const own = contacts.filter(({ point }) => point === name);
    let bar = '';
    for (let k = 0; k < width; k++) {
      const middle = (k + 0.5) * step;
      const found = own.find(({ start, end }) => start <= middle && end >= middle);
      bar += !found
        ? '·'
        : found.on !== undefined
          ? '▒'
          : found.height > OFF_FLOOR
            ? '▀'
            : found.height < -OFF_FLOOR
              ? '▄'
              : '█';
    }
    return `  ${name.padEnd(margin - 4)}  ${bar.replace(/·+/g, (air) => colors.dim(air))}`;
  });
  const end = seconds(clip.duration);
  const scale = `${' '.repeat(margin)}0${end.padStart(Math.max(end.length + 1, width - 1))}`;
  return [title, ...rows, colors.dim(scale)];
}
