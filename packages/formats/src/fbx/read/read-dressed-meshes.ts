import type { Scene, Warning } from '@stuntdouble/core';
import type { Resolve } from '../../format.js';
import type { DressedMesh } from '../../shared/dressed-mesh.js';
import { createMaterialReader } from './materials.js';
import { readFbxParts } from './read-meshes.js';

/**
 * Reads the meshes that follow the characters of an FBX scene with texture coordinates, materials, pictures and
 * blend shapes. What is left out is told in warnings.
 */
export async function readFbxDressedMeshes(
  scene: Scene,
  resolve: Resolve,
  warnings: Warning[],
): Promise<DressedMesh[]> {
  const read = readFbxParts(scene, { isDressed: true }, warnings);
  if (!read) return [];
  const readMaterial = createMaterialReader(read.objects, resolve, warnings);
  const meshes: DressedMesh[] = [];
  for (const { mesh, uvs, morphs, whole, material: object, isDoubleSided } of read.parts) {
    const material = object && (await readMaterial(object, isDoubleSided));
    meshes.push({ ...mesh, color: material?.color ?? mesh.color, uvs, morphs, whole, material });
  }
  const bare = meshes.filter(({ uvs, material }) => !uvs && material?.picture);
  if (bare.length > 0) {
    const names = [...new Set(bare.map(({ name }) => name.slice(0, 60)))].slice(0, 5);
    warnings.push({
      code: 'feature-ignored',
      message: `Meshes have a picture and no texture coordinates to lay it on, so it does not show: ${names.join(', ')}.`,
    });
  }
  return meshes;
}
