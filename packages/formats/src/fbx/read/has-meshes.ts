import { forEachChild } from '../parse/child-records.js';
import type { FbxDocument } from '../parse/parse-fbx.js';

/** Whether a file has meshes, without reading them. */
export function hasFbxMeshes({ nodes }: FbxDocument): boolean {
  let found = false;
  forEachChild(
    nodes.find(({ name }) => name === 'Objects'),
    (type, values) => {
      if (type === 'Geometry' && values[2] === 'Mesh') found = true;
    },
  );
  return found;
}
