import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import {
  chooseCorrections,
  copyPose,
  createRetargeter,
  type Note,
  type PassName,
  type Pose,
  partNotes,
  type Setup,
  setUpScenes,
} from '@stuntdouble/core/engine';
import type { LiveCharacter } from '../shared/live-character.js';
import { checkOptions } from './check-options.js';
import { mapOfNames } from './match-names.js';
import { copyMorphs, createMorphCopies, restoreMorphs } from './morphs.js';
import type { LiveRetargeterOptions } from './options.js';
import { type Avatar, readAvatar, showsWarnings } from './read/avatar.js';
import { type Body, sceneOf } from './read/body.js';
import { isBone, type LocalTransform, type Placed } from './read/rest-memory.js';
import { rootRules } from './root-rules.js';
import { unlessPlain } from './unless-plain.js';
import { type BabylonWarning, tellWarnings } from './warnings.js';

type SetUpHow = Parameters<typeof setUpScenes>[3];

/** An avatar that follows another body, frame by frame. */
export type LiveRetargeter = LiveCharacter<BabylonWarning> & {
  /**
   * Poses the avatar as the source stands now. Call it once a frame, after the source's animations:
   * `scene.onAfterAnimationsObservable` is the place; without corrections it allocates nothing.
   * @param seconds Time since the update before; the scene's own where left out.
   */
  update(seconds?: number): void;
  /** Lets go of the avatar, which gets back the transforms that it had. */
  dispose(): void;
};

/**
 * Makes an avatar follow a body that something else moves: animations, physics, a capture. The source is read and
 * never written, and several avatars may follow one.
 * @throws UsageError where an argument cannot be meant; RetargetError where the two have nothing in common.
 */
export function createLiveRetargeter(
  avatar: Avatar,
  source: Avatar,
  given: LiveRetargeterOptions | null = {},
): LiveRetargeter {
  return bindAvatar(readAvatars(avatar, source, given), given);
}

/** Two bodies as they were read: what is bound again later, when they move, is bound by the same. */
export type ReadAvatars = { avatar: Avatar; target: Body; from: Body };

/** Reads an avatar and its source. @throws UsageError where an argument cannot be meant. */
export function readAvatars(
  avatar: Avatar,
  source: Avatar,
  given: LiveRetargeterOptions | null,
): ReadAvatars {
  checkOptions(given ?? {}, 'live');
  return { avatar, target: readAvatar(avatar), from: readAvatar(source, 'source') };
}

/** Binds bodies that were read, by what only the entry for live alone tells besides. */
export function bindAvatar(
  { avatar, target, from }: ReadAvatars,
  given: LiveRetargeterOptions | null,
  how: SetUpHow = {},
): LiveRetargeter {
  const options = given ?? {};
  const warnings = checkOptions(options, 'live');
  const { setup, passes, notes } = compile(from, target, options, warnings, how);
  const retargeter = createRetargeter(setup, passes ? { passes } : {});
  const reading: Reading = { objects: from.objects, pose: copyPose(setup.source.skeleton.rest) };
  const writing = createWriting(target, setup);
  const faces =
    options.copyMorphs === false ? null : createMorphCopies(from, target, options.stuntdouble?.morphs);
  if (options.showWarnings ?? showsWarnings(avatar))
    tellWarnings(warnings, `createLiveRetargeter, avatar "${target.name}"`, options.onWarning);
  let isDisposed = false;
  return {
    setup,
    notes,
    warnings,
    rootMotion: retargeter.rootMotion,
    update(seconds) {
      if (isDisposed) return;
      readPose(reading);
      const elapsed = seconds ?? target.scene.getEngine().getDeltaTime() / 1000;
      writePose(writing, retargeter.update(reading.pose, elapsed));
      if (faces) copyMorphs(faces);
    },
    setChains: retargeter.setChains,
    reset: () => retargeter.reset(),
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      giveBack(writing);
      if (faces) restoreMorphs(faces);
    },
  };
}

function compile(
  from: Body,
  target: Body,
  options: LiveRetargeterOptions,
  warnings: BabylonWarning[],
  how: SetUpHow,
): { setup: Setup; notes: Note[]; passes: readonly PassName[] | undefined } {
  const { match, passes, ...told } = options.stuntdouble ?? {};
  const ours = { ...told, corrections: chooseCorrections(told, unlessPlain(options)) };
  const scenes = [sceneOf(from), sceneOf(target)] as const;
  let found = setUpScenes(...scenes, ours, how);
  const again = (more: Parameters<typeof setUpScenes>[2]) =>
    setUpScenes(...scenes, { ...ours, ...more }, how);
  let map = ours.map;
  if (!map && (match === 'names' || (options.mapNodeNames?.size ?? 0) > 0)) {
    const moved = new Set(from.skeleton.names.keys());
    const pairing = { source: from, target, names: options.mapNodeNames ?? new Map(), moved };
    map = mapOfNames(found.setup, pairing, match === 'names', warnings) ?? undefined;
    if (map) found = again({ map });
  }
  const { rules, carrier } = rootRules(() => found.setup, from, target, options, warnings);
  if (carrier)
    warnings.push({
      code: 'option-without-effect',
      joint: options.rootNodeName!,
      message: `rootNodeName is "${options.rootNodeName}": travel is measured from it, but live the hips carry the body`,
    });
  if (Object.keys(rules).length > 0) found = again({ ...(map && { map }), ...rules, ...ours });
  const { notes, warnings: doubts } = partNotes(found.warnings);
  warnings.push(...doubts);
  return { setup: found.setup, notes, passes };
}

type Reading = { objects: readonly (Placed | null)[]; pose: Pose };

const turn = new Quaternion();
const place = new Vector3();

/** Reads where the source's joints stand; a number that is none leaves what was there. */
function readPose({ objects, pose }: Reading): void {
  const { translations, rotations, scales } = pose;
  for (let joint = 0; joint < objects.length; joint++) {
    const object = objects[joint];
    if (!object) continue;
    const { position, scaling } = object;
    let rotation = object.rotationQuaternion;
    if (!rotation) {
      const euler = object.rotation;
      Quaternion.RotationYawPitchRollToRef(euler.y, euler.x, euler.z, turn);
      rotation = turn;
    }
    const t = 3 * joint;
    if (Number.isFinite(position.x + position.y + position.z)) {
      translations[t] = position.x;
      translations[t + 1] = position.y;
      translations[t + 2] = position.z;
    }
    if (Number.isFinite(scaling.x + scaling.y + scaling.z)) {
      scales[t] = scaling.x;
      scales[t + 1] = scaling.y;
      scales[t + 2] = scaling.z;
    }
    const length = Math.sqrt(
      rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z + rotation.w * rotation.w,
    );
    if (!(length > 1e-9 && length < Number.POSITIVE_INFINITY)) continue;
    const q = 4 * joint;
    const by = 1 / length;
    rotations[q] = by * rotation.x;
    rotations[q + 1] = by * rotation.y;
    rotations[q + 2] = by * rotation.z;
    rotations[q + 3] = by * rotation.w;
  }
}

/** What is written of the target: only channels that were driven at some time; the rest belongs to others. */
type Writing = {
  objects: readonly (Placed | null)[];
  /** 1 where the object is a bone: bones are set by assigning, nodes by changing what they have. */
  bones: Uint8Array;
  rest: Pose;
  /** What was found to be the rest when it was last compared. */
  judged: Pose;
  turned: Uint8Array;
  moved: Uint8Array;
  scaled: Uint8Array;
  before: (Standing | null)[];
};

/** How a joint stood before; whether it was turned by Euler angles. */
type Standing = LocalTransform & { euler: Vector3 | null };

function createWriting({ objects }: Body, setup: Setup): Writing {
  const writing: Writing = {
    objects,
    bones: Uint8Array.from(objects, (object) => (isBone(object) ? 1 : 0)),
    rest: setup.target.skeleton.rest,
    judged: copyPose(setup.target.skeleton.rest),
    turned: new Uint8Array(objects.length),
    moved: new Uint8Array(objects.length),
    scaled: new Uint8Array(objects.length),
    before: objects.map((object) =>
      object
        ? {
            position: object.position.clone(),
            rotation: (object.rotationQuaternion ?? Quaternion.Identity()).clone(),
            scaling: object.scaling.clone(),
            euler: object.rotationQuaternion ? null : object.rotation.clone(),
          }
        : null,
    ),
  };
  for (const { target } of setup.map.joints) writing.turned[target] = 1;
  if (setup.travel) writing.moved[setup.travel.target] = 1;
  return writing;
}

function writePose({ objects, bones, rest, judged, turned, moved, scaled }: Writing, pose: Pose): void {
  const { translations, rotations, scales } = pose;
  for (let joint = 0; joint < objects.length; joint++) {
    const object = objects[joint];
    if (!object) continue;
    const q = 4 * joint;
    const t = 3 * joint;
    // What nothing drives stays what it was, to the last bit: it is judged once.
    if (!turned[joint] && isOther4(rotations, judged.rotations, q)) {
      turned[joint] = differs(rotations, rest.rotations, q, 4);
      for (let i = q; i < q + 4; i++) judged.rotations[i] = rotations[i]!;
    }
    if (!moved[joint] && isOther3(translations, judged.translations, t)) {
      moved[joint] = differs(translations, rest.translations, t, 3);
      for (let i = t; i < t + 3; i++) judged.translations[i] = translations[i]!;
    }
    if (!scaled[joint] && isOther3(scales, judged.scales, t)) {
      scaled[joint] = differs(scales, rest.scales, t, 3);
      for (let i = t; i < t + 3; i++) judged.scales[i] = scales[i]!;
    }
    if (bones[joint]) {
      if (turned[joint]) object.rotationQuaternion = load4(turn, rotations, q);
      if (moved[joint]) object.position = load3(place, translations, t);
      if (scaled[joint]) object.scaling = load3(place, scales, t);
      continue;
    }
    if (turned[joint]) {
      // A node that was turned by angles gets a quaternion of its own, once.
      if (!object.rotationQuaternion) object.rotationQuaternion = new Quaternion();
      load4(object.rotationQuaternion, rotations, q);
    }
    if (moved[joint]) load3(object.position, translations, t);
    if (scaled[joint]) load3(object.scaling, scales, t);
  }
}

function load4(out: Quaternion, values: Float64Array, i: number): Quaternion {
  return out.copyFromFloats(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
}

function load3(out: Vector3, values: Float64Array, i: number): Vector3 {
  return out.copyFromFloats(values[i]!, values[i + 1]!, values[i + 2]!);
}

function isOther4(a: Float64Array, b: Float64Array, i: number): boolean {
  return a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2] || a[i + 3] !== b[i + 3];
}

function isOther3(a: Float64Array, b: Float64Array, i: number): boolean {
  return a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2];
}

/** 1 where two stores differ at a place by more than a float32's rounding. */
function differs(a: Float64Array, b: Float64Array, at: number, size: number): 0 | 1 {
  for (let i = at; i < at + size; i++)
    if (Math.abs(a[i]! - b[i]!) > 1e-6 * Math.max(1, Math.abs(b[i]!))) return 1;
  return 0;
}

function giveBack({ objects, turned, moved, scaled, before }: Writing): void {
  objects.forEach((object, joint) => {
    const was = before[joint];
    if (!object || !was) return;
    if (moved[joint]) object.position = was.position;
    if (scaled[joint]) object.scaling = was.scaling;
    if (!turned[joint]) return;
    if (was.euler && !isBone(object)) {
      object.rotationQuaternion = null;
      object.rotation = was.euler;
    } else object.rotationQuaternion = was.rotation;
  });
}
