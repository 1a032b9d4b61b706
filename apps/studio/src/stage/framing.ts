import { type Clip, copyPose, createModelPose, localToModel, sampleClip } from '@stuntdouble/core/engine';
import type { FileFacts } from '../engine/protocol.js';
import { type Framed, MARGIN } from './camera.js';
import type { DrawnBone } from './skeleton-bones.js';

/** A body as it is framed: who it is, what is drawn of it, and its bounds as it stands in its reference pose. */
type Body = {
  facts: FileFacts;
  bones: readonly DrawnBone[];
  box: { min: Point; max: Point };
};
type Point = { x: number; y: number; z: number };

/**
 * How far a motion reaches, in metres of model space: its highest and lowest point, how far it goes to any side of where
 * it is followed, and where its body looks most of the time, in radians from +Z, by quarter turns.
 */
export type Reach = { low: number; high: number; around: number; facing: number };

/** How much of a view a body needs, in its own heights: over its floor, under it, across, and towards the camera. */
export type Needs = { up: number; down: number; wide: number; deep: number };

/** Instants of a clip that are looked at: a raised arm stays up for longer than a thirtieth of a clip. */
const INSTANTS = 32;
/** Flesh around joints, in heights of the body. */
const FLESH = 0.05;
/** Beyond so many heights the camera goes along rather than away. */
const MOST = { up: 1.8, down: 0.4, wide: 2 };
/** Room for the steps of a person, in heights. */
const STEPS = 0.62;

/** How far a body reaches while it plays a clip. */
export function reachOf({ facts, bones, box }: Body, clip: Clip): Reach {
  const { skeleton, reference, height } = facts;
  const reach = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, around: 0, facing: 0 };
  if (!skeleton || !reference) return reach;
  const joints = [...new Set(bones.flatMap(({ from, to }) => (to < 0 ? [from] : [from, to])))];
  const model = createModelPose(skeleton.names.length);
  const { matrices } = model;
  const heightOf = (joint: number) => matrices[16 * joint + 13]!;
  localToModel(model, skeleton, reference.pose);
  // Over the highest joint there are hair and hats, and those go where it goes.
  const top = joints.reduce(
    (best, joint) => (heightOf(joint) > heightOf(best) ? joint : best),
    joints[0] ?? 0,
  );
  const crown = box.max.y - heightOf(top);
  const flesh = FLESH * height;
  const carried = carriedBeyond(joints, matrices, box, height);
  const ahead = { x: 0, z: 0 };
  const pose = copyPose(skeleton.rest);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < INSTANTS; k++) {
    pose.translations.set(skeleton.rest.translations);
    pose.rotations.set(skeleton.rest.rotations);
    pose.scales.set(skeleton.rest.scales);
    sampleClip(pose, clip, (clip.duration * k) / (INSTANTS - 1), hints);
    localToModel(model, skeleton, pose);
    const middle = middleOf(matrices, facts, middleOfBox(box));
    addFacing(ahead, facts, matrices);
    for (const joint of joints) {
      const y = heightOf(joint);
      const away = Math.hypot(matrices[16 * joint + 12]! - middle.x, matrices[16 * joint + 14]! - middle.z);
      reach.low = Math.min(reach.low, y);
      reach.high = Math.max(reach.high, y + (joint === top ? Math.max(crown, flesh) : flesh));
      reach.around = Math.max(reach.around, away + Math.max(flesh, carried.get(joint) ?? 0));
    }
  }
  // Whoever turns about has no side to be looked at from.
  if (Math.hypot(ahead.x, ahead.z) > INSTANTS / 2)
    reach.facing = (Math.round(Math.atan2(ahead.x, ahead.z) / QUARTER) * QUARTER) % (2 * Math.PI);
  return reach;
}

const QUARTER = Math.PI / 2;
/** More than so many heights beyond a hand nobody carries: that is a part of the scene. */
const LONGEST = 0.6;

/** What a body has beyond its outermost joints, as a sword in a hand, in metres: it goes where that joint goes. */
function carriedBeyond(
  joints: readonly number[],
  matrices: Float64Array,
  { min, max }: Body['box'],
  height: number,
): Map<number, number> {
  const carried = new Map<number, number>();
  for (const [c, low, high] of [
    [12, min.x, max.x],
    [14, min.z, max.z],
  ] as const)
    for (const [sign, end] of [
      [-1, low],
      [1, high],
    ] as const) {
      const away = (joint: number) => sign * matrices[16 * joint + c]!;
      const outermost = joints.reduce(
        (best, joint) => (away(joint) > away(best) ? joint : best),
        joints[0] ?? 0,
      );
      const beyond = Math.min(LONGEST * height, sign * end - away(outermost));
      carried.set(outermost, Math.max(beyond, carried.get(outermost) ?? 0));
    }
  return carried;
}

/** Adds the way that a person looks, seen from above, by what lies from the right hip to the left one. */
function addFacing(
  ahead: { x: number; z: number },
  { joints: { leftUpperLeg: left, rightUpperLeg: right } }: FileFacts,
  matrices: Float64Array,
): void {
  if (left === undefined || right === undefined) return;
  const x = matrices[16 * left + 12]! - matrices[16 * right + 12]!;
  const z = matrices[16 * left + 14]! - matrices[16 * right + 14]!;
  const length = Math.hypot(x, z);
  if (length < 1e-9) return;
  ahead.x -= z / length;
  ahead.z += x / length;
}

/**
 * How much room a body needs in a view that looks at it from an angle.
 * @param reach How far the motion goes that it plays; null where it stands in its reference pose.
 */
export function needsOf(body: Body, yaw: number, reach: Reach | null): Needs {
  const { facts, box } = body;
  const { floor, height } = standOf(body);
  const [x, z] = [box.max.x - box.min.x, box.max.z - box.min.z];
  const [cos, sin] = [Math.abs(Math.cos(yaw)), Math.abs(Math.sin(yaw))];
  const across = x * cos + z * sin;
  const along = x * sin + z * cos;
  // People who move are framed with room for their steps, not for the arms of their T-pose; what is no person as it is.
  const isMoving = isPerson(facts) && reach !== null;
  // The farthest a motion goes may use up the room around it.
  const around = isMoving ? (2 * reach.around) / MARGIN : across;
  const least = { up: 1, down: 0, wide: STEPS, deep: 0 };
  return mostOf([
    least,
    {
      up: Math.min(MOST.up, reach ? (reach.high - floor) / height : 1),
      down: Math.min(MOST.down, reach ? (floor - reach.low) / height : 0),
      wide: isMoving ? Math.min(MOST.wide, around / height) : around / height,
      // What is long comes near: paws and heads before the middle are larger than it.
      deep: isPerson(facts) ? 0 : along / height / 2,
    },
  ]);
}

/** Whether a body is taller than it is long: has hips, and arms. */
export function isPerson({ joints }: FileFacts): boolean {
  return joints.hips !== undefined && joints.leftUpperArm !== undefined;
}

/** The most that some bodies need. */
function mostOf(all: readonly Needs[]): Needs {
  const most = (name: keyof Needs) =>
    Math.max(...all.map((needs) => needs[name]).filter((need) => Number.isFinite(need)));
  return { up: most('up'), down: most('down'), wide: most('wide'), deep: most('deep') };
}

/** How much smaller than its view allows a body is shown at most, to stand as tall as the one beside it. */
const SMALLER = 1.25;

/**
 * What two views beside each other show: as much as the one that needs more, so that people of all sizes stand equally
 * tall; no body is made small for the broad arms of the other.
 */
export function besideEachOther(own: Needs, other: Needs): Needs {
  const most = mostOf([own, other]);
  return { ...most, wide: Math.min(most.wide, SMALLER * own.wide) };
}

/**
 * What is to be seen of a body.
 * @param matrices Where its joints are, to follow it; null where it is not followed.
 * @param heading Where its motion looks, in radians from +Z.
 */
export function framedOf(
  body: Body,
  { up, down, wide, deep }: Needs,
  matrices: Float64Array | null,
  heading = 0,
): Framed {
  const { facts, box } = body;
  const { floor, height } = standOf(body);
  const middle = middleOfBox(box);
  const { hips } = facts.joints;
  const at = matrices && hips !== undefined ? matrices[16 * hips + 13]! : null;
  // Hips stay where arms over them and legs below them are seen, on stairs and from roofs, too.
  const [low, high] = [floor - down * height, floor + up * height];
  // Big heads stand on short legs.
  const legs = Math.min(facts.hipHeight, 0.6 * height);
  const [above, below] = [Math.min(0.5 * height, height - legs), Math.min(0.3 * height, legs)];
  const lift = at === null ? 0 : Math.max(0, at + above - high) + Math.min(0, at - below - low);
  return {
    ...(matrices ? middleOf(matrices, facts, middle) : middle),
    y: (low + high) / 2 + lift,
    height: (up + down) * height,
    width: wide * height,
    depth: deep * height,
    heading,
  };
}

/** Where a body stands, and how tall it is there. */
function standOf({ facts, box }: Body): { floor: number; height: number } {
  const floor = Math.min(box.min.y, facts.floor);
  return { floor, height: Math.max(1e-3, box.max.y - floor) };
}

function middleOfBox({ min, max }: Body['box']): { x: number; z: number } {
  return { x: (min.x + max.x) / 2, z: (min.z + max.z) / 2 };
}

/** Where a body is over the floor: at its hips or, where it has none, in the middle of its joints. */
function middleOf(
  matrices: Float64Array,
  { joints: { hips }, roles }: FileFacts,
  rest: { x: number; z: number },
): { x: number; z: number } {
  if (hips !== undefined) return { x: matrices[16 * hips + 12]!, z: matrices[16 * hips + 14]! };
  if (roles.length === 0) return rest;
  const low = { x: Number.POSITIVE_INFINITY, z: Number.POSITIVE_INFINITY };
  const high = { x: Number.NEGATIVE_INFINITY, z: Number.NEGATIVE_INFINITY };
  for (let m = 12; m < matrices.length; m += 16) {
    low.x = Math.min(low.x, matrices[m]!);
    low.z = Math.min(low.z, matrices[m + 2]!);
    high.x = Math.max(high.x, matrices[m]!);
    high.z = Math.max(high.z, matrices[m + 2]!);
  }
  return { x: (low.x + high.x) / 2, z: (low.z + high.z) / 2 };
}
