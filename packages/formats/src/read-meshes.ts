import type { Mesh, Scene, Warning } from '@stuntdouble/core/engine';
import { FORMATS } from './detect.js';
import type { FormatMeshes, Resolve } from './format.js';
import type { DressedMesh } from './shared/dressed-mesh.js';

/**
 * Reads the meshes that follow the characters of a scene, for pictures and for measuring the skin. Scenery
 * that follows no joint is left out, and so is what cannot be read. Empty for formats that have no meshes.
 *
 * A mesh that hangs on a joint without a skin has its positions in that joint's own space.
 */
export async function readMeshes(scene: Scene): Promise<Mesh[]> {
  return meshesOf(scene)?.read(scene) ?? [];
}

/**
 * Reads meshes as {@link readMeshes} does, with texture coordinates, materials, their pictures and morph targets.
 * Pictures are looked for in the file, then beside it.
 * @param options `resolve` fetches what stands beside the file; `warnings` gets what was left out.
 */
export async function readDressedMeshes(
  scene: Scene,
  { resolve, warnings = [] }: { resolve?: Resolve; warnings?: Warning[] } = {},
): Promise<DressedMesh[]> {
  return meshesOf(scene)?.readDressed(scene, { resolve, warnings }) ?? [];
}

/** Whether the file of a scene has meshes, without reading them. */
export function hasMeshes(scene: Scene): boolean {
  return meshesOf(scene)?.has(scene) ?? false;
}

function meshesOf({ document }: Scene): FormatMeshes | undefined {
  return FORMATS.find(({ meshes }) => meshes?.owns(document))?.meshes;
}
