import { conjugateQuaternion, divideQuaternions, multiplyQuaternions } from '../base/math/quaternion.js';
import { driverOf, type JointPair } from '../map/rig-map.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { AlignedPair } from './aligned-pair.js';

/** The source joints that a result depends on: those that drive, share a turn or travel, and everything above them. */
export function drivingJoints({
  map,
  source,
  travel,
}: Pick<AlignedPair, 'map' | 'source' | 'travel'>): Set<number> {
  const joints = map.joints.flatMap((pair) =>
    pair.share ? [driverOf(pair), pair.share.from] : [driverOf(pair)],
  );
  return withAncestors(source.skeleton, travel ? [...joints, travel.source] : joints);
}

/** The target joints that a result is made of: those that are driven or travel, and everything above them. */
export function drivenJoints({
  map,
  target,
  travel,
}: Pick<AlignedPair, 'map' | 'target' | 'travel'>): Set<number> {
  const joints = map.joints.map((pair) => pair.target);
  return withAncestors(target.skeleton, travel ? [...joints, travel.target] : joints);
}

function withAncestors({ parents }: Skeleton, joints: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (const joint of joints) for (let at = joint; at >= 0 && !all.has(at); at = parents[at]!) all.add(at);
  return all;
}

/** K of a pair: with G the driver's model rotation, G · K is the target's. K = R_s⁻¹ · A_t. */
export function driverConstant(
  { sourceReference, alignment }: Pick<AlignedPair, 'sourceReference' | 'alignment'>,
  driver: number,
  target: number,
): Float64Array {
  const k = new Float64Array(4);
  divideQuaternions(k, 0, sourceReference.rotations, 4 * driver, alignment.model.rotations, 4 * target);
  return k;
}

/**
 * What undoes a carrier a and the still joints U between it and a target joint: U⁻¹ · K_a⁻¹, so that with G_a
 * the model rotation of the carrier's driver, (G_a · K_a · U)⁻¹ = this · G_a⁻¹.
 * As A_a⁻¹ · A_parent is U in the aligned reference, it is A_parent⁻¹ · A_a · K_a⁻¹.
 */
export function undoCarrier(setup: AlignedPair, carrier: JointPair, target: number): Float64Array {
  const A = setup.alignment.model.rotations;
  const parent = setup.target.skeleton.parents[target]!;
  const out = driverConstant(setup, driverOf(carrier), carrier.target);
  conjugateQuaternion(out, 0, out, 0);
  const still = new Float64Array(4);
  divideQuaternions(still, 0, A, 4 * parent, A, 4 * carrier.target);
  multiplyQuaternions(out, 0, still, 0, out, 0);
  return out;
}

/** The 4×4 matrix, column-major, that takes the components of q to those of pre · q · post. */
export function turnMatrix(pre: Float64Array, post: Float64Array): Float64Array {
  const m = new Float64Array(16);
  const unit = new Float64Array(4);
  for (let c = 0; c < 4; c++) {
    unit.fill(0);
    unit[c] = 1;
    multiplyQuaternions(unit, 0, pre, 0, unit, 0);
    multiplyQuaternions(m, 4 * c, unit, 0, post, 0);
  }
  return m;
}
