import type { Contender } from './contender.js';

/** How long the quickest run of a contender took. */
export type Timing = { name: string; milliseconds: number };

/** How thoroughly to time. */
export type TimingOptions = {
  /** How often everyone has a turn. */
  rounds: number;
  /** A turn is as many runs as fit in these milliseconds, at least one. */
  turn: number;
  /** Milliseconds for which everyone runs before the clock counts. */
  warmUp: number;
  /** What milliseconds are read from; the wall's if left out. */
  clock?: () => number;
};

/**
 * The milliseconds that the processor has worked for this process, its compiler and collector too: on a machine with
 * other work a run is not longer for it, or hardly.
 */
export function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Times contenders against each other: all in this process, turn by turn, so that a slow minute of the machine
 * meets everyone, and the quickest run of each counts. Every contender runs and is checked before the clock
 * starts and once more at the end: a result that is not the whole work throws.
 */
export function timeContenders(
  contenders: readonly Contender[],
  { rounds, turn, warmUp, clock = () => performance.now() }: TimingOptions,
): Timing[] {
  const timings = contenders.map(({ name }) => ({ name, milliseconds: Number.POSITIVE_INFINITY }));
  for (const contender of contenders) {
    contender.run();
    contender.check();
    // Compilers work beside the program: everyone gets the time to be compiled before the clock counts.
    const start = clock();
    while (clock() - start < warmUp) contender.run();
    contender.forget?.();
  }
  for (let round = 0; round < rounds; round++)
    contenders.forEach((contender, n) => {
      // One contender's garbage is not another's work.
      globalThis.gc?.();
      const timing = timings[n]!;
      const start = clock();
      let end = start;
      do {
        const from = end;
        contender.run();
        end = clock();
        timing.milliseconds = Math.min(timing.milliseconds, end - from);
      } while (end - start < turn);
      contender.forget?.();
    });
  for (const contender of contenders) {
    contender.run();
    contender.check();
    contender.forget?.();
  }
  return timings;
}
