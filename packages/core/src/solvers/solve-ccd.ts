import { atan2, squared } from '../base/math/functions.js';
import { quaternionFromAxisAngle, shortestArc } from '../base/math/quaternion.js';
import {
  beginSolve,
  endSolve,
  loosenHinges,
  missOf,
  SOLVER_DEFAULTS,
  type SolverSettings,
} from './begin-solve.js';
import {
  hingeAxisOf,
  type SolverChain,
  type SolverGoal,
  turnChainJoint,
  updateChain,
} from './solver-chain.js';

/** Sweeps in a row with hardly a gain after which hinges are loosened. */
const STALLED_SWEEPS = 3;
const toEnd = new Float64Array(3);
const toGoal = new Float64Array(3);
const turn = new Float64Array(4);
const axis = new Float64Array(3);

/**
 * Brings a chain to its goal by cyclic coordinate descent: joint after joint is turned so that the effector,
 * seen from it, lies in the goal's direction. Backward starts at the joint before the effector (K29) and curls
 * the tip; forward starts at the root and swings the whole. By atan2 and a shortest arc that knows opposite
 * directions (KP14).
 */
export function solveCcd(
  chain: SolverChain,
  goal: SolverGoal,
  settings: SolverSettings = SOLVER_DEFAULTS,
  sweep: 'backward' | 'forward' = 'backward',
): void {
  let steps = 0;
  if (beginSolve(chain, goal, settings)) {
    const { rotations, best } = chain;
    const last = rotations.length / 4 - 1;
    const near = settings.tolerance * chain.length;
    let miss = missOf(chain);
    let least = miss;
    let idle = 0;
    let isBackward = sweep === 'backward';
    let loosened = 0;
    best.set(rotations);
    while (steps < settings.maxIterations && miss > near) {
      for (let k = 0; k < last; k++) turnToTarget(chain, isBackward ? last - 1 - k : k, settings.step);
      steps++;
      const before = miss;
      miss = missOf(chain);
      if (miss < least) {
        least = miss;
        best.set(rotations);
      }
      idle = miss > 0.98 * before ? idle + 1 : 0;
      if (miss > near && idle > STALLED_SWEEPS && loosened < 4 && loosenHinges(chain)) {
        loosened++;
        // From the tip the first knee would be pressed straight again.
        isBackward = false;
        idle = 0;
        miss = missOf(chain);
      }
    }
    if (miss > least) {
      rotations.set(best);
      updateChain(chain);
    }
  }
  endSolve(chain, goal, steps);
}

function turnToTarget(chain: SolverChain, i: number, step: number): void {
  const { positions, target, weights } = chain;
  const e = positions.length - 3;
  for (let c = 0; c < 3; c++) {
    toEnd[c] = positions[e + c]! - positions[3 * i + c]!;
    toGoal[c] = target[c]! - positions[3 * i + c]!;
  }
  // A hinge turns about its axis only: the best it can do is to line up what is square to it.
  if (hingeAxisOf(axis, chain, i)) {
    squareUp(toEnd);
    squareUp(toGoal);
  }
  shortestArc(turn, 0, toEnd, 0, toGoal, 0);
  const share = step * weights[i]!;
  if (share !== 1) {
    const sine = Math.sqrt(squared(turn[0]!) + squared(turn[1]!) + squared(turn[2]!));
    if (sine < 1e-12) return;
    for (let c = 0; c < 3; c++) axis[c] = turn[c]! / sine;
    quaternionFromAxisAngle(turn, 0, axis, 0, 2 * share * atan2(sine, turn[3]!));
  }
  turnChainJoint(chain, i, turn, 0);
  updateChain(chain, i + 1);
}

/** Takes out of a vector what is along the hinge's axis. */
function squareUp(v: Float64Array): void {
  const along = v[0]! * axis[0]! + v[1]! * axis[1]! + v[2]! * axis[2]!;
  for (let c = 0; c < 3; c++) v[c] = v[c]! - along * axis[c]!;
}
