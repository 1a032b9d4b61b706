import { distanceFlat } from '../base/math/flat-vectors.js';
import { squared } from '../base/math/functions.js';
import { multiplyQuaternions, rotateVector, shortestArc } from '../base/math/quaternion.js';
import {
  beginSolve,
  endSolve,
  missOf,
  SOLVER_DEFAULTS,
  type SolverSettings,
  swingToTarget,
} from './begin-solve.js';
import { createTwoBoneSolution, solveTwoBone } from './solve-two-bone.js';
import {
  isLimitedChain,
  type SolverChain,
  type SolverGoal,
  turnChainJoint,
  updateChain,
} from './solver-chain.js';

const bone = new Float64Array(3);
const wanted = new Float64Array(3);
const turn = new Float64Array(4);
const triangle = createTwoBoneSolution();
const EXACT = { softness: 1 };

/**
 * Brings a chain to its goal by forward and backward reaching (Aristidou and Lasenby 2011): points are drawn
 * along straight lines, from the goal to the root and back, and the joints then turned onto them by shortest
 * arcs, which keeps their twist (K30). The chain is first swung onto the line to the goal, so that it bends as
 * it did. A goal out of reach gives a straight line to it. Where a joint has a limit, the joints are turned,
 * limited and read back after each step.
 */
export function solveFabrik(
  chain: SolverChain,
  goal: SolverGoal,
  settings: SolverSettings = SOLVER_DEFAULTS,
): void {
  let steps = 0;
  if (beginSolve(chain, goal, settings)) {
    const { points, positions, rotations, best, target, length } = chain;
    const near = settings.tolerance * length;
    const isLimited = isLimitedChain(chain);
    swingToTarget(chain);
    points.set(positions);
    const e = points.length - 3;
    let miss = missOf(chain);
    let least = miss;
    best.set(rotations);
    if (e === 6 && !isLimited && miss > near) {
      // Two bones have one answer in their plane, which the steps below would approach, near a full fold within
      // hundreds: it is taken at once.
      solveTwoBone(triangle, positions, 0, positions, 3, positions, 6, target, 0, EXACT);
      points.set(triangle.mid, 3);
      points.set(triangle.end, 6);
      miss = 0;
      steps = 1;
    }
    if (!isLimited && isFullStretch(chain)) {
      layStraight(chain);
      miss = 0;
      steps = 1;
    }
    while (steps < settings.maxIterations && miss > near) {
      reach(chain, settings.step);
      steps++;
      if (isLimited) {
        turnOntoPoints(chain);
        points.set(positions);
      }
      miss = distanceFlat(points, e, target, 0);
      if (isLimited && miss < least) {
        least = miss;
        best.set(rotations);
      }
    }
    if (!isLimited) turnOntoPoints(chain);
    else if (miss > least) {
      rotations.set(best);
      updateChain(chain);
    }
  }
  endSolve(chain, goal, steps);
}

function isFullStretch({ positions, target, length }: SolverChain): boolean {
  const x = target[0]! - positions[0]!;
  const y = target[1]! - positions[1]!;
  const z = target[2]! - positions[2]!;
  return x * x + y * y + z * z > (1 - 1e-9) * length * length;
}

/** Puts all points on the line from the root to the target, which is as far away as the chain is long. */
function layStraight({ points, offsets, positions, target, length }: SolverChain): void {
  let along = 0;
  for (let o = 3; o < points.length; o += 3) {
    along += Math.sqrt(squared(offsets[o]!) + squared(offsets[o + 1]!) + squared(offsets[o + 2]!)) / length;
    for (let c = 0; c < 3; c++) points[o + c] = positions[c]! + along * (target[c]! - positions[c]!);
  }
}

/** One pass from the goal, or a step towards it, to the root and one back. */
function reach(chain: SolverChain, step: number): void {
  const { points, positions, target } = chain;
  const e = points.length - 3;
  for (let c = 0; c < 3; c++) points[e + c] = points[e + c]! + step * (target[c]! - points[e + c]!);
  for (let o = e - 3; o >= 0; o -= 3) draw(chain, o, o + 3, o + 3);
  for (let c = 0; c < 3; c++) points[c] = positions[c]!;
  for (let o = 3; o <= e; o += 3) draw(chain, o, o - 3, o);
}

/** Draws the point at `o` to a bone's length from the one at `to`; the bone is the one that ends in `end`. */
function draw({ points, offsets }: SolverChain, o: number, to: number, end: number): void {
  const length = Math.sqrt(squared(offsets[end]!) + squared(offsets[end + 1]!) + squared(offsets[end + 2]!));
  let x = points[o]! - points[to]!;
  let y = points[o + 1]! - points[to + 1]!;
  let z = points[o + 2]! - points[to + 2]!;
  let away = Math.sqrt(x * x + y * y + z * z);
  if (!(away > 1e-12 * length)) {
    // Two points in one place have no direction between them: any will do, and this one is at hand.
    x = o < to ? -offsets[end]! : offsets[end]!;
    y = o < to ? -offsets[end + 1]! : offsets[end + 1]!;
    z = o < to ? -offsets[end + 2]! : offsets[end + 2]!;
    away = length;
  }
  const k = away > 0 ? length / away : 0;
  points[o] = points[to]! + k * x;
  points[o + 1] = points[to + 1]! + k * y;
  points[o + 2] = points[to + 2]! + k * z;
}

/** Turns joint after joint by the shortest arc from its bone to the line between its points. */
function turnOntoPoints(chain: SolverChain): void {
  const { points, offsets, base, rotations, modelRotations } = chain;
  const last = points.length / 3 - 1;
  for (let i = 0; i < last; i++) {
    // Under the joints already turned.
    if (i === 0) multiplyQuaternions(modelRotations, 0, base, 0, rotations, 0);
    else multiplyQuaternions(modelRotations, 4 * i, modelRotations, 4 * i - 4, rotations, 4 * i);
    rotateVector(bone, 0, modelRotations, 4 * i, offsets, 3 * i + 3);
    for (let c = 0; c < 3; c++) wanted[c] = points[3 * i + 3 + c]! - points[3 * i + c]!;
    shortestArc(turn, 0, bone, 0, wanted, 0);
    turnChainJoint(chain, i, turn, 0);
  }
  updateChain(chain);
}
