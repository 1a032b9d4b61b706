import { END, JOINT, modelPoseOf, type Pose, SKINNED } from '@stuntdouble/core';
import type { FileFacts } from '../engine/protocol.js';

/** A bone to draw: from a joint to another one, or to a place that goes with it where it is the last. */
export type DrawnBone = {
  from: number;
  to: number;
  /** In the local space of `from`, where `to` is −1. */
  tip: [number, number, number] | null;
};

/**
 * The joints that are part of the body, for people to see and pick: those that play a part, carry skin or, in files
 * without a skin, any joint. What merely carries the hips or controls others (`ik_hand_gun`), and marks on the floor
 * that hang on the hips alone (`Bip01 Footsteps`), would be giant bones.
 */
export function shownJoints({ skeleton, roles, joints }: FileFacts): boolean[] {
  if (!skeleton) return [];
  const { flags, parents, names } = skeleton;
  const skinned = flags.some((flag) => (flag & SKINNED) !== 0);
  const carriers = new Set<number>();
  for (let at = joints.hips === undefined ? -1 : parents[joints.hips]!; at >= 0; at = parents[at]!)
    carriers.add(at);
  const inner = new Set(parents);
  return names.map((_, joint) => {
    if (carriers.has(joint)) return false;
    const role = roles[joint];
    // A bone from the neck to an eye is no help to anybody.
    if (role) return !/Eye$|^jaw$/.test(role);
    const flag = flags[joint]!;
    if (skinned) return (flag & SKINNED) !== 0;
    const isMark = !inner.has(joint) && parents[joint] === joints.hips;
    return !isMark && (flag & (JOINT | END)) !== 0;
  });
}

/** The bones to draw of a body, and their ends where no joint follows. */
export function drawnBones(facts: FileFacts, reference: Pose): DrawnBone[] {
  const { skeleton } = facts;
  if (!skeleton) return [];
  const shown = shownJoints(facts);
  const { parents } = skeleton;
  const above = (joint: number) => {
    let at = parents[joint]!;
    while (at >= 0 && !shown[at]) at = parents[at]!;
    return at;
  };
  const hasNext = new Set<number>();
  const bones: DrawnBone[] = [];
  shown.forEach((is, joint) => {
    if (!is) return;
    const from = above(joint);
    if (from < 0) return;
    hasNext.add(from);
    bones.push({ from, to: joint, tip: null });
  });
  const { matrices } = modelPoseOf(skeleton, reference);
  shown.forEach((is, joint) => {
    if (!is || hasNext.has(joint)) return;
    const from = above(joint);
    if (from < 0 || !facts.roles[joint]) return;
    const role = facts.roles[joint]!;
    const kind = role === 'head' ? 'up' : /Foot$|Toes$/.test(role) ? 'level' : 'on';
    const tip = tipOf(matrices, joint, from, kind, 0.11 * facts.height);
    if (tip) bones.push({ from: joint, to: -1, tip });
  });
  return bones;
}

/**
 * The end of a bone that nothing follows, in its joint's local space: half the last bone on; straight up for a head;
 * level with the floor for toes, which would point into it.
 */
function tipOf(
  matrices: Float64Array,
  joint: number,
  from: number,
  kind: 'on' | 'up' | 'level',
  up: number,
): [number, number, number] | null {
  const m = matrices.subarray(16 * joint, 16 * joint + 16);
  const last = [0, 1, 2].map((c) => m[12 + c]! - matrices[16 * from + 12 + c]!);
  const length = Math.hypot(...last);
  const flat = Math.hypot(last[0]!, last[2]!);
  const way =
    kind === 'up'
      ? [0, up, 0]
      : kind === 'level' && flat > 0.05 * length
        ? [(0.4 * length * last[0]!) / flat, 0, (0.4 * length * last[2]!) / flat]
        : last.map((value) => 0.5 * value);
  // The inverse of a matrix of rotation and even scale s is its transpose over s².
  const scale = m[0]! * m[0]! + m[1]! * m[1]! + m[2]! * m[2]!;
  if (!(scale > 1e-18)) return null;
  const local = [0, 1, 2].map(
    (c) => (m[4 * c]! * way[0]! + m[4 * c + 1]! * way[1]! + m[4 * c + 2]! * way[2]!) / scale,
  );
  return local as [number, number, number];
}
