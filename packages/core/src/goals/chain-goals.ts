import type { AlignedPair } from '../align/aligned-pair.js';
import { conjugateQuaternion, rotateVector } from '../base/math/quaternion.js';
import {
  crossVectors,
  directionOf,
  rejectVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import type { Chain } from '../body/chains/armature.js';
import { driverOf, type JointPair, type RigMap } from '../map/rig-map.js';
import type { ChainRule } from '../options/chain-rules.js';
import { chainSolverOf } from '../options/limb-solvers.js';
import type { ModelPose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { LimitedJoint } from '../solvers/joint-limits.js';
import { type FullLimbScaling, fullLimbScaling } from './limb-scaling.js';
import type { LimbChainPlan } from './limb-solving.js';

/** A chain of the target that is brought to a goal. */
export type ChainGoalPlan = {
  name: string;
  /** How it is solved, from its root to its end. */
  plan: LimbChainPlan;
  /** The source joints that its root and its end follow; null where the goal is a place. */
  source: { root: number; end: number; length: number } | null;
  /** Length of its bones in the reference, metres. */
  length: number;
  /** Where it bends if it is straight, in its root's own axes. */
  bend: Float64Array;
  scaling: FullLimbScaling;
  place: readonly [number, number, number] | null;
};

/** Why a chain is not brought to a goal, in words that follow "has no effect:". */
export type WhyNot = string;

/** The view that chain goals are planned from. */
export type ChainGoalContext = Pick<AlignedPair, 'source' | 'alignment' | 'sourceReference'> & {
  map: RigMap;
  limits: readonly LimitedJoint[];
};

/**
 * Plans how a chain is brought to its goal (K1, K8, K23): its last driven joint goes where the source's is, seen from
 * where the chain begins and scaled as told; or where a place is told, its last joint goes there.
 */
export function planChainGoal(
  { name, joints, solver: own }: Chain,
  rule: ChainRule,
  context: ChainGoalContext,
): ChainGoalPlan | WhyNot {
  const { source, alignment, sourceReference, map, limits } = context;
  const goal = rule.goal === 'none' || rule.goal === undefined ? {} : rule.goal;
  // A chain that nobody has given a solver is given one with its goal.
  const solver = chainSolverOf(rule.solver ?? (own.method === 'none' ? { method: 'fabrik' } : own));
  if (solver.method === 'none') return 'its solver is none: it stays as copied';
  const pairs = new Map<number, JointPair>(map.joints.map((pair) => [pair.target, pair]));
  const driven = joints.filter((joint) => pairs.has(joint));
  const [first, last] = goal.place ? [joints[0], joints.at(-1)] : [driven[0], driven.at(-1)];
  if (first === undefined || last === undefined) return 'nothing of the source drives it';
  const path = joints.slice(joints.indexOf(first), joints.indexOf(last) + 1);
  const length = lengthOf(path, alignment.model);
  if (path.length < 2 || !(length > 0)) return 'it has no length between its first joint and its last';
  let from: ChainGoalPlan['source'] = null;
  if (!goal.place) {
    const [root, end] = [pairs.get(first)!.sources[0]!, driverOf(pairs.get(last)!)];
    const way = wayUp(source.skeleton, end, root);
    if (!way) return 'what drives its first joint does not carry what drives its last';
    from = { root, end, length: lengthOf(way, sourceReference) };
    if (!(from.length > 0)) return 'the source’s chain has no length';
  }
  return {
    name,
    plan: {
      joints: path,
      weights: path.map(() => 1),
      isHinge: false,
      // Two bones bend in one place; what has more or fewer reaches along its line.
      solver: solver.method === 'twoBone' && path.length !== 3 ? { ...solver, method: 'fabrik' } : solver,
      limits: limits.filter(({ joint }) => path.includes(joint)),
    },
    source: from,
    length,
    bend: bendOf(path, alignment.model),
    scaling: fullLimbScaling(`chains.${name}`, {
      limbScale: rule.limbScale ?? 1,
      rootScale: rule.rootScale ?? 1,
      weight: goal.weight ?? 1,
    }),
    place: goal.place ?? null,
  };
}

/** Joints from one up to another that carries it, the carrier first; null where it does not. */
function wayUp({ parents }: Skeleton, end: number, root: number): number[] | null {
  const way = [end];
  while (way[0] !== root && way[0]! >= 0) way.unshift(parents[way[0]!]!);
  return way[0] === root && way.length > 1 ? way : null;
}

function lengthOf(joints: readonly number[], { matrices }: ModelPose): number {
  let sum = 0;
  for (let k = 1; k < joints.length; k++)
    sum += vectorLength(
      subtractVectors(vectorAt(matrices, 16 * joints[k]! + 12), vectorAt(matrices, 16 * joints[k - 1]! + 12)),
    );
  return sum;
}

/** Where a chain bends in a pose, in its first joint's own axes; to any side where it is straight. */
function bendOf(joints: readonly number[], { matrices, rotations }: ModelPose): Float64Array {
  const places = joints.map((joint) => vectorAt(matrices, 16 * joint + 12));
  const line = subtractVectors(places.at(-1)!, places[0]!);
  const along = directionOf(line) ?? ([0, 1, 0] as Vec3);
  const middle = places[Math.floor(places.length / 2)]!;
  const off = rejectVector(subtractVectors(middle, places[0]!), along);
  const side = Math.abs(along[1]) < 0.9 ? ([0, 1, 0] as Vec3) : ([0, 0, 1] as Vec3);
  const bend = Float64Array.from(directionOf(off) ?? directionOf(crossVectors(along, side)) ?? [1, 0, 0]);
  const back = new Float64Array(4);
  conjugateQuaternion(back, 0, rotations, 4 * joints[0]!);
  rotateVector(bend, 0, back, 0, bend, 0);
  return bend;
}
