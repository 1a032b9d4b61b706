import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import {
  driverOf,
  type Report,
  type RetargetOptions,
  type RigMapDocument,
  repairKeys,
  retarget,
  type Setup,
  setUpScenes,
  type Track,
  UsageError,
} from '@stuntdouble/core';
import { type Avatar, readAvatar, readSource, showsWarnings } from './avatar.js';
import { type Body, sceneOf } from './body.js';
import { checkHierarchy, mapOfNames, type NamePairing, pairByNames } from './match-names.js';
import { writeMorphs } from './morphs.js';
import { type ReadGroup, readGroup } from './read-group.js';
import { rootRules } from './root-rules.js';
import type { BabylonWarning } from './warnings.js';
import { createGroupLike, holdStill, writeTracks } from './write-group.js';

/** What is ours, beside Babylon's own options. */
export type StuntdoubleOptions = Omit<
  RetargetOptions,
  'clips' | 'sourceSkeleton' | 'targetSkeleton' | 'range' | 'speed' | 'mapIsTold'
> & {
  /**
   * `auto` finds who drives whom by body parts, `mapNodeNames` having the last word; `names` pairs by names
   * alone, as Babylon.js does. `auto` if left out.
   */
  match?: 'auto' | 'names';
};

/** Babylon's options for retargeting a group, by their own names and with their defaults, and ours. */
export type RetargetGroupOptions = IRetargetOptions & {
  /** Whether `onWarning` is called; the avatar's `showWarnings` if left out, which is true by default. */
  showWarnings?: boolean;
  /** Called once per warning. All of them are also in `metadata.stuntdouble` of the result. */
  onWarning?: (warning: BabylonWarning) => void;
  stuntdouble?: StuntdoubleOptions;
};

/** What a retargeted group carries as `metadata.stuntdouble`. */
export type GroupReport = {
  /** What the engine did; null where keys were only given to other nodes, or nothing but morphs moves. */
  report: Report | null;
  warnings: BabylonWarning[];
};

/**
 * Moves an animation group onto an avatar and gives a new group: Babylon's
 * `AnimatorAvatar.retargetAnimationGroup` with the avatar as first argument. Neither the group nor the avatar is
 * touched, whatever plays on them (B2, B17); rest and bind poses are the references, never the transforms of the
 * moment (B18); where the avatar stands, and how it is turned or scaled, does not matter.
 * @returns the group; its `metadata.stuntdouble` holds the report and every warning.
 * @throws UsageError where an argument cannot be meant; RetargetError where the two bodies have nothing in common.
 */
export function retargetAnimationGroup(
  avatar: Avatar,
  sourceAnimationGroup: AnimationGroup,
  options: RetargetGroupOptions = {},
): AnimationGroup {
  if (!Array.isArray(sourceAnimationGroup?.targetedAnimations))
    throw new UsageError(`sourceAnimationGroup is ${String(sourceAnimationGroup)}; give an AnimationGroup`);
  const warnings: BabylonWarning[] = [];
  const target = readAvatar(avatar);
  const group = createGroupLike(
    sourceAnimationGroup,
    options.animationGroupName ?? sourceAnimationGroup.name,
    target,
  );
  try {
    const moved = moveGroup(group, sourceAnimationGroup, target, options, warnings);
    const kept: unknown = sourceAnimationGroup.metadata;
    const stuntdouble: GroupReport = { report: moved, warnings: [...(moved?.warnings ?? []), ...warnings] };
    group.metadata = { ...(typeof kept === 'object' ? kept : {}), stuntdouble };
    if (options.showWarnings ?? showsWarnings(avatar))
      for (const warning of stuntdouble.warnings) options.onWarning?.(warning);
    return group;
  } catch (error) {
    // The scene knows of a group from its beginning: one that failed shall not stay in it.
    group.dispose();
    throw error;
  }
}

function moveGroup(
  group: AnimationGroup,
  original: AnimationGroup,
  target: Body,
  options: RetargetGroupOptions,
  warnings: BabylonWarning[],
): Report | null {
  const keepsRange = () => {
    const rates = new Set(original.targetedAnimations.map(({ animation }) => animation.framePerSecond));
    if (rates.size > 1 || group.targetedAnimations.length === 0) return;
    group.from = original.from;
    group.to = original.to;
  };
  const movesBody = original.targetedAnimations.some(
    ({ animation }) => animation.targetProperty !== 'influence',
  );
  const source = movesBody ? sourceOf(original, target) : null;
  const read = readGroup(original, source?.jointOf ?? new Map(), warnings);
  let report: Report | null = null;
  if (source && read.clip.tracks.length > 0)
    report =
      options.retargetAnimationKeys === false
        ? renameTracks(group, original, source, target, options, warnings)
        : moveTracks(group, read, source, target, options, warnings);
  else if (read.morphs.length === 0)
    warnings.push({ code: 'clip-empty', message: `"${original.name}" moves no node, bone or morph target` });
  writeMorphs(group, read, original.getScene() ?? target.scene, target, warnings);
  keepsRange();
  return report;
}

function sourceOf(group: AnimationGroup, target: Body): Body | null {
  const body = group.targetedAnimations.some(({ animation }) =>
    ['position', 'rotationQuaternion', 'rotation', 'scaling', '_matrix'].includes(animation.targetProperty),
  );
  return body ? readSource(group, target) : null;
}

/** Keys as they are, for other nodes: B9. */
function renameTracks(
  group: AnimationGroup,
  original: AnimationGroup,
  source: Body,
  target: Body,
  options: RetargetGroupOptions,
  warnings: BabylonWarning[],
): null {
  const pairs = pairByNames(pairingOf(source, target, options, movedJoints(original, source)), warnings);
  const objectOf = new Map([...pairs].map(([joint, from]) => [from, target.objects[joint]]));
  const missing = new Set<string>();
  for (const { animation, target: node } of original.targetedAnimations) {
    const joint = source.jointOf.get(node);
    if (joint === undefined) continue;
    const object = objectOf.get(joint);
    if (object) group.addTargetedAnimation(animation.clone(true), object);
    else missing.add(source.skeleton.names[joint]!);
  }
  for (const name of missing)
    warnings.push({
      code: 'node-not-found',
      joint: name,
      message: `the avatar has no bone for "${name}"; its animations were left out`,
    });
  if (options.fixGroundReference)
    warnings.push({
      code: 'option-without-effect',
      message: 'fixGroundReference has no effect without retargetAnimationKeys',
    });
  return null;
}

function movedJoints(group: AnimationGroup, source: Body): Set<number> {
  const moved = new Set<number>();
  for (const { target } of group.targetedAnimations) {
    const joint = source.jointOf.get(target);
    if (joint !== undefined) moved.add(joint);
  }
  return moved;
}

function pairingOf(
  source: Body,
  target: Body,
  { mapNodeNames }: RetargetGroupOptions,
  moved: ReadonlySet<number>,
): NamePairing {
  return { source, target, names: mapNodeNames ?? new Map(), moved };
}

function moveTracks(
  group: AnimationGroup,
  read: ReadGroup,
  source: Body,
  target: Body,
  options: RetargetGroupOptions,
  warnings: BabylonWarning[],
): Report {
  const { match, ...ours } = options.stuntdouble ?? {};
  // Cleaning comes before root and ground, whatever the text says of "a final pass" (B19).
  const clip = options.fixAnimations ? repairKeys(read.clip).clip : read.clip;
  const from = sceneOf(source, clip);
  const onto = sceneOf(target);
  const settings: RetargetOptions = { measure: false, ...ours };
  const moved = new Set(read.clip.tracks.map(({ joint }) => joint));
  const setUp = (map: RigMapDocument | undefined) =>
    setUpScenes(from, onto, { ...settings, ...(map && { map }) }).setup;
  let setup: Setup | null = null;
  const namesMatter = match === 'names' || (options.mapNodeNames?.size ?? 0) > 0;
  if (!settings.map && namesMatter) {
    setup = setUp(undefined);
    const told = mapOfNames(setup, pairingOf(source, target, options, moved), match === 'names', warnings);
    if (told) {
      settings.map = told;
      setup = null;
    }
  }
  if (options.checkHierarchy) {
    settings.map = checkHierarchy(setup ?? setUp(settings.map), warnings);
    setup = null;
  }
  const rules = rootRules(() => setup ?? setUp(settings.map), source, target, options, warnings);
  const result = retarget(from, onto, { ...rules, ...settings });
  const moving = result.clips[0]!;
  const { map } = result.report;
  holdStill(target, map, moving);
  const animations = new Map<string, Animation>();
  for (const track of read.clip.tracks)
    animations.set(`${track.joint} ${track.channel}`, read.animationOf.get(track)!);
  const driverByTarget = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
  const first = group.targetedAnimations[0]?.animation ?? read.animationOf.values().next().value;
  const likeOf = ({ joint, channel }: Track) =>
    animations.get(`${driverByTarget.get(joint)} ${channel}`) ?? first;
  writeTracks(group, moving, target, read, likeOf);
  return result.report;
}
