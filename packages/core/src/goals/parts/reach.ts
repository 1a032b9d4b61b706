import { REACH } from '../goal-rules.js';

/** The stretch that a limb may have: 0.97 of its length, or what it has as copied where that is more. */
export function reachOf(copied: number, length: number): number {
  return Math.max(REACH * length, Math.min(copied, length));
}
