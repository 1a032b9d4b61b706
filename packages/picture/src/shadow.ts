import { cos, hypot, sin } from '@stuntdouble/core/engine';
import { createField, type Field, rasterizeGreatest, type Shape } from './rasterize.js';

/** A unit vector in model space. */
export type Direction = readonly [number, number, number];

/** How dark the floor is, over a rectangle of it: 0 in full light, 1 in full shadow. */
export type FloorShadow = {
  /** Model space, metres: the corner of the field. */
  x: number;
  z: number;
  /** Cells per metre. */
  density: number;
  width: number;
  height: number;
  /** The share of the key light that does not arrive. */
  key: Float32Array;
  /** How closed the sky is by what stands just above: darkest where something touches the floor. */
  contact: Float32Array;
};

/** Points of light that stand for the disc of the key light: enough that no single edge is seen. */
const LIGHT_SAMPLES = 20;
/** Sine of the angle under which the light's radius is seen: edges soften by 0.13 m per metre of height. */
const LIGHT_RADIUS = 0.13;
/** What is higher above the floor than this share of the scene's height does not darken it by nearness. */
const CONTACT_HEIGHT = 0.09;
/** A field has at most this many cells a side: more cannot be seen on a sheet. */
const MAX_CELLS = 1000;

/**
 * Casts the soft shadow of shapes on a level floor. A light with some width blurs with distance, so that a
 * planted foot has a crisp shadow that starts at the sole and a lifted one a soft shadow apart from it.
 * @param floor height of the floor.
 * @param toLight unit vector towards the light; must point upwards.
 * @param density cells per metre wanted.
 * @returns null where there is nothing to cast a shadow.
 */
export function castFloorShadow(
  shapes: readonly Shape[],
  floor: number,
  toLight: Direction,
  density: number,
): FloorShadow | null {
  let x0 = Infinity;
  let x1 = -Infinity;
  let z0 = Infinity;
  let z1 = -Infinity;
  let top = 0;
  const slopeX = toLight[0] / toLight[1];
  const slopeZ = toLight[2] / toLight[1];
  for (const { positions } of shapes)
    for (let i = 0; i + 2 < positions.length; i += 3) {
      const h = Math.max(0, positions[i + 1]! - floor);
      const x = positions[i]!;
      const z = positions[i + 2]!;
      if (!Number.isFinite(h + x + z)) continue;
      const spread = h * LIGHT_RADIUS * 1.5;
      x0 = Math.min(x0, x, x - h * slopeX - spread);
      x1 = Math.max(x1, x, x - h * slopeX + spread);
      z0 = Math.min(z0, z, z - h * slopeZ - spread);
      z1 = Math.max(z1, z, z - h * slopeZ + spread);
      top = Math.max(top, h);
    }
  const extent = Math.max(x1 - x0, z1 - z0);
  if (!(extent > 0) || !Number.isFinite(extent)) return null;
  const pad = 0.1 * top;
  const cells = Math.min(density, MAX_CELLS / (extent + 2 * pad));
  const width = Math.ceil((x1 - x0 + 2 * pad) * cells) + 1;
  const height = Math.ceil((z1 - z0 + 2 * pad) * cells) + 1;
  const shadow: FloorShadow = {
    x: x0 - pad,
    z: z0 - pad,
    density: cells,
    width,
    height,
    key: new Float32Array(width * height),
    contact: new Float32Array(width * height),
  };
  const field = createField(width, height);
  const draw = (leanX: number, leanZ: number, value: (h: number) => number) => {
    field.values.fill(-Infinity);
    for (const { positions, triangles } of shapes) {
      const points = new Float64Array(positions.length);
      for (let i = 0; i + 2 < positions.length; i += 3) {
        const h = Math.max(0, positions[i + 1]! - floor);
        points[i] = (positions[i]! - h * leanX - shadow.x) * cells;
        points[i + 1] = (positions[i + 2]! - h * leanZ - shadow.z) * cells;
        points[i + 2] = value(h);
      }
      rasterizeGreatest(field, points, triangles);
    }
    return field.values;
  };
  for (let k = 0; k < LIGHT_SAMPLES; k++) {
    // Points of a sunflower fill a disc evenly: radius √k, turned by the golden angle each time.
    const radius = LIGHT_RADIUS * Math.sqrt((k + 0.5) / LIGHT_SAMPLES);
    const angle = k * 2.399963;
    const values = draw(slopeX + radius * cos(angle), slopeZ + radius * sin(angle), () => 1);
    for (let i = 0; i < values.length; i++)
      if (values[i]! > 0) shadow.key[i] = shadow.key[i]! + 1 / LIGHT_SAMPLES;
  }
  const reach = CONTACT_HEIGHT * top;
  const near = draw(0, 0, (h) => 1 - h / reach);
  for (let i = 0; i < near.length; i++) if (near[i]! > 0) shadow.contact[i] = near[i]! * near[i]!;
  blur(shadow.key, width, height, 1);
  blur(shadow.key, width, height, 1);
  const soft = Math.max(1, Math.round(0.012 * top * cells));
  blur(shadow.contact, width, height, soft);
  blur(shadow.contact, width, height, soft);
  return shadow;
}

/** Box blur in place, `radius` cells to either side, along rows and columns. */
function blur(values: Float32Array, width: number, height: number, radius: number): void {
  const line = new Float32Array(Math.max(width, height));
  const run = (start: number, stride: number, count: number) => {
    for (let i = 0; i < count; i++) line[i] = values[start + i * stride]!;
    let sum = 0;
    for (let i = -radius; i < count; i++) {
      if (i + radius < count) sum += line[i + radius]!;
      if (i - radius - 1 >= 0) sum -= line[i - radius - 1]!;
      if (i >= 0) values[start + i * stride] = sum / (2 * radius + 1);
    }
  };
  for (let y = 0; y < height; y++) run(y * width, 1, width);
  for (let x = 0; x < width; x++) run(x, width, height);
}

/** Reads a field of a floor shadow at a place, between cells; 0 outside. */
export function readFloorShadow(shadow: FloorShadow, values: Float32Array, x: number, z: number): number {
  const u = (x - shadow.x) * shadow.density - 0.5;
  const v = (z - shadow.z) * shadow.density - 0.5;
  const i = Math.floor(u);
  const j = Math.floor(v);
  if (!(i >= 0 && j >= 0 && i + 1 < shadow.width && j + 1 < shadow.height)) return 0;
  const o = j * shadow.width + i;
  const fu = u - i;
  const fv = v - j;
  const near = values[o]! * (1 - fu) + values[o + 1]! * fu;
  const far = values[o + shadow.width]! * (1 - fu) + values[o + shadow.width + 1]! * fu;
  return near * (1 - fv) + far * fv;
}

/** How far up towards the light the first surface stands, seen from the light. */
export type LightMap = {
  field: Field;
  /** Unit vectors across the light. */
  across: Direction;
  along: Direction;
  toLight: Direction;
  /** The corner of the field along `across` and `along`, metres. */
  u: number;
  v: number;
  /** Cells per metre. */
  density: number;
};

/** Looks at shapes from the light, so that they can shade themselves and each other. Null where there is nothing. */
export function castLightMap(shapes: readonly Shape[], toLight: Direction, density: number): LightMap | null {
  const flat = hypot(toLight[0], toLight[2]);
  const across: Direction = flat > 1e-6 ? [toLight[2] / flat, 0, -toLight[0] / flat] : [1, 0, 0];
  const along: Direction = [
    toLight[1] * across[2] - toLight[2] * across[1],
    toLight[2] * across[0] - toLight[0] * across[2],
    toLight[0] * across[1] - toLight[1] * across[0],
  ];
  let u0 = Infinity;
  let u1 = -Infinity;
  let v0 = Infinity;
  let v1 = -Infinity;
  const seen = shapes.map(({ positions }) => {
    const points = new Float64Array(positions.length);
    for (let i = 0; i + 2 < positions.length; i += 3) {
      const x = positions[i]!;
      const y = positions[i + 1]!;
      const z = positions[i + 2]!;
      points[i] = x * across[0] + y * across[1] + z * across[2];
      points[i + 1] = x * along[0] + y * along[1] + z * along[2];
      points[i + 2] = x * toLight[0] + y * toLight[1] + z * toLight[2];
      if (!Number.isFinite(points[i]! + points[i + 1]! + points[i + 2]!)) continue;
      u0 = Math.min(u0, points[i]!);
      u1 = Math.max(u1, points[i]!);
      v0 = Math.min(v0, points[i + 1]!);
      v1 = Math.max(v1, points[i + 1]!);
    }
    return points;
  });
  const extent = Math.max(u1 - u0, v1 - v0);
  if (!(extent > 0) || !Number.isFinite(extent)) return null;
  const cells = Math.min(density, MAX_CELLS / extent);
  const field = createField(Math.ceil((u1 - u0) * cells) + 1, Math.ceil((v1 - v0) * cells) + 1);
  seen.forEach((points, s) => {
    for (let i = 0; i < points.length; i += 3) {
      points[i] = (points[i]! - u0) * cells;
      points[i + 1] = (points[i + 1]! - v0) * cells;
    }
    rasterizeGreatest(field, points, shapes[s]!.triangles);
  });
  return { field, across, along, toLight, u: u0, v: v0, density: cells };
}

/**
 * The share of the key light that reaches a point: 1 in the open, 0 behind something.
 * @param slack metres by which something must stand nearer to the light to count.
 */
export function readLightMap(map: LightMap, x: number, y: number, z: number, slack: number): number {
  const { field, across, along, toLight } = map;
  const u = (x * across[0] + y * across[1] + z * across[2] - map.u) * map.density;
  const v = (x * along[0] + y * along[1] + z * along[2] - map.v) * map.density;
  const depth = x * toLight[0] + y * toLight[1] + z * toLight[2] + slack;
  // Nine comparisons a cell and a half apart, blended by nearness: an edge about three cells wide.
  let lit = 0;
  let sum = 0;
  for (let j = -1; j <= 1; j++)
    for (let i = -1; i <= 1; i++) {
      const weight = (i === 0 ? 2 : 1) * (j === 0 ? 2 : 1);
      sum += weight;
      const cu = Math.floor(u + 1.5 * i);
      const cv = Math.floor(v + 1.5 * j);
      if (cu < 0 || cv < 0 || cu >= field.width || cv >= field.height) lit += weight;
      else if (!(field.values[cv * field.width + cu]! > depth)) lit += weight;
    }
  return lit / sum;
}
