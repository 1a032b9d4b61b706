import { distanceFlat } from '../../base/math/flat-vectors.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { createTwoBoneSolution, solveTwoBone } from '../../solvers/solve-two-bone.js';
import type { GoalSetup } from '../goal-setup.js';
import { reachOf } from '../parts/reach.js';
import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { BodyShape } from './body-shape.js';
import { PART_NUMBERS } from './part-frame.js';
import { rowLength } from './shape-row.js';

/** A leg whose thigh hands can touch: its limb, and the numbers of thigh and shin among parts; −1 for no shin. */
export type TouchedLeg = { limb: number; thigh: number; shin: number };

/** Finds the legs of a body that hands can touch. */
export function touchedLegs({ limbs }: GoalSetup, { parts }: BodyShape): TouchedLeg[] {
  const partOf = (joint: number) => parts.findIndex((part) => part.joint === joint);
  return limbs.flatMap(({ kind, target }, limb) => {
    const thigh = kind === 'leg' ? partOf(target.upper) : -1;
    return thigh < 0 ? [] : [{ limb, thigh, shin: partOf(target.middle) }];
  });
}

const solution = createTwoBoneSolution();
const bend = new Float64Array(3);
const root = new Float64Array(3);
const knee = new Float64Array(3);
const foot = new Float64Array(3);
const goal = new Float64Array(3);
const options = { straightBend: bend, softness: 1, isHinge: true, keepsSide: true };

/** Turns a leg of a frame's row as its goal is planned, seen from the hips: hands lie on thighs where these will be. */
export function turnLeg(
  { goals, plan, record }: PlannedClip,
  { rows, slots }: ArmRecord,
  target: BodyShape,
  { limb: n, thigh, shin }: TouchedLeg,
  k: number,
): void {
  const limb = goals.limbs[n]!;
  const o = rowLength(target) * slots[k]!;
  const slot = slotOf(goals.limbs.length, k, n);
  const i = 3 * slot;
  const hold = plan.holds[slot]!;
  for (let c = 0; c < 3; c++) {
    root[c] = record.uppers[i + c]!;
    knee[c] = record.middles[i + c]!;
    foot[c] = record.ends[i + c]!;
    goal[c] = record.places[i + c]! + plan.shifts[i + c]! - hold * plan.hips[3 * k + c]!;
    bend[c] = 0;
    for (let a = 0; a < 3; a++) bend[c]! += rows[o + PART_NUMBERS * thigh + 3 * a + c]! * limb.bend[a]!;
  }
  options.softness = reachOf(distanceFlat(root, 0, foot, 0), limb.length) / limb.length;
  solveTwoBone(solution, root, 0, knee, 0, foot, 0, goal, 0, options);
  turnPart(rows, o + PART_NUMBERS * thigh, solution.upperTurn);
  if (shin < 0) return;
  turnPart(rows, o + PART_NUMBERS * shin, solution.lowerTurn);
  for (let c = 0; c < 3; c++) rows[o + PART_NUMBERS * shin + 9 + c]! += solution.mid[c]! - knee[c]!;
}

function turnPart(rows: Float64Array, o: number, turn: Float64Array): void {
  for (let a = 0; a < 9; a += 3) rotateVector(rows, o + a, turn, 0, rows, o + a);
}
