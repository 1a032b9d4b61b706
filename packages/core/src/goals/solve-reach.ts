import { distanceFlat } from '../base/math/flat-vectors.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  quaternionFromAxisAngle,
} from '../base/math/quaternion.js';
import { forwardJoints, withAncestors } from '../scene/forward-joints.js';
import type { ModelPose, Pose } from '../scene/pose.js';
import { isAncestor, type Skeleton } from '../scene/skeleton.js';
import type { LimitedJoint } from '../solvers/joint-limits.js';
import { createSkeletonChain, loadChain, type SkeletonChain, storeChain } from '../solvers/skeleton-chain.js';
import { createTreeSolver, solveTree } from '../solvers/solve-tree.js';
import { softenReach } from '../solvers/solve-two-bone.js';
import { updateChain } from '../solvers/solver-chain.js';
import type { TreeEffector, TreeSolver } from '../solvers/tree-system.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { Goals } from './goals.js';
import { limitChain } from './limb-chain.js';
import type { ReachPlan } from './limb-solving.js';
import { reachOf } from './parts/reach.js';

/** Spine and both shoulders with the room to solve them together; made once. */
export type ReachTree = {
  skeleton: Skeleton;
  link: SkeletonChain;
  solver: TreeSolver;
  /** One per arm, at its shoulder; overwritten frame by frame. */
  effectors: Required<Omit<TreeEffector, 'rotation'>>[];
  arms: readonly number[];
  /** Per arm the most that its joints can be stretched to, in metres; less than its length where limits say so. */
  longest: Float64Array;
  /** Places in the tree of what keeps its turn. */
  kept: Int32Array;
  /** Per arm how near its shoulder shall come to the goal, in metres. */
  asked: Float64Array;
  /** From the lowest joint that turns to a shoulder, in metres. */
  torso: number;
  /** All that is above what is needed, and all that moves with the spine. */
  joints: Int32Array;
  moved: Int32Array;
};

/**
 * The weight of a radian of the spine against a hand's miss, in torsos. A twentieth leaves a percent of what an arm
 * lacks, which its soft stretch makes good; less follows goals out of reach by leaps.
 */
const STIFFNESS = 0.05;
/** How willingly what carries one arm alone turns, against the spine: a collar bone does not go far. */
const COLLAR = 0.3;
/** So often is asked for what was missed on top, and for no more than this share of a torso at a time. */
const REACH_ROUNDS = 2;
const MOST_MORE = 0.1;
/** A shoulder is moved by at most this share of the torso's length; */
const FARTHEST_SHOULDER = 0.75;
/** and up to this share of that by all that is asked for. */
const WILLING = 0.6;
/** A hand that lacks so much of its arm's length has a goal of its own, and no longer one that comes with the body. */
const PULLS = 0.05;
/** At so many angles of its elbow it is tried how far an arm stretches. */
const ANGLES = 64;

/** Makes spine and shoulders ready to be solved together. */
export function createReachTree(
  skeleton: Skeleton,
  { limbs }: GoalSetup,
  plan: ReachPlan,
  reference: ModelPose,
): ReachTree {
  const link = createSkeletonChain(skeleton, plan.joints);
  limitChain(link, skeleton, plan.limits);
  const at = (joint: number) => link.joints.indexOf(joint);
  const effectors = plan.arms.map((n) => ({
    joint: at(limbs[n]!.target.upper),
    position: new Float64Array(3),
    weight: 0,
    slack: 0,
  }));
  plan.joints.forEach((joint, i) => {
    const carried = plan.arms.filter((n) => isAncestor(skeleton, joint, limbs[n]!.target.upper));
    link.chain.weights[i] = plan.kept.includes(joint) ? 0 : carried.length > 1 ? 1 : COLLAR;
  });
  const joints = withAncestors(skeleton, [
    ...plan.joints,
    ...plan.arms.flatMap((n) => Object.values(limbs[n]!.target)),
  ]);
  return {
    skeleton,
    link,
    solver: createTreeSolver(link.chain, effectors, { stiffness: STIFFNESS }),
    effectors,
    arms: plan.arms,
    longest: Float64Array.from(plan.arms, (n) => longestOf(skeleton, limbs[n]!, plan.elbows, reference)),
    kept: Int32Array.from(plan.kept, at),
    asked: new Float64Array(plan.arms.length),
    torso: Math.max(
      ...effectors.map(({ joint }) => placeDistance(reference, link.joints[0]!, link.joints[joint]!)),
    ),
    joints,
    moved: joints.filter((joint) => plan.joints.some((top) => isAncestor(skeleton, top, joint))),
  };
}

/**
 * Bends the spine towards goals that the arms cannot reach by themselves, of both hands at once and as little as is
 * needed, so that no arm undoes what was done for the other (KP12, R9). A shoulder is held to its goal by a rope as
 * long as its arm: what hangs loose pulls at nothing. Arms and head keep how they are turned in model space; hands in
 * the air come along as they do with the hips. What is left to do then is within reach of the arms.
 */
export function solveReach(tree: ReachTree, pose: Pose, goals: Goals, { limbs }: GoalSetup): void {
  const { link, effectors, arms, skeleton } = tree;
  if (!gatherNeeds(tree, goals, limbs)) return;
  const { chain } = link;
  forwardJoints(goals.target, skeleton, pose, tree.joints);
  loadChain(link, goals.target);
  solveTree(tree.solver);
  for (let round = 0; round < REACH_ROUNDS && tighten(tree); round++) solveTree(tree.solver, chain.start);
  keepTurns(tree, goals.target);
  for (let k = 0; k < arms.length; k++) {
    const n = arms[k]!;
    const { joint, weight } = effectors[k]!;
    const u = 16 * limbs[n]!.target.upper + 12;
    for (let c = 0; c < 3; c++)
      goals.places[3 * n + c] =
        goals.places[3 * n + c]! +
        (1 - weight) * (chain.positions[3 * joint + c]! - goals.target.matrices[u + c]!);
  }
  storeChain(link, pose, goals.target);
  forwardJoints(goals.target, skeleton, pose, tree.moved);
}

/** Says what each shoulder is asked for; false where all hands are within reach. */
function gatherNeeds(
  { effectors, arms, longest, torso, asked }: ReachTree,
  { target: { matrices }, places, weights, follows }: Goals,
  limbs: GoalSetup['limbs'],
): boolean {
  let isNeeded = false;
  for (let k = 0; k < arms.length; k++) {
    const n = arms[k]!;
    const { target, length } = limbs[n]!;
    const effector = effectors[k]!;
    const u = 16 * target.upper + 12;
    const e = 16 * target.end + 12;
    const share = weights[n]!;
    for (let c = 0; c < 3; c++)
      effector.position[c] = matrices[e + c]! + share * (places[3 * n + c]! - matrices[e + c]!);
    const away = distanceFlat(matrices, u, effector.position, 0);
    const stretch = distanceFlat(matrices, u, matrices, e);
    const reach = Math.max(Math.min(reachOf(stretch, length), longest[k]!), Math.min(stretch, longest[k]!));
    const need = away - reach;
    effector.slack = Math.max(reach, 1e-9);
    effector.weight = 0;
    if (!(share > 0 && away < Number.POSITIVE_INFINITY)) continue;
    // The spine goes after a goal that is far away no farther than it can, and comes there softly.
    const most = FARTHEST_SHOULDER * torso;
    if (need > 0) effector.slack = Math.max(away - most * softenReach(need / most, WILLING), 1e-9);
    asked[k] = effector.slack;
    const pull = Math.min(1, Math.max(0, need) / (PULLS * length));
    effector.weight = 1 - follows[n]! * (1 - pull * pull * (3 - 2 * pull));
    if (need > 0) isNeeded = true;
  }
  return isNeeded;
}

/** Asks for what was missed on top, so that next to nothing is; false where nothing was. */
function tighten({ link: { chain }, effectors, asked, torso }: ReachTree): boolean {
  let isMissed = false;
  for (let k = 0; k < effectors.length; k++) {
    const effector = effectors[k]!;
    if (!(effector.weight > 0)) continue;
    const missed = distanceFlat(chain.positions, 3 * effector.joint, effector.position, 0) - asked[k]!;
    if (!(missed > 0)) continue;
    // A goal that is missed by more is out of reach, and pulling harder would help nothing.
    const more = MOST_MORE * torso * softenReach(missed / (MOST_MORE * torso), 0.5);
    effector.slack = Math.max(effector.slack - more, 1e-9);
    isMissed = true;
  }
  return isMissed;
}

/** Leaves arms and neck turned as they were, wherever they are carried. */
function keepTurns({ link: { chain, joints }, kept }: ReachTree, { rotations }: ModelPose): void {
  for (let k = 0; k < kept.length; k++) {
    const i = kept[k]!;
    for (let c = 0; c < 4; c++) chain.modelRotations[4 * i + c] = rotations[4 * joints[i]! + c]!;
  }
}

/** How far from its root an arm can be stretched: less than its length where its elbow does not straighten. */
function longestOf(
  skeleton: Skeleton,
  { target: { upper, middle, end }, length }: LimbGoal,
  elbows: readonly LimitedJoint[],
  reference: ModelPose,
): number {
  const elbow = elbows.find(({ joint }) => joint === middle);
  if (!elbow || elbow.limit.swing !== null) return length;
  const link = createSkeletonChain(skeleton, [upper, middle, end], {}, true);
  limitChain(link, skeleton, [elbow]);
  loadChain(link, reference);
  const { chain } = link;
  const { least, most, axis } = elbow.limit;
  const hinge = new Float64Array(3);
  hinge[axis] = 1;
  const turn = new Float64Array(4);
  let longest = 0;
  for (let k = 0; k <= ANGLES; k++) {
    quaternionFromAxisAngle(turn, 0, hinge, 0, least + ((most - least) * k) / ANGLES);
    multiplyQuaternions(turn, 0, chain.rest, 4, turn, 0);
    // rest is with the axes of the limit, and so is what is made of it.
    conjugateQuaternion(chain.rotations, 4, chain.axes, 4);
    multiplyQuaternions(chain.rotations, 4, turn, 0, chain.rotations, 4);
    updateChain(chain);
    longest = Math.max(longest, distanceFlat(chain.positions, 0, chain.positions, 6));
  }
  return longest;
}

function placeDistance({ matrices }: ModelPose, a: number, b: number): number {
  return distanceFlat(matrices, 16 * a + 12, matrices, 16 * b + 12);
}
