import type { RoleJoints } from '../body/body.js';
import type { BodyPart } from '../body/body-parts.js';
import type { NumberCurve } from '../options/limb-rules.js';
import type { Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { LimitedJoint } from '../solvers/joint-limits.js';

/** A joint that hangs elsewhere than its body part, such as a foot on the root. */
export type DetachedJoint = {
  joint: number;
  /** The joint of its body part that carries it. */
  carrier: number;
  /** Whether it turns by itself; else as its carrier does. */
  turns: boolean;
};

/** What edits need to know of the character that they are made on: plain data. */
export type EditedBody = {
  /** With its container completed: metres, +Y up, +Z forward. */
  skeleton: Skeleton;
  /** The joint that plays each role found. */
  joints: RoleJoints;
  /** Per joint which part of the body it is, where the body is an animal's; none if left out. */
  parts?: readonly (BodyPart | null)[];
  /** Local transforms of the aligned reference: turns and offsets of edits are counted in its axes. */
  reference: Pose;
  /** Metres, of the reference: from lowest to highest joint, and from the floor to the hips. */
  height: number;
  hipHeight: number;
  /** Model space, metres: how high the floor is. */
  floor: number;
  /** The joint that carries the body through space; the hips if left out, and nothing where there are none. */
  travels?: number;
  /** Joints that hang elsewhere than their body part; none if left out. */
  detached?: readonly DetachedJoint[];
  /** Limits that joints are held within; none if left out. */
  limits?: readonly LimitedJoint[];
  /** How willingly joints turn, by index; 1 if left out, 0 for not at all. */
  weights?: Readonly<Record<number, number | NumberCurve>>;
};
