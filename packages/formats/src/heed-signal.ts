import { watchWork } from '@stuntdouble/core/engine';

/**
 * Does work that runs through without a pause, and asks a signal now and then whether to go on: as often as the loops in
 * it say that they did something. What the signal throws ends the work.
 * @param run is heard until it first awaits something.
 */
export function heedSignal<T>(signal: { throwIfAborted(): void } | undefined, run: () => T): T {
  return watchWork(signal ? () => signal.throwIfAborted() : null, 1, run);
}
