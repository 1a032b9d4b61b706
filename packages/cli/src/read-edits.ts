import { type RetargetOptions, readRecipe, UsageError } from '@stuntdouble/core';
import { readJson } from './read-json.js';

type Edits = Pick<RetargetOptions, 'constraints' | 'layers' | 'hold'>;

/**
 * Reads the file that `--constraints` names: constraints, layers or both, as a recipe holds them; of its settings `hold`
 * alone counts here.
 * @throws Failure that names the file and the place in it that is wrong.
 */
export function readEditsFile(path: string): Promise<Edits> {
  return readJson(path, 'constraints and layers', readEdits);
}

function readEdits(json: unknown): Edits {
  const isList = Array.isArray(json);
  const { recipe } = readRecipe(
    isList ? { version: 1, constraints: json } : { version: 1, ...(json as object) },
  );
  const { constraints, layers, settings } = recipe;
  if (!constraints && !layers) throw new UsageError('it holds neither constraints nor layers');
  return {
    ...(constraints && { constraints }),
    ...(layers && { layers }),
    ...(settings?.hold !== undefined && { hold: settings.hold as 'contacts' | 'none' }),
  };
}
