/** A glTF file under construction: JSON that tests fill in by hand, and one growing buffer. */
export type GltfBuilder = {
  json: Record<string, unknown> & {
    nodes: Record<string, unknown>[];
    accessors: Record<string, unknown>[];
    bufferViews: Record<string, unknown>[];
  };
  /** Adds bytes as a buffer view and gives its index. */
  view(bytes: ArrayBufferView, more?: Record<string, unknown>): number;
  /** Adds packed numbers as an accessor and gives its index. */
  accessor(values: ArrayBufferView & ArrayLike<number>, type: string, more?: Record<string, unknown>): number;
  /** The buffer so far. */
  buffer(): Uint8Array;
  /** The file as GLB. */
  glb(): Uint8Array;
  /** The file as JSON whose buffer has the given URI. */
  gltf(uri: string): Uint8Array;
};

const SIZES: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

const COMPONENT_TYPES: Record<string, number> = {
  Int8Array: 5120,
  Uint8Array: 5121,
  Int16Array: 5122,
  Uint16Array: 5123,
  Uint32Array: 5125,
  Float32Array: 5126,
};

/** Starts a file; `nodes` are glTF nodes as they shall stand in it. */
export function buildGltf(nodes: Record<string, unknown>[]): GltfBuilder {
  const bytes: number[] = [];
  const json: GltfBuilder['json'] = {
    asset: { version: '2.0' },
    nodes,
    accessors: [],
    bufferViews: [],
  };
  const finish = (uri?: string) =>
    JSON.stringify({
      ...json,
      ...(bytes.length > 0 ? { buffers: [{ byteLength: bytes.length, ...(uri ? { uri } : {}) }] } : {}),
    });
  const builder: GltfBuilder = {
    json,
    view(data, more = {}) {
      while (bytes.length % 4 !== 0) bytes.push(0);
      json.bufferViews.push({ buffer: 0, byteOffset: bytes.length, byteLength: data.byteLength, ...more });
      for (const byte of new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) bytes.push(byte);
      return json.bufferViews.length - 1;
    },
    accessor(values, type, more = {}) {
      const bufferView = builder.view(values);
      json.accessors.push({
        bufferView,
        componentType: COMPONENT_TYPES[values.constructor.name],
        count: values.length / SIZES[type]!,
        type,
        ...more,
      });
      return json.accessors.length - 1;
    },
    buffer: () => Uint8Array.from(bytes),
    glb: () => glbOf(finish(), Uint8Array.from(bytes)),
    gltf: (uri) => new TextEncoder().encode(finish(uri)),
  };
  return builder;
}

/** A GLB by the letter of the specification, independent of the code under test. */
export function glbOf(json: string, bin: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(
    json + ' '.repeat((4 - (new TextEncoder().encode(json).length % 4)) % 4),
  );
  const binLength = Math.ceil(bin.length / 4) * 4;
  const out = new Uint8Array(12 + 8 + text.length + (bin.length > 0 ? 8 + binLength : 0));
  const view = new DataView(out.buffer);
  const words = [0x46546c67, 2, out.length, text.length, 0x4e4f534a];
  words.forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  out.set(text, 20);
  if (bin.length > 0) {
    view.setUint32(20 + text.length, binLength, true);
    view.setUint32(24 + text.length, 0x004e4942, true);
    out.set(bin, 28 + text.length);
  }
  return out;
}
