import { type Clip, createRig, type Skeleton, UsageError, type Warning } from '@stuntdouble/core';
import type { WriteInput, Written } from '../format.js';
import { isBvhLayout } from './bvh-layout.js';
import { encodeBvh, writeBvhInto } from './write-bvh.js';

/**
 * Into the file's own hierarchy where the target was a BVH, else a new one (see {@link writeModel}). A BVH
 * holds one clip, so the first is written; other roots of the file keep the motion they had.
 */
export async function writeBvhScene({ scene, character, clips }: WriteInput): Promise<Written> {
  const warnings: Warning[] = [];
  const target = scene.characters[character];
  if (!target)
    throw new UsageError(
      `character is ${character}; the scene "${scene.name}" has ${scene.characters.length}`,
    );
  const clip = clips[0] ?? target.clips[0] ?? { name: scene.name, duration: 0, tracks: [], morphs: [] };
  if (clips.length > 1)
    warnings.push({
      code: 'clip-dropped',
      message: `A BVH holds one clip: "${clip.name}" was written, ${clips.length - 1} others were not.`,
    });
  if (clip.morphs.length > 0)
    warnings.push({
      code: 'morph-dropped',
      message: `A BVH holds no morph weights: ${clip.morphs.length} tracks of "${clip.name}" were left out.`,
    });
  const bytes = isBvhLayout(scene.document)
    ? writeBvhInto(
        scene.document,
        scene.characters.map(({ skeleton, clips: own }, n) => ({
          skeleton,
          clip: n === character ? clip : (own[0] ?? null),
        })),
      )
    : writeModel(target.skeleton, clip);
  return { bytes, warnings };
}

/**
 * A new file, in centimetres: the body upright and facing +Z whatever its own file had, and where all angles
 * are zero the pose that looks like a body, which need not be the one its nodes rest in.
 */
function writeModel(skeleton: Skeleton, clip: Clip): Uint8Array {
  const rig = createRig(skeleton);
  return encodeBvh(rig.skeleton, clip, { reference: rig.reference.pose });
}
