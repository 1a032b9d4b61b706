import type { Whereabouts } from '../../shared/resolve-pictures.js';
import type { FbxNode } from './fbx-node.js';
import type { UnpackBudget } from './unpack-array.js';

/** How binary files begin: 21 letters and two bytes; a version follows. */
export const BINARY_MAGIC = 'Kaydara FBX Binary  \x00';

/** An FBX file in memory: all of its records, as they stand. */
export type FbxDocument = Whereabouts & {
  /** Tells this document from those of other formats. */
  kind: 'fbx';
  /** 7400 is FBX 7.4 (2014). */
  version: number;
  encoding: 'binary' | 'ascii';
  nodes: readonly FbxNode[];
  /** Whether there are meshes among them: found with them, so that who asks need not know records. */
  hasMeshes: boolean;
  /** What follows the records of a binary file. */
  footer: Uint8Array;
  /** Bytes of the file. */
  size: number;
  /** What its times are counted in. */
  ticksPerSecond: number;
  budget: UnpackBudget;
};

/** Whether a scene's document is one of FBX's. */
export function isFbxDocument(document: unknown): document is FbxDocument {
  return typeof document === 'object' && document !== null && 'kind' in document && document.kind === 'fbx';
}

/** Whether bytes look like FBX, binary or ASCII, of any version. */
export function sniffFbx(bytes: Uint8Array): boolean {
  return isBinaryFbx(bytes) || looksLikeAscii(bytes);
}

/** Whether bytes begin as a binary FBX does. */
export function isBinaryFbx(bytes: Uint8Array): boolean {
  for (let i = 0; i < BINARY_MAGIC.length; i++) if (bytes[i] !== BINARY_MAGIC.charCodeAt(i)) return false;
  return true;
}

function looksLikeAscii(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 4096)).replace(/^\uFEFF/, '');
  // Comments first, of which the first says what it is; or, where a tool dropped them, the first record.
  return /^\s*;\s*FBX\s+\d/.test(start) || /^\s*(;[^\n]*\n\s*)*FBXHeaderExtension\s*:/.test(start);
}
