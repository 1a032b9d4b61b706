import { conjugateQuaternion } from '@stuntdouble/core/engine';
import { type Contender, checkRotations, checkTravel, type ReadRotation } from './contender.js';
import { BAKE, createWorkload, referenceOffsets, type Workload } from './workload.js';

/*
 * What a bake costs at the least: loops written out by hand over flat arrays for this one workload, without
 * mapping, sampling, units, scales, warnings or a choice of any kind. Even the output arrays stand ready, and
 * the frame floor finds its keys frame after frame. Making the arrays in each run was measured to add 10 %,
 * reading joint after joint another 10 %: a bake from clip to clip pays both, a floor does not.
 * The loops are functions of their arrays. Inside a closure that is made only once the compiler builds the
 * arrays' addresses in, which no code for more than one pair of bodies can have (14 ns per joint and frame
 * instead of 18).
 */

/** A floor with what it wrote: local rotations in its own order, found by `read`, and xyz of the hips per frame. */
export type Floor = Contender & { rotations: Float32Array; translations: Float32Array; read: ReadRotation };

/** The key floor: two quaternion products per key, q′ = pre · q · post. */
export function createKeyFloor(workload: Workload): Floor {
  const { joints, frames } = workload.size;
  const keys = workload.rotations;
  const offsets = referenceOffsets(workload);
  // T_p⁻¹ · T = (S_p · c_p)⁻¹ · (S · c) = c_p⁻¹ · s · c, with s the driver's local rotation.
  const post = offsets;
  const pre = new Float64Array(4 * joints);
  for (let j = 0; j < joints; j++) {
    const parent = workload.source.parents[j]!;
    if (parent < 0) pre[4 * j + 3] = 1;
    else conjugateQuaternion(pre, 4 * j, offsets, 4 * parent);
  }
  const out = new Float32Array(keys.length);
  const hips = new Float32Array(3 * frames);
  const run = () => {
    for (let j = 0; j < joints; j++)
      multiplyKeys(out, keys, 4 * j * frames, 4 * (j + 1) * frames, pre, post, 4 * j);
    scaleHips(hips, workload);
  };
  return asFloor('key floor', workload, run, out, hips, (joint, frame) => joint * frames + frame);
}

/**
 * The frame floor: per joint and frame, FK of the source, one product with a constant, back to the target's
 * local space.
 */
export function createFrameFloor(workload: Workload): Floor {
  const { joints, frames } = workload.size;
  const keys = new Float32Array(workload.rotations.length);
  for (let j = 0; j < joints; j++)
    for (let k = 0; k < frames; k++)
      for (let c = 0; c < 4; c++)
        keys[4 * (k * joints + j) + c] = workload.rotations[4 * (j * frames + k) + c]!;
  const offsets = referenceOffsets(workload);
  const parents = workload.source.parents;
  // Slot 0 is the identity above the root and joint j is slot j + 1, so that the loop has no branch.
  const above = Int32Array.from(parents, (parent) => 4 * (parent + 1));
  const source = new Float64Array(4 * (joints + 1));
  const target = new Float64Array(4 * (joints + 1));
  source[3] = 1;
  target[3] = 1;
  const out = new Float32Array(keys.length);
  const hips = new Float32Array(3 * frames);
  const run = () => {
    turnFrames(out, keys, above, source, target, offsets, joints, frames);
    scaleHips(hips, workload);
  };
  return asFloor('frame floor', workload, run, out, hips, (joint, frame) => frame * joints + joint);
}

/** Milliseconds of the frame floor for one joint of one frame, by the quickest of several bakes. */
export function timeFrameFloor(): number {
  const floor = createFrameFloor(createWorkload());
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 20; n++) {
    const start = performance.now();
    floor.run();
    best = Math.min(best, performance.now() - start);
  }
  return best / (BAKE.joints * BAKE.frames);
}

/** q′ = pre · q · post for the keys of one joint, from `i` up to `end`; its constants stand at `c`. */
export function multiplyKeys(
  out: Float32Array,
  keys: Float32Array | Float64Array,
  i: number,
  end: number,
  pre: Float64Array,
  post: Float64Array,
  c: number,
): void {
  const ax = pre[c]!;
  const ay = pre[c + 1]!;
  const az = pre[c + 2]!;
  const aw = pre[c + 3]!;
  const bx = post[c]!;
  const by = post[c + 1]!;
  const bz = post[c + 2]!;
  const bw = post[c + 3]!;
  for (let k = i; k < end; k += 4) {
    const qx = keys[k]!;
    const qy = keys[k + 1]!;
    const qz = keys[k + 2]!;
    const qw = keys[k + 3]!;
    const x = aw * qx + ax * qw + ay * qz - az * qy;
    const y = aw * qy - ax * qz + ay * qw + az * qx;
    const z = aw * qz + ax * qy - ay * qx + az * qw;
    const w = aw * qw - ax * qx - ay * qy - az * qz;
    out[k] = w * bx + x * bw + y * bz - z * by;
    out[k + 1] = w * by - x * bz + y * bw + z * bx;
    out[k + 2] = w * bz + x * by - y * bx + z * bw;
    out[k + 3] = w * bw - x * bx - y * by - z * bz;
  }
}

function turnFrames(
  out: Float32Array,
  keys: Float32Array,
  above: Int32Array,
  source: Float64Array,
  target: Float64Array,
  offsets: Float64Array,
  joints: number,
  frames: number,
): void {
  let i = 0;
  for (let k = 0; k < frames; k++) {
    for (let j = 0; j < joints; j++, i += 4) {
      const p = above[j]!;
      const c = 4 * j;
      const m = c + 4;
      // FK: S = S_p · s
      let ax = source[p]!;
      let ay = source[p + 1]!;
      let az = source[p + 2]!;
      let aw = source[p + 3]!;
      let bx: number = keys[i]!;
      let by: number = keys[i + 1]!;
      let bz: number = keys[i + 2]!;
      let bw: number = keys[i + 3]!;
      const x = aw * bx + ax * bw + ay * bz - az * by;
      const y = aw * by - ax * bz + ay * bw + az * bx;
      const z = aw * bz + ax * by - ay * bx + az * bw;
      const w = aw * bw - ax * bx - ay * by - az * bz;
      source[m] = x;
      source[m + 1] = y;
      source[m + 2] = z;
      source[m + 3] = w;
      // T = S · c
      ax = offsets[c]!;
      ay = offsets[c + 1]!;
      az = offsets[c + 2]!;
      aw = offsets[c + 3]!;
      bx = w * ax + x * aw + y * az - z * ay;
      by = w * ay - x * az + y * aw + z * ax;
      bz = w * az + x * ay - y * ax + z * aw;
      bw = w * aw - x * ax - y * ay - z * az;
      target[m] = bx;
      target[m + 1] = by;
      target[m + 2] = bz;
      target[m + 3] = bw;
      // t = T_p⁻¹ · T
      ax = -target[p]!;
      ay = -target[p + 1]!;
      az = -target[p + 2]!;
      aw = target[p + 3]!;
      out[i] = aw * bx + ax * bw + ay * bz - az * by;
      out[i + 1] = aw * by - ax * bz + ay * bw + az * bx;
      out[i + 2] = aw * bz + ax * by - ay * bx + az * bw;
      out[i + 3] = aw * bw - ax * bx - ay * by - az * bz;
    }
  }
}

function scaleHips(out: Float32Array, workload: Workload): void {
  const { translations, rootScale } = workload;
  for (let i = 0; i < out.length; i++) out[i] = rootScale * translations[i]!;
}

function asFloor(
  name: string,
  workload: Workload,
  run: () => void,
  rotations: Float32Array,
  translations: Float32Array,
  keyOf: (joint: number, frame: number) => number,
): Floor {
  const read: ReadRotation = (out, o, joint, frame) => {
    const i = 4 * keyOf(joint, frame);
    for (let c = 0; c < 4; c++) out[o + c] = rotations[i + c]!;
  };
  return {
    name,
    run,
    rotations,
    translations,
    read,
    check() {
      // A thousandth of a degree: ten times what float32 keys add up to along an arm.
      checkRotations(name, workload, read, 2e-5);
      checkTravel(name, workload, translations, workload.rootScale);
    },
  };
}
