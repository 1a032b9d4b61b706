import { hypot } from '@stuntdouble/core/engine';

/** The 26 directions to the faces, edges and corners of a cube: enough for soles and thickness. */
const DIRECTIONS = new Float64Array(
  [-1, 0, 1].flatMap((x) =>
    [-1, 0, 1].flatMap((y) =>
      [-1, 0, 1].flatMap((z) => {
        const length = hypot(x, y, z);
        return length === 0 ? [] : [x / length, y / length, z / length];
      }),
    ),
  ),
);
const DIRECTION_COUNT = DIRECTIONS.length / 3;

/** Per joint and direction the farthest point so far. */
export type Extremes = { distances: Float64Array; points: Float64Array };

/** Takes a point of a joint into account. Points that are not finite are left out. */
export function addExtremePoint(extremes: (Extremes | null)[], joint: number, point: Float64Array): void {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  // Points that float32 cannot hold are no better than none.
  if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) < 3e38)) return;
  let extreme = extremes[joint];
  if (!extreme) {
    extreme = {
      distances: new Float64Array(DIRECTION_COUNT).fill(Number.NEGATIVE_INFINITY),
      points: new Float64Array(3 * DIRECTION_COUNT),
    };
    extremes[joint] = extreme;
  }
  const { distances, points } = extreme;
  for (let d = 0; d < DIRECTION_COUNT; d++) {
    const distance = DIRECTIONS[3 * d]! * x + DIRECTIONS[3 * d + 1]! * y + DIRECTIONS[3 * d + 2]! * z;
    if (distance <= distances[d]!) continue;
    distances[d] = distance;
    points[3 * d] = x;
    points[3 * d + 1] = y;
    points[3 * d + 2] = z;
  }
}

/** The extreme points found, each once: xyz triples. */
export function extremePoints({ points }: Extremes): Float32Array {
  const seen = new Set<string>();
  const out: number[] = [];
  for (let d = 0; d < DIRECTION_COUNT; d++) {
    const point = points.subarray(3 * d, 3 * d + 3);
    const key = point.join();
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(point[0]!, point[1]!, point[2]!);
  }
  return Float32Array.from(out);
}
