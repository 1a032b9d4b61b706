import {
  type Clip,
  chooseCorrections,
  createPose,
  type Pose,
  type ReferenceChoice,
  type Report,
  type RetargetOptions,
  type RigMapDocument,
  type RootMotionTrack,
  retarget,
  type Scene,
  type setUpScenes,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { AnimationClip } from 'three';
import { type AnimatedObject, resolveObject } from './animated-object.js';
import { checkOptions } from './check-options.js';
import { holdStandingPose } from './hold-standing-pose.js';
import { findMorphMeshes, type MorphMesh } from './morph-meshes.js';
import { type ObjectCharacter, readCurrentPose, recallCharacter } from './read-character.js';
import { animatedObjects, createTrackResolver, readClip } from './read-clip.js';
import { type SkeletonUtilsOptions, takeSkeletonUtilsOptions } from './skeleton-utils-options.js';
import { chooseVrmBones } from './vrm-bones.js';
import { createTrackNamer, writeClip } from './write-clip.js';

/** Options of core that have another meaning here, or none: an object is one character. */
type Replaced =
  | 'clips'
  | 'sourceSkeleton'
  | 'targetSkeleton'
  | 'sourceReference'
  | 'targetReference'
  | 'mapIsTold';

/**
 * What both ways to retarget in three.js may be told; everything has a default that needs no set-up. Feet and hands are
 * held, as everywhere: `corrections: 'none'` copies turns and root alone.
 */
export type ThreeSetupOptions = Omit<NonNullable<Parameters<typeof setUpScenes>[2]>, Replaced> &
  Pick<RetargetOptions, 'passes'> &
  SkeletonUtilsOptions & {
    /** The whole map by names: each target joint and the source joint that drives it, as three's `names`. */
    names?: Readonly<Record<string, string>>;
    /** Which pose turns are counted from; `current` is the one that the objects have now. */
    sourceReference?: ReferenceChoice | 'current';
    targetReference?: ReferenceChoice | 'current';
    /**
     * Which skeleton of a target that is a VRM. If left out, the one that is seen: the normalized one while
     * `vrm.humanoid.autoUpdateHumanBones` is on, since `vrm.update()` writes it over the other; else the raw one.
     */
    vrmBones?: 'raw' | 'normalized';
    /**
     * Which skeleton of a source that is a VRM. If left out, the one that the clips move; without clips the normalized
     * one while `autoUpdateHumanBones` is on.
     */
    sourceVrmBones?: 'raw' | 'normalized';
    /** Called once per warning; the report, or the live retargeter, has all of them too. */
    onWarning?: (warning: Warning) => void;
  };

/** What {@link retargetClip} may be told: all that the engine may, in three's terms. */
export type RetargetClipOptions = ThreeSetupOptions & Omit<RetargetOptions, Replaced>;

/**
 * Moves a clip of three's from the object it was made for onto another: the result plays on `target` as it
 * stands, by a mixer made for `target` itself (its `scene`, or the first of its bones, where it is a file).
 * Neither object is changed, and neither's place, turn, scale or present pose shows in the result.
 * The mixer of a skinned mesh, whose bones hang beside it, finds them too.
 * @throws RetargetError where the two have nothing in common; UsageError where an argument is none.
 */
export function retargetClip(
  target: AnimatedObject,
  source: AnimatedObject,
  clip: AnimationClip,
  options: RetargetClipOptions | null = {},
): AnimationClip {
  return moveClips(target, source, [clip], options, false).clips[0]!;
}

/**
 * Moves several clips at once, which reads both characters only once, and gives the report besides:
 * map, choices with reasons, warnings, and measures where `measure` is set; and per clip what was taken out of it,
 * where `rootMotion` is `apart`.
 */
export function retargetClips(
  target: AnimatedObject,
  source: AnimatedObject,
  clips: readonly AnimationClip[],
  given: RetargetClipOptions | null = {},
): MovedClips {
  return moveClips(target, source, clips, given, true);
}

type MovedClips = { clips: AnimationClip[]; rootMotion?: (RootMotionTrack | null)[]; report: Report };

function moveClips(
  target: AnimatedObject,
  source: AnimatedObject,
  clips: readonly AnimationClip[],
  given: RetargetClipOptions | null,
  isReported: boolean,
): MovedClips {
  if (!Array.isArray(clips))
    throw new UsageError(`clips is ${String(clips)}; a list of AnimationClips is needed`);
  for (const clip of clips)
    if (!(clip instanceof AnimationClip) && !Array.isArray((clip as { tracks?: unknown } | null)?.tracks))
      throw new UsageError(`clip is ${String(clip)}; an AnimationClip is needed`);
  const options = given ?? {};
  checkOptions(options);
  const from = describeObject(source, 'source', clips, options.sourceVrmBones);
  const to = describeObject(target, 'target', [], options.vrmBones);
  if (from.clips.length === 0) throw new UsageError('clips is empty; at least one AnimationClip is needed');
  refuseForeign(clips, from);
  const told = { measure: false, ...coreOptions(options, from.character, to.character) };
  const result = retarget(from.scene, to.scene, told, isReported);
  if (options.onWarning) for (const warning of result.report.warnings) options.onWarning(warning);
  const nameOf = createTrackNamer(to.character.resolved);
  return {
    clips: result.clips.map((clip) => {
      if (options.wholeBody) holdStandingPose(clip, to.character);
      return writeClip(clip, to.character, to.morphMeshes, nameOf);
    }),
    ...(result.rootMotion && { rootMotion: result.rootMotion }),
    report: result.report,
  };
}

/**
 * Clips that move nothing of their source are another object's: target and source exchanged, mostly. Where some of
 * several do, the others are told of in the report.
 */
function refuseForeign(clips: readonly AnimationClip[], { clips: read, character }: DescribedObject): void {
  const isOwn = ({ tracks }: AnimationClip, n: number) =>
    tracks.length === 0 || read[n]!.tracks.length > 0 || read[n]!.morphs.length > 0;
  if (clips.some(isOwn)) return;
  const { name, tracks } = clips[0]!;
  throw new UsageError(
    `clip "${name}" moves nothing of the source "${character.resolved.root.name}" (it moves "${tracks[0]!.name}"); was it made for another object, or are target and source exchanged? The target comes first`,
  );
}

/** A character as core's functions take it, with its way back. */
export type DescribedObject = {
  scene: Scene;
  character: ObjectCharacter;
  morphMeshes: MorphMesh[];
  clips: Clip[];
  /** Whether its joints are the normalized ones of a VRM. */
  isNormalized: boolean;
};

/** Reads an object and clips for it into a scene of core's. */
export function describeObject(
  object: AnimatedObject,
  argument: 'target' | 'source',
  clips: readonly AnimationClip[],
  told?: 'raw' | 'normalized',
): DescribedObject {
  const resolved = resolveObject(object, argument);
  const resolve = createTrackResolver(resolved);
  const animated = animatedObjects(resolve, clips);
  const vrmBones = told ?? chooseVrmBones(resolved.vrm, animated);
  const character = recallCharacter(object, argument, { vrmBones, animated });
  const { root, vrm } = character.resolved;
  const morphMeshes = findMorphMeshes(root, vrm);
  const warnings: Warning[] = [];
  const read = clips.map((clip) => {
    const one = readClip(clip, character.resolved, resolve, character.jointOf, morphMeshes);
    warnings.push(...one.warnings);
    return one.clip;
  });
  const scene: Scene = {
    format: 'gltf',
    // Two objects are never one file: morphs are matched, not taken over.
    name: `${root.name || argument} (${argument})`,
    characters: [{ skeleton: character.skeleton, clips: read }],
    morphs: morphMeshes.map(({ name, morphs }) => ({ mesh: name, names: morphs })),
    document: null,
    warnings,
  };
  return { scene, character, morphMeshes, clips: read, isNormalized: vrmBones === 'normalized' };
}

/** The options of core that the adapter's stand for. */
export function coreOptions(
  options: RetargetClipOptions,
  source: ObjectCharacter,
  target: ObjectCharacter,
): RetargetOptions {
  const { others, names: asked, told } = takeSkeletonUtilsOptions(options, target.objects);
  const { sourceReference, targetReference, vrmBones, sourceVrmBones, onWarning, ...rest } = others;
  const { names = asked, map = told.map, ...engine } = rest;
  if (names && map?.joints) throw new UsageError('names and map are given: choose one');
  const document: RigMapDocument | undefined = names
    ? {
        version: 1,
        ...map,
        joints: Object.entries(names).map(([joint, driver]) => ({ target: joint, sources: [driver] })),
      }
    : map;
  return {
    ...told,
    ...engine,
    corrections: chooseCorrections(engine),
    ...(document && { map: document }),
    ...(sourceReference && { sourceReference: choiceOf(sourceReference, source) }),
    ...(targetReference && { targetReference: choiceOf(targetReference, target) }),
  };
}

function choiceOf(choice: ReferenceChoice | 'current', { objects }: ObjectCharacter): ReferenceChoice {
  if (choice !== 'current') return choice;
  const pose: Pose = createPose(objects.length);
  readCurrentPose(pose, objects);
  return { pose };
}
