import type { JointLimit } from '../solvers/joint-limits.js';

/** How a limb's reference directions are made the source's: not at all, by its end-to-end line, or bone by bone. */
export type AlignmentMode = 'keep' | 'line' | 'bones';

/**
 * How a chain imitates the source's (K20): `worldDelta` turns each joint as its driver has turned from the
 * reference; `direction` besides points each bone where the source's points at that instant (M4), the roll
 * being that of `worldDelta` (M7, MP5); `keep` leaves it in its own reference on whatever carries it.
 */
export type ImitationMode = 'worldDelta' | 'direction' | 'keep';

/**
 * Modes by limb (`leftArm`), by the name of a chain of the target's armature (`Tail1`), `*` for all others; or one
 * for all. All at `keep` is imitation switched off (K21). The hips are in no limb (K19): see `RootRule`.
 */
export type ImitationRule = ImitationMode | Record<string, ImitationMode>;

/**
 * What a joint other than the travelling one takes over of its driver's way from its reference place: nothing
 * (`rest`); all of it, stretched as travel is or as the bone is longer; or all of it in metres (WP6).
 */
export type TranslationMode = 'rest' | 'rootScaled' | 'boneLengthScaled' | 'copied';

/** Translation modes by the target joint's name, `*` for all others; or one for all. */
export type TranslationRule = TranslationMode | Record<string, TranslationMode>;

/** Whether joints grow and shrink as their drivers do, counted from the reference. */
export type ScaleMode = 'rest' | 'copied';

/**
 * A limit, and whose axes it speaks of: the joint's `own`, or the `body`'s, which are those of model space while the
 * body stands in its reference: x to its left, y up, z ahead. Those hold for every rig; `own` if left out.
 */
export type AxedLimit = JointLimit & { axes?: 'own' | 'body' };

/** Limits by the name of a joint of the target, or by role. */
export type JointLimits = Record<string, AxedLimit>;

/**
 * How twist joints take over the twist of arms and shins. `joints`: those that hang on a limb share it by the place of
 * their skin, and the limb's own joints turn exactly as the source's; `limbs`: those too take their share, so that their
 * skin is wrung less at the shoulder; `none`: nobody does. Or shares told by the target joint's name or by role, from 0,
 * which turns as what the bone hangs on, to 1, as what is at its end; others are found.
 */
export type TwistRule = 'joints' | 'limbs' | 'none' | Record<string, number>;
