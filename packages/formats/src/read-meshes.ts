import type { Mesh, Scene } from '@stuntdouble/core';
import { isFbxDocument } from './fbx/parse/parse-fbx.js';
import { readFbxMeshes } from './fbx/read/read-meshes.js';
import { readMeshes as readGltfMeshes } from './gltf/read/read-meshes.js';

/**
 * Reads the meshes that follow the characters of a scene, for pictures and for measuring the skin. Scenery
 * that follows no joint is left out, and so is what cannot be read. Empty for formats that have no meshes.
 *
 * A mesh that hangs on a joint without a skin has its positions in that joint's own space.
 */
export async function readMeshes(scene: Scene): Promise<Mesh[]> {
  return isFbxDocument(scene.document) ? readFbxMeshes(scene) : readGltfMeshes(scene);
}
