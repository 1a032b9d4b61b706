import type { Recipe, RigMapDocument } from '@stuntdouble/core';

/** One thing a person changed about the map that was found: who drives a target joint, or that nobody does. */
export type MapChange = NonNullable<RigMapDocument['changes']>[number];

/** A recipe as the studio keeps it: changes to the found map instead of a whole one. */
export type StudioRecipe = Recipe;

/**
 * Puts changes on top of a map: a changed pair keeps its body part, loses its share of a chain's turn, and stands
 * where it stood; a pair for a joint that had none is added at the end; `null` takes a pair out.
 */
export function applyMapChanges(found: RigMapDocument, changes: readonly MapChange[]): RigMapDocument {
  const joints = [...(found.joints ?? [])];
  for (const { target, sources, none } of changes) {
    const at = joints.findIndex((pair) => pair.target === target);
    const before = joints[at];
    if (none || !sources || sources.length === 0) {
      if (at >= 0) joints.splice(at, 1);
      continue;
    }
    const pair = { target, sources: [...sources], ...(before?.role && { role: before.role }) };
    if (at >= 0) joints[at] = pair;
    else joints.push(pair);
  }
  return { ...found, joints };
}

/** Adds a change to a list, in the place of an earlier one for the same joint. */
export function withChange(changes: readonly MapChange[], change: MapChange): MapChange[] {
  return [...changes.filter(({ target }) => target !== change.target), change];
}
