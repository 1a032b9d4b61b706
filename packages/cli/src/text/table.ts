import { printable } from '@stuntdouble/core/engine';

/** A cell: its text as it is measured, and how it is painted, which must not change its width. */
export type Cell = string | { text: string; paint: (text: string) => string };

/** A column of a table: which side its cells stand on, and how wide it may become. */
export type Column = { align?: 'left' | 'right'; most?: number };

// Cursive, Han and the like take two columns on a terminal; combining marks take none.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const MARK = /\p{Mark}/u;

/** The number of terminal columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** A text cut to a width, its end replaced by `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const character of text) {
    const next = widthOf(character);
    if (used + next > width - 1) break;
    out += character;
    used += next;
  }
  return `${out}…`;
}

/**
 * Lays rows out in columns two spaces apart, each as wide as its widest cell. The last column is left ragged
 * when it stands on the left.
 * @returns lines without line breaks, without spaces at their ends.
 */
export function layOut(rows: readonly (readonly Cell[])[], columns: readonly Column[] = []): string[] {
  const texts = rows.map((row) => row.map((cell) => printable(typeof cell === 'string' ? cell : cell.text)));
  const widths: number[] = [];
  for (const row of texts)
    row.forEach((text, c) => {
      const most = columns[c]?.most ?? Number.POSITIVE_INFINITY;
      widths[c] = Math.max(widths[c] ?? 0, Math.min(most, widthOf(text)));
    });
  return rows.map((row, r) => {
    let line = '';
    let pending = '';
    row.forEach((cell, c) => {
      const text = cut(texts[r]![c]!, widths[c]!);
      const room = ' '.repeat(Math.max(0, widths[c]! - widthOf(text)));
      const painted = typeof cell === 'string' ? text : cell.paint(text);
      const right = columns[c]?.align === 'right';
      if (right) pending += room;
      if (text !== '') {
        line += pending + painted;
        pending = '';
      }
      pending += `${right ? '' : room}  `;
    });
    return line;
  });
}

/** Gives every text back but one that was just said: a reason that holds for row after row is said once. */
export function sayOnce(): (text: string) => string {
  let last = '';
  return (text) => {
    const said = text === last ? '' : text;
    last = text;
    return said;
  };
}
