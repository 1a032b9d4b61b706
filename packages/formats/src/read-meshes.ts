import type { Mesh, Scene, Warning } from '@stuntdouble/core/engine';
import { isFbxDocument } from './fbx/parse/parse-fbx.js';
import { hasFbxMeshes } from './fbx/read/has-meshes.js';
import type { Resolve } from './format.js';
import { isGltfDocument } from './gltf/document.js';
import { readDressedMeshes as readGltfDressedMeshes } from './gltf/read/read-dressed-meshes.js';
import { readMeshes as readGltfMeshes } from './gltf/read/read-meshes.js';
import type { DressedMesh } from './shared/dressed-mesh.js';
import { resolvePictures } from './shared/resolve-pictures.js';

/**
 * Reads the meshes that follow the characters of a scene, for pictures and for measuring the skin. Scenery
 * that follows no joint is left out, and so is what cannot be read. Empty for formats that have no meshes.
 *
 * A mesh that hangs on a joint without a skin has its positions in that joint's own space.
 */
export async function readMeshes(scene: Scene): Promise<Mesh[]> {
  if (!isFbxDocument(scene.document)) return readGltfMeshes(scene);
  // Fetched when there is one to read: a page without FBX loads none of it.
  const { readFbxMeshes } = await import('./fbx/read/read-meshes.js');
  return readFbxMeshes(scene);
}

/**
 * Reads meshes as {@link readMeshes} does, with texture coordinates, materials, their pictures and morph targets.
 * Pictures are looked for in the file, then beside it.
 * @param options `resolve` fetches what stands beside the file; `warnings` gets what was left out.
 */
export async function readDressedMeshes(
  scene: Scene,
  options: { resolve?: Resolve; warnings?: Warning[] } = {},
): Promise<DressedMesh[]> {
  const { document } = scene;
  const warnings = options.warnings ?? [];
  if (isFbxDocument(document)) {
    const { readFbxDressedMeshes } = await import('./fbx/read/read-dressed-meshes.js');
    return readFbxDressedMeshes(scene, resolvePictures(document, options.resolve), warnings);
  }
  if (isGltfDocument(document))
    return readGltfDressedMeshes(scene, resolvePictures(document, options.resolve), warnings);
  return [];
}

/** Whether the file of a scene has meshes, without reading them. */
export function hasMeshes({ document }: Scene): boolean {
  if (isFbxDocument(document)) return hasFbxMeshes(document);
  return isGltfDocument(document) && (document.json.meshes?.length ?? 0) > 0;
}
