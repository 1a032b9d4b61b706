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
  copyAxes(out, o, m, i);
  out[o + 9] = m[i + 12]!;
  out[o + 10] = m[i + 13]!;
  out[o + 11] = m[i + 14]!;
}

/** out = the x, y and z columns of a matrix. */
export function copyAxes(out: Float64Array, o: number, m: Float64Array, i: number): void {
  out[o] = m[i]!;
  out[o + 1] = m[i + 1]!;
  out[o + 2] = m[i + 2]!;
  out[o + 3] = m[i + 4]!;
  out[o + 4] = m[i + 5]!;
  out[o + 5] = m[i + 6]!;
  out[o + 6] = m[i + 8]!;
  out[o + 7] = m[i + 9]!;
  out[o + 8] = m[i + 10]!;
}
