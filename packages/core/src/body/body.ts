import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  meanVector,
  rejectVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import type { Pose } from '../scene/pose.js';
import { createModelPose, localToModel } from '../scene/pose.js';
import { JOINT, type Skeleton } from '../scene/skeleton.js';
import { LIMB_ROLES, mirrorRole, REQUIRED_ROLES, ROLES, type Role, sideOf } from './roles.js';

/** The joint that plays each role found. */
export type RoleJoints = Partial<Record<Role, number>>;

/** Where the joints of a pose are, in the space of the skeleton's container. */
export type BodyPose = { positions: Vec3[]; joints: RoleJoints };

/** Room for one body: understanding a rig looks at hundreds of poses. */
let model = createModelPose(0);

/** The joint positions of a pose. */
export function bodyPoseOf(skeleton: Skeleton, pose: Pose, joints: RoleJoints): BodyPose {
  if (model.matrices.length !== 16 * skeleton.names.length) model = createModelPose(skeleton.names.length);
  localToModel(model, skeleton, pose);
  return {
    positions: skeleton.names.map((_, i) => vectorAt(model.matrices, 16 * i + 12)),
    joints,
  };
}

/** Where a role's joint is, or null. */
export function positionOf(body: BodyPose, role: Role): Vec3 | null {
  const joint = body.joints[role];
  return joint === undefined ? null : body.positions[joint]!;
}

/** The vector from one role's joint to another's, or null where one is missing. */
export function betweenRoles(body: BodyPose, from: Role, to: Role): Vec3 | null {
  const a = positionOf(body, from);
  const b = positionOf(body, to);
  return a && b ? subtractVectors(b, a) : null;
}

function meanOf(body: BodyPose, roles: readonly Role[]): Vec3 | null {
  return meanVector(roles.map((role) => positionOf(body, role)).filter((p) => p !== null));
}

const HEAD_ROLES: readonly Role[] = ['head', 'neck', 'upperChest', 'chest', 'spine'];

/** The way from the hips to the highest known part of torso and head; null where the roles are missing. */
export function torsoVector(body: BodyPose): Vec3 | null {
  const hips = positionOf(body, 'hips');
  const arms = meanOf(body, ['leftUpperArm', 'rightUpperArm']);
  const top = arms ?? HEAD_ROLES.map((role) => positionOf(body, role)).find((p) => p !== null);
  return hips && top ? subtractVectors(top, hips) : null;
}

/** The way from the feet to the hip joints; null where the roles are missing. */
export function legsVector(body: BodyPose): Vec3 | null {
  const top = meanOf(body, ['leftUpperLeg', 'rightUpperLeg']) ?? positionOf(body, 'hips');
  const feet =
    meanOf(body, ['leftFoot', 'rightFoot']) ??
    meanOf(body, ['leftToes', 'rightToes']) ??
    meanOf(body, ['leftLowerLeg', 'rightLowerLeg']);
  return top && feet ? subtractVectors(top, feet) : null;
}

/** From the character's right to its left, by hip joints and shoulders; null where neither pair is known. */
export function lateralVector(body: BodyPose): Vec3 | null {
  let sum: Vec3 = [0, 0, 0];
  let found = false;
  for (const role of ['UpperLeg', 'UpperArm'] as const) {
    const across = betweenRoles(body, `right${role}`, `left${role}`);
    if (across && vectorLength(across) > 1e-9) {
      sum = addVectors(sum, across);
      found = true;
    }
  }
  if (found) return directionOf(sum);
  for (const role of ROLES) {
    if (sideOf(role) !== 'left') continue;
    const across = betweenRoles(body, mirrorRole(role), role);
    if (across && vectorLength(across) > 1e-9) return directionOf(across);
  }
  return null;
}

/**
 * Lowest to highest joint along `up`. Where the hips are known, cameras, lights and props that stand beside the body
 * are no part of it: files hold them metres away, and they may be animated too.
 */
export function bodyExtent(
  { parents }: Pick<Skeleton, 'parents'>,
  body: BodyPose,
  up: Readonly<Vec3>,
): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const isOwn = ownJoints(parents, body.joints);
  body.positions.forEach((position, joint) => {
    const height = dotVectors(position, up);
    if (!isOwn[joint] || !Number.isFinite(height)) return;
    low = Math.min(low, height);
    high = Math.max(high, height);
  });
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

/** Per joint whether it hangs with the body: below a body part, or above the hips. All do without hips. */
function ownJoints(parents: ArrayLike<number>, joints: RoleJoints): boolean[] {
  const isOwn = Array.from(parents, () => joints.hips === undefined);
  // Feet may hang beside the hips, as roots of their own.
  for (const joint of Object.values(joints)) isOwn[joint] = true;
  for (let joint = 0; joint < parents.length; joint++) isOwn[joint] ||= isOwn[parents[joint]!] === true;
  for (let at = joints.hips ?? -1; at >= 0; at = parents[at]!) isOwn[at] = true;
  return isOwn;
}

/** How much a pose looks like a body that stands, for choosing a reference pose. */
export type Stance = {
  /** Whether torso and legs are known and point the same way, up. */
  upright: boolean;
  /** Mean distance of left joints from their mirrored right partners, over the body's size. */
  asymmetry: number;
  /** The largest angle of an upper arm against the horizontal, in radians; null without arms. */
  armSlope: number | null;
  /** How far the higher upper arm is raised over the horizontal, in radians; negative where it hangs. */
  armRaise: number;
  /** The largest bend of elbows and knees in radians. */
  bend: number;
  /** How differently left and right knees bend and left and right feet are tilted, the larger, in radians. */
  step: number;
};

/** Judges a pose. `up` is a unit vector in the pose's space. */
export function judgeStance(body: BodyPose, up: Readonly<Vec3>): Stance {
  const torso = torsoVector(body);
  const legs = legsVector(body);
  const size = bodySize(body) || 1;
  // 37 degrees: a sprinter's lean is a body, a lying or folded one is not.
  const alongUp = (v: Vec3 | null) => v === null || dotVectors(directionOf(v) ?? [0, 0, 0], up) > 0.8;
  const upright = (torso !== null || legs !== null) && alongUp(torso) && alongUp(legs);
  let armSlope: number | null = null;
  let armRaise = -Math.PI / 2;
  let bend = 0;
  for (const side of ['left', 'right'] as const) {
    const arm = betweenRoles(body, `${side}UpperArm`, `${side}LowerArm`);
    if (arm) {
      const raise = Math.PI / 2 - vectorAngle(arm, up);
      armSlope = Math.max(armSlope ?? 0, Math.abs(raise));
      armRaise = Math.max(armRaise, raise);
    }
    bend = Math.max(bend, limbBend(body, `${side}UpperArm`, `${side}LowerArm`, `${side}Hand`) ?? 0);
    bend = Math.max(bend, limbBend(body, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`) ?? 0);
  }
  return { upright, asymmetry: asymmetryOf(body, size), armSlope, armRaise, bend, step: stepOf(body, up) };
}

function stepOf(body: BodyPose, up: Readonly<Vec3>): number {
  const difference = (of: (side: 'left' | 'right') => number | null) => {
    const [left, right] = [of('left'), of('right')];
    return left === null || right === null ? 0 : Math.abs(left - right);
  };
  const knees = difference((side) => limbBend(body, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`));
  const feet = difference((side) => {
    const toes = betweenRoles(body, `${side}Foot`, `${side}Toes`);
    return toes && directionOf(toes) ? vectorAngle(toes, up) : null;
  });
  return Math.max(knees, feet);
}

/** The angle in radians by which a two-bone limb is bent; null where a joint is missing or coincides. */
export function limbBend(body: BodyPose, root: Role, middle: Role, end: Role): number | null {
  const first = betweenRoles(body, root, middle);
  const second = betweenRoles(body, middle, end);
  if (!first || !second || !directionOf(first) || !directionOf(second)) return null;
  return vectorAngle(first, second);
}

/** Every role of the left with its partner on the right. */
const SIDE_PAIRS = ROLES.flatMap((role) =>
  sideOf(role) === 'left' ? [[role, mirrorRole(role)] as const] : [],
);

function asymmetryOf({ joints, positions }: BodyPose, size: number): number {
  const lateral = lateralVector({ joints, positions });
  if (!lateral) return 0;
  // Asked of hundreds of poses: places go into one list, left and right in turn.
  const places: Vec3[] = [];
  for (const [left, right] of SIDE_PAIRS) {
    const [a, b] = [joints[left], joints[right]];
    if (a !== undefined && b !== undefined) places.push(positions[a]!, positions[b]!);
  }
  if (places.length === 0) return 0;
  const [lx, ly, lz] = lateral;
  const count = places.length;
  let middle = 0;
  for (const [x, y, z] of places) middle += (x * lx + y * ly + z * lz) / count;
  let sum = 0;
  for (let n = 0; n < count; n += 2) {
    const [x, y, z] = places[n]!;
    const [rx, ry, rz] = places[n + 1]!;
    const offset = 2 * (x * lx + y * ly + z * lz - middle);
    const dx = x - offset * lx - rx;
    const dy = y - offset * ly - ry;
    const dz = z - offset * lz - rz;
    sum += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return sum / (count / 2) / size;
}

/** A length that does not depend on the pose's orientation: the sum of legs and torso, else the spread of all joints. */
export function bodySize(body: BodyPose): number {
  const torso = torsoVector(body);
  const legs = legsVector(body);
  const known = (torso ? vectorLength(torso) : 0) + (legs ? vectorLength(legs) : 0);
  if (known > 0) return known;
  const centre = meanVector(body.positions);
  if (!centre) return 0;
  return 2 * Math.max(...body.positions.map((p) => vectorLength(subtractVectors(p, centre))));
}

/** Which way the toes point, square to `up`, by both feet; null where they say nothing clear. */
export function toesDirection(body: BodyPose, up: Readonly<Vec3>): Vec3 | null {
  const feet: Vec3[] = [];
  for (const side of ['left', 'right'] as const) {
    const toes = betweenRoles(body, `${side}Foot`, `${side}Toes`);
    const flat = toes && rejectVector(toes, up);
    const direction = flat && vectorLength(flat) > 0.3 * vectorLength(toes) ? directionOf(flat) : null;
    if (direction) feet.push(direction);
  }
  if (feet.length < 2 || dotVectors(feet[0]!, feet[1]!) < 0) return null;
  return directionOf(meanVector(feet)!);
}

/** The facing that left and right imply: with +Y up and +Z forward the left is +X, so forward = left × up. */
export function facingOf(body: BodyPose, up: Readonly<Vec3>): Vec3 | null {
  const lateral = lateralVector(body);
  return lateral && directionOf(crossVectors(lateral, up));
}

/** Whether enough of the required roles are known to speak of a humanoid. */
export function isHumanoid(joints: RoleJoints): boolean {
  return REQUIRED_ROLES.every((role) => joints[role] !== undefined);
}

/** The torso joints above the hips up to the one that carries arms and neck, parents first; plain nodes left out. */
export function torsoChain(skeleton: Skeleton, joints: RoleJoints): number[] {
  const top = LIMB_ROLES.torso
    .slice(1)
    .reverse()
    .map((role) => joints[role])
    .find((joint) => joint !== undefined);
  return top === undefined || joints.hips === undefined ? [] : pathBetween(skeleton, joints.hips, top, true);
}

/** The neck joints between the torso and the head, parents first, the head not included. */
export function neckChain(skeleton: Skeleton, joints: RoleJoints): number[] {
  const torso = torsoChain(skeleton, joints);
  const from = torso[torso.length - 1] ?? joints.hips;
  if (from === undefined || joints.head === undefined) return joints.neck === undefined ? [] : [joints.neck];
  return pathBetween(skeleton, from, joints.head, false);
}

/** The joints below `from` on the way to `to`; empty where `to` is not below `from`. */
function pathBetween(skeleton: Skeleton, from: number, to: number, includeEnd: boolean): number[] {
  const path: number[] = [];
  for (let at = to; at !== from; at = skeleton.parents[at]!) {
    if (at < 0) return [];
    if ((at !== to || includeEnd) && (skeleton.flags[at]! & JOINT) !== 0) path.push(at);
  }
  return path.reverse();
}
