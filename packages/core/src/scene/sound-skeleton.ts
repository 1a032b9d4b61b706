import { ONES } from '../base/math/flat-constants.js';
import { hypot, squared } from '../base/math/functions.js';
import { composeMatrix, createMatrix, multiplyMatrices } from '../base/math/matrix.js';
import { normalizeQuaternion } from '../base/math/quaternion.js';
import type { Warning } from '../base/warnings.js';
import { copyPose, type Pose } from './pose.js';
import type { Skeleton } from './skeleton.js';
import { areLate, type SkinBonds } from './skin-bonds.js';

/*
 * Everything that is computed of a skeleton supposes that its turns have length 1 and that its joints are somewhere.
 * Files and programs give others: bind poses of singular matrices, quaternions that were never normalised, offsets
 * near the largest number there is. They are put right once, before anything is made of them, so that nothing later
 * need look. What is sound stays as it is to the last bit.
 */

/**
 * No joint lies farther out, in file units and in metres: a light year. Squares and cubes of it, per second and
 * sixtieth of a second, are still numbers that a float32 holds.
 */
export const FARTHEST_JOINT = 1e16;

/** A larger scale is none: a light year, were the joint a metre long. A smaller one than its inverse is 0. */
const LARGEST_SCALE = 1e16;

/** Turns of files are of length 1 but for a float32's rounding; the square of one that is not is this far off. */
const NOT_UNIT = 1e-5;

/** Off by so much in length, a quaternion was not merely rounded: somebody should know. */
const TOLD = 1e-3;

/**
 * A skeleton that can be computed with, and what had to be replaced for that; the given one itself where nothing had
 * to be. The given one is not changed.
 */
export function soundSkeleton(skeleton: Skeleton): { skeleton: Skeleton; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const container = soundContainer(skeleton, warnings);
  const placed = container === skeleton.container ? skeleton : { ...skeleton, container };
  const rest = soundPose(placed, skeleton.rest, null, 'rest pose', warnings);
  const bind = skeleton.bind && soundPose(placed, skeleton.bind, rest, 'bind pose', warnings);
  const hulls = skeleton.hulls && soundHulls(skeleton.hulls);
  const { bonds, ...unbound } = skeleton;
  const isBound = !bonds || areSoundBonds(bonds, skeleton.names.length);
  const same =
    isBound &&
    container === skeleton.container &&
    rest === skeleton.rest &&
    bind === skeleton.bind &&
    hulls === skeleton.hulls;
  if (same) return { skeleton, warnings };
  return {
    skeleton: {
      ...(isBound ? skeleton : unbound),
      container,
      rest,
      ...(bind && { bind }),
      ...(hulls && { hulls }),
    },
    warnings,
  };
}

/**
 * A pose of a skeleton that can be computed with: turns of length 1, numbers that are some, joints that are somewhere.
 * The given one where it is so already.
 * @param instead What takes the place of numbers that are none; no turn, no offset and no scale where null.
 */
export function soundPose(
  skeleton: Skeleton,
  pose: Pose,
  instead: Pose | null,
  what: string,
  warnings: Warning[],
): Pose {
  let out = pose;
  const own = () => {
    if (out === pose) out = copyPose(pose);
    return out;
  };
  const replaced = new Set<number>();
  const stretched = new Set<number>();
  const { translations, rotations, scales } = pose;
  for (let i = 0; i < translations.length; i++)
    if (!(Math.abs(translations[i]!) <= FARTHEST_JOINT)) {
      own().translations[i] = instead ? instead.translations[i]! : 0;
      replaced.add(Math.floor(i / 3));
    }
  for (let i = 0; i < scales.length; i++)
    if (!(Math.abs(scales[i]!) <= LARGEST_SCALE)) {
      own().scales[i] = instead ? instead.scales[i]! : 1;
      replaced.add(Math.floor(i / 3));
    } else if (scales[i] !== 0 && Math.abs(scales[i]!) < 1 / LARGEST_SCALE) own().scales[i] = 0;
  for (let i = 0; i < rotations.length; i += 4) {
    const square =
      squared(rotations[i]!) +
      squared(rotations[i + 1]!) +
      squared(rotations[i + 2]!) +
      squared(rotations[i + 3]!);
    if (Math.abs(square - 1) < NOT_UNIT) continue;
    const isTurn = square > 1e-24 && square < Number.POSITIVE_INFINITY;
    if (isTurn || !instead) normalizeQuaternion(own().rotations, i, rotations, i);
    else for (let c = 0; c < 4; c++) own().rotations[i + c] = instead.rotations[i + c]!;
    if (!isTurn) replaced.add(i / 4);
    else if (Math.abs(Math.sqrt(square) - 1) > TOLD) stretched.add(i / 4);
  }
  for (const joint of findFarJoints(skeleton, out)) {
    own();
    for (let c = 0; c < 3; c++) {
      out.translations[3 * joint + c] = 0;
      out.scales[3 * joint + c] = 1;
    }
    replaced.add(joint);
  }
  const whose = `the ${what} of "${skeleton.name}" holds`;
  warn('value-not-finite', skeleton, replaced, `${whose} numbers that place no joint`, warnings);
  warn('turn-not-unit', skeleton, stretched, `${whose} turns whose length is not 1`, warnings);
  return out;
}

function warn(
  code: 'value-not-finite' | 'turn-not-unit',
  { names }: Skeleton,
  joints: ReadonlySet<number>,
  what: string,
  warnings: Warning[],
): void {
  if (joints.size === 0) return;
  const [first] = [...joints].sort((a, b) => a - b);
  const name = names[first!]!;
  const others = joints.size > 1 ? ` and ${joints.size - 1} more` : '';
  warnings.push({
    code,
    joint: name,
    message: `${what}, at "${name}"${others}; they were replaced`,
  });
}

/**
 * Joints that scales and offsets of many take farther away than there is room, although each by itself is fine. Each is
 * found as if those before had neither offset nor scale.
 */
function findFarJoints({ parents, container }: Skeleton, pose: Pose): number[] {
  const far: number[] = [];
  const matrices = new Float64Array(16 * parents.length);
  const local = createMatrix();
  const place = (i: number) => {
    const p = parents[i]!;
    if (p < 0) multiplyMatrices(matrices, 16 * i, container, 0, local, 0);
    else multiplyMatrices(matrices, 16 * i, matrices, 16 * p, local, 0);
  };
  for (let i = 0; i < parents.length; i++) {
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    place(i);
    let largest = 0;
    for (let c = 16 * i; c < 16 * i + 15; c++) largest = Math.max(largest, Math.abs(matrices[c]!));
    if (largest <= FARTHEST_JOINT) continue;
    far.push(i);
    // As it will be: turned, but where its parent is and as large.
    composeMatrix(local, 0, NOWHERE, 0, pose.rotations, 4 * i, ONES, 0);
    place(i);
  }
  return far;
}

const NOWHERE = new Float64Array(3);

/** A container of numbers that turns and scales: no scale of 0, no number that is none. */
function soundContainer({ name, container }: Skeleton, warnings: Warning[]): Skeleton['container'] {
  let isSound = true;
  for (let c = 0; c < 16; c++) if (!(Math.abs(container[c]!) <= FARTHEST_JOINT)) isSound = false;
  for (let column = 0; column < 12; column += 4) {
    const length = hypot(container[column]!, container[column + 1]!, container[column + 2]!);
    if (!(length > 1 / LARGEST_SCALE)) isSound = false;
  }
  if (isSound) return container;
  warnings.push({
    code: 'value-not-finite',
    message: `what "${name}" hangs on places it nowhere, or makes it flat; it was taken to stand at the origin, as large as it is`,
  });
  return createMatrix();
}

/** Whether bonds are between joints that are there, and hold numbers only. */
function areSoundBonds(bonds: SkinBonds, count: number): boolean {
  // Nobody can have changed what nobody has looked at.
  if (areLate(bonds)) return bonds.weights.length === count && bonds.weights.every(Number.isFinite);
  const { joints, strengths, weights, centres } = bonds;
  return (
    weights.length === count &&
    centres.length === 3 * count &&
    joints.length === 2 * strengths.length &&
    joints.every((joint) => joint >= 0 && joint < count) &&
    strengths.every(Number.isFinite) &&
    weights.every(Number.isFinite) &&
    centres.every((x) => Math.abs(x) <= FARTHEST_JOINT)
  );
}

/** Hulls without those that hold numbers that are none. */
function soundHulls(hulls: NonNullable<Skeleton['hulls']>): NonNullable<Skeleton['hulls']> {
  const isSound = (hull: Float32Array | null) => {
    if (hull) for (let i = 0; i < hull.length; i++) if (!(Math.abs(hull[i]!) <= FARTHEST_JOINT)) return false;
    return true;
  };
  return hulls.every(isSound) ? hulls : hulls.map((hull) => (isSound(hull) ? hull : null));
}
