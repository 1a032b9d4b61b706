import { type ModelPose, type Pose, rotationOfMatrix, signRotation } from '../pose.js';
import { multiplyQuaternions } from '../quaternion.js';
import type { Skeleton } from '../skeleton.js';

/** The given joints and everything above them, parents first, each once. */
export function withAncestors(skeleton: Skeleton, joints: Iterable<number>): Int32Array {
  const marked = new Set<number>();
  for (const joint of joints)
    for (let at = joint; at >= 0 && !marked.has(at); at = skeleton.parents[at]!) marked.add(at);
  return Int32Array.from([...marked].sort((a, b) => a - b));
}

const signs = new Float64Array(4);

/** The rotations of containers, which never change: found once each. */
const containerRotations = new WeakMap<object, Float64Array>();

function rotationOfContainer(container: Skeleton['container']): Float64Array {
  const known = containerRotations.get(container);
  if (known) return known;
  const rotation = new Float64Array(4);
  rotationOfMatrix(rotation, 0, container, 0);
  containerRotations.set(container, rotation);
  return rotation;
}

/**
 * Forward kinematics of some joints alone: like `localToModel`, but for a list as `withAncestors` gives it. What
 * stands in `out` for other joints stays. Feet, hands and hips hang on a third of a body's joints. The products are
 * written out, which was measured to halve the time.
 */
export function forwardJoints(out: ModelPose, skeleton: Skeleton, pose: Pose, joints: Int32Array): void {
  const { parents, container } = skeleton;
  const { matrices, rotations } = out;
  const { translations, rotations: locals, scales } = pose;
  const containerRotation = rotationOfContainer(container);
  for (let k = 0; k < joints.length; k++) {
    const i = joints[k]!;
    const parent = parents[i]!;
    const above = parent < 0 ? container : matrices;
    const turned = parent < 0 ? containerRotation : rotations;
    const p = parent < 0 ? 0 : 16 * parent;
    const r = parent < 0 ? 0 : 4 * parent;
    const o = 16 * i;
    const x = locals[4 * i]!;
    const y = locals[4 * i + 1]!;
    const z = locals[4 * i + 2]!;
    const w = locals[4 * i + 3]!;
    const tx = translations[3 * i]!;
    const ty = translations[3 * i + 1]!;
    const tz = translations[3 * i + 2]!;
    const sx = scales[3 * i]!;
    const sy = scales[3 * i + 1]!;
    const sz = scales[3 * i + 2]!;
    // The columns of T · R · S.
    const xx = sx * (1 - 2 * (y * y + z * z));
    const xy = sx * 2 * (x * y + w * z);
    const xz = sx * 2 * (x * z - w * y);
    const yx = sy * 2 * (x * y - w * z);
    const yy = sy * (1 - 2 * (x * x + z * z));
    const yz = sy * 2 * (y * z + w * x);
    const zx = sz * 2 * (x * z + w * y);
    const zy = sz * 2 * (y * z - w * x);
    const zz = sz * (1 - 2 * (x * x + y * y));
    for (let row = 0; row < 3; row++) {
      const a = above[p + row]!;
      const b = above[p + 4 + row]!;
      const c = above[p + 8 + row]!;
      matrices[o + row] = a * xx + b * xy + c * xz;
      matrices[o + 4 + row] = a * yx + b * yy + c * yz;
      matrices[o + 8 + row] = a * zx + b * zy + c * zz;
      matrices[o + 12 + row] = a * tx + b * ty + c * tz + above[p + 12 + row]!;
    }
    matrices[o + 15] = 1;
    const px = turned[r]!;
    const py = turned[r + 1]!;
    const pz = turned[r + 2]!;
    const pw = turned[r + 3]!;
    rotations[4 * i] = pw * x + px * w + py * z - pz * y;
    rotations[4 * i + 1] = pw * y - px * z + py * w + pz * x;
    rotations[4 * i + 2] = pw * z + px * y - py * x + pz * w;
    rotations[4 * i + 3] = pw * w - px * x - py * y - pz * z;
    if ((sx < 0 || sy < 0 || sz < 0) && signRotation(signs, 0, scales, 3 * i))
      multiplyQuaternions(rotations, 4 * i, rotations, 4 * i, signs, 0);
  }
}
