import { type MapChange, mergeRecipes, type Plain, type Recipe } from '@stuntdouble/core/engine';
import { type FileId, type Job, skeletonOfId } from '../engine/protocol.js';

/** A file that a document speaks of: found again by its hash, else by its name and size. */
export type FileRef = {
  name: string;
  size: number;
  sha256: FileId;
  beside?: FileRef[];
  /** A sample whose body a motion without one is shown on. */
  wears?: string;
  /** Set where it is one of the studio's own samples. */
  sample?: boolean;
};

/** Everything a person has decided: undone, kept in the browser, saved as `*.stuntdouble.json`. */
export type StudioDocument = {
  version: 1;
  source: FileRef | null;
  targets: FileRef[];
  /** Which target the panels are about. */
  active: number;
  /** What holds for all targets. */
  shared: Recipe;
  /** What holds for one target, by its hash, on top of that. */
  own: Record<FileId, Recipe>;
};

/** A document of nothing. */
export function createDocument(): StudioDocument {
  return { version: 1, source: null, targets: [], active: 0, shared: { version: 1 }, own: {} };
}

/** A document that speaks of another file in the place of one: what was kept for that one holds for it. */
export function withFile(document: StudioDocument, before: FileId, ref: FileRef): StudioDocument {
  const put = (one: FileRef) => (one.sha256 === before ? ref : one);
  const own = Object.entries(document.own).map(([id, recipe]) => [id === before ? ref.sha256 : id, recipe]);
  return {
    ...document,
    source: document.source && put(document.source),
    targets: document.targets.map(put),
    own: Object.fromEntries(own),
  };
}

/** The target that the panels are about; null where there is none. */
export function activeTarget({ targets, active }: StudioDocument): FileRef | null {
  return targets[active] ?? null;
}

/** What runs for a target: what is shared, then its own. */
export function effectiveRecipe({ shared, own }: StudioDocument, target: FileId): Recipe {
  return mergeRecipes(shared, own[target] ?? { version: 1 });
}

/** The work that a document asks for one of its targets; null where a side is missing. */
export function jobOf(document: StudioDocument, target: FileRef | null = activeTarget(document)): Job | null {
  if (!document.source || !target) return null;
  const recipe = effectiveRecipe(document, target.sha256);
  const [from, to] = [skeletonOfId(document.source.sha256), skeletonOfId(target.sha256)];
  return {
    source: document.source.sha256,
    target: target.sha256,
    recipe: {
      ...recipe,
      ...(from !== undefined && { source: { ...recipe.source, skeleton: from } }),
      ...(to !== undefined && { target: { ...recipe.target, skeleton: to } }),
    },
  };
}

/** Changes what is kept for one target. An entry that becomes empty is taken out. */
export function changeOwn(
  document: StudioDocument,
  target: FileId,
  change: (recipe: Recipe) => Recipe,
): StudioDocument {
  const recipe = change(document.own[target] ?? { version: 1 });
  const { [target]: _, ...others } = document.own;
  return { ...document, own: isEmpty(recipe) ? others : { ...others, [target]: recipe } };
}

/** Changes what holds for all targets. */
export function changeShared(document: StudioDocument, change: (recipe: Recipe) => Recipe): StudioDocument {
  return { ...document, shared: change(document.shared) };
}

/** A recipe with one more change to the map, in the place of an earlier one for the same joint. */
export function withMapChange(recipe: Recipe, before: readonly MapChange[], change: MapChange): Recipe {
  const others = before.filter(({ target }) => target !== change.target);
  return { ...recipe, map: { ...(recipe.map ?? { version: 1 }), changes: [...others, change] } };
}

function isEmpty({ version: _, ...rest }: Recipe): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

/** A recipe with one setting told, or (undefined) left to its default. A path goes into records: `root.copyPosition`. */
export function withSetting(recipe: Recipe, path: string, value: Plain | undefined): Recipe {
  const settings = withValue((recipe.settings ?? {}) as Record<string, Plain>, path.split('.'), value);
  const { settings: _, ...rest } = recipe;
  return Object.keys(settings).length > 0 ? { ...rest, settings } : rest;
}

function withValue(
  record: Record<string, Plain>,
  [name, ...rest]: string[],
  value: Plain | undefined,
): Record<string, Plain> {
  const { [name!]: before, ...others } = record;
  if (rest.length === 0) return value === undefined ? others : { ...others, [name!]: value };
  const inner = withValue(isRecord(before) ? before : {}, rest, value);
  return Object.keys(inner).length > 0 ? { ...others, [name!]: inner } : others;
}

function isRecord(value: unknown): value is Record<string, Plain> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a setting by its path; undefined where it is left to its default. */
export function settingOf(recipe: Recipe, path: string): Plain | undefined {
  let at: unknown = recipe.settings;
  for (const name of path.split('.')) at = isRecord(at) ? at[name] : undefined;
  return at as Plain | undefined;
}
