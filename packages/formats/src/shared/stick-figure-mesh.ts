import {
  composeMatrix,
  crossVectors,
  directionOf,
  invertMatrix,
  multiplyMatrices,
  type Skeleton,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core/engine';
import type { DressedMesh } from './dressed-mesh.js';

/** How thick a bone of a stick figure is, and where it is thickest, in its length. */
const THICKNESS = 0.08;
const THICKEST = 0.15;
/** A joint that ends a chain is shown as this share of the bone that leads to it. */
const TIP = 0.25;

/**
 * A stick figure of a skeleton (S22): a slim octahedron from every joint to each that hangs on it, turned by the joint
 * alone; a stub where a chain ends. For files that hold a motion and no mesh, so that other programs show something.
 * @param character Index of the skeleton's character in its scene.
 */
export function createStickFigure(skeleton: Skeleton, character: number): DressedMesh {
  const { parents, names } = skeleton;
  const worlds = bindWorlds(skeleton);
  const at = (joint: number): Vec3 => vectorAt(worlds, 16 * joint + 12);
  const isLeaf = names.map((_, joint) => !parents.includes(joint));
  const positions: number[] = [];
  const normals: number[] = [];
  const owners: number[] = [];
  const addBone = (owner: number, from: Vec3, to: Vec3) => {
    for (const corners of octahedron(from, to)) {
      const [a, b, c] = corners;
      const normal = directionOf(crossVectors(subtractVectors(b, a), subtractVectors(c, a))) ?? [0, 1, 0];
      for (const corner of corners) {
        positions.push(...corner);
        normals.push(...normal);
        owners.push(owner);
      }
    }
  };
  for (let joint = 0; joint < names.length; joint++) {
    const parent = parents[joint]!;
    if (parent < 0) continue;
    const way = subtractVectors(at(joint), at(parent));
    if (!(vectorLength(way) > 1e-9)) continue;
    addBone(parent, at(parent), at(joint));
    const end = at(joint).map((x, c) => x + TIP * way[c]!) as unknown as Vec3;
    if (isLeaf[joint]) addBone(joint, at(joint), end);
  }
  const count = owners.length;
  const joints = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  owners.forEach((owner, i) => {
    joints[4 * i] = owner;
    weights[4 * i] = 1;
  });
  const inverseBinds = new Float64Array(16 * names.length);
  for (const owner of new Set(owners)) invertMatrix(inverseBinds, 16 * owner, worlds, 16 * owner);
  return {
    name: 'stick figure',
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    triangles: Uint32Array.from({ length: count }, (_, i) => i),
    color: [0.8, 0.8, 0.8],
    character,
    skin: { joints, weights, inverseBinds },
    joint: null,
    uvs: null,
    material: null,
    morphs: [],
    whole: 0,
  };
}

/** The eight sides of a bone, seen from outside against the clock. */
function octahedron(from: Vec3, to: Vec3): [Vec3, Vec3, Vec3][] {
  const way = subtractVectors(to, from);
  const length = vectorLength(way);
  const along = directionOf(way)!;
  const aside: Vec3 = Math.abs(along[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
  const u = directionOf(crossVectors(along, aside))!;
  const v = crossVectors(along, u);
  const ring = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ].map(
    ([x, y]) =>
      from.map(
        (place, c) => place + THICKEST * way[c]! + THICKNESS * length * (x! * u[c]! + y! * v[c]!),
      ) as unknown as Vec3,
  );
  return ring.flatMap((corner, k): [Vec3, Vec3, Vec3][] => {
    const next = ring[(k + 1) % 4]!;
    return [
      [from, next, corner],
      [to, corner, next],
    ];
  });
}

/** Joints in the space of their roots, in the bind pose, or at rest where there is none. */
function bindWorlds({ parents, bind, rest, names }: Skeleton): Float64Array {
  const { translations, rotations, scales } = bind ?? rest;
  const worlds = new Float64Array(16 * names.length);
  const local = new Float64Array(16);
  parents.forEach((parent, i) => {
    composeMatrix(local, 0, translations, 3 * i, rotations, 4 * i, scales, 3 * i);
    if (parent < 0) worlds.set(local, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, local, 0);
  });
  return worlds;
}
