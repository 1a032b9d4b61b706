import { dirname, join, relative, resolve, sep } from 'node:path';
import type { RecipeSide } from '@stuntdouble/core/engine';
import type { RecipeOrigin } from '@stuntdouble/jobs';
import { hashFile, readRecipeFile } from '@stuntdouble/jobs/node';
import { readVersion } from '../read-version.js';
import { STREAM } from '../standard-streams.js';

/** What a recipe says of where it comes from: versions, hashes, and files as they lie beside it. */
export function recipeOrigin(
  recipe: string,
  { source, target, family }: { source: string; target: string; family?: readonly string[] | undefined },
): RecipeOrigin {
  const beside = (path: string) =>
    relative(dirname(resolve(recipe)), resolve(path))
      .split(sep)
      .join('/');
  const side = (path: string): RecipeSide =>
    path === STREAM ? {} : { file: beside(path), sha256: hashFile(path, {}).sha256 };
  return {
    madeWith: readVersion(),
    source: { ...side(source), ...(family && { family: family.map(beside) }) },
    target: side(target),
  };
}

/** The files of a recipe's family, where there is a recipe and it names some. */
export async function recipeFamily(path: string | undefined): Promise<string[] | undefined> {
  if (path === undefined || !/\.json$/i.test(path)) return undefined;
  const { recipe } = await readRecipeFile(path);
  return recipe.source?.family?.map((file) => join(dirname(path), file));
}
