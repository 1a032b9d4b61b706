/*
 * A GLB writer for the samples: accessors packed one after another into one buffer, JSON in a fixed order,
 * so that the same input always gives the same bytes.
 */

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A document being built: glTF's own lists, and the bytes of its one buffer. */
export type GlbDocument = {
  nodes: Record<string, Json>[];
  meshes: Record<string, Json>[];
  skins: Record<string, Json>[];
  materials: Record<string, Json>[];
  animations: Record<string, Json>[];
  /** Indices of the scene's root nodes. */
  roots: number[];
  extensions: Record<string, Json>;
  /** Names of extensions that a reader must know. */
  required: string[];
  /** Buffers beside the one that holds the bytes. */
  moreBuffers: Record<string, Json>[];
  accessors: Record<string, Json>[];
  bufferViews: Record<string, Json>[];
  chunks: Uint8Array[];
  byteLength: number;
};

/** An empty document. */
export function createDocument(): GlbDocument {
  return {
    nodes: [],
    meshes: [],
    skins: [],
    materials: [],
    animations: [],
    roots: [],
    extensions: {},
    required: [],
    moreBuffers: [],
    accessors: [],
    bufferViews: [],
    chunks: [],
    byteLength: 0,
  };
}

const SIZES = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 } as const;

/** What an accessor is for. */
export type AccessorUse = {
  type: keyof typeof SIZES;
  /** Vertex attributes and indices say so; other data does not. */
  target?: 'vertices' | 'indices';
  /** Whether least and greatest values are written (positions and key times must have them). */
  bounds?: boolean;
  /** Whether integers stand for 0 to 1. */
  normalized?: boolean;
};

/** Appends an accessor over a copy of `values` and gives its index. */
export function addAccessor(
  document: GlbDocument,
  values: Float32Array | Uint16Array | Uint8Array,
  use: AccessorUse,
): number {
  const size = SIZES[use.type];
  const bytes = new Uint8Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength));
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  document.bufferViews.push({
    buffer: 0,
    byteOffset: document.byteLength,
    byteLength: bytes.length,
    ...(use.target ? { target: use.target === 'vertices' ? 34962 : 34963 } : {}),
  });
  document.chunks.push(padded);
  document.byteLength += padded.length;
  const accessor: Record<string, Json> = {
    bufferView: document.bufferViews.length - 1,
    componentType: values instanceof Float32Array ? 5126 : values instanceof Uint16Array ? 5123 : 5121,
    ...(use.normalized ? { normalized: true } : {}),
    count: values.length / size,
    type: use.type,
  };
  if (use.bounds) {
    const numbers = Array.from(values);
    const columns = Array.from({ length: size }, (_, c) => numbers.filter((_, i) => i % size === c));
    // Not Math.min(...): a mesh has more vertices than a call may have arguments.
    accessor.min = columns.map((column) => column.reduce((a, b) => Math.min(a, b)));
    accessor.max = columns.map((column) => column.reduce((a, b) => Math.max(a, b)));
  }
  document.accessors.push(accessor);
  return document.accessors.length - 1;
}

/** A number for JSON without the noise of a double's last digits. */
export function tidy(value: number): number {
  const rounded = Math.round(value * 1e8) / 1e8;
  return rounded === 0 ? 0 : rounded;
}

/** The bytes of a GLB file. */
export function writeGlb(document: GlbDocument): Uint8Array {
  const { extensions, required } = document;
  const used = [...Object.keys(extensions), ...required];
  const lists = (['nodes', 'meshes', 'skins', 'materials', 'animations'] as const).filter(
    (list) => document[list].length > 0,
  );
  const json = {
    asset: { version: '2.0', generator: 'Stuntdouble samples' },
    ...(used.length > 0 ? { extensionsUsed: used } : {}),
    ...(required.length > 0 ? { extensionsRequired: required } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    scene: 0,
    scenes: [{ nodes: document.roots }],
    ...Object.fromEntries(lists.map((list) => [list, document[list]])),
    accessors: document.accessors,
    bufferViews: document.bufferViews,
    buffers: [{ byteLength: document.byteLength }, ...document.moreBuffers],
  };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textLength = Math.ceil(text.length / 4) * 4;
  const total = 12 + 8 + textLength + 8 + document.byteLength;
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x46546c67, true); // "glTF"
  view.setUint32(4, 2, true);
  view.setUint32(8, total, true);
  view.setUint32(12, textLength, true);
  view.setUint32(16, 0x4e4f534a, true); // "JSON"
  bytes.fill(0x20, 20, 20 + textLength);
  bytes.set(text, 20);
  view.setUint32(20 + textLength, document.byteLength, true);
  view.setUint32(24 + textLength, 0x004e4942, true); // "BIN"
  let at = 28 + textLength;
  for (const chunk of document.chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
