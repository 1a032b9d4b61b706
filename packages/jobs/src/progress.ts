/** Is told that `done` of `total` parts of some work are behind, and what is being worked on. */
export type TellProgress = (done: number, total: number, what: string) => void;

/** A part of some work: what is told of it goes from one share of the whole to another. */
export function partOf(tell: TellProgress, from: number, to: number): TellProgress {
  return (done, total, what) => tell(from + (to - from) * (total > 0 ? done / total : 0), 1, what);
}
