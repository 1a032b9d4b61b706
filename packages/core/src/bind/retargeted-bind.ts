import { ONES } from '../base/math/flat-constants.js';
import { hypot } from '../base/math/functions.js';
import { composeMatrix, invertMatrix, multiplyMatrices } from '../base/math/matrix.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  rotateVector,
} from '../base/math/quaternion.js';
import { driverOf } from '../map/rig-map.js';
import type { Setup } from '../passes/pass.js';
import { type ModelPose, modelPoseOf, type Pose, rotationOfMatrix, signRotation } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';

/**
 * How the source's local rotations are used: `folded` takes over the turn of every source joint above a driver,
 * mapped or not; `verbatim` puts the driver's local rotation on the joint as it stands and nothing else, which
 * is what engines do that know the driver of each joint alone.
 */
export type BindLocals = 'folded' | 'verbatim';

/**
 * A target's bind pose in the source's own joint axes, by which the source's animation drives the target's
 * mesh as it is: plain data, one entry per target joint. Model space: metres, +Y up, +Z forward.
 */
export type RetargetedBind = {
  locals: BindLocals;
  /** The source's skeleton, whose poses are played. */
  source: Skeleton;
  /** The parent of each target joint, or −1. A parent always stands before its children. */
  parents: Int32Array;
  /** The source joint that drives each, or −1: it then follows its parent rigidly. */
  drivers: Int32Array;
  /** Joints that lie between two turns of the source; see `JointPair.share`. */
  shares: { joint: number; from: number; weight: number; constant: Float64Array }[];
  /** What each hangs on: its parent, or what carries it where it hangs elsewhere than its body part; −1 for roots. */
  anchors: Int32Array;
  /** The joints so that what each hangs on stands before it. */
  order: Int32Array;
  /** xyz per joint: from what it hangs on, in that one's retargeted axes; of roots the place itself. */
  offsets: Float64Array;
  /** xyzw per joint: the local rotation of those that nothing drives, which is that of the target's bind pose. */
  restRotations: Float64Array;
  /** The retargeted bind pose: rotations of the source, positions of the corrected target; 16 numbers a joint. */
  matrices: Float64Array;
  /** From the target's joint axes to the retargeted ones in the corrected pose, scale included; 16 numbers a joint. */
  changes: Float64Array;
  /** xyzw per joint: R, which takes the local rotation of the target's bind pose to the corrected one, R · bind. */
  corrections: Float64Array;
  /** Model space to retargeted joint axes for a mesh that stands in the target's bind pose; 16 numbers a joint. */
  inverseBinds: Float64Array;
  /** The joint that travels: p = offset + scale · (place of the source's). */
  travel: { source: number; target: number; scale: Float64Array; offset: Float64Array } | null;
  /** What is lost where local rotations are used verbatim, one sentence each; none where both ways are one. */
  losses: string[];
};

/** What {@link createRetargetedBind} may be told. */
export type RetargetedBindOptions = {
  /** `folded` if left out, which loses nothing. */
  locals?: BindLocals;
};

/**
 * Makes the bind pose by which a target's mesh can be driven by the unchanged animation of the source
 * (csyonghe, "Animation Retargeting"; S4–S8). With A the target's reference pose, turned by R so that it stands
 * as the source's reference does, and B the retargeted one, in model space,
 *
 *   rotation(B_i) = the source's, in its reference pose      position(B_i) = position(A_i)
 *   t_i = B_parent⁻¹ · position(A_i)                         inverse bind of i = B_i⁻¹ · A_i · (target's own)
 *
 * so that G_i · B_i⁻¹ · A_i, with G the joint animated by the source's rotations and the offsets t, is what the
 * target's joint would be had its motion been computed: G · R_s⁻¹ · A_t, as in `copyRotations`.
 * Scale stays in B⁻¹ · A; several roots, and hips at any place in the list, are nothing special.
 */
export function createRetargetedBind(setup: Setup, options: RetargetedBindOptions = {}): RetargetedBind {
  const { source, target, map, alignment, sourceReference } = setup;
  const { skeleton } = target;
  const locals = options.locals ?? 'folded';
  const count = skeleton.names.length;
  const drivers = new Int32Array(count).fill(-1);
  for (const pair of map.joints) drivers[pair.target] = driverOf(pair);
  const bindPose = skeleton.bind ?? skeleton.rest;
  const rotations = new Float64Array(4 * count + 4);
  rotationOfMatrix(rotations, 4 * count, source.skeleton.container, 0);
  const matrices = new Float64Array(16 * count);
  const changes = new Float64Array(16 * count);
  const corrections = new Float64Array(4 * count);
  const offsets = new Float64Array(3 * count);
  const anchors = skeleton.parents.slice();
  for (const { joint, carrier } of alignment.placed) anchors[joint] = carrier;
  for (let i = 0; i < count; i++) {
    const p = parentPlace(skeleton.parents, i, count);
    const d = drivers[i]!;
    if (d >= 0 && locals === 'folded')
      rotations.set(sourceReference.rotations.subarray(4 * d, 4 * d + 4), 4 * i);
    else if (d >= 0)
      multiplyQuaternions(rotations, 4 * i, rotations, p, source.reference.pose.rotations, 4 * d);
    else multiplyQuaternions(rotations, 4 * i, rotations, p, bindPose.rotations, 4 * i);
    const places = alignment.model.matrices;
    composeMatrix(matrices, 16 * i, places, 16 * i + 12, rotations, 4 * i, ONES, 0);
    invertMatrix(scratch, 0, matrices, 16 * i);
    multiplyMatrices(changes, 16 * i, scratch, 0, places, 16 * i);
    conjugateQuaternion(scratch, 0, bindPose.rotations, 4 * i);
    multiplyQuaternions(corrections, 4 * i, alignment.pose.rotations, 4 * i, scratch, 0);
  }
  for (let i = 0; i < count; i++) {
    const a = anchors[i]!;
    for (let c = 0; c < 3; c++)
      offsets[3 * i + c] = matrices[16 * i + 12 + c]! - (a < 0 ? 0 : matrices[16 * a + 12 + c]!);
    if (a < 0) continue;
    conjugateQuaternion(scratch, 0, rotations, 4 * a);
    rotateVector(offsets, 3 * i, scratch, 0, offsets, 3 * i);
  }
  return {
    locals,
    source: source.skeleton,
    parents: skeleton.parents.slice(),
    drivers,
    shares: locals === 'verbatim' ? [] : sharesOf(setup),
    anchors,
    order: orderOf(anchors),
    offsets,
    restRotations: bindPose.rotations.slice(),
    matrices,
    changes,
    corrections,
    inverseBinds: changeInverseBinds(changes, inversesOf(modelPoseOf(skeleton, bindPose))),
    travel: travelOf(setup),
    losses: findLosses(setup, drivers, bindPose),
  };
}

/**
 * The inverse binds that take the place of a mesh's own, 16 numbers per joint of the target: mesh space to
 * retargeted joint axes. Joints that the skin does not use (all zero) stay so.
 */
export function retargetInverseBinds({ changes }: RetargetedBind, inverseBinds: Float64Array): Float64Array {
  return changeInverseBinds(changes, inverseBinds);
}

const scratch = new Float64Array(16);

/** Where the rotation of a joint's parent stands; behind the last joint for a root. */
function parentPlace(parents: Int32Array, joint: number, count: number): number {
  return 4 * (parents[joint]! < 0 ? count : parents[joint]!);
}

function inversesOf({ matrices }: ModelPose): Float64Array {
  const out = new Float64Array(matrices.length);
  for (let i = 0; i < out.length; i += 16) invertMatrix(out, i, matrices, i);
  return out;
}

function changeInverseBinds(changes: Float64Array, inverseBinds: Float64Array): Float64Array {
  const out = new Float64Array(changes.length);
  for (let i = 0; i < Math.min(changes.length, inverseBinds.length); i += 16)
    if (inverseBinds[i + 15] !== 0) multiplyMatrices(out, i, changes, i, inverseBinds, i);
  return out;
}

function sharesOf({ map, sourceReference }: Setup): RetargetedBind['shares'] {
  return map.joints.flatMap((pair) => {
    if (!pair.share) return [];
    const { from, weight } = pair.share;
    const constant = new Float64Array(4);
    divideQuaternions(
      constant,
      0,
      sourceReference.rotations,
      4 * from,
      sourceReference.rotations,
      4 * driverOf(pair),
    );
    return [{ joint: pair.target, from, weight, constant }];
  });
}

function travelOf({ travel, rootScales, sourceReference, alignment }: Setup): RetargetedBind['travel'] {
  if (!travel) return null;
  const { horizontal, vertical, x = horizontal, z = horizontal } = rootScales;
  const scale = Float64Array.of(x, vertical, z);
  const from = 16 * travel.source + 12;
  const to = 16 * travel.target + 12;
  const offset = scale.map(
    (s, c) => alignment.model.matrices[to + c]! - s * sourceReference.matrices[from + c]!,
  );
  return { source: travel.source, target: travel.target, scale, offset };
}

/** The joints so that each comes after what it hangs on, in the skeleton's order otherwise. */
function orderOf(anchors: Int32Array): Int32Array {
  const done = new Uint8Array(anchors.length);
  const order: number[] = [];
  for (let i = 0; i < anchors.length; i++) {
    const path: number[] = [];
    for (let at = i; at >= 0 && !done[at]; at = anchors[at]!) {
      done[at] = 1;
      path.push(at);
    }
    order.push(...path.reverse());
  }
  return Int32Array.from(order);
}

/** Turns that add up to less than this are none: a millionth of a radian. */
const LEAST_TURN_SUM = 1e-6;

/** Where a driver's local rotation alone does not say how far the driven joint turns. */
function findLosses(setup: Setup, drivers: Int32Array, bindPose: Pose): string[] {
  const { source, target, map, travel } = setup;
  const { names, parents } = target.skeleton;
  const sourceNames = source.skeleton.names;
  const losses: string[] = [];
  for (const pair of map.joints) {
    const name = names[pair.target]!;
    const driver = driverOf(pair);
    if (pair.share)
      losses.push(`"${name}" lies between two turns of the source and would take over one whole`);
    const between = Float64Array.of(0, 0, 0, 1);
    let carrier = parents[pair.target]!;
    for (; carrier >= 0 && drivers[carrier]! < 0; carrier = parents[carrier]!)
      multiplyQuaternions(between, 0, bindPose.rotations, 4 * carrier, between, 0);
    if (hypot(between[0]!, between[1]!, between[2]!) > LEAST_TURN_SUM)
      losses.push(`"${name}" hangs on "${names[parents[pair.target]!]}", which is turned and not driven`);
    const above = carrier < 0 ? -1 : drivers[carrier]!;
    const parent = source.skeleton.parents[driver]!;
    if (parent !== above)
      losses.push(
        parent < 0
          ? `"${sourceNames[driver]}" hangs on nothing, but "${name}" on "${names[carrier]}", which is driven`
          : `turns of "${sourceNames[parent]}" above "${sourceNames[driver]}" would not reach "${name}"`,
      );
  }
  if (source.skeleton.rest.scales.some((scale) => scale < 0))
    losses.push('joints of the source are mirrored');
  if (travel && travel.target !== 0)
    losses.push(`"${names[travel.target]}" travels, but is not the first joint, which alone is moved`);
  return losses;
}

/** Rotations that stand for the signs of a skeleton's scales, or null where none is negative. */
export function signRotationsOf(skeleton: Skeleton): Float64Array | null {
  const signs = new Float64Array(4 * skeleton.names.length);
  let any = false;
  for (let i = 0; i < skeleton.names.length; i++)
    any = signRotation(signs, 4 * i, skeleton.rest.scales, 3 * i) || any;
  return any ? signs : null;
}
