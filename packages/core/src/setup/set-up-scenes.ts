import { copyData } from '../base/copy-data.js';
import { RetargetError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import { rolesOfScheme } from '../body/names/naming-schemes.js';
import type { ReferenceChoice } from '../body/reference.js';
import type { Rig, RigOptions } from '../body/rig.js';
import type { SpaceTold } from '../body/rig-space.js';
import { chooseCharacter } from '../body/understand/create-rig.js';
import { copyRig, type KnownRig, knownRig } from '../body/understand/known-rigs.js';
import { clipsToUnderstand, familyMembers, isSameFamily } from '../body/understand/skeleton-family.js';
import { mirrorKnownScene } from '../clips/mirror-scene.js';
import { createRigMap, rolesOfDocument } from '../map/create-rig-map.js';
import type { RigMap } from '../map/rig-map.js';
import { checkRetargetOptions } from '../options/check-options.js';
import type { CorrectionsChoice } from '../options/choose-corrections.js';
import type { CHAIN_OPTIONS } from '../options/lists/chain-options.js';
import { UNIT_METRES } from '../options/lists/choice-options.js';
import type { SetupOptions } from '../options/setup-options.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Setup } from '../passes/pass.js';
import { checkScene } from '../scene/check-scene.js';
import type { Scene } from '../scene/scene.js';
import type { Skeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';
import { checkChainOptions, rulesOf, withArmature } from './chains-told.js';
import { createSetup } from './create-setup.js';
import { findIdleMapRules, findIdleMembers } from './idle-chains.js';
import { knownMap, knownSetup } from './known-setups.js';

/** What {@link setUpScenes} may be told: what a setup may, and what says which skeletons, references and map are meant. */
export type SetUpOptions = SetupOptions &
  Pick<
    RetargetOptions,
    | keyof CorrectionsChoice
    | 'map'
    | keyof typeof CHAIN_OPTIONS
    | 'sourceReference'
    | 'targetReference'
    | 'sourceSkeleton'
    | 'targetSkeleton'
    | 'sourceNaming'
    | 'targetNaming'
    | 'sourceFamily'
    | SpaceOption
  >;

/** Options that say how a file's space is read. */
type SpaceOption = `${'source' | 'target'}${'Up' | 'Facing' | 'Unit' | 'Floor'}`;

/** How scenes are understood beside what is told of them. */
type HowUnderstood = Pick<RigOptions, 'weighsShape'> & {
  /**
   * Whether a capture on both sides that has one skeleton is understood once, by the source's clips: of a motion and
   * what became of it the one must not stand elsewhere than the other.
   */
  sharesFamily?: boolean;
};

/** Two scenes set up: the setup, which character of each it is for, and what is to be told. */
export type ScenesSetup = { setup: Setup; sourceIndex: number; targetIndex: number; warnings: Warning[] };

/** A setup as it is remembered, and the rigs it was made of with what was said of them this time. */
export type KnownScenes = ScenesSetup & { source: KnownRig; target: KnownRig };

/**
 * Both rigs of two scenes, understood and compiled: what `retarget` makes first, and what `createRetargeter` and
 * `createRetargetedBind` take.
 * @throws UsageError where an option cannot be meant or does not fit the files.
 */
export function setUpScenes(
  source: Scene,
  target: Scene,
  options: SetUpOptions = {},
  how: Pick<RigOptions, 'weighsShape'> & { sharesFamily?: boolean } = {},
): ScenesSetup {
  checkRetargetOptions(options);
  checkScene(source, 'source', () => false);
  checkScene(target, 'target', () => false);
  const known = understandScenes(source, target, options, how);
  const { sourceIndex, targetIndex } = known;
  const setup = createSetup(
    copyRig(known.source, source.characters[sourceIndex]!.skeleton),
    copyRig(known.target, target.characters[targetIndex]!.skeleton),
    copyData(known.map),
    options,
  );
  return { setup, sourceIndex, targetIndex, warnings: copyData([...known.warnings, ...setup.warnings]) };
}

/** {@link setUpScenes} as it is remembered, of scenes that were checked: the setup is to be read, never changed. */
export function setUpKnown(
  source: Scene,
  target: Scene,
  options: SetUpOptions,
  how?: HowUnderstood,
): KnownScenes {
  const known = understandScenes(source, target, options, how);
  const setup = knownSetup(known.source.rig, known.target.rig, known.map, options);
  return { ...known, setup, warnings: copyData([...known.warnings, ...setup.warnings]) };
}

/** Two characters understood, and who drives whom between them. */
export type UnderstoodScenes = {
  source: KnownRig;
  target: KnownRig;
  map: RigMap;
  sourceIndex: number;
  targetIndex: number;
  warnings: readonly Warning[];
};

/** What is known of the characters of two scenes, where something drives something: to be read, never changed. */
function understandScenes(
  source: Scene,
  target: Scene,
  options: SetUpOptions,
  how?: HowUnderstood,
): UnderstoodScenes {
  const known = mapCharacters(source, target, options, how);
  const lost = known.warnings.find(({ code }) => code === 'map-entry-ignored');
  if (known.map.joints.length > 0) return known;
  if (options.map?.joints)
    throw new RetargetError(
      `the map drives no joint of "${target.name}"${lost ? `: ${lost.message}` : ', since it holds no entries'}`,
    );
  throw new RetargetError(
    `no joint of "${source.name}" could be matched with one of "${target.name}": ${describeRoles(known.source.rig)} in the first, ${describeRoles(known.target.rig)} in the second; give a map`,
  );
}

/** Finds who drives whom between the characters of two scenes, be it nobody: to be read, never changed. */
export function mapCharacters(
  source: Scene,
  target: Scene,
  options: SetUpOptions,
  { sharesFamily = false, ...how }: HowUnderstood = {},
): UnderstoodScenes {
  checkChainOptions(options);
  const from = chooseCharacter(source, options.sourceSkeleton);
  const to = chooseCharacter(target, options.targetSkeleton);
  const rigOf = (
    scene: Scene,
    character: number,
    side: 'source' | 'target',
    reference?: ReferenceChoice,
  ): KnownRig => {
    const chosen = scene.characters[character]!;
    const { skeleton, clips: all } = chosen;
    const naming = side === 'source' ? options.sourceNaming : options.targetNaming;
    const roles = {
      ...(naming !== undefined && rolesOfScheme(naming, skeleton, `${side}Naming`)),
      ...(options.map && rolesOfDocument(options.map, skeleton, side)),
    };
    // A capture that was written for its skeleton alone has a frame at the origin, which is no place to stand.
    const isPlain = reference === undefined || reference === 'auto' || reference === 'rest';
    const isBare =
      side === 'target' &&
      skeleton.declared.capture &&
      isPlain &&
      all.every(({ tracks }) => tracks.every(isStill));
    const body = source.characters[from.character]!.skeleton;
    const isOneCapture =
      sharesFamily &&
      isPlain &&
      skeleton.declared.capture &&
      body !== skeleton &&
      isSameFamily(body, skeleton);
    const family = side === 'source' || isOneCapture ? options.sourceFamily : undefined;
    const relatives = family ?? (isOneCapture ? source : undefined);
    const clips = isBare ? [] : clipsToUnderstand(chosen, familyAsSeen(skeleton, relatives), reference);
    const space = spaceTold(side, options);
    return knownRig(skeleton, { clips, roles, space, ...how, ...(reference !== undefined && { reference }) });
  };
  const found = {
    source: rigOf(source, from.character, 'source', options.sourceReference),
    target: rigOf(target, to.character, 'target', options.targetReference),
  };
  const sourceRig = withArmature(found.source, options.sourceArmature, options.branches);
  const targetRig = withArmature(found.target, options.targetArmature, options.branches);
  const rules = rulesOf(options);
  const { map, warnings } = knownMap(sourceRig.rig, targetRig.rig, options.map, rules);
  const idle = findIdleMapRules(
    map,
    options,
    (told) =>
      knownMap(
        told.sourceArmature || told.branches ? sourceRig.rig : found.source.rig,
        told.targetArmature || told.branches ? targetRig.rig : found.target.rig,
        options.map,
        rulesOf(told),
      ).map,
  );
  const idleMembers = findIdleMembers(
    options,
    { source: sourceRig.rig, target: targetRig.rig },
    map,
    (onto) => createRigMap(sourceRig.rig, onto, options.map, rules).map,
  );
  return {
    source: sourceRig,
    target: targetRig,
    map,
    sourceIndex: from.character,
    targetIndex: to.character,
    warnings: [
      ...source.warnings,
      ...target.warnings,
      ...from.warnings,
      ...to.warnings,
      ...wordsAboutBodies(sourceRig, targetRig),
      ...sourceRig.told,
      ...targetRig.told,
      ...warnings,
      ...idle,
      ...idleMembers,
    ],
  };
}

/** What is told of both bodies. That neither is a person's is a doubt about one of them, and none where both are animals. */
function wordsAboutBodies(source: KnownRig, target: KnownRig): Warning[] {
  const all = [...source.words.warnings, ...target.words.warnings];
  const areAnimals = [source, target].every(({ words }) =>
    words.warnings.some(({ code }) => code === 'not-human'),
  );
  if (!areAnimals) return all;
  const names = [source, target].map(({ rig }) => `"${rig.skeleton.name}"`);
  const message = `${names.join(' and ')} are built as animals: limbs, trunk and tail of the one move those of the other, chain by chain.`;
  return [...all.filter(({ code }) => code !== 'not-human'), { code: 'animals-matched', message }];
}

/** The family of a source as it is to be seen: in a mirror, where the source is. */
export function familyAsSeen(
  skeleton: Skeleton,
  family: Scene | readonly Scene[] | undefined,
): Scene | readonly Scene[] | undefined {
  if (family === undefined || familyMembers(skeleton, family).length > 0) return family;
  const list: readonly Scene[] = Array.isArray(family) ? family : [family as Scene];
  return list.map(mirrorKnownScene);
}

/** What is told of one side's space, as understanding a rig takes it. */
export function spaceTold(side: 'source' | 'target', options: Pick<RetargetOptions, SpaceOption>): SpaceTold {
  const [up, facing] = [options[`${side}Up`], options[`${side}Facing`]];
  const [unit, floor] = [options[`${side}Unit`], options[`${side}Floor`]];
  return {
    ...(up !== undefined && { up }),
    ...(facing !== undefined && { facing }),
    ...(unit !== undefined && { unit: typeof unit === 'number' ? unit : UNIT_METRES[unit] }),
    ...(floor !== undefined && { floor }),
  };
}

function describeRoles(rig: Rig): string {
  const count = Object.keys(rig.joints).length;
  return count === 0 ? 'no body part was recognised' : `${count} body parts were recognised`;
}
