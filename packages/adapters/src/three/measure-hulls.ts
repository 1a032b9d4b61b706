import {
  type BondsPart,
  gatherBonds,
  joinBonds,
  SKINNED,
  type Skeleton,
  type SkinBonds,
  transformPoint,
} from '@stuntdouble/core/engine';
import { Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { addVertex, joinHulls, type SkinHulls } from '../shared/skin-hulls.js';
import { jointOfBone } from './bind-pose.js';

/** The hulls of a mesh and what its skin ties together, as long as it has these vertices and is bound like this to this skeleton. */
type MeshHulls = {
  vertices: unknown;
  version: number;
  skeleton: unknown;
  /** The mesh's bind matrix, then the bone's inverse for each hull, in order. */
  binds: Float64Array;
  hulls: SkinHulls;
  bonds: SkinBonds | null;
};

/** Meshes are measured once: their vertices do not change while they play, and tell of it where they do. */
const measured = new WeakMap<SkinnedMesh, MeshHulls>();

/** Gives a skeleton the extreme points of the skin that follows each joint, so that floors and soles are known, and what it ties together. */
export function measureHulls(
  skeleton: Skeleton,
  jointOf: ReadonlyMap<Object3D, number>,
  meshes: readonly SkinnedMesh[],
): void {
  const parts: Float32Array[][] = skeleton.names.map(() => []);
  const bound: BondsPart[] = [];
  for (const mesh of meshes) {
    const { hulls, bonds } = hullsOf(mesh);
    const joints = mesh.skeleton.bones.map((bone) => (bone ? jointOfBone(bone, jointOf) : -1));
    if (bonds) bound.push({ bonds, joints });
    for (const [place, { points }] of hulls) {
      const joint = joints[place] ?? -1;
      if (joint < 0) continue;
      skeleton.flags[joint]! |= SKINNED;
      parts[joint]!.push(points);
    }
  }
  skeleton.hulls = joinHulls(parts);
  const bonds = joinBonds(skeleton.names.length, bound);
  if (bonds) skeleton.bonds = bonds;
}

function hullsOf(mesh: SkinnedMesh): Pick<MeshHulls, 'hulls' | 'bonds'> {
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
    return known;
  const { hulls, bonds } = measureMesh(mesh);
  const found = { vertices, version, skeleton, binds: bindsOf(mesh, hulls), hulls, bonds };
  measured.set(mesh, found);
  return found;
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

function measureMesh(mesh: SkinnedMesh): Pick<MeshHulls, 'hulls' | 'bonds'> {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  const hulls: SkinHulls = new Map();
  if (!position || !skinIndex || !skinWeight) return { hulls, bonds: null };
  const toBones = mesh.skeleton.boneInverses.map((inverse) =>
    Float64Array.from(new Matrix4().multiplyMatrices(inverse, mesh.bindMatrix).elements),
  );
  const point = new Float64Array(3);
  const positions = new Float32Array(3 * position.count);
  const joints = new Uint16Array(4 * position.count);
  const weights = new Float32Array(4 * position.count);
  for (let v = 0; v < position.count; v++) {
    let place = -1;
    let most = 0;
    for (let c = 0; c < 4; c++) {
      const weight = skinWeight.getComponent(v, c);
      weights[4 * v + c] = weight;
      joints[4 * v + c] = skinIndex.getComponent(v, c);
      if (!(weight > most)) continue;
      most = weight;
      place = joints[4 * v + c]!;
    }
    point[0] = position.getX(v);
    point[1] = position.getY(v);
    point[2] = position.getZ(v);
    positions.set(point, 3 * v);
    const toBone = toBones[place];
    if (!toBone) continue;
    transformPoint(point, 0, toBone, 0, point, 0);
    addVertex(hulls, place, point);
  }
  const gatherer = gatherBonds(toBones.length);
  const inverses = new Float64Array(16 * toBones.length);
  toBones.forEach((toBone, place) => {
    inverses.set(toBone, 16 * place);
  });
  gatherer.addSkin({
    positions,
    influences: [{ joints, weights }],
    joints: toBones.map((_, place) => place),
    inverses,
    triangles: mesh.geometry.index?.array ?? Uint32Array.from({ length: position.count }, (_, v) => v),
  });
  return { hulls, bonds: gatherer.finish() };
}
