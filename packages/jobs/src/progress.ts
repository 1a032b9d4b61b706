/** Is told that `done` of `total` parts of some work are behind, and what is being worked on. */
export type TellProgress = (done: number, total: number, what: string) => void;

/** A part of some work: what is told of it goes from one share of the whole to another. */
export function partOf(tell: TellProgress, from: number, to: number): TellProgress {
  return (done, total, what) => tell(from + (to - from) * (total > 0 ? done / total : 0), 1, what);
}

/**
 * Waits until what has happened meanwhile is heard, such as a timer or a closed connection that sets the signal: steps of
 * a job run through without a pause.
 * @throws what the signal throws.
 */
export async function hearEvents(signal: { throwIfAborted(): void } | undefined): Promise<void> {
  if (!signal) return;
  await new Promise((heard) => setTimeout(heard, 0));
  signal.throwIfAborted();
}
