import {
  type ContactDocument,
  optionsOfRecipe,
  type Recipe,
  type RetargetOptions,
  type RigMapDocument,
  readContacts,
  readRecipe,
  type Scene,
  type Warning,
} from '@stuntdouble/core';
import type { RetargetJob } from '../retarget-job.js';
import { type JobDocument, parseDocument } from './parse-document.js';
import { type Edits, readEdits } from './read-edits.js';
import { isSpireFile, readSpireOptions } from './spire-files.js';

/** What stands in the documents of a job. */
export type JobDocuments = {
  recipe: Recipe | null;
  /** A `.retarget` file, which can be read only when both skeletons are known. */
  spire: JobDocument | null;
  map?: RigMapDocument;
  contacts?: ContactDocument['clips'];
  /** Constraints and layers; empty where none were given. */
  edits: Edits;
  warnings: Warning[];
};

/**
 * Reads recipe, map, contacts and constraints of a job, where they were given.
 * @throws Failure that names the document and the place in it that is wrong.
 */
export async function readJobDocuments({
  recipe,
  map,
  contacts,
  constraints,
}: RetargetJob): Promise<JobDocuments> {
  const isSpire = isSpireFile(recipe?.name);
  const read: JobDocuments = { recipe: null, spire: isSpire ? recipe! : null, edits: {}, warnings: [] };
  if (recipe && !isSpire) {
    const saved = parseDocument(recipe, 'a recipe', (json) => readRecipe(json));
    read.recipe = saved.recipe;
    read.warnings.push(...saved.warnings);
  }
  if (map) {
    // What checks a map is loaded only where there is one.
    const { parseRigMap } = await import('./rig-map-schema.js');
    read.map = parseDocument(map, 'a map', parseRigMap);
  }
  if (contacts) read.contacts = parseDocument(contacts, 'contacts', readContacts).clips;
  if (constraints) read.edits = parseDocument(constraints, 'constraints and layers', readEdits);
  return read;
}

/**
 * What a recipe says for two scenes.
 * @param morphsAlone Whether the source has no skeleton, to which a `.retarget` file says nothing.
 */
export function recipeOptions(
  documents: JobDocuments,
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  morphsAlone: boolean,
): RetargetOptions {
  const { recipe, spire } = documents;
  if (spire && !morphsAlone) return readSpireOptions(spire, source, target, options);
  if (!recipe) return {};
  return optionsOfRecipe(recipe);
}
