import { UsageError } from '../base/errors.js';
import { SOLVER_DEFAULTS } from './begin-solve.js';
import { type SolverChain, updateChain } from './solver-chain.js';
import {
  gatherError,
  gatherJacobian,
  isMet,
  largestMiss,
  reachOf,
  step,
  strainOf,
  type TreeEffector,
  type TreeSettings,
  type TreeSolver,
} from './tree-system.js';

/** Whole bodies are given fewer steps than chains: they start from a copied pose, near their goals. */
export const TREE_DEFAULTS: Readonly<TreeSettings> = {
  maxIterations: 60,
  tolerance: SOLVER_DEFAULTS.tolerance,
  damping: 0.02,
  attraction: 0.1,
  stiffness: 0,
};

/**
 * Makes a tree of joints and its goals ready to be solved together: a spine with both arms, a whole body.
 * @throws UsageError for an effector that is no joint of the tree.
 */
export function createTreeSolver(
  tree: SolverChain,
  effectors: readonly TreeEffector[],
  settings: Partial<TreeSettings> = {},
): TreeSolver {
  const count = tree.parents.length;
  const carries = new Uint8Array(effectors.length * count);
  effectors.forEach(({ joint }, k) => {
    if (!(Number.isInteger(joint) && joint >= 0 && joint < count))
      throw new UsageError(`joint ${joint} cannot be an effector: the tree has ${count} joints`);
    for (let at = joint; at >= 0; at = tree.parents[at]!) carries[k * count + at] = 1;
  });
  const rows = 6 * effectors.length;
  return {
    tree,
    effectors,
    settings: { ...TREE_DEFAULTS, ...settings },
    rows,
    carries,
    jacobian: new Float64Array(rows * 3 * count),
    system: new Float64Array(rows * rows),
    error: new Float64Array(rows),
    pull: new Float64Array(rows),
    turns: new Float64Array(3 * count),
    reach: 0,
  };
}

/**
 * Brings all effectors of a tree to their goals at once, by damped least squares over the stacked goals: no
 * chain overwrites another, and the order of the goals does not matter (KP12, R9). Where goals contradict each
 * other they are met by weight. Limits hold; joints that the goals leave free go back to the pose before.
 *
 * With e the stacked ways to the goals and J over three turns a joint, a step is
 *   Δ = W·Jᵀ·f + a·(p − W·Jᵀ·(J·W·Jᵀ + λ²)⁻¹·J·p),   f = (J·W·Jᵀ + λ²)⁻¹·e,
 * p being the turns back to the pose before: its part that does not move the effectors (Liégeois 1977). Lengths
 * are divided by the tree's reach, so that units do not matter and a rotation of 1 rad weighs as much as the
 * reach. The answer stands in the tree: `rotations`, `positions`, `iterations`, and in `miss` the largest
 * distance to a goal. A goal that is no number is left out.
 *
 * With `stiffness` s the sum Σ e² + s² · Σ θ²/w is made least, θ being all turns since the pose before, by Gauss's and
 * Newton's steps: those above with a = 1 and λ = s throughout.
 * @param from The pose before, where it is not the one that the tree is in: as when a solve is gone on with.
 */
export function solveTree(solver: TreeSolver, from: Float64Array = solver.tree.rotations): void {
  const { tree, settings } = solver;
  const { rotations, accepted, start } = tree;
  if (from !== start) start.set(from);
  updateChain(tree);
  solver.reach = reachOf(solver);
  let steps = 0;
  if (!(solver.reach > 1e-150 && solver.reach < 1e150)) steps = 0;
  else if (settings.stiffness > 0) steps = yieldToGoals(solver);
  else {
    let lambda = Math.max(settings.damping, 1e-6);
    let before = gatherError(solver);
    let idle = 0;
    accepted.set(rotations);
    while (steps < settings.maxIterations && idle < 6 && !isMet(solver)) {
      gatherJacobian(solver);
      step(solver, lambda, settings.attraction, 1);
      steps++;
      const error = gatherError(solver);
      if (error < before) {
        idle = before - error < 1e-4 * before ? idle + 1 : 0;
        before = error;
        lambda = Math.max(0.4 * lambda, 1e-5);
        accepted.set(rotations);
      } else {
        idle++;
        lambda = Math.min(4 * lambda, 10);
        rotations.set(accepted);
        updateChain(tree);
        gatherError(solver);
      }
    }
  }
  for (let i = 0; i < rotations.length; i += 4) {
    const along =
      rotations[i]! * start[i]! +
      rotations[i + 1]! * start[i + 1]! +
      rotations[i + 2]! * start[i + 2]! +
      rotations[i + 3]! * start[i + 3]!;
    if (along < 0) for (let c = 0; c < 4; c++) rotations[i + c] = -rotations[i + c]!;
  }
  tree.iterations = steps;
  tree.miss = largestMiss(solver);
}

/** A step that gains less than this share of what is left is the last: turns are within a hundred-thousandth then. */
const LEAST_SHARE_GAINED = 1e-10;

function yieldToGoals(solver: TreeSolver): number {
  const { tree, settings } = solver;
  const { rotations, accepted } = tree;
  const { stiffness, maxIterations } = settings;
  let steps = 0;
  let share = 1;
  let cost = gatherError(solver) + stiffness * stiffness * strainOf(solver);
  accepted.set(rotations);
  while (steps < maxIterations && share > 1e-4 && cost > 0) {
    gatherJacobian(solver);
    step(solver, stiffness, 1, share);
    steps++;
    const next = gatherError(solver) + stiffness * stiffness * strainOf(solver);
    if (next < cost) {
      const isLast = cost - next < LEAST_SHARE_GAINED * cost;
      cost = next;
      accepted.set(rotations);
      share = Math.min(1, 2 * share);
      if (isLast) break;
    } else {
      share *= 0.5;
      rotations.set(accepted);
      updateChain(tree);
      gatherError(solver);
    }
  }
  return steps;
}
