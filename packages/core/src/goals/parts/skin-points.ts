import { hypot, lengthOf } from '../../base/math/functions.js';
import { invertMatrix, transformPoint } from '../../base/math/matrix.js';
import type { ModelPose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';

/** Directions in which the farthest points are kept: the 26 to the faces, edges and corners of a cube. */
const CUBE_DIRECTIONS: readonly (readonly [number, number, number])[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z): [number, number, number][] => {
      const length = hypot(x, y, z);
      return length === 0 ? [] : [[x / length, y / length, z / length]];
    }),
  ),
);

/**
 * The extreme points of a part of the body that moves as one with a joint: skin and joints of everything below it,
 * as they stand in the reference, in the joint's local space, xyz each. At most 26.
 * @param without A joint below it that moves by itself, with all below that; −1 for none.
 * @param top The joint whose skin, with all below, moves as one with the joint; itself if left out.
 * @param isPart Whether a joint is a part of the body, not something worn or held; all are if left out.
 */
export function extremeSkin(
  skeleton: Skeleton,
  model: ModelPose,
  joint: number,
  without = -1,
  top = joint,
  isPart: (joint: number) => boolean = () => true,
): Float64Array {
  const inverse = new Float64Array(16);
  if (!invertMatrix(inverse, 0, model.matrices, 16 * joint)) return new Float64Array(0);
  const farthest = CUBE_DIRECTIONS.map(() => Number.NEGATIVE_INFINITY);
  const points = CUBE_DIRECTIONS.map(() => new Float64Array(3));
  const place = new Float64Array(3);
  const add = () => {
    CUBE_DIRECTIONS.forEach(([x, y, z], d) => {
      const far = x * place[0]! + y * place[1]! + z * place[2]!;
      if (!(far > farthest[d]!)) return;
      farthest[d] = far;
      points[d]!.set(place);
    });
  };
  for (let at = top; at < skeleton.names.length; at++) {
    if (!isAncestor(skeleton, top, at) || (without >= 0 && isAncestor(skeleton, without, at))) continue;
    if (at !== top && !isPart(at)) continue;
    for (let c = 0; c < 3; c++) place[c] = model.matrices[16 * at + 12 + c]!;
    add();
    const hull = skeleton.hulls?.[at] ?? [];
    for (let i = 0; i + 2 < hull.length; i += 3) {
      transformPoint(place, 0, model.matrices, 16 * at, hull as Float32Array, i);
      add();
    }
  }
  const found = points.filter((_, d) => Number.isFinite(farthest[d]!));
  const unique = new Map(found.map((point) => [point.join(), point]));
  const out = new Float64Array(3 * unique.size);
  [...unique.values()].forEach((point, n) => {
    transformPoint(out, 3 * n, inverse, 0, point, 0);
  });
  return out;
}

/** The lowest height of points that follow a joint, in model space; +∞ for none. */
export function lowestPoint(matrices: Float64Array, joint: number, points: Float64Array): number {
  const m = 16 * joint;
  const x = matrices[m + 1]!;
  const y = matrices[m + 5]!;
  const z = matrices[m + 9]!;
  const up = matrices[m + 13]!;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < points.length; i += 3) {
    const height = x * points[i]! + y * points[i + 1]! + z * points[i + 2]! + up;
    if (height < lowest) lowest = height;
  }
  return lowest;
}

/**
 * The lowest height of points that follow a joint, seen from it, when that is turned about itself in model space; +∞ for none.
 * @param turns Quaternions, of which the one that begins at `i` turns it: its matrix's second row is all that heights need.
 */
export function lowestWhenTurned(
  matrices: Float64Array,
  joint: number,
  points: Float64Array,
  turns: Float64Array,
  i: number,
): number {
  const qx = turns[i]!;
  const qy = turns[i + 1]!;
  const qz = turns[i + 2]!;
  const qw = turns[i + 3]!;
  const rx = 2 * (qx * qy + qz * qw);
  const ry = 1 - 2 * (qx * qx + qz * qz);
  const rz = 2 * (qy * qz - qx * qw);
  const m = 16 * joint;
  const x = rx * matrices[m]! + ry * matrices[m + 1]! + rz * matrices[m + 2]!;
  const y = rx * matrices[m + 4]! + ry * matrices[m + 5]! + rz * matrices[m + 6]!;
  const z = rx * matrices[m + 8]! + ry * matrices[m + 9]! + rz * matrices[m + 10]!;
  let lowest = Number.POSITIVE_INFINITY;
  for (let p = 0; p < points.length; p += 3) {
    const height = x * points[p]! + y * points[p + 1]! + z * points[p + 2]!;
    if (height < lowest) lowest = height;
  }
  return lowest;
}

/** The skin between two joints as `shinSkin` gives it. */
export type ShinSkin = {
  /** xyz in the joint's local space, and how far along to the next joint: 0 at the joint, 1 at the next. */
  points: Float64Array;
  /** How far skin reaches from the line between the joints, in metres: of the upper and of the lower half. */
  girths: [number, number];
};

/** Extreme points of the skin that follows a joint alone, a shin's, and how far they are along to the next joint. */
export function shinSkin({ hulls }: Skeleton, model: ModelPose, joint: number, next: number): ShinSkin {
  const hull = hulls?.[joint];
  if (!hull) return { points: new Float64Array(0), girths: [0, 0] };
  const m = model.matrices;
  const line = [0, 1, 2].map((c) => m[16 * next + 12 + c]! - m[16 * joint + 12 + c]!);
  const square = line.reduce((sum, value) => sum + value * value, 0);
  const points = new Float64Array((4 * hull.length) / 3);
  const girths: [number, number] = [0, 0];
  const place = new Float64Array(3);
  for (let i = 0, o = 0; i + 2 < hull.length; i += 3, o += 4) {
    transformPoint(place, 0, m, 16 * joint, hull, i);
    const away = [0, 1, 2].map((c) => place[c]! - m[16 * joint + 12 + c]!);
    const dot = away.reduce((sum, value, c) => sum + value * line[c]!, 0);
    const along = square > 0 ? Math.min(1, Math.max(0, dot / square)) : 0;
    const girth = lengthOf(away.map((value, c) => value - along * line[c]!));
    const half = along > 0.5 ? 1 : 0;
    girths[half] = Math.max(girths[half], girth);
    points.set([hull[i]!, hull[i + 1]!, hull[i + 2]!, along], o);
  }
  return { points, girths };
}
