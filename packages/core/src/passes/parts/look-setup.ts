import { UsageError } from '../../base/errors.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  rotateVector,
  slerpQuaternions,
} from '../../base/math/quaternion.js';
import type { Rig } from '../../body/rig.js';
import { isRole } from '../../body/roles.js';
import type { LookRule } from '../../options/limb-rules.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { findJoint } from '../../scene/joint-names.js';
import { type ModelPose, modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { EYE_LIMITS, HEAD_LIMITS, type LookLimits, lookAngles, lookTurn } from '../../solvers/look-at.js';
import type { Frame } from '../pass.js';

/** A head or an eye, with what its look is counted from. */
export type Looker = {
  joint: number;
  parent: number;
  /** Its local rotation for a look is before · look · after; see `gazeToEyes`. */
  before: Float64Array;
  after: Float64Array;
  /** From where it looks, seen from the joint, in the axes of the standing body: metres. */
  offset: Float64Array;
  limits: LookLimits;
};

/** A look made ready. */
export type LookSetup = {
  /** The head first, then the eyes. */
  lookers: Looker[];
  /** The joints whose places are needed, with all above them. */
  joints: Int32Array;
  /** The caller's own point; null where a joint is looked at. */
  point: ArrayLike<number> | null;
  target: number;
  speed: number;
  weight: number;
};

/**
 * Makes a look ready; null for a body without a head.
 * @throws UsageError where it is not told what is looked at.
 */
export function resolveLook(target: Rig, rule: LookRule): LookSetup | null {
  const { skeleton, joints, reference } = target;
  const named = rule.joint === undefined ? null : jointOf(target, rule.joint);
  if (named === null && !(rule.point && rule.point.length >= 3))
    throw new UsageError('lookAt needs a point of three numbers, or a joint');
  const model = modelPoseOf(skeleton, reference.pose);
  const head = joints.head;
  if (head === undefined || skeleton.parents[head]! < 0) return null;
  const eyes = [joints.leftEye, joints.rightEye].filter(
    (eye) => eye !== undefined && skeleton.parents[eye]! >= 0,
  ) as number[];
  const lookers = [
    lookerOf(skeleton, model, head, limitsOf(rule.headDegrees, HEAD_LIMITS)),
    ...eyes.map((eye) => lookerOf(skeleton, model, eye, limitsOf(rule.eyeDegrees, EYE_LIMITS))),
  ];
  for (let c = 0; c < 3 && eyes.length > 0; c++)
    lookers[0]!.offset[c] =
      eyes.reduce((sum, eye) => sum + model.matrices[16 * eye + 12 + c]!, 0) / eyes.length -
      model.matrices[16 * head + 12 + c]!;
  return {
    lookers,
    joints: withAncestors(skeleton, [head, ...eyes, ...(named === null ? [] : [named])]),
    point: named === null ? rule.point! : null,
    target: named ?? -1,
    speed: rule.speed ?? 0.1,
    weight: rule.weight ?? 1,
  };
}

function jointOf({ skeleton, joints }: Rig, name: string): number {
  const joint = findJoint(skeleton, name) ?? (isRole(name) ? (joints[name] ?? null) : null);
  if (joint === null)
    throw new UsageError(`lookAt.joint is "${name}", which is no joint or body part of "${skeleton.name}"`);
  return joint;
}

function lookerOf(skeleton: Skeleton, model: ModelPose, joint: number, limits: LookLimits): Looker {
  const parent = skeleton.parents[joint]!;
  const before = new Float64Array(4);
  conjugateQuaternion(before, 0, model.rotations, 4 * parent);
  const after = model.rotations.slice(4 * joint, 4 * joint + 4);
  return { joint, parent, before, after, offset: new Float64Array(3), limits };
}

function limitsOf(degrees: readonly [number, number] | undefined, usual: Readonly<LookLimits>): LookLimits {
  if (!degrees) return usual;
  return { horizontal: (degrees[0] * Math.PI) / 180, vertical: (degrees[1] * Math.PI) / 180 };
}

const frameRotation = new Float64Array(4);
const eye = new Float64Array(3);
const point = new Float64Array(3);
const turn = new Float64Array(4);

/**
 * out = yaw and pitch at which one looker looks at the point, at place 2n. Where it looks from turns with it, so the
 * answer is found twice: the second time from where the first has brought the eyes.
 */
export function aimLooker(
  out: Float64Array,
  frame: Frame,
  look: LookSetup,
  n: number,
  skeleton: Skeleton,
  model: ModelPose,
): void {
  const { joint, parent, before, offset, limits } = look.lookers[n]!;
  forwardJoints(model, skeleton, frame.target, look.joints);
  for (let c = 0; c < 3; c++)
    point[c] = look.point ? look.point[c]! : model.matrices[16 * look.target + 12 + c]!;
  multiplyQuaternions(frameRotation, 0, model.rotations, 4 * parent, before, 0);
  turn.fill(0);
  turn[3] = 1;
  for (let round = 0; round < 2; round++) {
    rotateVector(eye, 0, turn, 0, offset, 0);
    rotateVector(eye, 0, frameRotation, 0, eye, 0);
    for (let c = 0; c < 3; c++) eye[c] = eye[c]! + model.matrices[16 * joint + 12 + c]!;
    lookAngles(out, 2 * n, frameRotation, 0, eye, 0, point, 0, limits);
    lookTurn(turn, 0, out, 2 * n);
  }
}

/** Turns one looker by yaw and pitch, at place 2n, from straight ahead. */
export function turnLooker({ target }: Frame, look: LookSetup, n: number, angles: Float64Array): void {
  const { joint, before, after } = look.lookers[n]!;
  lookTurn(turn, 0, angles, 2 * n);
  multiplyQuaternions(turn, 0, before, 0, turn, 0);
  multiplyQuaternions(turn, 0, turn, 0, after, 0);
  slerpQuaternions(target.rotations, 4 * joint, target.rotations, 4 * joint, turn, 0, look.weight);
}
