import type { Bone } from '@babylonjs/core/Bones/bone.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import { SKINNED, type Skeleton, transformPoint } from '@stuntdouble/core';
import { addVertex, joinHulls, type SkinHulls } from '../../shared/skin-hulls.js';

/** The hulls of a mesh, as long as it has this skeleton and these vertices. */
type MeshHulls = { skeleton: unknown; vertices: unknown; hulls: SkinHulls };

/** Meshes are measured once: their vertices do not change while they play; who gives them others, gives a buffer. */
const measured = new WeakMap<AbstractMesh, MeshHulls>();

/** Gives a skeleton the extreme points of the skin that follows each joint, so that floors and soles are known. */
export function measureHulls(
  skeleton: Skeleton,
  jointOf: ReadonlyMap<unknown, number>,
  meshes: readonly AbstractMesh[],
): void {
  const parts: Float32Array[][] = skeleton.names.map(() => []);
  for (const mesh of meshes) {
    if (!mesh.skeleton) continue;
    const bones = bonesByIndex(mesh.skeleton.bones);
    for (const [index, hull] of hullsOf(mesh, bones)) {
      const joint = jointOf.get(bones.get(index));
      if (joint === undefined) continue;
      skeleton.flags[joint]! |= SKINNED;
      parts[joint]!.push(hull.points);
    }
  }
  if (parts.some((list) => list.length > 0)) skeleton.hulls = joinHulls(parts);
}

/** Bones by the number that vertices know them by. */
function bonesByIndex(bones: readonly Bone[]): Map<number, Bone> {
  return new Map(bones.map((bone) => [bone.getIndex(), bone]));
}

function hullsOf(mesh: AbstractMesh, bones: ReadonlyMap<number, Bone>): SkinHulls {
  const vertices = mesh.geometry?.getVertexBuffer(VertexBuffer.PositionKind) ?? mesh.getTotalVertices();
  const known = measured.get(mesh);
  if (known && known.skeleton === mesh.skeleton && known.vertices === vertices) return known.hulls;
  const hulls = measureMesh(mesh, bones);
  measured.set(mesh, { skeleton: mesh.skeleton, vertices, hulls });
  return hulls;
}

function measureMesh(mesh: AbstractMesh, bones: ReadonlyMap<number, Bone>): SkinHulls {
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind);
  const indices = mesh.getVerticesData(VertexBuffer.MatricesIndicesKind);
  const weights = mesh.getVerticesData(VertexBuffer.MatricesWeightsKind);
  const hulls: SkinHulls = new Map();
  if (!positions || !indices || !weights) return hulls;
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
  return hulls;
}
