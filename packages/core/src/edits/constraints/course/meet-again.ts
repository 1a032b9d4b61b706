import { squared } from '../../../base/math/functions.js';
import { moveBody } from '../solve/moving-body.js';
import { clampStep, largestOf } from '../solve/solve-hard.js';
import { solveStep } from '../solve/solve-step.js';
import { gatherErrors, gatherSystem, isSpent, type Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { wrongOf } from './correction.js';

/*
 * A body that was led or drawn somewhere no longer stands where tasks are met, and is brought there anew by the shortest
 * way: least of the strain *from that pose* while e = what a task is let off. What is missed anyway gives way, the more
 * the further; and so does what lies far from where the body stands, half way between two answers that are a half turn
 * apart: bringing it there would only move the jump.
 */

const LARGEST_BRIDGE_TURN = 0.15;
const MOST_BRIDGE_STEPS = 20;
const BRIDGED = 1e-7;
/** Gives way per height that it is missed by. */
const MISSED_GIVES = 10;
/** Gives way per square of the heights that it lies further away than so many. */
const FAR_GIVES = 300;
const FAR_OFF = 0.1;
/** What every task gives way, as a share of how far the body goes for a force: rows that depend on each other share it. */
const LEAST_GIVE = 1e-6;

/**
 * How willingly the trunk takes part where limbs meet, as a share. A trunk that was drawn smoothly would get the kink
 * back that it was drawn over for: with J⁺ the way from tasks to joints and ē the mean of e, J⁺ē + J⁺(e − ē) = J⁺e. So
 * limbs take up what they can, as legs do in landing.
 */
const TRUNK_SHARE = 0.05;
/** Where little is met, a task that lies so many heights away gives way half, and with the fourth power of that. */
const HALF_MET = 0.02;

/**
 * What meets: the whole body; limbs, the trunk following where they cannot; limbs, and only what lies near, so that
 * what is drawn stays as smooth as it is; or nothing, and the body stays as it is drawn.
 */
export type MeetingWay = 'whole' | 'limbs' | 'near' | 'drawn';

/** Room for it. */
export type Meeting = { home: Float64Array; weights: Float64Array };

/** Makes it for a solver. */
export function createMeeting({ width }: Solver): Meeting {
  return { home: new Float64Array((4 * (width - 3)) / 3), weights: new Float64Array(width) };
}

/** Brings tasks to what they are let off, by the shortest way from where the body stands. */
export function meetAgain(solver: Solver, { home, weights }: Meeting, way: MeetingWay): void {
  const { body, tasks, count, step } = solver;
  home.set(body.home);
  weights.set(solver.weights);
  if (way !== 'whole') holdTrunk(solver);
  body.home.set(body.locals);
  body.stay.set(body.place);
  for (let round = 0; round < MOST_BRIDGE_STEPS && !isSpent(solver); round++) {
    solver.steps++;
    gatherErrors(solver);
    gatherSystem(solver);
    for (let n = 0; n < count; n++) {
      const task = tasks[n]!;
      if (round === 0) {
        task.kept = giveOf(solver, task, way);
        task.working = task.bound === 0 || task.error[0]! > 0;
      }
      task.slip = task.kept;
      task.ease = 1;
    }
    if (!(solveStep(solver, Number.POSITIVE_INFINITY) > 0)) break;
    clampStep(step, LARGEST_BRIDGE_TURN);
    if (!Number.isFinite(largestOf(step))) break;
    moveBody(body, step, 1);
    if (!(largestOf(step) > BRIDGED)) break;
  }
  solver.weights.set(weights);
  body.home.set(home);
  body.stay.fill(0);
}

/** Makes the trunk and the place of the hips less willing. */
function holdTrunk({ body: { plan }, weights, width }: Solver): void {
  for (let c = 0; c < width; c++)
    if (c >= width - 3 || plan.trunk[Math.floor(c / 3)] === 1) weights[c] = weights[c]! * TRUNK_SHARE;
}

function giveOf({ gram, most }: Solver, task: Task, way: MeetingWay): number {
  let missed = 0;
  let off = 0;
  let willing = 0;
  for (let r = 0; r < task.rows; r++) {
    missed += squared(task.excess[r]!);
    off += squared(wrongOf(task, r));
    willing += gram[(task.row + r) * (most + 1)]! / task.rows;
  }
  const far = Math.max(0, Math.sqrt(off) - FAR_OFF);
  const near = way === 'near' ? willing * squared(off / squared(HALF_MET)) : 0;
  return LEAST_GIVE * willing + MISSED_GIVES * Math.sqrt(missed) + FAR_GIVES * far * far + near;
}
