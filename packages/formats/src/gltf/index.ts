import type { Format } from '../format.js';
import { isTextAt } from '../shared/is-text-at.js';
import { writeVrma } from '../vrma/index.js';
import { isGlb } from './glb.js';
import { gltfMeshes } from './read/gltf-meshes.js';
import { readGltf } from './read/read.js';
import { writeGltf } from './write/write.js';

export { readMeshes } from './read/read-meshes.js';
export { rebind } from './rebind/rebind.js';

/** glTF 2.0 in all its dresses: `.gltf`, `.glb`, and VRM and VRM animation, which are GLBs with a humanoid. */
export const gltf: Format = {
  name: 'glTF',
  extensions: ['glb', 'gltf', 'vrm', 'vrma'],
  sniff: (bytes) => isGlb(bytes) || looksLikeGltfJson(bytes),
  read: readGltf,
  write: async (input, options) => {
    // A VRM animation is written into another as into any glTF; anything else becomes a new one.
    const isNew = options.extension === 'vrma' && input.scene.format !== 'vrma';
    return isNew ? writeVrma(input, options) : writeGltf(input, options);
  },
  meshes: gltfMeshes,
};

/** Whether bytes are JSON with the one member that glTF must have. */
function looksLikeGltfJson(bytes: Uint8Array): boolean {
  const start = new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (!start.startsWith('{')) return false;
  // The member may stand anywhere: some writers put the buffers first.
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1))
    if (isTextAt(bytes, at, '"asset"')) return true;
  return false;
}

const QUOTE = 34;
