import { FLOOR_HEIGHTS } from './contact-rules.js';

/**
 * The height over the floor, in hip heights, that counts for a contact of a hand, elbow, knee, hips, back or head:
 * near the floor it is the floor's, since it is mostly a wrong guess of how thick the body is there. Soles are known.
 */
export function offFloor(height: number): number {
  const size = Math.abs(height);
  if (size <= FLOOR_HEIGHTS) return 0;
  return size >= 2 * FLOOR_HEIGHTS ? height : Math.sign(height) * 2 * (size - FLOOR_HEIGHTS);
}
