/**
 * Files that must not stay if the work ends before its time: each is told when it is about to be made and when it is
 * gone or has become what it should be. Whoever can end this thread listens, and removes what is left.
 */
export type UnfinishedEvent = { kind: 'begin'; path: string } | { kind: 'end'; path: string };

let tell: (event: UnfinishedEvent) => void = () => {};

/** Sets who is told of unfinished files; there is one such listener a thread. */
export function watchUnfinished(listener: (event: UnfinishedEvent) => void): void {
  tell = listener;
}

/** Says that a file may be there from now on, and must go if the work is ended. */
export function beginFile(path: string): void {
  tell({ kind: 'begin', path });
}

/** Says that a file is gone, or whole. */
export function endFile(path: string): void {
  tell({ kind: 'end', path });
}
