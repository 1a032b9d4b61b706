import { fitsPixels, type Pixels } from './pixels.js';
import { showUnseen } from './read-tga.js';

/** Whether bytes begin as a BMP's do. */
export function isBmp(bytes: Uint8Array): boolean {
  return bytes.length >= 26 && bytes[0] === 0x42 && bytes[1] === 0x4d;
}

/** A part of a pixel: which of its bits, as a mask. */
function scaleOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}

/**
 * Reads a BMP of 1 to 32 bits a pixel, by a palette or by colours.
 * @returns null where it is none, is packed in runs, cut off or would be very large.
 */
export function readBmp(bytes: Uint8Array): Pixels | null {
  if (!isBmp(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.getUint32(10, true);
  const headerSize = view.getUint32(14, true);
  const isOld = headerSize === 12;
  if (!isOld && (headerSize < 40 || 14 + headerSize > bytes.length)) return null;
  const width = isOld ? view.getUint16(18, true) : view.getInt32(18, true);
  const given = isOld ? view.getUint16(20, true) : view.getInt32(22, true);
  const height = Math.abs(given);
  const bits = view.getUint16(isOld ? 24 : 28, true);
  const packing = isOld ? 0 : view.getUint32(30, true);
  // 0: plain; 3 and 6: colours by masks. Runs and pictures of other kinds inside are rare.
  if (packing !== 0 && packing !== 3 && packing !== 6) return null;
  if (![1, 4, 8, 16, 24, 32].includes(bits) || !fitsPixels(width, height, bytes.length)) return null;
  const stride = 4 * Math.ceil((width * bits) / 32);
  if (start + stride * height > bytes.length) return null;
  const data = new Uint8Array(4 * width * height);
  const paletteStart = 14 + headerSize;
  const entrySize = isOld ? 3 : 4;
  const entries = Math.floor((start - paletteStart) / entrySize);
  let masks = bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
  if (packing !== 0) {
    if (54 + 12 > bytes.length) return null;
    masks = [0, 1, 2].map((c) => view.getUint32(54 + 4 * c, true));
    masks.push(headerSize >= 56 || packing === 6 ? view.getUint32(66, true) : 0);
  }
  const [red, green, blue, alpha] = masks.map(scaleOf);
  for (let row = 0; row < height; row++) {
    const y = given < 0 ? row : height - 1 - row;
    const from = start + row * stride;
    for (let x = 0; x < width; x++) {
      const to = 4 * (y * width + x);
      data[to + 3] = 255;
      if (bits <= 8) {
        const byte = bytes[from + ((x * bits) >> 3)]!;
        const entry = (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
        if (entry >= entries) continue;
        const at = paletteStart + entry * entrySize;
        for (let c = 0; c < 3; c++) data[to + c] = bytes[at + 2 - c]!;
      } else if (bits === 24) {
        for (let c = 0; c < 3; c++) data[to + c] = bytes[from + 3 * x + 2 - c]!;
      } else {
        const value = bits === 16 ? view.getUint16(from + 2 * x, true) : view.getUint32(from + 4 * x, true);
        data[to] = red!(value);
        data[to + 1] = green!(value);
        data[to + 2] = blue!(value);
        if (masks[3] !== 0) data[to + 3] = alpha!(value);
      }
    }
  }
  if (masks[3] !== 0) showUnseen(data);
  return { width, height, data };
}
