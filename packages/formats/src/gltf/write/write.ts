import {
  type Character,
  type Clip,
  createRig,
  createSkeleton,
  type Mat4,
  type Skeleton,
  UsageError,
  type Warning,
} from '@stuntdouble/core';
import { addToList } from '@stuntdouble/core/engine';
import { isFbxDocument } from '../../fbx/parse/parse-fbx.js';
import { readFbxDressedMeshes } from '../../fbx/read/read-dressed-meshes.js';
import type { Resolve, WriteInput, WriteOptions, Written } from '../../format.js';
import { heedSignal } from '../../heed-signal.js';
import { encodeBase64 } from '../../shared/base64.js';
import { giveFreeNames } from '../../shared/free-names.js';
import { nullUnlessLimit, resolvePictures } from '../../shared/resolve-pictures.js';
import { createStickFigure } from '../../shared/stick-figure-mesh.js';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { writeGlb } from '../glb.js';
import type { GltfAccessor, GltfImage, GltfJson } from '../gltf-json.js';
import { clipName, morphMeshName, morphNames } from '../read/animations.js';
import { bindExpressions } from '../read/expressions.js';
import { readHumanoid } from '../read/humanoid.js';
import { type NodeTree, readNodeTree } from '../read/node-tree.js';
import { type EncodedClips, encodeGltfClips, type MorphTarget } from './clip-encoder.js';
import { compressClips, MESHOPT } from './compress-clips.js';
import { dropAnimations } from './drop-animations.js';
import { addMeshes } from './mesh-document.js';
import { appendBytes, type PackedBuffers, packBuffers } from './pack-buffers.js';
import { pictureType } from './picture-type.js';
import { createSkeletonDocument } from './skeleton-document.js';

/**
 * Writes clips into the document that the target came from, which is otherwise left as it was: every byte of
 * its buffer views and all JSON but animations, accessors, buffer views and buffers. Two things that other
 * files would be needed for change as well: pictures that stand in other files are taken in, so that the
 * result can lie anywhere; and a node that is given as a matrix becomes translation, rotation and scale if a
 * clip moves it, since glTF allows no other way.
 *
 * A target that came from another format gives a new file, in which it stands upright and in metres: its
 * skeleton, and of an FBX the meshes with skins, blend shapes, materials and pictures. `meshes: false` gives a
 * file of the skeleton alone.
 */
export async function writeGltf(
  { scene, character, clips }: WriteInput,
  options: WriteOptions & { extension: string },
): Promise<Written> {
  const isBare =
    scene.characters.length === 0 &&
    clips.every(({ tracks }) => tracks.length === 0) &&
    isGltfDocument(scene.document);
  const target = scene.characters[character] ?? (isBare ? NOBODY : undefined);
  if (!target)
    throw new UsageError(
      `character is ${character}; the scene "${scene.name}" has ${scene.characters.length}`,
    );
  const { skeleton } = target;
  const warnings: Warning[] = [];
  const source = scene.document;
  const isWhole = isGltfDocument(source) && options.meshes !== false;
  const document = isWhole ? source : await createDocument(scene, character, options, warnings);
  if (options.extension === 'vrm') {
    if (!isWhole || scene.format !== 'vrm')
      throw new UsageError(
        options.meshes === false
          ? 'a .vrm is a whole character: write clips alone as .glb'
          : `"${scene.name}" is no VRM, so it cannot be written as .vrm: write .glb`,
      );
  }

  const base = options.replace ? dropAnimations(document) : document;
  const packed = packBuffers(base);
  const tree = readNodeTree(base.json, []);
  const json: GltfJson = { ...base.json };
  const nodeOf = (joint: number) => (isWhole ? skeleton.fileIndices[joint]! : joint);
  const nodeCount = json.nodes?.length ?? 0;
  if (isWhole && skeleton.fileIndices.some((node) => node >= nodeCount))
    throw new UsageError(`character ${character} is not from the file that "${scene.name}" was read from`);

  const named = giveFreeNames(
    isWhole ? clips.map((clip) => bindExpressions(clip, json, tree)) : clips,
    (json.animations ?? []).map(clipName),
    warnings,
  );
  const existing = json.accessors ?? [];
  const morphTargets = findMorphTargets(json, tree);
  const signals = isWhole && scene.format === 'vrma' ? readHumanoid(json, []) : null;
  const encoded = heedSignal(options.signal, () =>
    encodeGltfClips(named, skeleton, nodeOf, morphTargets, existing.length, signals),
  );
  warnings.push(...encoded.warnings);
  if (encoded.animations.length > 0) {
    const joints = new Map(skeleton.names.map((_, joint) => [nodeOf(joint), joint]));
    const jointOf = (node: number) => joints.get(node);
    const added = options.compress
      ? await appendCompressed(json, packed, encoded, existing.length, { skeleton, jointOf })
      : appendPlain(packed, encoded);
    json.accessors = [...existing, ...added];
    json.animations = [...(json.animations ?? []), ...encoded.animations];
    json.nodes = takeMatricesApart(json, named, skeleton, nodeOf, tree, warnings);
  }
  if (json.images) {
    const resolve = resolvePictures(document, options.resolve);
    json.images = await takeImagesIn(json.images, packed, resolve, warnings);
  }
  return { bytes: assemble(json, packed, document, options.extension), warnings };
}

/** Puts keys into the buffer as they are. @returns their accessors. */
function appendPlain(packed: PackedBuffers, encoded: EncodedClips): GltfAccessor[] {
  const byteOffset = appendBytes(packed, join(encoded.pieces, encoded.byteLength));
  const bufferView = packed.views.length;
  packed.views.push({ buffer: 0, byteOffset, byteLength: encoded.byteLength });
  return encoded.accessors.map((accessor) => ({ bufferView, ...accessor }));
}

/** Puts keys into the buffer compressed, and a placeholder for what they unpack to. @returns their accessors. */
async function appendCompressed(
  json: GltfJson,
  packed: PackedBuffers,
  encoded: EncodedClips,
  firstAccessor: number,
  body: Parameters<typeof compressClips>[2],
): Promise<GltfAccessor[]> {
  const byteOffset = appendBytes(packed, new Uint8Array(0));
  const compressed = await compressClips(
    encoded,
    { byteOffset, firstAccessor, firstView: packed.views.length, placeholder: packed.buffers.length },
    body,
  );
  appendBytes(packed, join(compressed.pieces, compressed.byteLength));
  packed.views.push(...compressed.views);
  packed.buffers.push({
    byteLength: compressed.unpackedLength,
    extensions: { [MESHOPT]: { fallback: true } },
  });
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), MESHOPT])];
  json.extensionsRequired = [...new Set([...(json.extensionsRequired ?? []), MESHOPT])];
  return compressed.accessors;
}

/** The character of a file that has none and is written as it is. */
const NOBODY: Character = { skeleton: createSkeleton('', []).skeleton, clips: [] };

/** A new document of a skeleton, with the meshes of a file of another format that has any. */
async function createDocument(
  scene: WriteInput['scene'],
  character: number,
  options: WriteOptions,
  warnings: Warning[],
): Promise<GltfDocument> {
  const target = scene.characters[character]!;
  const { skeleton } = target;
  const { document: source } = scene;
  if (isGltfDocument(source)) return createSkeletonDocument(scene.name, skeleton, null);
  const all =
    options.meshes === false || !isFbxDocument(source)
      ? []
      : await readFbxDressedMeshes(scene, resolvePictures(source, options.resolve), warnings);
  const own = all.filter((mesh) => mesh.character === character);
  const meshes = own.length === 0 && options.stickFigure ? [createStickFigure(skeleton, character)] : own;
  const document = createSkeletonDocument(scene.name, skeleton, containerFor(target), meshes.length > 0);
  return addMeshes(document, skeleton, meshes, warnings);
}

/** What takes a skeleton of another format to glTF's metres and axes: its container, guessed if need be. */
function containerFor({ skeleton, clips }: Character): Mat4 {
  const isGiven = skeleton.container.some((value, n) => value !== (n % 5 === 0 ? 1 : 0));
  return isGiven ? skeleton.container : createRig(skeleton, { clips }).skeleton.container;
}

/** The file's bytes: JSON and one buffer, in a GLB or as text with a data URI. */
function assemble(
  json: GltfJson,
  packed: PackedBuffers,
  document: GltfDocument,
  extension: string,
): Uint8Array {
  const [main, ...others] = packed.buffers;
  json.bufferViews = packed.views;
  json.buffers = [];
  if (packed.byteLength > 0) json.buffers.push({ ...main, byteLength: packed.byteLength }, ...others);
  if (packed.byteLength > 0 && extension === 'gltf') {
    const data = encodeBase64(join(packed.pieces, packed.byteLength));
    json.buffers[0]!.uri = `data:application/octet-stream;base64,${data}`;
  }
  // The schema wants lists with something in them, or none.
  for (const key of ['animations', 'accessors', 'bufferViews', 'buffers'] as const)
    if (json[key]?.length === 0) delete json[key];
  const encoder = new TextEncoder();
  if (extension === 'gltf') return encoder.encode(`${JSON.stringify(json, null, 2)}\n`);
  return writeGlb({
    json: encoder.encode(JSON.stringify(json)),
    bin: packed.pieces,
    others: document.otherChunks,
  });
}

function findMorphTargets(json: GltfJson, tree: NodeTree): Map<string, MorphTarget[]> {
  const targets = new Map<string, MorphTarget[]>();
  (json.nodes ?? []).forEach((node, i) => {
    if (node.mesh === undefined) return;
    const names = morphNames(json, node.mesh);
    if (names.length === 0) return;
    const mesh = morphMeshName(json, tree, i);
    const weights = node.weights ?? json.meshes![node.mesh]!.weights ?? [];
    addToList(targets, mesh, { node: i, names, weights });
  });
  return targets;
}

/** Nodes that a clip moves may not be given as a matrix. */
function takeMatricesApart(
  json: GltfJson,
  clips: readonly Clip[],
  skeleton: Skeleton,
  nodeOf: (joint: number) => number,
  tree: NodeTree,
  warnings: Warning[],
): NonNullable<GltfJson['nodes']> {
  const nodes = json.nodes ?? [];
  const moved = new Set(clips.flatMap(({ tracks }) => tracks.map(({ joint }) => joint)));
  if (clips.some(({ tracks }) => tracks.length === 0)) moved.add(0);
  const apart = [...moved].filter((joint) => nodes[nodeOf(joint)]?.matrix);
  if (apart.length === 0) return nodes;
  warnings.push({
    code: 'file-repaired',
    message: `${apart.length} nodes were given as matrices and are moved by a clip: they became translation, rotation and scale (${apart
      .slice(0, 5)
      .map((joint) => skeleton.names[joint])
      .join(', ')}).`,
  });
  const copies = nodes.slice();
  const { translations, rotations, scales } = tree.rest;
  for (const joint of apart) {
    const n = nodeOf(joint);
    const { matrix: _, ...rest } = nodes[n]!;
    copies[n] = {
      ...rest,
      translation: [...translations.subarray(3 * n, 3 * n + 3)],
      rotation: [...rotations.subarray(4 * n, 4 * n + 4)],
      scale: [...scales.subarray(3 * n, 3 * n + 3)],
    };
  }
  return copies;
}

/** Takes pictures that stand in other files into the buffer; those that are not found stay outside. */
async function takeImagesIn(
  images: readonly GltfImage[],
  packed: PackedBuffers,
  resolve: Resolve,
  warnings: Warning[],
): Promise<GltfImage[]> {
  const out: GltfImage[] = [];
  // A picture that many images name is held once.
  const views = new Map<string, number>();
  for (const image of images) {
    const { uri, ...rest } = image;
    if (typeof uri !== 'string' || /^data:/i.test(uri)) {
      out.push(image);
      continue;
    }
    const bytes = await resolve(uri).catch(nullUnlessLimit);
    const mimeType = bytes && pictureType(bytes);
    if (!bytes || !mimeType) {
      warnings.push({
        code: 'feature-ignored',
        message: `The picture "${uri.slice(0, 80)}" ${bytes ? 'is of an unknown kind' : 'was not found beside the file'}; the result still points to it.`,
      });
      out.push(image);
      continue;
    }
    let bufferView = views.get(uri);
    if (bufferView === undefined) {
      const byteOffset = appendBytes(packed, bytes);
      bufferView = packed.views.push({ buffer: 0, byteOffset, byteLength: bytes.length }) - 1;
      views.set(uri, bufferView);
    }
    out.push({ ...rest, mimeType, bufferView });
  }
  return out;
}

function join(pieces: readonly Uint8Array[], byteLength: number): Uint8Array {
  const out = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
