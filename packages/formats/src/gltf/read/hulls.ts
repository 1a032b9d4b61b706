import {
  type BondGatherer,
  gatherBonds,
  JOINT,
  SKINNED,
  type Skeleton,
  transformPoint,
  type Warning,
} from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { addExtremePoint, type Extremes, extremePoints } from '../../shared/extreme-points.js';
import { findMeshHolder, type MeshHolder } from '../../shared/mesh-holder.js';
import { findHolders, type NodeOwners } from '../../shared/node-owners.js';
import type { GltfDocument } from '../document.js';
import { readInverseBinds } from './bind-pose.js';
import { type Geometry, readGeometry, readTriangles, takeVertices, type VertexBudget } from './geometry.js';
import type { NodeTree } from './node-tree.js';
import type { FoundSkeleton } from './skeletons.js';

/**
 * Finds per joint the extreme points of the vertices that follow it most, in the joint's own space, what the skin
 * ties together, and marks the joints that carry weight. Meshes that hang rigidly on a joint count as following it.
 * @param meshNodes the nodes whose meshes may follow it; see {@link findMeshOwners}.
 */
export function measureHulls(
  document: GltfDocument,
  tree: NodeTree,
  found: FoundSkeleton,
  meshNodes: readonly number[],
  budget: VertexBudget,
  warnings: Warning[],
): void {
  const { skeleton, jointOfNode, skins } = found;
  const extremes: (Extremes | null)[] = skeleton.names.map(() => null);
  const bonds = gatherBonds(skeleton.names.length);
  const inverses = new Map(skins.map((skin) => [skin, readInverseBinds(document, skin, [])]));
  for (const i of meshNodes) {
    const node = document.json.nodes![i]!;
    if (node.mesh === undefined) continue;
    budget.left -= 8;
    if (budget.left < 0) break;
    const inverse = node.skin === undefined ? undefined : inverses.get(node.skin);
    const isSkinned = node.skin !== undefined && inverse;
    const hold = isSkinned || node.skin !== undefined ? null : holderOf(tree, found, i);
    if (!isSkinned && !hold) continue;
    for (const [p, primitive] of document.json.meshes![node.mesh]!.primitives.entries()) {
      const at = `meshes[${node.mesh}].primitives[${p}]`;
      if (!takeVertices(budget, document, primitive)) break;
      try {
        const geometry = readGeometry(document, primitive, at);
        if (!geometry) continue;
        if (hold) addRigid(extremes, bonds, skeleton, geometry, hold, skins.length === 0);
        else {
          const joints = document.json.skins![node.skin!]!.joints.map((joint) => jointOfNode[joint]!);
          addSkinned(extremes, skeleton, geometry, joints, inverse!);
          bonds.addSkin({
            positions: geometry.positions,
            influences: geometry.influences,
            joints,
            inverses: inverse!,
            triangles: readTriangles(document, primitive, geometry, at),
          });
        }
      } catch (error) {
        if (!isMendable(error)) throw error;
        // A mesh that cannot be read is no reason to refuse a motion.
        warnings.push({ code: 'file-repaired', message: `Vertices were not read: ${error.message}.` });
      }
    }
  }
  if (budget.left < 0 && !budget.isTold) {
    budget.isTold = true;
    warnings.push({
      code: 'feature-ignored',
      message: 'The file shows more vertices than any character has; not all of them were measured.',
    });
  }
  skeleton.hulls = extremes.map((extreme) => extreme && extremePoints(extreme));
  const bound = bonds.finish();
  if (bound) skeleton.bonds = bound;
}

/** Which skeletons the meshes of a file may follow. */
export type MeshOwners = {
  /** Per node with a mesh the places of the skeletons: that of its skin, or those that it may hang on. */
  ofNode: ReadonlyMap<number, readonly number[]>;
  /** Per skeleton the nodes with a mesh, rising. */
  nodes: readonly (readonly number[])[];
};

/** Finds which skeletons the meshes of a file may follow, in one walk over its nodes. */
export function findMeshOwners(
  { json }: GltfDocument,
  tree: NodeTree,
  found: readonly FoundSkeleton[],
  owners: NodeOwners,
): MeshOwners {
  const holders = findHolders(tree, owners, (i, node) => {
    const { skeleton, jointOfNode, skins } = found[i]!;
    return skins.length === 0 || (skeleton.flags[jointOfNode[node]!]! & JOINT) !== 0;
  });
  const bySkin = new Map<number, readonly number[]>();
  found.forEach(({ skins }, i) => {
    for (const skin of skins) if (!bySkin.has(skin)) bySkin.set(skin, [i]);
  });
  const nodes = found.map((): number[] => []);
  const ofNode = new Map<number, readonly number[]>();
  (json.nodes ?? []).forEach(({ mesh, skin }, n) => {
    if (mesh === undefined) return;
    const own = skin === undefined ? holders[n]! : (bySkin.get(skin) ?? []);
    ofNode.set(n, own);
    for (const i of own) nodes[i]!.push(n);
  });
  return { ofNode, nodes };
}

/** The joint that a mesh without a skin follows; null where it hangs on none, as scenery does. */
export function holderOf(tree: NodeTree, found: FoundSkeleton, node: number): MeshHolder | null {
  return findMeshHolder(tree, found.skeleton, found.jointOfNode, node, found.skins.length > 0);
}

function addRigid(
  extremes: (Extremes | null)[],
  bonds: BondGatherer,
  skeleton: Skeleton,
  geometry: Geometry,
  hold: MeshHolder,
  isSkinless: boolean,
): void {
  if (isSkinless) skeleton.flags[hold.joint]! |= SKINNED;
  const point = new Float64Array(3);
  for (let v = 0; v < geometry.count; v++) {
    transformPoint(point, 0, hold.toJoint, 0, geometry.positions, 3 * v);
    addExtremePoint(extremes, hold.joint, point);
    bonds.addRigid(hold.joint, point);
  }
}

function addSkinned(
  extremes: (Extremes | null)[],
  skeleton: Skeleton,
  geometry: Geometry,
  joints: number[],
  inverses: Float64Array,
): void {
  const point = new Float64Array(3);
  for (let v = 0; v < geometry.count; v++) {
    let best = -1;
    let most = 0;
    for (const set of geometry.influences)
      for (let c = 0; c < 4; c++) {
        const weight = set.weights[4 * v + c]!;
        const place = set.joints[4 * v + c]!;
        if (!(weight > 0) || place >= joints.length) continue;
        skeleton.flags[joints[place]!]! |= SKINNED;
        if (weight > most) {
          most = weight;
          best = place;
        }
      }
    if (best < 0) continue;
    transformPoint(point, 0, inverses, 16 * best, geometry.positions, 3 * v);
    addExtremePoint(extremes, joints[best]!, point);
  }
}
