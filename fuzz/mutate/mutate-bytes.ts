import type { Random } from '../random/random.js';

/** Numbers at which readers break: around zero, sign, and the ends of integer types. */
const ODD_INTEGERS = [
  0, 1, 2, 3, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Changes bytes without knowing what they mean: flips, odd integers, cuts, repeats, pieces of another file. */
export function mutateBytes(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let out: Uint8Array = bytes.slice();
  const rounds = 1 + random.below(4);
  for (let n = 0; n < rounds && out.length > 0; n++) {
    const at = random.below(out.length);
    // Headers decide most: half of all changes are near the beginning.
    const place = random.chance(0.5) ? Math.min(at, random.below(512)) : at;
    switch (random.below(8)) {
      case 0:
        out[place]! ^= 1 << random.below(8);
        break;
      case 1:
        out[place] = random.below(256);
        break;
      case 2: {
        const width = random.pick([1, 2, 4, 8]);
        if (place + width > out.length) break;
        const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
        const value = random.pick(ODD_INTEGERS);
        if (width === 1) view.setUint8(place, value & 255);
        else if (width === 2) view.setUint16(place, value & 65535, true);
        else if (width === 4) view.setUint32(place, value, true);
        else view.setBigUint64(place, BigInt(value) << BigInt(random.below(33)), true);
        break;
      }
      case 3:
        out = out.slice(0, place);
        break;
      case 4: {
        const length = random.below(Math.min(64, out.length - place));
        out = concat(out.subarray(0, place), out.subarray(place + length));
        break;
      }
      case 5: {
        const length = 1 + random.below(Math.min(256, out.length - place));
        out = concat(out.subarray(0, place + length), out.subarray(place));
        break;
      }
      case 6: {
        const from = random.below(other.length);
        const piece = other.subarray(from, from + 1 + random.below(512));
        out = concat(out.subarray(0, place), piece, out.subarray(place));
        break;
      }
      default: {
        const length = Math.min(out.length - place, 1 + random.below(64));
        out.fill(random.pick([0, 255, 32, 48]), place, place + length);
      }
    }
  }
  return out;
}

/** Pieces of bytes as one. */
export function concat(...pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
