import type { SingleBar } from 'cli-progress';

/** Shows how far long work has come. */
export type Progress = {
  /** Shows that `done` of `total` steps are behind, and what is being worked on, in few and printable characters. */
  update(done: number, total: number, what: string): void;
  /** Takes the bar away. */
  stop(): void;
};

/** Milliseconds that work may take before a bar is drawn: what is quicker needs none. */
const PATIENCE = 400;

/**
 * A progress bar where somebody watches; silent in a pipe. It appears when work takes long, never runs back whatever
 * it is told, and counts the seconds, so that it moves even while nothing is told. That takes a thread with nothing
 * else to do.
 */
export function createProgress(stream: NodeJS.WriteStream | null): Progress {
  if (!stream) return { update: () => {}, stop: () => {} };
  const now = { share: 0, what: 'starting' };
  let bar: SingleBar | null = null;
  let isOver = false;
  const draw = async () => {
    const { Presets, SingleBar } = (await import('cli-progress')).default;
    if (isOver) return;
    bar = new SingleBar(
      {
        format: '{bar} {percentage}%  {what}  {duration} s',
        barsize: 24,
        clearOnComplete: true,
        hideCursor: true,
        // Signals are answered elsewhere; the bar would swallow them.
        gracefulExit: false,
        stream,
      },
      Presets.shades_classic,
    );
    bar.start(1000, Math.floor(1000 * now.share), { what: now.what });
  };
  const timer = setTimeout(() => void draw(), PATIENCE);
  return {
    update(done, total, what) {
      const share = total > 0 ? Math.min(1, done / total) : 0;
      now.share = Math.max(now.share, Number.isFinite(share) ? share : 0);
      now.what = what;
      bar?.update(Math.floor(1000 * now.share), { what: now.what });
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
      bar?.stop();
      bar = null;
    },
  };
}
