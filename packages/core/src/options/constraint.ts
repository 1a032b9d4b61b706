import type { CurveEase, Ease } from '../base/math/easing.js';
import type { Vec3 } from '../base/math/vector.js';

/*
 * Constraints as people write and keep them: JSON. Places are in model space of the target (metres, +Y up, +Z forward,
 * the clip's travel included) unless `space` and `unit` say otherwise.
 */

/** What is asked of a joint. */
export type ConstraintKind =
  | 'point'
  | 'orientation'
  | 'plane'
  | 'distance'
  | 'relative'
  | 'lookAt'
  | 'lock'
  | 'balance';

/** All kinds. */
export const CONSTRAINT_KINDS: readonly ConstraintKind[] = [
  'point',
  'orientation',
  'plane',
  'distance',
  'relative',
  'lookAt',
  'lock',
  'balance',
];

/** A time: seconds, or a frame of the clip. */
export type ConstraintTime = number | { frame: number };

/**
 * What happens to a joint that a time may be snapped to: it begins or ceases to stand (`contact`, `release`), or its
 * acceleration along its way crosses zero, where it is slowest (`still`) or fastest (`fast`).
 */
export type ConstraintEvent = 'contact' | 'release' | 'still' | 'fast';

/** All events. */
export const CONSTRAINT_EVENTS: readonly ConstraintEvent[] = ['contact', 'release', 'still', 'fast'];

/** A time that is snapped to the nearest event of a joint, the constraint's own if left out. */
export type EventTime = {
  event: ConstraintEvent;
  near: ConstraintTime;
  joint?: string;
  /** Seconds that the event may be away; a quarter if left out. */
  within?: number;
};

/** Eased in from `in` to `start`, held to `end`, eased out to `out`; what is left out is the clip's begin or end. */
export type ConstraintTimes = {
  in?: ConstraintTime | EventTime;
  start?: ConstraintTime | EventTime;
  end?: ConstraintTime | EventTime;
  out?: ConstraintTime | EventTime;
};

/** The names of a constraint's times, in order. */
export const TIME_NAMES = ['in', 'start', 'end', 'out'] as const;

/** A key of a moving goal: a place, a turn in degrees (a rotation vector from the aligned reference), or both. */
export type GoalKey = { time: ConstraintTime; place?: Vec3; degrees?: Vec3; ease?: CurveEase };

/** What a constraint is about; which are meant depends on its kind. */
export type ConstraintGoal = {
  /** A place. */
  place?: Vec3;
  /** A place, or a turn, that moves. */
  keys?: GoalKey[];
  /** A joint of the own body, by role or name. */
  joint?: string;
  /** A joint of the source, by role or name: its place, scaled as travel is. */
  source?: string;
  /** A node of the target's file. */
  node?: string;
  /** Another character, by name; `joint` is one of its joints. */
  character?: string;
  /** Added to the place of a joint, source or node; metres. */
  offset?: Vec3;
  /** Whose axes `offset` is in: the model's, or those of the joint, which it then turns with. */
  axes?: 'model' | 'joint';
  /** A turn: a rotation vector in degrees, from the aligned reference. */
  degrees?: Vec3;
  /** A plane: its normal, and how far along it the plane lies. */
  normal?: Vec3;
  height?: number;
};

/** Where places are counted from. */
export type ConstraintSpace = 'model' | 'file' | 'ground' | 'rest' | 'copied' | 'limb';

/** All spaces. */
export const CONSTRAINT_SPACES: readonly ConstraintSpace[] = [
  'model',
  'file',
  'ground',
  'rest',
  'copied',
  'limb',
];

/** Something that a joint shall do for a time. */
export type Constraint = {
  /** For people, and for reports. */
  name?: string;
  /** The clip that it is for; every clip if left out. */
  clip?: string;
  /** A role, a joint's name, or a query such as `every foot`: then it holds for each. Not for `balance`. */
  joint?: string;
  /** The point of the joint that counts: in model axes of the aligned reference, carried along by the joint. */
  offset?: Vec3;
  kind: ConstraintKind;
  goal?: ConstraintGoal;
  /** Of a plane: on which side of it the point shall be. `on` if left out. */
  side?: 'above' | 'on' | 'below';
  /** Of a distance: how far from the goal, and whether exactly (if left out), at most or at least. */
  length?: number;
  bound?: 'equal' | 'atMost' | 'atLeast';
  /** Of lookAt: the direction that looks, in model axes of the aligned reference; ahead if left out. */
  axis?: Vec3;
  times?: ConstraintTimes;
  /** How ramps go; `smoother` if left out. */
  ease?: Ease;
  /** How a ramp is done: by giving way (`give`, if left out), or as Monzani et al. have it (`paper`), to compare. */
  ramp?: 'give' | 'paper';
  /** Lower ones come first, exactly: 0 is what stands; 1 if left out. */
  level?: number;
  /** How hard it may pull, against what is usual; 1 if left out. */
  strength?: number;
  /** The topmost joint it may move; all of them, and the body's place, if left out. */
  from?: string;
  /** Whether it is left out for now. */
  muted?: boolean;
  /** What lengths are in; metres if left out. `limb`: lengths of the limb that the joint ends. */
  unit?: 'metres' | 'height' | 'limb';
  /**
   * Where places are counted from: nothing (`model`, if left out); the file's own axes and unit (`file`); the floor
   * (`ground`); where the joint is in the aligned reference (`rest`), in this frame before constraints (`copied`),
   * or where its limb begins in this frame (`limb`).
   */
  space?: ConstraintSpace;
};

/** Something outside the body that goals follow. */
export type OutsideGoal =
  | { type: 'source'; joint: string }
  | { type: 'node'; node: string }
  | { type: 'character'; character: string; joint: string };

/** Where things are that goals follow and the two files do not hold: props, or other characters. Model space, metres. */
export type GoalPlaces = {
  /** Whether there is such a thing. */
  has(goal: OutsideGoal): boolean;
  /** Says in a sentence what is missing where there is no such thing; null where it is there, or is not known. */
  missing?(goal: OutsideGoal): string | null;
  /**
   * Writes the place of a thing at a time of the clip at hand; what is no number does not count in that frame.
   * @param clip The clip's name; none live.
   */
  place(out: Float64Array, i: number, goal: OutsideGoal, time: number, clip: string): void;
};
