/*
 * Polygons as triangles. Most are triangles and quads that bulge everywhere, for which a fan will do; a fan of one
 * with a dent covers ground outside of it.
 */

/** A polygon of more corners is cut as a fan whatever its shape: cutting ears takes the square of their number. */
const MOST_CORNERS = 512;

/**
 * Cuts a polygon into triangles.
 * @param points xyz per point.
 * @param corners the points of all polygons; this one's stand from `start` to `end`.
 * @param emit gets each triangle as three places in `corners`, in the polygon's own sense.
 */
export function triangulatePolygon(
  points: ArrayLike<number>,
  corners: ArrayLike<number>,
  start: number,
  end: number,
  emit: (a: number, b: number, c: number) => void,
): void {
  const count = end - start;
  if (count < 3) return;
  if (count === 3 || count > MOST_CORNERS) {
    emitFan(start, end, emit);
    return;
  }
  const flat = flatten(points, corners, start, end);
  if (!flat || isConvex(flat)) emitFan(start, end, emit);
  else cutEars(flat, start, emit);
}

function emitFan(start: number, end: number, emit: (a: number, b: number, c: number) => void): void {
  for (let corner = start + 2; corner < end; corner++) emit(start, corner - 1, corner);
}

/**
 * The corners seen along the polygon's normal (Newell's), so that it goes round counter-clockwise; xy per corner.
 * @returns null where the polygon covers nothing.
 */
function flatten(
  points: ArrayLike<number>,
  corners: ArrayLike<number>,
  start: number,
  end: number,
): Float64Array | null {
  const normal = [0, 0, 0];
  const at = (corner: number, c: number) => points[3 * corners[corner]! + c]!;
  for (let i = start; i < end; i++) {
    const next = i + 1 < end ? i + 1 : start;
    for (let c = 0; c < 3; c++) {
      const y = (c + 1) % 3;
      const z = (c + 2) % 3;
      normal[c]! += (at(i, y) - at(next, y)) * (at(i, z) + at(next, z));
    }
  }
  const sizes = normal.map(Math.abs);
  const largest = Math.max(...sizes);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return null;
  // Dropping the axis that the normal leans to most keeps the shape, but for a stretch.
  const axis = sizes.indexOf(largest);
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const flip = normal[axis]! < 0 ? -1 : 1;
  const flat = new Float64Array(2 * (end - start));
  for (let i = start; i < end; i++) {
    flat[2 * (i - start)] = flip * at(i, u);
    flat[2 * (i - start) + 1] = at(i, v);
  }
  return flat;
}

/** Twice the area of a triangle of corners, positive where it goes round counter-clockwise. */
function turnOf(flat: Float64Array, a: number, b: number, c: number): number {
  return (
    (flat[2 * b]! - flat[2 * a]!) * (flat[2 * c + 1]! - flat[2 * a + 1]!) -
    (flat[2 * b + 1]! - flat[2 * a + 1]!) * (flat[2 * c]! - flat[2 * a]!)
  );
}

function isConvex(flat: Float64Array): boolean {
  const count = flat.length / 2;
  for (let i = 0; i < count; i++) if (turnOf(flat, i, (i + 1) % count, (i + 2) % count) < 0) return false;
  return true;
}

/** Cuts off corners that bulge and have no other corner in them, until three are left (Meisters 1975). */
function cutEars(flat: Float64Array, start: number, emit: (a: number, b: number, c: number) => void): void {
  const left = Array.from({ length: flat.length / 2 }, (_, i) => i);
  let at = 0;
  let misses = 0;
  while (left.length > 3) {
    const count = left.length;
    const a = left[(at + count - 1) % count]!;
    const b = left[at % count]!;
    const c = left[(at + 1) % count]!;
    // A polygon that crosses itself may have no ear; then the next corner is as good as any.
    if (misses > count || isEar(flat, left, a, b, c)) {
      emit(start + a, start + b, start + c);
      left.splice(at % count, 1);
      misses = 0;
      at = at % count === count - 1 ? 0 : at % count;
    } else {
      at = (at + 1) % count;
      misses++;
    }
  }
  emit(start + left[0]!, start + left[1]!, start + left[2]!);
}

function isEar(flat: Float64Array, left: readonly number[], a: number, b: number, c: number): boolean {
  if (!(turnOf(flat, a, b, c) > 0)) return false;
  return left.every(
    (p) =>
      p === a ||
      p === b ||
      p === c ||
      turnOf(flat, a, b, p) <= 0 ||
      turnOf(flat, b, c, p) <= 0 ||
      turnOf(flat, c, a, p) <= 0,
  );
}
