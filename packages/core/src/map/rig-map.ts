import type { Role } from '../body/roles.js';
import type { Skeleton } from '../scene/skeleton.js';

/** Which source joints drive one target joint, how sure that is (0 to 1), and why. */
export type JointPair = {
  /** Index of the target joint. */
  target: number;
  /**
   * The source joints whose turns the target joint takes over, parents first. The last one is the driver:
   * it carries the turns of those before it (K16).
   */
  sources: number[];
  /**
   * Set where the target's chain has more joints than the source's: this joint takes `weight` (0 to 1) of
   * the way from the turn of source joint `from` to the turn of the driver.
   */
  share?: { from: number; weight: number };
  role: Role | null;
  confidence: number;
  reason: string;
};

/** Who drives whom, and who is left over and why. */
export type RigMap = {
  /** In the target's order, parents first; each target joint at most once. */
  joints: JointPair[];
  unmapped: {
    source: { joint: number; reason: string }[];
    target: { joint: number; reason: string }[];
  };
};

/** The source joint that drives a pair. */
export function driverOf(pair: JointPair): number {
  return pair.sources[pair.sources.length - 1]!;
}

/** The nearest driven joint above a target joint, as its pair; null where nothing above is driven. */
export function carrierOf(
  setup: { target: { skeleton: Skeleton } },
  pairs: ReadonlyMap<number, JointPair>,
  target: number,
): JointPair | null {
  const { parents } = setup.target.skeleton;
  let at = parents[target]!;
  while (at >= 0 && !pairs.has(at)) at = parents[at]!;
  return at >= 0 ? pairs.get(at)! : null;
}
