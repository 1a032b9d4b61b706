import type { ImitationRule } from '../align/imitation.js';
import type { ScaleMode, TranslationRule } from '../align/joint-channels.js';
import type { RootRule } from '../align/root-rule.js';
import type { Limb } from '../body/roles.js';
import type { LimbScalings } from '../goals/limb-scaling.js';
import type { ReachMode } from '../goals/limb-solving.js';
import type { AlignmentMode } from '../measures/report.js';
import type { GroundHeight } from '../passes/feet-setup.js';
import type { JointLimits } from '../passes/limit-joints.js';
import type { LookRule } from '../passes/look-setup.js';
import type { GroundRule } from '../passes/match-ground.js';
import type { Spacing } from '../passes/space-limbs.js';
import type { Constraint, GoalPlaces } from './constraint.js';
import type { Layer } from './layer.js';
import type { LimbSolvers } from './limb-solvers.js';

/** What a setup may be told; every part has a default. */
export type SetupOptions = {
  /** How a limb's reference directions are aligned, per limb. */
  alignment?: Partial<Record<Limb, AlignmentMode>>;
  /** Overrides of the measured root scales. */
  rootScales?: { horizontal?: number; vertical?: number };
  /** What happens to travel: stays on the hips, moves to the joint above them, or is taken out. */
  rootMotion?: RootMotion;
  /** The joint of either side, or the body part, that root motion is read from; the hips if left out. */
  rootMotionJoint?: string;
  /** What the root takes over: place, turn, and how far the place is scaled. */
  root?: RootRule;
  /** How chains imitate the source's: by limb, by chain, or all; by their turns if left out. */
  imitation?: ImitationRule;
  /** Whether joints that hang otherwise than their drivers are left out; they are not if left out. */
  checkHierarchy?: boolean;
  /** How joints other than the travelling one are moved in their parents; see `TranslationMode`. */
  translations?: TranslationRule;
  /** Whether joints are scaled as their drivers are, from the reference; they are if left out. */
  scales?: ScaleMode;
  /** Whether, and by which joint, the body's height is matched to the source's over time; it is not if left out. */
  ground?: GroundRule;
  /**
   * Whether feet and hands are corrected, where both bodies have legs. They are (`auto`) if left out, unless keys are
   * to be kept or passes are chosen without those that correct; see {@link chooseCorrections}. Corrections are baked.
   */
  corrections?: 'none' | 'auto';
  /** Goals of arms and legs between the place of the source's end and the same reach; where corrected. */
  limbScalings?: LimbScalings;
  /** Limits that joints are held within, copied and solved, by joint name or role; none if left out. */
  limits?: JointLimits;
  /** How legs and arms reach their goals, by limb; by their two bones if left out. Where corrected. */
  solvers?: LimbSolvers;
  /** Whether arms reach by themselves (`limbs`, if left out) or the spine gives way for both (`together`); likewise. */
  reach?: ReachMode;
  /** How far arms and legs are spread; not at all if left out. */
  spacing?: Spacing;
  /** What head and eyes look at; they are as copied if left out. */
  lookAt?: LookRule;
  /** How high the ground is where it is not the even floor that the motion was made for. */
  groundHeight?: GroundHeight;
  /** What joints shall do for a time, in the times of the source's clips; see docs/constraints.md. */
  constraints?: readonly Constraint[];
  /** Curves that are added to the motion, in the times of the source's clips. */
  layers?: readonly Layer[];
  /** Whether what stands is held while a constraint pulls (`contacts`, if left out), or may be pulled along. */
  hold?: 'contacts' | 'none';
  /** Where props and other characters are that goals of constraints follow. */
  goalPlaces?: GoalPlaces;
};

/**
 * What happens to the body's travel over the ground: it stays on the hips; moves to the joint above them
 * (`extract`); is taken out and given apart, for whoever carries the character (`apart`); or is taken out and
 * dropped, heading aside (`inPlace`).
 */
export type RootMotion = 'keep' | 'extract' | 'apart' | 'inPlace';
