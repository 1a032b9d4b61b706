import type { Ease } from '../../base/math/easing.js';
import type { Constraint, ConstraintKind, OutsideGoal } from '../../options/constraint.js';
import type { NumberCurve } from '../../options/limb-rules.js';
import type { EditWarning } from '../edit-warnings.js';
import type { VectorCurve } from '../vector-curve.js';
import type { RampTimes } from './ramp.js';
import type { MassModel } from './solve/body-mass.js';
import type { BodyPlan } from './solve/moving-body.js';
import type { TaskDescription } from './solve/task.js';

/** A constraint on one joint that is there. */
export type Resolved = {
  constraint: Constraint;
  index: number;
  at: string;
  joint: number;
  other: number;
  from: number;
  times: RampTimes;
};

/** A stretch of time in which a joint of the body stands; seconds. */
export type Stand = { joint: number; start: number; end: number };

/** What constraints are compiled for, beside the body. */
export type ConstraintContext = {
  /** Seconds. */
  duration: number;
  /** Frames per second, for times given as frames. */
  frameRate: number;
  /** The clip's name: constraints of other clips are left out. */
  clip?: string;
  /** What stands when; null, if left out, where nothing is known. */
  stands?: readonly Stand[] | null;
  /** Whether what stands is held while a constraint counts; it is if left out. */
  hold?: 'contacts' | 'none';
  /** Where the list stands, for messages. */
  at?: string;
  /**
   * Says of a goal outside the body what is missing for it, in a sentence; null where nothing is. A goal that is not
   * there is ignored with that as a warning. All are there if left out.
   */
  missing?: (goal: OutsideGoal) => string | null;
};

/** Where the goal of a frame comes from. Lengths in heights of the body, model space. */
export type CompiledGoal =
  /** Nothing to be read: a point of the own body, or the middle of what stands. */
  | { from: 'body' }
  /** A place, a rotation or a normal. */
  | { from: 'fixed'; values: Float64Array }
  /** A place, or a rotation vector in radians from the aligned reference. */
  | { from: 'keys'; curve: VectorCurve }
  /** A place that the caller gives with the frame, and what is added to it. */
  | { from: 'outside'; index: number; offset: Float64Array }
  /** Where the point was in a pose that was shown; see `ConstraintStep.look`. */
  | { from: 'look' };

/** A constraint on one joint, ready to be solved: plain data. Joints are places in the list of the body's plan. */
export type CompiledConstraint = {
  /** Where it stands in the document, and what it is called there. */
  index: number;
  name: string;
  kind: ConstraintKind;
  /** The joint's index in the skeleton; −1 for balance. */
  joint: number;
  task: TaskDescription;
  /** In the joint's own axes. */
  offset: Float64Array;
  otherOffset: Float64Array;
  goal: CompiledGoal;
  /** What places are counted from in each frame: nothing, the point itself as it came, or a joint. */
  origin: 'none' | 'point' | number;
  length: number;
  times: RampTimes;
  ease: Ease;
  ramp: 'give' | 'paper';
  /** Constraints of one slot are one task: their goals are mixed as they count. */
  slot: number;
};

/** A foot or hand that stands at times, and is held where the attraction has it. */
export type CompiledStand = {
  joint: number;
  /** Whether it keeps its turn too, as feet do. */
  turns: boolean;
  times: RampTimes[];
  /** Slots that move the same limb: while they count, it is not held. */
  rivals: Int32Array;
};

/** Constraints compiled for a body: plain data that crosses to a worker. */
export type ConstraintData = {
  plan: BodyPlan;
  constraints: CompiledConstraint[];
  slots: number;
  /** Per slot those that ask the same of the same point and come first: it counts as far as they do not. */
  firsts: Int32Array[];
  stands: CompiledStand[];
  /** Weights that change over time, by place in the list of the plan. */
  weights: { joint: number; curve: NumberCurve }[];
  mass: MassModel | null;
  /** Places, three numbers each, that every frame must come with. */
  outside: OutsideGoal[];
  /** Seconds at which a pose must be shown before the first frame; see `ConstraintStep.look`. Rising. */
  looks: number[];
  /** How many constraints the document has. */
  count: number;
  warnings: EditWarning[];
};
