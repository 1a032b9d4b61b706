import createDraco from 'draco3dgltf/draco_encoder_gltf_nodejs.js';
import { MeshoptEncoder } from 'meshoptimizer';
import type { GlbDocument, Json } from './glb-builder.js';

/*
 * The same documents with their meshes compressed, as exporters leave them: by Draco (KHR_draco_mesh_compression)
 * and by meshoptimizer (EXT_meshopt_compression).
 */

type Primitive = { attributes: Record<string, number>; indices: number; extensions?: Json };

const primitivesOf = ({ meshes }: GlbDocument) =>
  meshes.flatMap((mesh) => mesh.primitives as unknown as Primitive[]);

/** The numbers of an accessor. */
function valuesOf(document: GlbDocument, accessor: number): Float32Array | Uint16Array | Uint8Array {
  const { bufferView, componentType } = document.accessors[accessor] as {
    bufferView: number;
    componentType: number;
  };
  const { byteLength } = document.bufferViews[bufferView] as { byteLength: number };
  const bytes = document.chunks[bufferView]!.slice(0, byteLength);
  if (componentType === 5126) return new Float32Array(bytes.buffer);
  return componentType === 5123 ? new Uint16Array(bytes.buffer) : bytes;
}

/** A document whose views are put in place again: those that accessors or extensions name, in the order given. */
function replaceViews(
  document: GlbDocument,
  views: readonly { view: Record<string, Json>; bytes: Uint8Array }[],
) {
  document.bufferViews.length = 0;
  document.chunks.length = 0;
  document.byteLength = 0;
  for (const { view, bytes } of views) {
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    document.bufferViews.push({
      buffer: 0,
      byteOffset: document.byteLength,
      byteLength: bytes.length,
      ...view,
    });
    document.chunks.push(padded);
    document.byteLength += padded.length;
  }
}

/** Compresses the meshes of a document with Draco's edge breaker, which puts vertices in an order of its own. */
export async function compressWithDraco(document: GlbDocument): Promise<void> {
  const draco = await createDraco({});
  const views: { view: Record<string, Json>; bytes: Uint8Array }[] = [];
  const packed = new Map<number, number>();
  for (const primitive of primitivesOf(document)) {
    const builder = new draco.MeshBuilder();
    const mesh = new draco.Mesh();
    const encoder = new draco.Encoder();
    const data = new draco.DracoInt8Array();
    const indices = valuesOf(document, primitive.indices);
    builder.AddFacesToMesh(mesh, indices.length / 3, Uint32Array.from(indices));
    const attributes: Record<string, Json> = {};
    for (const [name, accessor] of Object.entries(primitive.attributes)) {
      const values = valuesOf(document, accessor);
      const { count } = document.accessors[accessor] as { count: number };
      const size = values.length / count;
      const kind = name === 'POSITION' ? draco.POSITION : name === 'NORMAL' ? draco.NORMAL : draco.GENERIC;
      attributes[name] =
        values instanceof Float32Array
          ? builder.AddFloatAttribute(mesh, kind, count, size, values)
          : builder.AddUInt8Attribute(mesh, kind, count, size, values as Uint8Array);
      packed.set(accessor, count);
    }
    packed.set(primitive.indices, indices.length);
    encoder.SetSpeedOptions(5, 5);
    encoder.SetEncodingMethod(draco.MESH_EDGEBREAKER_ENCODING);
    encoder.SetAttributeQuantization(draco.POSITION, 14);
    encoder.SetAttributeQuantization(draco.NORMAL, 10);
    const length = encoder.EncodeMeshToDracoBuffer(mesh, data);
    if (length === 0) throw new Error('Draco could not pack a sample');
    primitive.extensions = { KHR_draco_mesh_compression: { bufferView: views.length, attributes } };
    views.push({ view: {}, bytes: Uint8Array.from({ length }, (_, i) => data.GetValue(i)) });
    for (const object of [data, mesh, encoder, builder]) draco.destroy(object);
  }
  // What is packed has no view of its own any more; the rest follows behind.
  document.accessors.forEach((accessor, i) => {
    if (packed.has(i)) {
      delete accessor.bufferView;
      return;
    }
    const view = document.bufferViews[accessor.bufferView as number]! as { byteLength: number };
    const bytes = document.chunks[accessor.bufferView as number]!.slice(0, view.byteLength);
    accessor.bufferView = views.length;
    views.push({ view: {}, bytes });
  });
  replaceViews(document, views);
  document.required.push('KHR_draco_mesh_compression');
}

/** Compresses every view of a document with meshoptimizer; a buffer without bytes stands for what is unpacked. */
export async function compressWithMeshopt(document: GlbDocument): Promise<void> {
  await MeshoptEncoder.ready;
  let unpacked = 0;
  const views = document.bufferViews.map((view, i) => {
    const accessor = document.accessors.find(({ bufferView }) => bufferView === i)!;
    const { count } = accessor as { count: number };
    const byteLength = view.byteLength as number;
    const stride = byteLength / count;
    const isTriangles = view.target === 34963;
    const source = document.chunks[i]!.slice(0, byteLength);
    const mode = isTriangles ? 'TRIANGLES' : 'ATTRIBUTES';
    const bytes = MeshoptEncoder.encodeGltfBuffer(source, count, stride, mode);
    const byteOffset = unpacked;
    unpacked += Math.ceil(byteLength / 4) * 4;
    return { view, bytes, byteOffset, byteLength, count, stride, mode };
  });
  replaceViews(
    document,
    views.map(({ bytes }) => ({ view: {}, bytes })),
  );
  document.bufferViews.forEach((packed, i) => {
    const { view, byteOffset, byteLength, count, stride, mode } = views[i]!;
    const isVertices = view.target === 34962;
    const extension: Json = { ...packed, byteStride: stride, count, mode } as Json;
    document.bufferViews[i] = {
      buffer: 1,
      byteOffset,
      byteLength,
      ...(isVertices ? { byteStride: stride } : {}),
      ...(view.target ? { target: view.target } : {}),
      extensions: { EXT_meshopt_compression: extension },
    };
  });
  document.moreBuffers.push({
    byteLength: unpacked,
    extensions: { EXT_meshopt_compression: { fallback: true } },
  });
  document.required.push('EXT_meshopt_compression');
}
