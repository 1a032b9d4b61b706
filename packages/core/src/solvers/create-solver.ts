import { UsageError } from '../base/errors.js';
import { distanceFlat } from '../base/math/flat-vectors.js';
import { shortestArc } from '../base/math/quaternion.js';

import { beginSolve, endSolve, missOf, SOLVER_DEFAULTS, type SolverSettings } from './begin-solve.js';
import { solveCcd } from './solve-ccd.js';
import { solveFabrik } from './solve-fabrik.js';
import { solveJacobian } from './solve-jacobian.js';
import { createTwoBoneSolution, solveTwoBone, type TwoBoneOptions } from './solve-two-bone.js';
import {
  boneLength,
  isLimitedChain,
  type SolverChain,
  type SolverGoal,
  turnChainJoint,
  updateChain,
} from './solver-chain.js';

/** The methods that bring a chain to its goal. */
export const SOLVER_METHODS = ['none', 'twoBone', 'ccd', 'fabrik', 'jacobian'] as const;

/** How a chain is brought to its goal. Lengths are shares of the chain's length, so that no unit matters. */
export type ChainSolver = {
  method: (typeof SOLVER_METHODS)[number];
  /** For `ccd`: which end the sweep starts from. */
  sweep?: 'backward' | 'forward';
  /** For `jacobian`. */
  variant?: 'transpose' | 'pseudoInverse' | 'damped';
  maxIterations?: number;
  /** Share of the chain's length at which the goal counts as reached. */
  tolerance?: number;
  /** For `damped`: share of the chain's length. */
  damping?: number;
  /** Share of each step that is gone, above 0 to 1; 1 if left out. */
  step?: number;
};

/**
 * The solver that a chain was given, made ready: call it with a goal after the chain was loaded. The answer
 * stands in the chain: `rotations`, `positions`, `iterations`, `miss`.
 *
 * `twoBone` wants a joint to bend in the middle. Of longer chains the one is taken that stands furthest from
 * the line between the ends, or, in straight ones, nearest to half the length; the others come along rigidly.
 * @throws UsageError where the chain is a tree, or settings are no numbers.
 */
export function createSolver(chain: SolverChain, solver: ChainSolver): (goal: SolverGoal) => void {
  if (chain.parents.some((parent, i) => parent !== i - 1))
    throw new UsageError('a chain that parts cannot be solved as one: see solveTree');
  const settings = settingsOf(solver);
  switch (solver.method) {
    case 'none':
      return (goal) => {
        beginNothing(chain);
        endSolve(chain, goal, 0);
      };
    case 'twoBone':
      return createTwoBone(chain, settings);
    case 'ccd':
      return (goal) => solveCcd(chain, goal, settings, solver.sweep);
    case 'fabrik':
      return (goal) => solveFabrik(chain, goal, settings);
    case 'jacobian':
      return (goal) => solveJacobian(chain, goal, settings, solver.variant);
  }
}

function settingsOf(solver: ChainSolver): SolverSettings {
  const settings = { ...SOLVER_DEFAULTS };
  for (const name of ['maxIterations', 'tolerance', 'damping', 'step'] as const) {
    const value = solver[name];
    if (value === undefined) continue;
    if (!(Number.isFinite(value) && value >= 0))
      throw new UsageError(`a solver's ${name} must be a number from 0 on, not ${value}`);
    if (name === 'step' && !(value > 0 && value <= 1))
      throw new UsageError(`a solver's step must be above 0 and at most 1, not ${value}`);
    settings[name] = value;
  }
  return settings;
}

function beginNothing(chain: SolverChain): void {
  chain.start.set(chain.rotations);
  updateChain(chain);
}

/** Two-bone on a chain: exact without limits; what they leave to do is done by damped steps. */
function createTwoBone(chain: SolverChain, settings: SolverSettings): (goal: SolverGoal) => void {
  const out = createTwoBoneSolution();
  const options: TwoBoneOptions = { softness: settings.softness };
  const asked = new Float64Array(3);
  const from = new Float64Array(3);
  const to = new Float64Array(3);
  const arc = new Float64Array(4);
  const isLimited = isLimitedChain(chain);
  const before = new Float64Array(chain.start.length);
  const pressed = new Float64Array(chain.start.length);
  const remaining: SolverGoal = { position: asked };
  return (goal) => {
    const { positions } = chain;
    const e = positions.length - 3;
    if (e < 6) {
      // One bone can only point at its goal.
      if (beginSolve(chain, goal, settings) && e === 3) {
        for (let c = 0; c < 3; c++) {
          from[c] = positions[3 + c]! - positions[c]!;
          to[c] = chain.target[c]! - positions[c]!;
        }
        shortestArc(arc, 0, from, 0, to, 0);
        turnChainJoint(chain, 0, arc, 0);
        updateChain(chain, 1);
      }
      endSolve(chain, goal, 1);
      return;
    }
    beginNothing(chain);
    const weight = goal.weight ?? 1;
    for (let c = 0; c < 3; c++)
      asked[c] = positions[e + c]! + weight * (goal.position[c]! - positions[e + c]!);
    const m = e === 6 ? 1 : middleOf(chain);
    options.softness = goal.softness ?? settings.softness;
    options.bend = goal.bend ?? null;
    options.straightBend = chain.straightBend;
    options.isHinge = chain.isHinge;
    solveTwoBone(out, positions, 0, positions, 3 * m, positions, e, asked, 0, options);
    turnChainJoint(chain, 0, out.upperTurn, 0);
    // The middle joint's model rotation is still the old one: the turn takes it to the new one.
    if (m > 1) updateUpTo(chain, m);
    turnChainJoint(chain, m, out.lowerTurn, 0);
    updateChain(chain, 1);
    endSolve(chain, goal, 1);
    if (isLimited && distanceTo(chain, out.end) > settings.tolerance * chain.length) {
      before.set(chain.start);
      remaining.rotation = goal.rotation ?? null;
      remaining.softness = options.softness;
      solveJacobian(chain, remaining, settings);
      const miss = missOf(chain);
      if (miss > settings.tolerance * chain.length) {
        // Pressed against a limit it may see no way; from the pose itself there may be one.
        pressed.set(chain.rotations);
        chain.rotations.set(before);
        solveJacobian(chain, remaining, settings);
        if (!(missOf(chain) < miss)) {
          chain.rotations.set(pressed);
          updateChain(chain);
        }
      }
      chain.start.set(before);
      for (let c = 0; c < 3; c++) from[c] = goal.position[c]! - positions[e + c]!;
      chain.miss = Math.sqrt(from[0]! * from[0]! + from[1]! * from[1]! + from[2]! * from[2]!);
    }
  };
}

function distanceTo({ positions }: SolverChain, point: Float64Array): number {
  return distanceFlat(positions, positions.length - 3, point, 0);
}

/** Moves the joints between the first and joint m along with the first, leaving m as it was. */
function updateUpTo(chain: SolverChain, m: number): void {
  const { modelRotations } = chain;
  const o = 4 * m;
  const x = modelRotations[o]!;
  const y = modelRotations[o + 1]!;
  const z = modelRotations[o + 2]!;
  const w = modelRotations[o + 3]!;
  updateChain(chain, 1);
  modelRotations[o] = x;
  modelRotations[o + 1] = y;
  modelRotations[o + 2] = z;
  modelRotations[o + 3] = w;
}

function middleOf(chain: SolverChain): number {
  const { positions, offsets, length } = chain;
  const e = positions.length - 3;
  let x = positions[e]! - positions[0]!;
  let y = positions[e + 1]! - positions[1]!;
  let z = positions[e + 2]! - positions[2]!;
  const size = Math.sqrt(x * x + y * y + z * z) || 1;
  x /= size;
  y /= size;
  z /= size;
  let best = 1;
  let most = -1;
  let nearest = 1;
  let nearestGap = Number.POSITIVE_INFINITY;
  let along = 0;
  for (let i = 1; 3 * i < e; i++) {
    const px = positions[3 * i]! - positions[0]!;
    const py = positions[3 * i + 1]! - positions[1]!;
    const pz = positions[3 * i + 2]! - positions[2]!;
    const d = px * x + py * y + pz * z;
    const height = Math.sqrt(Math.max(0, px * px + py * py + pz * pz - d * d));
    if (height > most) {
      most = height;
      best = i;
    }
    along += boneLength(offsets, i);
    const gap = Math.abs(along - length / 2);
    if (gap < nearestGap) {
      nearestGap = gap;
      nearest = i;
    }
  }
  // A hundredth of the length: less is how straight limbs are modelled, not a bend.
  return most > 0.01 * length ? best : nearest;
}
