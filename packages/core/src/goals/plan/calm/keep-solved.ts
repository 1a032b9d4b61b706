import { normalizeFlat } from '../../../base/math/flat-vectors.js';
import {
  divideQuaternions,
  multiplyQuaternions,
  quaternionFromAxisAngle,
} from '../../../base/math/quaternion.js';
import { SOLVED_SIZE } from '../../goal-plan.js';
import { BENT_TOES } from '../../parts/bend-toes.js';
import { type PlannedClip, slotOf } from '../planning.js';
import { LIMB_SIZE } from './limb-turns.js';

const axis = new Float64Array(3);
const bent = new Float64Array(4);

/**
 * Gives the turns of a limb's joints and its toes in every frame, as `GoalPlan.solved` has it; null where none is.
 * @param turns What the three joints are turned by, frame after frame; null for nothing.
 */
export function keepSolved(
  planning: PlannedClip,
  n: number,
  turns: Float64Array | null,
): Float32Array | null {
  const { plan, goals } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const limb = goals.limbs[n]!;
  const toes = limb.toes >= 0 && isAnyBent(planning, n);
  if (!turns && !toes) return null;
  const out = new Float32Array(SOLVED_SIZE * count);
  // A joint that only stands in for a hand moves with the forearm.
  const kept = limb.rigid ? LIMB_SIZE - 4 : LIMB_SIZE;
  for (let k = 0; k < count; k++) {
    const o = SOLVED_SIZE * k;
    for (let c = 0; c < LIMB_SIZE; c++)
      out[o + c] = turns && c < kept ? turns[LIMB_SIZE * k + c]! : c % 4 === 3 ? 1 : 0;
    out[o + LIMB_SIZE + 3] = 1;
    if (toes && plan.bends[slotOf(width, k, n)]! > BENT_TOES) bendSolved(out, o + LIMB_SIZE, planning, n, k);
  }
  return out;
}

function isAnyBent({ plan, goals }: PlannedClip, n: number): boolean {
  for (let k = 0; k < plan.count; k++)
    if (plan.bends[slotOf(goals.limbs.length, k, n)]! > BENT_TOES) return true;
  return false;
}

/** out = what toes are turned by before they are turned as copied, as `bendToes` does: P⁻¹ · bend · P, P being the foot's turn. */
function bendSolved(
  out: Float32Array,
  o: number,
  { plan, goals, record }: PlannedClip,
  n: number,
  k: number,
): void {
  const i = slotOf(goals.limbs.length, k, n);
  const { across } = goals.limbs[n]!;
  const { frames, turned } = record;
  for (let c = 0; c < 3; c++)
    axis[c] =
      frames[24 * i + c]! * across[0]! +
      frames[24 * i + 3 + c]! * across[1]! +
      frames[24 * i + 6 + c]! * across[2]!;
  if (!(normalizeFlat(axis) > 1e-9)) return;
  quaternionFromAxisAngle(bent, 0, axis, 0, plan.bends[i]!);
  multiplyQuaternions(bent, 0, bent, 0, turned, 16 * i + 12);
  divideQuaternions(bent, 0, turned, 16 * i + 12, bent, 0);
  for (let c = 0; c < 4; c++) out[o + c] = bent[c]!;
}
