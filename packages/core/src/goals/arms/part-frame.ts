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

/** Where the face stands that a probe was found to be far by last: the next probe of an arm is mostly far by the same. */
let lastFar = 0;

/** One number: how far beyond a face that lies in another part, in metres, counts as before it still. 0 but while it is noted what is near. */
export const innerRoom = new Float64Array(1);

/**
 * One number: the least that any probe which was found to be of no interest could move, in metres, before it might be.
 * Whoever wants to know it says first how far it matters, and it is lowered with every probe that is looked at; 0 where
 * nobody asks, and then it costs nothing.
 */
export const slack = new Float64Array(1);

/**
 * gaps = per probe how far its ball is outside of a part's hull, see {@link gapToPart}.
 * @param gaps Given per probe a gap beyond which nothing is of interest: it is +∞ then.
 */
export function gapsToPart(
  gaps: Float64Array,
  part: Hull,
  row: Float64Array,
  o: number,
  probes: Float64Array,
  count: number,
): void {
  for (let p = 0; p < count; p++) gapToPart(gaps, p, part, row, o, probes);
}

/**
 * gaps[p] = how far the ball of a probe is outside of a part's hull, in metres; less than 0 inside, by how deep it is.
 * Outside it is at least as far: that of the plane of the nearest face. Gaps stand in a store: a number that is given
 * back takes room on the heap.
 * @param gaps Given a gap beyond which nothing is of interest: it is +∞ then.
 * @param o Where the part's axes begin in the row.
 * @param probes xyz and radius each.
 */
export function gapToPart(
  gaps: Float64Array,
  p: number,
  { faces, outer, ball }: Hull,
  row: Float64Array,
  o: number,
  probes: Float64Array,
): void {
  const radius = probes[4 * p + 3]!;
  const most = gaps[p]! + radius;
  const reach = ball[3]! + most;
  gaps[p] = Number.POSITIVE_INFINITY;
  if (!(reach > 0)) return;
  const mx = probes[4 * p]! - row[o + 9]!;
  const my = probes[4 * p + 1]! - row[o + 10]!;
  const mz = probes[4 * p + 2]! - row[o + 11]!;
  const x = row[o]! * mx + row[o + 1]! * my + row[o + 2]! * mz;
  const y = row[o + 3]! * mx + row[o + 4]! * my + row[o + 5]! * mz;
  const z = row[o + 6]! * mx + row[o + 7]! * my + row[o + 8]! * mz;
  const dx = x - ball[0]!;
  const dy = y - ball[1]!;
  const dz = z - ball[2]!;
  const square = dx * dx + dy * dy + dz * dz;
  const free = slack[0]!;
  if (square > reach * reach) {
    if (square < (reach + free) * (reach + free)) slack[0] = Math.sqrt(square) - reach;
    return;
  }
  // One face that says far is enough, since the gap is that of the farthest: most often it is the one that said so last.
  const last = lastFar;
  const far = most + free;
  if (last < outer && faces[last]! * x + faces[last + 1]! * y + faces[last + 2]! * z - faces[last + 3]! > far)
    return;
  let gap = outer > 0 ? faces[0]! * x + faces[1]! * y + faces[2]! * z - faces[3]! : -1e300;
  let f = 4;
  for (; f < outer && gap <= far; f += 4) {
    const off = faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]!;
    gap = off > gap ? off : gap;
  }
  if (gap > most) {
    if (gap > far) lastFar = f - 4;
    else slack[0] = gap - most;
    return;
  }
  // Beyond a face that lies in another part it is for that part to say; before it that face is no way out.
  const room = innerRoom[0]!;
  for (f = outer; f < faces.length; f += 4) {
    const beyond = faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z - faces[f + 3]! - room;
    if (beyond > 0) {
      if (beyond < free) slack[0] = beyond;
      return;
    }
  }
  gaps[p] = gap - radius;
}

/**
 * out = the way out of a part at a point, of unit length: the normals of all faces that are nearly the nearest, so that
 * it turns smoothly from face to face.
 * @param out xyz; behind them are given the gap, as {@link gapsToPart} has said, of the middle of the probe, and how much farther than the nearest a
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
