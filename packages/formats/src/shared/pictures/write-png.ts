import { zlibSync } from 'fflate';
import type { Pixels } from './pixels.js';

const CRCS = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < 8 + data.length; i++) crc = CRCS[(crc ^ out[i]!) & 255]! ^ (crc >>> 8);
  view.setUint32(8 + data.length, ~crc >>> 0);
  return out;
}

/** The neighbour that a + b − c is nearest to (PNG specification, 9.4). */
function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const pa = Math.abs(p - a);
  const pb = Math.abs(p - b);
  const pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** The bytes of a PNG, without alpha where all of it is seen. Rows are told from their neighbours by Paeth's rule. */
export function writePng({ width, height, data }: Pixels): Uint8Array {
  let size = 3;
  for (let i = 3; i < data.length; i += 4)
    if (data[i] !== 255) {
      size = 4;
      break;
    }
  const stride = 1 + size * width;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const to = y * stride;
    rows[to] = 4;
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      for (let c = 0; c < size; c++) {
        const left = x > 0 ? data[at - 4 + c]! : 0;
        const above = y > 0 ? data[at - 4 * width + c]! : 0;
        const corner = x > 0 && y > 0 ? data[at - 4 * width - 4 + c]! : 0;
        rows[to + 1 + size * x + c] = data[at + c]! - paeth(left, above, corner);
      }
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  header[9] = size === 4 ? 6 : 2;
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(rows)),
    chunk('IEND', new Uint8Array(0)),
  ];
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
