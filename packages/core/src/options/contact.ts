import type { Vec3 } from '../base/math/vector.js';
import type { Side } from '../body/roles.js';

/** A place of the body that can carry it: under the ankles, at the balls of the feet, hands, knees … */
export type PointName =
  | `${Side}${'Heel' | 'Toe' | 'Hand' | 'Elbow' | 'Knee'}`
  | `${'front' | 'hind' | `leg${number}`}${'Left' | 'Right'}Foot`
  | 'hips'
  | 'back'
  | 'head';

/** A stretch of time in which a point of the body stands still on something. Plain data: edit it, keep it as JSON. */
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
   * elsewhere. Null for wherever the source has it.
   */
  position: Vec3 | null;
};

/** A contact as a person may write it: on the floor where no height is told, wherever the source is. */
export type EditedContact = Omit<Contact, 'height' | 'position'> & Partial<Contact>;
