/** A picture in memory: red, green, blue and alpha, a byte each, rows from the top. */
export type Pixels = { width: number; height: number; data: Uint8Array };

/** 8192 × 8192: four times what engines ask of a body, and 256 MB in memory. */
const MOST_PIXELS = 2 ** 26;

/**
 * What a picture may unpack to: so many bytes, and so many times those of its file. Pictures that are painted
 * pack to a tenth at the best; a file that claims more is made to cost memory.
 */
const UNPACKED_BYTES = 2 ** 25;
const UNPACKED_RATIO = 16;

/** Whether a picture of these sides may be unpacked from so many bytes. */
export function fitsPixels(width: number, height: number, byteLength: number): boolean {
  const pixels = width * height;
  return (
    width > 0 &&
    height > 0 &&
    pixels <= MOST_PIXELS &&
    4 * pixels <= UNPACKED_BYTES + UNPACKED_RATIO * byteLength
  );
}
