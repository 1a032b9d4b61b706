import { UsageError, type Warning } from '@stuntdouble/core';
import type { WriteInput, WriteOptions, Written } from '../format.js';
import { giveFreeNames } from '../free-names.js';
import { readMeshes } from '../gltf/read-meshes.js';
import { addClips, dropClips } from './add-clips.js';
import { readMorphChannels } from './blend-shapes.js';
import { encodeAscii } from './encode-ascii.js';
import { encodeBinary } from './encode-binary.js';
import { encodeClips } from './encode-clips.js';
import { readModelTree } from './model-tree.js';
import { readObjects } from './objects.js';
import { type FbxDocument, isFbxDocument } from './parse-fbx.js';
import { createSkeletonDocument } from './skeleton-document.js';

/**
 * Writes clips into the FBX file that the target came from, in the dress it had (binary or ASCII, its
 * version): all of its records stay but those that count objects or list takes. A target from another format,
 * or `meshes: false`, gives a new binary file of the skeleton, with the meshes of a glTF or VRM: positions,
 * normals, skin and base colour.
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
  const document = isWhole
    ? source
    : await createDocument(scene, character, options.meshes !== false, warnings);

  const base: FbxDocument = options.replace ? { ...document, nodes: dropClips(document.nodes) } : document;
  const objects = readObjects(base, []);
  const tree = readModelTree(objects);
  const modelOf = (joint: number) => (isWhole ? skeleton.fileIndices[joint]! : joint);
  if (skeleton.names.some((name, joint) => tree.names[modelOf(joint)] !== name))
    throw new UsageError(`character ${character} is not from the file that "${scene.name}" was read from`);
  const taken = objects.all.flatMap(({ type, name }) => (type === 'AnimationStack' ? [name] : []));
  const named = giveFreeNames(clips, taken, warnings);
  let next = 5_000_000_000;
  const takeId = () => {
    while (objects.byId.has(next)) next++;
    return next++;
  };
  const channels = readMorphChannels(objects, tree);
  const encoded = encodeClips(named, skeleton, tree, modelOf, channels, takeId);
  warnings.push(...encoded.warnings);
  const nodes = addClips(base.nodes, encoded);
  const { version, encoding, footer } = base;
  const bytes = encoding === 'ascii' ? encodeAscii(nodes, version) : encodeBinary(nodes, version, footer);
  return { bytes, warnings };
}

async function createDocument(
  scene: WriteInput['scene'],
  character: number,
  withMeshes: boolean,
  warnings: Warning[],
): Promise<FbxDocument> {
  const { skeleton } = scene.characters[character]!;
  const all = withMeshes ? await readMeshes(scene) : [];
  const meshes = all.filter((mesh) => mesh.character === character);
  if (meshes.length > 0)
    warnings.push({
      code: 'feature-ignored',
      message:
        'The meshes were written with their skin and base colours; pictures, morph targets and texture coordinates were not.',
    });
  return createSkeletonDocument(scene.name, skeleton, meshes);
}
