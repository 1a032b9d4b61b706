import { divideQuaternions, multiplyQuaternions, rotateVector } from '../../../base/math/quaternion.js';
import { type PlannedClip, slotOf } from '../planning.js';
import { LIMB_JOINTS, LIMB_SIZE, type LimbTurns } from './limb-turns.js';

/** Where the end of a limb is in a frame, and how it is turned, in the model. */
export type LimbEnd = { place: Float64Array; turn: Float64Array };

/** Room for an end. */
export function createLimbEnd(): LimbEnd {
  return { place: new Float64Array(3), turn: new Float64Array(4) };
}

const identity = Float64Array.of(0, 0, 0, 1);
const local = new Float64Array(4);
const way = new Float64Array(3);

/** Finds where the end of a limb is in a frame when its joints are turned like this, its root being where it is planned. */
export function readEnd(
  { place, turn }: LimbEnd,
  { plan, goals, record }: PlannedClip,
  n: number,
  k: number,
  { copied, added }: LimbTurns,
): void {
  const i = slotOf(goals.limbs.length, k, n);
  const o = 3 * i;
  for (let c = 0; c < 3; c++) place[c] = record.uppers[o + c]! + plan.hips[3 * k + c]!;
  for (let c = 0; c < 4; c++) turn[c] = record.turned[16 * i + c]!;
  for (let j = 0; j < LIMB_JOINTS; j++) {
    const t = LIMB_SIZE * k + 4 * j;
    multiplyQuaternions(local, 0, copied, t, added, t);
    multiplyQuaternions(turn, 0, turn, 0, local, 0);
    if (j === LIMB_JOINTS - 1) break;
    const [from, to] = j === 0 ? [record.uppers, record.middles] : [record.middles, record.ends];
    for (let c = 0; c < 3; c++) way[c] = to[o + c]! - from[o + c]!;
    carryAlong(turn, record.turned, 16 * i + 4 * (j + 1));
    for (let c = 0; c < 3; c++) place[c]! += way[c]!;
  }
}

/** Finds where a point of the limb's end is in a frame, such as a heel, the end being where `readEnd` found it. */
export function readEndPoint(
  out: Float64Array,
  { place, turn }: LimbEnd,
  { goals, record }: PlannedClip,
  n: number,
  k: number,
  point: number,
): void {
  const i = slotOf(goals.limbs.length, k, n);
  const at = 3 * slotOf(goals.points.length, k, point);
  for (let c = 0; c < 3; c++) way[c] = record.copied[at + c]! - record.ends[3 * i + c]!;
  carryAlong(turn, record.turned, 16 * i + 4 * LIMB_JOINTS);
  for (let c = 0; c < 3; c++) out[c] = place[c]! + way[c]!;
}

/** Carries `way` along from a joint as copied to how it is turned now. */
function carryAlong(turn: Float64Array, turned: Float64Array, at: number): void {
  divideQuaternions(local, 0, turned, at, identity, 0);
  multiplyQuaternions(local, 0, turn, 0, local, 0);
  rotateVector(way, 0, local, 0, way, 0);
}
