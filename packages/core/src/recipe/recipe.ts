import { UsageError } from '../base/errors.js';
import {
  type DataPath,
  fieldsOf,
  listAt,
  numberAt,
  numbersAt,
  oneOf,
  type Plain,
  plainAt,
  textAt,
} from '../base/plain-data.js';
import type { Warning } from '../base/warnings.js';
import type { ArmatureDocument } from '../body/chains/armature-document.js';
import { type NamingScheme, namingScheme } from '../body/names/naming-schemes.js';
import type { JointEdit, ReferenceChoice } from '../body/reference.js';
import { checkConstraints } from '../edits/constraints/check-constraints.js';
import { checkLayers } from '../edits/layers/check-layers.js';
import { writeRigMapDocument } from '../map/create-rig-map.js';
import { checkVersion, DOCUMENT_VERSION, readMapDocument } from '../map/map-document.js';
import { checkShape } from '../options/check-shape.js';
import type { Constraint } from '../options/constraint.js';
import type { Layer } from '../options/layer.js';
import { OPTIONS, optionOf } from '../options/list.js';
import { type RigMapDocument, tellsJoints } from '../options/rig-map-document.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Setup } from '../passes/pass.js';
import { PASS_NAMES, type PassName } from '../passes/pipeline.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { warnUnknownFields } from './recipe-fields.js';

/** One side of a recipe: which file and skeleton it was made for, and the chains that cover it. */
export type RecipeSide = {
  /** Where the file was; for people and programs that look for it, not needed to run. */
  file?: string;
  /** The SHA-256 of the file's bytes; for people and programs that ask whether it is the same, not needed to run. */
  sha256?: string;
  /** Files with the source's skeleton by which it was understood, beside `file`. */
  family?: string[];
  /** Name or number of the skeleton, where a file has several. */
  skeleton?: string;
  /** Which names the joints have: a scheme of Babylon's tool (`mixamo_full`), or joint names by body part (B27). */
  namingScheme?: string | NamingScheme;
  /** An armature document, read by `readArmature` when the skeleton is at hand. */
  armature?: Plain;
};

/** A reference pose as a recipe keeps it: one of the file's poses, and what a person changed about it. */
export type RecipeReference = {
  base:
    | 'auto'
    | 'rest'
    | 'bind'
    | { clip?: string; frame?: number; time?: number }
    | { pose: { translations: number[]; rotations: number[]; scales: number[] } };
  edits?: JointEdit[];
};

/**
 * The one saved document: how the motion of one character goes onto another. Every part but the version may be
 * left out; a map, an armature, a preset are recipes with one part.
 */
export type Recipe = {
  version: 1;
  /** The version of the program that wrote it; another may come to other bytes. */
  madeWith?: string;
  source?: RecipeSide;
  target?: RecipeSide;
  map?: RigMapDocument;
  references?: { source?: RecipeReference; target?: RecipeReference };
  passes?: PassName[];
  /**
   * How the target's mesh is driven: by keys made for its `own` bind pose, as if left out; or by those of the source
   * as they are, through a `retargeted` one, which `rebind` makes.
   */
  bind?: 'own' | 'retargeted';
  /** All other options of {@link RetargetOptions} that are plain data, under their own names. */
  settings?: Record<string, Plain>;
  /** What joints shall do for a time. */
  constraints?: Constraint[];
  /** Curves that are added to the motion. */
  layers?: Layer[];
};

/** The version of recipes that this program writes, and the newest it reads. */
export const RECIPE_VERSION = DOCUMENT_VERSION;

/** Whether an option stands in a place of its own in a recipe, or is no data. */
function isNoSetting(name: string): boolean {
  return (optionOf(name)?.saved ?? 'settings') !== 'settings';
}

/** Options that recipes may hold but that change nothing about the result. */
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['measure']);

/**
 * Writes down how a retarget is done, so that {@link optionsOfRecipe} repeats it exactly on the same files. The
 * map that was found becomes part of it, for people to edit, but where both skeletons are one; what was
 * measured is measured again.
 * @throws UsageError where an option holds what JSON cannot.
 */
export function recipeOf(setup: Setup, options: RetargetOptions = {}): Recipe {
  const settings: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !isNoSetting(name) && !CHANGES_NOTHING.has(name))
      settings[name] = plainAt(value, `options.${name}`);
  // One skeleton on both sides needs no map, and clips are taken over whole only where none is told.
  const isNeeded = tellsJoints(options.map) || !isSameSkeleton(setup.source.skeleton, setup.target.skeleton);
  const map: RigMapDocument = {
    // As it was found: ends of limbs that go with others are found on it again.
    ...(isNeeded ? writeRigMapDocument(setup.told.map, setup.source, setup.target) : { version: 1 as const }),
    ...(options.map?.roles && { roles: { ...options.map.roles } }),
  };
  const references = {
    ...(options.sourceReference !== undefined && { source: recipeReferenceOf(options.sourceReference) }),
    ...(options.targetReference !== undefined && { target: recipeReferenceOf(options.targetReference) }),
  };
  return {
    version: RECIPE_VERSION,
    ...sideOf('source', options.sourceSkeleton, options.sourceArmature, options.sourceNaming),
    ...sideOf('target', options.targetSkeleton, options.targetArmature, options.targetNaming),
    ...((map.joints || map.roles) && { map }),
    ...(Object.keys(references).length > 0 && { references }),
    ...(options.passes && { passes: [...options.passes] }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(options.constraints && { constraints: checkConstraints(options.constraints) }),
    ...(options.layers && { layers: checkLayers(options.layers) }),
  };
}

/** A side of a recipe, where there is anything to say of it. */
function sideOf(
  side: 'source' | 'target',
  skeleton: string | undefined,
  armature: ArmatureDocument | undefined,
  namingScheme: RecipeSide['namingScheme'],
): Partial<Recipe> {
  if (skeleton === undefined && armature === undefined && namingScheme === undefined) return {};
  return {
    [side]: {
      ...(skeleton !== undefined && { skeleton }),
      ...(armature !== undefined && { armature: plainAt(armature, `options.${side}Armature`) }),
      ...(namingScheme !== undefined && { namingScheme }),
    },
  };
}

/** What {@link retarget} must be told to do as a recipe says. */
export function optionsOfRecipe(recipe: Recipe): RetargetOptions {
  const { source, target, map, references, passes, settings, constraints, layers } = recipe;
  return {
    ...(settings as RetargetOptions | undefined),
    ...(map && { map }),
    ...(passes && { passes }),
    ...(constraints && { constraints }),
    ...(layers && { layers }),
    ...(references?.source && { sourceReference: choiceOf(references.source) }),
    ...(references?.target && { targetReference: choiceOf(references.target) }),
    ...(source?.skeleton !== undefined && { sourceSkeleton: source.skeleton }),
    ...(target?.skeleton !== undefined && { targetSkeleton: target.skeleton }),
    ...(source?.armature !== undefined && { sourceArmature: source.armature as ArmatureDocument }),
    ...(target?.armature !== undefined && { targetArmature: target.armature as ArmatureDocument }),
    ...(source?.namingScheme !== undefined && { sourceNaming: source.namingScheme }),
    ...(target?.namingScheme !== undefined && { targetNaming: target.namingScheme }),
  };
}

/** Puts partial recipes together: parts of later ones take the place of earlier ones, setting by setting. */
export function mergeRecipes(...recipes: readonly Recipe[]): Recipe {
  const merged: Recipe = { version: RECIPE_VERSION };
  for (const recipe of recipes) {
    const { source, target, references, settings } = merged;
    Object.assign(merged, recipe);
    if (source && recipe.source) merged.source = { ...source, ...recipe.source };
    if (target && recipe.target) merged.target = { ...target, ...recipe.target };
    if (references && recipe.references) merged.references = { ...references, ...recipe.references };
    if (settings && recipe.settings) merged.settings = { ...settings, ...recipe.settings };
  }
  return merged;
}

/**
 * Reads a recipe from JSON: a whole one, or a map, an armature or an entry of Babylon's animation retargeting
 * data (B27), which are recipes with one part.
 * @param side Whose armature or entry it is, where the document does not say; the target's if left out.
 * @returns the recipe, checked, and a warning for every entry, however deep, that this version does not know or does not carry out.
 * @throws UsageError that names the first place that is wrong, such as `recipe.map.joints[3].target`.
 */
export function readRecipe(
  json: unknown,
  side: 'source' | 'target' = 'target',
): { recipe: Recipe; warnings: Warning[] } {
  const document = fieldsOf(json, 'recipe');
  if ('SkeletonStructure' in document || 'chains' in document)
    return {
      recipe: { version: 1, [side]: { armature: plainAt(json, 'recipe') } },
      warnings: warnUnknownFields(document, 'armature'),
    };
  if ('restPoseUpdate' in document || 'namingScheme' in document)
    return { recipe: readBabylonEntry(document, side), warnings: warnUnknownFields(document, 'babylon') };
  checkVersion(document.version, 'recipe.version');
  if ('joints' in document || 'changes' in document || 'roles' in document)
    return {
      recipe: { version: 1, map: readMapDocument(document, 'recipe') },
      warnings: warnUnknownFields(document, 'map'),
    };
  const warnings = warnUnknownFields(document, 'recipe');
  const recipe: Recipe = { version: RECIPE_VERSION };
  if (document.madeWith !== undefined) recipe.madeWith = textAt(document.madeWith, 'recipe.madeWith');
  for (const name of ['source', 'target'] as const)
    if (document[name] !== undefined) recipe[name] = readSide(document[name], `recipe.${name}`);
  if (document.map !== undefined) recipe.map = readMapDocument(document.map, 'recipe.map');
  if (document.references !== undefined) {
    const references = fieldsOf(document.references, 'recipe.references');
    recipe.references = {};
    for (const name of ['source', 'target'] as const)
      if (references[name] !== undefined)
        recipe.references[name] = readReference(references[name], `recipe.references.${name}`);
  }
  if (document.passes !== undefined)
    recipe.passes = listAt(document.passes, 'recipe.passes').map((name, i) =>
      oneOf(name, PASS_NAMES, `recipe.passes[${i}]`),
    );
  if (document.bind !== undefined)
    recipe.bind = oneOf(document.bind, ['own', 'retargeted'] as const, 'recipe.bind');
  if (document.settings !== undefined) recipe.settings = readSettings(document.settings);
  if (document.constraints !== undefined)
    recipe.constraints = checkConstraints(document.constraints, 'recipe.constraints');
  if (document.layers !== undefined) recipe.layers = checkLayers(document.layers, 'recipe.layers');
  return { recipe, warnings };
}

function readSide(value: unknown, at: DataPath): RecipeSide {
  const fields = fieldsOf(value, at);
  const side: RecipeSide = {};
  for (const name of ['file', 'sha256', 'skeleton'] as const)
    if (fields[name] !== undefined) side[name] = textAt(fields[name], `${at}.${name}`);
  if (fields.family !== undefined)
    side.family = listAt(fields.family, `${at}.family`).map((file, i) => textAt(file, `${at}.family[${i}]`));
  if (fields.namingScheme !== undefined)
    side.namingScheme = readNamingScheme(fields.namingScheme, `${at}.namingScheme`);
  if (fields.armature !== undefined) side.armature = plainAt(fields.armature, `${at}.armature`);
  return side;
}

/** A scheme that has a name, or one of the user's own. */
function readNamingScheme(value: unknown, at: DataPath): string | NamingScheme {
  if (typeof value !== 'string') checkShape(OPTIONS.sourceNaming.shape, value, at);
  else namingScheme(value, at);
  return value as string | NamingScheme;
}

function readReference(value: unknown, at: DataPath): RecipeReference {
  // A plain word is a reference without edits.
  const fields = typeof value === 'string' ? { base: value } : fieldsOf(value, at);
  const { base = 'auto', edits } = fields as { base?: unknown; edits?: unknown };
  return {
    base: readBase(base, `${at}.base`),
    ...(edits !== undefined && {
      edits: listAt(edits, `${at}.edits`).map((edit, i) => readEdit(edit, `${at}.edits[${i}]`)),
    }),
  };
}

function readBase(value: unknown, at: DataPath): RecipeReference['base'] {
  if (typeof value === 'string') return oneOf(value, ['auto', 'rest', 'bind'] as const, at);
  const fields = fieldsOf(value, at);
  if (fields.pose !== undefined) {
    const other = Object.keys(fields).find((name) => name !== 'pose');
    if (other !== undefined) throw new UsageError(`${at}: holds a pose and "${other}"; give one of the two`);
    const pose = fieldsOf(fields.pose, `${at}.pose`);
    const [translations, rotations, scales] = (['translations', 'rotations', 'scales'] as const).map((name) =>
      numbersAt(pose[name], `${at}.pose.${name}`),
    ) as [number[], number[], number[]];
    if (translations.length * 4 !== rotations.length * 3 || translations.length !== scales.length)
      throw new UsageError(`${at}.pose: its lists are not of as many joints`);
    return { pose: { translations, rotations, scales } };
  }
  return {
    ...(fields.clip !== undefined && { clip: textAt(fields.clip, `${at}.clip`) }),
    ...(fields.frame !== undefined && { frame: numberAt(fields.frame, `${at}.frame`) }),
    ...(fields.time !== undefined && { time: numberAt(fields.time, `${at}.time`) }),
  };
}

function readEdit(value: unknown, at: DataPath): JointEdit {
  const fields = fieldsOf(value, at);
  const edit: { -readonly [K in keyof JointEdit]: JointEdit[K] } = {
    name: textAt(fields.name, `${at}.name`),
  };
  for (const name of ['translation', 'scale'] as const)
    if (fields[name] !== undefined)
      edit[name] = numbersAt(fields[name], `${at}.${name}`, 3) as [number, number, number];
  for (const name of ['rotation', 'turn'] as const)
    if (fields[name] !== undefined)
      edit[name] = numbersAt(fields[name], `${at}.${name}`, 4) as [number, number, number, number];
  return edit;
}

/** Settings that are options are checked; others are kept, for the program that knows them, and warned of. */
function readSettings(value: unknown): Record<string, Plain> {
  const fields = fieldsOf(value, 'recipe.settings');
  const settings: Record<string, Plain> = {};
  for (const [name, setting] of Object.entries(fields)) {
    const at = `recipe.settings.${name}`;
    if (isNoSetting(name))
      throw new UsageError(`${at}: is no setting; it has a place of its own in a recipe, or none`);
    const option = optionOf(name);
    if (option) checkShape(option.shape, setting, at);
    Object.defineProperty(settings, name, {
      value: plainAt(setting, at),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  }
  return settings;
}

function recipeReferenceOf(choice: ReferenceChoice): RecipeReference {
  if (typeof choice === 'string') return { base: choice };
  if ('base' in choice) {
    const inner = recipeReferenceOf(choice.base);
    const edits = Array.isArray(choice.edits)
      ? (choice.edits as JointEdit[])
      : Object.entries(choice.edits as Record<string, [number, number, number, number]>).map(
          ([name, rotation]) => ({ name, rotation }),
        );
    return { base: inner.base, edits: [...(inner.edits ?? []), ...edits] };
  }
  if (!('pose' in choice)) return { base: { ...choice } };
  const { translations, rotations, scales } = choice.pose;
  return {
    base: { pose: { translations: [...translations], rotations: [...rotations], scales: [...scales] } },
  };
}

function choiceOf({ base, edits }: RecipeReference): ReferenceChoice {
  const choice = choiceOfBase(base);
  return edits && edits.length > 0 ? { base: choice, edits } : choice;
}

/** What a recipe's edits are made on, as `retarget` takes it. */
export function choiceOfBase(base: RecipeReference['base']): ReferenceChoice {
  if (typeof base !== 'object' || !('pose' in base)) return base;
  const { translations, rotations, scales } = base.pose;
  return {
    pose: {
      translations: Float64Array.from(translations),
      rotations: Float64Array.from(rotations),
      scales: Float64Array.from(scales),
    },
  };
}

/**
 * An entry of Babylon's animation retargeting data: `{ path, namingScheme, restPoseUpdate: [{ name, data:
 * { position?, scaling?, quaternion? } }] }`. Its vectors are local to nodes as the file has them, so they are
 * taken over as they stand, be they lists or objects.
 */
function readBabylonEntry(fields: Record<string, unknown>, side: 'source' | 'target'): Recipe {
  const at = 'recipe';
  const own: RecipeSide = {};
  if (fields.path !== undefined) own.file = textAt(fields.path, `${at}.path`);
  if (fields.namingScheme !== undefined)
    own.namingScheme = readNamingScheme(fields.namingScheme, `${at}.namingScheme`);
  const edits = listAt(fields.restPoseUpdate ?? [], `${at}.restPoseUpdate`).map((value, i): JointEdit => {
    const here = `${at}.restPoseUpdate[${i}]`;
    const entry = fieldsOf(value, here);
    const data = fieldsOf(entry.data, `${here}.data`);
    const vector = (name: string, axes: readonly string[]) =>
      data[name] === undefined || data[name] === null
        ? undefined
        : vectorOf(data[name], axes, `${here}.data.${name}`);
    const translation = vector('position', ['x', 'y', 'z']);
    const rotation = vector('quaternion', ['x', 'y', 'z', 'w']);
    const scale = vector('scaling', ['x', 'y', 'z']);
    return {
      name: textAt(entry.name, `${here}.name`),
      ...(translation && { translation: translation as [number, number, number] }),
      ...(rotation && { rotation: rotation as [number, number, number, number] }),
      ...(scale && { scale: scale as [number, number, number] }),
    };
  });
  return {
    version: RECIPE_VERSION,
    [side]: own,
    ...(edits.length > 0 && { references: { [side]: { base: 'rest', edits } } }),
  };
}

function vectorOf(value: unknown, axes: readonly string[], at: DataPath): number[] {
  if (Array.isArray(value)) return numbersAt(value, at, axes.length);
  const fields = fieldsOf(value, at);
  return axes.map((axis) => numberAt(fields[axis] ?? fields[`_${axis}`], `${at}.${axis}`));
}
