import type { DracoModule } from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import { FormatError } from '../../format-error.js';
import { type GltfDocument, readView } from '../document.js';
import { type GltfPrimitive, gltfError, isObject, show } from '../gltf-json.js';

let draco: DracoModule | null = null;

/** The name of Draco's extension in files. */
export const DRACO = 'KHR_draco_mesh_compression';

/**
 * Loads the Draco decoder, once. It is large, so it comes only when vertices of a compressed file are
 * needed; the file itself is written back as it was.
 * @returns whether it could be loaded here.
 */
export async function prepareDraco(): Promise<boolean> {
  try {
    draco ??= await (await import('#draco')).createDracoModule();
    return true;
  } catch {
    return false;
  }
}

/** A decoded primitive: triangles, and attributes by name as packed numbers. */
export type DracoGeometry = {
  triangles: Uint32Array;
  count: number;
  attributes: Map<string, { values: Float32Array | Uint32Array; size: number }>;
};

/**
 * Decodes the attributes of a Draco primitive. {@link prepareDraco} must have answered true.
 * @param names which attributes; those that are not there are left out.
 */
export function decodeDraco(
  document: GltfDocument,
  primitive: GltfPrimitive,
  names: readonly string[],
  at: string,
): DracoGeometry {
  const extension = primitive.extensions?.[DRACO];
  if (!draco || !isObject(extension) || !isObject(extension.attributes))
    throw gltfError(`${at}.extensions.${DRACO}`, show(extension), 'a buffer view and attributes');
  const bytes = readView(document, extension.bufferView, `${at}.extensions.${DRACO}.bufferView`);
  const module = draco;
  const buffer = new module.DecoderBuffer();
  const decoder = new module.Decoder();
  const mesh = new module.Mesh();
  try {
    buffer.Init(bytes, bytes.length);
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok() || mesh.ptr === 0) throw gltfError(at, 'bytes that Draco cannot unpack', 'a whole mesh');
    const count = mesh.num_points();
    const triangleCount = mesh.num_faces();
    const triangles = copyOut(module, 3 * triangleCount, (size, pointer) => {
      decoder.GetTrianglesUInt32Array(mesh, size, pointer);
      return module.HEAPU32.slice(pointer >> 2, (pointer >> 2) + 3 * triangleCount);
    });
    const attributes: DracoGeometry['attributes'] = new Map();
    for (const name of names) {
      const id = extension.attributes[name];
      if (typeof id !== 'number') continue;
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      const size = attribute.num_components();
      const accessor = document.json.accessors?.[primitive.attributes[name] ?? -1];
      const isFloat = accessor?.componentType === 5126;
      const values = copyOut(module, size * count, (byteLength, pointer) => {
        const type = isFloat ? module.DT_FLOAT32 : module.DT_UINT32;
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, byteLength, pointer);
        const start = pointer >> 2;
        return (isFloat ? module.HEAPF32 : module.HEAPU32).slice(start, start + size * count);
      });
      attributes.set(name, { values, size });
    }
    return { triangles, count, attributes };
  } catch (error) {
    if (error instanceof FormatError) throw error;
    // The decoder itself broke down on these bytes; it must not be used again.
    draco = null;
    throw gltfError(at, 'bytes on which the Draco decoder fails', 'a whole mesh');
  } finally {
    if (draco) for (const object of [mesh, decoder, buffer]) module.destroy(object);
  }
}

/** Runs `read` with room for `length` four-byte numbers on Draco's own heap. */
function copyOut<T>(
  module: DracoModule,
  length: number,
  read: (byteLength: number, pointer: number) => T,
): T {
  const pointer = module._malloc(4 * length);
  try {
    return read(4 * length, pointer);
  } finally {
    module._free(pointer);
  }
}
