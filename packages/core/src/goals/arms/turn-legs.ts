import { distanceFlat } from '../../base/math/flat-vectors.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { createTwoBoneSolution, solveTwoBone } from '../../solvers/solve-two-bone.js';
import { reachOf } from '../parts/reach.js';
import { type PlannedClip, slotOf } from '../plan/planning.js';
import type { ArmRecord } from './arm-record.js';
import type { ArmSetup } from './arm-setup.js';
import { PART_NUMBERS } from './part-frame.js';
import { rowLength } from './shape-row.js';

const solution = createTwoBoneSolution();
const bend = new Float64Array(3);
const root = new Float64Array(3);
const knee = new Float64Array(3);
const foot = new Float64Array(3);
const goal = new Float64Array(3);
const options = { straightBend: bend, softness: 1, isHinge: true, keepsSide: true };

/** Turns the legs of rows as their goals are planned, seen from the hips: hands lie on thighs where these will be. */
export function turnLegs({ goals, plan, record }: PlannedClip, arms: ArmRecord, { target }: ArmSetup): void {
  const width = goals.limbs.length;
  const length = rowLength(target);
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg') return;
    const thigh = target.parts.findIndex(({ joint }) => joint === limb.target.upper);
    const shin = target.parts.findIndex(({ joint }) => joint === limb.target.middle);
    if (thigh < 0) return;
    for (let k = 0; k < plan.count; k++) {
      if (arms.slots[k]! < 0) continue;
      const o = length * arms.slots[k]!;
      const i = 3 * slotOf(width, k, n);
      const hold = plan.holds[slotOf(width, k, n)]!;
      for (let c = 0; c < 3; c++) {
        root[c] = record.uppers[i + c]!;
        knee[c] = record.middles[i + c]!;
        foot[c] = record.ends[i + c]!;
        goal[c] = record.places[i + c]! + plan.shifts[i + c]! - hold * plan.hips[3 * k + c]!;
        bend[c] = 0;
        for (let a = 0; a < 3; a++)
          bend[c]! += arms.rows[o + PART_NUMBERS * thigh + 3 * a + c]! * limb.bend[a]!;
      }
      options.softness = reachOf(distanceFlat(root, 0, foot, 0), limb.length) / limb.length;
      solveTwoBone(solution, root, 0, knee, 0, foot, 0, goal, 0, options);
      turnPart(arms.rows, o + PART_NUMBERS * thigh, solution.upperTurn);
      if (shin < 0) continue;
      turnPart(arms.rows, o + PART_NUMBERS * shin, solution.lowerTurn);
      for (let c = 0; c < 3; c++) arms.rows[o + PART_NUMBERS * shin + 9 + c]! += solution.mid[c]! - knee[c]!;
    }
  });
}

function turnPart(rows: Float64Array, o: number, turn: Float64Array): void {
  for (let a = 0; a < 9; a += 3) rotateVector(rows, o + a, turn, 0, rows, o + a);
}
