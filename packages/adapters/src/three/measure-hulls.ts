import { type BondsPart, joinBonds, SKINNED, type Skeleton, type SkinBonds } from '@stuntdouble/core/engine';
import { type BufferGeometry, Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { joinHulls, measureSkin, type SkinHulls } from '../shared/skin-hulls.js';
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
    for (const [place, points] of hulls) {
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
  const { geometry, bindMatrix } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes;
  if (!position || !skinIndex || !skinWeight) return { hulls: new Map(), bonds: null };
  const { boneInverses } = mesh.skeleton;
  const inverses = new Float64Array(16 * boneInverses.length);
  const toBone = new Matrix4();
  boneInverses.forEach((inverse, place) => {
    inverses.set(toBone.multiplyMatrices(inverse, bindMatrix).elements, 16 * place);
  });
  const { count } = position;
  return measureSkin({
    positions: numbersOf(position, 3, [Float32Array]) ?? copyNumbers(position, new Float32Array(3 * count)),
    places:
      numbersOf(skinIndex, 4, [Uint8Array, Uint16Array]) ??
      copyNumbers(skinIndex, new Uint16Array(4 * count)),
    weights: numbersOf(skinWeight, 4, [Float32Array]) ?? copyNumbers(skinWeight, new Float32Array(4 * count)),
    inverses,
    isBone: () => true,
    triangles: geometry.index?.array ?? Uint32Array.from({ length: count }, (_, v) => v),
  });
}

type Attribute = BufferGeometry['attributes'][string];

/** The numbers of an attribute where they lie one behind the other, as they are meant. */
function numbersOf(
  attribute: Attribute,
  size: number,
  kinds: readonly (new () => ArrayLike<number>)[],
): ArrayLike<number> | null {
  if (!('isBufferAttribute' in attribute) || attribute.normalized || attribute.itemSize !== size) return null;
  const { array } = attribute;
  return kinds.some((kind) => array instanceof kind) ? array : null;
}

/** The numbers of any other attribute: shorter or interleaved ones, or integers that stand for fractions. */
function copyNumbers<T extends Float32Array | Uint16Array>(attribute: Attribute, out: T): T {
  const size = out.length / attribute.count;
  for (let v = 0; v < attribute.count; v++)
    for (let c = 0; c < size; c++) out[size * v + c] = attribute.getComponent(v, c);
  return out;
}
