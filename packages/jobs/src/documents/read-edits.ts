import { type RetargetOptions, readRecipe, UsageError } from '@stuntdouble/core';

/** What a person did by hand, as a document of its own holds it. */
export type Edits = Pick<RetargetOptions, 'constraints' | 'layers' | 'hold' | 'jointWeights'>;

/** What is asked of one of several characters, and what the others call it. */
export type CharacterEdits = { name?: string; edits: Edits };

/**
 * What a document says of constraints, layers or both, as a recipe holds them; of its settings `hold` and
 * `jointWeights` alone count here.
 * @throws UsageError that names the place that is wrong.
 */
export function readEdits(json: unknown): Edits {
  if (listOf(json))
    throw new UsageError('it is for several characters; give the files of the others, too (--with)');
  const isList = Array.isArray(json);
  const edits = readOne(isList ? { constraints: json } : json);
  if (!edits.constraints?.length && !edits.layers?.length)
    throw new UsageError('it holds neither constraints nor layers');
  return edits;
}

/**
 * What a document says for several characters, in the order of their files: `{ "characters": [{ "name",
 * "constraints", "layers" }, …] }`. One that is for a single character is for the first.
 * @throws UsageError that names the place that is wrong.
 */
export function readCharacterEdits(json: unknown): CharacterEdits[] {
  const list = listOf(json);
  if (!list) return [{ edits: readEdits(json) }];
  return list.map((entry, n) => {
    if (typeof entry !== 'object' || entry === null)
      throw new UsageError(`characters[${n}]: must be { "name", "constraints", "layers" }`);
    const { name, ...rest } = entry as { name?: unknown };
    if (name !== undefined && typeof name !== 'string')
      throw new UsageError(`characters[${n}].name: must be a text`);
    try {
      return { ...(name !== undefined && { name }), edits: readOne(rest) };
    } catch (error) {
      // What a recipe calls recipe.constraints[0] stands under this character here.
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`characters[${n}].${error.message.replace(/^recipe\./, '')}`);
    }
  });
}

function listOf(json: unknown): unknown[] | null {
  const list = (json as { characters?: unknown } | null)?.characters;
  return Array.isArray(list) ? list : null;
}

function readOne(json: unknown): Edits {
  if (typeof json !== 'object' || json === null)
    throw new UsageError('it must be a list of constraints, or { "constraints": […], "layers": […] }');
  const { recipe, warnings } = readRecipe({ version: 1, ...(json as object) });
  // A recipe may be from a later version; this is what somebody wrote just now, and meant.
  if (warnings[0]) throw new UsageError(warnings[0].message);
  const { constraints, layers, settings } = recipe;
  return {
    ...(constraints && { constraints }),
    ...(layers && { layers }),
    ...(settings?.hold !== undefined && { hold: settings.hold as 'contacts' | 'none' }),
    ...(settings?.jointWeights !== undefined && {
      jointWeights: settings.jointWeights as NonNullable<Edits['jointWeights']>,
    }),
  };
}
