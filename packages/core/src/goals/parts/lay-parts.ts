import { atan2 } from '../../base/math/functions.js';
import { multiplyQuaternions, quaternionFromAxisAngle } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import type { RoleJoints } from '../../body/body.js';
import type { Role } from '../../body/roles.js';
import { type BodySurface, lowestOfSurface, type SurfaceName } from '../../contacts/body-surfaces.js';
import { forwardJoints } from '../../scene/forward-joints.js';
import type { ModelPose, Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { turnJoint } from '../../solvers/turn-joint.js';

/** A joint that is turned for a part beyond it to lie on the floor. */
export type LaidPart = {
  joint: number;
  /** The joint below the part, which keeps its turn: a forearm goes on as it points; −1 for back and head. */
  below: number;
  /** The number of the part in `GoalSetup.surfaces`. */
  surface: number;
  /** How far the joint may be turned: radians. */
  most: number;
  /** Whether the part is turned out of the floor as well, though it need not lie there: back and head. */
  isTrunk: boolean;
};

const DEGREES = Math.PI / 180;

/** Which joint is turned for which part, and how far at most, in the order in which they hang on each other. */
type LayingRule = { part: SurfaceName; joints: readonly Role[]; below?: Role; most: number };

/** The rules by which joints are turned for parts; made when they are asked for, since few bodies lie. */
function layingRules(): LayingRule[] {
  return [
    { part: 'back', joints: ['spine', 'chest'], most: 12 * DEGREES },
    { part: 'head', joints: ['neck', 'head'], most: 30 * DEGREES },
    ...(['left', 'right'] as const).flatMap((side) => [
      {
        part: `${side}Elbow` as const,
        joints: [`${side}UpperArm` as const],
        below: `${side}LowerArm` as const,
        most: 40 * DEGREES,
      },
      {
        part: `${side}Knee` as const,
        joints: [`${side}UpperLeg` as const],
        below: `${side}LowerLeg` as const,
        most: 20 * DEGREES,
      },
    ]),
  ];
}

/** Finds the joints that are turned for parts to lie on the floor. */
export function laidParts(surfaces: readonly { surface: BodySurface }[], joints: RoleJoints): LaidPart[] {
  return layingRules().flatMap(({ part, joints: roles, below, most }): LaidPart[] => {
    const surface = surfaces.findIndex((each) => each.surface.name === part);
    const role = roles.find((each) => joints[each] !== undefined);
    if (surface < 0 || role === undefined) return [];
    const next = below === undefined ? -1 : (joints[below] ?? -1);
    return [
      { joint: joints[role]!, below: next, surface, most, isTrunk: part === 'back' || part === 'head' },
    ];
  });
}

/** Places nearer than this to the joint, in hip heights along the floor, count the less: turning hardly moves them. */
const SHORTEST_LEVER = 0.15;

/** How often a part is looked at again: what turning moves along is the less, the lower the part is. */
const LAY_ROUNDS = 2;

const found = new Float64Array(1);
const axis = new Float64Array(3);
const turn = new Float64Array(4);
const whole = new Float64Array(4);
const lowest = new Float64Array(3);
const level = new Float64Array(2);

/** A body whose parts can be laid on the floor: what is needed of `GoalSetup`. */
export type LaidBody = {
  surfaces: readonly { surface: BodySurface }[];
  laid: readonly LaidPart[];
  targetJoints: Int32Array;
  hipHeight: number;
};

/**
 * Turns spine, neck, upper arms and thighs of a body that lies so that back, head, elbows and knees lie on the same floor
 * as its seat: bodies of another shape lie on their heads, or with their elbows in the air. By the angle under which the
 * lowest place of the part is seen from the joint over that floor, about the level axis square to the way there.
 * @param lays Written: what each joint was turned by, a rotation vector in model space.
 * @param rests Per surface how much it rests, 0 to 1.
 */
export function layParts(
  pose: Pose,
  model: ModelPose,
  skeleton: Skeleton,
  body: LaidBody,
  lays: Float64Array,
  rests: Float64Array,
): void {
  const { surfaces, laid, hipHeight } = body;
  lays.fill(0);
  readLevel(surfaces, rests, model.matrices);
  if (!(level[1]! > 0)) return;
  for (let n = 0; n < laid.length; n++) {
    const { joint, surface, most, isTrunk } = laid[n]!;
    const rest = rests[surface]! * level[1]!;
    let left = most;
    for (let round = 0; round < LAY_ROUNDS && (isTrunk || rest > 0); round++) {
      findLowest(
        surfaces[surface]!.surface,
        model.matrices,
        surfaces[surface]!.surface.name === 'back' ? joint : -1,
      );
      const gap = found[0]! - level[0]!;
      const share = isTrunk && gap < 0 ? level[1]! : rest;
      const x = lowest[0]! - model.matrices[16 * joint + 12]!;
      const z = lowest[2]! - model.matrices[16 * joint + 14]!;
      const way = Math.sqrt(x * x + z * z);
      const lever = Math.min(1, way / (SHORTEST_LEVER * hipHeight));
      const angle = lever * share * Math.max(-left, Math.min(left, atan2(gap, way)));
      if (!(Math.abs(angle) > 1e-6 && way > 1e-9)) break;
      left -= Math.abs(angle);
      // About the level axis square to the way, what is there goes down.
      axis[0] = z / way;
      axis[2] = -x / way;
      quaternionFromAxisAngle(turn, 0, axis, 0, angle);
      if (round === 0) whole.set(turn);
      else multiplyQuaternions(whole, 0, turn, 0, whole, 0);
      turnPart(pose, model, skeleton, body, n);
    }
    if (left < most) vectorOfQuaternion(lays, 3 * n, whole);
  }
}

/**
 * Turns the joints of parts that lie as they were found to be turned, see {@link layParts}.
 * @returns Whether any was.
 */
export function turnParts(
  pose: Pose,
  model: ModelPose,
  skeleton: Skeleton,
  body: LaidBody,
  lays: Float64Array,
): boolean {
  let isTurned = false;
  for (let n = 0; n < body.laid.length; n++) {
    if (lays[3 * n] === 0 && lays[3 * n + 1] === 0 && lays[3 * n + 2] === 0) continue;
    quaternionOfVector(turn, 0, lays, 3 * n);
    turnPart(pose, model, skeleton, body, n);
    isTurned = true;
  }
  return isTurned;
}

function turnPart(
  pose: Pose,
  model: ModelPose,
  skeleton: Skeleton,
  { laid, targetJoints }: LaidBody,
  n: number,
): void {
  const { joint, below } = laid[n]!;
  const { parents } = skeleton;
  turnJoint(pose.rotations, 4 * joint, model.rotations, 4 * parents[joint]!, null, turn);
  if (below >= 0) turnJoint(pose.rotations, 4 * below, model.rotations, 4 * parents[below]!, turn, null);
  forwardJoints(model, skeleton, pose, targetJoints);
}

/** How much each part of the trunk says how high the floor is: the seat first, then the back, then the head. */
const TRUNK: readonly SurfaceName[] = ['seat', 'back', 'head'];

/** level = the height of what the trunk lies on, and how much the trunk lies, 0 to 1. */
function readLevel(
  surfaces: readonly { surface: BodySurface }[],
  rests: Float64Array,
  matrices: Float64Array,
): void {
  let [sum, weight, left] = [0, 0, 1];
  for (let t = 0; t < TRUNK.length; t++)
    for (let n = 0; n < surfaces.length; n++) {
      const { surface } = surfaces[n]!;
      if (surface.name !== TRUNK[t] || !(rests[n]! > 0)) continue;
      lowestOfSurface(found, 0, surface, matrices);
      sum += left * rests[n]! * found[0]!;
      weight += left * rests[n]!;
      left *= 1 - rests[n]!;
    }
  level[0] = weight > 0 ? sum / weight : 0;
  level[1] = Math.min(1, weight);
}

/**
 * found, lowest = the lowest height of a surface, and where on it that is; model space.
 * @param without A joint whose own skin does not count, where there is other: it lies about what is turned.
 */
function findLowest(
  { joints, places, thickness }: BodySurface,
  matrices: Float64Array,
  without: number,
): void {
  found[0] = Number.POSITIVE_INFINITY;
  for (let n = 0; n < joints.length; n++) {
    if (joints[n] === without && joints.length > 1) continue;
    const m = 16 * joints[n]!;
    const skin = places[n]!;
    for (let i = 0; i < skin.length; i += 3) {
      const height =
        matrices[m + 1]! * skin[i]! +
        matrices[m + 5]! * skin[i + 1]! +
        matrices[m + 9]! * skin[i + 2]! +
        matrices[m + 13]! -
        thickness;
      if (height >= found[0]!) continue;
      found[0] = height;
      for (let c = 0; c < 3; c++)
        lowest[c] =
          matrices[m + c]! * skin[i]! +
          matrices[m + 4 + c]! * skin[i + 1]! +
          matrices[m + 8 + c]! * skin[i + 2]! +
          matrices[m + 12 + c]!;
    }
  }
}
