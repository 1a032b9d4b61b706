/** Numbers of a part in a row: its axes, of unit length, xyz each, and its place. */
export const PART_NUMBERS = 12;

/** A part as it is looked at here; see `ShapePart`. */
type Hull = { faces: Float64Array; outer: number; ball: Float64Array };

/** Reads the axes and the place of a joint from the matrices of a model pose. */
export function readPart(out: Float64Array, o: number, matrices: Float64Array, joint: number): void {
  readAxes(out, o, matrices, joint);
  readPlace(out, o + 9, matrices, joint);
}

/** Reads a joint's place. */
export function readPlace(out: Float64Array, o: number, m: Float64Array, joint: number): void {
  const i = 16 * joint + 12;
  out[o] = m[i]!;
  out[o + 1] = m[i + 1]!;
  out[o + 2] = m[i + 2]!;
}

/** Reads a joint's axes, of unit length. */
export function readAxes(out: Float64Array, o: number, m: Float64Array, joint: number): void {
  for (let c = 0; c < 3; c++) {
    const i = 16 * joint + 4 * c;
    const x = m[i]!;
    const y = m[i + 1]!;
    const z = m[i + 2]!;
    const square = x * x + y * y + z * z;
    const k = square > 0 ? 1 / Math.sqrt(square) : 0;
    out[o + 3 * c] = k * x;
    out[o + 3 * c + 1] = k * y;
    out[o + 3 * c + 2] = k * z;
  }
}

const local = new Float64Array(3);

/**
 * How far a point is outside of a part's hull, in metres; less than 0 inside, by how deep it is. Outside it is at least
 * as far: that of the plane of the nearest face.
 * @param most A gap that is of no interest any more.
 * @param o Where the part's axes begin in the row.
 */
export function gapToPart(
  { faces, outer, ball }: Hull,
  row: Float64Array,
  o: number,
  probe: Float64Array,
  p: number,
  most: number,
): number {
  toLocal(row, o, probe, p);
  const dx = local[0]! - ball[0]!;
  const dy = local[1]! - ball[1]!;
  const dz = local[2]! - ball[2]!;
  const reach = ball[3]! + most;
  if (reach <= 0 || dx * dx + dy * dy + dz * dz > reach * reach) return Number.POSITIVE_INFINITY;
  const x = local[0]!;
  const y = local[1]!;
  const z = local[2]!;
  let gap = Number.NEGATIVE_INFINITY;
  for (let f = 0; f < outer; f += 4) {
    const off = faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]!;
    // One face that says far is enough: the gap is that of the farthest.
    if (off > most) return Number.POSITIVE_INFINITY;
    if (off > gap) gap = off;
  }
  for (let f = outer; f < faces.length; f += 4) {
    const off = faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]!;
    // Beyond a face that lies in another part it is for that part to say; before it that face is no way out.
    if (off > 0) return Number.POSITIVE_INFINITY;
  }
  return gap;
}

/**
 * out = the way out of a part at a point, of unit length: the normals of all faces that are nearly the nearest, so that
 * it turns smoothly from face to face.
 * @param out xyz; behind them are given the gap, as {@link gapToPart} has said, and how much farther than the nearest a
 *   face may be that has a say, metres.
 */
export function wayOut(
  out: Float64Array,
  { faces, outer }: Hull,
  row: Float64Array,
  o: number,
  probe: Float64Array,
  p: number,
): void {
  const gap = out[3]!;
  const soft = out[4]!;
  toLocal(row, o, probe, p);
  let x = 0;
  let y = 0;
  let z = 0;
  for (let f = 0; f < outer; f += 4) {
    const off = faces[f]! * local[0]! + faces[f + 1]! * local[1]! + faces[f + 2]! * local[2]! - faces[f + 3]!;
    const near = 1 - (gap - off) / soft;
    if (!(near > 0)) continue;
    x += near * near * faces[f]!;
    y += near * near * faces[f + 1]!;
    z += near * near * faces[f + 2]!;
  }
  const square = x * x + y * y + z * z;
  const k = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let c = 0; c < 3; c++) out[c] = k * (row[o + c]! * x + row[o + 3 + c]! * y + row[o + 6 + c]! * z);
}

/** A point in the axes of a part. */
function toLocal(row: Float64Array, o: number, probe: Float64Array, p: number): void {
  const x = probe[p]! - row[o + 9]!;
  const y = probe[p + 1]! - row[o + 10]!;
  const z = probe[p + 2]! - row[o + 11]!;
  local[0] = row[o]! * x + row[o + 1]! * y + row[o + 2]! * z;
  local[1] = row[o + 3]! * x + row[o + 4]! * y + row[o + 5]! * z;
  local[2] = row[o + 6]! * x + row[o + 7]! * y + row[o + 8]! * z;
}
