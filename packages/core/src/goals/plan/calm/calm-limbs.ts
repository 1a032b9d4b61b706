import {
  conjugateQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
} from '../../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import { widenCurve } from '../../../base/math/smooth-curves.js';
import { type PlannedClip, type Planning, slotOf } from '../planning.js';
import { calmBend } from './calm-bend.js';
import { calmLeaps, isLeap, NEAR_LEAP } from './calm-leaps.js';
import { changesOf, type LimbTurns, turnsOfLimb } from './limb-turns.js';

/**
 * How stiffly joints are held while their limb is: they hardly give, by which a foot would slide; its end gives a little
 * more by itself, which turns it where it is.
 */
const HELD_JOINTS = 250;
const HELD_END = 16;

/**
 * Takes what pops out of limbs, last of all: what a joint is turned by beyond the copy may change its speed from one frame to the
 * next where a goal is taken up or let go, where a limb is folded and a hair's breadth of the goal is half a turn of
 * it, or where a bound is met. How far a limb is bent is calmed along the line to its goal, so that its end goes where it
 * went; then its joints are, each in its own axes, and all where one of them leaps: where one undoes what another does, both
 * are calmed alike, and the end hardly moves. What is held stays.
 */
export function calmLimbs(planning: Pick<Planning, keyof PlannedClip | 'carried'>): void {
  const { plan, goals, record, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  goals.limbs.forEach(({ scaling, rigid }, n) => {
    // A limb that somebody has scaled goes where it was told.
    if (scaling) return;
    calmBend(planning, n);
    const joints = turnsOfLimb(planning, n);
    // A joint that only stands in for a hand moves with the forearm.
    if (rigid) joints.pop();
    const held = (stiffness: number) =>
      Float64Array.from({ length: count }, (_, k) => stiffness * carried[slotOf(width, k, n)]!);
    const calmed = calmJoints(joints, held(HELD_JOINTS), record.pace);
    const ends = joints[2] && [calmed ? calmed[2]! : joints[2]];
    const end = ends && calmJoints(ends, held(HELD_END), record.pace);
    joints.forEach(({ added }, j) => {
      const now = j === 2 && end ? end[0] : calmed?.[j];
      if (!now) return;
      plan.calms ??= new Float64Array(9 * width * count);
      for (let k = 0; k < count; k++) {
        conjugateQuaternion(more, 0, added, 4 * k);
        multiplyQuaternions(more, 0, more, 0, now.added, 4 * k);
        vectorOfQuaternion(plan.calms, 9 * slotOf(width, k, n) + 3 * j, more);
      }
    });
  });
}

const more = new Float64Array(4);

/** Joints without their pops, all of them calmed where one pops; null where none does. */
function calmJoints(joints: readonly LimbTurns[], held: Float64Array, pace: number): LimbTurns[] | null {
  const count = held.length;
  const size = 4 * joints.length;
  const usual = joints.map(({ copied }) => widenCurve(changesOf(copied, null), NEAR_LEAP));
  const all = new Float64Array(size * count);
  joints.forEach(({ added }, j) => {
    for (let i = 0; i < 4 * count; i++) all[size * (i >> 2) + 4 * j + (i & 3)] = added[i]!;
  });
  const addedOf = (curve: Float64Array, j: number) =>
    Float64Array.from({ length: 4 * count }, (_, i) => curve[size * (i >> 2) + 4 * j + (i & 3)]!);
  const leapsOf = (curve: Float64Array) => {
    const leaps = new Float64Array(count);
    joints.forEach(({ copied }, j) => {
      const changes = changesOf(copied, addedOf(curve, j));
      for (let k = 0; k < count; k++)
        if (isLeap(changes[k]!, usual[j]![k]!, pace)) leaps[k] = Math.max(leaps[k]!, changes[k]!);
    });
    return leaps;
  };
  if (!calmLeaps(all, size, leapsOf, held)) return null;
  return joints.map(({ copied }, j) => {
    const added = addedOf(all, j);
    for (let o = 0; o < added.length; o += 4) normalizeQuaternion(added, o, added, o);
    return { copied, added };
  });
}
