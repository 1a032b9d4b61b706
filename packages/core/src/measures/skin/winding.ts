import { atan2 } from '../../base/math/functions.js';

/**
 * A surface of triangles in groups of neighbours, of which it can be asked whether a point is inside and how far the
 * surface is. From afar a group is as good as one small plate: so few triangles are looked at one by one.
 */
export type Surface = {
  /** Three vertices each, groups of {@link GROUP} behind one another. */
  triangles: Int32Array;
  groups: number;
  /** Per group its middle, xyz, and how far its farthest vertex is from there … */
  spheres: Float64Array;
  /** … and the sum of the areas of its triangles as a vector, ½ Σ (b − a) × (c − a): xyz. */
  plates: Float64Array;
};

const GROUP = 24;
/** A group is as good as a plate from so many of its radii on: what is lost is less than a hundredth of a turn. */
const FAR_AWAY = 3;

/** Sorts triangles into groups of neighbours by where they are in some pose. */
export function createSurface(triangles: Int32Array, places: Float64Array): Surface {
  const count = triangles.length / 3;
  const low = [0, 0, 0].fill(Number.POSITIVE_INFINITY);
  const high = [0, 0, 0].fill(Number.NEGATIVE_INFINITY);
  for (const vertex of triangles)
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c]!, places[3 * vertex + c]!);
      high[c] = Math.max(high[c]!, places[3 * vertex + c]!);
    }
  const size = Math.max(1e-12, high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  const keys = Float64Array.from({ length: count }, (_, t) => {
    let key = 0;
    const cell = [0, 1, 2].map((c) =>
      Math.min(1023, Math.max(0, Math.floor((1024 * (places[3 * triangles[3 * t]! + c]! - low[c]!)) / size))),
    );
    for (let bit = 9; bit >= 0; bit--) for (let c = 0; c < 3; c++) key = 2 * key + ((cell[c]! >> bit) & 1);
    return key;
  });
  const order = Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const sorted = new Int32Array(triangles.length);
  order.forEach((t, n) => {
    for (let c = 0; c < 3; c++) sorted[3 * n + c] = triangles[3 * t + c]!;
  });
  const groups = Math.ceil(count / GROUP);
  return {
    triangles: sorted,
    groups,
    spheres: new Float64Array(4 * groups),
    plates: new Float64Array(3 * groups),
  };
}

/** Reads where the groups of a surface are now. */
export function settleSurface({ triangles, groups, spheres, plates }: Surface, places: Float64Array): void {
  for (let g = 0; g < groups; g++) {
    const first = 3 * GROUP * g;
    const last = Math.min(triangles.length, first + 3 * GROUP);
    const s = 4 * g;
    const p = 3 * g;
    spheres.fill(0, s, s + 4);
    plates.fill(0, p, p + 3);
    for (let i = first; i < last; i++)
      for (let c = 0; c < 3; c++) spheres[s + c]! += places[3 * triangles[i]! + c]! / (last - first);
    let most = 0;
    for (let i = first; i < last; i++) {
      const v = 3 * triangles[i]!;
      const x = places[v]! - spheres[s]!;
      const y = places[v + 1]! - spheres[s + 1]!;
      const z = places[v + 2]! - spheres[s + 2]!;
      most = Math.max(most, x * x + y * y + z * z);
    }
    spheres[s + 3] = Math.sqrt(most);
    for (let i = first; i < last; i += 3) {
      const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!];
      const ux = places[b]! - places[a]!;
      const uy = places[b + 1]! - places[a + 1]!;
      const uz = places[b + 2]! - places[a + 2]!;
      const vx = places[c]! - places[a]!;
      const vy = places[c + 1]! - places[a + 1]!;
      const vz = places[c + 2]! - places[a + 2]!;
      plates[p]! += (uy * vz - uz * vy) / 2;
      plates[p + 1]! += (uz * vx - ux * vz) / 2;
      plates[p + 2]! += (ux * vy - uy * vx) / 2;
    }
  }
}

/**
 * How often a surface goes round a point: 1 inside, 0 outside, and in between where it has holes. The solid angle of
 * triangle a, b, c seen from the point (van Oosterom and Strackee 1983) is 2·atan2(a·(b × c), |a||b||c| + (a·b)|c| +
 * (b·c)|a| + (c·a)|b|); of a plate of area A far away it is A·r / |r|³. All of them make 4π inside.
 */
export function windingNumber(
  { triangles, groups, spheres, plates }: Surface,
  places: Float64Array,
  x: number,
  y: number,
  z: number,
): number {
  let angle = 0;
  for (let g = 0; g < groups; g++) {
    const s = 4 * g;
    const rx = spheres[s]! - x;
    const ry = spheres[s + 1]! - y;
    const rz = spheres[s + 2]! - z;
    const square = rx * rx + ry * ry + rz * rz;
    const near = FAR_AWAY * spheres[s + 3]!;
    if (square > near * near) {
      const p = 3 * g;
      angle +=
        (plates[p]! * rx + plates[p + 1]! * ry + plates[p + 2]! * rz) / (2 * square * Math.sqrt(square));
      continue;
    }
    angle += halfSolidAngles(triangles, g, places, x, y, z);
  }
  return angle / (2 * Math.PI);
}

/**
 * Half the solid angles of the triangles of a group, all together. Each is the angle of a complex number, and of those the
 * product is taken, so that one arc tangent does for all. Whole turns are counted: where both factors turn one way and
 * the product looks the other way, it has gone past half a turn.
 */
function halfSolidAngles(
  triangles: Int32Array,
  group: number,
  places: Float64Array,
  x: number,
  y: number,
  z: number,
): number {
  const first = 3 * GROUP * group;
  const last = Math.min(triangles.length, first + 3 * GROUP);
  let re = 1;
  let im = 0;
  let turns = 0;
  for (let i = first; i < last; i += 3) {
    const a = 3 * triangles[i]!;
    const b = 3 * triangles[i + 1]!;
    const c = 3 * triangles[i + 2]!;
    const ax = places[a]! - x;
    const ay = places[a + 1]! - y;
    const az = places[a + 2]! - z;
    const bx = places[b]! - x;
    const by = places[b + 1]! - y;
    const bz = places[b + 2]! - z;
    const cx = places[c]! - x;
    const cy = places[c + 1]! - y;
    const cz = places[c + 2]! - z;
    const la = Math.sqrt(ax * ax + ay * ay + az * az);
    const lb = Math.sqrt(bx * bx + by * by + bz * bz);
    const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const below =
      la * lb * lc +
      (ax * bx + ay * by + az * bz) * lc +
      (bx * cx + by * cy + bz * cz) * la +
      (cx * ax + cy * ay + cz * az) * lb;
    // Kept at a length near 1; a triangle that holds the point has no angle.
    const size = Math.abs(volume) + Math.abs(below);
    if (!(size > 0)) continue;
    const cosine = below / size;
    const sine = volume / size;
    const nextRe = re * cosine - im * sine;
    const nextIm = re * sine + im * cosine;
    if (im >= 0 && sine >= 0 && nextIm < 0) turns++;
    else if (im < 0 && sine < 0 && nextIm >= 0) turns--;
    const length = Math.abs(nextRe) + Math.abs(nextIm);
    re = nextRe / length;
    // Half a turn is one to the left: a zero with a sign would say otherwise.
    im = nextIm / length + 0;
  }
  return atan2(im, re) + 2 * Math.PI * turns;
}

/** How far the nearest point of a surface is from a point. */
export function distanceToSurface(
  { triangles, groups, spheres }: Surface,
  places: Float64Array,
  x: number,
  y: number,
  z: number,
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let g = 0; g < groups; g++) {
    const s = 4 * g;
    const rx = spheres[s]! - x;
    const ry = spheres[s + 1]! - y;
    const rz = spheres[s + 2]! - z;
    const reach = Math.sqrt(best) + spheres[s + 3]!;
    if (rx * rx + ry * ry + rz * rz > reach * reach) continue;
    const first = 3 * GROUP * g;
    const last = Math.min(triangles.length, first + 3 * GROUP);
    for (let i = first; i < last; i += 3) {
      const square = squareToTriangle(triangles, i, places, x, y, z);
      if (square < best) best = square;
    }
  }
  return Math.sqrt(best);
}

/** The square of the distance from a point to a triangle: to its plane where that is met inside, else to its sides. */
function squareToTriangle(
  triangles: Int32Array,
  i: number,
  places: Float64Array,
  x: number,
  y: number,
  z: number,
): number {
  const a = 3 * triangles[i]!;
  const b = 3 * triangles[i + 1]!;
  const c = 3 * triangles[i + 2]!;
  const ux = places[b]! - places[a]!;
  const uy = places[b + 1]! - places[a + 1]!;
  const uz = places[b + 2]! - places[a + 2]!;
  const vx = places[c]! - places[a]!;
  const vy = places[c + 1]! - places[a + 1]!;
  const vz = places[c + 2]! - places[a + 2]!;
  const wx = x - places[a]!;
  const wy = y - places[a + 1]!;
  const wz = z - places[a + 2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  if (square > 0) {
    // Barycentric: s along u, t along v.
    const s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
    const t = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / square;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      const off = wx * nx + wy * ny + wz * nz;
      return (off * off) / square;
    }
  }
  return Math.min(
    squareToSide(wx, wy, wz, ux, uy, uz),
    squareToSide(wx, wy, wz, vx, vy, vz),
    squareToSide(wx - ux, wy - uy, wz - uz, vx - ux, vy - uy, vz - uz),
  );
}

function squareToSide(wx: number, wy: number, wz: number, ux: number, uy: number, uz: number): number {
  const length = ux * ux + uy * uy + uz * uz;
  const along = length > 0 ? (wx * ux + wy * uy + wz * uz) / length : 0;
  const s = along < 0 ? 0 : along > 1 ? 1 : along;
  const dx = wx - s * ux;
  const dy = wy - s * uy;
  const dz = wz - s * uz;
  return dx * dx + dy * dy + dz * dz;
}
