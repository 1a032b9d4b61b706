import type { LimbGoal } from './goal-setup.js';

/** out = the columns of the matrices of a limb's end joint and of its toes: x, y, z, place; 24 numbers. */
export function copyFrames(
  out: Float64Array,
  o: number,
  matrices: Float64Array,
  { target, toes }: LimbGoal,
): void {
  copyColumns(out, o, matrices, 16 * target.end);
  if (toes >= 0) copyColumns(out, o + 12, matrices, 16 * toes);
}

function copyColumns(out: Float64Array, o: number, m: Float64Array, i: number): void {
  for (let column = 0; column < 4; column++)
    for (let c = 0; c < 3; c++) out[o + 3 * column + c] = m[i + 4 * column + c]!;
}
