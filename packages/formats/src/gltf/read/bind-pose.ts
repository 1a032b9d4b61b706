import { invertMatrix, multiplyMatrices, type Pose, type Warning } from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { bindToLocal, findCommonTransform } from '../../shared/bind-pose.js';
import type { GltfDocument } from '../document.js';
import { readFloats } from './accessor.js';
import type { NodeTree } from './node-tree.js';
import type { FoundSkeleton } from './skeletons.js';

/**
 * The inverse bind matrices of a skin, 16 numbers a joint; identities where the file gives none. Matrices
 * that are not finite or flatten space become identities, with a warning.
 * @returns null, with a warning, where the file's matrices cannot be read: a motion needs no skin.
 */
export function readInverseBinds(
  document: GltfDocument,
  skin: number,
  warnings: Warning[],
): Float64Array | null {
  const { joints, inverseBindMatrices } = document.json.skins![skin]!;
  const out = new Float64Array(16 * joints.length);
  for (let i = 0; i < joints.length; i++) for (let d = 0; d < 16; d += 5) out[16 * i + d] = 1;
  if (inverseBindMatrices === undefined) return out;
  const at = `skins[${skin}].inverseBindMatrices`;
  let read: { values: Float32Array; count: number };
  try {
    read = readFloats(document, inverseBindMatrices, ['MAT4'], at, joints.length);
  } catch (error) {
    if (!isMendable(error)) throw error;
    warnings.push({ code: 'file-repaired', message: `Skin ${skin} was not read: ${error.message}.` });
    return null;
  }
  const { values, count } = read;
  const inverse = new Float64Array(16);
  let bad = joints.length - Math.min(count, joints.length);
  for (let i = 0; i < Math.min(count, joints.length); i++) {
    const matrix = Float64Array.from(values.subarray(16 * i, 16 * i + 16));
    if (matrix.every(Number.isFinite) && invertMatrix(inverse, 0, matrix, 0)) out.set(matrix, 16 * i);
    else bad++;
  }
  if (bad > 0)
    warnings.push({
      code: 'file-repaired',
      message: `${bad} of ${joints.length} inverse bind matrices of skin ${skin} are missing or flat; identities were taken.`,
    });
  return out;
}

/**
 * The pose in which a skeleton's skins were bound, as local transforms.
 *
 * Inverse bind matrices lead from the mesh's own space, which may lie anywhere (under a 0.01 armature,
 * quantised, Z-up). Per skin one common transform C takes that space to the scene: where bind and rest agree
 * every joint gives the same C = restWorld · inverseBind, and with it bind is rest. Where they do not, C is
 * the scene's, the armature's or the mesh's own space, whichever fits in scale and brings the two closest.
 * @param users the first node that uses each skin; see {@link findSkinUsers}.
 * @returns undefined where no skin has matrices.
 */
export function readBindPose(
  document: GltfDocument,
  tree: NodeTree,
  { skeleton, jointOfNode, skins }: FoundSkeleton,
  users: ReadonlyMap<number, number>,
  warnings: Warning[],
): Pose | undefined {
  const count = skeleton.names.length;
  const worlds = new Float64Array(16 * count);
  const isBound = new Uint8Array(count);
  for (const skin of skins) {
    const { joints, inverseBindMatrices } = document.json.skins![skin]!;
    if (inverseBindMatrices === undefined || joints.length === 0) continue;
    const inverses = readInverseBinds(document, skin, warnings);
    if (!inverses) continue;
    const binds = new Float64Array(inverses.length);
    for (let i = 0; i < joints.length; i++) invertMatrix(binds, 16 * i, inverses, 16 * i);
    const user = users.get(skin);
    const common = findCommonTransform(tree, joints, inverses, binds, user === undefined ? [] : [user]);
    joints.forEach((node, i) => {
      const joint = jointOfNode[node]!;
      if (isBound[joint]) return;
      isBound[joint] = 1;
      multiplyMatrices(worlds, 16 * joint, common, 0, binds, 16 * i);
    });
  }
  return isBound.includes(1) ? bindToLocal(skeleton, worlds, isBound) : undefined;
}

/** The first node that uses each skin. */
export function findSkinUsers(document: GltfDocument): Map<number, number> {
  const users = new Map<number, number>();
  (document.json.nodes ?? []).forEach(({ skin }, i) => {
    if (skin !== undefined && !users.has(skin)) users.set(skin, i);
  });
  return users;
}
