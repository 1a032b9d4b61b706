import { type Clip, type Skeleton, UsageError, type Warning } from '@stuntdouble/core';
import type { WriteInput, WriteOptions, Written } from '../../format.js';
import { bindFace } from '../../gltf/bind-face.js';
import { isGltfDocument } from '../../gltf/document.js';
import { readDressedMeshes } from '../../gltf/read/read-dressed-meshes.js';
import { heedSignal } from '../../heed-signal.js';
import { giveFreeNames } from '../../shared/free-names.js';
import { resolvePictures } from '../../shared/resolve-pictures.js';
import { readObjects } from '../parse/objects.js';
import { type FbxDocument, isFbxDocument } from '../parse/parse-fbx.js';
import { readSettings } from '../parse/settings.js';
import { readMorphChannels } from '../read/blend-shapes.js';
import { mirrorClip, mirrorSkeleton } from '../read/mirror-space.js';
import { readModelTree } from '../read/model-tree.js';
import { addClips, dropClips } from './add-clips.js';
import { encodeAscii } from './encode-ascii.js';
import { encodeBinary } from './encode-binary.js';
import { encodeFbxClips } from './encode-clips.js';
import { createSkeletonDocument, nameOfMesh } from './skeleton-document.js';

/**
 * Writes clips into the FBX file that the target came from, in the dress it had (binary or ASCII, its
 * version): all of its records stay but those that count objects or list takes. A target from another format,
 * or `meshes: false`, gives a new binary file of the skeleton, with the meshes of a glTF or VRM: normals, skin,
 * texture coordinates, materials with their pictures inside the file, and morph targets.
 */
export async function writeFbx(
  { scene, character, clips }: WriteInput,
  options: WriteOptions,
): Promise<Written> {
  const target = scene.characters[character];
  if (!target)
    throw new UsageError(
      `character is ${character}; the scene "${scene.name}" has ${scene.characters.length}`,
    );
  const { skeleton } = target;
  const warnings: Warning[] = [];
  const source = scene.document;
  const isWhole = isFbxDocument(source) && options.meshes !== false;
  const document = isWhole ? source : await createDocument(scene, character, options, warnings);

  const base: FbxDocument = options.replace ? { ...document, nodes: dropClips(document.nodes) } : document;
  const objects = readObjects(base, []);
  const tree = readModelTree(objects);
  const modelOf = (joint: number) => (isWhole ? skeleton.fileIndices[joint]! : joint);
  if (skeleton.names.some((name, joint) => tree.names[modelOf(joint)] !== name))
    throw new UsageError(`character ${character} is not from the file that "${scene.name}" was read from`);
  const taken = objects.all.flatMap(({ type, name }) => (type === 'AnimationStack' ? [name] : []));
  const named = giveFreeNames(isWhole ? clips : nameMorphs(clips, scene, skeleton), taken, warnings);
  let next = 5_000_000_000;
  const takeId = () => {
    while (objects.byId.has(next)) next++;
    return next++;
  };
  const channels = readMorphChannels(objects, tree);
  const { mirror } = readSettings(objects);
  const encoded = heedSignal(options.signal, () =>
    encodeFbxClips(
      mirror === null ? named : named.map((clip) => mirrorClip(clip, mirror)),
      mirror === null ? skeleton : mirrorSkeleton(skeleton, mirror),
      tree,
      modelOf,
      channels,
      takeId,
      base.ticksPerSecond,
    ),
  );
  warnings.push(...encoded.warnings);
  const nodes = addClips(base.nodes, encoded);
  const { version, encoding, footer } = base;
  const bytes = encoding === 'ascii' ? encodeAscii(nodes, version) : encodeBinary(nodes, version, footer);
  return { bytes, warnings };
}

async function createDocument(
  scene: WriteInput['scene'],
  character: number,
  options: WriteOptions,
  warnings: Warning[],
): Promise<FbxDocument> {
  const { skeleton } = scene.characters[character]!;
  const { document } = scene;
  const all =
    options.meshes === false || !isGltfDocument(document)
      ? []
      : await readDressedMeshes(scene, resolvePictures(document, options.resolve), warnings);
  const meshes = all.filter((mesh) => mesh.character === character);
  return createSkeletonDocument(scene.name, skeleton, meshes);
}

/** Clips whose morph tracks go by the names that a new file has: of blend shapes and of their meshes. */
function nameMorphs(clips: readonly Clip[], scene: WriteInput['scene'], skeleton: Skeleton): Clip[] {
  return clips.map((clip) => {
    const bound = bindFace(scene, clip);
    return {
      ...bound,
      morphs: bound.morphs.map((track) => ({ ...track, mesh: nameOfMesh(skeleton, track.mesh) })),
    };
  });
}
