import type { Bone } from '@babylonjs/core/Bones/bone.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import {
  type BondsPart,
  gatherBonds,
  joinBonds,
  SKINNED,
  type Skeleton,
  type SkinBonds,
  transformPoint,
} from '@stuntdouble/core/engine';
import { addVertex, joinHulls, type SkinHulls } from '../../shared/skin-hulls.js';

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
    for (const [index, hull] of hulls) {
      const joint = jointOf.get(bones.get(index));
      if (joint === undefined) continue;
      skeleton.flags[joint]! |= SKINNED;
      parts[joint]!.push(hull.points);
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
  const hulls: SkinHulls = new Map();
  if (!positions || !indices || !weights) return { hulls, bonds: null };
  // Babylon's row-vector matrices lie in memory as column-vector ones do, transposed: the same numbers.
  const toBones = new Map(
    [...bones].map(([index, bone]) => [index, Float64Array.from(bone.getAbsoluteInverseBindMatrix().m)]),
  );
  const point = new Float64Array(3);
  for (let v = 0; 3 * v + 2 < positions.length; v++) {
    let bone = -1;
    let most = 0;
    for (let c = 0; c < 4; c++) {
      const weight = weights[4 * v + c]!;
      if (!(weight > most)) continue;
      most = weight;
      bone = indices[4 * v + c]!;
    }
    const toBone = toBones.get(bone);
    if (!toBone) continue;
    for (let c = 0; c < 3; c++) point[c] = positions[3 * v + c]!;
    transformPoint(point, 0, toBone, 0, point, 0);
    addVertex(hulls, bone, point);
  }
  const count = 1 + Math.max(-1, ...bones.keys());
  const inverses = new Float64Array(16 * count);
  for (const [index, toBone] of toBones) if (index >= 0) inverses.set(toBone, 16 * index);
  const gatherer = gatherBonds(count);
  gatherer.addSkin({
    positions,
    influences: [{ joints: indices, weights }],
    joints: Int32Array.from({ length: count }, (_, index) => (bones.has(index) ? index : -1)),
    inverses,
    triangles: mesh.getIndices(),
  });
  return { hulls, bonds: gatherer.finish() };
}
