/** A foot whose heel is higher than its toe by this, in hip heights, turns about its toe alone. */
const LEANS = 0.01;

/** out = how much a foot turns about its toe, 0 to 1: the more the higher its heel is than its toe, in hip heights. */
export function readLean(
  out: Float64Array,
  o: number,
  heights: Float64Array,
  heel: number,
  toe: number,
): void {
  out[o] = Math.min(1, Math.max(0, 0.5 + (heights[heel]! - heights[toe]!) / (2 * LEANS)));
}
