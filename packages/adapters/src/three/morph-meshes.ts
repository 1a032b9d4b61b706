import type { Mesh, Object3D } from 'three';
import type { VrmLike } from './animated-object.js';

/** Meshes that share their morph targets: one mesh, or all primitives of one glTF mesh. */
export type MorphMesh = {
  /** The mesh's name; '' for the expressions of a VRM. */
  name: string;
  /** Names of the morph targets or expressions. */
  morphs: string[];
  /** The meshes; none for expressions. */
  meshes: Mesh[];
};

/** Finds the meshes with morph targets below an object, and a VRM's expressions. */
export function findMorphMeshes(root: Object3D, vrm: VrmLike | null): MorphMesh[] {
  const found: MorphMesh[] = [];
  const byKey = new Map<string, MorphMesh>();
  root.traverse((node) => {
    const mesh = node as Mesh;
    const morphs = mesh.isMesh && mesh.morphTargetDictionary ? Object.keys(mesh.morphTargetDictionary) : [];
    if (morphs.length === 0) return;
    // GLTFLoader makes a group of a mesh with several primitives: they move as one.
    const group = mesh.parent?.type === 'Group' && mesh.parent !== root ? mesh.parent : mesh;
    const key = `${group.uuid} ${morphs.join('\n')}`;
    const same = byKey.get(key);
    if (same) {
      same.meshes.push(mesh);
      same.name = group.name;
      return;
    }
    const entry: MorphMesh = { name: mesh.name, morphs, meshes: [mesh] };
    byKey.set(key, entry);
    found.push(entry);
  });
  const expressions = vrm?.expressionManager?.expressions ?? [];
  if (expressions.length > 0)
    found.push({ name: '', morphs: expressions.map(({ expressionName }) => expressionName), meshes: [] });
  return found;
}
