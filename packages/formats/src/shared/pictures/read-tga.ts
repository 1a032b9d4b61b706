import { fitsPixels, type Pixels } from './pixels.js';

/** Bytes of a TGA's header. */
const HEADER = 18;

/** What a header says, where it can be one. */
type TgaHeader = {
  idLength: number;
  /** 1 by a palette, 2 by colours, 3 by greys; whether runs of alike pixels stand for one. */
  kind: 1 | 2 | 3;
  isPacked: boolean;
  palette: { first: number; count: number; bits: number };
  width: number;
  height: number;
  bits: number;
  /** Bits of a pixel that are alpha. */
  alphaBits: number;
  isFromRight: boolean;
  isFromTop: boolean;
};

function readHeader(bytes: Uint8Array): TgaHeader | null {
  if (bytes.length < HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasPalette = bytes[1]!;
  const type = bytes[2]!;
  const kind = type & 7;
  const descriptor = bytes[17]!;
  const header: TgaHeader = {
    idLength: bytes[0]!,
    kind: kind as 1 | 2 | 3,
    isPacked: (type & 8) !== 0,
    palette: { first: view.getUint16(3, true), count: view.getUint16(5, true), bits: bytes[7]! },
    width: view.getUint16(12, true),
    height: view.getUint16(14, true),
    bits: bytes[16]!,
    alphaBits: descriptor & 15,
    isFromRight: (descriptor & 16) !== 0,
    isFromTop: (descriptor & 32) !== 0,
  };
  const isKind = hasPalette <= 1 && (type & ~8) === kind && kind >= 1 && kind <= 3;
  if (!isKind || (descriptor & 0xc0) !== 0 || header.width === 0 || header.height === 0) return null;
  if (kind === 1)
    return hasPalette === 1 && header.bits === 8 && [15, 16, 24, 32].includes(header.palette.bits)
      ? header
      : null;
  const depths = kind === 2 ? [15, 16, 24, 32] : [8, 16];
  return depths.includes(header.bits) ? header : null;
}

/** Whether bytes look like a TGA, which has no mark of its own at its beginning: every field must make sense. */
export function isTga(bytes: Uint8Array): boolean {
  return readHeader(bytes) !== null;
}

/** Puts one pixel of `bits` bits at `from` into `out` as four bytes. */
function putColor(
  out: Uint8Array,
  at: number,
  bytes: Uint8Array,
  from: number,
  bits: number,
  hasAlpha: boolean,
): void {
  if (bits === 8) {
    out.fill(bytes[from]!, at, at + 3);
    out[at + 3] = 255;
    return;
  }
  if (bits <= 16) {
    const value = bytes[from]! | (bytes[from + 1]! << 8);
    const five = (shift: number) => Math.round((((value >> shift) & 31) * 255) / 31);
    out[at] = five(10);
    out[at + 1] = five(5);
    out[at + 2] = five(0);
    out[at + 3] = hasAlpha && (value & 0x8000) === 0 ? 0 : 255;
    return;
  }
  out[at] = bytes[from + 2]!;
  out[at + 1] = bytes[from + 1]!;
  out[at + 2] = bytes[from]!;
  out[at + 3] = bits === 32 && hasAlpha ? bytes[from + 3]! : 255;
}

/**
 * Reads a TGA (Truevision TGA File Format Specification, version 2.0): by colours, greys or a palette, plain or
 * in runs.
 * @returns null where it is none, is cut off or would be very large.
 */
export function readTga(bytes: Uint8Array): Pixels | null {
  const header = readHeader(bytes);
  if (!header || !fitsPixels(header.width, header.height, bytes.length)) return null;
  const { kind, width, height, bits, palette } = header;
  const size = Math.ceil(bits / 8);
  const paletteSize = Math.ceil(palette.bits / 8);
  let at = HEADER + header.idLength;
  const paletteStart = at;
  // A picture may have a palette that it does not use.
  if (bytes[1] === 1) at += palette.count * paletteSize;
  const hasAlpha = header.alphaBits > 0;
  const isGreyAlpha = kind === 3 && bits === 16;
  const data = new Uint8Array(4 * width * height);
  const put = (pixel: number, from: number): boolean => {
    const row = Math.floor(pixel / width);
    const column = pixel - row * width;
    const y = header.isFromTop ? row : height - 1 - row;
    const x = header.isFromRight ? width - 1 - column : column;
    const to = 4 * (y * width + x);
    if (kind === 1) {
      const entry = bytes[from]! - palette.first;
      if (entry < 0 || entry >= palette.count) return false;
      putColor(data, to, bytes, paletteStart + entry * paletteSize, palette.bits, hasAlpha);
    } else if (isGreyAlpha) {
      putColor(data, to, bytes, from, 8, false);
      data[to + 3] = bytes[from + 1]!;
    } else putColor(data, to, bytes, from, bits, hasAlpha);
    return true;
  };
  const count = width * height;
  if (at > bytes.length || (kind === 1 && paletteStart + palette.count * paletteSize > bytes.length))
    return null;
  if (!header.isPacked) {
    if (at + count * size > bytes.length) return null;
    for (let pixel = 0; pixel < count; pixel++, at += size) if (!put(pixel, at)) return null;
  } else {
    for (let pixel = 0; pixel < count; ) {
      if (at >= bytes.length) return null;
      const head = bytes[at++]!;
      const length = Math.min((head & 127) + 1, count - pixel);
      const isRun = head >= 128;
      if (at + (isRun ? 1 : length) * size > bytes.length) return null;
      for (let n = 0; n < length; n++, pixel++) if (!put(pixel, isRun ? at : at + n * size)) return null;
      at += (isRun ? 1 : length) * size;
    }
  }
  showUnseen(data);
  return { width, height, data };
}

/** Some programs leave the alpha of every pixel at nothing, and nobody means a picture that cannot be seen. */
export function showUnseen(data: Uint8Array): void {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) return;
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
}
