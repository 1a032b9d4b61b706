import { type Recipe, readRecipe, type Warning } from '@stuntdouble/core';
import { readJson } from './read-json.js';

/**
 * Reads the file that `--recipe` names: a recipe, or a map, an armature, or an entry of Babylon's retargeting
 * data, which are recipes with one part.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export function readRecipeFile(path: string): Promise<{ recipe: Recipe; warnings: Warning[] }> {
  return readJson(path, 'a recipe', (json) => readRecipe(json));
}
