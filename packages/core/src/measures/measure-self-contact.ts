import type { RoleJoints } from '../body.js';
import { hasHulls } from '../goals/touch-setup.js';
import { transformPoint } from '../matrix.js';
import { type ModelPose, modelPoseOf } from '../pose.js';
import { conjugateQuaternion, rotateVector } from '../quaternion.js';
import type { Rig } from '../rig.js';
import type { Role } from '../roles.js';
import type { Comparison, SampledMotion } from './comparison.js';
import { type Summary, summarise } from './summary.js';

/**
 * How far distances between parts of the body that are near each other in the source differ in the result,
 * in % of the arm's length.
 */
export type SelfContactMeasure = {
  result: Summary;
  /** The same of the plainly copied motion; null where it could not be made. */
  copied: Summary | null;
};

/** Pairs that are nearer than this in the source, in arm lengths, count. */
const NEAR = 1 / 3;

/** A part of the body as a thick line between two places that move with joints. */
type Part = { from: Place; to: Place; radius: number };
type Place = { joint: number; x: number; y: number; z: number };

/**
 * Measures self-contact of hands with each other, the head, the hips and the other arm: the difference of the
 * distances between surfaces where both bodies have a skin, of the distances between joints elsewhere. Null
 * without arms, or where nothing comes near.
 */
export function measureSelfContact({
  source,
  result,
  copied,
  setup,
  count,
}: Comparison): SelfContactMeasure | null {
  const skinned = hasHulls(setup.source) && hasHulls(setup.target);
  const from = partsOf(
    setup.source,
    source.roles,
    modelPoseOf(setup.source.skeleton, setup.source.reference.pose),
    skinned,
  );
  const to = partsOf(setup.target, result.roles, setup.alignment.model, skinned);
  if (!from || !to) return null;
  const errors: number[] = [];
  const plain: number[] = [];
  for (const [a, b] of PAIRS) {
    const [s0, s1, t0, t1] = [from.parts[a], from.parts[b], to.parts[a], to.parts[b]];
    if (!s0 || !s1 || !t0 || !t1) continue;
    for (let k = 0; k < count; k++) {
      const wanted = distanceOf(source, s0, s1, k) / from.arm;
      if (wanted >= NEAR) continue;
      errors.push(Math.abs(distanceOf(result, t0, t1, k) / to.arm - wanted));
      if (copied) plain.push(Math.abs(distanceOf(copied, t0, t1, k) / to.arm - wanted));
    }
  }
  const summary = summarise(errors, 100);
  return summary && { result: summary, copied: summarise(plain, 100) };
}

type PartName = `${'left' | 'right'}${'Hand' | 'Forearm' | 'UpperArm'}` | 'head' | 'hips';

const PAIRS: readonly [PartName, PartName][] = [
  ['leftHand', 'rightHand'],
  ...(['left', 'right'] as const).flatMap((side): [PartName, PartName][] => {
    const other = side === 'left' ? 'right' : 'left';
    return [
      [`${side}Hand`, 'head'],
      [`${side}Hand`, 'hips'],
      [`${side}Hand`, `${other}Forearm`],
      [`${side}Hand`, `${other}UpperArm`],
    ];
  }),
];

/** A head without a skin: its middle is this far over its joint, in arm lengths. */
const HEAD_MIDDLE = 0.15;

function partsOf(
  rig: Rig,
  roles: RoleJoints,
  model: ModelPose,
  skinned: boolean,
): { parts: Partial<Record<PartName, Part>>; arm: number } | null {
  const at = (role: Role): Place | null => {
    const joint = roles[role];
    return joint === undefined ? null : { joint, x: 0, y: 0, z: 0 };
  };
  const distance = (a: Place | null, b: Place | null) => {
    if (!a || !b) return 0;
    const [i, j] = [16 * a.joint + 12, 16 * b.joint + 12];
    const m = model.matrices;
    return Math.hypot(m[i]! - m[j]!, m[i + 1]! - m[j + 1]!, m[i + 2]! - m[j + 2]!);
  };
  const lengths: number[] = [];
  const parts: Partial<Record<PartName, Part>> = {};
  for (const side of ['left', 'right'] as const) {
    const [upper, lower, hand] = [at(`${side}UpperArm`), at(`${side}LowerArm`), at(`${side}Hand`)];
    if (!upper || !lower || !hand) continue;
    lengths.push(distance(upper, lower) + distance(lower, hand));
    const tip = at(`${side}MiddleProximal`) ?? hand;
    parts[`${side}Hand`] = { from: hand, to: tip, radius: skinned ? radiusOf(rig, model, hand.joint, 0) : 0 };
    parts[`${side}Forearm`] = {
      from: lower,
      to: hand,
      radius: skinned ? radiusOf(rig, model, lower.joint, 0) : 0,
    };
    parts[`${side}UpperArm`] = {
      from: upper,
      to: lower,
      radius: skinned ? radiusOf(rig, model, upper.joint, 0) : 0,
    };
  }
  if (lengths.length === 0) return null;
  const arm = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  if (!(arm > 0)) return null;
  const head = at('head');
  if (head) {
    const middle = placeAbove(model, head.joint, HEAD_MIDDLE * arm);
    parts.head = { from: middle, to: middle, radius: skinned ? radiusOf(rig, model, head.joint, 1) : 0 };
  }
  const [left, right, hips] = [at('leftUpperLeg'), at('rightUpperLeg'), at('hips')];
  if (left && right)
    parts.hips = { from: left, to: right, radius: skinned && hips ? radiusOf(rig, model, hips.joint, 0) : 0 };
  return { parts, arm };
}

const axis = new Float64Array(3);
const q = new Float64Array(4);

/** A place straight over a joint in the reference pose, that turns with it. */
function placeAbove(model: ModelPose, joint: number, height: number): Place {
  axis[0] = 0;
  axis[1] = height;
  axis[2] = 0;
  conjugateQuaternion(q, 0, model.rotations, 4 * joint);
  rotateVector(axis, 0, q, 0, axis, 0);
  return { joint, x: axis[0]!, y: axis[1]!, z: axis[2]! };
}

/** Half the extent of a joint's skin: the smallest (`rank` 0) or the middle one (1) of three; 0 where it has none. */
function radiusOf(rig: Rig, model: ModelPose, joint: number, rank: 0 | 1): number {
  const hull = rig.skeleton.hulls?.[joint];
  if (!hull || hull.length < 12) return 0;
  const place = new Float64Array(3);
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((value) => -value);
  for (let i = 0; i < hull.length; i += 3) {
    transformPoint(place, 0, model.matrices, 16 * joint, hull, i);
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c]!, place[c]!);
      high[c] = Math.max(high[c]!, place[c]!);
    }
  }
  return high.map((value, c) => value - low[c]!).sort((a, b) => a - b)[rank]! / 2;
}

const ends = new Float64Array(12);

/** The distance between the surfaces of two parts at an instant, metres; negative where they overlap. */
function distanceOf(motion: SampledMotion, a: Part, b: Part, k: number): number {
  placeOf(ends, 0, motion, a.from, k);
  placeOf(ends, 3, motion, a.to, k);
  placeOf(ends, 6, motion, b.from, k);
  placeOf(ends, 9, motion, b.to, k);
  return segmentDistance(ends) - a.radius - b.radius;
}

function placeOf(out: Float64Array, o: number, motion: SampledMotion, place: Place, k: number): void {
  const i = motion.joints * k + place.joint;
  for (let c = 0; c < 4; c++) q[c] = motion.rotations[4 * i + c]!;
  axis[0] = place.x;
  axis[1] = place.y;
  axis[2] = place.z;
  rotateVector(axis, 0, q, 0, axis, 0);
  for (let c = 0; c < 3; c++) out[o + c] = motion.positions[3 * i + c]! + axis[c]!;
}

/**
 * The distance of two line segments P + s·u and Q + t·v, four places in a row: with w = P − Q the square of it
 * is least where its slopes along s and t vanish; s is held to 0 … 1, then t, then s again for that t.
 */
function segmentDistance(p: Float64Array): number {
  const ux = p[3]! - p[0]!;
  const uy = p[4]! - p[1]!;
  const uz = p[5]! - p[2]!;
  const vx = p[9]! - p[6]!;
  const vy = p[10]! - p[7]!;
  const vz = p[11]! - p[8]!;
  const wx = p[0]! - p[6]!;
  const wy = p[1]! - p[7]!;
  const wz = p[2]! - p[8]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const parallel = uu * vv - uv * uv;
  let s = parallel > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / parallel) : 0;
  const t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
  s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
  return Math.hypot(wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz);
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
