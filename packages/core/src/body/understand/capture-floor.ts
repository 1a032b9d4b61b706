import { hypot, squared } from '../../base/math/functions.js';
import { didWork } from '../../base/watch-work.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import {
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  modelPoseOf,
  type Pose,
} from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { RoleJoints } from '../body.js';
import { footJoints, lowestJoint } from '../floor.js';
import type { Role } from '../roles.js';

/** A reference pose, as far as its place is concerned. */
type FloorPose = { kind: string; frame?: { clip: string; time: number }; pose: Pose };

/** Where the feet of a reference pose shall stand, in model space: the height of the lowest foot joint. */
export type CaptureFloor = {
  lowest: number;
  confidence: number;
  reason: string;
  /** Whether anything stands, or may stand, there. */
  isStoodOn: boolean;
};

/** Instants a second at which clips are looked at, and how many at most. */
const FLOOR_RATE = 30;
const MOST_FLOOR_LOOKS = 3600;

/** Hip heights a second: what is slower stands. */
const SLOW = 0.4;

/** How far the joint of a part lies inside the body, in hip heights: what rests on the floor is that much lower. */
const FLESH: readonly (readonly [Role, number])[] = [
  ['leftLowerLeg', 0.06],
  ['rightLowerLeg', 0.06],
  ['leftLowerArm', 0.05],
  ['rightLowerArm', 0.05],
  ['leftHand', 0.03],
  ['rightHand', 0.03],
  ['hips', 0.12],
  ['spine', 0.13],
  ['chest', 0.13],
  ['upperChest', 0.13],
  ['head', 0.1],
];

/** How sure a floor is that the zero pose stands on, whatever the clips do. */
export const ZERO_POSE_SURE = 0.95;
/** A zero pose whose lowest foot joint is so near the ground plane stands on it, in hip heights: 3 % of the height. */
const ZERO_STANDS = 0.06;
/** So near the ground plane, in hip heights, feet of a clip stand on it. */
const NEAR_GROUND = 0.08;
/** Feet of a body that stands upright may be so far from it: ankles without toes, captures that sink. */
const UPRIGHT_NEAR = 0.15;
/** Hips of a body that stays on one level rise and fall by less than this, in hip heights. */
const LEVEL_HIPS = 0.15;
/** The feet of a body that stands again and again on one floor are within this, in hip heights: less than half a stair. */
const FLAT_FEET = 0.06;
/** Toes that stand flat are at most so high over their sole, in hip heights. */
const ON_TOES = 0.015;
/** So far above the ground plane, in hip heights, a body may be on a ladder or on stairs. */
const CLIMBS = 2.5;

/**
 * Where a capture's reference pose is to stand so that it stands where its clips do: a zero pose often hangs at the
 * origin, and a T-pose that was put before the motion stands anywhere. Heights of the lowest foot joint, in hip heights
 * over the ground plane y = 0:
 *
 * - a zero pose that stands on the ground plane stays;
 * - else, where feet carry the body slowly, below everything else: the 10th percentile of instants at which it is
 *   upright on a straight leg, where that is near the ground plane; else the median of all instants near that plane;
 * - else upright instants at any speed, where they are near that plane: on the spot, feet never rest;
 * - else the upright instants, wherever they are; else the ground plane.
 *
 * A percentile of all instants, which takes a lying body's raised feet for standing ones, put the floor of 32 of 430
 * captures more than 8 % of the hip height off; the lowest part of the body, of 53.
 */
export function findCaptureFloor(
  skeleton: Skeleton,
  joints: RoleJoints,
  reference: FloorPose,
  clips: readonly Clip[],
): CaptureFloor | null {
  const feet = footJoints(skeleton, joints);
  const standing = feet.length > 0 ? feet : skeleton.names.map((_, i) => i);
  const model = modelPoseOf(skeleton, reference.pose);
  const low = lowestJoint(model, standing);
  const hipHeight = joints.hips === undefined ? Number.NaN : model.matrices[16 * joints.hips + 13]! - low;
  if (!(hipHeight > 0)) return null;
  const origin = originHeight(skeleton, joints);
  if (reference.kind === 'rest' && Math.abs(low - origin) < ZERO_STANDS * hipHeight)
    return {
      lowest: low,
      confidence: ZERO_POSE_SURE,
      reason: 'the zero pose stands on it',
      isStoodOn: true,
    };
  if (clips.length === 0)
    return {
      lowest: Math.max(low, origin),
      confidence: 0.7,
      reason: 'the ground plane, as there is no motion',
      isStoodOn: true,
    };

  const { upright, near, gliding, instants, rise } = footHeights(skeleton, joints, reference, clips, {
    feet: standing,
    hipHeight,
    origin,
  });
  const at = (height: number, confidence: number, reason: string): CaptureFloor => ({
    lowest: origin + height * hipHeight,
    confidence,
    reason,
    isStoodOn: true,
  });
  const stood = percentile(upright, 0.1);
  if (upright.length >= 0.27 * FLOOR_RATE && Math.abs(stood) < UPRIGHT_NEAR)
    return at(stood, 0.9, 'the floor of its clip, where feet stand');
  if (near.length >= 0.2 * FLOOR_RATE) {
    // Of a body that crawls or lies, feet show where the floor is, not how high they stand on it when they stand.
    const [toes, ankle] = [low, ankleHeight(model, joints)];
    const most = ankle - toes > 0.04 * hipHeight ? ON_TOES : NEAR_GROUND;
    return at(Math.min(percentile(near, 0.5), most), 0.7, 'the floor of its clip, near which feet rest');
  }
  // On the spot, feet glide over the ground: it is then where they pass lowest.
  const passed = percentile(gliding, 0.1);
  if (gliding.length >= 0.27 * FLOOR_RATE && Math.abs(passed) < UPRIGHT_NEAR)
    return at(passed, 0.75, 'the floor of its clip, over which feet glide');
  const far = upright.length >= 0.27 * FLOOR_RATE ? upright : gliding;
  const lowest = percentile(far, 0.1);
  // Hips that stay on one level say so, and feet that come back to one however the body jumps or crouches over it.
  const isFlat = rise < LEVEL_HIPS || percentile(far, 0.75) - lowest < FLAT_FEET;
  const isLevel = far.length >= Math.max(0.27 * FLOOR_RATE, 0.2 * instants) && isFlat;
  // Above the plane of the origin and not on one level all the time: stairs, a ladder.
  const climbs = lowest > 0 && lowest < CLIMBS && !isLevel;
  if (far.length > 0 && !climbs) return at(lowest, 0.6, 'the floor of its clip, far from the ground plane');
  return { ...at(0, 0.4, 'the ground plane, as nothing stands for long'), isStoodOn: false };
}

/** The height of the plane of the origin: that of what carries the hips, where a file is placed elsewhere. */
function originHeight(skeleton: Skeleton, { hips }: RoleJoints): number {
  let top = hips ?? -1;
  while (top >= 0 && skeleton.parents[top]! >= 0) top = skeleton.parents[top]!;
  return top < 0 || top === hips ? 0 : heightOf(modelPoseOf(skeleton, skeleton.rest), top);
}

function ankleHeight(model: ModelPose, { leftFoot, rightFoot }: RoleJoints): number {
  return Math.min(
    ...[leftFoot, rightFoot].map((joint) => (joint === undefined ? Number.NaN : heightOf(model, joint))),
  );
}

/**
 * Heights of feet that carry the body, in hip heights: slowly where it is upright, slowly near the ground plane, and at
 * any speed where it is upright. And how far the hips go up and down.
 */
function footHeights(
  skeleton: Skeleton,
  joints: RoleJoints,
  { kind, frame }: FloorPose,
  clips: readonly Clip[],
  { feet, hipHeight, origin }: { feet: readonly number[]; hipHeight: number; origin: number },
): { upright: number[]; near: number[]; gliding: number[]; instants: number; rise: number } {
  const upright: number[] = [];
  const near: number[] = [];
  const gliding: number[] = [];
  let instants = 0;
  let lowestHips = Number.POSITIVE_INFINITY;
  let highestHips = Number.NEGATIVE_INFINITY;
  const model = createModelPose(skeleton.names.length);
  const others = FLESH.flatMap(([role, flesh]) =>
    joints[role] === undefined ? [] : [[joints[role]!, flesh] as const],
  );
  const seconds = clips.reduce((sum, { duration }) => sum + duration, 0);
  const step = Math.max(1 / FLOOR_RATE, seconds / MOST_FLOOR_LOOKS);
  for (const clip of clips) {
    const pose = copyPose(skeleton.rest);
    const hints = new Int32Array(clip.tracks.length);
    // A T-pose that was put before the capture is no part of it.
    const isFirst =
      kind === 'frame' && frame?.clip === clip.name && frame.time === 0 && clip.duration > 4 / FLOOR_RATE;
    let before: number[] | null = null;
    for (let time = isFirst ? 2 / FLOOR_RATE : 0; time <= clip.duration; time += step) {
      instants++;
      didWork(skeleton.names.length);
      sampleClip(pose, clip, time, hints);
      localToModel(model, skeleton, pose);
      lowestHips = Math.min(lowestHips, heightOf(model, joints.hips!));
      highestHips = Math.max(highestHips, heightOf(model, joints.hips!));
      let lowest = feet[0]!;
      for (const joint of feet) if (heightOf(model, joint) < heightOf(model, lowest)) lowest = joint;
      const places: number[] = feet.flatMap((joint) => [
        ...model.matrices.subarray(16 * joint + 12, 16 * joint + 15),
      ]);
      const way = before && distanceAt(places, before, 3 * feet.indexOf(lowest));
      before = places;
      const height = (heightOf(model, lowest) - origin) / hipHeight;
      const isLowest = others.every(
        ([joint, flesh]) => height < (heightOf(model, joint) - origin) / hipHeight - flesh + 0.05,
      );
      if (!isLowest) continue;
      const stands = isUpright(model, joints);
      if (stands) gliding.push(height);
      if (way === null || way > SLOW * hipHeight * step) continue;
      if (stands) upright.push(height);
      if (Math.abs(height) < NEAR_GROUND) near.push(height);
    }
  }
  upright.sort((a, b) => a - b);
  near.sort((a, b) => a - b);
  gliding.sort((a, b) => a - b);
  return { upright, near, gliding, instants, rise: (highestHips - lowestHips) / hipHeight };
}

/** Whether a leg stands nearly straight under a trunk that is upright. */
function isUpright(model: ModelPose, joints: RoleJoints): boolean {
  const { hips } = joints;
  const top = joints.neck ?? joints.head ?? joints.leftUpperArm ?? joints.upperChest ?? joints.chest;
  if (hips !== undefined && top !== undefined) {
    const rise = heightOf(model, top) - heightOf(model, hips);
    if (!(rise > 0.7 * distanceOf(model, top, hips))) return false;
  }
  return (['left', 'right'] as const).some((side) => {
    const [hip, knee, foot] = [joints[`${side}UpperLeg`], joints[`${side}LowerLeg`], joints[`${side}Foot`]];
    if (hip === undefined || knee === undefined || foot === undefined) return false;
    const length = distanceOf(model, hip, knee) + distanceOf(model, knee, foot);
    return heightOf(model, hip) - heightOf(model, foot) >= 0.8 * length;
  });
}

function heightOf({ matrices }: ModelPose, joint: number): number {
  return matrices[16 * joint + 13]!;
}

function distanceOf({ matrices }: ModelPose, a: number, b: number): number {
  let sum = 0;
  for (let c = 12; c < 15; c++) sum += squared(matrices[16 * a + c]! - matrices[16 * b + c]!);
  return Math.sqrt(sum);
}

function distanceAt(a: readonly number[], b: readonly number[], at: number): number {
  return hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!);
}

/** Of numbers that rise; NaN of none. */
function percentile(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN;
}
