import { exp, hypot } from '@stuntdouble/core/engine';
import { type Camera, projectPoints } from './camera.js';
import type { Image, Rectangle, Rgb } from './image.js';
import { PALETTE, toByte, toLinearColor } from './palette.js';
import { clearSurface, createSurface, rasterizeShape, type Shape, type Surface } from './rasterize.js';
import {
  castFloorShadow,
  castLightMap,
  type Direction,
  type FloorShadow,
  type LightMap,
  readFloorShadow,
  readLightMap,
} from './shadow.js';

/** Bodies on a floor, and from where they are seen. Model space, metres. */
export type PictureScene = {
  shapes: readonly Shape[];
  camera: Camera;
  /** Height of the floor. */
  floor: number;
  /** Length of a floor tile. */
  tile: number;
  /** Height of what is shown; gives the finest shadows their measure. */
  height: number;
  /** Where the floor fades into the background: from `from` to `to` metres around `x`, `z`. */
  fade: { x: number; z: number; from: number; to: number };
  background?: Rgb;
};

/** Samples a pixel along each side: smooth edges for 9 depth tests a pixel. */
const SAMPLES = 3;
/** The sample in the middle of a pixel, along each side. */
const MIDDLE = 1;
/** Samples of a pixel are shaded as one if their normals differ by less than about 6° and depths by 1 %. */
const EVEN = 0.01;

/** Share of what is below the floor that is still seen through it, so that a sunken foot can be found. */
const GHOST = 0.16;

// Light, as shares of a white surface's: a warm key from the viewer's upper left, a cool sky, a warm floor.
const KEY = [0.92, 0.87, 0.79] as const;
const SKY = [0.42, 0.45, 0.5] as const;
const GROUND = [0.22, 0.2, 0.18] as const;
const RIM = 0.16;
/** What is left in a shadow on the floor: skylight, a little cooler. */
const SHADE = [0, 0.012, 0.04] as const;

/** Draws a scene into a rectangle of an image, smooth-edged, with a checkered floor and soft shadows. */
export function renderScene(image: Image, rectangle: Rectangle, scene: PictureScene): void {
  const x0 = Math.round(rectangle.x);
  const y0 = Math.round(rectangle.y);
  const width = Math.round(rectangle.width);
  const height = Math.round(rectangle.height);
  if (!(width > 0 && height > 0)) return;
  const { camera, shapes } = scene;
  const toLight = lightOf(camera);
  const distance = distanceTo(camera, scene.fade.x, scene.floor + scene.height / 2, scene.fade.z);
  const pixelsPerMetre = camera.focal / Math.max(distance, 1e-6);
  const shadow = castFloorShadow(shapes, scene.floor, toLight, 0.75 * pixelsPerMetre);
  const lightMap = castLightMap(shapes, toLight, 1.5 * pixelsPerMetre);
  const surface = sampleShapes(shapes, camera, width, height);
  const background = toLinearColor(scene.background ?? PALETTE.card);
  const light = { scene, toLight, shadow, lightMap, background, slack: 1.5 / pixelsPerMetre };
  const floorColor = new Float64Array(3);
  const color = new Float64Array(3);
  const own = new Float64Array(3);
  const plane = floorPlane(camera, scene.floor);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const px = x0 + x;
      const py = y0 + y;
      if (px < 0 || py < 0 || px >= image.width || py >= image.height) continue;
      shadeFloor(floorColor, light, x + 0.5, y + 0.5, width, height);
      let r = 0;
      let g = 0;
      let b = 0;
      const first = y * SAMPLES * surface.width + x * SAMPLES;
      const even = isEven(surface, first);
      if (even) {
        meanColor(own, surface, first);
        shadeSurface(color, light, surface, first + MIDDLE * (surface.width + 1), x + 0.5, y + 0.5, own);
      }
      for (let sy = 0; sy < SAMPLES; sy++)
        for (let sx = 0; sx < SAMPLES; sx++) {
          const i = first + sy * surface.width + sx;
          let over = 0;
          if (surface.owners[i] !== 0) {
            const u = x + (sx + 0.5) / SAMPLES;
            const v = y + (sy + 0.5) / SAMPLES;
            over = surface.inverseDepths[i]! >= plane.atOrigin + plane.perX * u + plane.perY * v ? 1 : GHOST;
            if (!even) {
              for (let c = 0; c < 3; c++) own[c] = surface.colors[3 * i + c]!;
              shadeSurface(color, light, surface, i, u, v, own);
            }
          }
          r += floorColor[0]! + (color[0]! - floorColor[0]!) * over;
          g += floorColor[1]! + (color[1]! - floorColor[1]!) * over;
          b += floorColor[2]! + (color[2]! - floorColor[2]!) * over;
        }
      const o = 3 * (py * image.width + px);
      const share = 1 / (SAMPLES * SAMPLES);
      image.data[o] = toByte(r * share);
      image.data[o + 1] = toByte(g * share);
      image.data[o + 2] = toByte(b * share);
    }
}

/** out = the mean of the samples' own colours. */
function meanColor(out: Float64Array, { colors, width }: Surface, first: number): void {
  out.fill(0);
  for (let sy = 0; sy < SAMPLES; sy++)
    for (let sx = 0; sx < SAMPLES; sx++) {
      const at = 3 * (first + sy * width + sx);
      for (let c = 0; c < 3; c++) out[c]! += colors[at + c]! / (SAMPLES * SAMPLES);
    }
}

/**
 * Whether the samples of a pixel see one smooth piece of surface, so that one shading serves them all. That
 * takes a ninth of the time; on real characters one value in a thousand differs by more than 4 of 255, at
 * edges of shadows.
 */
function isEven(surface: Surface, first: number): boolean {
  const { width, owners, normals, inverseDepths } = surface;
  const center = first + MIDDLE * (width + 1);
  const owner = owners[center]!;
  if (owner === 0) return false;
  const depth = inverseDepths[center]!;
  const nx = normals[3 * center]!;
  const ny = normals[3 * center + 1]!;
  const nz = normals[3 * center + 2]!;
  const most = EVEN * (nx * nx + ny * ny + nz * nz);
  for (let sy = 0; sy < SAMPLES; sy++)
    for (let sx = 0; sx < SAMPLES; sx++) {
      const i = first + sy * width + sx;
      if (owners[i] !== owner || Math.abs(inverseDepths[i]! - depth) > EVEN * depth) return false;
      const dx = normals[3 * i]! - nx;
      const dy = normals[3 * i + 1]! - ny;
      const dz = normals[3 * i + 2]! - nz;
      if (dx * dx + dy * dy + dz * dz > most) return false;
    }
  return true;
}

type Light = {
  scene: PictureScene;
  toLight: Direction;
  shadow: FloorShadow | null;
  lightMap: LightMap | null;
  background: readonly [number, number, number];
  slack: number;
};

/** The key light goes with the viewer, so that every view is lit alike. */
function lightOf(camera: Camera): Direction {
  const { right, forward } = camera;
  const flat = hypot(forward[0], forward[2]) || 1;
  const x = -0.62 * right[0] - (0.55 * forward[0]) / flat;
  const y = 1.2;
  const z = -0.62 * right[2] - (0.55 * forward[2]) / flat;
  const length = hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function distanceTo(camera: Camera, x: number, y: number, z: number): number {
  const { eye, forward } = camera;
  return (x - eye[0]) * forward[0] + (y - eye[1]) * forward[1] + (z - eye[2]) * forward[2];
}

let reused: Surface | null = null;

function sampleShapes(shapes: readonly Shape[], camera: Camera, width: number, height: number): Surface {
  const w = width * SAMPLES;
  const h = height * SAMPLES;
  if (reused && reused.width === w && reused.height === h) clearSurface(reused);
  else reused = createSurface(w, h);
  const surface = reused;
  const fine: Camera = {
    ...camera,
    focal: camera.focal * SAMPLES,
    centerX: camera.centerX * SAMPLES,
    centerY: camera.centerY * SAMPLES,
  };
  shapes.forEach((shape, s) => {
    const projected = new Float64Array(shape.positions.length);
    projectPoints(projected, fine, shape.positions);
    rasterizeShape(surface, shape, projected, s + 1);
  });
  return surface;
}

/**
 * 1 / depth of the floor as a function of the pixel, which is linear: a ray forward + u · right + v · up from
 * the eye meets the height `floor` at depth (floor − eyeY) / (forwardY + u · rightY + v · upY).
 */
function floorPlane(camera: Camera, floor: number): { atOrigin: number; perX: number; perY: number } {
  const { eye, right, up, forward, focal, centerX, centerY } = camera;
  const k = 1 / (floor - eye[1] || -1e-9);
  const perX = (k * right[1]) / focal;
  const perY = (-k * up[1]) / focal;
  return { atOrigin: k * forward[1] - perX * centerX - perY * centerY, perX, perY };
}

/** Bends bright light so that white bodies keep their form: as it is up to a half, never more than 1. */
function shoulder(value: number): number {
  return value < 0.5 ? value : 1 - 0.5 * exp(-2 * (value - 0.5));
}

function smooth(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/**
 * The mean of a wave of period 2 that is 1 on [0, 1) and −1 on [1, 2), over a window of some width: its
 * integral is the triangle wave, so the mean is a difference of two of its values.
 */
function meanSquareWave(at: number, window: number): number {
  const integral = (t: number) => {
    const f = t - 2 * Math.floor(t / 2);
    return f < 1 ? f : 2 - f;
  };
  return (integral(at + window / 2) - integral(at - window / 2)) / window;
}

const TILE_LIGHT = toLinearColor(PALETTE.tileLight);
const TILE_DARK = toLinearColor(PALETTE.tileDark);

function shadeFloor(
  out: Float64Array,
  light: Light,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { scene, background, shadow } = light;
  const { camera, fade } = scene;
  const { eye, right, up, forward } = camera;
  const u = (x - camera.centerX) / camera.focal;
  const v = (camera.centerY - y) / camera.focal;
  const dy = forward[1] + u * right[1] + v * up[1];
  const depth = (scene.floor - eye[1]) / dy;
  for (let c = 0; c < 3; c++) out[c] = background[c]!;
  if (!(depth > 0) || !Number.isFinite(depth)) return;
  const px = eye[0] + depth * (forward[0] + u * right[0] + v * up[0]);
  const pz = eye[2] + depth * (forward[2] + u * right[2] + v * up[2]);
  // The floor is gone at the edges of the picture, so that pictures stand beside each other without a seam.
  const soft = Math.min(0.14 * width, 0.18 * height);
  const side = smooth(0, soft, Math.min(x, width - x)) * smooth(0, Math.min(soft, 0.07 * height), height - y);
  const shown =
    side * smooth(0, 0.5 * height, y) * smooth(fade.to, fade.from, hypot(px - fade.x, pz - fade.z));
  // A pixel covers this much of the floor; more in depth, where one looks along it.
  const window = (depth / camera.focal / scene.tile) * Math.min(6, 1 / Math.max(1e-3, -dy)) * 0.7;
  const checker =
    meanSquareWave(px / scene.tile, Math.max(window, 1e-3)) *
    meanSquareWave(pz / scene.tile, Math.max(window, 1e-3));
  const dark = 0.5 + 0.5 * checker;
  let lit = 1;
  if (shadow) {
    lit -= 0.42 * side * readFloorShadow(shadow, shadow.key, px, pz);
    lit *= 1 - 0.5 * side * readFloorShadow(shadow, shadow.contact, px, pz);
  }
  for (let c = 0; c < 3; c++) {
    const tile = TILE_LIGHT[c]! + (TILE_DARK[c]! - TILE_LIGHT[c]!) * dark;
    const tint = lit + (1 - lit) * SHADE[c]!;
    out[c] = (background[c]! + (tile - background[c]!) * shown) * tint;
  }
}

function shadeSurface(
  out: Float64Array,
  light: Light,
  surface: Surface,
  i: number,
  x: number,
  y: number,
  color: Float64Array,
): void {
  const { scene, toLight, lightMap } = light;
  const { eye, right, up, forward, focal, centerX, centerY } = scene.camera;
  const { normals, inverseDepths } = surface;
  let nx = normals[3 * i]!;
  let ny = normals[3 * i + 1]!;
  let nz = normals[3 * i + 2]!;
  const length = hypot(nx, ny, nz) || 1;
  nx /= length;
  ny /= length;
  nz /= length;
  const depth = 1 / inverseDepths[i]!;
  const u = (x - centerX) / focal;
  const v = (centerY - y) / focal;
  const rx = forward[0] + u * right[0] + v * up[0];
  const ry = forward[1] + u * right[1] + v * up[1];
  const rz = forward[2] + u * right[2] + v * up[2];
  const px = eye[0] + depth * rx;
  const py = eye[1] + depth * ry;
  const pz = eye[2] + depth * rz;
  const facing = nx * toLight[0] + ny * toLight[1] + nz * toLight[2];
  // Wrapped a little past the edge of the light, as cloth and skin do: (n·l + w) / (1 + w).
  let key = Math.max(0, (facing + 0.18) / 1.18);
  if (key > 0 && lightMap) {
    const slack = light.slack * (1 + 2 * (1 - Math.max(0, facing)));
    const off = light.slack;
    key *= readLightMap(lightMap, px + nx * off, py + ny * off, pz + nz * off, slack);
  }
  const sky = 0.5 + 0.5 * ny;
  // The floor takes away light near it: the lower a point, the less sky and bounce it sees.
  const near = smooth(-0.02, 0.22, (py - scene.floor) / scene.height);
  const ambient = 0.72 + 0.28 * near;
  const away = 1 + (nx * rx + ny * ry + nz * rz) / hypot(rx, ry, rz);
  const edge = Math.max(0, Math.min(1, away));
  const rim = RIM * edge * edge * edge * sky;
  for (let c = 0; c < 3; c++) {
    const around = (SKY[c]! * sky + GROUND[c]! * (1 - sky)) * ambient;
    out[c] = shoulder(color[c]! * (around + KEY[c]! * key) + rim * (0.35 + 0.65 * color[c]!));
  }
}
