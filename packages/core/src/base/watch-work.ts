/*
 * Long work is watched: somebody may want to stop it, or to see how far it is. The engine runs through at once, without
 * a pause in which it could be asked, and it reads no clock; so the loops that take long say how much they did,
 * and now and then whoever watches is told. What is watched stands here and not in the arguments of every function:
 * there is one thread, and so one work at a time. Where nobody watches, saying so costs a comparison.
 */
import { exp } from './math/functions.js';

type Watch = {
  /** Told how far the phase is, 0 to 1. */
  tell: (part: number) => void;
  /** What was done since somebody was last told, and in the phase at all. */
  since: number;
  done: number;
  /** About how much the phase will be. */
  expected: number;
};

let watch: Watch | null = null;

/**
 * Work is told of each time so much was done, where one is what is done for one joint in one frame: about five
 * milliseconds of the frame core, and no more than fifty on a slow machine.
 */
const OFTEN = 50_000;

/**
 * Does a phase of some work and tells how far it is as it goes on, never less than before. What `tell` throws ends the
 * work. Work inside of work, as of a caller that does another one when told, is watched for itself.
 * @param expected About how much it will be, in joints times frames: how far it is follows from that, and more than
 * expected only goes slower.
 */
export function watchWork<T>(tell: ((part: number) => void) | null, expected: number, run: () => T): T {
  const outer = watch;
  watch = tell && { tell, since: 0, done: 0, expected: Math.max(1, expected) };
  try {
    return run();
  } finally {
    watch = outer;
  }
}

/**
 * Says that work was done: joints times frames, or what takes as long. To be called from loops where nothing shared is
 * half done, since whoever is told may use the engine.
 */
export function didWork(amount: number): void {
  if (watch === null) return;
  watch.since += amount;
  if (watch.since < OFTEN) return;
  const told = watch;
  told.done += told.since;
  told.since = 0;
  watch = null;
  try {
    // Seven eighths when all was done that was expected, and nearer to the end with all that comes on top.
    told.tell(1 - exp((-3 * Math.LN2 * told.done) / told.expected));
  } finally {
    watch = told;
  }
}
