import { UsageError } from '@stuntdouble/core';
import { hypot } from '@stuntdouble/core/engine';
import { encode } from 'fast-png';

/** A picture in memory: sRGB bytes, three a pixel, rows from the top. */
export type Image = { width: number; height: number; data: Uint8Array };

/** An sRGB colour as people write it, three bytes. */
export type Rgb = readonly [number, number, number];

/** Pixels of a rectangle of an image; may reach outside of it. */
export type Rectangle = { x: number; y: number; width: number; height: number };

/** More pixels than any sheet needs: a wrong size is said at once instead of filling the memory. */
const MAX_PIXELS = 1 << 26;

/**
 * Makes an image of one colour.
 * @throws UsageError where a side is no positive whole number or the image would have more than 67 million pixels.
 */
export function createImage(width: number, height: number, color: Rgb = [255, 255, 255]): Image {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1)
    throw new UsageError(`image size is ${width} × ${height}; both must be positive whole numbers`);
  if (width * height > MAX_PIXELS)
    throw new UsageError(`image size is ${width} × ${height}; at most ${MAX_PIXELS} pixels can be drawn`);
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < data.length; i += 3) {
    data[i] = color[0];
    data[i + 1] = color[1];
    data[i + 2] = color[2];
  }
  return { width, height, data };
}

/** Lays a colour over one pixel: 0 leaves the pixel as it is, 1 replaces it. Outside of the image: nothing. */
export function blendPixel(image: Image, x: number, y: number, color: Rgb, coverage: number): void {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || !(coverage > 0)) return;
  const k = Math.min(coverage, 1);
  const o = 3 * (y * image.width + x);
  for (let c = 0; c < 3; c++) {
    const below = image.data[o + c]!;
    image.data[o + c] = Math.round(below + (color[c]! - below) * k);
  }
}

/** Fills a rectangle with round corners and smooth edges; the radius is in pixels. */
export function fillRectangle(image: Image, rectangle: Rectangle, color: Rgb, radius = 0): void {
  const { x, y, width, height } = rectangle;
  const corner = Math.max(0, Math.min(radius, width / 2, height / 2));
  const x1 = Math.min(image.width, Math.ceil(x + width));
  const y1 = Math.min(image.height, Math.ceil(y + height));
  for (let py = Math.max(0, Math.floor(y)); py < y1; py++)
    for (let px = Math.max(0, Math.floor(x)); px < x1; px++) {
      // Signed distance of the pixel's centre to the rectangle shrunk by the radius, minus the radius.
      const dx = Math.abs(px + 0.5 - x - width / 2) - width / 2 + corner;
      const dy = Math.abs(py + 0.5 - y - height / 2) - height / 2 + corner;
      const distance = hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
      blendPixel(image, px, py, color, 0.5 - distance);
    }
}

/** The bytes of a PNG file of the image. */
export function writePng(image: Image): Uint8Array {
  return encode({ width: image.width, height: image.height, data: image.data, channels: 3, depth: 8 });
}
