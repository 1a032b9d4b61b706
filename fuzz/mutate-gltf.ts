import { concat, mutateBytes } from './mutate-bytes.js';
import type { Random } from './random.js';

/** Values that stand where another kind of value is expected, or out of every range. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, '', 'constructor', '__proto__', 'VEC4', 'SCALAR', 'CUBICSPLINE', [], {}, [[]]],
  ...[-1, 0, 1, 2, 3, 4, 5120, 5121, 5123, 5125, 5126, 0.5, 1e-30, 1e30, -1e30, 1e308, 2 ** 31, 2 ** 53],
];

type Place = { holder: Record<string, unknown>; key: string };

/** Changes a glTF or GLB by its structure: members of its JSON, its lists, its chunks; the bytes at times. */
export function mutateGltf(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const parts = takeApart(bytes);
  if (!parts) return mutateBytes(random, bytes, other);
  const { json, bin } = parts;
  // Most often one change: a file that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(5);
  for (let n = 0; n < rounds; n++) changeJson(random, json);
  const changedBin = bin && random.chance(0.15) ? mutateBytes(random, bin, other) : bin;
  if (!parts.isGlb && random.chance(0.15)) changeBuffer(random, json, other);
  const text = new TextEncoder().encode(JSON.stringify(json));
  if (!parts.isGlb) return text;
  const file = putTogether(text, changedBin);
  if (random.chance(0.1)) {
    // The header of the file or of a chunk: lengths and types.
    const view = new DataView(file.buffer);
    const place = random.pick([4, 8, 12, 16, 20 + view.getUint32(12, true)]);
    if (place + 4 <= file.length)
      view.setUint32(
        place,
        random.pick([0, 1, 7, file.length, file.length + 1, 0xffffffff, random.below(2 ** 31)]),
        true,
      );
  }
  return file;
}

/** The JSON and the binary chunk of a glTF or GLB; null where it is none. */
export function takeApart(
  bytes: Uint8Array,
): { json: Record<string, unknown>; bin: Uint8Array | null; isGlb: boolean } | null {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isGlb = view.getUint32(0, true) === 0x46546c67;
    const length = isGlb ? view.getUint32(12, true) : bytes.length;
    const start = isGlb ? 20 : 0;
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length)));
    const bin = isGlb && bytes.length > 28 + length ? bytes.subarray(28 + length) : null;
    return { json, bin, isGlb };
  } catch {
    return null;
  }
}

/** Changes the bytes of a buffer that stands in a data URI. */
function changeBuffer(random: Random, json: Record<string, unknown>, other: Uint8Array): void {
  const [buffer] = Array.isArray(json.buffers) ? (json.buffers as unknown[]) : [];
  if (typeof buffer !== 'object' || buffer === null || !('uri' in buffer)) return;
  const [head, data] = String(buffer.uri).split(';base64,');
  if (data === undefined) return;
  const bytes = mutateBytes(random, new Uint8Array(Buffer.from(data, 'base64')), other);
  buffer.uri = `${head};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** A GLB of its JSON and its binary chunk. */
export function putTogether(json: Uint8Array, bin: Uint8Array | null): Uint8Array {
  const pad = (length: number) => (4 - (length % 4)) % 4;
  const words = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
  const text = concat(json, new Uint8Array(pad(json.length)).fill(32));
  const data = bin ? concat(bin, new Uint8Array(pad(bin.length))) : null;
  const total = 20 + text.length + (data ? 8 + data.length : 0);
  return concat(
    words(0x46546c67, 2, total, text.length, 0x4e4f534a),
    text,
    ...(data ? [words(data.length, 0x004e4942), data] : []),
  );
}

/** The members that a reader of motion looks at; others are rarely worth a case. */
const WORTHWHILE = [
  'nodes',
  'skins',
  'animations',
  'accessors',
  'bufferViews',
  'buffers',
  'meshes',
  'scenes',
  'extensions',
  'asset',
];

function changeJson(random: Random, json: Record<string, unknown>): void {
  const place = choosePlace(random, json);
  if (!place) return;
  const { holder, key } = place;
  const value = holder[key];
  switch (random.below(9)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      if (Array.isArray(holder)) holder.push(value);
      else holder[`${key}_`] = value;
      break;
    case 2:
      holder[key] = structuredClone(random.pick(ODD_VALUES));
      break;
    case 3: {
      // Something that stands elsewhere: indices of another list, nodes as skins.
      const other = choosePlace(random, json)?.holder ?? {};
      // Only what the file holds: an array has a member `filter` too.
      holder[key] = Object.hasOwn(other, key) ? structuredClone(other[key]) : random.below(64);
      break;
    }
    case 4:
      if (typeof value === 'number')
        holder[key] = random.pick([value + 1, value - 1, -value, value * 1000, value / 3, random.below(100)]);
      else if (typeof value === 'string')
        holder[key] = random.pick([`${value}x`, value.slice(1), value.repeat(20)]);
      else holder[key] = random.below(64);
      break;
    case 5:
      if (Array.isArray(value) && value.length > 0)
        for (let n = random.below(40); n >= 0; n--) value.push(value[random.below(value.length)]);
      else holder[key] = [value, value];
      break;
    case 6:
      if (Array.isArray(value)) value.reverse();
      else holder[key] = { [key]: value };
      break;
    case 7:
      holder[key] = nested(random.pick([3, 50, 2000]));
      break;
    default:
      if (Array.isArray(value)) value.length = random.below(value.length + 1);
      else if (typeof value === 'number') holder[key] = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

function choosePlace(random: Random, json: Record<string, unknown>): Place | null {
  const keys = WORTHWHILE.filter((key) => json[key] !== undefined);
  let holder = json;
  let key = random.chance(0.9) && keys.length > 0 ? random.pick(keys) : random.pick(Object.keys(json));
  if (key === undefined) return null;
  // Down at random: most places are deep inside.
  for (let depth = 0; depth < 8; depth++) {
    const value = holder[key];
    if (typeof value !== 'object' || value === null || random.chance(0.12)) break;
    const below = Object.keys(value);
    if (below.length === 0) break;
    holder = value as Record<string, unknown>;
    key = random.pick(below);
  }
  return { holder, key };
}
