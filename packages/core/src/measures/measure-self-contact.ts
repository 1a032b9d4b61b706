import { transformPoint } from '../base/math/matrix.js';
import { conjugateQuaternion, rotateVector } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import { findTouchParts, TOUCH_PAIRS, type TouchPart } from '../goals/parts/touch-setup.js';
import { type ModelPose, modelPoseOf } from '../scene/pose.js';
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
const NEAR_PAIR = 1 / 3;

/** A thick line between two joints, or places that move with them. */
type PlacedPart = {
  joints: readonly [number, number];
  /** From the joints, turning with them, in metres: xyz, xyz. */
  offsets: Float64Array;
  radius: number;
};

/**
 * Measures self-contact of hands with each other, the head, the hips and the other arm: the difference of the
 * distances between surfaces, of skins where they are known and of bodies as thick as most are elsewhere. Null without
 * arms, or where nothing comes near.
 */
export function measureSelfContact({
  source,
  result,
  copied,
  setup,
  count,
}: Comparison): SelfContactMeasure | null {
  const reference = modelPoseOf(setup.source.skeleton, setup.source.reference.pose);
  const bodies = findTouchParts(
    setup.source,
    setup.target,
    { source: source.roles, target: result.roles },
    reference,
    setup.alignment.model,
  );
  if (!bodies) return null;
  const { source: from, target: to } = bodies;
  const sourceParts = from.parts.map((part) => part && placePart(part, reference));
  const parts = to.parts.map((part) => part && placePart(part, setup.alignment.model));
  const errors: number[] = [];
  const plain: number[] = [];
  for (const [a, b] of TOUCH_PAIRS) {
    const [s0, s1, t0, t1] = [sourceParts[a], sourceParts[b], parts[a], parts[b]];
    if (!s0 || !s1 || !t0 || !t1) continue;
    didWork(10 * count);
    for (let k = 0; k < count; k++) {
      const wanted = distanceOf(source, s0, s1, k) / from.arm;
      if (!(wanted < NEAR_PAIR)) continue;
      errors.push(Math.abs(distanceOf(result, t0, t1, k) / to.arm - wanted));
      if (copied) plain.push(Math.abs(distanceOf(copied, t0, t1, k) / to.arm - wanted));
    }
  }
  const summary = summarise(errors, 100);
  return summary && { result: summary, copied: summarise(plain, 100) };
}

const turn = new Float64Array(4);

/** A part as it moves with joints of which places and turns are known, but no scales. */
function placePart({ joints, places, radius }: TouchPart, { matrices, rotations }: ModelPose): PlacedPart {
  const offsets = new Float64Array(6);
  joints.forEach((joint, e) => {
    transformPoint(offsets, 3 * e, matrices, 16 * joint, places, 3 * e);
    for (let c = 0; c < 3; c++) offsets[3 * e + c]! -= matrices[16 * joint + 12 + c]!;
    conjugateQuaternion(turn, 0, rotations, 4 * joint);
    rotateVector(offsets, 3 * e, turn, 0, offsets, 3 * e);
  });
  return { joints, offsets, radius };
}

const ends = new Float64Array(12);

/** The distance between the surfaces of two parts at an instant, metres; negative where they overlap. */
function distanceOf(motion: SampledMotion, a: PlacedPart, b: PlacedPart, k: number): number {
  for (let e = 0; e < 2; e++) {
    placeOf(ends, 3 * e, motion, a, e, k);
    placeOf(ends, 6 + 3 * e, motion, b, e, k);
  }
  return segmentDistance(ends) - a.radius - b.radius;
}

/** out = where an end of a part is at an instant. */
function placeOf(
  out: Float64Array,
  o: number,
  motion: SampledMotion,
  { joints, offsets }: PlacedPart,
  end: number,
  k: number,
): void {
  const i = motion.joints * k + joints[end]!;
  for (let c = 0; c < 4; c++) turn[c] = motion.rotations[4 * i + c]!;
  rotateVector(out, o, turn, 0, offsets, 3 * end);
  for (let c = 0; c < 3; c++) out[o + c] = motion.positions[3 * i + c]! + out[o + c]!;
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
