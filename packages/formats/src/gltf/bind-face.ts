import type { Clip, Scene } from '@stuntdouble/core';
import { isGltfDocument } from './document.js';
import { bindExpressions } from './read/expressions.js';
import { readNodeTree } from './read/node-tree.js';

/**
 * A clip as meshes of its character's file play it, and as files with meshes are written: expressions of the whole face
 * (VRM) are weights of the morph targets that the file binds to them. The same clip where there are none.
 */
export function bindFace({ document }: Scene, clip: Clip): Clip {
  if (!isGltfDocument(document) || !clip.morphs.some(({ mesh }) => mesh === '')) return clip;
  return bindExpressions(clip, document.json, readNodeTree(document.json, []));
}
