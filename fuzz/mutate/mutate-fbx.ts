import type { Random } from '../random/random.js';
import { mutateBytes } from './mutate-bytes.js';

/** Changes an FBX by its records: their ends, property counts and array headers; words in a file of text. */
export function mutateFbx(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const isBinary = String.fromCharCode(...bytes.subarray(0, 18)) === 'Kaydara FBX Binary';
  if (random.chance(0.3)) return mutateBytes(random, bytes, other);
  return isBinary ? mutateRecords(random, bytes) : mutateText(random, bytes);
}

/** Where the records of a binary file begin, in order. */
function findRecords(bytes: Uint8Array): { at: number; isWide: boolean }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWide = view.getUint32(23, true) >= 7500;
  const head = isWide ? 24 : 12;
  const found: { at: number; isWide: boolean }[] = [];
  const walk = (from: number, end: number, depth: number) => {
    let at = from;
    while (at + head + 1 <= end && found.length < 20_000 && depth < 32) {
      const word = (n: number) =>
        isWide ? Number(view.getBigUint64(at + 8 * n, true)) : view.getUint32(at + 4 * n, true);
      const next = word(0);
      if (next <= at || next > end) return;
      found.push({ at, isWide });
      const inside = at + head + 1 + bytes[at + head]! + word(2);
      if (inside < next) walk(inside, next, depth + 1);
      at = next;
    }
  };
  walk(27, bytes.length, 0);
  return found;
}

function mutateRecords(random: Random, bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  const records = findRecords(out);
  if (records.length === 0) return out;
  // Most often one change: a file that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(4);
  for (let n = 0; n < rounds; n++) {
    const { at, isWide } = random.pick(records);
    const width = isWide ? 8 : 4;
    const head = 3 * width;
    const first = at + head + 1 + out[at + head]!;
    const odd = () =>
      random.pick([
        0,
        1,
        at,
        at + 1,
        out.length,
        out.length - 1,
        0x7fffffff,
        0xffffffff,
        random.below(out.length),
      ]);
    const write = (place: number) => {
      if (place + width > out.length) return;
      if (isWide) view.setBigUint64(place, BigInt(odd()), true);
      else view.setUint32(place, odd(), true);
    };
    // Values that stay of their kind: the file is read to its end, and what it says is odd.
    if (random.chance(0.65)) {
      changeValue(random, out, first, Math.min(out.length, first + 100_000));
      continue;
    }
    switch (random.below(6)) {
      case 0:
        write(at);
        break;
      case 1:
        write(at + width);
        break;
      case 2:
        write(at + 2 * width);
        break;
      case 3:
        if (first < out.length)
          out[first] = random.pick([...'CYIFDLSRfdlibx'].map((letter) => letter.charCodeAt(0)));
        break;
      case 4: {
        // Of an array property: how many elements, which encoding, how many bytes.
        const place = first + 1 + 4 * random.below(3);
        if (place + 4 <= out.length)
          view.setUint32(place, random.pick([0, 1, 2, 0x7fffffff, 0xffffffff, random.below(2 ** 24)]), true);
        break;
      }
      default: {
        const place = first + random.below(64);
        if (place < out.length) out[place] = random.below(256);
      }
    }
  }
  return out;
}

/** Bytes of a property's value, by its letter; those of texts and arrays say it themselves. */
const SIZES: Readonly<Record<string, number>> = { C: 1, Y: 2, I: 4, F: 4, D: 8, L: 8 };
const ITEM_SIZES: Readonly<Record<string, number>> = { f: 4, d: 8, l: 8, i: 4, b: 1 };
const ODD_NUMBERS = [0, -0, 1, -1, 0.5, 90, 1e-30, 1e30, -1e300, 1e300, Number.NaN, Number.POSITIVE_INFINITY];

/** Changes one of the properties that follow each other from a place on, without changing its kind or length. */
function changeValue(random: Random, out: Uint8Array, from: number, end: number): void {
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  const places: { letter: string; at: number; size: number }[] = [];
  for (let at = from; at + 5 < end && places.length < 16; ) {
    const letter = String.fromCharCode(out[at]!);
    const isList = letter in ITEM_SIZES;
    const isText = letter === 'S' || letter === 'R';
    if (!isList && !isText && !(letter in SIZES)) break;
    if (isList && at + 13 > end) break;
    const head = isList ? 13 : isText ? 5 : 1;
    const size = isList
      ? view.getUint32(at + 9, true)
      : isText
        ? view.getUint32(at + 1, true)
        : SIZES[letter]!;
    if (at + head + size > end) break;
    // Packed numbers are changed as bytes at most.
    const isPacked = isList && view.getUint32(at + 5, true) !== 0;
    if (size > 0) places.push({ letter: isPacked ? 'R' : letter, at: at + head, size });
    at += head + size;
  }
  if (places.length === 0) return;
  const { letter, at, size } = random.pick(places);
  const width = ITEM_SIZES[letter] ?? SIZES[letter] ?? 1;
  const place = at + width * random.below(Math.floor(size / width));
  const number = random.pick(ODD_NUMBERS);
  switch (letter.toUpperCase()) {
    case 'D':
      view.setFloat64(place, number, true);
      break;
    case 'F':
      view.setFloat32(place, number, true);
      break;
    case 'L':
      view.setBigInt64(
        place,
        random.pick([0n, 1n, -1n, 46186158000n, 2n ** 62n, BigInt(random.below(2 ** 31))]),
        true,
      );
      break;
    case 'I':
      view.setInt32(place, random.pick([0, 1, -1, 7, 2 ** 31 - 1, random.below(100)]), true);
      break;
    default:
      out[place] = random.pick([0, 1, 32, 65, 88, 255]);
  }
}

const ODD_WORDS = [
  '{',
  '}',
  '*',
  ':',
  ',',
  '"',
  '',
  '*999999999',
  '-1',
  '1e999',
  'nan',
  'a: 1',
  '\n',
  '\0',
  'C: "OO",0,0',
];

function mutateText(random: Random, bytes: Uint8Array): Uint8Array {
  const words = Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .split(/(\s+|,)/);
  // Most often one change: a file that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(6);
  for (let n = 0; n < rounds; n++) {
    const at = random.below(words.length);
    switch (random.below(5)) {
      case 0:
        words[at] = random.pick(ODD_WORDS);
        break;
      case 1:
        words.splice(at, 1 + random.below(5));
        break;
      case 2:
        words.splice(at, 0, random.pick(ODD_WORDS));
        break;
      case 3:
        words.splice(at, 0, ...words.slice(at, at + random.below(100)));
        break;
      default:
        words[at] = words[random.below(words.length)]!;
    }
  }
  return Uint8Array.from(words.join(''), (letter) => letter.charCodeAt(0) & 255);
}
