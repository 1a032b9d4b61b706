import type { Role } from './roles.js';

/** Which source joints drive one target joint, how sure that is (0 to 1), and why. */
export type JointPair = {
  /** Index of the target joint. */
  target: number;
  /**
   * The source joints whose turns the target joint takes over, parents first. The last one is the driver:
   * it carries the turns of those before it (K16).
   */
  sources: number[];
  /** Where the target chain has more joints than the source: how much of the driver's turn this joint takes, the rest coming from `shareFrom`. */
  share?: { from: number; weight: number };
  role: Role | null;
  confidence: number;
  reason: string;
};

/** Who drives whom, and who is left over and why. */
export type RigMap = {
  joints: JointPair[];
  unmapped: {
    source: { joint: number; reason: string }[];
    target: { joint: number; reason: string }[];
  };
};
