import type { Format } from '../format.js';
import { sniffFbx } from './parse/fbx-document.js';
import { fbxMeshes } from './read/fbx-meshes.js';
import { readFbx } from './read/read-fbx.js';
import { writeFbx } from './write/write-fbx.js';

export { readFbx } from './read/read-fbx.js';

/** Autodesk FBX 7, binary and ASCII: what most tools and libraries of motions exchange. */
export const fbx: Format = {
  name: 'FBX',
  extensions: ['fbx'],
  sniff: sniffFbx,
  read: async (bytes, options) => readFbx(bytes, options),
  write: writeFbx,
  meshes: fbxMeshes,
};
