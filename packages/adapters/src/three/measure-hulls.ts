import { SKINNED, type Skeleton, transformPoint } from '@stuntdouble/core';
import { Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { jointOfBone } from './bind-pose.js';

/** Faces, edges and corners of a cube: the directions in which a joint's skin is measured. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z): [number, number, number][] => {
      const length = Math.hypot(x, y, z);
      return length === 0 ? [] : [[x / length, y / length, z / length]];
    }),
  ),
);

/** Extreme points of one mesh's vertices by the place of the bone that they follow most, in the bone's space. */
type MeshHulls = { geometry: unknown; points: Map<number, Float32Array> };

/** Meshes are measured once: their vertices do not change while they play. */
const measured = new WeakMap<SkinnedMesh, MeshHulls>();

/** Gives a skeleton the extreme points of the skin that follows each joint, so that floors and soles are known. */
export function measureHulls(
  skeleton: Skeleton,
  jointOf: ReadonlyMap<Object3D, number>,
  meshes: readonly SkinnedMesh[],
): void {
  const points: number[][] = skeleton.names.map(() => []);
  for (const mesh of meshes)
    for (const [place, hull] of hullsOf(mesh)) {
      const bone = mesh.skeleton.bones[place];
      const joint = bone ? jointOfBone(bone, jointOf) : -1;
      if (joint < 0) continue;
      skeleton.flags[joint]! |= SKINNED;
      points[joint]!.push(...hull);
    }
  skeleton.hulls = points.map((list) => (list.length > 0 ? Float32Array.from(list) : null));
}

function hullsOf(mesh: SkinnedMesh): Map<number, Float32Array> {
  const known = measured.get(mesh);
  if (known?.geometry === mesh.geometry) return known.points;
  const points = measureMesh(mesh);
  measured.set(mesh, { geometry: mesh.geometry, points });
  return points;
}

function measureMesh(mesh: SkinnedMesh): Map<number, Float32Array> {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  const found = new Map<number, { distances: Float64Array; points: Float32Array }>();
  if (!position || !skinIndex || !skinWeight) return new Map();
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
    if (!Number.isFinite(point[0]! + point[1]! + point[2]!)) continue;
    let hull = found.get(place);
    if (!hull) {
      hull = {
        distances: new Float64Array(DIRECTIONS.length).fill(Number.NEGATIVE_INFINITY),
        points: new Float32Array(3 * DIRECTIONS.length),
      };
      found.set(place, hull);
    }
    for (let d = 0; d < DIRECTIONS.length; d++) {
      const direction = DIRECTIONS[d]!;
      const distance = direction[0] * point[0]! + direction[1] * point[1]! + direction[2] * point[2]!;
      if (distance <= hull.distances[d]!) continue;
      hull.distances[d] = distance;
      hull.points.set(point, 3 * d);
    }
  }
  return new Map([...found].map(([place, { points }]) => [place, points]));
}
