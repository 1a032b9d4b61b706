import type { ReferencePose } from './reference-pose.js';
import type { Role } from './roles.js';
import type { Skeleton } from './skeleton.js';
import type { Warning } from './warnings.js';

/** Which body part a joint plays, how sure that is (0 to 1), and why. */
export type RoleGuess = { role: Role | null; confidence: number; reason: string };

/** A skeleton that is understood: body parts, reference pose, and a container that leads to model space. */
export type Rig = {
  /** The file's skeleton with its container completed: metres, +Y up, +Z forward. */
  skeleton: Skeleton;
  /** One per joint. */
  guesses: RoleGuess[];
  /** The joint that plays each role found. */
  joints: Partial<Record<Role, number>>;
  reference: ReferencePose;
  /** How the file's space was read. */
  space: RigSpace;
  /** Model space, metres: height of the floor the body stands on in its reference pose. */
  floor: { height: number; reason: string };
  warnings: Warning[];
};

/** The file's space as it was read: each with a reason for a person to read. */
export type RigSpace = {
  /** Unit vector in the file's axes, and why. */
  up: { direction: [number, number, number]; reason: string };
  /** Unit vector in the file's axes, and why. */
  facing: { direction: [number, number, number]; reason: string };
  /** Metres per file unit, and why. */
  unit: { metres: number; reason: string };
  /** Metres from the lowest to the highest joint of the reference pose. */
  height: number;
};
