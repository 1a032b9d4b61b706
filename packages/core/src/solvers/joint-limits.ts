import { UsageError } from '../base/errors.js';
import { atan2, cos, sin } from '../base/math/functions.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
} from '../base/math/quaternion.js';

/** An axis of a joint's own frame. */
export type LimitAxis = 'x' | 'y' | 'z';

/** How far a joint may turn from its rest, in degrees, `[least, most]`. */
export type JointLimit =
  | { type: 'hinge'; axis: LimitAxis; forward: LimitAxis; angleDegrees: [number, number] }
  | {
      type: 'swingTwist';
      /** The axis that twist turns about. */
      twistAxis: LimitAxis;
      twistDegrees: [number, number];
      /** Swing about the other axes; an axis that is left out does not swing. */
      swingDegrees: Partial<Record<LimitAxis, [number, number]>>;
    };

/** A {@link JointLimit} made ready for {@link projectLimit}: radians, and axes by number. */
export type CompiledLimit = {
  /** The axis that a hinge or a twist turns about, 0 to 2. */
  axis: number;
  /** Least and most turn about it. */
  least: number;
  most: number;
  /** What swing about the two other axes, in cyclic order, may be; null for a hinge: none. */
  swing: { least: Float64Array; most: Float64Array } | null;
};

const AXIS_PLACES: Readonly<Record<LimitAxis, number>> = { x: 0, y: 1, z: 2 };

/**
 * Makes a limit ready for the solvers.
 * @throws UsageError where a range is no range.
 */
export function compileLimit(limit: JointLimit): CompiledLimit {
  if (limit.type === 'hinge') {
    const [least, most] = radians(limit.angleDegrees);
    return { axis: AXIS_PLACES[limit.axis], least, most, swing: null };
  }
  const axis = AXIS_PLACES[limit.twistAxis];
  const [least, most] = radians(limit.twistDegrees);
  const swing = { least: new Float64Array(2), most: new Float64Array(2) };
  for (const name of ['x', 'y', 'z'] as const) {
    const range = limit.swingDegrees[name];
    if (AXIS_PLACES[name] === axis || !range) continue;
    const k = (AXIS_PLACES[name] + 2 - axis) % 3;
    [swing.least[k], swing.most[k]] = radians(range);
  }
  return { axis, least, most, swing };
}

function radians([least, most]: readonly [number, number]): [number, number] {
  if (!(Number.isFinite(least) && Number.isFinite(most) && least <= most))
    throw new UsageError(`a joint limit from ${least} to ${most} degrees is no range`);
  return [(least * Math.PI) / 180, (most * Math.PI) / 180];
}

const turn = new Float64Array(4);
const point = new Float64Array(2);

/**
 * Brings a local rotation inside a limit, to the nearest turn that the limit allows, counted from the rest
 * rotation. All solvers share it. The turn from rest is parted into a swing and a twist, rest⁻¹ · q =
 * swing · twist. The twist is clamped; the swing, as a rotation vector, goes to the closest point of the
 * ellipse whose half axes are the ranges' ends (K33).
 * @returns how far, in radians, twist and swing were outside; 0 for inside.
 */
export function projectLimit(
  rotations: Float64Array,
  i: number,
  rest: Float64Array,
  r: number,
  limit: CompiledLimit,
): number {
  const { axis, least, most, swing } = limit;
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  divideQuaternions(turn, 0, rest, r, rotations, i);
  normalizeQuaternion(turn, 0, turn, 0);
  if (turn[3]! < 0) for (let c = 0; c < 4; c++) turn[c] = -turn[c]!;
  // Twist: the part about the axis, (q·axis, w) normalised. A half turn away from the axis has none.
  let cosine = turn[3]!;
  let sine = turn[axis]!;
  const size = Math.sqrt(cosine * cosine + sine * sine);
  if (size < 1e-9) {
    cosine = 1;
    sine = 0;
  } else {
    cosine /= size;
    sine /= size;
  }
  const angle = 2 * atan2(sine, cosine);
  const twist = clampAngle(angle, least, most);
  let outside = Math.abs(angle - twist);
  // Swing = q · twist⁻¹: its vector part has nothing along the axis.
  const x = cosine * turn[u]! - sine * turn[v]!;
  const y = cosine * turn[v]! + sine * turn[u]!;
  let swung = 2 * atan2(Math.sqrt(x * x + y * y), size);
  const length = Math.sqrt(x * x + y * y);
  point[0] = length > 1e-12 ? (x / length) * swung : 0;
  point[1] = length > 1e-12 ? (y / length) * swung : 0;
  if (swing === null) {
    outside += swung;
    point[0] = 0;
    point[1] = 0;
  } else outside += toEllipse(swing.least, swing.most);
  if (outside < 1e-12) return 0;
  swung = Math.sqrt(point[0] * point[0] + point[1] * point[1]);
  const k = swung > 1e-12 ? sin(swung / 2) / swung : 0.5;
  const sx = point[0] * k;
  const sy = point[1] * k;
  const sw = cos(swung / 2);
  const ts = sin(twist / 2);
  const tw = cos(twist / 2);
  // swing · twist
  turn[axis] = sw * ts;
  turn[u] = sx * tw + sy * ts;
  turn[v] = sy * tw - sx * ts;
  turn[3] = sw * tw;
  multiplyQuaternions(rotations, i, rest, r, turn, 0);
  return outside;
}

const axed = new Float64Array(4);
const undo = new Float64Array(4);

/**
 * Brings a local rotation inside a limit that speaks of other axes than the joint's own. With A from the limit's axes
 * to the joint's, rest⁻¹ · q seen in the limit's axes is A⁻¹ · rest⁻¹ · q · A: the turn from rest · A to q · A.
 * @param rest rest · A.
 * @param axes A; no turn for the joint's own axes.
 * @returns how far, in radians, it was outside.
 */
export function projectAxedLimit(
  rotations: Float64Array,
  i: number,
  rest: Float64Array,
  r: number,
  axes: Float64Array,
  a: number,
  limit: CompiledLimit,
): number {
  multiplyQuaternions(axed, 0, rotations, i, axes, a);
  const outside = projectLimit(axed, 0, rest, r, limit);
  if (outside > 0) {
    conjugateQuaternion(undo, 0, axes, a);
    multiplyQuaternions(rotations, i, axed, 0, undo, 0);
  }
  return outside;
}

/** The nearest angle in a range, the short way round the circle. */
function clampAngle(angle: number, least: number, most: number): number {
  if (angle >= least && angle <= most) return angle;
  const up = angle + 2 * Math.PI;
  const down = angle - 2 * Math.PI;
  if ((up >= least && up <= most) || (down >= least && down <= most)) return angle;
  return gap(angle, least) <= gap(angle, most) ? least : most;
}

function gap(a: number, b: number): number {
  const d = Math.abs(a - b) % (2 * Math.PI);
  return d > Math.PI ? 2 * Math.PI - d : d;
}

/** Moves `point` into the ellipse of the quadrant it lies in; gives how far it was outside. */
function toEllipse(least: Float64Array, most: Float64Array): number {
  const cx = centreOf(least[0]!, most[0]!);
  const cy = centreOf(least[1]!, most[1]!);
  const x = point[0]! - cx;
  const y = point[1]! - cy;
  const a = x < 0 ? cx - least[0]! : most[0]! - cx;
  const b = y < 0 ? cy - least[1]! : most[1]! - cy;
  const px = Math.abs(x);
  const py = Math.abs(y);
  let ex: number;
  let ey: number;
  if (a < 1e-9 || b < 1e-9) {
    ex = Math.min(px, a);
    ey = Math.min(py, b);
  } else {
    if ((px * px) / (a * a) + (py * py) / (b * b) <= 1) return 0;
    // The closest point is (a²x/(t+a²), b²y/(t+b²)) with t ≥ 0 the root of a falling function
    // (Eberly, "Distance from a Point to an Ellipse"). Newton from the left of it rises monotonically.
    let t = 0;
    for (let k = 0; k < 60; k++) {
      const fx = (a * px) / (t + a * a);
      const fy = (b * py) / (t + b * b);
      const f = fx * fx + fy * fy - 1;
      if (f < 1e-13) break;
      t += f / (2 * ((fx * fx) / (t + a * a) + (fy * fy) / (t + b * b)));
    }
    ex = (a * a * px) / (t + a * a);
    ey = (b * b * py) / (t + b * b);
  }
  const outside = Math.sqrt((px - ex) * (px - ex) + (py - ey) * (py - ey));
  point[0] = cx + (x < 0 ? -ex : ex);
  point[1] = cy + (y < 0 ? -ey : ey);
  return outside;
}

function centreOf(least: number, most: number): number {
  return least <= 0 && most >= 0 ? 0 : (least + most) / 2;
}

/**
 * What a human leg can do (W23): the hip 108° forward, 18° back and 18° to the other sides, the knee 144° as a
 * hinge. For joints whose x axis points to the body's side such that turning about it by a positive angle takes
 * the thigh back and bends the knee; `mirrorLimit` makes those for axes that point the other way.
 */
export const LEG_LIMITS: { readonly upperLeg: JointLimit; readonly lowerLeg: JointLimit } = {
  upperLeg: {
    type: 'swingTwist',
    twistAxis: 'y',
    twistDegrees: [-18, 18],
    swingDegrees: { x: [-108, 18], z: [-18, 18] },
  },
  lowerLeg: { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [0, 144] },
};

/** The same limit for a joint whose axes all point the other way: every range changes ends and signs. */
export function mirrorLimit(limit: JointLimit): JointLimit {
  const flip = ([least, most]: readonly [number, number]): [number, number] => [0 - most, 0 - least];
  if (limit.type === 'hinge') return { ...limit, angleDegrees: flip(limit.angleDegrees) };
  const swingDegrees: Partial<Record<LimitAxis, [number, number]>> = {};
  for (const name of ['x', 'y', 'z'] as const) {
    const range = limit.swingDegrees[name];
    if (range) swingDegrees[name] = flip(range);
  }
  return { ...limit, twistDegrees: flip(limit.twistDegrees), swingDegrees };
}

/** A joint that is held within a limit. */
export type LimitedJoint = {
  joint: number;
  limit: CompiledLimit;
  /** The rotation that turns are counted from, in the axes of the limit: rest · axes. */
  rest: Float64Array;
  /** From the limit's axes to the joint's own. */
  axes: Float64Array;
};

/**
 * Brings one local rotation inside a limit.
 * @returns how far, in radians, it was outside.
 */
export function projectJoint(
  rotations: Float64Array,
  i: number,
  { limit, rest, axes }: LimitedJoint,
): number {
  return projectAxedLimit(rotations, i, rest, 0, axes, 0, limit);
}
