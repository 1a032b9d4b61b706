import { CELL_SEPARATOR, type CellHashes } from './hash-cells.js';

/** What a run has written: which parts and settings it had, by which Node, and the hashes of every cell. */
export type HashFile = {
  node: string;
  parts: readonly string[];
  settings: readonly string[];
  /** A part of the pairs' names, where a run had only some. */
  pair?: string;
  cells: Record<string, CellHashes>;
};

/** A cell that is not the same in both, and which of its hashes are not. */
export type CellDifference = { setting: string; pair: string; hashes: string[] };

/** How many cells both runs had, and which differ. */
export type HashComparison = { compared: number; differences: CellDifference[] };

/**
 * Compares two runs in the parts, settings and pairs that both had. A cell that only one of them has differs, and so
 * does a result that has become a refusal.
 */
export function compareHashes(before: HashFile, after: HashFile): HashComparison {
  const differences: CellDifference[] = [];
  const files = [before, after];
  const names = [...new Set(files.flatMap(({ cells }) => Object.keys(cells)))].sort();
  let compared = 0;
  for (const cell of names) {
    const [part, setting, pair] = cell.split(CELL_SEPARATOR) as [string, string, string];
    const inBoth = files.every(
      ({ parts, settings, pair: only = '' }) =>
        parts.includes(part) && settings.includes(setting) && pair.includes(only),
    );
    if (!inBoth) continue;
    compared++;
    const [a, b] = [before.cells[cell], after.cells[cell]];
    const kinds = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])].sort();
    const hashes = !a || !b ? ['missing'] : kinds.filter((kind) => a[kind] !== b[kind]);
    if (hashes.length > 0) differences.push({ setting, pair: `${part}: ${pair}`, hashes });
  }
  return { compared, differences };
}

const MOST_PAIRS = 10;

/** Lines for people: how many cells differ in what, by setting, and the first pairs of each. */
export function formatComparison({ compared, differences }: HashComparison): string[] {
  if (compared === 0) return ['the two files have no cell in common: they were made with other restrictions'];
  if (differences.length === 0) return [`all ${compared} cells are the same`];
  const groups = new Map<string, string[]>();
  for (const { setting, pair, hashes } of differences) {
    const title = `${setting}: ${hashes.join(', ')}`;
    groups.set(title, [...(groups.get(title) ?? []), pair]);
  }
  const moved = differences.filter(({ hashes }) => hashes.some((kind) => !kind.startsWith('report.')));
  const lines = [
    `${differences.length} of ${compared} cells differ: ${moved.length} in what is made, ${differences.length - moved.length} in their reports alone`,
  ];
  for (const [title, pairs] of groups) {
    lines.push('', `${title} (${pairs.length})`, ...pairs.slice(0, MOST_PAIRS).map((pair) => `  ${pair}`));
    if (pairs.length > MOST_PAIRS) lines.push(`  … and ${pairs.length - MOST_PAIRS} more`);
  }
  return lines;
}
