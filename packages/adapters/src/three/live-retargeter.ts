import {
  copyPose,
  createPose,
  createRetargeter,
  type Pose,
  partNotes,
  type Retargeter,
  setUpScenes,
  type Warning,
} from '@stuntdouble/core/engine';
import type { AnimationClip, Object3D } from 'three';
import type { LiveCharacter } from '../shared/live-character.js';
import { type AnimatedObject, resolveObject } from './animated-object.js';
import { checkOptions } from './check-options.js';
import { copyMorphs, createMorphCopies, restoreMorphs } from './morph-copies.js';
import { readCurrentPose } from './read-character.js';
import {
  coreOptions,
  type DescribedObject,
  describeObject,
  type ThreeSetupOptions,
} from './retarget-clip.js';

/** What {@link createLiveRetargeter} may be told. */
export type LiveRetargeterOptions = Omit<ThreeSetupOptions, 'contacts' | 'keys'> & {
  /** Clips of the source: a capture's reference pose and up axis are found in them. Its own if left out. */
  clips?: readonly AnimationClip[];
  /** Whether morph weights and expressions of the same names are copied; they are if left out. */
  morphs?: boolean;
};

/** Makes one object move as another does, frame by frame. */
export type LiveRetargeter = LiveCharacter<Warning> & {
  /**
   * Reads the source's present pose and gives it to the target. Call it after the source's mixer and before
   * rendering; without corrections it allocates nothing.
   * @param seconds Time since the update before; only passes that remember need it.
   */
  update(seconds?: number): void;
  /** Gives the target back the pose it had before the first update. Nothing is updated from then on. */
  dispose(): void;
};

/**
 * Binds a target to a source that plays: every `update` poses the target as the source is posed now. The
 * source is only read, so one source may drive many targets; of the target only joints that are driven are
 * written, so that what others move (springs, props, hair) stays theirs. How the source stands when it is
 * bound plays no part, as in `retargetClip`.
 * @throws RetargetError where the two have nothing in common; UsageError where an argument is none.
 */
export function createLiveRetargeter(
  target: AnimatedObject,
  source: AnimatedObject,
  given: LiveRetargeterOptions | null = {},
): LiveRetargeter {
  return bindObjects(readObjects(target, source, given), given);
}

/** Two objects as they were read: what is bound again later, when they move, is bound by the same. */
export type ReadObjects = { from: DescribedObject; to: DescribedObject };

/** Reads a target and its source. @throws UsageError where an argument is none. */
export function readObjects(
  target: AnimatedObject,
  source: AnimatedObject,
  given: LiveRetargeterOptions | null,
): ReadObjects {
  const options = given ?? {};
  checkOptions(options);
  const { clips = [...resolveObject(source, 'source').clips] } = options;
  return {
    from: describeObject(source, 'source', clips, options.sourceVrmBones),
    to: describeObject(target, 'target', [], options.vrmBones),
  };
}

/** Binds objects that were read, by what only the entry for live alone tells besides. */
export function bindObjects(
  { from, to }: ReadObjects,
  given: LiveRetargeterOptions | null,
  how: Parameters<typeof setUpScenes>[3] = {},
): LiveRetargeter {
  const options = given ?? {};
  const { clips, morphs = true, ...rest } = options;
  const found = setUpScenes(from.scene, to.scene, coreOptions(rest, from.character, to.character), how);
  const { setup } = found;
  const { notes, warnings } = partNotes(found.warnings);
  const retargeter = createRetargeter(setup, options.passes ? { passes: options.passes } : {});
  const link = createLink(retargeter, from.character.objects, to.character.objects);
  const faces = morphs ? createMorphCopies(from, to) : null;
  if (options.onWarning) for (const warning of warnings) options.onWarning(warning);
  // Normalized bones are copied onto those that are seen by the VRM's own update: here, too, in case that it has been.
  const humanoid = to.isNormalized ? to.character.resolved.vrm!.humanoid : null;
  return {
    setup,
    notes,
    warnings,
    rootMotion: retargeter.rootMotion,
    update(seconds) {
      if (!link.isBound) return;
      updateLink(link, seconds);
      humanoid?.update?.();
      if (faces) copyMorphs(faces);
    },
    setChains: retargeter.setChains,
    reset() {
      retargeter.reset();
    },
    dispose() {
      if (!link.isBound) return;
      link.isBound = false;
      restoreLink(link);
      humanoid?.update?.();
      if (faces) restoreMorphs(faces);
    },
  };
}

/** A retargeter between the objects of two characters, with all the room that an update needs. */
type Link = {
  retargeter: Retargeter;
  sources: readonly Object3D[];
  targets: readonly Object3D[];
  /** Filled from the source's objects on every update. */
  sourcePose: Pose;
  /** What the target's objects had before the first update. */
  before: Pose;
  /** What the retargeter starts from: a joint that stays there is nobody's and is not written. */
  start: Pose;
  /** Per target joint whether it is written: from the beginning, or since a pass first moved it. */
  isWritten: Uint8Array;
  /** The same of its scale, which is its owner's until a pass changes it. */
  isScaled: Uint8Array;
  isBound: boolean;
};

function createLink(
  retargeter: Retargeter,
  sources: readonly Object3D[],
  targets: readonly Object3D[],
): Link {
  const { setup, pose } = retargeter;
  const isWritten = new Uint8Array(targets.length);
  for (const { target } of setup.map.joints) isWritten[target] = 1;
  const { rest } = setup.target.skeleton;
  // Limbs that were aligned by joints that nothing drives must stand as they were aligned.
  for (let j = 0; j < targets.length; j++)
    for (let c = 0; c < 4; c++)
      if (Math.abs(Math.abs(pose.rotations[4 * j + c]!) - Math.abs(rest.rotations[4 * j + c]!)) > 1e-5)
        isWritten[j] = 1;
  const before = createPose(targets.length);
  readCurrentPose(before, targets);
  return {
    retargeter,
    sources,
    targets,
    sourcePose: createPose(sources.length),
    before,
    start: copyPose(pose),
    isWritten,
    isScaled: new Uint8Array(targets.length),
    isBound: true,
  };
}

function updateLink(link: Link, seconds: number | undefined): void {
  const { retargeter, sources, targets, sourcePose, isWritten, isScaled } = link;
  readCurrentPose(sourcePose, sources);
  const pose = retargeter.update(sourcePose, seconds);
  for (let j = 0; j < targets.length; j++) {
    if (!isWritten[j]) {
      if (!hasMoved(pose, link.start, j)) continue;
      isWritten[j] = 1;
    }
    if (!isScaled[j] && isOther(pose.scales, link.start.scales, 3 * j, 3)) isScaled[j] = 1;
    writeObject(targets[j]!, pose, j, isScaled[j] === 1);
  }
}

function restoreLink({ targets, before, isWritten, isScaled }: Link): void {
  for (let j = 0; j < targets.length; j++)
    if (isWritten[j]) writeObject(targets[j]!, before, j, isScaled[j] === 1);
}

function hasMoved(pose: Pose, start: Pose, joint: number): boolean {
  return (
    isOther(pose.rotations, start.rotations, 4 * joint, 4) ||
    isOther(pose.translations, start.translations, 3 * joint, 3) ||
    isOther(pose.scales, start.scales, 3 * joint, 3)
  );
}

function isOther(a: Float64Array, b: Float64Array, at: number, size: number): boolean {
  for (let c = at; c < at + size; c++) if (a[c] !== b[c]) return true;
  return false;
}

function writeObject(
  object: Object3D,
  { translations, rotations, scales }: Pose,
  joint: number,
  isScaled: boolean,
): void {
  const t = 3 * joint;
  const r = 4 * joint;
  // From arrays: numbers that are handed to a method may be made on the heap.
  object.position.fromArray(translations, t);
  const { quaternion } = object;
  // three computes Euler angles whenever a quaternion is set: as long as all the rest of the update.
  if (
    quaternion.x !== rotations[r] ||
    quaternion.y !== rotations[r + 1] ||
    quaternion.z !== rotations[r + 2] ||
    quaternion.w !== rotations[r + 3]
  )
    quaternion.fromArray(rotations, r);
  if (isScaled) object.scale.fromArray(scales, t);
  if (!object.matrixAutoUpdate) object.updateMatrix();
}
