import type { Image } from '../src/image.js';

/** What a GIF shows: its frames as they stand one after the other, and for how many hundredths of a second. */
export type ReadGif = { frames: Image[]; delays: number[]; isEndless: boolean };

/** Reads a GIF 89a with one palette, as players do: a reader of its own, apart from the writer. */
export function readGif(bytes: Uint8Array): ReadGif {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0, 6) !== 'GIF89a') throw new Error('no GIF');
  const width = view.getUint16(6, true);
  const height = view.getUint16(8, true);
  const palette = bytes.subarray(13, 13 + 3 * 2 ** ((bytes[10]! & 7) + 1));
  const out: ReadGif = { frames: [], delays: [], isEndless: false };
  const canvas = new Uint8Array(3 * width * height);
  let at = 13 + palette.length;
  let unseen = -1;
  let delay = 0;
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) {
        delay = view.getUint16(at + 4, true);
        unseen = bytes[at + 3]! & 1 ? bytes[at + 6]! : -1;
      } else if (text(at + 3, 11) === 'NETSCAPE2.0') out.isEndless = view.getUint16(at + 16, true) === 0;
      at += 2;
      while (bytes[at] !== 0) at += 1 + bytes[at]!;
      at++;
      continue;
    }
    if (bytes[at] !== 0x2c) throw new Error(`byte ${at}: ${bytes[at]}`);
    const [left, top, w, h] = [1, 3, 5, 7].map((n) => view.getUint16(at + n, true)) as [
      number,
      number,
      number,
      number,
    ];
    const codeSize = bytes[at + 10]!;
    at += 11;
    const packed: number[] = [];
    while (bytes[at] !== 0) {
      packed.push(...bytes.subarray(at + 1, at + 1 + bytes[at]!));
      at += 1 + bytes[at]!;
    }
    at++;
    unpack(packed, codeSize, w * h).forEach((index, i) => {
      if (index === unseen) return;
      const to = 3 * ((top + Math.floor(i / w)) * width + left + (i % w));
      canvas.set(palette.subarray(3 * index, 3 * index + 3), to);
    });
    out.frames.push({ width, height, data: canvas.slice() });
    out.delays.push(delay);
  }
  return out;
}

function unpack(packed: readonly number[], codeSize: number, count: number): number[] {
  const clear = 1 << codeSize;
  const out: number[] = [];
  let table: number[][] = [];
  let size = codeSize + 1;
  let before: number[] | null = null;
  let bits = 0;
  let held = 0;
  const reset = () => {
    table = Array.from({ length: clear + 2 }, (_, i) => [i]);
    size = codeSize + 1;
    before = null;
  };
  for (const byte of packed) {
    bits |= byte << held;
    held += 8;
    while (held >= size) {
      const code = bits & ((1 << size) - 1);
      bits >>>= size;
      held -= size;
      if (code === clear) {
        reset();
        continue;
      }
      if (code === clear + 1) return out;
      const last: number[] | null = before;
      const run: number[] = table[code] ?? [...last!, last![0]!];
      out.push(...run);
      if (last && table.length < 4096) table.push([...last, run[0]!]);
      if (table.length === 1 << size && size < 12) size++;
      before = run;
    }
  }
  if (out.length !== count) throw new Error(`${out.length} pixels of ${count}`);
  return out;
}
