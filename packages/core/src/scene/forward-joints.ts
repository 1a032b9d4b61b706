import { multiplyQuaternions } from '../base/math/quaternion.js';
import { createMemory, remember } from '../base/remember.js';
import { type Hierarchy, type ModelPose, type Pose, rotationOfMatrix, signRotation } from './pose.js';
import type { Skeleton } from './skeleton.js';

/** The given joints and everything above them, parents first, each once. */
export function withAncestors(skeleton: Skeleton, joints: Iterable<number>): Int32Array {
  const marked = new Set<number>();
  for (const joint of joints)
    for (let at = joint; at >= 0 && !marked.has(at); at = skeleton.parents[at]!) marked.add(at);
  return Int32Array.from([...marked].sort((a, b) => a - b));
}

const signs = new Float64Array(4);

/** The rotations of containers, which never change: found once each. */
const containerRotations = createMemory<null, Float64Array>();

/** The container that was asked for last, and its rotation: mostly it is the same one again. */
let lastContainer: Skeleton['container'] | null = null;
let lastRotation: Float64Array = new Float64Array(4);

function readContainer(_: null, container: Skeleton['container']): Float64Array {
  const rotation = new Float64Array(4);
  rotationOfMatrix(rotation, 0, container, 0);
  return rotation;
}

/**
 * Forward kinematics of some joints alone: like `localToModel`, but for a list as `withAncestors` gives it. What
 * stands in `out` for other joints stays. Feet, hands and hips hang on a third of a body's joints. The products are
 * written out, which was measured to halve the time, and so are their rows, for another eighth.
 * @param turned Whether rotations are wanted; without them it takes a sixth less.
 */
export function forwardJoints(
  out: ModelPose,
  skeleton: Hierarchy,
  pose: Pose,
  joints: Int32Array,
  turned = true,
): void {
  const { parents, container } = skeleton;
  const { matrices: m, rotations } = out;
  const { translations, rotations: locals, scales } = pose;
  if (turned && container !== lastContainer) {
    lastRotation = remember(containerRotations, container, null, readContainer);
    lastContainer = container;
  }
  const containerRotation = lastRotation;
  for (let k = 0; k < joints.length; k++) {
    const i = joints[k]!;
    const parent = parents[i]!;
    // Two branches rather than one store or the other: that would be slower to read.
    let ax: number;
    let ay: number;
    let az: number;
    let bx: number;
    let by: number;
    let bz: number;
    let cx: number;
    let cy: number;
    let cz: number;
    let dx: number;
    let dy: number;
    let dz: number;
    if (parent < 0) {
      ax = container[0]!;
      ay = container[1]!;
      az = container[2]!;
      bx = container[4]!;
      by = container[5]!;
      bz = container[6]!;
      cx = container[8]!;
      cy = container[9]!;
      cz = container[10]!;
      dx = container[12]!;
      dy = container[13]!;
      dz = container[14]!;
    } else {
      const p = 16 * parent;
      ax = m[p]!;
      ay = m[p + 1]!;
      az = m[p + 2]!;
      bx = m[p + 4]!;
      by = m[p + 5]!;
      bz = m[p + 6]!;
      cx = m[p + 8]!;
      cy = m[p + 9]!;
      cz = m[p + 10]!;
      dx = m[p + 12]!;
      dy = m[p + 13]!;
      dz = m[p + 14]!;
    }
    const t = 3 * i;
    const l = 4 * i;
    const o = 16 * i;
    const x = locals[l]!;
    const y = locals[l + 1]!;
    const z = locals[l + 2]!;
    const w = locals[l + 3]!;
    const tx = translations[t]!;
    const ty = translations[t + 1]!;
    const tz = translations[t + 2]!;
    m[o + 12] = ax * tx + bx * ty + cx * tz + dx;
    m[o + 13] = ay * tx + by * ty + cy * tz + dy;
    m[o + 14] = az * tx + bz * ty + cz * tz + dz;
    m[o + 15] = 1;
    // The columns u, v, n of R · S.
    const sx = scales[t]!;
    const ux = sx * (1 - 2 * (y * y + z * z));
    const uy = sx * 2 * (x * y + w * z);
    const uz = sx * 2 * (x * z - w * y);
    m[o] = ax * ux + bx * uy + cx * uz;
    m[o + 1] = ay * ux + by * uy + cy * uz;
    m[o + 2] = az * ux + bz * uy + cz * uz;
    const sy = scales[t + 1]!;
    const vx = sy * 2 * (x * y - w * z);
    const vy = sy * (1 - 2 * (x * x + z * z));
    const vz = sy * 2 * (y * z + w * x);
    m[o + 4] = ax * vx + bx * vy + cx * vz;
    m[o + 5] = ay * vx + by * vy + cy * vz;
    m[o + 6] = az * vx + bz * vy + cz * vz;
    const sz = scales[t + 2]!;
    const nx = sz * 2 * (x * z + w * y);
    const ny = sz * 2 * (y * z - w * x);
    const nz = sz * (1 - 2 * (x * x + y * y));
    m[o + 8] = ax * nx + bx * ny + cx * nz;
    m[o + 9] = ay * nx + by * ny + cy * nz;
    m[o + 10] = az * nx + bz * ny + cz * nz;
    if (!turned) continue;
    const q = parent < 0 ? containerRotation : rotations;
    const r = parent < 0 ? 0 : 4 * parent;
    const px = q[r]!;
    const py = q[r + 1]!;
    const pz = q[r + 2]!;
    const pw = q[r + 3]!;
    rotations[l] = pw * x + px * w + py * z - pz * y;
    rotations[l + 1] = pw * y - px * z + py * w + pz * x;
    rotations[l + 2] = pw * z + px * y - py * x + pz * w;
    rotations[l + 3] = pw * w - px * x - py * y - pz * z;
    if ((sx < 0 || sy < 0 || sz < 0) && signRotation(signs, 0, scales, t))
      multiplyQuaternions(rotations, l, rotations, l, signs, 0);
  }
}
