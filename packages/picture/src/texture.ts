import type { Picture } from '@stuntdouble/formats';
import { decode as decodePng } from 'fast-png';
import { decode as decodeJpeg } from 'jpeg-js';
import { toLinear } from './palette.js';

/** A picture to lay on triangles: its levels, each half as large as the one before, down to a pixel or two. */
export type Texture = { levels: TextureLevel[] };

/** One size of a picture: red, green, blue as light from 0 to 1, and alpha; rows from the top. */
export type TextureLevel = { width: number; height: number; data: Float32Array };

/** A figure is a few hundred pixels high: finer than this shows nothing more, and costs 16 bytes a pixel. */
const MOST_SIDE = 512;

/** Pictures of more pixels are not decoded: 16 million, 4096 × 4096. */
const MOST_PIXELS = 2 ** 24;

/** Megabytes that decoding a JPEG may take. */
const JPEG_MEMORY = 512;

const textures = new WeakMap<Picture, Texture | null>();

/** The texture of a picture; null where it is no PNG or JPEG, is broken or very large. Decoded once. */
export function textureOf(picture: Picture): Texture | null {
  const known = textures.get(picture);
  if (known !== undefined) return known;
  let texture: Texture | null = null;
  try {
    texture = decodeTexture(picture.bytes);
  } catch {
    // A body without its picture is shown in its colour.
  }
  textures.set(picture, texture);
  return texture;
}

function decodeTexture(bytes: Uint8Array): Texture | null {
  const size = sizeOf(bytes);
  if (!size || size.width * size.height > MOST_PIXELS || size.width * size.height === 0) return null;
  const read = bytes[0] === 0x89 ? readPng(bytes) : readJpeg(bytes);
  const levels = [shrink(read)];
  for (;;) {
    const last = levels[levels.length - 1]!;
    if (last.width <= 2 || last.height <= 2) return { levels };
    levels.push(halve(last));
  }
}

/** Bytes of a picture: so many channels a pixel, and the value that is full light. */
type Pixels = {
  width: number;
  height: number;
  channels: number;
  data: ArrayLike<number>;
  most: number;
  palette?: number[][];
};

/** The sides of a PNG or JPEG by its header, before anything is unpacked. */
function sizeOf(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0x89 && bytes.length > 24)
    return { width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    // Frames begin with C0 to CF, but for tables (C4, C8, CC).
    if (marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xc0) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function readPng(bytes: Uint8Array): Pixels {
  const { width, height, channels, data, depth, palette } = decodePng(bytes);
  return { width, height, channels, data, most: (1 << depth) - 1, ...(palette ? { palette } : {}) };
}

function readJpeg(bytes: Uint8Array): Pixels {
  const { width, height, data } = decodeJpeg(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: true,
    maxResolutionInMP: MOST_PIXELS / 1e6,
    maxMemoryUsageInMB: JPEG_MEMORY,
  });
  return { width, height, channels: 3, data, most: 255 };
}

/** Light of each byte of sRGB. */
const LIGHT = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte));

/** A picture as light, of {@link MOST_SIDE} pixels a side at most: each is the mean of those it covers. */
function shrink({ width, height, channels, data, most, palette }: Pixels): TextureLevel {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / MOST_SIDE));
  const w = Math.max(1, Math.floor(width / step));
  const h = Math.max(1, Math.floor(height / step));
  const out = new Float32Array(4 * w * h);
  const isGrey = channels < 3;
  const hasAlpha = channels === 2 || channels === 4;
  const pixel = [0, 0, 0, 1];
  const light = (value: number) => LIGHT[Math.round((255 * value) / most)]!;
  const read = (x: number, y: number) => {
    const at = channels * (y * width + x);
    if (palette) {
      const color = palette[data[at]!] ?? [0, 0, 0];
      for (let c = 0; c < 3; c++) pixel[c] = LIGHT[color[c]!]!;
      pixel[3] = color.length > 3 ? color[3]! / 255 : 1;
      return;
    }
    for (let c = 0; c < 3; c++) pixel[c] = light(data[isGrey ? at : at + c]!);
    pixel[3] = hasAlpha ? data[at + channels - 1]! / most : 1;
  };
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const to = 4 * (y * w + x);
      for (let dy = 0; dy < step; dy++)
        for (let dx = 0; dx < step; dx++) {
          read(x * step + dx, y * step + dy);
          for (let c = 0; c < 4; c++) out[to + c]! += pixel[c]! / (step * step);
        }
    }
  return { width: w, height: h, data: out };
}

function halve({ width, height, data }: TextureLevel): TextureLevel {
  const w = width >> 1;
  const h = height >> 1;
  const out = new Float32Array(4 * w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let c = 0; c < 4; c++) {
        const at = 4 * (2 * y * width + 2 * x) + c;
        out[4 * (y * w + x) + c] =
          (data[at]! + data[at + 4]! + data[at + 4 * width]! + data[at + 4 * width + 4]!) / 4;
      }
  return { width: w, height: h, data: out };
}

/**
 * out = the light and alpha of a level at texture coordinates, v upwards, between its four nearest pixels. Beyond the
 * edges it repeats, or stays what it is there along axes that are clamped.
 */
export function readTexture(
  out: Float64Array,
  { width, height, data }: TextureLevel,
  u: number,
  v: number,
  clamps: readonly [boolean, boolean],
): void {
  const x = u * width - 0.5;
  const y = (1 - v) * height - 0.5;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  const left = place(x0, width, clamps[0]);
  const right = place(x0 + 1, width, clamps[0]);
  const above = width * place(y0, height, clamps[1]);
  const below = width * place(y0 + 1, height, clamps[1]);
  for (let c = 0; c < 4; c++) {
    const top = data[4 * (above + left) + c]! * (1 - fx) + data[4 * (above + right) + c]! * fx;
    const bottom = data[4 * (below + left) + c]! * (1 - fx) + data[4 * (below + right) + c]! * fx;
    out[c] = top * (1 - fy) + bottom * fy;
  }
}

function place(at: number, size: number, isClamped: boolean): number {
  if (isClamped) return Math.min(size - 1, Math.max(0, at));
  const wrapped = at % size;
  return wrapped < 0 ? wrapped + size : wrapped;
}
