import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../../base/math/quaternion.js';
import { fadeOut } from '../../base/math/smooth-curves.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { BodyPoint } from '../../contacts/body-points.js';
import type { BodySurface } from '../../contacts/body-surfaces.js';
import { RESTING_PARTS } from '../../contacts/contact-rules.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { SampledMotion } from '../sampled-motion.js';

/** A foot lies on its instep from where its sole looks up by so much, as a cosine; half way to it the half. */
const SOLE_UP = 0.3;
/** Hands go by their skin where that is this near to the floor, in hip heights, and by their knuckles from as much more on. */
const SKIN_NEAR = 0.05;
const SKIN_FADES = 0.1;

/** A body with the points and outsides that are looked at. */
type LyingBody = {
  rig: Rig;
  joints: RoleJoints;
  points: readonly BodyPoint[];
  hipHeight: number;
  surfaces: readonly BodySurface[];
};

/**
 * The places of a body's points as contacts are measured by them: hands, and balls of feet that lie on their insteps, are
 * as high over where they stand as their skin is over the floor. How high a ball stands is how thick the foot is below
 * it; with its sole up the instep lies between it and the floor, and how thick a palm is no reference pose tells. Of a
 * body without skin an instep is read as flesh, as all that lies is; its hands are found by what they carry.
 * @param places xyz per point per instant; given back where nothing is otherwise.
 */
export function placesByOutside(places: Float64Array, body: LyingBody, motion: SampledMotion): Float64Array {
  let out = places;
  const { rig, joints: roles, points, hipHeight, surfaces } = body;
  const rest = modelPoseOf(rig.skeleton, rig.reference.pose).rotations;
  const { count, surfaceHeights } = motion;
  for (const side of ['left', 'right'] as const)
    for (const end of ['Foot', 'Hand'] as const) {
      const joint = roles[`${side}${end}`];
      const n = points.findIndex(({ name }) => name === `${side}${end === 'Foot' ? 'Toe' : 'Hand'}`);
      const s = surfaces.findIndex(({ name }) => name === `${side}${end}`);
      if (joint === undefined || n < 0 || s < 0) continue;
      const { isSkin } = surfaces[s]!;
      if (end === 'Hand' && !isSkin) continue;
      const level = rig.floor.height + hipHeight * points[n]!.standing;
      for (let k = 0; k < count; k++) {
        const i = 3 * (points.length * k + n) + 1;
        const height = (places[i]! - level) / hipHeight;
        const skin = surfaceHeights[surfaces.length * k + s]! / hipHeight;
        const share =
          end === 'Hand'
            ? fadeOut((Math.abs(skin) - SKIN_NEAR) / SKIN_FADES)
            : 1 - fadeOut(-soleUp(rest, motion, joint, k) / SOLE_UP);
        if (!(share > 0)) continue;
        if (out === places) out = places.slice();
        out[i] = level + hipHeight * (height + share * ((isSkin ? skin : asFlesh(height)) - height));
      }
    }
  return out;
}

const turn = new Float64Array(4);
const unturn = new Float64Array(4);
const now = new Float64Array(4);
const up = new Float64Array(3);

/** How far up the back of a foot looks, as the cosine: 1 as it stands, −1 where its sole looks straight up. */
function soleUp(rest: Float64Array, { joints, rotations }: SampledMotion, foot: number, k: number): number {
  for (let c = 0; c < 4; c++) {
    unturn[c] = rest[4 * foot + c]!;
    now[c] = rotations[4 * (joints * k + foot) + c]!;
  }
  conjugateQuaternion(unturn, 0, unturn, 0);
  multiplyQuaternions(turn, 0, now, 0, unturn, 0);
  up.set([0, 1, 0]);
  rotateVector(up, 0, turn, 0, up, 0);
  return up[1]!;
}

/** The height of what is as thick as flesh may be: it lies wherever it is as low as that. */
function asFlesh(height: number): number {
  const { height: low, deepest } = RESTING_PARTS;
  return height > low ? height - low : height < -deepest ? height + deepest : 0;
}
