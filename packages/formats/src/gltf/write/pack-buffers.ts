import type { GltfDocument } from '../document.js';
import { meshoptOf } from '../document.js';
import type { GltfBuffer, GltfBufferView } from '../gltf-json.js';

/** All bytes of a document in one buffer, which is what a GLB holds, to which more can be added. */
export type PackedBuffers = {
  pieces: Uint8Array[];
  byteLength: number;
  /** The document's buffer views, pointing into the one buffer; copies where they had to change. */
  views: GltfBufferView[];
  /** The first is the one buffer; its length is set when all is added. Others are placeholders without bytes. */
  buffers: GltfBuffer[];
};

/** Starts of ranges stay multiples of this, so that any component type stays aligned. */
const ALIGNMENT = 8;

/**
 * Puts the buffers of a document one after the other. The first keeps its place, so in a file with one
 * buffer no view changes.
 */
export function packBuffers(document: GltfDocument): PackedBuffers {
  const { json, buffers: sources } = document;
  const packed: PackedBuffers = { pieces: [], byteLength: 0, views: [], buffers: [] };
  const places: Place[] = [];
  const first = sources.findIndex((data) => data !== null);
  const { uri: _, ...main } = json.buffers?.[first] ?? { byteLength: 0 };
  packed.buffers.push(main);
  sources.forEach((data, i) => {
    if (data) places.push({ buffer: 0, offset: appendBytes(packed, data), length: data.length });
    else {
      const { uri: _, ...placeholder } = json.buffers![i]!;
      packed.buffers.push(placeholder);
      places.push({ buffer: packed.buffers.length - 1, offset: 0, length: Number.POSITIVE_INFINITY });
    }
  });
  packed.views = (json.bufferViews ?? []).map((view) => moveView(view, places));
  return packed;
}

/** Where the bytes of a buffer are now, and how many they are. */
type Place = { buffer: number; offset: number; length: number };

/** Where no buffer has bytes: a GLB is shorter. */
const NOWHERE = 2 ** 32;

/** Adds bytes at an aligned place and says where. */
export function appendBytes(packed: PackedBuffers, bytes: Uint8Array): number {
  const gap = (ALIGNMENT - (packed.byteLength % ALIGNMENT)) % ALIGNMENT;
  if (gap > 0) packed.pieces.push(new Uint8Array(gap));
  packed.pieces.push(bytes);
  packed.byteLength += gap + bytes.length;
  return packed.byteLength - bytes.length;
}

/** The view itself where nothing of it has changed. */
function moveView(view: GltfBufferView, places: readonly Place[]): GltfBufferView {
  const compressed = meshoptOf(view.extensions);
  // What it unpacks to has no bytes in the file: how far that reaches breaks nothing.
  const moved = moveRange(view, places, compressed === null);
  if (!compressed) return moved;
  const extensions = Object.fromEntries(
    Object.entries(view.extensions!).map(([name, value]) => [
      name,
      value === compressed ? moveRange(compressed, places, true) : value,
    ]),
  );
  return { ...moved, extensions };
}

function moveRange<T extends { buffer?: unknown; byteOffset?: unknown; byteLength?: unknown }>(
  range: T,
  places: readonly Place[],
  isWithin: boolean,
): T {
  const place = places[Number(range.buffer)];
  // A view of a buffer that is not there is kept as it stands: it was broken before.
  if (!place) return range;
  const start = Number(range.byteOffset ?? 0);
  // One that leads out of its buffer would find what is put behind that: a broken one stays broken.
  const isBroken = isWithin && start + Number(range.byteLength ?? 0) > place.length;
  const byteOffset = isBroken ? NOWHERE : start + place.offset;
  if (place.buffer === range.buffer && byteOffset === start) return range;
  return {
    ...range,
    buffer: place.buffer,
    ...(byteOffset > 0 || range.byteOffset !== undefined ? { byteOffset } : {}),
  };
}
