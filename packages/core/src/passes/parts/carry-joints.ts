import type { PlacedJoint } from '../../align/align-references.js';
import { createMatrix, invertMatrix, type Mat4, transformPoint } from '../../base/math/matrix.js';
import { multiplyQuaternions, rotateVector } from '../../base/math/quaternion.js';
import { createPath, followPath } from '../../scene/joint-path.js';
import { type Pose, rotationOfMatrix, signRotation } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Frame, Setup } from '../pass.js';

/**
 * Moves joints that hang elsewhere than their body part to where that body part carries them. Every pass that
 * moves the body does it anew, since such joints do not come along by themselves.
 */
export function preparePlacing(setup: Setup, moved: ReadonlySet<number> | null): (frame: Frame) => void {
  const { skeleton } = setup.target;
  const plans = planPlacing(setup, moved);
  return (frame) => {
    for (let n = 0; n < plans.length; n++) placeJoint(frame, plans[n]!, skeleton);
  };
}

/** How one joint is placed. */
export type PlacePlan = {
  joint: number;
  /** From the carrier, in its own axes, metres. */
  offset: Float64Array;
  /** From the topmost joint that may move down to the carrier itself. */
  path: Int32Array;
  /** To model space from what stands still above the path, the container included; and its rotation. */
  above: Mat4;
  aboveRotation: Float64Array;
  /** The joints above the placed one, topmost first. */
  parentPath: Int32Array;
  /** Into their space, where none of them moves. */
  into: Mat4 | null;
};

/**
 * How the joints are placed that hang elsewhere than their body part.
 * @param moved The joints that some pass may move; null where any may be.
 * @param placed Those that are; what the references say if left out.
 */
export function planPlacing(
  setup: Setup,
  moved: ReadonlySet<number> | null,
  placed: readonly PlacedJoint[] = setup.alignment.placed,
): PlacePlan[] {
  const { target, alignment } = setup;
  const { skeleton } = target;
  const isMoved = (joint: number) => moved === null || moved.has(joint);
  return placed.map(({ joint, carrier, offset }): PlacePlan => {
    const whole = Int32Array.from([...createPath(skeleton, carrier), carrier]);
    const first = whole.findIndex(isMoved);
    const still = whole.subarray(0, first < 0 ? whole.length : first);
    const above = createMatrix();
    followPath(above, still, skeleton, alignment.pose);
    const parentPath = createPath(skeleton, joint);
    const into = createMatrix();
    followPath(into, parentPath, skeleton, alignment.pose);
    invertMatrix(into, 0, into, 0);
    return {
      joint,
      offset: Float64Array.from(offset),
      path: whole.subarray(still.length),
      above,
      aboveRotation: rotationOfPath(still, skeleton, alignment.pose),
      parentPath,
      into: parentPath.some(isMoved) ? null : into,
    };
  });
}

function rotationOfPath(path: Int32Array, skeleton: Skeleton, pose: Pose): Float64Array {
  const rotation = new Float64Array(4);
  rotationOfMatrix(rotation, 0, skeleton.container, 0);
  for (const i of path) {
    multiplyQuaternions(rotation, 0, rotation, 0, pose.rotations, 4 * i);
    if (signRotation(signs, 0, pose.scales, 3 * i)) multiplyQuaternions(rotation, 0, rotation, 0, signs, 0);
  }
  return rotation;
}

const matrix = createMatrix();
const point = new Float64Array(3);
const way = new Float64Array(3);
const signs = new Float64Array(4);

/**
 * Goes up the carrier's path with two vectors: where the carrier is, which every joint turns, scales and shifts, and
 * the way from it, which is only turned. Matrices would be multiplied for each joint to transform one point by them.
 */
function placeJoint({ target }: Frame, plan: PlacePlan, skeleton: Skeleton): void {
  const { joint, offset, path, above, aboveRotation, parentPath, into } = plan;
  const { translations, rotations, scales } = target;
  // Written out: as calls on scratch arrays this took twice the time.
  let px = 0;
  let py = 0;
  let pz = 0;
  let vx = offset[0]!;
  let vy = offset[1]!;
  let vz = offset[2]!;
  for (let k = path.length - 1; k >= 0; k--) {
    const i = 3 * path[k]!;
    const r = 4 * path[k]!;
    const sx = scales[i]!;
    const sy = scales[i + 1]!;
    const sz = scales[i + 2]!;
    if (sx < 0 || sy < 0 || sz < 0) {
      // The turn that the signs stand for: a half turn about one axis, or none.
      const isOdd = (sx < 0 !== sy < 0) !== sz < 0;
      const flip = isOdd ? -1 : 1;
      vx *= sx < 0 ? -flip : flip;
      vy *= sy < 0 ? -flip : flip;
      vz *= sz < 0 ? -flip : flip;
    }
    const qx = rotations[r]!;
    const qy = rotations[r + 1]!;
    const qz = rotations[r + 2]!;
    const qw = rotations[r + 3]!;
    // v + 2w(u × v) + 2u × (u × v), with u the vector part of q
    let tx = 2 * (qy * vz - qz * vy);
    let ty = 2 * (qz * vx - qx * vz);
    let tz = 2 * (qx * vy - qy * vx);
    vx += qw * tx + qy * tz - qz * ty;
    vy += qw * ty + qz * tx - qx * tz;
    vz += qw * tz + qx * ty - qy * tx;
    px *= sx;
    py *= sy;
    pz *= sz;
    tx = 2 * (qy * pz - qz * py);
    ty = 2 * (qz * px - qx * pz);
    tz = 2 * (qx * py - qy * px);
    px += qw * tx + qy * tz - qz * ty + translations[i]!;
    py += qw * ty + qz * tx - qx * tz + translations[i + 1]!;
    pz += qw * tz + qx * ty - qy * tx + translations[i + 2]!;
  }
  point[0] = px;
  point[1] = py;
  point[2] = pz;
  way[0] = vx;
  way[1] = vy;
  way[2] = vz;
  transformPoint(point, 0, above, 0, point, 0);
  rotateVector(way, 0, aboveRotation, 0, way, 0);
  point[0] = point[0]! + way[0]!;
  point[1] = point[1]! + way[1]!;
  point[2] = point[2]! + way[2]!;
  if (into !== null) {
    transformPoint(translations, 3 * joint, into, 0, point, 0);
    return;
  }
  followPath(matrix, parentPath, skeleton, target);
  invertMatrix(matrix, 0, matrix, 0);
  transformPoint(translations, 3 * joint, matrix, 0, point, 0);
}
