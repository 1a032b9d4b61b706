import { readFileSync } from 'node:fs';

/** Compressions that engines read by a decoder of their own, which they fetch or are given. */
const COMPRESSIONS = /KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression|KHR_texture_basisu/;

/** Whether a binary glTF file (GLB, VRM, VRMA) is compressed in a way that engines read only with a decoder. */
export function needsDecoder(path: string): boolean {
  const bytes = readFileSync(path);
  const text = bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString('utf8');
  const { extensionsUsed = [] } = JSON.parse(text) as { extensionsUsed?: string[] };
  return extensionsUsed.some((name) => COMPRESSIONS.test(name));
}
