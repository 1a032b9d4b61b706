import { dot, inverse, NO_TURN, type Quat, rotate, subtract, type Vec3 } from '../vector.js';
import type { BodyPart } from './body.js';

/*
 * Bodies are modelled as signed distance fields (negative inside): capsules, ellipsoids and boxes that flow
 * into one another, each bound to the joint it moves with. One surface without holes comes out, and the
 * skin weights come from the same distances.
 */

/** The signed distance from a point to a surface, negative inside; near the surface it is in metres. */
export type Field = (x: number, y: number, z: number) => number;

/** A simple form with the body part it moves with. */
export type Blob = {
  role: BodyPart;
  field: Field;
  /** Corners of a box that holds the whole form. */
  low: Vec3;
  high: Vec3;
  /** Metres over which the form flows into the blobs before it in a part. */
  blend: number;
  /** Metres of distance over which its skin weight fades into that of its neighbours. */
  softness: number;
};

/** What all blobs may say. */
export type BlobOptions = {
  /** Metres over which the form flows into those before it; 0.03 if left out. */
  blend?: number;
  /** Metres over which its skin weight fades; 0.012 if left out. */
  softness?: number;
  /** Stretches the form about its middle: [1, 1, 0.7] makes it flatter from front to back. */
  stretch?: Vec3;
  /** Turns the form about its middle. */
  turn?: Quat;
};

function createBlob(role: BodyPart, middle: Vec3, reach: Vec3, field: Field, options: BlobOptions): Blob {
  const stretch = options.stretch ?? [1, 1, 1];
  const back = inverse(options.turn ?? NO_TURN);
  const plain = options.turn === undefined;
  const least = Math.min(...stretch);
  const [mx, my, mz] = middle;
  const [sx, sy, sz] = stretch;
  const far = Math.hypot(reach[0] * sx, reach[1] * sy, reach[2] * sz);
  const half: Vec3 = plain ? [reach[0] * sx, reach[1] * sy, reach[2] * sz] : [far, far, far];
  return {
    role,
    // Stretching by s multiplies distances by at least the least component: the field stays a lower bound.
    field: (x, y, z) => {
      let dx = x - mx;
      let dy = y - my;
      let dz = z - mz;
      if (!plain) [dx, dy, dz] = rotate(back, [dx, dy, dz]);
      return field(dx / sx, dy / sy, dz / sz) * least;
    },
    low: subtract(middle, half),
    high: [mx + half[0], my + half[1], mz + half[2]],
    blend: options.blend ?? 0.03,
    softness: options.softness ?? 0.012,
  };
}

/** A capsule from a to b that goes from one radius to another. */
export function capsule(
  role: BodyPart,
  a: Vec3,
  b: Vec3,
  radiusA: number,
  radiusB: number,
  options: BlobOptions = {},
): Blob {
  const middle: Vec3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  const [ux, uy, uz] = subtract(b, middle);
  const [vx, vy, vz] = [2 * ux, 2 * uy, 2 * uz];
  const square = Math.max(vx * vx + vy * vy + vz * vz, 1e-12);
  const radius = Math.max(radiusA, radiusB);
  const field: Field = (x, y, z) => {
    const px = x + ux;
    const py = y + uy;
    const pz = z + uz;
    const t = Math.min(1, Math.max(0, (px * vx + py * vy + pz * vz) / square));
    return Math.hypot(px - t * vx, py - t * vy, pz - t * vz) - (radiusA + (radiusB - radiusA) * t);
  };
  const reach: Vec3 = [Math.abs(ux) + radius, Math.abs(uy) + radius, Math.abs(uz) + radius];
  return createBlob(role, middle, reach, field, options);
}

/** An ellipsoid with three radii. */
export function ellipsoid(role: BodyPart, middle: Vec3, radii: Vec3, options: BlobOptions = {}): Blob {
  const [a, b, c] = radii;
  const least = Math.min(a, b, c);
  // |p/r| (|p/r| − 1) / |p/r²|: the first-order distance, exact on the surface.
  const field: Field = (x, y, z) => {
    const k0 = Math.hypot(x / a, y / b, z / c);
    const k1 = Math.hypot(x / (a * a), y / (b * b), z / (c * c));
    return k1 < 1e-9 ? -least : (k0 * (k0 - 1)) / k1;
  };
  return createBlob(role, middle, radii, field, options);
}

/** A box with rounded edges; `half` counts to the outside of the rounding. */
export function box(
  role: BodyPart,
  middle: Vec3,
  half: Vec3,
  radius: number,
  options: BlobOptions = {},
): Blob {
  const [a, b, c] = [half[0] - radius, half[1] - radius, half[2] - radius];
  const field: Field = (x, y, z) => {
    const dx = Math.abs(x) - a;
    const dy = Math.abs(y) - b;
    const dz = Math.abs(z) - c;
    const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
    return outside + Math.min(Math.max(dx, dy, dz), 0) - radius;
  };
  return createBlob(role, middle, half, field, options);
}

/** A ring about the Y axis (turn it with `turn`) with a radius across and a thickness. */
export function ring(
  role: BodyPart,
  middle: Vec3,
  radius: number,
  thickness: number,
  options: BlobOptions = {},
): Blob {
  const field: Field = (x, y, z) => Math.hypot(Math.hypot(x, z) - radius, y) - thickness;
  return createBlob(role, middle, [radius + thickness, thickness, radius + thickness], field, options);
}

/** The side of a plane that a normal points away from: keeps what lies behind the plane. */
export function behind(point: Vec3, normal: Vec3): Field {
  const at = dot(point, normal);
  return (x, y, z) => x * normal[0] + y * normal[1] + z * normal[2] - at;
}

/**
 * Keeps what lies below a neckline: a plane that falls towards the front by `slope`, and only near the
 * neck, so that it never grazes the sleeves.
 */
export function below(height: number, slope: number, halfWidth: number): Field {
  const size = Math.hypot(1, slope);
  return (x, y, z) => Math.min((y - height + slope * z) / size, halfWidth - Math.abs(x));
}

/** One closed surface of one colour. */
export type Part = {
  name: string;
  /** sRGB, `#rrggbb`. */
  color: string;
  blobs: readonly Blob[];
  /** Metres by which the whole is thicker than its blobs: cloth over a body. */
  inflate?: number;
  /** Keeps only what is inside all of these. */
  keep?: readonly Field[];
  /** Removes what is inside any of these. */
  cut?: readonly Field[];
  /** Metres over which `keep` and `cut` round their edges; sharp if left out. */
  edge?: number;
  /** The size of the mesh's cells in metres, one per axis: long cells along a limb save triangles. */
  cell: Vec3;
  /** Corners of a box outside which nothing is meshed; all of it if left out. */
  within?: { low: Vec3; high: Vec3 };
  /** Metres inside another part from which on triangles are left out; 0.012 if left out. */
  hiddenDepth?: number;
  /** Rounds of smoothing of skin weights over the mesh; 3 if left out. 0 with no softness makes rigid parts. */
  smoothing?: number;
  /** Whether the part stays whole where other parts cover it. */
  whole?: boolean;
  /** 0 matt to 1 mirror-like; only for viewers that know light. 0.1 if left out. */
  shine?: number;
};

/** The smaller of two distances with a round transition of width k. */
function smoothMin(a: number, b: number, k: number): number {
  const h = k > 0 ? Math.max(k - Math.abs(a - b), 0) / k : 0;
  return Math.min(a, b) - (h * h * k) / 4;
}

/** The layers of a part's field: what its blobs make together, and what it is cut with. */
export function layersOf(part: Part): { base: Field; cuts: Field[] } {
  const { blobs, inflate = 0, keep = [], cut = [] } = part;
  const base: Field = (x, y, z) => {
    let d = Number.POSITIVE_INFINITY;
    for (const blob of blobs) {
      const next = blob.field(x, y, z);
      d = d === Number.POSITIVE_INFINITY ? next : smoothMin(d, next, blob.blend);
    }
    return d - inflate;
  };
  return {
    base,
    cuts: [
      ...keep,
      ...cut.map(
        (field): Field =>
          (x, y, z) =>
            -field(x, y, z),
      ),
    ],
  };
}

/** The distance field of a part: its blobs flown together, then inflated, then cut. */
export function fieldOf(part: Part): Field {
  const { base, cuts } = layersOf(part);
  const { edge = 0 } = part;
  return (x, y, z) => {
    let d = base(x, y, z);
    for (const field of cuts) d = -smoothMin(-d, -field(x, y, z), edge);
    return d;
  };
}

/** Inside where a point, seen along +Z, is within `radius` of a line of points (x and y count, z does not). */
export function strokeOutline(points: readonly Vec3[], radius: number): Field {
  return (x, y) => {
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 1; i < points.length; i++) {
      const [ax, ay] = points[i - 1]!;
      const [bx, by] = points[i]!;
      const [ux, uy] = [bx - ax, by - ay];
      const t = Math.max(0, Math.min(1, ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)));
      nearest = Math.min(nearest, Math.hypot(x - ax - t * ux, y - ay - t * uy));
    }
    return nearest - radius;
  };
}

/** Inside an upright ellipse about a point, seen along a direction. */
export function ellipseOutline(middle: Vec3, look: Vec3, width: number, height: number): Field {
  const side: Vec3 = [look[2], 0, -look[0]];
  return (x, y, z) => {
    const u = ((x - middle[0]) * side[0] + (z - middle[2]) * side[2]) / width;
    const v = (y - middle[1]) / height;
    return (Math.hypot(u, v) - 1) * Math.min(width, height);
  };
}

/**
 * A patch of colour that lies on other blobs like paint, `thick` metres proud of them, inside an outline
 * and a box.
 */
export function decal(
  name: string,
  color: string,
  on: readonly Blob[],
  outline: Field,
  thick: number,
  within: { low: Vec3; high: Vec3 },
  cell: Vec3,
): Part {
  return {
    name,
    color,
    blobs: on,
    inflate: thick,
    keep: [outline],
    within,
    cell,
    smoothing: 0,
    hiddenDepth: 0.0003,
  };
}

/** Both sides of a blob-making function: `make` gets the side and a mirror for its points. */
export function bothSides<T>(make: (side: 'left' | 'right', on: (point: Vec3) => Vec3) => T): [T, T] {
  return [make('left', (p) => p), make('right', ([x, y, z]) => [-x, y, z])];
}
