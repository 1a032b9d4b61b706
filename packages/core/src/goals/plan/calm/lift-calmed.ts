import { divideQuaternions, multiplyQuaternions, rotateVector } from '../../../base/math/quaternion.js';
import { smoothCurve, widenCurve } from '../../../base/math/smooth-curves.js';
import { CONTACT_RATE } from '../../../contacts/track-points.js';
import { type PlannedClip, type Planning, slotOf } from '../planning.js';
import { LIMB_JOINTS, LIMB_SIZE } from './limb-turns.js';

/** A foot may be put into the floor by so much by calming, in hip heights: a quarter of what is measured as sunk. */
const SINKS = 0.005;
/** Frames to either side over which a foot comes up for that, and goes down again. */
const EASE = 0.1 * CONTACT_RATE;

/**
 * Lifts the goal of a leg where its calmed joints would put heel or ball into the floor: a foot that turns over fast just over
 * the floor is swept through it by turns that are spread over time.
 * @param copied The leg's turns as copied, and `calmed` what they are turned by beyond; see `LimbTurns`.
 * @returns Whether anything was lifted, and the leg is to be solved and calmed anew.
 */
export function liftCalmed(
  planning: Pick<Planning, keyof PlannedClip | 'carried'>,
  n: number,
  copied: Float64Array,
  calmed: Float64Array,
): boolean {
  const { plan, goals, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { kind, hangs } = goals.limbs[n]!;
  // A foot that is placed by itself is where it was put, however its leg is turned.
  if (kind !== 'leg' || !hangs) return false;
  const depths = new Float64Array(count);
  let sinks = false;
  for (let k = 0; k < count; k++) {
    depths[k] = Math.max(0, depthAt(planning, n, k, copied, calmed));
    if (depths[k]! > SINKS * goals.hipHeight) sinks = true;
  }
  if (!sinks) return false;
  const lifts = smoothCurve(widenCurve(depths, EASE), EASE / 2);
  for (let k = 0; k < count; k++) {
    const i = slotOf(width, k, n);
    // A foot that carries is held where it stands.
    plan.shifts[3 * i + 1]! += (1 - carried[i]!) * lifts[k]!;
  }
  return true;
}

const turn = new Float64Array(4);
const local = new Float64Array(4);
const way = new Float64Array(3);

/** How deep the lower one of heel and ball of a leg is under the floor in a frame, in metres; negative over it. */
function depthAt(
  { plan, goals, record }: PlannedClip,
  n: number,
  k: number,
  copied: Float64Array,
  calmed: Float64Array,
): number {
  const i = slotOf(goals.limbs.length, k, n);
  const o = 3 * i;
  let y = record.uppers[o + 1]! + plan.hips[3 * k + 1]!;
  for (let c = 0; c < 4; c++) turn[c] = record.turned[16 * i + c]!;
  for (let j = 0; j < LIMB_JOINTS; j++) {
    const t = LIMB_SIZE * k + 4 * j;
    multiplyQuaternions(local, 0, copied, t, calmed, t);
    multiplyQuaternions(turn, 0, turn, 0, local, 0);
    if (j === LIMB_JOINTS - 1) break;
    const [from, to] = j === 0 ? [record.uppers, record.middles] : [record.middles, record.ends];
    for (let c = 0; c < 3; c++) way[c] = to[o + c]! - from[o + c]!;
    y += turnedAlong(record.turned, 16 * i + 4 * (j + 1));
  }
  let depth = Number.NEGATIVE_INFINITY;
  for (const point of goals.limbs[n]!.points) {
    const at = 3 * slotOf(goals.points.length, k, point);
    for (let c = 0; c < 3; c++) way[c] = record.copied[at + c]! - record.ends[o + c]!;
    const height = y + turnedAlong(record.turned, 16 * i + 4 * LIMB_JOINTS);
    depth = Math.max(depth, plan.floor + goals.hipHeight * goals.points[point]!.target.standing - height);
  }
  return depth;
}

/** How far up `way` goes when it is carried along from a joint as copied to how it is turned now. */
function turnedAlong(turned: Float64Array, at: number): number {
  divideQuaternions(local, 0, turned, at, identity, 0);
  multiplyQuaternions(local, 0, turn, 0, local, 0);
  rotateVector(way, 0, local, 0, way, 0);
  return way[1]!;
}

const identity = Float64Array.of(0, 0, 0, 1);
