import { crossVectors, subtractVectors, vectorAt, vectorLength } from '../base/math/vector.js';
import { guessJointKinds } from '../body/joint-kinds.js';
import type { Rig } from '../body/rig.js';
import type { ReachMode } from '../options/limb-rules.js';
import { type LimbSolvers, limbSolverOf } from '../options/limb-solvers.js';
import type { ModelPose } from '../scene/pose.js';
import { isAncestor } from '../scene/skeleton.js';
import type { ChainSolver } from '../solvers/create-solver.js';
import type { LimitedJoint } from '../solvers/joint-limits.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';

/** How a limb is solved where its two bones alone are not enough: by which solver, over which joints, within what. */
export type LimbChainPlan = {
  /** From the limb's root to its end. */
  joints: number[];
  /** How willingly each turns, 0 to 1: those that only part a straight bone hardly do. */
  weights: number[];
  /** Whether it bends ahead and no other way, as knees do. */
  isHinge: boolean;
  solver: ChainSolver;
  limits: LimitedJoint[];
};

/** Spine, collar bones and both shoulders, which give way together where hands are out of reach. */
export type ReachPlan = {
  /** Parents first: what turns, then what is carried and keeps its turn (upper arms, neck), each in its place. */
  joints: number[];
  /** Those of them that keep how they are turned in model space. */
  kept: number[];
  /** Numbers of the arms in `GoalSetup.limbs`. */
  arms: number[];
  limits: LimitedJoint[];
  /** Limits of elbows, which say how far an arm can be stretched. */
  elbows: LimitedJoint[];
};

/** How limbs are solved where it is otherwise than two bones each, without limits. */
export type LimbSolving = {
  /** Per limb of `GoalSetup.limbs`; null for two bones. */
  limbs: (LimbChainPlan | null)[];
  reach: ReachPlan | null;
  /** Joints that are turned besides the three of each limb. */
  joints: number[];
};

/**
 * Finds out how limbs are solved; null where all of them are two bones without limits, as ever.
 * @param model The target's reference.
 */
export function createLimbSolving(
  target: Rig,
  model: ModelPose,
  goals: GoalSetup,
  limits: readonly LimitedJoint[],
  solvers: LimbSolvers | undefined,
  reach: ReachMode | undefined,
): LimbSolving | null {
  const isBody = bodyJoints(target);
  const limbs = goals.limbs.map((limb): LimbChainPlan | null => {
    const solver = limbSolverOf(solvers, limb.name);
    const { upper, middle, end } = limb.target;
    const isTwoBone = solver.method === 'twoBone' || solver.method === 'none';
    const chain = isTwoBone ? [upper, middle, end] : chainOf(target, limb, isBody);
    // FABRIK knows no stiffness, and CCD little: they bent a thigh of two joints by 73° and a shin by 28°.
    const joints =
      solver.method !== 'jacobian' ? chain.filter((_, i) => weightOf(i, chain, limb, model) === 1) : chain;
    const own = limits.filter(({ joint }) => joints.includes(joint));
    if (solver.method === 'twoBone' && own.length === 0) return null;
    return {
      joints,
      weights: joints.map((_, i) => weightOf(i, joints, limb, model)),
      isHinge: limb.kind === 'leg',
      solver,
      limits: own,
    };
  });
  const together = reach === 'together' ? planReach(target, goals, limits, isBody) : null;
  if (!together && limbs.every((limb) => limb === null)) return null;
  return {
    limbs,
    reach: together,
    joints: [...limbs.flatMap((limb) => limb?.joints ?? []), ...(together?.joints ?? [])],
  };
}

/** How the same limbs are solved where some of them, by their numbers, are left out. */
export function withSolved(solving: LimbSolving, kept: readonly number[]): LimbSolving {
  const limbs = kept.map((n) => solving.limbs[n]!);
  const arms = solving.reach?.arms.filter((n) => kept.includes(n)).map((n) => kept.indexOf(n)) ?? [];
  const reach = solving.reach && arms.length > 0 ? { ...solving.reach, arms } : null;
  return {
    limbs,
    reach,
    joints: [...limbs.flatMap((limb) => limb?.joints ?? []), ...(reach?.joints ?? [])],
  };
}

/** Whether a joint moves the body: twist joints and helpers in a limb would break it where no one has an elbow. */
function bodyJoints({ skeleton }: Rig): (joint: number) => boolean {
  let kinds: ReturnType<typeof guessJointKinds> | null = null;
  return (joint) => {
    kinds ??= guessJointKinds(skeleton);
    return kinds[joint]!.kind === 'body';
  };
}

/** All joints of a limb: split bones and extra joints too. */
function chainOf(
  { skeleton }: Rig,
  { target: { upper, middle, end }, hangs }: LimbGoal,
  isBody: (joint: number) => boolean,
): number[] {
  const joints = hangs ? [end] : [end, middle];
  while (joints.at(-1) !== upper) joints.push(skeleton.parents[joints.at(-1)!]!);
  return joints
    .reverse()
    .filter((joint) => joint === upper || joint === middle || joint === end || isBody(joint));
}

/** A joint that is no farther off the line between its neighbours than this share of it parts a bone, and bends none. */
const IN_LINE = 0.05;
/** How willingly such a joint turns. */
const STIFF = 0.1;

function weightOf(
  i: number,
  joints: readonly number[],
  { target: { upper, middle, end } }: LimbGoal,
  { matrices }: ModelPose,
): number {
  const joint = joints[i]!;
  if (joint === upper || joint === middle || joint === end) return 1;
  const [before, at, after] = [joints[i - 1]!, joint, joints[i + 1]!].map((j) =>
    vectorAt(matrices, 16 * j + 12),
  );
  const line = subtractVectors(after!, before!);
  const length = vectorLength(line);
  const off = vectorLength(crossVectors(line, subtractVectors(at!, before!)));
  return length > 0 && off <= IN_LINE * length * length ? STIFF : 1;
}

function planReach(
  target: Rig,
  goals: GoalSetup,
  limits: readonly LimitedJoint[],
  isBody: (joint: number) => boolean,
): ReachPlan | null {
  const { skeleton, joints: roles } = target;
  const { parents } = skeleton;
  const arms = goals.limbs.flatMap(({ kind }, n) => (kind === 'arm' ? [n] : []));
  const turning = new Set<number>();
  for (const n of arms) {
    let at = parents[goals.limbs[n]!.target.upper]!;
    for (; at > goals.hips.target; at = parents[at]!) if (isBody(at)) turning.add(at);
  }
  if (turning.size === 0) return null;
  const kept = new Set(arms.map((n) => goals.limbs[n]!.target.upper));
  // The head goes on looking where it did.
  let neck = roles.neck ?? roles.head ?? -1;
  const isCarried = (joint: number) => [...turning].some((other) => isAncestor(skeleton, other, joint));
  if (neck >= 0 && !turning.has(neck) && isCarried(neck)) {
    while (!turning.has(parents[neck]!)) neck = parents[neck]!;
    kept.add(neck);
  }
  return {
    joints: [...new Set([...turning, ...kept])].sort((a, b) => a - b),
    kept: [...kept],
    arms,
    limits: limits.filter(({ joint }) => turning.has(joint)),
    elbows: limits.filter(({ joint }) => arms.some((n) => goals.limbs[n]!.target.middle === joint)),
  };
}
