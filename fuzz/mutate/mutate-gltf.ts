import type { Random } from '../random/random.js';
import { concat, mutateBytes } from './mutate-bytes.js';
import { changeJson } from './mutate-json.js';

/** Changes a glTF or GLB by its structure: members of its JSON, its lists, its chunks; the bytes at times. */
export function mutateGltf(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const parts = takeApart(bytes);
  if (!parts) return mutateBytes(random, bytes, other);
  const { json, bin } = parts;
  // Most often one change: a file that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(5);
  for (let n = 0; n < rounds; n++) changeJson(random, json, WORTHWHILE);
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
