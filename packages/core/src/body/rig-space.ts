import type { Vec3 } from '../base/math/vector.js';
import type { Axis } from '../scene/skeleton.js';

/** The file's space as it was read: each with how sure that is (0 to 1), and a reason for a person to read. */
export type RigSpace = {
  /** Unit vector in the file's axes, and why. */
  up: { direction: Vec3; confidence: number; reason: string };
  /** Unit vector in the file's axes, and why. */
  facing: { direction: Vec3; confidence: number; reason: string };
  /** Metres per file unit, and why. */
  unit: { metres: number; confidence: number; reason: string };
  /** Metres from the lowest to the highest joint of the reference pose. */
  height: number;
};

/** Height of the floor in metres of model space, how sure that is (0 to 1), and why. */
export type RigFloor = { height: number; confidence: number; reason: string };

/** What a person may say of a file's space where what is found is wrong; what is left out is found. */
export type SpaceTold = {
  /** Which axis of the file is up. */
  up?: Axis;
  /** Which axis of the file the reference pose looks along. */
  facing?: Axis;
  /** Metres per unit of the file. */
  unit?: number;
  /** How high the floor is along up, over the file's origin, in the file's unit. */
  floor?: number;
};
