import { log } from '@stuntdouble/core/engine';
import { mixHeat } from './heat.js';
import { readTexture, type Texture } from './texture.js';

/** Triangles in model space, ready to draw. */
export type Shape = {
  /** xyz per vertex, metres. */
  positions: Float32Array;
  /** Unit normals, xyz per vertex. */
  normals: Float32Array;
  /** Three vertex indices a triangle. */
  triangles: Uint32Array;
  /** Linear RGB, 0 to 1. */
  color: readonly [number, number, number];
  /** What the colour is multiplied by, place by place; left out where the colour is all. */
  skin?: ShapeTexture;
  /** Per vertex how much of it shows the colour of heat, 0 to 1; left out where nothing is hot. */
  heat?: Float32Array;
};

/** A texture as it lies on the triangles of a shape. */
export type ShapeTexture = {
  texture: Texture;
  /** Two numbers per vertex, v upwards. */
  uvs: Float32Array;
  /** Whether the texture ends at its edges, along u and v, instead of being repeated. */
  clamps: readonly [boolean, boolean];
  /** Where alpha is below this there is nothing; 0 where alpha is of no account. */
  cutoff: number;
};

/** What is seen at each sample of a picture: the nearest surface, its normal and whose it is. */
export type Surface = {
  width: number;
  height: number;
  /** 1 / depth; 0 where nothing is. */
  inverseDepths: Float32Array;
  /** Interpolated normals turned to the viewer, not of unit length. */
  normals: Float32Array;
  /** Linear RGB of the surface itself. */
  colors: Float32Array;
  /** Index of the shape plus one; 0 where nothing is. */
  owners: Uint16Array;
};

/** Barycentric weights this little below zero still count, so that rounding opens no gap between neighbours. */
const EDGE = -1e-9;

/** An empty surface. */
export function createSurface(width: number, height: number): Surface {
  return {
    width,
    height,
    inverseDepths: new Float32Array(width * height),
    normals: new Float32Array(3 * width * height),
    colors: new Float32Array(3 * width * height),
    owners: new Uint16Array(width * height),
  };
}

/** Empties a surface, to be drawn on again. */
export function clearSurface(surface: Surface): void {
  surface.inverseDepths.fill(0);
  surface.owners.fill(0);
}

/**
 * Draws the triangles of one shape where they are nearer than what is there. Both sides are drawn.
 * Triangles that are not finite or reach behind the camera are left out.
 * @param projected per vertex: sample x, sample y, 1 / depth (see `projectPoints`).
 * @param owner what to put into `owners`.
 */
export function rasterizeShape(
  surface: Surface,
  shape: Shape,
  projected: Readonly<Float64Array>,
  owner: number,
): void {
  const { width, height, inverseDepths, normals: out, owners } = surface;
  const { triangles, normals, skin, color, heat } = shape;
  const { colors } = surface;
  const texel = new Float64Array(4);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    let b = 3 * triangles[t + 1]!;
    let c = 3 * triangles[t + 2]!;
    if (a >= projected.length || b >= projected.length || c >= projected.length) continue;
    if (!(projected[a + 2]! > 0 && projected[b + 2]! > 0 && projected[c + 2]! > 0)) continue;
    const ax = projected[a]!;
    const ay = projected[a + 1]!;
    let bx = projected[b]!;
    let by = projected[b + 1]!;
    let cx = projected[c]!;
    let cy = projected[c + 1]!;
    let area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!Number.isFinite(area) || area === 0) continue;
    if (area < 0) {
      // The other way round, so that weights are positive inside.
      const index = b;
      b = c;
      c = index;
      const x = bx;
      bx = cx;
      cx = x;
      const y = by;
      by = cy;
      cy = y;
      area = -area;
    }
    // Sample centres stand at halves.
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    if (x0 > x1 || y0 > y1) continue;
    const za = projected[a + 2]!;
    const zb = projected[b + 2]!;
    const zc = projected[c + 2]!;
    const turn = facingOf(shape, a, b, c);
    const level = skin ? levelOf(skin, a / 3, b / 3, c / 3, area) : null;
    // Edge functions over twice the area are the barycentric weights; they step by constants.
    const stepAx = (by - cy) / area;
    const stepBx = (cy - ay) / area;
    const stepAy = (cx - bx) / area;
    const stepBy = (ax - cx) / area;
    for (let y = y0; y <= y1; y++) {
      const dy = y + 0.5 - cy;
      const dx = x0 + 0.5 - cx;
      let wa = stepAx * dx + stepAy * dy;
      let wb = stepBx * dx + stepBy * dy;
      let i = y * width + x0;
      for (let x = x0; x <= x1; x++, i++, wa += stepAx, wb += stepBx) {
        const wc = 1 - wa - wb;
        if (wa < EDGE || wb < EDGE || wc < EDGE) continue;
        const z = wa * za + wb * zb + wc * zc;
        if (z <= inverseDepths[i]!) continue;
        if (skin && level) {
          // Perspective: what is linear on the screen is coordinates over depth, and 1 / depth.
          const pa = (wa * za) / z;
          const pb = (wb * zb) / z;
          const pc = (wc * zc) / z;
          const { uvs } = skin;
          const u = pa * uvs[(2 * a) / 3]! + pb * uvs[(2 * b) / 3]! + pc * uvs[(2 * c) / 3]!;
          const v = pa * uvs[(2 * a) / 3 + 1]! + pb * uvs[(2 * b) / 3 + 1]! + pc * uvs[(2 * c) / 3 + 1]!;
          readTexture(texel, level, u, v, skin.clamps);
          if (texel[3]! < skin.cutoff) continue;
          for (let n = 0; n < 3; n++) colors[3 * i + n] = color[n]! * texel[n]!;
        } else for (let n = 0; n < 3; n++) colors[3 * i + n] = color[n]!;
        if (heat)
          mixHeat(
            colors,
            3 * i,
            (wa * za * heat[a / 3]! + wb * zb * heat[b / 3]! + wc * zc * heat[c / 3]!) / z,
          );
        inverseDepths[i] = z;
        owners[i] = owner;
        // Perspective: attributes over depth are what is linear on the screen; the length is of no account.
        const ka = turn * wa * za;
        const kb = turn * wb * zb;
        const kc = turn * wc * zc;
        const o = 3 * i;
        out[o] = ka * normals[a]! + kb * normals[b]! + kc * normals[c]!;
        out[o + 1] = ka * normals[a + 1]! + kb * normals[b + 1]! + kc * normals[c + 1]!;
        out[o + 2] = ka * normals[a + 2]! + kb * normals[b + 2]! + kc * normals[c + 2]!;
      }
    }
  }
}

/** The level of a texture that has about a pixel for a sample of a triangle; the finest where that is unknown. */
function levelOf({ texture, uvs }: ShapeTexture, a: number, b: number, c: number, area: number) {
  const { levels } = texture;
  const edge = (from: number, to: number, n: number) => uvs[2 * to + n]! - uvs[2 * from + n]!;
  const covered = Math.abs(edge(a, b, 0) * edge(a, c, 1) - edge(a, b, 1) * edge(a, c, 0));
  const [finest] = levels as [(typeof levels)[number]];
  const ratio = (covered * finest.width * finest.height) / area;
  // A level has a quarter of the pixels of the one before.
  const wanted = ratio > 0 ? Math.round(log(ratio) / (2 * Math.LN2)) : 0;
  return levels[Math.min(levels.length - 1, Math.max(0, wanted))]!;
}

/**
 * 1 where the normals of a triangle look to the side that is seen, −1 where they look away. The triangle is
 * given so that it goes round clockwise on the screen (y down), thus its plane's normal, by the right hand,
 * looks away from the viewer.
 */
function facingOf(shape: Shape, a: number, b: number, c: number): number {
  const { positions, normals } = shape;
  const ux = positions[b]! - positions[a]!;
  const uy = positions[b + 1]! - positions[a + 1]!;
  const uz = positions[b + 2]! - positions[a + 2]!;
  const vx = positions[c]! - positions[a]!;
  const vy = positions[c + 1]! - positions[a + 1]!;
  const vz = positions[c + 2]! - positions[a + 2]!;
  const dot =
    (uy * vz - uz * vy) * (normals[a]! + normals[b]! + normals[c]!) +
    (uz * vx - ux * vz) * (normals[a + 1]! + normals[b + 1]! + normals[c + 1]!) +
    (ux * vy - uy * vx) * (normals[a + 2]! + normals[b + 2]! + normals[c + 2]!);
  return dot > 0 ? -1 : 1;
}

/** A field of numbers over a rectangle, −∞ where nothing was drawn. */
export type Field = { width: number; height: number; values: Float32Array };

/** An empty field. */
export function createField(width: number, height: number): Field {
  return { width, height, values: new Float32Array(width * height).fill(-Infinity) };
}

/**
 * Draws triangles into a field, keeping the greatest value of each cell: a depth map, a map of heights, or
 * a mask.
 * @param points per vertex: cell x, cell y, value.
 */
export function rasterizeGreatest(
  field: Field,
  points: Readonly<Float64Array>,
  triangles: Uint32Array,
): void {
  const { width, height, values } = field;
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    if (a >= points.length || b >= points.length || c >= points.length) continue;
    const ax = points[a]!;
    const ay = points[a + 1]!;
    const bx = points[b]!;
    const by = points[b + 1]!;
    const cx = points[c]!;
    const cy = points[c + 1]!;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!Number.isFinite(area) || area === 0) continue;
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    if (x0 > x1 || y0 > y1) continue;
    const va = points[a + 2]!;
    const vb = points[b + 2]!;
    const vc = points[c + 2]!;
    const stepAx = (by - cy) / area;
    const stepBx = (cy - ay) / area;
    const stepAy = (cx - bx) / area;
    const stepBy = (ax - cx) / area;
    for (let y = y0; y <= y1; y++) {
      const dy = y + 0.5 - cy;
      const dx = x0 + 0.5 - cx;
      let wa = stepAx * dx + stepAy * dy;
      let wb = stepBx * dx + stepBy * dy;
      let i = y * width + x0;
      for (let x = x0; x <= x1; x++, i++, wa += stepAx, wb += stepBx) {
        const wc = 1 - wa - wb;
        if (wa < EDGE || wb < EDGE || wc < EDGE) continue;
        const value = wa * va + wb * vb + wc * vc;
        if (value > values[i]!) values[i] = value;
      }
    }
  }
}
