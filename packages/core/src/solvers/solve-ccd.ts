import { quaternionFromAxisAngle, shortestArc } from '../quaternion.js';
import { beginSolve, endSolve, missOf, SOLVER_DEFAULTS, type SolverSettings } from './begin-solve.js';
import { type SolverChain, type SolverGoal, turnChainJoint, updateChain } from './solver-chain.js';

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
    best.set(rotations);
    while (steps < settings.maxIterations && miss > near) {
      for (let k = 0; k < last; k++) turnToTarget(chain, sweep === 'backward' ? last - 1 - k : k);
      steps++;
      miss = missOf(chain);
      if (miss < least) {
        least = miss;
        best.set(rotations);
      }
    }
    if (miss > least) {
      rotations.set(best);
      updateChain(chain);
    }
  }
  endSolve(chain, goal, steps);
}

function turnToTarget(chain: SolverChain, i: number): void {
  const { positions, target, weights } = chain;
  const e = positions.length - 3;
  for (let c = 0; c < 3; c++) {
    toEnd[c] = positions[e + c]! - positions[3 * i + c]!;
    toGoal[c] = target[c]! - positions[3 * i + c]!;
  }
  shortestArc(turn, 0, toEnd, 0, toGoal, 0);
  if (weights[i]! !== 1) {
    const sine = Math.sqrt(turn[0]! ** 2 + turn[1]! ** 2 + turn[2]! ** 2);
    if (sine < 1e-12) return;
    for (let c = 0; c < 3; c++) axis[c] = turn[c]! / sine;
    quaternionFromAxisAngle(turn, 0, axis, 0, 2 * weights[i]! * Math.atan2(sine, turn[3]!));
  }
  turnChainJoint(chain, i, turn, 0);
  updateChain(chain, i + 1);
}
