import type { Warning } from '@stuntdouble/core';
import type { GltfDocument } from '../document.js';
import { prepareViews } from '../document.js';
import { type GltfPrimitive, gltfError, isObject } from '../gltf-json.js';
import { readElements, readFloats } from './accessor.js';
import { DRACO, type DracoGeometry, decodeDraco, prepareDraco } from './draco.js';

/** The vertices of a primitive, in mesh space. */
export type Geometry = {
  count: number;
  positions: Float32Array;
  normals: Float32Array | null;
  /** Set where the triangles came with the vertices, as Draco has them. */
  triangles: Uint32Array | null;
  /** Four per vertex and set: places in the skin's list of joints. */
  influences: { joints: ArrayLike<number>; weights: Float32Array }[];
  /** Texture coordinates, two numbers per vertex, with v downwards; null where none were asked for or there are none. */
  uvs: Float32Array | null;
};

/** How many vertices may still be read. One mesh may be shown by thousands of nodes. */
export type VertexBudget = { left: number; isTold: boolean };

/** A budget for one pass over a file: four million vertices, twenty times a detailed character. */
export function createVertexBudget(): VertexBudget {
  return { left: 2 ** 22, isTold: false };
}

/** Takes the vertices of a primitive off a budget; false where it is used up. */
export function takeVertices(
  budget: VertexBudget,
  { json }: GltfDocument,
  { attributes, extensions }: GltfPrimitive,
): boolean {
  const count: unknown = json.accessors?.[attributes.POSITION!]?.count;
  const draco = extensions?.[DRACO];
  const view = isObject(draco) ? json.bufferViews?.[Number(draco.bufferView)]?.byteLength : 0;
  for (const cost of [count, view]) if (typeof cost === 'number' && cost > 0) budget.left -= cost;
  budget.left -= 1;
  return budget.left >= 0;
}

/** Loads the decoders that a file's vertices need. */
export async function prepareGeometry(document: GltfDocument, warnings: Warning[]): Promise<boolean> {
  await prepareViews(document);
  const isDraco = document.json.meshes?.some((mesh) =>
    mesh.primitives.some((primitive) => primitive.extensions?.[DRACO] !== undefined),
  );
  if (!isDraco || (await prepareDraco())) return true;
  warnings.push({
    code: 'feature-ignored',
    message:
      'The meshes are compressed with Draco, whose decoder could not be loaded; vertices were not read.',
  });
  return false;
}

/**
 * Reads the vertices of a primitive, compressed or not.
 * @param uvSet which set of texture coordinates is wanted, if any.
 * @returns null where it has no positions.
 */
export function readGeometry(
  document: GltfDocument,
  primitive: GltfPrimitive,
  at: string,
  uvSet?: number,
): Geometry | null {
  const { attributes } = primitive;
  if (attributes.POSITION === undefined) return null;
  const sets: number[] = [];
  while (
    attributes[`JOINTS_${sets.length}`] !== undefined &&
    attributes[`WEIGHTS_${sets.length}`] !== undefined
  )
    sets.push(sets.length);
  const isDraco = primitive.extensions?.[DRACO] !== undefined;
  const uvName = `TEXCOORD_${uvSet}`;
  const names = ['POSITION', 'NORMAL', uvName, ...sets.flatMap((set) => [`JOINTS_${set}`, `WEIGHTS_${set}`])];
  const draco = isDraco ? decodeDraco(document, primitive, names, at) : null;

  const floats = (name: string, type: string, size: number) => {
    const unpacked = draco?.attributes.get(name);
    if (unpacked) return dequantize(document, primitive, name, unpacked, size, at);
    return readFloats(document, attributes[name], [type], `${at}.attributes.${name}`).values;
  };
  const positions = floats('POSITION', 'VEC3', 3);
  const count = positions.length / 3;
  const fits = (length: number, size: number, name: string) => {
    if (length !== size * count)
      throw gltfError(`${at}.attributes.${name}`, `${length / size} elements`, `${count}, one per position`);
  };
  let normals: Float32Array | null = null;
  if (attributes.NORMAL !== undefined) {
    normals = floats('NORMAL', 'VEC3', 3);
    fits(normals.length, 3, 'NORMAL');
  }
  let uvs: Float32Array | null = null;
  if (uvSet !== undefined && attributes[uvName] !== undefined) {
    uvs = floats(uvName, 'VEC2', 2);
    fits(uvs.length, 2, uvName);
  }
  const influences = sets.map((set) => {
    const name = `JOINTS_${set}`;
    const joints =
      draco?.attributes.get(name)?.values ??
      readElements(document, attributes[name], ['VEC4'], `${at}.attributes.${name}`).array;
    const weights = floats(`WEIGHTS_${set}`, 'VEC4', 4);
    fits(joints.length, 4, name);
    fits(weights.length, 4, `WEIGHTS_${set}`);
    return { joints, weights };
  });
  return { count, positions, normals, triangles: draco?.triangles ?? null, influences, uvs };
}

/** The triangles of a primitive; empty for points and lines. */
export function readTriangles(
  document: GltfDocument,
  primitive: GltfPrimitive,
  { count: vertexCount, triangles }: Geometry,
  at: string,
): Uint32Array {
  const { mode = 4, indices } = primitive;
  if (triangles) return keepInside(triangles, vertexCount, at);
  if (mode < 4 || mode > 6) return new Uint32Array(0);
  const list =
    indices === undefined
      ? Uint32Array.from({ length: vertexCount }, (_, i) => i)
      : Uint32Array.from(readElements(document, indices, ['SCALAR'], `${at}.indices`).array);
  if (mode === 4) return keepInside(list.subarray(0, list.length - (list.length % 3)), vertexCount, at);
  const out = new Uint32Array(3 * Math.max(0, list.length - 2));
  for (let i = 0; i + 2 < list.length; i++) {
    // Every second triangle of a strip turns the other way round (glTF 2.0, 3.7.2.1).
    const flip = mode === 5 ? i % 2 : 0;
    out[3 * i] = mode === 5 ? list[i]! : list[0]!;
    out[3 * i + 1] = list[i + 1 + flip]!;
    out[3 * i + 2] = list[i + 2 - flip]!;
  }
  return keepInside(out, vertexCount, at);
}

function keepInside(triangles: Uint32Array, vertexCount: number, at: string): Uint32Array {
  for (const vertex of triangles)
    if (vertex >= vertexCount) throw gltfError(`${at}.indices`, `vertex ${vertex}`, `below ${vertexCount}`);
  return triangles;
}

/** Draco's integers as floats: as the accessor of the attribute says. */
function dequantize(
  document: GltfDocument,
  primitive: GltfPrimitive,
  name: string,
  unpacked: NonNullable<ReturnType<DracoGeometry['attributes']['get']>>,
  size: number,
  at: string,
): Float32Array {
  if (unpacked.size !== size)
    throw gltfError(`${at}.attributes.${name}`, `${unpacked.size} numbers a vertex`, `${size}`);
  if (unpacked.values instanceof Float32Array) return unpacked.values;
  const accessor = document.json.accessors?.[primitive.attributes[name]!];
  const one = accessor?.normalized ? (accessor.componentType === 5121 ? 255 : 65535) : 1;
  return Float32Array.from(unpacked.values, (value) => value / one);
}
