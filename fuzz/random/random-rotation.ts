import type { Random } from './random.js';

/** A rotation, evenly among all. */
export function randomRotation(random: Random): number[] {
  const parts = [0, 1, 2, 3].map(() => random.unit() + random.unit() + random.unit() - 1.5);
  const length = Math.hypot(...parts);
  return length > 1e-3 ? parts.map((x) => x / length) : [0, 0, 0, 1];
}
