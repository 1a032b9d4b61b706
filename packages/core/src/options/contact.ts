import type { Vec3 } from '../base/math/vector.js';
import type { Side } from '../body/roles.js';

/** A place of the body that can carry it: under the ankles, at the balls of the feet, hands, knees … */
export type PointName =
  | `${Side}${'Heel' | 'Toe' | 'Hand' | 'Elbow' | 'Knee'}`
  | `${'front' | 'hind' | `leg${number}`}${'Left' | 'Right'}Foot`
  | 'hips'
  | 'back'
  | 'head'
  | 'hands';

/** What a hand touches other than the ground: a part of its own body; or nothing, where it would be found otherwise. */
export const TOUCH_NAMES = [
  'trunk',
  'head',
  'leftLeg',
  'rightLeg',
  'otherHand',
  'otherArm',
  'carried',
  'nothing',
] as const;

/** One of {@link TOUCH_NAMES}; `carried` is what both hands hold between them. */
export type TouchName = (typeof TOUCH_NAMES)[number];

/** A stretch of time in which a point of the body stands still on something, or a hand touches its own body. Plain data: edit it, keep it as JSON. */
export type Contact = {
  point: PointName;
  /** Seconds. */
  start: number;
  /** Seconds; the last instant of the contact. */
  end: number;
  /** How high what carries the point is over the floor, in hip heights of the body: 0 on the floor, more on stairs. */
  height: number;
  /**
   * The point's mean place during the contact; model space of the source, metres. Move it, and a foot or hand is held
   * elsewhere; knees, elbows, hips, back and head lie where their limbs take them, when this contact says. Null for
   * wherever the source has it.
   */
  position: Vec3 | null;
  /** What a hand touches, where that is no ground: a part of the own body. Of `hands` what they carry: `carried`. */
  on?: TouchName;
  /**
   * How far skin is from skin in a touch, or wrist from wrist where something is carried, in metres of the source. As
   * the source has it where it is left out.
   */
  apart?: number;
};

/** Whether what touches is on the ground, or on whatever carries the body; not on the body itself. */
export function isOnGround({ on }: Pick<Contact, 'on'>): boolean {
  return on === undefined;
}

/** A contact as a person may write it: on the floor where no height is told, wherever the source is. */
export type EditedContact = Omit<Contact, 'height' | 'position'> & Partial<Contact>;
