import {
  chooseCorrections,
  goalsOf,
  mirrorScene,
  type Recipe,
  type RetargetOptions,
  recipeOf,
  setUpScenes,
} from '@stuntdouble/core/engine';
import type { NamedScene } from '../choose-clips.js';

/**
 * All of how a job was done, map included, to be edited and repeated.
 * @param told Everything that was asked for, by options and by a recipe.
 * @param isRebound Whether the mesh was bound anew.
 */
export function recipeOfJob(
  source: NamedScene,
  target: NamedScene,
  told: RetargetOptions,
  isRebound: boolean,
): Recipe {
  const { setup } = setUpScenes(told.mirror ? mirrorScene(source.scene) : source.scene, target.scene, told);
  return {
    // Which clips were taken, and what part of them, is no part of how it is done. Corrections are said by name,
    // where there is something to correct: what holds if nothing is said may change.
    ...recipeOf(setup, {
      ...withoutClips(told),
      ...(goalsOf(setup)
        ? { corrections: 'auto' }
        : chooseCorrections(told) === 'none'
          ? { corrections: 'none' }
          : {}),
    }),
    ...(isRebound && { bind: 'retargeted' as const }),
    source: {
      ...(told.sourceSkeleton !== undefined && { skeleton: told.sourceSkeleton }),
      file: source.name,
    },
    target: {
      ...(told.targetSkeleton !== undefined && { skeleton: told.targetSkeleton }),
      file: target.name,
    },
  };
}

function withoutClips({ clips: _clips, range: _range, ...rest }: RetargetOptions): RetargetOptions {
  return rest;
}
