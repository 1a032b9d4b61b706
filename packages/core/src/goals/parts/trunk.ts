import { lengthOf } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { Role } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import { extremeSkin } from './skin-points.js';

/** A joint of torso or head, with points of itself and its skin in local space. */
export type TrunkPart = {
  joint: number;
  skin: Float64Array;
  /** How far the farthest of the points is from the joint, in metres. */
  girth: number;
  /** How far its points are from what would touch the floor, in metres: 0 where they are its skin. */
  thickness: number;
};

/** Torso and head, and the arms and thighs, which lie with them. */
export type Trunk = { trunk: TrunkPart[]; limbs: TrunkPart[] };

/** The thickness of a trunk without skin, in hip heights: of an adult. */
const TRUNK_THICKNESS = 0.12;

const TRUNK_ROLES: readonly Role[] = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'];
/** Limbs that are on the floor with the trunk of a body that lies, each down to the next joint. */
const LYING_LIMBS: readonly (readonly [Role, Role])[] = (['left', 'right'] as const).flatMap((side) => [
  [`${side}UpperArm`, `${side}LowerArm`] as const,
  [`${side}LowerArm`, `${side}Hand`] as const,
  [`${side}UpperLeg`, `${side}LowerLeg`] as const,
]);

/**
 * Finds torso and head of a body, then its arms and thighs, and the skin that follows each joint of them.
 * @param unit Its hip height in metres.
 */
export function trunkOf(
  { skeleton, floor: { height: floor } }: Rig,
  model: ModelPose,
  joints: RoleJoints,
  unit: number,
): Trunk {
  const { matrices } = model;
  const hips = matrices[16 * joints.hips! + 13]!;
  const place = new Float64Array(3);
  const trunk = TRUNK_ROLES.flatMap((role): TrunkPart[] => {
    const joint = joints[role];
    if (joint === undefined) return [];
    const skin = [0, 0, 0];
    let girth = 0;
    const hull = skeleton.hulls?.[joint];
    for (let i = 0; hull && i < hull.length; i += 3) {
      transformPoint(place, 0, matrices, 16 * joint, hull, i);
      // Skin that hangs from the chest to below the hips is a cape, and from the hips to the knees a skirt.
      if (!(place[1]! > (role === 'hips' ? (hips + floor) / 2 : hips))) continue;
      skin.push(hull[i]!, hull[i + 1]!, hull[i + 2]!);
      const away = [0, 1, 2].map((c) => place[c]! - matrices[16 * joint + 12 + c]!);
      girth = Math.max(girth, lengthOf(away));
    }
    return [{ joint, skin: Float64Array.from(skin), girth, thickness: 0 }];
  });
  const limbs = LYING_LIMBS.flatMap(([role, next]): TrunkPart[] => {
    const joint = joints[role];
    if (joint === undefined) return [];
    const skin = extremeSkin(skeleton, model, joint, joints[next] ?? -1);
    return [{ joint, skin, girth: 0, thickness: 0 }];
  });
  if (trunk.every(({ girth }) => girth === 0))
    for (const part of trunk) part.thickness = TRUNK_THICKNESS * unit;
  return { trunk, limbs };
}

/**
 * out[o] = the lowest height of torso and head, in model space; +∞ where none is below a height. Into a store and in
 * one loop: a number that is given back is made on the heap where the call is not inlined.
 */
export function lowestOfTrunk(
  out: Float64Array,
  o: number,
  trunk: readonly TrunkPart[],
  matrices: Float64Array,
  below = Number.POSITIVE_INFINITY,
): void {
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < trunk.length; n++) {
    const { joint, skin, girth } = trunk[n]!;
    const m = 16 * joint;
    const up = matrices[m + 13]!;
    if (up - girth > below) continue;
    const x = matrices[m + 1]!;
    const y = matrices[m + 5]!;
    const z = matrices[m + 9]!;
    for (let i = 0; i < skin.length; i += 3) {
      const height = x * skin[i]! + y * skin[i + 1]! + z * skin[i + 2]! + up;
      if (height < lowest) lowest = height;
    }
  }
  out[o] = lowest;
}
