import { sin, squared } from '../../../base/math/functions.js';
import { widenCurve } from '../../../base/math/smooth-curves.js';
import { softenReach } from '../../../solvers/solve-two-bone.js';
import { bendAt, goalFor, leg, line, lineToGoal, readLeg, snapAt, snapsOf } from '../knee-bends.js';
import { type PlannedClip, type Planning, slotOf } from '../planning.js';
import { calmLeaps, isLeap, isQuick, nearLeap } from './calm-leaps.js';

/**
 * A held end may be moved along its limb by about this share of the limb's length for a knee of about ten degrees a
 * frame: 3 mm of an adult's leg where it is nearly straight, and hardly at all where it is bent.
 */
const HELD_WITHIN = 0.02;

/**
 * Calms how far a limb is bent beyond the copy, where that leaps, and moves its goal along the line to it for that: near
 * full stretch a hair's breadth of the goal is many degrees of the knee. The cost of a held end is the way that it is moved by,
 * d reach / d bend = −thigh · shin · sin(bend) / reach.
 */
export function calmBend(planning: Pick<Planning, keyof PlannedClip | 'carried'>, n: number): void {
  const { plan, goals, record, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { length } = goals.limbs[n]!;
  const bends = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    readLeg(record, 3 * slotOf(width, k, n), length);
    bends[k] = bendAt(length * softenReach(lineToGoal(planning, n, k) / length, leg.softness));
  }
  const copied = new Float64Array(count).fill(Number.NaN);
  if (!isAnyLeap(bends, copied, planning, n)) return;
  const held = new Float64Array(count);
  const more = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    readLeg(record, 3 * slotOf(width, k, n), length);
    copied[k] = bendAt(leg.reach);
    more[k] = bends[k]! - copied[k]!;
    const reach = length * softenReach(lineToGoal(planning, n, k) / length, leg.softness);
    const steepness = (leg.thigh * leg.shin * sin(bends[k]!)) / Math.max(reach, 1e-9 * length);
    held[k] = carried[slotOf(width, k, n)]! * squared(steepness / (HELD_WITHIN * length));
  }
  const usual = widenCurve(snapsOf(copied), nearLeap(plan.rate));
  const bent = new Float64Array(count);
  const leapsOf = (curve: Float64Array, over: number) => {
    for (let k = 0; k < count; k++) bent[k] = Math.max(0, curve[k]! + copied[k]!);
    const snaps = snapsOf(bent);
    for (let k = 0; k < count; k++) if (!isLeap(snaps[k]!, usual[k]!, record.pace, over)) snaps[k] = 0;
    return snaps;
  };
  if (!calmLeaps(more, { size: 1, rate: plan.rate }, leapsOf, held)) return;
  for (let k = 0; k < count; k++) {
    const bend = Math.max(0, more[k]! + copied[k]!);
    if (Math.abs(bend - bends[k]!) < 1e-9) continue;
    const o = 3 * slotOf(width, k, n);
    readLeg(record, o, length);
    const far = lineToGoal(planning, n, k);
    if (!(far > 1e-9 * length)) continue;
    const nearer = far - goalFor(bend, length);
    for (let c = 0; c < 3; c++) plan.shifts[o + c]! -= (nearer * line[c]!) / far;
  }
}

/**
 * Whether a knee leaps anywhere, or all but: sums are rounded differently elsewhere. How far it is bent as copied is found
 * where it is quick, and noted.
 */
function isAnyLeap(
  bends: Float64Array,
  copied: Float64Array,
  { goals: { limbs }, record }: PlannedClip,
  n: number,
): boolean {
  const last = bends.length - 1;
  const near = nearLeap(record.rate);
  for (let k = 1; k < last; k++) {
    const snap = snapAt(bends, k) + 1e-9;
    if (snap < 1 && !isQuick(snap, record.pace)) continue;
    let usual = 0;
    for (let j = Math.max(0, k - near - 1); j <= Math.min(last, k + near + 1); j++) {
      if (!Number.isNaN(copied[j]!)) continue;
      readLeg(record, 3 * slotOf(limbs.length, j, n), limbs[n]!.length);
      copied[j] = bendAt(leg.reach);
    }
    for (let j = Math.max(1, k - near); j <= Math.min(last - 1, k + near); j++)
      usual = Math.max(usual, snapAt(copied, j));
    if (!(snap < 1) || isLeap(snap, usual, record.pace)) return true;
  }
  return false;
}
