import { hypot } from '../base/math/functions.js';
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
  // Where each part is, for all the pairs that it is in: of the target where a pair is near.
  const sources = sourceParts.map((part) => part && followPart(source, part));
  const [results, copies] = [new Map<PlacedPart, Float64Array>(), new Map<PlacedPart, Float64Array>()];
  const placesOf = (known: typeof results, motion: SampledMotion, part: PlacedPart) => {
    const places = known.get(part) ?? followPart(motion, part);
    known.set(part, places);
    return places;
  };
  const errors: number[] = [];
  const plain: number[] = [];
  for (const [a, b] of TOUCH_PAIRS) {
    const [s0, s1, t0, t1] = [sourceParts[a], sourceParts[b], parts[a], parts[b]];
    if (!s0 || !s1 || !t0 || !t1) continue;
    didWork(10 * count);
    const [from0, from1] = [sources[a]!, sources[b]!];
    const near: number[] = [];
    const wanted: number[] = [];
    for (let k = 0; k < count; k++) {
      const distance = (segmentDistance(from0, from1, 6 * k) - s0.radius - s1.radius) / from.arm;
      if (!(distance < NEAR_PAIR)) continue;
      near.push(k);
      wanted.push(distance);
    }
    if (near.length === 0) continue;
    const compare = (errors: number[], places0: Float64Array, places1: Float64Array) => {
      for (let n = 0; n < near.length; n++) {
        const distance = segmentDistance(places0, places1, 6 * near[n]!) - t0.radius - t1.radius;
        errors.push(Math.abs(distance / to.arm - wanted[n]!));
      }
    };
    compare(errors, placesOf(results, result, t0), placesOf(results, result, t1));
    if (copied) compare(plain, placesOf(copies, copied, t0), placesOf(copies, copied, t1));
  }
  const summary = summarise(errors, 100);
  return summary && { result: summary, copied: summarise(plain, 100) };
}

const turn = new Float64Array(4);
const moved = new Float64Array(3);

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

/** Where both ends of a part are at every instant: xyz, xyz. */
function followPart({ count, joints, positions, rotations }: SampledMotion, part: PlacedPart): Float64Array {
  const places = new Float64Array(6 * count);
  for (let e = 0; e < 2; e++) {
    const joint = part.joints[e]!;
    for (let k = 0; k < count; k++) {
      const i = joints * k + joint;
      const o = 6 * k + 3 * e;
      turn[0] = rotations[4 * i]!;
      turn[1] = rotations[4 * i + 1]!;
      turn[2] = rotations[4 * i + 2]!;
      turn[3] = rotations[4 * i + 3]!;
      rotateVector(moved, 0, turn, 0, part.offsets, 3 * e);
      places[o] = positions[3 * i]! + moved[0]!;
      places[o + 1] = positions[3 * i + 1]! + moved[1]!;
      places[o + 2] = positions[3 * i + 2]! + moved[2]!;
    }
  }
  return places;
}

/**
 * The distance of two line segments P + s·u and Q + t·v, each by its ends at `i`: with w = P − Q the square of it is
 * least where its slopes along s and t vanish; s is held to 0 … 1, then t, then s again for that t.
 */
function segmentDistance(p: Float64Array, q: Float64Array, i: number): number {
  const ux = p[i + 3]! - p[i]!;
  const uy = p[i + 4]! - p[i + 1]!;
  const uz = p[i + 5]! - p[i + 2]!;
  const vx = q[i + 3]! - q[i]!;
  const vy = q[i + 4]! - q[i + 1]!;
  const vz = q[i + 5]! - q[i + 2]!;
  const wx = p[i]! - q[i]!;
  const wy = p[i + 1]! - q[i + 1]!;
  const wz = p[i + 2]! - q[i + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const parallel = uu * vv - uv * uv;
  let s = parallel > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / parallel) : 0;
  const t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
  s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
  return hypot(wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz);
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
