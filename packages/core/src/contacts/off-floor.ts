/**
 * Heights of contacts within this, in hip heights, are the floor's; from twice that on they count in full. A stair is
 * 0.15 and more.
 */
const FLOOR_HEIGHTS = 0.06;

/**
 * The height over the floor, in hip heights, that counts for a contact of a hand, elbow, knee, hips, back or head:
 * near the floor it is the floor's, since it is mostly a wrong guess of how thick the body is there. Soles are known.
 */
export function offFloor(height: number): number {
  const size = Math.abs(height);
  if (size <= FLOOR_HEIGHTS) return 0;
  return size >= 2 * FLOOR_HEIGHTS ? height : Math.sign(height) * 2 * (size - FLOOR_HEIGHTS);
}
