import { forEachChild } from './child-records.js';
import type { FbxNode } from './fbx-node.js';

/** Whether the records of a file have meshes, without reading them. */
export function hasFbxMeshes(nodes: readonly FbxNode[]): boolean {
  let found = false;
  forEachChild(
    nodes.find(({ name }) => name === 'Objects'),
    (type, values) => {
      if (type === 'Geometry' && values[2] === 'Mesh') found = true;
    },
  );
  return found;
}
