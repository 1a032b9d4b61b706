import { hypot } from '@stuntdouble/core/engine';

/** Faces, edges and corners of a cube, xyz by xyz: the directions in which a joint's skin is measured. */
const DIRECTIONS = Float64Array.from(
  [-1, 0, 1].flatMap((x) =>
    [-1, 0, 1].flatMap((y) =>
      [-1, 0, 1].flatMap((z) => {
        const length = hypot(x, y, z);
        return length === 0 ? [] : [x / length, y / length, z / length];
      }),
    ),
  ),
);

/** Extreme points of what follows one bone, in its space, with how far they reach. */
type Hull = { distances: Float64Array; points: Float32Array };

/** Extreme points of a mesh's vertices by the place of the bone that they follow most. */
export type SkinHulls = Map<number, Hull>;

/** Adds a vertex to the points of a bone, in the bone's space. One that is no number is left out. */
export function addVertex(hulls: SkinHulls, bone: number, point: Float64Array): void {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  if (!Number.isFinite(x + y + z)) return;
  let hull = hulls.get(bone);
  if (!hull) {
    hull = {
      distances: new Float64Array(DIRECTIONS.length / 3).fill(Number.NEGATIVE_INFINITY),
      points: new Float32Array(DIRECTIONS.length),
    };
    hulls.set(bone, hull);
  }
  const { distances, points } = hull;
  // Directions stand in the order of their signs: the opposite of one is as far from the end as it is from the start.
  const last = distances.length - 1;
  for (let d = 0; 2 * d < last; d++) {
    const distance = DIRECTIONS[3 * d]! * x + DIRECTIONS[3 * d + 1]! * y + DIRECTIONS[3 * d + 2]! * z;
    if (distance > distances[d]!) {
      distances[d] = distance;
      points[3 * d] = x;
      points[3 * d + 1] = y;
      points[3 * d + 2] = z;
    }
    const opposite = last - d;
    if (-distance > distances[opposite]!) {
      distances[opposite] = -distance;
      points[3 * opposite] = x;
      points[3 * opposite + 1] = y;
      points[3 * opposite + 2] = z;
    }
  }
}

/** The hulls of joints, of one or more meshes each; null where a joint has no skin. */
export function joinHulls(parts: readonly (readonly Float32Array[])[]): (Float32Array | null)[] {
  return parts.map((list) => {
    if (list.length <= 1) return list[0] ?? null;
    const joined = new Float32Array(list.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const points of list) {
      joined.set(points, at);
      at += points.length;
    }
    return joined;
  });
}
