import {
  type BondGatherer,
  gatherBonds,
  JOINT,
  multiplyMatrices,
  SKINNED,
  transformPoint,
  type Warning,
} from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { addExtremePoint, type Extremes, extremePoints } from '../../shared/extreme-points.js';
import { findMeshHolder, type MeshHolder } from '../../shared/mesh-holder.js';
import type { FbxObjects } from '../parse/objects.js';
import { geometricTransform, readPoints, readPolygons } from './geometry.js';
import type { ModelTree } from './model-tree.js';
import type { FoundSkeleton } from './skeletons.js';
import { type FbxSkin, readWeights } from './skins.js';

/**
 * Finds per joint the extreme points of the vertices that follow it most and what the skin ties together, and marks the
 * joints that carry weight.
 * @param meshes the models of meshes that may hang on its joints.
 */
export function measureHulls(
  objects: FbxObjects,
  tree: ModelTree,
  found: FoundSkeleton,
  meshes: readonly number[],
  warnings: Warning[],
): void {
  const { skeleton, skins } = found;
  const extremes: (Extremes | null)[] = skeleton.names.map(() => null);
  const bonds = gatherBonds(skeleton.names.length);
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isMendable(error)) throw error;
      // A mesh that cannot be read is no reason to refuse a motion.
      warnings.push({ code: 'file-repaired', message: `Vertices were not read: ${error.message}.` });
    }
  };
  for (const skin of skins) attempt(() => addSkinned(extremes, bonds, objects, tree, found, skin));
  const skinned = new Set(skins.map(({ geometry }) => geometry.id));
  for (const i of meshes) {
    const model = tree.models[i]!;
    const hold = holderOf(tree, found, i);
    if (!hold) continue;
    for (const { object: geometry } of objects.sourcesOf(model)) {
      if (geometry.type !== 'Geometry' || skinned.has(geometry.id)) continue;
      attempt(() => {
        const points = readPoints(objects, geometry);
        if (!points) return;
        if (skins.length === 0) skeleton.flags[hold.joint]! |= SKINNED;
        const matrix = hold.toJoint.slice();
        multiplyMatrices(matrix, 0, matrix, 0, geometricTransform(objects, model), 0);
        const point = new Float64Array(3);
        for (let v = 0; v + 2 < points.length; v += 3) {
          transformPoint(point, 0, matrix, 0, points, v);
          addExtremePoint(extremes, hold.joint, point);
          bonds.addRigid(hold.joint, point);
        }
      });
    }
  }
  skeleton.hulls = extremes.map((extreme) => extreme && extremePoints(extreme));
  const bound = bonds.finish();
  if (bound) skeleton.bonds = bound;
}

function addSkinned(
  extremes: (Extremes | null)[],
  bonds: BondGatherer,
  objects: FbxObjects,
  tree: ModelTree,
  { skeleton, jointOfModel }: FoundSkeleton,
  skin: FbxSkin,
): void {
  const points = readPoints(objects, skin.geometry);
  if (!points) return;
  const count = Math.floor(points.length / 3);
  const best = new Int32Array(count).fill(-1);
  const most = new Float64Array(count);
  // The four strongest of each point: what is bound by more is bound by these.
  const joints = new Uint16Array(4 * count);
  const shares = new Float32Array(4 * count);
  skin.clusters.forEach((cluster, n) => {
    const { vertices, weights } = readWeights(objects, cluster);
    let carries = false;
    for (let i = 0; i < vertices.length; i++) {
      const vertex = vertices[i]!;
      const weight = weights[i]!;
      if (!(weight > 0) || !(vertex >= 0 && vertex < count)) continue;
      carries = true;
      let weakest = 4 * vertex;
      for (let s = weakest + 1; s < 4 * vertex + 4; s++) if (shares[s]! < shares[weakest]!) weakest = s;
      if (weight > shares[weakest]!) {
        shares[weakest] = weight;
        joints[weakest] = n;
      }
      if (weight <= most[vertex]!) continue;
      most[vertex] = weight;
      best[vertex] = n;
    }
    if (carries) skeleton.flags[jointOfModel[cluster.joint]!]! |= SKINNED;
  });
  const geometric = geometricTransform(objects, tree.models[skin.model]!);
  const matrices = skin.clusters.map(({ inverseBind }) => {
    const matrix = new Float64Array(16);
    multiplyMatrices(matrix, 0, inverseBind, 0, geometric, 0);
    return matrix;
  });
  const inverses = new Float64Array(16 * matrices.length);
  matrices.forEach((matrix, n) => {
    inverses.set(matrix, 16 * n);
  });
  bonds.addSkin({
    positions: points,
    influences: [{ joints, weights: shares }],
    joints: skin.clusters.map((cluster) => jointOfModel[cluster.joint]!),
    inverses,
    triangles: readPolygons(objects, skin.geometry),
  });
  const point = new Float64Array(3);
  for (let v = 0; v < count; v++) {
    if (best[v]! < 0) continue;
    transformPoint(point, 0, matrices[best[v]!]!, 0, points, 3 * v);
    addExtremePoint(extremes, jointOfModel[skin.clusters[best[v]!]!.joint]!, point);
  }
}

/** Whether a model of a skeleton is one of its joints. A plain node above these holds the whole scene. */
export function isHold({ skeleton, jointOfModel }: FoundSkeleton, model: number): boolean {
  return (skeleton.flags[jointOfModel[model]!]! & JOINT) !== 0;
}

/** The joint that a mesh without a skin follows; null where it hangs on none, as scenery does. */
export function holderOf(tree: ModelTree, found: FoundSkeleton, model: number): MeshHolder | null {
  return findMeshHolder(tree, found.skeleton, found.jointOfModel, model, true);
}
