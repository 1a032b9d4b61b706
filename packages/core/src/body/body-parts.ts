import type { Role } from './roles.js';

/**
 * What kind of body a skeleton has, by its shape. A `biped` walks on two legs and is neither person nor bird: a
 * dinosaur, a walking machine.
 */
export type BodyKind = 'humanoid' | 'quadruped' | 'biped' | 'bird' | 'spider' | 'snake' | 'fish' | 'unknown';

type SideWord = 'Left' | 'Right';

/**
 * A part of an animal's body. Spine, neck and tail are counted from the hips outwards, ears and wings from the
 * body outwards, the legs of spiders from front to back. Legs of four-footed animals and of birds (`hind`)
 * are named by anatomy: `LowerLeg` begins at elbow or knee, `Foot` at wrist or hock, `Toes` at the ball.
 */
export type AnimalPart =
  | 'hips'
  | 'head'
  | `${'spine' | 'neck' | 'tail'}${number}`
  | `${'ear' | 'wing' | 'fin'}${SideWord}${number}`
  | `front${SideWord}${'Shoulder' | 'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes'}`
  | `hind${SideWord}${'Hip' | 'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes'}`
  | `leg${number}${SideWord}${number | 'Foot'}`;

/** A part of any body: a role of a humanoid, or a part of an animal. */
export type BodyPart = Role | AnimalPart;

/** Which part of the body a joint is, how sure that is (0 to 1), and why. */
export type PartGuess = { part: BodyPart | null; confidence: number; reason: string };
