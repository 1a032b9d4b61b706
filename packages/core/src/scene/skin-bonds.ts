import { isSameData } from '../base/copy-data.js';
import { createMemory, remember } from '../base/remember.js';

/**
 * What the skin of a skeleton ties together: how strongly vertices, and the edges between them, bind each two joints
 * to each other. It says what a joint that nothing drives belongs to, whatever it hangs on: the joints of a skirt are
 * bound to the hips by the cloth, those of a paw to the shin above it.
 */
export type SkinBonds = {
  /** Pairs of joints, the lesser first, rising. */
  joints: Int32Array;
  /** Per pair the strength of the bond: the sum over vertices of the product of both weights, and over edges likewise. */
  strengths: Float64Array;
  /** Per joint the weight of all vertices that follow it, counted in vertices. */
  weights: Float64Array;
  /** Per joint the middle of the skin that follows it, by weight, in the joint's own local space; xyz, 0 where none does. */
  centres: Float64Array;
};

/** Vertices that follow joints, as readers have them at hand. */
export type BoundSkin = {
  /** xyz per vertex, in mesh space. */
  positions: ArrayLike<number>;
  /** Sets of four influences a vertex: places in `joints`, and weights. */
  influences: readonly { joints: ArrayLike<number>; weights: ArrayLike<number> }[];
  /** Per place the joint of the skeleton; −1 where there is none. */
  joints: ArrayLike<number>;
  /** Per place the matrix from mesh space to the joint's own, 16 numbers each, column-major. */
  inverses: ArrayLike<number>;
  /** Three vertices a triangle; null where they are not known. */
  triangles: ArrayLike<number> | null;
};

/** Takes the skins of a skeleton one by one; see {@link gatherBonds}. */
export type BondGatherer = {
  addSkin(skin: BoundSkin): void;
  /** Adds what hangs on one joint as a whole. */
  addRigid(joint: number, points: ArrayLike<number>): void;
  /** The bonds; null where no vertex follows a joint. */
  finish(): SkinBonds | null;
};

/** Up to so many joints bonds are counted in a square table, which is quicker than a map. */
const MOST_IN_TABLE = 512;
/** Weights below this bind nothing: exporters leave rounding where they cleared a joint. */
const LEAST_WEIGHT = 1e-4;

/**
 * Gathers what skins tie together. Per vertex each two of its joints are bound by the product of their weights; per
 * edge the joints of one end are bound to those of the other likewise, since low models bind each vertex to one joint
 * alone. The cost grows with the vertices and triangles.
 * @param count Number of joints.
 */
export function gatherBonds(count: number): BondGatherer {
  const table = count <= MOST_IN_TABLE ? new Float64Array(count * count) : null;
  const map = new Map<number, number>();
  const weights = new Float64Array(count);
  const sums = new Float64Array(3 * count);
  let any = false;

  const bind = (a: number, b: number, strength: number) => {
    if (a === b) return;
    const key = a < b ? a * count + b : b * count + a;
    if (table) table[key] = table[key]! + strength;
    else map.set(key, (map.get(key) ?? 0) + strength);
  };

  return {
    addSkin({ positions, influences, joints, inverses, triangles }) {
      const vertices = Math.floor(positions.length / 3);
      const width = 4 * influences.length;
      // Per vertex its joints and weights side by side, and the joint itself where there is but one.
      const bound = new Int32Array(width * vertices).fill(-1);
      const shares = new Float32Array(width * vertices);
      const only = new Int32Array(vertices).fill(-1);
      for (let v = 0; v < vertices; v++) {
        const o = width * v;
        let found = 0;
        const x = positions[3 * v]!;
        const y = positions[3 * v + 1]!;
        const z = positions[3 * v + 2]!;
        for (const set of influences)
          for (let c = 0; c < 4; c++) {
            const weight = set.weights[4 * v + c]!;
            const place = set.joints[4 * v + c]!;
            const joint = place < joints.length ? joints[place]! : -1;
            if (!(weight > LEAST_WEIGHT && weight < 1e6) || !(joint >= 0)) continue;
            any = true;
            weights[joint] = weights[joint]! + weight;
            const m = 16 * place;
            for (let r = 0; r < 3; r++) {
              const value =
                inverses[m + r]! * x +
                inverses[m + 4 + r]! * y +
                inverses[m + 8 + r]! * z +
                inverses[m + 12 + r]!;
              if (Math.abs(value) < 3e38) sums[3 * joint + r] = sums[3 * joint + r]! + weight * value;
            }
            for (let n = 0; n < found; n++) bind(bound[o + n]!, joint, weight * shares[o + n]!);
            bound[o + found] = joint;
            shares[o + found] = weight;
            found++;
          }
        if (found === 1) only[v] = bound[o]!;
      }
      const bindEdge = (u: number, v: number) => {
        if (!(u < vertices && v < vertices)) return;
        const a = only[u]!;
        if (a >= 0 && a === only[v]!) return;
        for (let n = 0; n < width && bound[width * u + n]! >= 0; n++)
          for (let k = 0; k < width && bound[width * v + k]! >= 0; k++)
            bind(
              bound[width * u + n]!,
              bound[width * v + k]!,
              0.5 * shares[width * u + n]! * shares[width * v + k]!,
            );
      };
      for (let i = 0; triangles && i + 2 < triangles.length; i += 3) {
        bindEdge(triangles[i]!, triangles[i + 1]!);
        bindEdge(triangles[i + 1]!, triangles[i + 2]!);
        bindEdge(triangles[i + 2]!, triangles[i]!);
      }
    },
    addRigid(joint, points) {
      for (let i = 0; i + 2 < points.length; i += 3) {
        if (!(Math.abs(points[i]!) + Math.abs(points[i + 1]!) + Math.abs(points[i + 2]!) < 3e38)) continue;
        any = true;
        weights[joint] = weights[joint]! + 1;
        for (let c = 0; c < 3; c++) sums[3 * joint + c] = sums[3 * joint + c]! + points[i + c]!;
      }
    },
    finish() {
      if (!any) return null;
      const keys: number[] = [];
      if (table) {
        for (let key = 0; key < table.length; key++) if (table[key]! > 0) keys.push(key);
      } else keys.push(...[...map.keys()].sort((a, b) => a - b));
      const bonds: SkinBonds = {
        joints: new Int32Array(2 * keys.length),
        strengths: new Float64Array(keys.length),
        weights,
        centres: new Float64Array(3 * count),
      };
      keys.forEach((key, n) => {
        bonds.joints[2 * n] = Math.floor(key / count);
        bonds.joints[2 * n + 1] = key % count;
        bonds.strengths[n] = table ? table[key]! : map.get(key)!;
      });
      for (let joint = 0; joint < count; joint++)
        if (weights[joint]! > 0)
          for (let c = 0; c < 3; c++) bonds.centres[3 * joint + c] = sums[3 * joint + c]! / weights[joint]!;
      return bonds;
    },
  };
}

/** Bonds of which only the weights have been gathered so far. */
const gatheredLate = new WeakSet<SkinBonds>();

/**
 * Bonds whose weights are known, and of which all else is gathered when somebody looks at it: most bodies are moved by
 * their weights alone, and edges are the longest part of reading a skin.
 * @param make Gathers them; every number of them must be one, and every joint there.
 */
export function lateBonds(weights: Float64Array, make: () => SkinBonds): SkinBonds {
  let made: SkinBonds | null = null;
  const all = (): SkinBonds => {
    made ??= make();
    gatheredLate.delete(bonds);
    return made;
  };
  const bonds: SkinBonds = {
    get joints() {
      return all().joints;
    },
    get strengths() {
      return all().strengths;
    },
    weights,
    get centres() {
      return all().centres;
    },
  };
  gatheredLate.add(bonds);
  return bonds;
}

/** Whether bonds are some of {@link lateBonds} that nobody has looked at. */
export const areLate = (bonds: SkinBonds): boolean => gatheredLate.has(bonds);

/** A copy that shares nothing with the original that anybody could change. */
export function copyBonds(bonds: SkinBonds): SkinBonds {
  if (areLate(bonds)) return lateBonds(bonds.weights.slice(), () => copyAll(bonds));
  return copyAll(bonds);
}

function copyAll({ joints, strengths, weights, centres }: SkinBonds): SkinBonds {
  return {
    joints: joints.slice(),
    strengths: strengths.slice(),
    weights: weights.slice(),
    centres: centres.slice(),
  };
}

/** Bonds with the middles of the skin seen in a mirror along an axis (0, 1, 2). */
export function mirrorBonds(bonds: SkinBonds, axis: number): SkinBonds {
  return { ...copyBonds(bonds), centres: bonds.centres.map((x, i) => (i % 3 === axis ? -x : x)) };
}

/** Bonds of a part of a skin, and per place of a joint in them the joint of the skeleton; −1 where there is none. */
export type BondsPart = { bonds: SkinBonds; joints: ArrayLike<number> };

type JoinedParts = { count: number; parts: readonly BondsPart[] };

const joined = createMemory<JoinedParts, SkinBonds | null>(
  (known, asked) =>
    known.count === asked.count &&
    known.parts.length === asked.parts.length &&
    known.parts.every(({ bonds, joints }, n) => {
      const other = asked.parts[n]!;
      return bonds === other.bonds && isSameData(joints, other.joints);
    }),
);

/**
 * Joins the bonds of meshes that were gathered apart, which nobody may change afterwards.
 * @param count Number of joints of the skeleton.
 * @returns null where there are none.
 */
export function joinBonds(count: number, parts: readonly BondsPart[]): SkinBonds | null {
  if (parts.length === 0) return null;
  return remember(joined, parts[0]!.bonds, { count, parts }, joinParts);
}

function joinParts(known: JoinedParts): SkinBonds | null {
  const { count, parts } = known;
  const weights = new Float64Array(count);
  for (const { bonds, joints } of parts)
    for (let place = 0; place < bonds.weights.length; place++) {
      const joint = joints[place] ?? -1;
      const weight = bonds.weights[place]!;
      if (joint >= 0 && weight > 0) weights[joint] = weights[joint]! + weight;
    }
  if (!weights.some((weight) => weight > 0)) return null;
  return parts.every(({ bonds }) => areLate(bonds))
    ? lateBonds(weights, () => joinAll(known))
    : joinAll(known);
}

function joinAll({ count, parts }: JoinedParts): SkinBonds {
  const map = new Map<number, number>();
  const weights = new Float64Array(count);
  const centres = new Float64Array(3 * count);
  for (const { bonds, joints } of parts) {
    bonds.strengths.forEach((strength, n) => {
      const a = joints[bonds.joints[2 * n]!] ?? -1;
      const b = joints[bonds.joints[2 * n + 1]!] ?? -1;
      if (a < 0 || b < 0 || a === b) return;
      const key = Math.min(a, b) * count + Math.max(a, b);
      map.set(key, (map.get(key) ?? 0) + strength);
    });
    bonds.weights.forEach((weight, place) => {
      const joint = joints[place] ?? -1;
      if (joint < 0 || !(weight > 0)) return;
      const sum = weights[joint]! + weight;
      for (let c = 0; c < 3; c++) {
        const i = 3 * joint + c;
        centres[i] = (centres[i]! * weights[joint]! + bonds.centres[3 * place + c]! * weight) / sum;
      }
      weights[joint] = sum;
    });
  }
  const keys = Float64Array.from(map.keys()).sort();
  return {
    joints: Int32Array.from({ length: 2 * keys.length }, (_, i) =>
      i % 2 === 0 ? Math.floor(keys[i >> 1]! / count) : keys[i >> 1]! % count,
    ),
    strengths: Float64Array.from(keys, (key) => map.get(key)!),
    weights,
    centres,
  };
}
