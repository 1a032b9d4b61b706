import { squared, UsageError } from '@stuntdouble/core/engine';
import type { Image } from './image.js';

/*
 * Moving pictures as GIF 89a: one palette for all frames, so that what stands still does not flicker, and of each
 * frame only what has changed since the one before.
 */

/** Colours of the palette; one more number means "as before". */
const COLORS = 255;
const AS_BEFORE = 255;

/** Colours are counted by their five highest bits each. */
const BITS = 5;
const CELLS = 1 << (3 * BITS);

/** How far, in steps of 255, the eye is helped over the edges between two colours. */
const DITHER = 3;

/** Bayer's order of 8 × 8: thresholds that are spread as evenly as can be, and stand still. */
const THRESHOLDS = Float64Array.from({ length: 64 }, (_, i) => {
  const x = i & 7;
  const y = i >> 3;
  let value = 0;
  for (let bit = 0; bit < 3; bit++)
    value += (((x >> bit) ^ (y >> bit)) & 1) * (1 << (5 - 2 * bit)) + ((y >> bit) & 1) * (1 << (4 - 2 * bit));
  return (value + 0.5) / 64 - 0.5;
});

/**
 * Puts images together into a GIF that plays for ever.
 * @param frames of one size, at least one.
 * @param rate frames a second; players take 50 at most, in hundredths of a second.
 * @throws UsageError where there is no frame, or one of another size.
 */
export function writeGif(frames: readonly Image[], rate: number): Uint8Array {
  const [first] = frames;
  if (!first) throw new UsageError('a moving picture needs at least one frame');
  const { width, height } = first;
  if (frames.some((frame) => frame.width !== width || frame.height !== height))
    throw new UsageError('the frames of a moving picture must be of one size');
  if (width > 0xffff || height > 0xffff) throw new UsageError('a GIF has sides of at most 65,535 pixels');
  const palette = choosePalette(frames);
  const nearest = createNearest(palette);
  const out = new ByteList();
  out.text('GIF89a');
  out.short(width);
  out.short(height);
  // A palette of 256 colours follows.
  out.bytes(0xf7, 0, 0, ...palette, ...new Uint8Array(3 * 256 - palette.length));
  out.bytes(0x21, 0xff, 11);
  out.text('NETSCAPE2.0');
  out.bytes(3, 1, 0, 0, 0);
  let before: Uint8Array | null = null;
  frames.forEach((frame, n) => {
    const indices = paint(frame, nearest);
    const part = changedPart(indices, before, width, height);
    // Times are whole hundredths: each frame ends where it should, so that errors do not add up.
    const time = (k: number) => Math.round((100 * k) / rate);
    out.bytes(0x21, 0xf9, 4, 0x05);
    out.short(Math.max(2, time(n + 1) - time(n)));
    out.bytes(AS_BEFORE, 0, 0x2c);
    for (const value of [part.x, part.y, part.width, part.height]) out.short(value);
    out.bytes(0, 8);
    const shown = new Uint8Array(part.width * part.height);
    for (let y = 0; y < part.height; y++)
      for (let x = 0; x < part.width; x++) {
        const at = (part.y + y) * width + part.x + x;
        shown[y * part.width + x] = before && before[at] === indices[at] ? AS_BEFORE : indices[at]!;
      }
    compress(out, shown);
    before = indices;
  });
  out.bytes(0x3b);
  return out.whole();
}

/** Bytes that grow. */
class ByteList {
  private store = new Uint8Array(1 << 16);
  private length = 0;
  byte(value: number): void {
    if (this.length === this.store.length) {
      const larger = new Uint8Array(2 * this.store.length);
      larger.set(this.store);
      this.store = larger;
    }
    this.store[this.length++] = value;
  }
  bytes(...values: number[]): void {
    for (const value of values) this.byte(value);
  }
  short(value: number): void {
    this.bytes(value & 255, value >> 8);
  }
  text(value: string): void {
    for (let i = 0; i < value.length; i++) this.byte(value.charCodeAt(i));
  }
  whole(): Uint8Array {
    return this.store.slice(0, this.length);
  }
}

/** A box of colours that are near each other. */
type Box = { cells: number[]; error: number; axis: number };

/**
 * The colours that pictures have most of: boxes of the colours that are there are cut where they spread most, as long
 * as there is a colour left for one more (Heckbert 1982, cut at the mean).
 */
function choosePalette(frames: readonly Image[]): Uint8Array {
  const counts = new Float64Array(CELLS);
  const sums = new Float64Array(3 * CELLS);
  for (const { data } of frames)
    for (let i = 0; i + 2 < data.length; i += 3) {
      const cell = cellOf(data[i]!, data[i + 1]!, data[i + 2]!);
      counts[cell]!++;
      for (let c = 0; c < 3; c++) sums[3 * cell + c]! += data[i + c]!;
    }
  // Much of one colour needs no more shades than a little of it: the root keeps small bright parts.
  const weights = counts.map(Math.sqrt);
  const value = (cell: number, c: number) => sums[3 * cell + c]! / counts[cell]!;
  const boxOf = (cells: number[]): Box => {
    let error = -1;
    let axis = 0;
    for (let c = 0; c < 3; c++) {
      let weight = 0;
      let mean = 0;
      let square = 0;
      for (const cell of cells) {
        weight += weights[cell]!;
        mean += weights[cell]! * value(cell, c);
        square += weights[cell]! * squared(value(cell, c));
      }
      const spread = square - (mean * mean) / weight;
      if (spread > error) {
        error = spread;
        axis = c;
      }
    }
    return { cells, error, axis };
  };
  const used: number[] = [];
  for (let cell = 0; cell < CELLS; cell++) if (counts[cell]! > 0) used.push(cell);
  const boxes = [boxOf(used)];
  while (boxes.length < COLORS) {
    let worst = -1;
    boxes.forEach(({ cells, error }, b) => {
      if (cells.length > 1 && (worst < 0 || error > boxes[worst]!.error)) worst = b;
    });
    if (worst < 0) break;
    const { cells, axis } = boxes[worst]!;
    let weight = 0;
    let mean = 0;
    for (const cell of cells) {
      weight += weights[cell]!;
      mean += weights[cell]! * value(cell, axis);
    }
    mean /= weight;
    const low = cells.filter((cell) => value(cell, axis) <= mean);
    const high = cells.filter((cell) => value(cell, axis) > mean);
    if (low.length === 0 || high.length === 0) {
      boxes[worst]!.error = -1;
      if (boxes.every(({ cells: own, error }) => own.length < 2 || error < 0)) break;
      continue;
    }
    boxes[worst] = boxOf(low);
    boxes.push(boxOf(high));
  }
  const palette = new Uint8Array(3 * boxes.length);
  boxes.forEach(({ cells }, b) => {
    let count = 0;
    const sum = [0, 0, 0];
    for (const cell of cells) {
      count += counts[cell]!;
      for (let c = 0; c < 3; c++) sum[c]! += sums[3 * cell + c]!;
    }
    for (let c = 0; c < 3; c++) palette[3 * b + c] = Math.round(sum[c]! / count);
  });
  return palette;
}

function cellOf(r: number, g: number, b: number): number {
  return ((r >> (8 - BITS)) << (2 * BITS)) | ((g >> (8 - BITS)) << BITS) | (b >> (8 - BITS));
}

/** Finds the nearest colour of a palette; six bits of each part decide, and are looked up once. */
function createNearest(palette: Uint8Array): (r: number, g: number, b: number) => number {
  const known = new Int16Array(1 << 18).fill(-1);
  return (r, g, b) => {
    const key = ((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2);
    if (known[key]! >= 0) return known[key]!;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < palette.length; i += 3) {
      const dr = palette[i]! - r;
      const dg = palette[i + 1]! - g;
      const db = palette[i + 2]! - b;
      // Eyes see differences of green best and of blue least.
      const error = 2 * dr * dr + 4 * dg * dg + db * db;
      if (error < least) {
        least = error;
        best = i / 3;
      }
    }
    known[key] = best;
    return best;
  };
}

function paint(
  { width, height, data }: Image,
  nearest: (r: number, g: number, b: number) => number,
): Uint8Array {
  const out = new Uint8Array(width * height);
  const shift = (value: number, by: number) => Math.min(255, Math.max(0, Math.round(value + by)));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const by = 2 * DITHER * THRESHOLDS[((y & 7) << 3) | (x & 7)]!;
      out[i] = nearest(shift(data[3 * i]!, by), shift(data[3 * i + 1]!, by), shift(data[3 * i + 2]!, by));
    }
  return out;
}

/** The rectangle in which anything has changed; one pixel where nothing has. */
function changedPart(
  indices: Uint8Array,
  before: Uint8Array | null,
  width: number,
  height: number,
): { x: number; y: number; width: number; height: number } {
  if (!before) return { x: 0, y: 0, width, height };
  let [x0, y0, x1, y1] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (indices[y * width + x] !== before[y * width + x]) {
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
        y0 = Math.min(y0, y);
        y1 = y;
      }
  return x1 < 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
}

/** The codes that mean "begin anew" and "end", for pixels of eight bits. */
const CLEAR = 256;
const END = 257;
const LAST_CODE = 4095;

/** Adds pixels as GIF packs them (LZW, codes of 9 to 12 bits, in blocks of 255 bytes). */
function compress(out: ByteList, pixels: Uint8Array): void {
  const block: number[] = [];
  let bits = 0;
  let held = 0;
  const flush = () => {
    if (block.length === 0) return;
    out.byte(block.length);
    for (const byte of block) out.byte(byte);
    block.length = 0;
  };
  let size = 9;
  const put = (code: number) => {
    bits |= code << held;
    held += size;
    while (held >= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      held -= 8;
      if (block.length === 255) flush();
    }
  };
  let next = END + 1;
  let known = new Map<number, number>();
  put(CLEAR);
  let prefix = pixels[0]!;
  for (let i = 1; i < pixels.length; i++) {
    const key = (prefix << 8) | pixels[i]!;
    const code = known.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next <= LAST_CODE) {
      known.set(key, next);
      // A code of the next size may follow once the number just given needs it.
      if (next === 1 << size && size < 12) size++;
      next++;
    } else {
      put(CLEAR);
      known = new Map();
      next = END + 1;
      size = 9;
    }
    prefix = pixels[i]!;
  }
  put(prefix);
  put(END);
  if (held > 0) block.push(bits & 255);
  flush();
  out.byte(0);
}
