import { cos, hypot, sin } from '../../../base/math/functions.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateVector,
} from '../../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import {
  createModelPose,
  localToModel,
  type ModelPose,
  type Pose,
  rotationOfMatrix,
} from '../../../scene/pose.js';
import type { Skeleton } from '../../../scene/skeleton.js';
import { type LimitedJoint, projectAxedLimit } from '../../../solvers/joint-limits.js';

/** Which joints of a skeleton a solve may move, and how willingly: plain data. */
export type BodyPlan = {
  skeleton: Skeleton;
  /** The joints that a solve moves or looks at, parents first. */
  joints: Int32Array;
  /** Where each one's nearest joint above stands in that list; −1 for none. */
  parents: Int32Array;
  /** How willingly each turns; 0 for not at all. */
  weights: Float64Array;
  /** Where the joint stands in the list that carries the body through space; −1 where nothing is moved. */
  hips: number;
  /** How willingly the body is moved: the weight of its place, in heights. */
  placeWeight: number;
  /** Metres that count as one: the height of the body. */
  height: number;
  limits: LimitedJoint[];
  /** Per joint whether it is of the trunk, which limbs hang on. */
  trunk: Uint8Array;
  /**
   * How a body that is pressed gives in, as people do: hips back, knees ahead, trunk bent over. Turns in radians, each
   * about an axis in the joint's own axes, and the hips' way in theirs, in heights; none if left out.
   */
  stoop?: { joints: Int32Array; turns: Float64Array; place: Float64Array };
};

/**
 * A body while it is solved: the joints of a {@link BodyPlan} as a tree of rigid bones in model space, lengths in
 * heights of the body. Nodes between two joints of the list come along. Turns are counted from the attraction: the
 * pose that {@link loadBody} was given.
 */
export type MovingBody = {
  plan: BodyPlan;
  /** Per joint whether the place of the hips moves it. */
  carried: Uint8Array;
  /** Per joint its limit, or null. */
  limits: (LimitedJoint | null)[];
  /** The whole skeleton in the attraction. */
  model: ModelPose;
  /** From a joint's parent in the tree to it, in the parent's axes; the place itself where there is none. */
  offsets: Float64Array;
  /** Rotations relative to the parent in the tree: of the attraction, and now. */
  home: Float64Array;
  locals: Float64Array;
  /** The way of the hips from the attraction. */
  place: Float64Array;
  /** Where the way of the hips is drawn back to: nowhere, but for `bridgeGaps`. */
  stay: Float64Array;
  /** Model rotations and places, now; see {@link updateBody}. */
  rotations: Float64Array;
  positions: Float64Array;
  /** Directions, in a joint's own axes, that a limit has taken from it: nine numbers a joint, and how many. */
  locks: Float64Array;
  lockCounts: Uint8Array;
  locked: boolean;
};

/** Room for a body. */
export function createMovingBody(plan: BodyPlan): MovingBody {
  const { skeleton, joints, parents, hips } = plan;
  const count = joints.length;
  const carried = new Uint8Array(count);
  for (let i = 0; i < count; i++)
    carried[i] = i === hips || (parents[i]! >= 0 && carried[parents[i]!] === 1) ? 1 : 0;
  return {
    plan,
    carried,
    limits: Array.from(joints, (joint) => plan.limits.find((each) => each.joint === joint) ?? null),
    model: createModelPose(skeleton.names.length),
    offsets: new Float64Array(3 * count),
    home: new Float64Array(4 * count),
    locals: new Float64Array(4 * count),
    place: new Float64Array(3),
    stay: new Float64Array(3),
    rotations: new Float64Array(4 * count),
    positions: new Float64Array(3 * count),
    locks: new Float64Array(9 * count),
    lockCounts: new Uint8Array(count),
    locked: false,
  };
}

const undo = new Float64Array(4);
const turn = new Float64Array(4);
const vector = new Float64Array(3);
const above = new Float64Array(4);
const seen = new Float64Array(4);

/** Takes the attraction into a body, and stands it there. Uniform scales count; bones are rigid from here on. */
export function loadBody(body: MovingBody, pose: Pose): void {
  const { plan, model, offsets, home } = body;
  const { joints, parents, height } = plan;
  localToModel(model, plan.skeleton, pose);
  const { matrices, rotations } = model;
  for (let i = 0; i < joints.length; i++) {
    const m = 16 * joints[i]! + 12;
    const p = parents[i]!;
    if (p < 0) {
      for (let c = 0; c < 3; c++) offsets[3 * i + c] = matrices[m + c]! / height;
      for (let c = 0; c < 4; c++) home[4 * i + c] = rotations[4 * joints[i]! + c]!;
    } else {
      const q = 16 * joints[p]! + 12;
      for (let c = 0; c < 3; c++) vector[c] = (matrices[m + c]! - matrices[q + c]!) / height;
      conjugateQuaternion(undo, 0, rotations, 4 * joints[p]!);
      rotateVector(offsets, 3 * i, undo, 0, vector, 0);
      divideQuaternions(home, 4 * i, rotations, 4 * joints[p]!, rotations, 4 * joints[i]!);
    }
  }
  resetBody(body);
}

/** Stands a body in its attraction again. */
export function resetBody(body: MovingBody): void {
  body.locals.set(body.home);
  body.place.fill(0);
  unlockBody(body);
  updateBody(body);
}

/**
 * Stoops a body a little, from its attraction. A straight body that is pressed together bulges to one side or the other,
 * either as good as the other by its strain, and what tipped the scale from frame to frame was noise. Started from here
 * it gives in the way that people do; where there is one answer only, it is the same from any start.
 */
export function stoopBody(body: MovingBody): void {
  const { plan, locals, rotations, place } = body;
  if (!plan.stoop) return;
  const { joints, turns, place: way } = plan.stoop;
  for (let n = 0; n < joints.length; n++) {
    const i = joints[n]!;
    quaternionOfVector(turn, 0, turns, 3 * n);
    multiplyQuaternions(locals, 4 * i, locals, 4 * i, turn, 0);
  }
  if (plan.hips >= 0) {
    rotateVector(vector, 0, rotations, 4 * plan.hips, way, 0);
    for (let c = 0; c < 3; c++) place[c] = place[c]! + vector[c]!;
  }
  updateBody(body);
}

/** Gives back what limits have taken. */
export function unlockBody(body: MovingBody): void {
  body.lockCounts.fill(0);
  body.locked = false;
}

/** Model rotations and places of the joints, from their local rotations and the place of the hips. */
export function updateBody({ plan, offsets, locals, place, rotations, positions }: MovingBody): void {
  const { parents, hips } = plan;
  for (let i = 0; i < parents.length; i++) {
    const p = parents[i]!;
    if (p < 0) {
      for (let c = 0; c < 3; c++) positions[3 * i + c] = offsets[3 * i + c]!;
      for (let c = 0; c < 4; c++) rotations[4 * i + c] = locals[4 * i + c]!;
    } else {
      rotateVector(positions, 3 * i, rotations, 4 * p, offsets, 3 * i);
      for (let c = 0; c < 3; c++) positions[3 * i + c] = positions[3 * i + c]! + positions[3 * p + c]!;
      multiplyQuaternions(rotations, 4 * i, rotations, 4 * p, locals, 4 * i);
    }
    if (i === hips) for (let c = 0; c < 3; c++) positions[3 * i + c] = positions[3 * i + c]! + place[c]!;
  }
}

/**
 * Moves a body by `share` of a step: three numbers a joint, its turn in model space ω, and three of the hips' way.
 * R′ = exp(ω) · R is L′ = L · exp(R⁻¹ ω) for the local rotation, so that no joint needs to know of the others' turns.
 */
export function moveBody(body: MovingBody, step: Float64Array, share: number): void {
  const { plan, locals, rotations, place } = body;
  const count = plan.joints.length;
  for (let i = 0; i < count; i++) {
    const x = share * step[3 * i]!;
    const y = share * step[3 * i + 1]!;
    const z = share * step[3 * i + 2]!;
    const square = x * x + y * y + z * z;
    if (!(square > 0)) continue;
    const angle = Math.sqrt(square);
    const k = angle > 1e-6 ? sin(angle / 2) / angle : 0.5;
    conjugateQuaternion(undo, 0, rotations, 4 * i);
    vector[0] = k * x;
    vector[1] = k * y;
    vector[2] = k * z;
    rotateVector(turn, 0, undo, 0, vector, 0);
    turn[3] = cos(angle / 2);
    multiplyQuaternions(locals, 4 * i, locals, 4 * i, turn, 0);
    normalizeQuaternion(locals, 4 * i, locals, 4 * i);
  }
  for (let c = 0; c < 3; c++) place[c] = place[c]! + share * step[3 * count + c]!;
  if (plan.limits.length > 0) limitBody(body);
  updateBody(body);
}

/**
 * Brings joints inside their limits. A joint that was outside loses the direction in which it was, until
 * {@link unlockBody}: clamping alone took half as many steps again and failed nine times in a hundred.
 */
function limitBody(body: MovingBody): void {
  const { plan, limits, locals, locks, lockCounts, model } = body;
  const { joints, parents, skeleton } = plan;
  for (let i = 0; i < joints.length; i++) {
    const limit = limits[i];
    if (!limit || plan.weights[i] === 0) continue;
    // Nodes between a joint and its parent in the tree stand on the left of the rotation that the limit speaks of.
    const p = parents[i]!;
    const a = skeleton.parents[joints[i]!]!;
    if (a < 0) rotationOfMatrix(above, 0, skeleton.container, 0);
    else for (let c = 0; c < 4; c++) above[c] = model.rotations[4 * a + c]!;
    if (p >= 0) divideQuaternions(above, 0, model.rotations, 4 * joints[p]!, above, 0);
    divideQuaternions(seen, 0, above, 0, locals, 4 * i);
    if (!(projectAxedLimit(seen, 0, limit.rest, 0, limit.axes, 0, limit.limit) > 1e-9)) continue;
    multiplyQuaternions(seen, 0, above, 0, seen, 0);
    divideQuaternions(turn, 0, seen, 0, locals, 4 * i);
    vectorOfQuaternion(vector, 0, turn);
    for (let c = 0; c < 4; c++) locals[4 * i + c] = seen[c]!;
    lockDirection(locks, 9 * i, lockCounts, i, vector);
    body.locked = true;
  }
}

/** Adds a direction to those taken, as far as it is a new one. */
function lockDirection(locks: Float64Array, o: number, counts: Uint8Array, i: number, v: Float64Array): void {
  const count = counts[i]!;
  const before = hypot(v[0]!, v[1]!, v[2]!);
  for (let n = 0; n < count; n++) {
    const l = o + 3 * n;
    const along = v[0]! * locks[l]! + v[1]! * locks[l + 1]! + v[2]! * locks[l + 2]!;
    for (let c = 0; c < 3; c++) v[c] = v[c]! - along * locks[l + c]!;
  }
  const length = hypot(v[0]!, v[1]!, v[2]!);
  if (count >= 3 || !(length > 0.05 * before) || !(length > 1e-12)) return;
  for (let c = 0; c < 3; c++) locks[o + 3 * count + c] = v[c]! / length;
  counts[i] = count + 1;
}
