import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

/** A bar that shows how far long work has come. */
export type Progress = {
  /** Shows that `done` of `total` steps are behind, and what is being worked on. */
  update(done: number, total: number, what: string): void;
  /** Takes the bar away. */
  stop(): void;
};

/** A progress bar on standard error where somebody watches; silent in a pipe. */
export function createProgress({ progress: stream }: Pick<Terminal, 'progress'>): Progress {
  if (!stream) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { format: '{bar} {percentage}%  {what}', barsize: 24, clearOnComplete: true, hideCursor: true, stream },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total, what) {
      if (!started) bar.start(total, done, { what });
      started = true;
      bar.setTotal(total);
      bar.update(done, { what });
    },
    stop() {
      if (started) bar.stop();
      started = false;
    },
  };
}
