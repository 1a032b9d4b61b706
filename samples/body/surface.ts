import type { Vec3 } from '../vector.js';
import { type Field, fieldOf, layersOf, type Part } from './shape.js';

/** A triangle mesh with unit normals. */
export type Surface = {
  positions: number[];
  normals: number[];
  triangles: number[];
};

const STEP = 1e-4; // metres: small against every form, large against a double's rounding

/** The gradient of a field by central differences. */
export function gradientOf(field: Field, x: number, y: number, z: number): Vec3 {
  return [
    (field(x + STEP, y, z) - field(x - STEP, y, z)) / (2 * STEP),
    (field(x, y + STEP, z) - field(x, y - STEP, z)) / (2 * STEP),
    (field(x, y, z + STEP) - field(x, y, z - STEP)) / (2 * STEP),
  ];
}

/**
 * Meshes a part by surface nets: one vertex in each cell that the surface crosses, one quad around each
 * grid edge that crosses the surface. Vertices are then moved onto the surface along the gradient, so that
 * even coarse cells give a round silhouette, and normals are the field's own. Where a sharp cut passes
 * through a cell, the vertex is put on the crease, so that hems are straight.
 */
export function createSurface(part: Part): Surface {
  const field = fieldOf(part);
  const { base, cuts } = layersOf(part);
  const sharp = !part.edge;
  const { cell, blobs, inflate = 0 } = part;
  const { within } = part;
  const low = [0, 1, 2].map((c) =>
    within
      ? within.low[c]! - cell[c]!
      : Math.min(...blobs.map((blob) => blob.low[c]! - blob.blend / 4)) - inflate - 1.5 * cell[c]!,
  );
  const high = [0, 1, 2].map((c) =>
    within
      ? within.high[c]! + cell[c]!
      : Math.max(...blobs.map((blob) => blob.high[c]! + blob.blend / 4)) + inflate + 1.5 * cell[c]!,
  );
  const count = [0, 1, 2].map((c) => Math.ceil((high[c]! - low[c]!) / cell[c]!) + 1);
  // The grid is centred, so that a mirrored form gets a mirrored mesh.
  const start = [0, 1, 2].map((c) => (low[c]! + high[c]! - (count[c]! - 1) * cell[c]!) / 2);
  const [nx, ny, nz] = count as [number, number, number];
  const values = new Float64Array(nx * ny * nz);
  const at = (i: number, j: number, k: number) => (k * ny + j) * nx + i;
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        values[at(i, j, k)] = field(
          start[0]! + i * cell[0],
          start[1]! + j * cell[1],
          start[2]! + k * cell[2],
        );

  const surface: Surface = { positions: [], normals: [], triangles: [] };
  const vertexOf = new Int32Array(values.length).fill(-1);
  for (let k = 0; k < nz - 1; k++)
    for (let j = 0; j < ny - 1; j++)
      for (let i = 0; i < nx - 1; i++) {
        const middle = crossingMean(values, at, i, j, k);
        if (!middle) continue;
        const from: Vec3 = [
          start[0]! + (i + middle[0]) * cell[0],
          start[1]! + (j + middle[1]) * cell[1],
          start[2]! + (k + middle[2]) * cell[2],
        ];
        const corner: Vec3 = [start[0]! + i * cell[0], start[1]! + j * cell[1], start[2]! + k * cell[2]];
        const cut = sharp ? cuts.find((cut) => crosses(cut, corner, cell)) : undefined;
        const creased = cut !== undefined && crosses(base, corner, cell);
        const onCrease = creased ? settle([base, cut], cell, from) : null;
        // Where the cut only grazes the surface, the crease may lie far away: stay in the cell then.
        const near = onCrease?.every((value, c) => Math.abs(value - from[c]!) < 0.95 * cell[c]!);
        const point = onCrease && near ? onCrease : settle([field], cell, from);
        const [gx, gy, gz] = gradientOf(onCrease && near ? base : field, ...point);
        const l = Math.hypot(gx, gy, gz) || 1;
        vertexOf[at(i, j, k)] = surface.positions.length / 3;
        surface.positions.push(...point);
        surface.normals.push(gx / l, gy / l, gz / l);
      }

  const step: Vec3 = [1, nx, nx * ny];
  for (let k = 1; k < nz - 1; k++)
    for (let j = 1; j < ny - 1; j++)
      for (let i = 1; i < nx - 1; i++)
        for (let axis = 0; axis < 3; axis++) {
          const here = at(i, j, k);
          const inside = values[here]! < 0;
          if (inside === values[here + step[axis]!]! < 0) continue;
          const u = step[(axis + 1) % 3]!;
          const v = step[(axis + 2) % 3]!;
          const quad = [here, here - u, here - u - v, here - v].map((c) => vertexOf[c]!);
          if (!inside) quad.reverse();
          addQuad(surface, quad as [number, number, number, number]);
        }
  return surface;
}

/** The mean of the points where a cell's edges cross the surface, in cell units; null where none does. */
function crossingMean(
  values: Float64Array,
  at: (i: number, j: number, k: number) => number,
  i: number,
  j: number,
  k: number,
): Vec3 | null {
  let x = 0;
  let y = 0;
  let z = 0;
  let crossings = 0;
  for (let corner = 0; corner < 8; corner++)
    for (let axis = 0; axis < 3; axis++) {
      if (corner & (1 << axis)) continue;
      const other = corner | (1 << axis);
      const a = values[at(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2))]!;
      const b = values[at(i + (other & 1), j + ((other >> 1) & 1), k + (other >> 2))]!;
      if (a < 0 === b < 0) continue;
      const t = a / (a - b);
      x += (corner & 1) + (axis === 0 ? t : 0);
      y += ((corner >> 1) & 1) + (axis === 1 ? t : 0);
      z += (corner >> 2) + (axis === 2 ? t : 0);
      crossings++;
    }
  return crossings === 0 ? null : [x / crossings, y / crossings, z / crossings];
}

/** Whether a field changes its sign among the corners of a cell. */
function crosses(field: Field, [x, y, z]: Vec3, cell: Vec3): boolean {
  let inside = 0;
  for (let corner = 0; corner < 8; corner++)
    if (field(x + (corner & 1) * cell[0], y + ((corner >> 1) & 1) * cell[1], z + (corner >> 2) * cell[2]) < 0)
      inside++;
  return inside > 0 && inside < 8;
}

/** Moves a point onto all the surfaces given by a few Newton steps on each in turn, within about a cell. */
function settle(fields: readonly Field[], cell: Vec3, from: Vec3): Vec3 {
  let [x, y, z] = from;
  for (let round = 0; round < 4 * fields.length * fields.length; round++) {
    const field = fields[round % fields.length]!;
    const d = field(x, y, z);
    const [gx, gy, gz] = gradientOf(field, x, y, z);
    const square = gx * gx + gy * gy + gz * gz;
    if (square < 1e-6) continue;
    const limit = Math.min(...cell) / 2;
    const move = Math.max(-limit, Math.min(limit, d / square));
    x -= gx * move;
    y -= gy * move;
    z -= gz * move;
  }
  const hold = (value: number, start: number, size: number) =>
    Math.max(start - size, Math.min(start + size, value));
  return [hold(x, from[0], cell[0]), hold(y, from[1], cell[1]), hold(z, from[2], cell[2])];
}

function addQuad(surface: Surface, [a, b, c, d]: [number, number, number, number]): void {
  if (a < 0 || b < 0 || c < 0 || d < 0) return;
  const { positions } = surface;
  const gap = (m: number, n: number) =>
    Math.hypot(
      positions[3 * m]! - positions[3 * n]!,
      positions[3 * m + 1]! - positions[3 * n + 1]!,
      positions[3 * m + 2]! - positions[3 * n + 2]!,
    );
  if (gap(a, c) <= gap(b, d)) surface.triangles.push(a, b, c, a, c, d);
  else surface.triangles.push(a, b, d, b, c, d);
}

/** Removes triangles that lie deeper than `depth` metres inside one of the covers, and vertices left over. */
export function removeHidden(surface: Surface, covers: readonly Field[], depth: number): Surface {
  const { positions, normals, triangles } = surface;
  const hidden: boolean[] = [];
  for (let v = 0; v < positions.length / 3; v++)
    hidden.push(
      covers.some((cover) => cover(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!) < -depth),
    );
  const out: Surface = { positions: [], normals: [], triangles: [] };
  const moved = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    if (corners.every((v) => hidden[v])) continue;
    if (new Set(corners).size < 3) continue;
    for (const v of corners) {
      let to = moved.get(v);
      if (to === undefined) {
        to = out.positions.length / 3;
        moved.set(v, to);
        out.positions.push(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
        out.normals.push(normals[3 * v]!, normals[3 * v + 1]!, normals[3 * v + 2]!);
      }
      out.triangles.push(to);
    }
  }
  return out;
}
