import { divideQuaternions, multiplyQuaternions } from '../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { rotationOfMatrix } from '../../scene/pose.js';
import { projectAxedLimit } from '../../solvers/joint-limits.js';
import type { MovingBody } from './moving-body.js';

const turn = new Float64Array(4);
const above = new Float64Array(4);
const vector = new Float64Array(3);
const seen = new Float64Array(4);

/**
 * Brings joints inside their limits. A joint that was outside loses the direction in which it was, until
 * {@link unlockBody}: clamping alone took half as many steps again and failed nine times in a hundred.
 */
export function limitBody(body: MovingBody): void {
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
  const before = Math.hypot(v[0]!, v[1]!, v[2]!);
  for (let n = 0; n < count; n++) {
    const l = o + 3 * n;
    const along = v[0]! * locks[l]! + v[1]! * locks[l + 1]! + v[2]! * locks[l + 2]!;
    for (let c = 0; c < 3; c++) v[c] = v[c]! - along * locks[l + c]!;
  }
  const length = Math.hypot(v[0]!, v[1]!, v[2]!);
  if (count >= 3 || !(length > 0.05 * before) || !(length > 1e-12)) return;
  for (let c = 0; c < 3; c++) locks[o + 3 * count + c] = v[c]! / length;
  counts[i] = count + 1;
}
