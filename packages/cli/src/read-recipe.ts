import { readFile } from 'node:fs/promises';
import { type Recipe, readRecipe, type Warning } from '@stuntdouble/core';
import { Failure, sentenceOf, systemReasonOf } from './failure.js';

/**
 * Reads the file that `--recipe` names: a recipe, or a map, an armature, or an entry of Babylon's retargeting
 * data, which are recipes with one part.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export async function readRecipeFile(path: string): Promise<{ recipe: Recipe; warnings: Warning[] }> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`cannot read ${path}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(`cannot read ${path}: it is no JSON (${sentenceOf(error)})`);
  }
  try {
    return readRecipe(json);
  } catch (error) {
    throw new Failure(`cannot read ${path} as a recipe: ${sentenceOf(error)}`);
  }
}
