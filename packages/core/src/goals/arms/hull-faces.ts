/** Points nearer to each other than this share of the whole are one. */
const SAME_POINT = 1e-3;
/** Faces whose normals differ by less than this are one, and a point so far before a face, as a share, is on it. */
const SAME_FACE = 1e-3;

/**
 * The faces of the convex hull of a few points: normal and distance of each, nx, ny, nz, h, so that n·x ≤ h inside.
 * Every plane through three points that has no point before it is a face. With two dozen points that takes less than a
 * millisecond, and points on one line or in one plane are nothing special. Empty where there is no volume.
 */
export function hullFaces(points: ArrayLike<number>): Float64Array {
  const { places, size } = distinctPoints(points);
  const count = places.length / 3;
  const faces: number[] = [];
  const slack = SAME_FACE * size;
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      for (let c = b + 1; c < count; c++) {
        const [i, j, k] = [3 * a, 3 * b, 3 * c];
        const ux = places[j]! - places[i]!;
        const uy = places[j + 1]! - places[i + 1]!;
        const uz = places[j + 2]! - places[i + 2]!;
        const vx = places[k]! - places[i]!;
        const vy = places[k + 1]! - places[i + 1]!;
        const vz = places[k + 2]! - places[i + 2]!;
        let nx = uy * vz - uz * vy;
        let ny = uz * vx - ux * vz;
        let nz = ux * vy - uy * vx;
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        // Three points on a line have no plane.
        if (!(length > 1e-4 * size * size)) continue;
        nx /= length;
        ny /= length;
        nz /= length;
        const h = nx * places[i]! + ny * places[i + 1]! + nz * places[i + 2]!;
        let before = 0;
        let behind = 0;
        for (let p = 0; p < places.length && (before === 0 || behind === 0); p += 3) {
          const off = nx * places[p]! + ny * places[p + 1]! + nz * places[p + 2]! - h;
          if (off > slack) before++;
          else if (off < -slack) behind++;
        }
        if (before > 0 && behind > 0) continue;
        if (before === 0 && behind === 0) return new Float64Array(0);
        const sign = before > 0 ? -1 : 1;
        addFace(faces, sign * nx, sign * ny, sign * nz, sign * h);
      }
  return spreadFaces(faces);
}

/** The same faces, each as different from those before it as can be: a point that is far is so by one of the first few. */
function spreadFaces(faces: readonly number[]): Float64Array {
  const out = new Float64Array(faces.length);
  // Per face the cosine to the nearest that was taken.
  const nearest = new Float64Array(faces.length / 4).fill(-1);
  let next = 0;
  for (let at = 0; at < faces.length; at += 4) {
    for (let c = 0; c < 4; c++) out[at + c] = faces[next + c]!;
    nearest[next / 4] = 2;
    const taken = next;
    for (let f = 0; f < faces.length; f += 4) {
      const cosine =
        faces[f]! * faces[taken]! + faces[f + 1]! * faces[taken + 1]! + faces[f + 2]! * faces[taken + 2]!;
      if (cosine > nearest[f / 4]!) nearest[f / 4] = cosine;
      if (nearest[f / 4]! < nearest[next / 4]!) next = f;
    }
  }
  return out;
}

function addFace(faces: number[], x: number, y: number, z: number, h: number): void {
  for (let f = 0; f < faces.length; f += 4) {
    if (faces[f]! * x + faces[f + 1]! * y + faces[f + 2]! * z < 1 - SAME_FACE) continue;
    faces[f + 3] = Math.max(faces[f + 3]!, h);
    return;
  }
  faces.push(x, y, z, h);
}

function distinctPoints(points: ArrayLike<number>): { places: number[]; size: number } {
  let size = 0;
  for (let i = 3; i + 2 < points.length; i += 3)
    for (let c = 0; c < 3; c++) size = Math.max(size, Math.abs(points[i + c]! - points[c]!));
  const near = SAME_POINT * size;
  const places: number[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) {
    let isNew = Number.isFinite(points[i]! + points[i + 1]! + points[i + 2]!);
    for (let p = 0; p < places.length && isNew; p += 3)
      isNew =
        Math.abs(places[p]! - points[i]!) > near ||
        Math.abs(places[p + 1]! - points[i + 1]!) > near ||
        Math.abs(places[p + 2]! - points[i + 2]!) > near;
    if (isNew) places.push(points[i]!, points[i + 1]!, points[i + 2]!);
  }
  return { places, size };
}
