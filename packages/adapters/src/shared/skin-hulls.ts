import { FARTHEST_JOINT, gatherBonds, hypot, lateBonds, type SkinBonds } from '@stuntdouble/core/engine';

/*
 * The first call of a page reads both skins with code that has never run, which takes fifty times as long for a vertex
 * as code that has. So a vertex goes through one loop without calls, and what only few bodies need (what edges tie
 * together) is left until somebody asks for it.
 */

/** Faces, edges and corners of a cube: the directions in which a joint's skin is measured. */
const DIRECTIONS = 26;
/** What an edge and a corner of a cube have of each axis. */
const EDGE = 1 / hypot(1, 1, 0);
const CORNER = 1 / hypot(1, 1, 1);
/** Weights below this bind nothing; see `gatherBonds`. */
const LEAST_WEIGHT = 1e-4;

/** Extreme points of what follows each bone most, xyz in its space, by its place; in the order in which vertices name them. */
export type SkinHulls = Map<number, Float32Array>;

/** Vertices that follow bones, as an engine has them. Nobody may change these arrays, nor the matrices. */
export type EngineSkin = {
  /** xyz per vertex, in mesh space. */
  positions: ArrayLike<number>;
  /** Four influences a vertex: places of bones, and weights. */
  places: ArrayLike<number>;
  weights: ArrayLike<number>;
  /** Per place the matrix from mesh space to the bone's own, 16 numbers each, column-major. */
  inverses: Float64Array;
  /** Per place whether there is such a bone. */
  isBone: (place: number) => boolean;
  /** Three vertices a triangle; null where they are not known. */
  triangles: ArrayLike<number> | null;
};

/** Measures the skin of a mesh: how far it reaches around each bone, and what it ties together. */
export function measureSkin(skin: EngineSkin): { hulls: SkinHulls; bonds: SkinBonds | null } {
  const { positions, places, weights, inverses } = skin;
  const count = inverses.length / 16;
  const bones = Uint8Array.from({ length: count }, (_, place) => (skin.isBone(place) ? 1 : 0));
  const carried = new Float64Array(count);
  const isMet = new Uint8Array(count);
  const met: number[] = [];
  const points = new Float32Array(3 * DIRECTIONS * count);
  const reaches = new Float64Array(DIRECTIONS * count).fill(Number.NEGATIVE_INFINITY);
  const reach = new Float64Array(DIRECTIONS / 2);
  const last = DIRECTIONS - 1;
  let isCarrying = false;
  let farthest = 0;
  for (let v = 0; 3 * v + 2 < positions.length; v++) {
    let place = -1;
    let most = 0;
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const weight = weights[i]!;
      if (weight > most) {
        most = weight;
        place = places[i]!;
      }
      if (weight > LEAST_WEIGHT && weight < 1e6) {
        const bone = places[i]!;
        if (bones[bone] !== 1) continue;
        isCarrying = true;
        carried[bone] = carried[bone]! + weight;
      }
    }
    const px = positions[3 * v]!;
    const py = positions[3 * v + 1]!;
    const pz = positions[3 * v + 2]!;
    const far = Math.abs(px) + Math.abs(py) + Math.abs(pz);
    if (far > farthest) farthest = far;
    if (bones[place] !== 1) continue;
    const m = 16 * place;
    const x = inverses[m]! * px + inverses[m + 4]! * py + inverses[m + 8]! * pz + inverses[m + 12]!;
    const y = inverses[m + 1]! * px + inverses[m + 5]! * py + inverses[m + 9]! * pz + inverses[m + 13]!;
    const z = inverses[m + 2]! * px + inverses[m + 6]! * py + inverses[m + 10]! * pz + inverses[m + 14]!;
    if (!Number.isFinite(x + y + z)) continue;
    if (isMet[place] === 0) {
      isMet[place] = 1;
      met.push(place);
    }
    // Along half of the directions, in the order of their signs from (1, 1, 1) on; the others are opposite to them, as
    // far from the end as these are from the start.
    const ex = EDGE * x;
    const ey = EDGE * y;
    const ez = EDGE * z;
    const cx = CORNER * x;
    const cy = CORNER * y;
    const cz = CORNER * z;
    const sum = cx + cy;
    const difference = cx - cy;
    reach[0] = sum + cz;
    reach[1] = ex + ey;
    reach[2] = sum - cz;
    reach[3] = ex + ez;
    reach[4] = x;
    reach[5] = ex - ez;
    reach[6] = difference + cz;
    reach[7] = ex - ey;
    reach[8] = difference - cz;
    reach[9] = ey + ez;
    reach[10] = y;
    reach[11] = ey - ez;
    reach[12] = z;
    const first = DIRECTIONS * place;
    for (let d = 0; d < reach.length; d++) {
      const distance = reach[d]!;
      const there = first + last - d;
      if (distance > reaches[there]!) {
        reaches[there] = distance;
        points[3 * there] = x;
        points[3 * there + 1] = y;
        points[3 * there + 2] = z;
      }
      const opposite = first + d;
      if (-distance > reaches[opposite]!) {
        reaches[opposite] = -distance;
        points[3 * opposite] = x;
        points[3 * opposite + 1] = y;
        points[3 * opposite + 2] = z;
      }
    }
  }
  const hulls: SkinHulls = new Map();
  const size = 3 * DIRECTIONS;
  for (const place of met) hulls.set(place, points.slice(size * place, size * (place + 1)));
  if (!isCarrying) return { hulls, bonds: null };
  const gather = () => gatherAll(skin, count, bones);
  return { hulls, bonds: isSurelyNear(inverses, farthest) ? lateBonds(carried, gather) : gather() };
}

function gatherAll(
  { positions, places, weights, inverses, triangles }: EngineSkin,
  count: number,
  bones: Uint8Array,
): SkinBonds {
  const gatherer = gatherBonds(count);
  gatherer.addSkin({
    ...{ positions, inverses, triangles, influences: [{ joints: places, weights }] },
    joints: Int32Array.from(bones, (isBone, place) => (isBone === 1 ? place : -1)),
  });
  return gatherer.finish()!;
}

/**
 * Whether no vertex lies so far from a bone that its bonds would be left out. What a matrix makes of a point is at most
 * its largest number times the sum of the point's and 1; what is no number is not gathered.
 */
function isSurelyNear(inverses: Float64Array, farthest: number): boolean {
  let largest = 0;
  for (let i = 0; i < inverses.length; i++) {
    const size = Math.abs(inverses[i]!);
    if (size > largest) largest = size;
  }
  return largest * (farthest + 1) <= FARTHEST_JOINT;
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
