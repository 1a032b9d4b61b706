import { DEGREE } from '../base/math/angles.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { directionOf, subtractVectors, type Vec3, vectorAngle, vectorAt } from '../base/math/vector.js';
import { createMemory, remember } from '../base/remember.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import type { Role } from '../body/roles.js';
import { type Clip, frameRateOf } from '../scene/clip.js';
import { peekClip } from '../scene/deferred-turns.js';
import { copyPose, createModelPose, localToModel, type ModelPose } from '../scene/pose.js';
import { partOfSkeleton, type SkeletonPart, showPart, standPart } from '../scene/skeleton-part.js';

/** A calibration pose is held no longer than this, in seconds. */
const LONGEST = 2;
/** Frames a second that are looked at, at most: no camera takes more. */
const LOOKED_RATE = 500;
/** A joint that turns by less between two frames is held. */
const HELD_TURN = 1 * DEGREE;
/** Leaving the pose turns a joint at once: by more than this, and by many times what it turns in frames after. */
const JUMP = 20 * DEGREE;
const TIMES_USUAL = 4;
/** Frames after the jump that say what is usual. */
const USUAL_FRAMES = 8;

const LIMB_PARTS = ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'] as const;

/**
 * Finds a T- or A-pose that is held for the first frame or frames of a clip and then left at once, as captures have it
 * for calibration: no part of the motion, and what comes after it is a jump (an arm that swings 74 degrees in 33 ms).
 * @param rig Of the body that the clip moves.
 * @returns the second at which the motion begins; 0 where there is no such pose.
 */
export function findCalibration(rig: Rig, clip: Clip): number {
  const { skeleton } = rig;
  if (clip.tracks.length < 2) return 0;
  // Hardly any clip begins so: this is looked at first.
  const limbs = remember(knownLimbs, rig, null, limbPart);
  standPart(limbs, skeleton.rest, limbs.all);
  if (!isCalibrationPose(rig, limbs, showPart(limbs, clip)(0))) return 0;
  const own = frameRateOf(clip);
  const rate = Math.min(LOOKED_RATE, own);
  const count = Math.floor(clip.duration * rate + 0.5) + 1;
  const most = Math.min(count - 2, Math.ceil(LONGEST * rate));
  const joints = Object.values(rig.joints).filter((joint) => joint !== undefined);
  if (!(most > 0)) return 0;
  const times = rate === own ? framesOf(clip) : null;
  const timeOf = (k: number) => times?.[k] ?? k / rate;
  const pose = copyPose(skeleton.rest);
  const models = [createModelPose(skeleton.names.length), createModelPose(skeleton.names.length)] as const;
  const show = (out: ModelPose, k: number) => {
    didWork(skeleton.names.length);
    // Most clips are known by their first frames: keys that are not read yet stay so.
    peekClip(pose, clip, timeOf(k));
    localToModel(out, skeleton, pose);
  };
  const step = (k: number) => {
    let most = 0;
    for (const joint of joints)
      most = Math.max(
        most,
        quaternionAngle(models[k % 2]!.rotations, 4 * joint, models[1 - (k % 2)]!.rotations, 4 * joint),
      );
    return most;
  };
  show(models[0], 0);
  let jump = 0;
  let k = 1;
  for (; k <= most; k++) {
    show(models[k % 2]!, k);
    jump = step(k);
    if (jump > HELD_TURN) break;
  }
  if (k > most || jump < JUMP) return 0;
  let usual = 0;
  for (let n = k + 1; n < Math.min(count, k + 1 + USUAL_FRAMES); n++) {
    show(models[n % 2]!, n);
    usual = Math.max(usual, step(n));
  }
  return jump > TIMES_USUAL * usual ? timeOf(k) : 0;
}

/** The times of the track with most keys, where it has one for each frame. */
function framesOf(clip: Clip): ArrayLike<number> | null {
  let most: ArrayLike<number> | null = null;
  for (const { times } of clip.tracks) if (!most || times.length > most.length) most = times;
  return most && most.length > 2 && most[0] === 0 ? most : null;
}

const knownLimbs = createMemory<null, SkeletonPart>();

/** The joints of arms and legs, which tell such a pose, and what they hang on. */
function limbPart(_: null, { joints, skeleton }: Rig): SkeletonPart {
  const roles = (['left', 'right'] as const).flatMap((side) =>
    LIMB_PARTS.map((part): Role => `${side}${part}`),
  );
  return partOfSkeleton(
    skeleton,
    roles.flatMap((role) => joints[role] ?? []),
  );
}

/** Arms are straight and stand out to the sides, level or half way down; legs are straight. */
function isCalibrationPose({ joints }: Rig, { places }: SkeletonPart, { matrices }: ModelPose): boolean {
  const place = (joint: number | undefined): Vec3 | null =>
    joint === undefined ? null : vectorAt(matrices, 16 * places[joint]! + 12);
  const line = (from: number | undefined, to: number | undefined): Vec3 | null => {
    const a = place(from);
    const b = place(to);
    return a && b ? directionOf(subtractVectors(b, a)) : null;
  };
  for (const side of ['left', 'right'] as const) {
    const upper = line(joints[`${side}UpperArm`], joints[`${side}LowerArm`]);
    const lower = line(joints[`${side}LowerArm`], joints[`${side}Hand`]);
    if (!upper || !lower || vectorAngle(upper, lower) > 25 * DEGREE) return false;
    const out = side === 'left' ? upper[0] : -upper[0];
    if (out < 0.35 || upper[1] > 0.3 || Math.abs(upper[2]) > 0.5) return false;
    const thigh = line(joints[`${side}UpperLeg`], joints[`${side}LowerLeg`]);
    const shin = line(joints[`${side}LowerLeg`], joints[`${side}Foot`]);
    if (!thigh || !shin || thigh[1] > -0.9 || vectorAngle(thigh, shin) > 20 * DEGREE) return false;
  }
  return true;
}
