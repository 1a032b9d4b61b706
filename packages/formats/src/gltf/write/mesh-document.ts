import {
  composeMatrix,
  hypot,
  invertMatrix,
  JOINT,
  type MeshSkin,
  multiplyMatrices,
  type Skeleton,
  type Warning,
} from '@stuntdouble/core/engine';
import {
  type DressedMesh,
  type MeshMaterial,
  type MeshMorph,
  type Picture,
  wholesOf,
} from '../../shared/dressed-mesh.js';
import { pictureKind } from '../../shared/pictures/picture-kind.js';
import type { GltfDocument } from '../document.js';
import type { GltfAccessor, GltfJson, GltfPrimitive } from '../gltf-json.js';

/*
 * A document gets one more buffer with all that its new meshes are made of. Node numbers stay: those of joints are
 * what clips go by.
 */

const FLOAT = 5126;
const UBYTE = 5121;
const USHORT = 5123;
const UINT = 5125;
/** What a view is for: vertices, or the triangles between them. */
const VERTICES = 34962;
const TRIANGLES = 34963;

/** Lists of a document to which things are added. */
type Growing = {
  json: GltfJson & { textures: object[]; samplers: object[]; images: object[]; materials: object[] };
  pieces: Uint8Array[];
  byteLength: number;
  materials: Map<MeshMaterial, number>;
  images: Map<Picture, number>;
  textures: Map<string, number>;
  skins: Map<Float64Array, number>;
};

/**
 * Adds meshes on a skeleton to a document that holds it as its first nodes: a mesh per whole, with a part per
 * material, its skin, morph targets, materials and pictures.
 * @param document as `createSkeletonDocument` makes it; it is not changed.
 */
export function addMeshes(
  document: GltfDocument,
  skeleton: Skeleton,
  meshes: readonly DressedMesh[],
  warnings: Warning[],
): GltfDocument {
  if (meshes.length === 0) return document;
  const { skins, ...json } = document.json;
  // A skin that only lists the joints is not needed beside others.
  const isSkinned = meshes.some((mesh) => mesh.skin);
  const kept = isSkinned ? undefined : document.buffers[0];
  const growing: Growing = {
    json: {
      ...json,
      nodes: (json.nodes ?? []).map((node) => ({ ...node })),
      scenes: (json.scenes ?? []).map((scene) => ({ ...scene, nodes: [...(scene.nodes ?? [])] })),
      accessors: isSkinned ? [] : [...(json.accessors ?? [])],
      bufferViews: isSkinned ? [] : [...(json.bufferViews ?? [])],
      meshes: [],
      skins: isSkinned ? [] : [...(skins ?? [])],
      materials: [],
      textures: [],
      samplers: [],
      images: [],
    },
    pieces: kept ? [kept] : [],
    byteLength: kept?.length ?? 0,
    materials: new Map(),
    images: new Map(),
    textures: new Map(),
    skins: new Map(),
  };
  const binds = bindWorlds(skeleton);
  for (const whole of wholesOf(meshes)) addWhole(growing, skeleton, binds, whole, warnings);
  const bytes = new Uint8Array(growing.byteLength);
  let at = 0;
  for (const piece of growing.pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const { json: made } = growing;
  made.buffers = [{ byteLength: bytes.length }];
  // The schema wants lists with something in them, or none.
  for (const key of ['skins', 'materials', 'textures', 'samplers', 'images'] as const)
    if (made[key]?.length === 0) delete (made as Partial<Growing['json']>)[key];
  return { ...document, json: made, buffers: [bytes] };
}

function addWhole(
  growing: Growing,
  skeleton: Skeleton,
  binds: Float64Array,
  parts: readonly DressedMesh[],
  warnings: Warning[],
): void {
  const { json } = growing;
  const [first] = parts as readonly [DressedMesh];
  const names = first.morphs.map(({ name }) => name);
  const weights = first.morphs.map(({ weight }) => weight);
  const primitives = parts.map((part) => primitiveOf(growing, skeleton, part, warnings));
  const mesh = json.meshes!.push({
    ...(first.name === '' ? {} : { name: first.name }),
    primitives,
    ...(names.length > 0 ? { weights, extras: { targetNames: names } } : {}),
  });
  const node = json.nodes!.push({
    ...(first.name === '' ? {} : { name: first.name }),
    mesh: mesh - 1,
    ...(first.skin ? { skin: skinOf(growing, skeleton, binds, first.skin) } : {}),
  });
  // A mesh with a skin goes where its joints are, wherever it hangs: at the top is where readers expect it.
  if (first.joint !== null && !first.skin) {
    const holder = json.nodes![first.joint]!;
    holder.children = [...(holder.children ?? []), node - 1];
  } else json.scenes![0]!.nodes = [...(json.scenes![0]!.nodes ?? []), node - 1];
}

function primitiveOf(
  growing: Growing,
  skeleton: Skeleton,
  part: DressedMesh,
  warnings: Warning[],
): GltfPrimitive {
  const { positions, skin, uvs, material, morphs } = part;
  const count = positions.length / 3;
  const attributes: Record<string, number> = {
    POSITION: addVertices(growing, positions, 3, true),
  };
  const normals = part.normals && wholeNormals(part.normals, positions, part.triangles);
  if (normals) attributes.NORMAL = addVertices(growing, normals, 3);
  if (uvs) attributes.TEXCOORD_0 = addVertices(growing, downwards(uvs), 2);
  if (skin) {
    const places = jointPlaces(skeleton, skin);
    const isSmall = places.count <= 256;
    const joints = isSmall ? new Uint8Array(4 * count) : new Uint16Array(4 * count);
    for (let i = 0; i < joints.length; i++)
      joints[i] = skin.weights[i]! > 0 ? places.of[skin.joints[i]!]! : 0;
    attributes.JOINTS_0 = addAccessor(growing, joints, isSmall ? UBYTE : USHORT, 'VEC4', VERTICES);
    attributes.WEIGHTS_0 = addVertices(growing, skin.weights, 4);
  }
  const isShort = count <= 65535;
  const triangles = isShort ? Uint16Array.from(part.triangles) : part.triangles;
  const indices = addAccessor(growing, triangles, isShort ? USHORT : UINT, 'SCALAR', TRIANGLES);
  return {
    attributes,
    indices,
    ...(material ? { material: materialOf(growing, material, uvs !== null, warnings) } : {}),
    ...(morphs.length > 0
      ? { targets: morphs.map((morph) => targetOf(growing, morph, normals !== null)) }
      : {}),
  };
}

/** Texture coordinates with v downwards, as glTF has them. */
function downwards(uvs: Float32Array): Float32Array {
  return uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
}

/** Normals of unit length, each: the file's, or where that is none the one of a triangle. */
function wholeNormals(normals: Float32Array, positions: Float32Array, triangles: Uint32Array): Float32Array {
  const out = normals.slice();
  const isUnit = (v: number) => {
    const length = hypot(out[3 * v]!, out[3 * v + 1]!, out[3 * v + 2]!);
    return Math.abs(length - 1) < 1e-4;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    if (corners.every(isUnit)) continue;
    const edge = (n: number, c: number) => positions[3 * corners[n]! + c]! - positions[3 * corners[0]! + c]!;
    const x = edge(1, 1) * edge(2, 2) - edge(1, 2) * edge(2, 1);
    const y = edge(1, 2) * edge(2, 0) - edge(1, 0) * edge(2, 2);
    const z = edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0);
    const length = hypot(x, y, z);
    for (const v of corners)
      if (!isUnit(v)) out.set(length > 0 ? [x / length, y / length, z / length] : [0, 1, 0], 3 * v);
  }
  for (let v = 0; v < out.length / 3; v++) if (!isUnit(v)) out.set([0, 1, 0], 3 * v);
  return out;
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** Adds bytes as a view of their own, at a multiple of four. */
function addView(growing: Growing, data: Numbers, target?: number): number {
  const gap = (4 - (growing.byteLength % 4)) % 4;
  if (gap > 0) growing.pieces.push(new Uint8Array(gap));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  growing.pieces.push(bytes);
  const view = {
    buffer: 0,
    byteOffset: growing.byteLength + gap,
    byteLength: bytes.length,
    ...(target === undefined ? {} : { target }),
  };
  growing.byteLength += gap + bytes.length;
  return growing.json.bufferViews!.push(view) - 1;
}

const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function addAccessor(
  growing: Growing,
  data: Numbers,
  componentType: number,
  type: string,
  target?: number,
  bounds?: Pick<GltfAccessor, 'min' | 'max'>,
): number {
  const bufferView = addView(growing, data, target);
  const count = data.length / SIZES[type]!;
  return growing.json.accessors!.push({ bufferView, componentType, count, type, ...bounds }) - 1;
}

function addVertices(growing: Growing, data: Float32Array, size: 2 | 3 | 4, isBounded = false): number {
  return addAccessor(growing, data, FLOAT, `VEC${size}`, VERTICES, isBounded ? boundsOf(data) : {});
}

function boundsOf(data: Float32Array): { min: number[]; max: number[] } {
  const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max = min.map((value) => -value);
  for (let i = 0; i < data.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, data[i]!);
    max[i % 3] = Math.max(max[i % 3]!, data[i]!);
  }
  return { min, max };
}

function targetOf(
  growing: Growing,
  { positions, normals }: MeshMorph,
  hasNormals: boolean,
): Record<string, number> {
  return {
    POSITION: addSparse(growing, positions),
    ...(normals && hasNormals ? { NORMAL: addSparse(growing, normals) } : {}),
  };
}

/** Ways of vertices: those that are not zero alone, where that takes less room. */
function addSparse(growing: Growing, data: Float32Array): number {
  const moved: number[] = [];
  for (let v = 0; v < data.length / 3; v++)
    if (data[3 * v] !== 0 || data[3 * v + 1] !== 0 || data[3 * v + 2] !== 0) moved.push(v);
  const count = data.length / 3;
  if (16 * moved.length >= 12 * count) return addVertices(growing, data, 3, true);
  const bounds = boundsOf(data);
  const base: GltfAccessor = { componentType: FLOAT, count, type: 'VEC3', ...bounds };
  if (moved.length === 0) return growing.json.accessors!.push(base) - 1;
  const isShort = count <= 65535;
  const values = new Float32Array(3 * moved.length);
  moved.forEach((v, i) => {
    values.set(data.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  const sparse = {
    count: moved.length,
    indices: {
      bufferView: addView(growing, isShort ? Uint16Array.from(moved) : Uint32Array.from(moved)),
      componentType: isShort ? USHORT : UINT,
    },
    values: { bufferView: addView(growing, values) },
  };
  return growing.json.accessors!.push({ ...base, sparse }) - 1;
}

/** The joints that a skin lists, and per joint of the skeleton its place among them. */
function jointPlaces(
  { names, flags }: Skeleton,
  { inverseBinds }: MeshSkin,
): { of: Int32Array; count: number } {
  const of = new Int32Array(names.length).fill(-1);
  let count = 0;
  for (let joint = 0; joint < names.length; joint++)
    if (flags[joint]! & JOINT || inverseBinds[16 * joint + 15] !== 0) of[joint] = count++;
  return { of, count };
}

/**
 * The number of the skin of some inverse binds, which is added where it is new. It lists all joints, those that
 * move nothing of this mesh too: what is in no skin is no joint to other programs.
 */
function skinOf(growing: Growing, skeleton: Skeleton, binds: Float64Array, skin: MeshSkin): number {
  const { inverseBinds } = skin;
  for (const [known, index] of growing.skins)
    if (known === inverseBinds || known.every((value, i) => value === inverseBinds[i])) return index;
  const { of, count } = jointPlaces(skeleton, skin);
  const space = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const used = skeleton.names.findIndex((_, joint) => inverseBinds[16 * joint + 15] !== 0);
  if (used >= 0) multiplyMatrices(space, 0, binds, 16 * used, inverseBinds, 16 * used);
  const matrices = new Float32Array(16 * count);
  const matrix = new Float64Array(16);
  const joints: number[] = [];
  of.forEach((place, joint) => {
    if (place < 0) return;
    joints.push(joint);
    if (inverseBinds[16 * joint + 15] !== 0)
      for (let n = 0; n < 16; n++) matrix[n] = inverseBinds[16 * joint + n]!;
    else if (invertMatrix(matrix, 0, binds, 16 * joint)) multiplyMatrices(matrix, 0, matrix, 0, space, 0);
    for (let n = 0; n < 16; n++) matrices[16 * place + n] = n % 4 === 3 ? (n === 15 ? 1 : 0) : matrix[n]!;
  });
  const inverseBindMatrices = addAccessor(growing, matrices, FLOAT, 'MAT4');
  const index =
    growing.json.skins!.push({
      ...(skeleton.name === '' ? {} : { name: skeleton.name }),
      inverseBindMatrices,
      joints,
    }) - 1;
  growing.skins.set(inverseBinds, index);
  return index;
}

function bindWorlds(skeleton: Skeleton): Float64Array {
  const pose = skeleton.bind ?? skeleton.rest;
  const worlds = new Float64Array(16 * skeleton.names.length);
  const local = new Float64Array(16);
  skeleton.parents.forEach((parent, i) => {
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (parent < 0) worlds.set(local, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, local, 0);
  });
  return worlds;
}

/** The number of a material, which is added where it is new. */
function materialOf(growing: Growing, material: MeshMaterial, hasUvs: boolean, warnings: Warning[]): number {
  const known = growing.materials.get(material);
  if (known !== undefined) return known;
  const { color, opacity, alpha, emissive } = material;
  const texture = (picture: Picture | null, clamps: readonly [boolean, boolean] = [false, false]) => {
    const index = hasUvs && picture ? textureOf(growing, picture, clamps, warnings) : null;
    return index === null ? null : { index };
  };
  const baseColorTexture = texture(material.picture, material.clamps);
  const normalTexture = texture(material.normalPicture);
  const emissiveTexture = texture(material.emissivePicture);
  const isGlowing =
    emissiveTexture !== null || (material.emissivePicture === null && emissive.some((c) => c > 0));
  const index =
    growing.json.materials.push({
      ...(material.name === '' ? {} : { name: material.name }),
      pbrMetallicRoughness: {
        ...(color.every((c) => c === 1) && opacity === 1 ? {} : { baseColorFactor: [...color, opacity] }),
        ...(baseColorTexture ? { baseColorTexture } : {}),
        metallicFactor: material.metalness,
        roughnessFactor: material.roughness,
      },
      ...(normalTexture ? { normalTexture } : {}),
      ...(emissiveTexture ? { emissiveTexture } : {}),
      ...(isGlowing ? { emissiveFactor: [...emissive] } : {}),
      ...(alpha === 'opaque' ? {} : { alphaMode: alpha === 'mask' ? 'MASK' : 'BLEND' }),
      ...(alpha === 'mask' && material.cutoff !== 0.5 ? { alphaCutoff: material.cutoff } : {}),
      ...(material.isDoubleSided ? { doubleSided: true } : {}),
    }) - 1;
  growing.materials.set(material, index);
  return index;
}

const REPEAT = 10497;
const CLAMP = 33071;
const LINEAR = 9729;
const LINEAR_MIPMAP_LINEAR = 9987;

/** The number of a picture's texture; null where it is of a kind that glTF cannot hold. */
function textureOf(
  growing: Growing,
  picture: Picture,
  [clampU, clampV]: readonly [boolean, boolean],
  warnings: Warning[],
): number | null {
  const { json } = growing;
  let source = growing.images.get(picture);
  if (source === undefined) {
    const kind = pictureKind(picture.bytes);
    if (kind !== 'PNG' && kind !== 'JPEG') {
      if (!growing.images.has(picture))
        warnings.push({
          code: 'feature-ignored',
          message: `The picture "${picture.name}" is ${kind ? `a ${kind}` : 'of an unknown kind'}, which glTF does not hold; its materials have their colours alone.`,
        });
      growing.images.set(picture, -1);
      return null;
    }
    source =
      json.images.push({
        name: picture.name,
        mimeType: kind === 'PNG' ? 'image/png' : 'image/jpeg',
        bufferView: addView(growing, picture.bytes),
      }) - 1;
    growing.images.set(picture, source);
  }
  if (source < 0) return null;
  const key = `${source} ${clampU} ${clampV}`;
  const known = growing.textures.get(key);
  if (known !== undefined) return known;
  const sampler =
    json.samplers.push({
      magFilter: LINEAR,
      minFilter: LINEAR_MIPMAP_LINEAR,
      wrapS: clampU ? CLAMP : REPEAT,
      wrapT: clampV ? CLAMP : REPEAT,
    }) - 1;
  const index = json.textures.push({ sampler, source }) - 1;
  growing.textures.set(key, index);
  return index;
}
