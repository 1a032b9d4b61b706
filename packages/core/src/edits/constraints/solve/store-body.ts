import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  normalizeQuaternion,
} from '../../../base/math/quaternion.js';
import { type Pose, rotationOfMatrix } from '../../../scene/pose.js';
import type { MovingBody } from './moving-body.js';

const above = new Float64Array(4);
const vector = new Float64Array(3);
const own = new Float64Array(4);
const carrier = new Float64Array(4);
const linear = new Float64Array(9);

/**
 * Writes how a body stands into the pose that it was loaded from. With D a joint's turn in model space since then,
 * L′ = P⁻¹ · D_parent⁻¹ · D · P · L, P the model rotation of what it hangs on as it was; see `turnJoint`. Joints that
 * have not been turned keep every bit.
 */
export function storeBody(body: MovingBody, pose: Pose): void {
  const { plan, model, rotations, home, locals, place } = body;
  const { joints, parents, skeleton, weights, hips, height } = plan;
  for (let i = 0; i < joints.length; i++) {
    if (weights[i] === 0) continue;
    const q = 4 * i;
    if (
      locals[q] === home[q] &&
      locals[q + 1] === home[q + 1] &&
      locals[q + 2] === home[q + 2] &&
      locals[q + 3] === home[q + 3]
    )
      continue;
    const joint = joints[i]!;
    const p = parents[i]!;
    const a = skeleton.parents[joint]!;
    turnSince(own, rotations, q, model.rotations, 4 * joint);
    if (p >= 0) {
      turnSince(carrier, rotations, 4 * p, model.rotations, 4 * joints[p]!);
      divideQuaternions(own, 0, carrier, 0, own, 0);
    }
    if (a < 0) rotationOfMatrix(above, 0, skeleton.container, 0);
    else for (let c = 0; c < 4; c++) above[c] = model.rotations[4 * a + c]!;
    divideQuaternions(own, 0, above, 0, own, 0);
    multiplyQuaternions(own, 0, own, 0, above, 0);
    multiplyQuaternions(pose.rotations, 4 * joint, own, 0, pose.rotations, 4 * joint);
    normalizeQuaternion(pose.rotations, 4 * joint, pose.rotations, 4 * joint);
  }
  if (hips < 0 || (place[0] === 0 && place[1] === 0 && place[2] === 0)) return;
  const joint = joints[hips]!;
  const a = skeleton.parents[joint]!;
  const m = a < 0 ? skeleton.container : model.matrices;
  const o = a < 0 ? 0 : 16 * a;
  for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) linear[3 * c + r] = m[o + 4 * c + r]!;
  solveLinear(vector, linear, place[0]! * height, place[1]! * height, place[2]! * height);
  for (let c = 0; c < 3; c++)
    pose.translations[3 * joint + c] = pose.translations[3 * joint + c]! + vector[c]!;
}

function turnSince(out: Float64Array, now: Float64Array, n: number, before: Float64Array, b: number): void {
  conjugateQuaternion(out, 0, before, b);
  multiplyQuaternions(out, 0, now, n, out, 0);
}

/** out = m⁻¹ · (x, y, z), m of columns; nothing where m is singular. */
function solveLinear(out: Float64Array, m: Float64Array, x: number, y: number, z: number): void {
  const a = m[4]! * m[8]! - m[7]! * m[5]!;
  const b = m[7]! * m[2]! - m[1]! * m[8]!;
  const c = m[1]! * m[5]! - m[4]! * m[2]!;
  const determinant = m[0]! * a + m[3]! * b + m[6]! * c;
  const k = Math.abs(determinant) > 1e-300 ? 1 / determinant : 0;
  out[0] = k * (a * x + (m[6]! * m[5]! - m[3]! * m[8]!) * y + (m[3]! * m[7]! - m[6]! * m[4]!) * z);
  out[1] = k * (b * x + (m[0]! * m[8]! - m[6]! * m[2]!) * y + (m[6]! * m[1]! - m[0]! * m[7]!) * z);
  out[2] = k * (c * x + (m[3]! * m[2]! - m[0]! * m[5]!) * y + (m[0]! * m[4]! - m[3]! * m[1]!) * z);
}
