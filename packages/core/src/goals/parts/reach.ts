/** A planted limb is not stretched farther than this share of its length, unless the copied one is. */
export const REACH = 0.97;

/** The stretch that a limb may have: 0.97 of its length, or what it has as copied where that is more. */
export function reachOf(copied: number, length: number): number {
  return Math.max(REACH * length, Math.min(copied, length));
}
