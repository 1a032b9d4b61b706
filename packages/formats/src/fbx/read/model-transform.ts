import { multiplyQuaternions, rotateVector } from '@stuntdouble/core';
import { cos, sin } from '@stuntdouble/core/engine';
import type { EulerOrder } from '../../shared/euler.js';
import { numberOf } from '../parse/fbx-node.js';
import { type FbxObject, type FbxObjects, type Vector, vectorOf } from '../parse/objects.js';

/**
 * How a child takes over its parent's scale. `RSrs` is what all other formats do; `RrSs` applies the scales
 * of all ancestors after the turns of all, so that nothing is sheared; `Rrs` leaves out the parent's own
 * scale (Maya's segment scale compensation).
 */
export type Inherit = 'RrSs' | 'RSrs' | 'Rrs';

/**
 * What a model's transform is made of. Its matrix is
 * T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ (FBX SDK, "Computing transformation
 * matrices"), of which files animate T, R and S. All turns stand together, so the product is always a
 * translation, a turn and a scale:
 *   turn = Rpre · R · Rpost⁻¹
 *   translation = T + Roff + Rp + turn · (Soff + Sp − Rp − S Sp)
 */
export type ModelTransform = {
  translation: Vector;
  /** Degrees about x, y, z. */
  rotation: Vector;
  scaling: Vector;
  /** In the order of multiplication: FBX's "XYZ" turns about x first and is `ZYX`. */
  order: EulerOrder;
  /** xyzw. */
  preRotation: Float64Array;
  /** xyzw; already inverted. */
  inversePostRotation: Float64Array;
  rotationOffset: Vector;
  rotationPivot: Vector;
  scalingOffset: Vector;
  scalingPivot: Vector;
  /** Whether turning moves the joint: pivots or offsets are set. */
  hasPivots: boolean;
  /** Whether translation and turn are the animated values themselves: nothing else is set. */
  isBare: boolean;
  inherit: Inherit;
};

/** The orders by their number in files, reversed into the order of multiplication. 6 is spheric, taken as 0. */
const ORDERS: readonly EulerOrder[] = ['ZYX', 'YZX', 'XZY', 'ZXY', 'YXZ', 'XYZ', 'ZYX'];

const INHERITS: readonly Inherit[] = ['RrSs', 'RSrs', 'Rrs'];

const ZERO = [0, 0, 0] as const;
const ONE = [1, 1, 1] as const;

/** Reads a model's transform from its properties. */
export function readModelTransform(objects: FbxObjects, model: FbxObject): ModelTransform {
  const read = (name: string, fallback: Vector) => vectorOf(objects.propertyOf(model, name), fallback);
  const rotationActive = objects.ownPropertyOf(model, 'RotationActive');
  // Pre-rotations count only where rotation is "active". Programs that do not know of the switch leave it
  // out while they write pre-rotations, so that only an explicit no is one.
  const isActive = rotationActive === undefined || numberOf(rotationActive[0], 1) !== 0;
  const preRotation = new Float64Array(4);
  const inversePostRotation = new Float64Array(4);
  quaternionFromEuler(preRotation, 0, isActive ? read('PreRotation', ZERO) : ZERO, 'ZYX');
  quaternionFromEuler(inversePostRotation, 0, isActive ? read('PostRotation', ZERO) : ZERO, 'ZYX');
  for (let c = 0; c < 3; c++) inversePostRotation[c]! *= -1;
  const rotationOffset = read('RotationOffset', ZERO);
  const rotationPivot = read('RotationPivot', ZERO);
  const scalingOffset = read('ScalingOffset', ZERO);
  const scalingPivot = read('ScalingPivot', ZERO);
  const hasPivots = [rotationPivot, scalingOffset, scalingPivot].some((v) => v.some((value) => value !== 0));
  return {
    translation: read('Lcl Translation', ZERO),
    rotation: read('Lcl Rotation', ZERO),
    scaling: read('Lcl Scaling', ONE),
    order: (isActive && ORDERS[numberOf(objects.propertyOf(model, 'RotationOrder')?.[0])]) || 'ZYX',
    preRotation,
    inversePostRotation,
    rotationOffset,
    rotationPivot,
    scalingOffset,
    scalingPivot,
    hasPivots,
    isBare:
      !hasPivots &&
      rotationOffset.every((value) => value === 0) &&
      preRotation[3] === 1 &&
      inversePostRotation[3] === 1,
    inherit: INHERITS[numberOf(objects.propertyOf(model, 'InheritType')?.[0])] ?? 'RSrs',
  };
}

/** Radians per degree. */
export const RADIANS = Math.PI / 180;

/**
 * The product of three turns differs between the orders only in the signs of the terms with two sines or with
 * three: of two, + where the pair of axes is multiplied in the cyclic order x y, y z, z x; of three, the product
 * of i, j, k in the given order, −1 for the cyclic ones (ijk = −1), else +1.
 */
const SIGNS: Readonly<Record<EulerOrder, EulerSigns>> = {
  XYZ: { xy: 1, yz: 1, zx: -1, triple: -1 },
  XZY: { xy: 1, yz: -1, zx: -1, triple: 1 },
  YXZ: { xy: -1, yz: 1, zx: -1, triple: 1 },
  YZX: { xy: -1, yz: 1, zx: 1, triple: -1 },
  ZXY: { xy: 1, yz: -1, zx: 1, triple: -1 },
  ZYX: { xy: -1, yz: -1, zx: 1, triple: 1 },
};

/** The signs by which an order differs from others. */
export type EulerSigns = { xy: number; yz: number; zx: number; triple: number };

/** The signs of an order, for {@link quaternionOfAngles}. */
export function eulerSigns(order: EulerOrder): EulerSigns {
  return SIGNS[order];
}

/** out = the turn of Euler angles in degrees, given as x, y, z whatever the order. */
export function quaternionFromEuler(
  out: Float64Array,
  o: number,
  degrees: ArrayLike<number>,
  order: EulerOrder,
): void {
  quaternionOfAngles(out, o, degrees[0]!, degrees[1]!, degrees[2]!, SIGNS[order]);
}

/** out = the turn of Euler angles in degrees, in the order of the signs. */
export function quaternionOfAngles(
  out: Float64Array,
  o: number,
  xDegrees: number,
  yDegrees: number,
  zDegrees: number,
  { xy, yz, zx, triple }: EulerSigns,
): void {
  const x = (xDegrees * RADIANS) / 2;
  const y = (yDegrees * RADIANS) / 2;
  const z = (zDegrees * RADIANS) / 2;
  const sx = sin(x);
  const cx = cos(x);
  const sy = sin(y);
  const cy = cos(y);
  const sz = sin(z);
  const cz = cos(z);
  out[o] = sx * cy * cz + yz * cx * sy * sz;
  out[o + 1] = cx * sy * cz + zx * sx * cy * sz;
  out[o + 2] = cx * cy * sz + xy * sx * sy * cz;
  out[o + 3] = cx * cy * cz + triple * sx * sy * sz;
}

const turn = new Float64Array(4);
const vector = new Float64Array(3);

/**
 * Takes a model's animated values to its local translation and turn. The scale is the model's own.
 * @param rotation the turn R as a quaternion, at `j`.
 */
export function localTransform(
  outTranslation: Float64Array,
  i: number,
  outRotation: Float64Array,
  j: number,
  model: ModelTransform,
  translation: ArrayLike<number>,
  rotation: Float64Array,
  scaling: ArrayLike<number>,
): void {
  multiplyQuaternions(turn, 0, model.preRotation, 0, rotation, 0);
  multiplyQuaternions(turn, 0, turn, 0, model.inversePostRotation, 0);
  const { rotationOffset, rotationPivot, scalingOffset, scalingPivot } = model;
  for (let c = 0; c < 3; c++)
    vector[c] = scalingOffset[c]! + scalingPivot[c]! - rotationPivot[c]! - scaling[c]! * scalingPivot[c]!;
  if (model.hasPivots) rotateVector(vector, 0, turn, 0, vector, 0);
  for (let c = 0; c < 3; c++)
    outTranslation[i + c] = translation[c]! + rotationOffset[c]! + rotationPivot[c]! + vector[c]!;
  for (let c = 0; c < 4; c++) outRotation[j + c] = turn[c]!;
}

const inverse = new Float64Array(4);

/** The way back of {@link localTransform}: the values T and R whose local transform is the given one. */
export function animatedValues(
  outTranslation: Float64Array,
  outRotation: Float64Array,
  model: ModelTransform,
  translation: ArrayLike<number>,
  rotation: Float64Array,
  scaling: ArrayLike<number>,
): void {
  const { rotationOffset, rotationPivot, scalingOffset, scalingPivot, preRotation } = model;
  for (let c = 0; c < 3; c++)
    vector[c] = scalingOffset[c]! + scalingPivot[c]! - rotationPivot[c]! - scaling[c]! * scalingPivot[c]!;
  if (model.hasPivots) rotateVector(vector, 0, rotation, 0, vector, 0);
  for (let c = 0; c < 3; c++)
    outTranslation[c] = translation[c]! - rotationOffset[c]! - rotationPivot[c]! - vector[c]!;
  // R = Rpre⁻¹ · turn · Rpost
  for (let c = 0; c < 4; c++) inverse[c] = c < 3 ? -preRotation[c]! : preRotation[c]!;
  multiplyQuaternions(turn, 0, inverse, 0, rotation, 0);
  for (let c = 0; c < 4; c++)
    inverse[c] = c < 3 ? -model.inversePostRotation[c]! : model.inversePostRotation[c]!;
  multiplyQuaternions(outRotation, 0, turn, 0, inverse, 0);
}
