import type { Scene, Warning } from '@stuntdouble/core';
import { addToList, cos, sin } from '@stuntdouble/core/engine';
import type { Resolve } from '../../format.js';
import { isMendable } from '../../format-error.js';
import { decodeDataUri } from '../../shared/base64.js';
import type { DressedMesh, MeshMaterial, MeshMorph, Picture } from '../../shared/dressed-mesh.js';
import { nullUnlessLimit } from '../../shared/resolve-pictures.js';
import { type GltfDocument, readView } from '../document.js';
import { type GltfImage, type GltfPrimitive, isIndex, isObject, nameOf } from '../gltf-json.js';
import { pictureType } from '../write/picture-type.js';
import { readFloats } from './accessor.js';
import { morphNames } from './animations.js';
import { type VisitedMesh, visitMeshes } from './read-meshes.js';

/**
 * Reads the meshes that follow the characters of a glTF scene with texture coordinates, materials and morph
 * targets. Vertices that no triangle uses are left out: parts of a mesh often share one list of them.
 */
export async function readDressedMeshes(
  scene: Scene,
  resolve: Resolve,
  warnings: Warning[],
): Promise<DressedMesh[]> {
  const found: (Omit<DressedMesh, 'material'> & { index: number | undefined })[] = [];
  let source: GltfDocument | undefined;
  let room: Room | undefined;
  await visitMeshes(
    scene,
    (visited) => {
      source = visited.document;
      room ??= { left: roomForMorphs(visited.document), lost: 0 };
      found.push({ ...dress(visited, room), index: visited.primitive.material });
    },
    uvSetOf,
  );
  if (!source) return [];
  if (room && room.lost > 0)
    warnings.push({
      code: 'feature-ignored',
      message: `${room.lost} morph targets are more than the file can hold and were left out.`,
    });
  const materials = new Map<number, MeshMaterial>();
  const readTexture = createPictureReader(source, resolve, warnings);
  const lost = new Map<string, string[]>();
  const meshes: DressedMesh[] = [];
  for (const { index, ...mesh } of found) {
    const material = isIndex(index, source.json.materials?.length ?? 0)
      ? (materials.get(index) ?? (await readMaterial(source, index, readTexture, lost)))
      : null;
    if (material) materials.set(index!, material);
    meshes.push({ ...mesh, material });
  }
  for (const [what, names] of lost)
    warnings.push({
      code: 'feature-ignored',
      message: `Of materials ${what.slice(0, 80)} are not carried: ${names
        .slice(0, 5)
        .map((name) => name.slice(0, 40))
        .join(', ')}${names.length > 5 ? ', \u2026' : ''}.`,
    });
  return meshes;
}

/** How many bytes of morph targets may still be read, and how many did not fit. */
type Room = { left: number; lost: number };

/** A thousand morph targets may each stand for one list: what they are unpacked to is bounded by the file. */
function roomForMorphs({ buffers }: GltfDocument): number {
  return buffers.reduce((sum, data) => sum + 16 * (data?.length ?? 0), 2 ** 24);
}

/** A material's base colour: by the core of glTF, or the older extension for shininess. */
function baseOf(document: GltfDocument, index: number | undefined) {
  const material: unknown = document.json.materials?.[index ?? -1];
  if (!isObject(material)) return null;
  const extensions = isObject(material.extensions) ? material.extensions : {};
  const shiny = extensions.KHR_materials_pbrSpecularGlossiness;
  const plain = isObject(material.pbrMetallicRoughness) ? material.pbrMetallicRoughness : {};
  const factor = isObject(shiny) ? shiny.diffuseFactor : plain.baseColorFactor;
  const texture = isObject(shiny) ? shiny.diffuseTexture : plain.baseColorTexture;
  const part = (i: number) => {
    const value: unknown = Array.isArray(factor) ? factor[i] : 1;
    return typeof value === 'number' ? Math.min(1, Math.max(0, value)) : 1;
  };
  return { material, part, texture: isObject(texture) ? texture : null };
}

/** KHR_texture_transform of a texture, or an empty object. */
function transformOf(texture: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const extensions = isObject(texture?.extensions) ? texture.extensions : {};
  return isObject(extensions.KHR_texture_transform) ? extensions.KHR_texture_transform : {};
}

function uvSetOf(document: GltfDocument, { material }: GltfPrimitive): number {
  const texture = baseOf(document, material)?.texture;
  const set = transformOf(texture).texCoord ?? texture?.texCoord ?? 0;
  return isIndex(set, 64) ? set : 0;
}

/** Reads a document's pictures, each once; null where one cannot be had. */
type PictureReader = (texture: unknown) => Promise<Picture | null>;

function createPictureReader(document: GltfDocument, resolve: Resolve, warnings: Warning[]): PictureReader {
  const pictures = new Map<number, Picture | null>();
  return async (texture) => {
    const image = isObject(texture) ? imageOf(document, texture.index) : null;
    if (image === null) return null;
    if (!pictures.has(image)) pictures.set(image, await readPicture(document, image, resolve, warnings));
    return pictures.get(image)!;
  };
}

async function readMaterial(
  document: GltfDocument,
  index: number,
  readTexture: PictureReader,
  lost: Map<string, string[]>,
): Promise<MeshMaterial> {
  const { material, part, texture } = baseOf(document, index) ?? {
    material: {},
    part: () => 1,
    texture: null,
  };
  const name = nameOf(material) || `material${index}`;
  const plain = isObject(material.pbrMetallicRoughness) ? material.pbrMetallicRoughness : {};
  const number = (value: unknown, fallback: number) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : fallback;
  const lose = (what: string) => addToList(lost, what, name);
  if (isObject(plain.metallicRoughnessTexture)) lose('pictures of metal and roughness');
  if (isObject(material.occlusionTexture)) lose('pictures of shade (occlusion)');
  for (const extension of Object.keys(isObject(material.extensions) ? material.extensions : {}))
    if (!KNOWN_EXTENSIONS.has(extension)) lose(extension);
  const glow: readonly unknown[] = Array.isArray(material.emissiveFactor) ? material.emissiveFactor : [];
  const alpha = material.alphaMode === 'BLEND' ? 'blend' : material.alphaMode === 'MASK' ? 'mask' : 'opaque';
  return {
    name,
    color: [part(0), part(1), part(2)],
    opacity: alpha === 'blend' ? part(3) : 1,
    alpha,
    cutoff: number(material.alphaCutoff, 0.5),
    isDoubleSided: material.doubleSided === true,
    roughness: number(plain.roughnessFactor, 1),
    metalness: number(plain.metallicFactor, 1),
    emissive: [number(glow[0], 0), number(glow[1], 0), number(glow[2], 0)],
    picture: await readTexture(texture),
    normalPicture: await readTexture(material.normalTexture),
    emissivePicture: await readTexture(material.emissiveTexture),
    clamps: clampsOf(document, texture?.index),
  };
}

/** Extensions of materials whose meaning is carried, or that change nothing that could be. */
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  'KHR_materials_pbrSpecularGlossiness',
  'KHR_materials_unlit',
  'KHR_texture_transform',
]);

/** Whether the picture of a texture ends at its edges, along u and v: by its sampler. */
function clampsOf({ json }: GltfDocument, index: unknown): [boolean, boolean] {
  const { textures, samplers } = json as { textures?: unknown; samplers?: unknown };
  const texture: unknown = Array.isArray(textures) && typeof index === 'number' ? textures[index] : null;
  const place = isObject(texture) ? texture.sampler : undefined;
  const sampler: unknown = Array.isArray(samplers) && typeof place === 'number' ? samplers[place] : null;
  return isObject(sampler) ? [sampler.wrapS === 33071, sampler.wrapT === 33071] : [false, false];
}

/** The picture of a texture: its own or, where an extension has another kind of file, that one. */
function imageOf({ json }: GltfDocument, index: unknown): number | null {
  const textures: unknown = (json as { textures?: unknown }).textures;
  const texture: unknown = Array.isArray(textures) && typeof index === 'number' ? textures[index] : null;
  if (!isObject(texture)) return null;
  const count = json.images?.length ?? 0;
  if (isIndex(texture.source, count)) return texture.source;
  for (const other of Object.values(isObject(texture.extensions) ? texture.extensions : {}))
    if (isObject(other) && isIndex(other.source, count)) return other.source;
  return null;
}

const EXTENSIONS: ReadonlyMap<string | null, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
]);

async function readPicture(
  document: GltfDocument,
  index: number,
  resolve: Resolve,
  warnings: Warning[],
): Promise<Picture | null> {
  const given: unknown = document.json.images![index];
  const image: GltfImage & { name?: unknown } = isObject(given) ? given : {};
  const { uri, bufferView } = image;
  let bytes: Uint8Array | null = null;
  try {
    if (bufferView !== undefined) bytes = readView(document, bufferView, `images[${index}].bufferView`);
    else if (typeof uri === 'string')
      bytes = /^data:/i.test(uri) ? decodeDataUri(uri) : await resolve(uri).catch(nullUnlessLimit);
  } catch (error) {
    if (!isMendable(error)) throw error;
  }
  const extension = bytes && EXTENSIONS.get(pictureType(bytes));
  const plain = typeof uri === 'string' && !/^data:/i.test(uri) ? uri.replace(/^.*[/\\]|\.[^.]*$/g, '') : '';
  const name = (nameOf(image) || plain || `picture${index}`).replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_');
  if (bytes && extension) return { name, extension, bytes };
  warnings.push({
    code: 'feature-ignored',
    message: `The picture "${name}" ${bytes ? 'is of a kind that is not written' : 'was not found'}; its materials have their colours alone.`,
  });
  return null;
}

/** A mesh with its texture coordinates and morph targets, without vertices that no triangle uses. */
function dress(
  { mesh, document, node, source, primitive, geometry, toJoint, weights, at }: VisitedMesh,
  room: Room,
): Omit<DressedMesh, 'material'> {
  const count = mesh.positions.length / 3;
  const placeOf = new Int32Array(count).fill(-1);
  const kept: number[] = [];
  for (const vertex of mesh.triangles)
    if (placeOf[vertex]! < 0) {
      placeOf[vertex] = 1;
      kept.push(vertex);
    }
  // In the file's order, so that a mesh that uses all stays as it is.
  kept
    .sort((a, b) => a - b)
    .forEach((vertex, i) => {
      placeOf[vertex] = i;
    });
  const pick = <T extends Float32Array | Uint16Array>(values: T, size: number): T => {
    const out = new (values.constructor as new (length: number) => T)(size * kept.length);
    kept.forEach((vertex, i) => {
      for (let c = 0; c < size; c++) out[size * i + c] = values[size * vertex + c]!;
    });
    return out;
  };
  const names = morphNames(document.json, source);
  const morphs = (primitive.targets ?? []).flatMap((target, n): MeshMorph[] => {
    room.left -= 24 * count;
    if (room.left < 0) {
      room.lost++;
      return [];
    }
    const read = (attribute: string) => {
      if (!isObject(target) || target[attribute] === undefined) return null;
      try {
        const place = `${at}.targets[${n}].${attribute}`;
        const { values } = readFloats(document, target[attribute], ['VEC3'], place);
        return values.length === 3 * count ? turned(pick(values, 3), toJoint) : null;
      } catch (error) {
        if (!isMendable(error)) throw error;
        return null;
      }
    };
    const positions = read('POSITION') ?? new Float32Array(3 * kept.length);
    // Normals of a mesh that hangs on a joint were turned and made of unit length: their way is not known.
    const normals = toJoint ? null : read('NORMAL');
    const weight = weights[n];
    return [
      {
        name: names[n] ?? `morph${n}`,
        positions,
        normals,
        weight: typeof weight === 'number' && Number.isFinite(weight) ? weight : 0,
      },
    ];
  });
  const { skin } = mesh;
  return {
    ...mesh,
    positions: pick(mesh.positions, 3),
    normals: mesh.normals && pick(mesh.normals, 3),
    triangles: mesh.triangles.map((vertex) => placeOf[vertex]!),
    skin: skin && { ...skin, joints: pick(skin.joints, 4), weights: pick(skin.weights, 4) },
    uvs:
      geometry.uvs &&
      upwards(pick(geometry.uvs, 2), transformOf(baseOf(document, primitive.material)?.texture)),
    morphs,
    whole: node,
  };
}

/** Ways (not places) taken through a matrix, in place. */
function turned(ways: Float32Array, m: Float64Array | null): Float32Array {
  if (!m) return ways;
  for (let i = 0; i < ways.length; i += 3) {
    const x = ways[i]!;
    const y = ways[i + 1]!;
    const z = ways[i + 2]!;
    for (let r = 0; r < 3; r++) ways[i + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z;
  }
  return ways;
}

/**
 * Texture coordinates as the file's transform moves them (KHR_texture_transform: offset · turn · scale), with v
 * upwards as most formats have it, in place.
 */
function upwards(uvs: Float32Array, transform: Record<string, unknown>): Float32Array {
  const pair = (value: unknown, fallback: number) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return [0, 1].map((i) => (typeof list[i] === 'number' ? list[i] : fallback)) as [number, number];
  };
  const [offsetU, offsetV] = pair(transform.offset, 0);
  const [scaleU, scaleV] = pair(transform.scale, 1);
  const angle = typeof transform.rotation === 'number' ? transform.rotation : 0;
  const cosine = cos(angle);
  const sine = sin(angle);
  for (let i = 0; i < uvs.length; i += 2) {
    const u = uvs[i]! * scaleU;
    const v = uvs[i + 1]! * scaleV;
    uvs[i] = offsetU + cosine * u + sine * v;
    uvs[i + 1] = 1 - (offsetV + cosine * v - sine * u);
  }
  return uvs;
}
