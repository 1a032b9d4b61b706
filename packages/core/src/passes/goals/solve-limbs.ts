import { multiplyQuaternions } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import { REACHED, solveLimb } from '../../goals/bend-limb.js';
import { type GoalSetup, type LimbGoal, type LimbJoints, withLimbs } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { createLimbChain, type LimbChain, solveLimbChain } from '../../goals/limb-chain.js';
import { createLimbSolving, type LimbSolving, withSolved } from '../../goals/limb-solving.js';
import { createLiveTurns } from '../../goals/live/live-turns.js';
import { BENT_TOES, bendToes } from '../../goals/parts/bend-toes.js';
import { createReachTree, type ReachTree, solveReach } from '../../goals/solve-reach.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { turnJoint } from '../../solvers/turn-joint.js';
import { limitJoints } from '../limit-joints.js';
import { bindStep, compiledOf, definePass, type Frame, foundOf, type Run, type Setup } from '../pass.js';
import { type KnownTurns, knownTurns, turnKnown } from './known-turns.js';
import { activeGoals, placeGoals } from './place-goals.js';

/**
 * Brings legs and arms to their goals by their two bones, bent in the plane of the copied pose, so that knees
 * and elbows never flip; feet and hands stay turned as copied. Stretching is softened from 0.97 of a limb's
 * length on, so that no knee snaps. Where another solver is chosen for a limb it turns all joints of the limb's
 * chain; where joints have limits every solver stays inside them. Spine and shoulders give way first, for both hands
 * together, where that is asked for.
 */
export const solveLimbs = definePass({
  name: 'solveLimbs',
  summary: 'bends legs and arms so that feet and hands reach their goals, turned as copied',
  options: ['solvers', 'reach'],
  corrects: true,
  restsOnOwnBody: true,
  compile(context): SolveSetup | null {
    const goals = compiledOf(context, placeGoals);
    if (!goals) return null;
    const { target, alignment } = context.pair;
    const limits = compiledOf(context, limitJoints) ?? [];
    const { solvers, reach } = context.options;
    return { solving: createLimbSolving(target, alignment.model, goals, limits, solvers, reach) };
  },
  writes({ solving }, run) {
    const limbs = activeGoals(run)?.limbs ?? [];
    const turned = limbs.flatMap(({ target: { upper, middle, end }, toes }) =>
      toes >= 0 ? [upper, middle, end, toes] : [upper, middle, end],
    );
    return { turnsOn: [...turned, ...(limbs.length > 0 && solving ? solving.joints : [])] };
  },
  prepare({ solving }, run) {
    const { setup, place } = run;
    const goals = activeGoals(run);
    if (!goals) return () => {};
    const { skeleton } = setup.target;
    const solvers = goals.limbs.map((_, n): LimbSolver => {
      const plan = solving?.limbs[n] ?? null;
      return plan ? (createLimbChain(skeleton, plan) ?? 'none') : null;
    });
    const tree = solving?.reach
      ? createReachTree(skeleton, goals, solving.reach, setup.alignment.model)
      : null;
    const plan: SolvePlan = { goals, skeleton, solvers, tree, place };
    const found = foundOf(run.plan, placeGoals);
    if (found) return bindStep(solvePlanned, { plan, turns: knownTurns(found, goals) });
    const live = createLiveTurns(goals, (n) => solvers[n] === null);
    return Object.assign(
      (frame: Frame) => {
        if (!frame.goals) return;
        const { rotations } = frame.target;
        live.begin(rotations);
        solveGoals(frame, frame.goals, plan);
        live.update(rotations, frame.goals);
        place?.(frame);
      },
      { reset: () => live.reset() },
    );
  },
});

/** A setup in which some limbs stay as copied, while others are brought to their goals. */
export function withSolvedLimbs(setup: Setup, isSolved: (limb: LimbGoal) => boolean): Setup {
  const goals = compiledOf(setup, placeGoals);
  const solve = compiledOf(setup, solveLimbs);
  if (!goals || goals.limbs.every(isSolved)) return setup;
  const kept = goals.limbs.flatMap((limb, n) => (isSolved(limb) ? [n] : []));
  const solving = solve?.solving ? withSolved(solve.solving, kept) : null;
  return {
    ...setup,
    compiled: {
      ...setup.compiled,
      [placeGoals.name]: withLimbs(goals, isSolved),
      [solveLimbs.name]: solve && ({ solving } satisfies SolveSetup),
    },
  };
}

/** How limbs are brought to their goals; null where it is by their two bones, without limits. */
export type SolveSetup = { solving: LimbSolving | null };

/** How a limb is solved: by a chain of its own, not at all, or, for null, by its two bones. */
type LimbSolver = LimbChain | 'none' | null;

type SolvePlan = {
  goals: GoalSetup;
  skeleton: Skeleton;
  solvers: readonly LimbSolver[];
  /** What spine and shoulders give way by, for both hands together; null where they do not. */
  tree: ReachTree | null;
  place: Run['place'];
};

function solvePlanned(
  { plan, turns }: { plan: SolvePlan; turns: readonly KnownTurns[] },
  frame: Frame,
): void {
  if (!frame.goals) return;
  if (frame.goals.known >= 0) turnKnown(frame.target.rotations, turns, frame.goals.known);
  else solveGoals(frame, frame.goals, plan);
  plan.place?.(frame);
}

function solveGoals(frame: Frame, of: Goals, { goals, skeleton, solvers, tree }: SolvePlan): void {
  if (tree) solveReach(tree, frame.target, of, goals);
  solveFrame(frame, of, goals, skeleton, solvers);
}

/** xyz, the limb's length, and what its elbow is turned by. */
const goal = new Float64Array(5);
const turn = new Float64Array(4);
const kept = new Float64Array(4);

function solveFrame(
  frame: Frame,
  goals: Goals,
  { limbs }: GoalSetup,
  skeleton: Skeleton,
  solvers: readonly LimbSolver[],
): void {
  const { matrices, rotations } = goals.target;
  const locals = frame.target.rotations;
  const { parents } = skeleton;
  for (let n = 0; n < limbs.length; n++) {
    const weight = goals.weights[n]!;
    const solver = solvers[n]!;
    if (!(weight > 0) || solver === 'none') continue;
    const limb = limbs[n]!;
    const { length } = limb;
    const { end } = limb.target;
    let away = 0;
    for (let c = 0; c < 3; c++) {
      const at = matrices[16 * end + 12 + c]!;
      const step = weight * (goals.places[3 * n + c]! - at);
      goal[c] = at + step;
      away += Math.abs(step);
    }
    for (let c = 0; c < 4; c++) turn[c] = goals.turns[4 * n + c]!;
    const turned = Math.abs(turn[3]!) < 1 - 1e-14 && Number.isFinite(turn[0]! + turn[1]! + turn[2]!);
    const bends = goals.bends[n]!;
    if (limb.toes >= 0 && bends > BENT_TOES) bendToes(locals, goals.target, parents[limb.toes]!, limb, bends);
    // What is turned or carried may be outside its limits even where it is.
    const isFree = solver === null || !solver.isLimited;
    const swivel = weight * goals.swivels[n]!;
    if (isFree && !(away > REACHED * length) && !(Math.abs(swivel) > 1e-9)) {
      if (turned) turnJoint(locals, 4 * end, rotations, 4 * parents[end]!, null, turn);
      calmLimb(locals, limb.target, goals.calms, 9 * n);
      continue;
    }
    for (let c = 0; c < 4; c++) kept[c] = locals[4 * end + c]!;
    if (solver) solveLimbChain(solver, frame.target, goals.target, goal, limb.bend, turned ? turn : null);
    else {
      goal[3] = length;
      goal[4] = swivel;
      solveLimb(locals, goals.target, parents, limb, goal, turned ? turn : null);
    }
    // Joints with limits keep to them; they are not turned on.
    if (isFree) calmLimb(locals, limb.target, goals.calms, 9 * n);
    // What only stands in for a hand moves with the forearm.
    if (limb.rigid) for (let c = 0; c < 4; c++) locals[4 * end + c] = kept[c]!;
  }
}

const calm = new Float64Array(4);

/** Turns the joints of a limb on by what calms them, where anything does. */
function calmLimb(
  locals: Float64Array,
  { upper, middle, end }: LimbJoints,
  calms: Float64Array,
  i: number,
): void {
  calmJoint(locals, upper, calms, i);
  calmJoint(locals, middle, calms, i + 3);
  calmJoint(locals, end, calms, i + 6);
}

function calmJoint(locals: Float64Array, joint: number, calms: Float64Array, i: number): void {
  if (calms[i] === 0 && calms[i + 1] === 0 && calms[i + 2] === 0) return;
  quaternionOfVector(calm, 0, calms, i);
  multiplyQuaternions(locals, 4 * joint, locals, 4 * joint, calm, 0);
}
