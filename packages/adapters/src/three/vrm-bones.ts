import {
  invertMatrix,
  modelPoseOf,
  multiplyMatrices,
  SKINNED,
  type Skeleton,
  transformPoint,
} from '@stuntdouble/core/engine';
import type { Object3D } from 'three';
import type { VrmHumanoid, VrmLike } from './animated-object.js';

/** Which of a VRM's two skeletons: the one that the skin follows, or the one that is copied onto it. */
export type VrmBonesChoice = 'raw' | 'normalized';

/**
 * The skeleton of a VRM that is meant where nobody says which: the one that clips move, where there are clips; else the
 * one that is seen after `vrm.update()`.
 */
export function chooseVrmBones(vrm: VrmLike | null, animated: ReadonlySet<Object3D>): VrmBonesChoice {
  if (!vrm) return 'raw';
  const { humanoid } = vrm;
  const isMoved = (bones: VrmHumanoid['humanBones']) =>
    Object.values(bones).some((bone) => bone !== undefined && animated.has(bone.node));
  if (isMoved(humanoid.normalizedHumanBones)) return 'normalized';
  if (isMoved(humanoid.humanBones)) return 'raw';
  return humanoid.autoUpdateHumanBones === true ? 'normalized' : 'raw';
}

/** A skeleton of a VRM, and the joint of each object. */
type Read = { skeleton: Skeleton; jointOf: ReadonlyMap<Object3D, number> };

/**
 * Gives the normalized skeleton of a VRM the skin of the raw one, so that floors and soles are known: no mesh follows
 * its joints, but they stand where the raw ones stand at rest.
 */
export function borrowHulls(humanoid: VrmHumanoid, normalized: Read, raw: Read): void {
  const { hulls } = raw.skeleton;
  if (!hulls) return;
  const from = modelPoseOf(raw.skeleton, raw.skeleton.rest).matrices;
  const to = modelPoseOf(normalized.skeleton, normalized.skeleton.rest).matrices;
  const way = new Float64Array(16);
  normalized.skeleton.hulls = normalized.skeleton.names.map(() => null);
  for (const [role, bone] of Object.entries(humanoid.normalizedHumanBones)) {
    const other = humanoid.humanBones[role];
    const joint = bone && normalized.jointOf.get(bone.node);
    const place = other && raw.jointOf.get(other.node);
    const hull = place === undefined ? null : hulls[place];
    if (joint === undefined || place === undefined || !hull) continue;
    if (!invertMatrix(way, 0, to, 16 * joint)) continue;
    multiplyMatrices(way, 0, way, 0, from, 16 * place);
    const points = new Float32Array(hull.length);
    for (let p = 0; p < hull.length; p += 3) transformPoint(points, p, way, 0, hull, p);
    normalized.skeleton.hulls[joint] = points;
    normalized.skeleton.flags[joint]! |= SKINNED;
  }
}
