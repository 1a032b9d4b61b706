import { atan2, pow } from '../base/math/functions.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  rotateVector,
} from '../base/math/quaternion.js';

/** How far a head or an eye may turn to look at something, in radians. */
export type LookLimits = {
  /** To either side. */
  horizontal: number;
  /** Up or down. */
  vertical: number;
};

const degrees = (angle: number) => (angle * Math.PI) / 180;

/** What heads do (W21). */
export const HEAD_LIMITS: Readonly<LookLimits> = { horizontal: degrees(60), vertical: degrees(30) };
/** What eyes do, counted from the head (W21). */
export const EYE_LIMITS: Readonly<LookLimits> = { horizontal: degrees(9), vertical: degrees(9) };

const AXIS_X = Float64Array.of(1, 0, 0);
const AXIS_Y = Float64Array.of(0, 1, 0);
const way = new Float64Array(3);
const yaw = new Float64Array(4);
const inverse = new Float64Array(4);
const angles = new Float64Array(2);

/**
 * The turn, in model space, that makes a head or an eye look from where it is at a point: new = out · old.
 *
 * `frame` is the model rotation of what the look is counted from, of a body whose frame at rest is that of model
 * space (+Z ahead, +Y up): for a head the turn of the chest or the neck since the reference pose, for eyes that
 * of the head *after* it was turned. Yaw and pitch are clamped to the limits, so that what is behind is looked
 * at over the shoulder. A point at the eye itself, or one that is no number, gives straight ahead.
 */
export function lookAt(
  out: Float64Array,
  o: number,
  frame: Float64Array,
  f: number,
  eye: Float64Array,
  e: number,
  point: Float64Array,
  p: number,
  limits: LookLimits,
): void {
  lookAngles(angles, 0, frame, f, eye, e, point, p, limits);
  lookTurn(out, o, angles, 0);
  conjugateQuaternion(inverse, 0, frame, f);
  multiplyQuaternions(out, o, frame, f, out, o);
  multiplyQuaternions(out, o, out, o, inverse, 0);
}

/** The yaw to the left and the pitch upwards of such a look, in radians: see {@link lookAt}. */
export function lookAngles(
  out: Float64Array,
  o: number,
  frame: Float64Array,
  f: number,
  eye: Float64Array,
  e: number,
  point: Float64Array,
  p: number,
  limits: LookLimits,
): void {
  conjugateQuaternion(inverse, 0, frame, f);
  for (let c = 0; c < 3; c++) way[c] = point[p + c]! - eye[e + c]!;
  rotateVector(way, 0, inverse, 0, way, 0);
  const x = way[0]!;
  const y = way[1]!;
  const z = way[2]!;
  const isSomewhere = Number.isFinite(x + y + z) && x * x + y * y + z * z > 0;
  out[o] = isSomewhere ? clamp(atan2(x, z), limits.horizontal) : 0;
  out[o + 1] = isSomewhere ? clamp(atan2(y, Math.sqrt(x * x + z * z)), limits.vertical) : 0;
}

/** out = the turn of a look from straight ahead (+Z) by a yaw to the left, after a pitch upwards. */
export function lookTurn(out: Float64Array, o: number, look: Float64Array, i: number): void {
  quaternionFromAxisAngle(yaw, 0, AXIS_Y, 0, look[i]!);
  // Turning about +X by a positive angle looks down.
  quaternionFromAxisAngle(out, o, AXIS_X, 0, -look[i + 1]!);
  multiplyQuaternions(out, o, yaw, 0, out, o);
}

/**
 * How much of the way to a new look is gone in a step of so many seconds: give it to `slerpQuaternions`. W21 goes
 * a tenth of the way per update; at 60 updates a second that is this, and the same at any other rate.
 */
export function easeLook(seconds: number, sharePerUpdate = 0.1): number {
  if (!(seconds > 0)) return 0;
  return 1 - pow(1 - clamp(sharePerUpdate, 1), 60 * seconds);
}

function clamp(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
