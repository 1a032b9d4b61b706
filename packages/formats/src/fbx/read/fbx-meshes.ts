import type { FormatMeshes } from '../../format.js';
import { resolvePictures } from '../../shared/resolve-pictures.js';
import { isFbxDocument } from '../parse/fbx-document.js';

/** The meshes of FBX. What reads them is fetched when there is one to read: a page without FBX loads none of it. */
export const fbxMeshes: FormatMeshes = {
  owns: isFbxDocument,
  has: ({ document }) => isFbxDocument(document) && document.hasMeshes,
  read: async (scene) => (await import('./read-meshes.js')).readFbxMeshes(scene),
  async readDressed(scene, { resolve, warnings }) {
    if (!isFbxDocument(scene.document)) return [];
    const { readFbxDressedMeshes } = await import('./read-dressed-meshes.js');
    return readFbxDressedMeshes(scene, resolvePictures(scene.document, resolve), warnings);
  },
};
