import { hypot, lengthOf } from '../base/math/functions.js';
import { selectNth } from '../base/math/select-nth.js';
import { SOLE_POINTS } from './body-points.js';
import {
  ALONG_GROUND,
  EITHER_FOOT,
  FARTHEST_SHIFT,
  GROUND_ALIKE,
  GROUND_INSTANTS,
  GROUND_SPEED,
  HIPS_RISE,
  HIPS_SHIFT,
  HIPS_TRAVEL,
  LOW_INSTANTS,
  ON_GROUND,
  SLOWEST_STEADY,
  STEADY_INSTANTS,
} from './contact-rules.js';
import { CONTACT_RATE, type PointTracks } from './track-points.js';

/**
 * The velocity of the ground under a body that walks on the spot, as games have it: x and z in metres a second, both
 * 0 where it stands still. The foot that is lowest shows it; the hips stay where they are.
 */
export function findTreadmill({ points, count, positions, hipHeight, floor }: PointTracks): [number, number] {
  const soles = points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []));
  const hips = points.findIndex(({ name }) => name === 'hips');
  const width = points.length;
  if (soles.length === 0 || hips < 0 || count < 12) return [0, 0];
  const at = (n: number, k: number, c: number) => positions[3 * (width * k + n) + c]!;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < count; k++) {
    low = Math.min(low, at(hips, k, 1));
    high = Math.max(high, at(hips, k, 1));
  }
  if (high - low > HIPS_RISE * hipHeight) return [0, 0];
  const [xs, zs] = [new Float64Array(count), new Float64Array(count)];
  const sides = new Uint8Array(count);
  let found = 0;
  const rate = CONTACT_RATE / 4;
  for (let k = 2; k < count - 2; k++) {
    let lowest = soles[0]!;
    let height = Number.POSITIVE_INFINITY;
    for (let e = 0; e < soles.length; e++) {
      const own = (at(soles[e]!, k, 1) - floor) / hipHeight - points[soles[e]!]!.standing;
      if (own >= height || own < -ON_GROUND) continue;
      height = own;
      lowest = soles[e]!;
    }
    if (height > ON_GROUND) continue;
    xs[found] = rate * (at(lowest, k + 2, 0) - at(lowest, k - 2, 0));
    zs[found] = rate * (at(lowest, k + 2, 2) - at(lowest, k - 2, 2));
    sides[found++] = /left/i.test(points[lowest]!.name) ? 0 : 1;
  }
  if (found < Math.max(8, LOW_INSTANTS * count)) return [0, 0];
  const ground: [number, number] = [medianOf(xs, found), medianOf(zs, found)];
  const speed = lengthOf(ground);
  if (!(speed > SLOWEST_STEADY * hipHeight)) return [0, 0];
  if (!(speed > GROUND_SPEED * hipHeight) && !goesSteadily(xs, zs, sides, found, ground, hipHeight))
    return [0, 0];
  let alike = 0;
  for (let i = 0; i < found; i++)
    if (hypot(xs[i]! - ground[0], zs[i]! - ground[1]) < GROUND_ALIKE * speed) alike++;
  const seconds = (count - 1) / CONTACT_RATE;
  const gone = hypot(at(hips, count - 1, 0) - at(hips, 0, 0), at(hips, count - 1, 2) - at(hips, 0, 2));
  const travels = gone > HIPS_TRAVEL * speed * seconds + HIPS_SHIFT * hipHeight;
  return alike >= GROUND_INSTANTS * found && !travels ? ground : [0, 0];
}

/** Whether both feet go the ground's way at almost every instant, and far. */
function goesSteadily(
  xs: Float64Array,
  zs: Float64Array,
  sides: Uint8Array,
  found: number,
  [x, z]: readonly [number, number],
  hipHeight: number,
): boolean {
  const square = x * x + z * z;
  const seen = [0, 0];
  const along = [0, 0];
  for (let i = 0; i < found; i++) {
    const side = sides[i]!;
    seen[side]!++;
    if (xs[i]! * x + zs[i]! * z > ALONG_GROUND * square) along[side]!++;
  }
  const isFar = (found / CONTACT_RATE) * Math.sqrt(square) > FARTHEST_SHIFT * hipHeight;
  return (
    isFar &&
    seen.every((count, side) => count >= EITHER_FOOT * found && along[side]! >= STEADY_INSTANTS * count)
  );
}

function medianOf(values: Float64Array, count: number): number {
  return selectNth(values.slice(0, count), count, count >> 1);
}

/** The same tracks seen from moving ground. */
export function onMovingGround(tracks: PointTracks, [vx, vz]: readonly [number, number]): PointTracks {
  if (vx === 0 && vz === 0) return tracks;
  const positions = tracks.positions.slice();
  const width = 3 * tracks.points.length;
  for (let i = 0; i < positions.length; i += 3) {
    const time = Math.floor(i / width) / CONTACT_RATE;
    positions[i] = positions[i]! - vx * time;
    positions[i + 2] = positions[i + 2]! - vz * time;
  }
  return { ...tracks, positions };
}
