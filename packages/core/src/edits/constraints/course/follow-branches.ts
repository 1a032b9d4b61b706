import { updateBody } from '../solve/moving-body.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { type Correction, readCorrection, wayBetween } from './correction.js';
import { solveFrom } from './solve-from.js';

/*
 * Tasks that ask for much have several answers, local minima of one cost, and a frame for itself takes the one that its
 * own attraction leads to: from one frame to the next that may be another one, and the body jumps. So while the frames of
 * a clip go by, answers are followed: where the answer of a frame is far from that before, the frame is solved once more
 * from that one, and both are kept, and followed in turn. In the end the frames take the way through all answers with
 *
 *   least  Σ cost(frame) + JUMP_COST · how far joints jump from frame to frame,
 *
 * found as Viterbi does, from the last frame back. What the frames alone would do costs no more than before, so that
 * an answer is changed only where that saves jumps.
 */

/** Ways from frame to frame that are longer, in heights a second, are looked into. */
const FAST = 1.2;
/** Nearer than this, in heights, two answers are one. */
const SAME_ANSWER = 0.003;
/** Most answers that are followed at once, that of the frame alone among them. */
const MOST_ANSWERS = 3;
/** What a height of jumping is worth: staying in an answer that costs 1 more is worth it for a second, for half a height. */
const JUMP_COST = 120;

/** An answer of a frame. */
type Answer = {
  correction: Correction;
  /** Whether it is that of the frame alone. */
  own: boolean;
  /** The answer of the frame before on the way that leads here for least, and what that costs. */
  before: Answer | null;
  total: number;
};

/** A frame with all its answers; that of the frame alone comes first. */
type AnsweredFrame = { time: number; answers: Answer[] };

/** A frame on the way that was chosen. */
export type ChosenFrame = { time: number; correction: Correction; own: boolean };

/** Follows answers from frame to frame. */
export type BranchFollower = {
  /** Takes the frame that was just solved; the solver's body stands in its answer, and does so afterwards. */
  note(solver: Solver, time: number, attraction: Float64Array, isBroken: boolean): void;
  /** What the frame alone changed that was taken last. */
  own(): Correction;
  /** How many frames there are by now. */
  count(): number;
  /** The way through all frames; begins anew. */
  choose(): ChosenFrame[];
};

/**
 * Makes a follower.
 * @param tasks All tasks that there may be.
 */
export function createBranchFollower(tasks: readonly Task[]): BranchFollower {
  let frames: AnsweredFrame[] = [];
  return {
    note(solver, time, attraction, isBroken) {
      const last = frames[frames.length - 1];
      const own = readCorrection(solver, attraction, tasks);
      const answers = [createAnswer(own, true)];
      frames.push({ time, answers });
      if (!last) return;
      const seconds = time - last.time;
      if (!isBroken) followAnswers(solver, attraction, tasks, last, answers, seconds);
      for (const answer of answers)
        connect(
          answer,
          last,
          isBroken || answers.length + last.answers.length === 2 ? 0 : JUMP_COST,
          seconds,
        );
      dropWorse(answers);
    },
    own: () => frames[frames.length - 1]!.answers[0]!.correction,
    count: () => frames.length,
    choose() {
      const chosen: ChosenFrame[] = [];
      let answer: Answer | null = null;
      for (const each of frames[frames.length - 1]?.answers ?? [])
        if (!answer || each.total < answer.total) answer = each;
      for (let k = frames.length - 1; k >= 0 && answer; k--) {
        chosen.push({ time: frames[k]!.time, correction: answer.correction, own: answer.own });
        answer = answer.before;
      }
      frames = [];
      return chosen.reverse();
    },
  };
}

function createAnswer(correction: Correction, own: boolean): Answer {
  return { correction, own, before: null, total: correction.cost };
}

/** Adds the answers that those of the frame before lead to. */
function followAnswers(
  solver: Solver,
  attraction: Float64Array,
  tasks: readonly Task[],
  last: AnsweredFrame,
  answers: Answer[],
  seconds: number,
): void {
  const own = answers[0]!.correction;
  const { body, steps, work } = solver;
  const locals = body.locals.slice();
  const place = body.place.slice();
  let spent = work;
  for (const { correction } of last.answers) {
    if (answers.length >= MOST_ANSWERS || !(wayBetween(correction, own) > FAST * seconds)) continue;
    solver.steps = 0;
    solver.work = 0;
    solveFrom(solver, correction);
    spent += solver.work;
    const followed = readCorrection(solver, attraction, tasks);
    if (!Number.isFinite(followed.cost)) continue;
    if (answers.every((each) => wayBetween(each.correction, followed) > SAME_ANSWER))
      answers.push(createAnswer(followed, false));
  }
  solver.steps = steps;
  solver.work = spent;
  if (spent === work) return;
  body.locals.set(locals);
  body.place.set(place);
  updateBody(body);
}

/** Finds the answer of the frame before from which it costs least to come here. */
function connect(answer: Answer, { answers }: AnsweredFrame, jump: number, seconds: number): void {
  let least = Number.POSITIVE_INFINITY;
  for (const each of answers) {
    const way = jump > 0 ? wayBetween(each.correction, answer.correction) : 0;
    const total = each.total + jump * Math.max(0, way - FAST * seconds);
    // What costs more than numbers can say has a frame before it all the same.
    if (total < least || !answer.before) {
      least = total;
      answer.before = each;
    }
  }
  answer.total = answer.correction.cost + least;
}

/** An answer that it costs less to jump to from another one is not followed. */
function dropWorse(answers: Answer[]): void {
  for (let n = answers.length - 1; n > 0; n--) {
    const { total, correction } = answers[n]!;
    const own = answers[0]!;
    if (total > own.total + JUMP_COST * wayBetween(own.correction, correction)) answers.splice(n, 1);
  }
}
