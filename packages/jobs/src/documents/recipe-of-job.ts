import {
  chooseCorrections,
  goalsOf,
  mirrorScene,
  type Recipe,
  type RecipeSide,
  type RetargetOptions,
  recipeOf,
  setUpScenes,
} from '@stuntdouble/core/engine';
import type { NamedScene } from '../choose-clips.js';

/** One of the two files of a job that is done. */
export type SavedSide = NamedScene & {
  /** What the recipe says of the file beyond its name. */
  origin?: RecipeSide;
};

/**
 * All of how a job was done, map included, to be edited and repeated.
 * @param told Everything that was asked for, by options and by a recipe.
 * @param isRebound Whether the mesh was bound anew.
 */
export function recipeOfJob(
  source: SavedSide,
  target: SavedSide,
  told: RetargetOptions,
  { isRebound, madeWith }: { isRebound: boolean; madeWith?: string | undefined },
): Recipe {
  const { setup } = setUpScenes(told.mirror ? mirrorScene(source.scene) : source.scene, target.scene, told);
  // Which clips were taken, and what part of them, is no part of how it is done. Corrections are said by name,
  // where there is something to correct: what holds if nothing is said may change.
  const { version, ...recipe } = recipeOf(setup, {
    ...withoutClips(told),
    ...(goalsOf(setup)
      ? { corrections: 'auto' }
      : chooseCorrections(told) === 'none'
        ? { corrections: 'none' }
        : {}),
  });
  return {
    version,
    ...(madeWith !== undefined && { madeWith }),
    ...recipe,
    ...(isRebound && { bind: 'retargeted' as const }),
    source: { ...recipe.source, file: source.name, ...source.origin },
    target: { ...recipe.target, file: target.name, ...target.origin },
  };
}

function withoutClips({ clips: _clips, range: _range, ...rest }: RetargetOptions): RetargetOptions {
  return rest;
}
