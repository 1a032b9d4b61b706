/** One degree, in radians. */
export const DEGREE = Math.PI / 180;

/** One radian, in degrees. */
export const TO_DEGREES = 180 / Math.PI;
