import { gltfError, show } from './gltf-json.js';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** The parts of a binary glTF file. Chunks of unknown types are kept, as the specification allows them. */
export type GlbParts = {
  json: Uint8Array;
  bin: Uint8Array | null;
  others: { type: number; bytes: Uint8Array }[];
};

/** Whether bytes begin as binary glTF does. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/**
 * Cuts a binary glTF file into its chunks, without copying. Chunks that were not padded to four bytes are
 * read all the same.
 * @throws FormatError where a length does not fit the bytes.
 */
export function readGlb(bytes: Uint8Array): GlbParts {
  if (bytes.length < 20)
    throw gltfError('byte 0', `a file of ${bytes.length} bytes`, 'the header of a GLB file; it is cut off');
  const view = viewOf(bytes);
  const version = view.getUint32(4, true);
  if (version !== 2) throw gltfError('byte 4', `version ${version}`, 'version 2; convert older files first');
  const length = view.getUint32(8, true);
  if (length > bytes.length)
    throw gltfError('byte 8', `a length of ${length} in a file of ${bytes.length} bytes`, 'a whole file');
  const parts: GlbParts = { json: bytes.subarray(0, 0), bin: null, others: [] };
  let at = 12;
  for (let chunk = 0; at + 8 <= length; chunk++) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    const end = at + 8 + size;
    if (end > length)
      throw gltfError(`byte ${at}`, `a chunk of ${size} bytes`, `at most ${length - at - 8}; it is cut off`);
    const body = bytes.subarray(at + 8, end);
    if (chunk === 0) {
      if (type !== JSON_CHUNK) throw gltfError('byte 16', `chunk type ${show(type)}`, 'a JSON chunk');
      parts.json = body;
    } else if (type === BIN_CHUNK && !parts.bin) parts.bin = body;
    else parts.others.push({ type, bytes: body });
    // Some writers count the padding and some leave it out of the count.
    const padded = (end + 3) & ~3;
    const isChunkHere = end + 8 <= length && view.getUint32(end + 4, true) === BIN_CHUNK;
    at = isChunkHere ? end : padded;
  }
  return parts;
}

/** Puts chunks together to a binary glTF file; padding is added as the specification asks for. */
export function writeGlb(parts: {
  json: Uint8Array;
  bin: Uint8Array[];
  others: GlbParts['others'];
}): Uint8Array {
  const pad = (length: number) => (length + 3) & ~3;
  const binLength = parts.bin.reduce((sum, piece) => sum + piece.length, 0);
  let total = 12 + 8 + pad(parts.json.length);
  if (binLength > 0) total += 8 + pad(binLength);
  for (const { bytes } of parts.others) total += 8 + pad(bytes.length);
  const out = new Uint8Array(total);
  const view = viewOf(out);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, total, true);
  let at = 12;
  const chunk = (type: number, length: number, pieces: Uint8Array[]) => {
    view.setUint32(at, pad(length), true);
    view.setUint32(at + 4, type, true);
    at += 8;
    const end = at + pad(length);
    for (const piece of pieces) {
      out.set(piece, at);
      at += piece.length;
    }
    if (type === JSON_CHUNK) out.fill(0x20, at, end);
    at = end;
  };
  chunk(JSON_CHUNK, parts.json.length, [parts.json]);
  if (binLength > 0) chunk(BIN_CHUNK, binLength, parts.bin);
  for (const { type, bytes } of parts.others) chunk(type, bytes.length, [bytes]);
  return out;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
