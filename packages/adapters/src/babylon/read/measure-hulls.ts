import type { Bone } from '@babylonjs/core/Bones/bone.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import { type BondsPart, joinBonds, SKINNED, type Skeleton, type SkinBonds } from '@stuntdouble/core/engine';
import { joinHulls, measureSkin, type SkinHulls } from '../../shared/skin-hulls.js';

/** The hulls of a mesh and what its skin ties together, as long as it has this skeleton and these vertices. */
type MeshHulls = { skeleton: unknown; vertices: unknown; hulls: SkinHulls; bonds: SkinBonds | null };

/** Meshes are measured once: their vertices do not change while they play; who gives them others, gives a buffer. */
const measured = new WeakMap<AbstractMesh, MeshHulls>();

/** Gives a skeleton the extreme points of the skin that follows each joint, so that floors and soles are known, and what it ties together. */
export function measureHulls(
  skeleton: Skeleton,
  jointOf: ReadonlyMap<unknown, number>,
  meshes: readonly AbstractMesh[],
): void {
  const parts: Float32Array[][] = skeleton.names.map(() => []);
  const bound: BondsPart[] = [];
  for (const mesh of meshes) {
    if (!mesh.skeleton) continue;
    const bones = bonesByIndex(mesh.skeleton.bones);
    const { hulls, bonds } = hullsOf(mesh, bones);
    if (bonds) {
      const joints = bonds.weights.map((_, index) => jointOf.get(bones.get(index)) ?? -1);
      bound.push({ bonds, joints });
    }
    for (const [index, points] of hulls) {
      const joint = jointOf.get(bones.get(index));
      if (joint === undefined) continue;
      skeleton.flags[joint]! |= SKINNED;
      parts[joint]!.push(points);
    }
  }
  if (parts.some((list) => list.length > 0)) skeleton.hulls = joinHulls(parts);
  const bonds = joinBonds(skeleton.names.length, bound);
  if (bonds) skeleton.bonds = bonds;
}

/** Bones by the number that vertices know them by. */
function bonesByIndex(bones: readonly Bone[]): Map<number, Bone> {
  return new Map(bones.map((bone) => [bone.getIndex(), bone]));
}

function hullsOf(mesh: AbstractMesh, bones: ReadonlyMap<number, Bone>): Pick<MeshHulls, 'hulls' | 'bonds'> {
  const vertices = mesh.geometry?.getVertexBuffer(VertexBuffer.PositionKind) ?? mesh.getTotalVertices();
  const known = measured.get(mesh);
  if (known && known.skeleton === mesh.skeleton && known.vertices === vertices) return known;
  const found = { skeleton: mesh.skeleton, vertices, ...measureMesh(mesh, bones) };
  measured.set(mesh, found);
  return found;
}

function measureMesh(
  mesh: AbstractMesh,
  bones: ReadonlyMap<number, Bone>,
): Pick<MeshHulls, 'hulls' | 'bonds'> {
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind);
  const indices = mesh.getVerticesData(VertexBuffer.MatricesIndicesKind);
  const weights = mesh.getVerticesData(VertexBuffer.MatricesWeightsKind);
  if (!positions || !indices || !weights) return { hulls: new Map(), bonds: null };
  const inverses = new Float64Array(16 * (1 + Math.max(-1, ...bones.keys())));
  // Babylon's row-vector matrices lie in memory as column-vector ones do, transposed: the same numbers.
  for (const [index, bone] of bones)
    if (index >= 0) inverses.set(bone.getAbsoluteInverseBindMatrix().m, 16 * index);
  return measureSkin({
    ...{ positions, places: indices, weights, inverses },
    isBone: (index) => bones.has(index),
    triangles: mesh.getIndices(),
  });
}
