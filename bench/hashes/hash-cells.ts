import type { Scene } from '@stuntdouble/core';
import type { HashSetting } from './core-settings.js';
import type { Outcome } from './describe-result.js';
import { digest } from './digest.js';
import { type HashedPair, pairName } from './hash-pairs.js';
import { type OpenPair, openPair } from './open-pair.js';

/** The hashes of one result by what they are of: `motion`, `report.map` …; of a refusal `refusal` alone. */
export type CellHashes = Record<string, string>;

/** What stands between part, setting and pair in the name of a cell. */
export const CELL_SEPARATOR = ' | ';

/** How cells are hashed. */
export type HashRun = {
  /** Reads a file; the same scene each time, or another each time. */
  readScene: (path: string) => Promise<Scene>;
  /** Whether files are read anew for every cell, so that nothing remembered of them is of use. */
  fresh?: boolean;
  /** Told of every cell: its name, what it holds, and the processor's milliseconds. */
  onCell?: (cell: string, outcome: Outcome, milliseconds: number) => void;
};

/** Hashes the result of every setting for every pair, by the name of the cell. */
export async function hashCells(
  pairs: readonly HashedPair[],
  settings: readonly HashSetting[],
  { readScene, fresh = false, onCell }: HashRun,
): Promise<Record<string, CellHashes>> {
  const cells: Record<string, CellHashes> = {};
  for (const pair of pairs) {
    let open: OpenPair | null = null;
    for (const setting of settings) {
      if (setting.samplesOnly && pair.part !== 'samples') continue;
      const start = process.cpuUsage();
      if (!open || fresh) open = await openPair(pair, readScene);
      if (open.clips.length === 0 && !setting.withoutClips) continue;
      const outcome = await outcomeOf(setting, open);
      if (!outcome) continue;
      const cell = [pair.part, setting.name, pairName(pair)].join(CELL_SEPARATOR);
      cells[cell] = Object.fromEntries(Object.entries(outcome).map(([name, value]) => [name, digest(value)]));
      const { user, system } = process.cpuUsage(start);
      onCell?.(cell, outcome, (user + system) / 1000);
    }
  }
  return cells;
}

/** What a setting gives, or how it refuses. */
async function outcomeOf(setting: HashSetting, open: OpenPair): Promise<Outcome | null> {
  try {
    return await setting.run(open);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { refusal: { name: error.name, message: error.message } };
  }
}
