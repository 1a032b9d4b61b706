import type { FormatMeshes } from '../../format.js';
import { resolvePictures } from '../../shared/resolve-pictures.js';
import { isGltfDocument } from '../document.js';
import { readDressedMeshes } from './read-dressed-meshes.js';
import { readMeshes } from './read-meshes.js';

/** The meshes of glTF in all its dresses. */
export const gltfMeshes: FormatMeshes = {
  owns: isGltfDocument,
  has: ({ document }) => isGltfDocument(document) && (document.json.meshes?.length ?? 0) > 0,
  read: readMeshes,
  readDressed: async (scene, { resolve, warnings }) =>
    isGltfDocument(scene.document)
      ? readDressedMeshes(scene, resolvePictures(scene.document, resolve), warnings)
      : [],
};
