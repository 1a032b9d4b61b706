/*
 * Values in flat arrays that are read and never written.
 */

/** No turn. */
export const IDENTITY: Float64Array = Float64Array.of(0, 0, 0, 1);

/** No scaling. */
export const ONES: Float64Array = Float64Array.of(1, 1, 1);

/** Up, in model space. */
export const UP: Float64Array = Float64Array.of(0, 1, 0);
