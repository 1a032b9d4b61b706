import { type GltfDocument, meshoptOf } from '../document.js';
import type { GltfAccessor, GltfBufferView, GltfJson } from '../gltf-json.js';

/**
 * A document without its animations, and without the bytes that nothing else used.
 *
 * Accessors and buffer views are numbered, and meshes, skins and extensions name them by number; so those
 * that are no longer used are cut off at the end of the lists only, and one in between becomes empty. All
 * other ranges of bytes keep their content; they move together.
 */
export function dropAnimations(document: GltfDocument): GltfDocument {
  const { json } = document;
  if (!json.animations?.length) return document;
  const { animations, ...rest } = json;
  const mentioned = mentionedNumbers(rest);

  const freed = new Set<number>();
  for (const { samplers } of animations)
    for (const { input, output } of samplers)
      for (const accessor of [input, output])
        if (typeof accessor === 'number' && !mentioned.accessors.has(accessor)) freed.add(accessor);
  const accessors = (json.accessors ?? []).slice();
  while (accessors.length > 0 && freed.has(accessors.length - 1)) accessors.pop();
  // An accessor without a view is all zeros and takes no bytes.
  for (const i of freed)
    if (i < accessors.length) accessors[i] = { componentType: 5126, count: 1, type: 'SCALAR' };

  const usedViews = new Set([...accessors.flatMap(viewsOf), ...mentioned.views]);
  const views = (json.bufferViews ?? []).slice();
  while (views.length > 0 && !usedViews.has(views.length - 1)) views.pop();
  const compacted = compact(document, views, usedViews);
  return {
    ...document,
    json: {
      ...rest,
      ...(json.accessors ? { accessors } : {}),
      ...(json.bufferViews ? { bufferViews: compacted.views } : {}),
      ...(json.buffers ? { buffers: compacted.jsonBuffers } : {}),
    },
    buffers: compacted.buffers,
    // Decoded views belong to the document as it was read.
    decodedViews: new Map(),
  };
}

function viewsOf({ bufferView, sparse }: GltfAccessor): number[] {
  return [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView].filter(
    (view) => typeof view === 'number',
  );
}

/**
 * The accessors and buffer views that the document without its animations names. What an extension means by
 * a number is not known here, so every whole number in an extension counts as naming both.
 */
function mentionedNumbers(json: GltfJson): { accessors: Set<number>; views: Set<number> } {
  const accessors = new Set<number>();
  const views = new Set<number>();
  const walk = (value: unknown, isForeign: boolean) => {
    if (typeof value === 'number' && isForeign && Number.isInteger(value)) {
      accessors.add(value);
      views.add(value);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) walk(member, isForeign || key === 'extensions');
  };
  const { accessors: _accessors, bufferViews: _views, buffers: _buffers, ...others } = json;
  walk(others, false);
  for (const { primitives } of json.meshes ?? [])
    for (const { attributes, indices, targets } of primitives)
      for (const group of [attributes, { indices }, ...(targets ?? [])])
        for (const accessor of Object.values(group ?? {}))
          if (typeof accessor === 'number') accessors.add(accessor);
  for (const { inverseBindMatrices } of json.skins ?? [])
    if (inverseBindMatrices !== undefined) accessors.add(inverseBindMatrices);
  for (const { bufferView } of json.images ?? []) if (bufferView !== undefined) views.add(bufferView);
  return { accessors, views };
}

/** Leaves out the bytes that no used view covers. Ranges keep their place within eight bytes. */
function compact(
  document: GltfDocument,
  views: GltfBufferView[],
  used: ReadonlySet<number>,
): {
  views: GltfBufferView[];
  buffers: (Uint8Array | null)[];
  jsonBuffers: NonNullable<GltfJson['buffers']>;
} {
  const jsonBuffers = document.json.buffers ?? [];
  const unchanged = { views, buffers: document.buffers, jsonBuffers };
  // Where a view is compressed its ranges stand in an extension: such files are small, and left whole.
  if (views.some((view) => meshoptOf(view.extensions))) return unchanged;
  const buffers = document.buffers.slice();
  const newViews = views.slice();
  const newJson = jsonBuffers.slice();
  document.buffers.forEach((data, b) => {
    if (!data) return;
    const ranges = views
      .map(({ buffer, byteOffset = 0, byteLength }, i) => ({
        i,
        buffer,
        start: byteOffset,
        end: byteOffset + byteLength,
      }))
      .filter(({ buffer, i }) => buffer === b && used.has(i))
      .sort((x, y) => x.start - y.start);
    const isSound = ranges.every(
      ({ start, end }) => Number.isSafeInteger(start) && start >= 0 && start <= end && end <= data.length,
    );
    if (!isSound) return;
    const pieces: { from: number; to: number; end: number }[] = [];
    let length = 0;
    for (const { start, end } of ranges) {
      const last = pieces[pieces.length - 1];
      const from = start - (start % 8);
      if (last && from <= last.end) {
        length += Math.max(0, end - last.end);
        last.end = Math.max(last.end, end);
        continue;
      }
      length += (8 - (length % 8)) % 8;
      pieces.push({ from, to: length, end });
      length += end - from;
    }
    const hasLeftOver = views.some((view, i) => view.buffer === b && !used.has(i));
    if (hasLeftOver) length = Math.max(length, 4);
    const out = new Uint8Array(length);
    for (const { from, to, end } of pieces) out.set(data.subarray(from, end), to);
    for (const { i, start } of ranges) {
      const piece = pieces.filter(({ from }) => from <= start).pop()!;
      const byteOffset = start - piece.from + piece.to;
      newViews[i] = byteOffset === (views[i]!.byteOffset ?? 0) ? views[i]! : { ...views[i]!, byteOffset };
    }
    views.forEach((view, i) => {
      // A view between others that nothing uses must still lie within the buffer.
      if (view.buffer === b && !used.has(i)) newViews[i] = { buffer: b, byteLength: 4 };
    });
    buffers[b] = out;
    newJson[b] = { ...jsonBuffers[b]!, byteLength: length };
  });
  return { views: newViews, buffers, jsonBuffers: newJson };
}
