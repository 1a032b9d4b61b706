import { type Camera, Vector3 } from 'three';
import { boneEnds } from './bones.js';
import type { DrawnBone } from './skeleton-bones.js';

/** Pixels from a bone within which it is meant. */
const NEAR = 12;

const a = new Vector3();
const b = new Vector3();

/**
 * The joint whose bone is nearest to a point of a view, within 12 pixels; −1 for none. Bones are compared on the
 * screen, so that thin ones can be hit and clothes are in nobody's way.
 */
export function pickJoint(
  bones: readonly DrawnBone[],
  matrices: Float64Array,
  camera: Camera,
  size: { width: number; height: number },
  x: number,
  y: number,
): number {
  const near: { bone: DrawnBone; distance: number; isAtStart: boolean }[] = [];
  for (const bone of bones) {
    boneEnds(bone, matrices, a, b);
    const start = toScreen(a, camera, size);
    const end = toScreen(b, camera, size);
    if (!start || !end) continue;
    const distance = distanceToLine(x, y, start, end);
    const isAtStart = Math.hypot(x - start.x, y - start.y) < NEAR;
    if (distance < NEAR) near.push({ bone, distance, isAtStart });
  }
  const nearest = near.reduce<(typeof near)[number] | null>(
    (best, one) => (best && best.distance <= one.distance ? best : one),
    null,
  );
  if (!nearest) return -1;
  // At a joint two bones meet: the one that begins there is meant. What merely passes in front, as a finger does before
  // a leg, does not begin there.
  let best = nearest;
  const costOf = ({ distance, isAtStart }: typeof nearest) => distance - (isAtStart ? 4 : 0);
  for (const one of near) if (one.bone.from === nearest.bone.to && costOf(one) < costOf(best)) best = one;
  return best.bone.from;
}

/** Where a place of model space is in a view, in pixels from its top left; null behind the camera. */
export function toScreen(
  place: Vector3,
  camera: Camera,
  { width, height }: { width: number; height: number },
): { x: number; y: number } | null {
  const seen = place.clone().project(camera);
  if (seen.z > 1 || seen.z < -1) return null;
  return { x: ((seen.x + 1) / 2) * width, y: ((1 - seen.y) / 2) * height };
}

function distanceToLine(
  x: number,
  y: number,
  start: { x: number; y: number },
  end: { x: number; y: number },
): number {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? Math.max(0, Math.min(1, ((x - start.x) * dx + (y - start.y) * dy) / length)) : 0;
  return Math.hypot(x - start.x - along * dx, y - start.y - along * dy);
}
