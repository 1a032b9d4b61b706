import { type RetargetOptions, readRecipe, UsageError } from '@stuntdouble/core';

/** What a person did by hand, as a document of its own holds it. */
export type Edits = Pick<RetargetOptions, 'constraints' | 'layers' | 'hold'>;

/**
 * What a document says of constraints, layers or both, as a recipe holds them; of its settings `hold` alone counts here.
 * @throws UsageError that names the place that is wrong.
 */
export function readEdits(json: unknown): Edits {
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
