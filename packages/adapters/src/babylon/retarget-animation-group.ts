import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import {
  chooseCorrections,
  driverOf,
  type Report,
  RetargetError,
  type RetargetOptions,
  type RigMap,
  type RigMapDocument,
  type RootMotionTrack,
  repairKeys,
  retarget,
  type Setup,
  setUpScenes,
  type Track,
  UsageError,
} from '@stuntdouble/core/engine';
import { checkOptions } from './check-options.js';
import { KeysDiffer } from './fast/deferred-keys.js';
import { type KeyScratch, takeScratch } from './fast/key-scratch.js';
import { checkHierarchy, mapOfNames, type NamePairing, pairByNames } from './match-names.js';
import { type ToldMorphs, toldMorphsOf, writeMorphs } from './morphs.js';
import type { RetargetGroupOptions } from './options.js';
import { type Avatar, readAvatar, readSources, sceneOfGroup, showsWarnings } from './read/avatar.js';
import { type Body, sceneOf } from './read/body.js';
import { PROPERTIES, type ReadGroup, readGroup } from './read/read-group.js';
import { rootRules, warnOfDynamic } from './root-rules.js';
import { unlessPlain } from './unless-plain.js';
import { type BabylonWarning, tellWarnings } from './warnings.js';
import { carryByRoot } from './write/carry-by-root.js';
import { fixKeptKeys } from './write/fix-kept-keys.js';
import { createGroupLike, holdStill, writeTracks } from './write/write-group.js';

/** What a retargeted group carries as `metadata.stuntdouble`. */
export type GroupReport = {
  /** What the engine did; null where keys were only given to other nodes, or nothing but morphs moves. */
  report: Report | null;
  /** What was taken out of the group, where `rootMotion` is `apart` (W24). */
  rootMotion?: RootMotionTrack;
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
  options: RetargetGroupOptions | null = {},
): AnimationGroup {
  checkGroup('sourceAnimationGroup', sourceAnimationGroup);
  return retargetAnimationGroups(avatar, [sourceAnimationGroup], options)[0]!;
}

/**
 * Moves several animation groups onto an avatar, as {@link retargetAnimationGroup} does with one: bodies are read
 * once instead of once a group. Groups of one character share its reference pose. `animationGroupName` is given to each, so leave it out to keep their names.
 * @returns a new group for each, in order; where one fails, none is left in the scene.
 * @throws UsageError where an argument cannot be meant; RetargetError where two bodies have nothing in common.
 */
export function retargetAnimationGroups(
  avatar: Avatar,
  sourceAnimationGroups: readonly AnimationGroup[],
  given: RetargetGroupOptions | null = {},
): AnimationGroup[] {
  if (!Array.isArray(sourceAnimationGroups))
    throw new UsageError(
      `sourceAnimationGroups is ${String(sourceAnimationGroups)}; give a list of AnimationGroups`,
    );
  sourceAnimationGroups.forEach((group, n) => {
    checkGroup(`sourceAnimationGroups[${n}]`, group);
  });
  const options = given ?? {};
  const odd = checkOptions(options, 'group');
  try {
    return moveGroups(avatar, sourceAnimationGroups, options, odd, true);
  } catch (error) {
    if (!(error instanceof KeysDiffer)) throw error;
    return moveGroups(avatar, sourceAnimationGroups, options, odd, false);
  }
}

/** @param defer Whether keys that look plain may be read while they are moved. */
function moveGroups(
  avatar: Avatar,
  sourceAnimationGroups: readonly AnimationGroup[],
  options: RetargetGroupOptions,
  odd: readonly BabylonWarning[],
  defer: boolean,
): AnimationGroup[] {
  const target = readAvatar(avatar);
  const made: AnimationGroup[] = [];
  const scratch = takeScratch();
  try {
    for (const original of sourceAnimationGroups)
      made.push(createGroupLike(original, options.animationGroupName ?? original.name, target));
    const jobs = readJobs(sourceAnimationGroups, made, target, options, { defer, scratch });
    jobs[0]?.warnings.push(...odd);
    for (const source of new Set(jobs.map((job) => job.source))) {
      const moving = jobs.filter((job) => job.source === source && job.read.clip.tracks.length > 0);
      if (!source || moving.length === 0) continue;
      if (options.retargetAnimationKeys === false)
        for (const job of moving) renameTracks(job, source, target, options);
      else moveTracks(moving, source, target, options);
    }
    const told = new Map<string, BabylonWarning>();
    for (const job of jobs)
      for (const warning of finish(job, toldMorphsOf(avatar), target, options).warnings)
        told.set(`${warning.code} ${warning.message}`, warning);
    if (options.showWarnings ?? showsWarnings(avatar)) {
      const names = made.map(({ name }) => `"${name}"`).join(', ');
      const about = `retargetAnimationGroup, avatar "${target.name}", animation group ${names}`;
      tellWarnings(told.values(), about, options.onWarning);
    }
    return made;
  } catch (error) {
    // The scene knows of a group from its beginning: one that failed shall not stay in it.
    for (const group of made) group.dispose();
    throw error;
  } finally {
    scratch.giveBack();
  }
}

function checkGroup(argument: string, group: AnimationGroup): void {
  if (!Array.isArray(group?.targetedAnimations))
    throw new UsageError(`${argument} is ${String(group)}; give an AnimationGroup`);
}

/** One group on its way: what it was, what it becomes, and what is to be told of it. */
type Job = {
  original: AnimationGroup;
  group: AnimationGroup;
  read: ReadGroup;
  /** The body that the group moves; null where it moves morph targets alone. */
  source: Body | null;
  report: Report | null;
  rootMotion: RootMotionTrack | null;
  warnings: BabylonWarning[];
};

function readJobs(
  originals: readonly AnimationGroup[],
  made: readonly AnimationGroup[],
  target: Body,
  options: RetargetGroupOptions,
  how: { defer: boolean; scratch: KeyScratch },
): Job[] {
  const sources = readSources(originals, target);
  return originals.map((original, n) => {
    const source = sources[n]!;
    const warnings: BabylonWarning[] = [];
    const trust = options.stuntdouble?.trustKeys === true;
    const read = readGroup(original, source?.jointOf ?? new Map(), { ...how, trust }, warnings);
    if (read.clip.tracks.length === 0 && read.morphs.length === 0)
      warnings.push({
        code: 'clip-empty',
        message: `"${original.name}" moves no node, bone or morph target`,
      });
    return { original, group: made[n]!, read, source, report: null, rootMotion: null, warnings };
  });
}

/** Adds morphs, range and report to a group whose tracks are written. */
function finish(job: Job, toldMorphs: ToldMorphs, target: Body, options: RetargetGroupOptions): GroupReport {
  const { original, group, read, report, rootMotion, warnings } = job;
  const scene = sceneOfGroup(original) ?? target.scene;
  const { morphs: map, mirror = false, match } = options.stuntdouble ?? {};
  const rules = { map, mirror, told: toldMorphs, sameMeshOnly: match === 'names' };
  writeMorphs(group, read, scene, target, rules, warnings);
  const rate = original.targetedAnimations[0]?.animation.framePerSecond;
  const isOneRate = original.targetedAnimations.every(({ animation }) => animation.framePerSecond === rate);
  if (isOneRate && group.targetedAnimations.length > 0) {
    group.from = original.from;
    group.to = original.to;
  }
  const stuntdouble: GroupReport = {
    report,
    ...(rootMotion && { rootMotion }),
    warnings: [...(report?.warnings ?? []), ...warnings],
  };
  const kept: unknown = original.metadata;
  group.metadata = { ...(typeof kept === 'object' ? kept : {}), stuntdouble };
  return stuntdouble;
}

/** Keys as they are, for other nodes, root and ground fixed where asked: B9. */
function renameTracks(job: Job, source: Body, target: Body, options: RetargetGroupOptions): void {
  const { original, group, read, warnings } = job;
  const pairs = pairByNames(pairingOf(source, target, options, movedJoints(original, source)), warnings);
  const objectOf = new Map([...pairs].map(([joint, from]) => [from, target.objects[joint]]));
  const missing = new Set<number>();
  for (const { animation, target: node } of original.targetedAnimations) {
    const joint = source.jointOf.get(node);
    if (joint === undefined) continue;
    const object = objectOf.get(joint);
    if (object) group.addTargetedAnimation(animation.clone(true), object);
    else missing.add(joint);
  }
  warnOfLostJoints(missing, source, target, warnings);
  const { clip, firstFrame, frameRate } = read;
  const kept = {
    source,
    target,
    pairs,
    clip,
    timeOf: (frame: number, { framePerSecond }: Animation) => frame / framePerSecond - firstFrame / frameRate,
    positionOf: (joint: number) =>
      group.targetedAnimations.find(
        ({ target: object, animation }) =>
          object === target.objects[joint] && animation.targetProperty === PROPERTIES.translation,
      )?.animation,
  };
  fixKeptKeys(kept, options, warnings);
  if (options.fixGroundReferenceDynamicRefNode && !options.fixGroundReference) warnOfDynamic(warnings);
}

/** Says which animated joints have no counterpart, so that their animations are not in the result (B6). */
function warnOfLostJoints(
  joints: Iterable<number>,
  source: Body,
  target: Body,
  warnings: BabylonWarning[],
): void {
  for (const joint of joints) {
    const name = source.skeleton.names[joint]!;
    const message = `"${target.name}" has no bone for "${name}"; its animations were left out`;
    warnings.push({ code: 'bone-not-found', joint: name, message });
  }
}

/** Animated joints that drive nothing and that nothing which drives hangs on, which would carry their turns (X3). */
function lostJoints(moved: Iterable<number>, { skeleton }: Body, map: RigMap): number[] {
  const carries = new Uint8Array(skeleton.names.length);
  for (const { sources } of map.joints)
    for (const driver of sources)
      for (let at = driver; at >= 0 && !carries[at]; at = skeleton.parents[at]!) carries[at] = 1;
  return [...moved].filter((joint) => !carries[joint]);
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

/** Moves the groups of one body. Warnings that concern all stand with the first. */
function moveTracks(jobs: readonly Job[], source: Body, target: Body, options: RetargetGroupOptions): void {
  const { warnings } = jobs[0]!;
  const { match, trustKeys, ...ours } = options.stuntdouble ?? {};
  // Cleaning comes before root and ground, whatever the text says of "a final pass" (B19).
  const clips = jobs.map(({ read: { clip } }) => (options.fixAnimations ? repairKeys(clip).clip : clip));
  const from = sceneOf(source, clips);
  const onto = sceneOf(target);
  const settings: RetargetOptions = {
    measure: false,
    ...ours,
    corrections: chooseCorrections(ours, unlessPlain(options)),
  };
  const setUp = (map: RigMapDocument | undefined) =>
    setUpScenes(from, onto, { ...settings, ...(map && { map }) }).setup;
  let setup: Setup | null = null;
  const namesMatter = match === 'names' || (options.mapNodeNames?.size ?? 0) > 0;
  if (!settings.map && namesMatter) {
    setup = setUp(undefined);
    const moved = new Set(clips.flatMap(({ tracks }) => tracks.map(({ joint }) => joint)));
    const told = mapOfNames(setup, pairingOf(source, target, options, moved), match === 'names', warnings);
    if (told?.joints?.length === 0)
      throw new RetargetError(
        `no bone of "${target.name}" has the name of a node that "${source.name}" moves; give mapNodeNames`,
      );
    if (told) {
      settings.map = told;
      setup = null;
    }
  }
  if (options.checkHierarchy) {
    const pairing = { source, target, names: options.mapNodeNames ?? new Map<string, string>() };
    settings.map = checkHierarchy(setup ?? setUp(settings.map), pairing, warnings);
    setup = null;
  }
  const { rules, carrier } = rootRules(() => setup ?? setUp(settings.map), source, target, options, warnings);
  const result = retarget(from, onto, { ...rules, ...settings });
  const { map, clips: all, measures } = result.report;
  const moved = clips.flatMap(({ tracks }) => tracks.map(({ joint }) => joint));
  warnOfLostJoints(lostJoints(new Set(moved), source, map), source, target, warnings);
  /** By target joint. */
  const drivers = new Int32Array(target.objects.length).fill(-1);
  for (const pair of map.joints) drivers[pair.target] = driverOf(pair);
  jobs.forEach((job, n) => {
    const { group, read } = job;
    const moving = result.clips[n]!;
    job.report = {
      ...result.report,
      clips: all.slice(n, n + 1),
      measures: measures.slice(n, n + 1),
    };
    job.rootMotion = result.rootMotion?.[n] ?? null;
    if (carrier) carryByRoot(moving, clips[n]!, setUp(settings.map), carrier);
    if (ours.wholeBody) holdStill(target, map, moving);
    const { animations } = read;
    const { rotation, translation, scale } = animations;
    const any = rotation.find(Boolean) ?? translation.find(Boolean) ?? scale.find(Boolean);
    const likeOf = ({ joint, channel }: Track) => animations[channel][drivers[joint]!] ?? any;
    writeTracks(group, moving, target, read, likeOf, job.report.clips[0]!.way === 'copy');
  });
}
