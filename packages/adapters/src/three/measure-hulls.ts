import { SKINNED, type Skeleton, transformPoint } from '@stuntdouble/core';
import { Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { addVertex, joinHulls, type SkinHulls } from '../skin-hulls.js';
import { jointOfBone } from './bind-pose.js';

/** The hulls of a mesh, as long as it has these vertices and is bound to this skeleton. */
type MeshHulls = { vertices: unknown; version: number; skeleton: unknown; hulls: SkinHulls };

/** Meshes are measured once: their vertices do not change while they play, and tell of it where they do. */
const measured = new WeakMap<SkinnedMesh, MeshHulls>();

/** Gives a skeleton the extreme points of the skin that follows each joint, so that floors and soles are known. */
export function measureHulls(
  skeleton: Skeleton,
  jointOf: ReadonlyMap<Object3D, number>,
  meshes: readonly SkinnedMesh[],
): void {
  const parts: Float32Array[][] = skeleton.names.map(() => []);
  for (const mesh of meshes)
    for (const [place, { points }] of hullsOf(mesh)) {
      const bone = mesh.skeleton.bones[place];
      const joint = bone ? jointOfBone(bone, jointOf) : -1;
      if (joint < 0) continue;
      skeleton.flags[joint]! |= SKINNED;
      parts[joint]!.push(points);
    }
  skeleton.hulls = joinHulls(parts);
}

function hullsOf(mesh: SkinnedMesh): SkinHulls {
  const known = measured.get(mesh);
  const { position: vertices } = mesh.geometry.attributes;
  const version = vertices && 'version' in vertices ? vertices.version : 0;
  const { skeleton } = mesh;
  if (known?.vertices === vertices && known?.version === version && known.skeleton === skeleton)
    return known.hulls;
  const hulls = measureMesh(mesh);
  measured.set(mesh, { vertices, version, skeleton, hulls });
  return hulls;
}

function measureMesh(mesh: SkinnedMesh): SkinHulls {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  const hulls: SkinHulls = new Map();
  if (!position || !skinIndex || !skinWeight) return hulls;
  const toBones = mesh.skeleton.boneInverses.map((inverse) =>
    Float64Array.from(new Matrix4().multiplyMatrices(inverse, mesh.bindMatrix).elements),
  );
  const point = new Float64Array(3);
  for (let v = 0; v < position.count; v++) {
    let place = -1;
    let most = 0;
    for (let c = 0; c < 4; c++) {
      const weight = skinWeight.getComponent(v, c);
      if (!(weight > most)) continue;
      most = weight;
      place = skinIndex.getComponent(v, c);
    }
    const toBone = toBones[place];
    if (!toBone) continue;
    point[0] = position.getX(v);
    point[1] = position.getY(v);
    point[2] = position.getZ(v);
    transformPoint(point, 0, toBone, 0, point, 0);
    addVertex(hulls, place, point);
  }
  return hulls;
}
