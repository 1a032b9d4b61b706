import { SKINNED, type Skeleton, transformPoint } from '@stuntdouble/core';
import { Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { addVertex, joinHulls, type SkinHulls } from '../shared/skin-hulls.js';
import { jointOfBone } from './bind-pose.js';

/** The hulls of a mesh, as long as it has these vertices and is bound like this to this skeleton. */
type MeshHulls = {
  vertices: unknown;
  version: number;
  skeleton: unknown;
  /** The mesh's bind matrix, then the bone's inverse for each hull, in order. */
  binds: Float64Array;
  hulls: SkinHulls;
};

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
  if (
    known?.vertices === vertices &&
    known?.version === version &&
    known.skeleton === skeleton &&
    isBoundAs(mesh, known)
  )
    return known.hulls;
  const hulls = measureMesh(mesh);
  measured.set(mesh, { vertices, version, skeleton, binds: bindsOf(mesh, hulls), hulls });
  return hulls;
}

function bindsOf({ bindMatrix, skeleton }: SkinnedMesh, hulls: SkinHulls): Float64Array {
  const binds = new Float64Array(16 * (1 + hulls.size));
  binds.set(bindMatrix.elements);
  let at = 16;
  for (const place of hulls.keys()) {
    binds.set(skeleton.boneInverses[place]!.elements, at);
    at += 16;
  }
  return binds;
}

/** Whether a mesh is bound as it was: `calculateInverses` and `bind` write into what there is. */
function isBoundAs({ bindMatrix, skeleton }: SkinnedMesh, { binds, hulls }: MeshHulls): boolean {
  let at = 16;
  for (const place of hulls.keys()) {
    const elements = skeleton.boneInverses[place]?.elements;
    for (let n = 0; n < 16; n++) if (elements?.[n] !== binds[at + n]) return false;
    at += 16;
  }
  for (let n = 0; n < 16; n++) if (bindMatrix.elements[n] !== binds[n]) return false;
  return true;
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
