/** Faces, edges and corners of a cube: the directions in which a joint's skin is measured. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z): [number, number, number][] => {
      const length = Math.hypot(x, y, z);
      return length === 0 ? [] : [[x / length, y / length, z / length]];
    }),
  ),
);

/** Extreme points of what follows one bone, in its space, with how far they reach. */
type Hull = { distances: Float64Array; points: Float32Array };

/** Extreme points of a mesh's vertices by the place of the bone that they follow most. */
export type SkinHulls = Map<number, Hull>;

/** Adds a vertex to the points of a bone, in the bone's space. One that is no number is left out. */
export function addVertex(hulls: SkinHulls, bone: number, point: Float64Array): void {
  if (!Number.isFinite(point[0]! + point[1]! + point[2]!)) return;
  let hull = hulls.get(bone);
  if (!hull) {
    hull = {
      distances: new Float64Array(DIRECTIONS.length).fill(Number.NEGATIVE_INFINITY),
      points: new Float32Array(3 * DIRECTIONS.length),
    };
    hulls.set(bone, hull);
  }
  for (let d = 0; d < DIRECTIONS.length; d++) {
    const direction = DIRECTIONS[d]!;
    const distance = direction[0] * point[0]! + direction[1] * point[1]! + direction[2] * point[2]!;
    if (distance <= hull.distances[d]!) continue;
    hull.distances[d] = distance;
    hull.points.set(point, 3 * d);
  }
}
