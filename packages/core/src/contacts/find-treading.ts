import type { Contact } from '../options/contact.js';
import { SOLE_POINTS } from './body-points.js';
import { CARRIES, SHORTEST_TREAD, STANDING_CONTACTS } from './contact-rules.js';
import { CONTACT_RATE, type PointTracks } from './track-points.js';

/**
 * Finds where feet tread on the floor in a clip in which none ever stands still, as in a run on the spot that somebody
 * keyed by hand: they go back now faster, now slower, so that there is no ground that they would stand on. A body that
 * neither stands nor flies is carried by what is lowest of it; so a foot that is the lowest, near the floor and not on
 * its way forwards carries it. Left as copied, a goblin that jogged was 15 % of its hip height in the air.
 * @param tracks Points of the source, in space.
 * @param heights Per point per instant the height over where it stands, in hip heights.
 * @param ground The velocity of the ground, x and z; 0 where none is known.
 * @returns Per point per instant 1 where it treads; empty where nothing does.
 */
export function findTreading(
  tracks: PointTracks,
  heights: Float64Array,
  contacts: readonly Contact[],
  ground: readonly [number, number],
): Uint8Array {
  const { points, count, positions } = tracks;
  const width = points.length;
  if (contacts.some(({ point }) => SOLE_POINTS.includes(point))) return new Uint8Array(0);
  const soles = points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : []));
  const [vx, vz] = ground[0] !== 0 || ground[1] !== 0 ? ground : wayOf(tracks, soles, heights);
  const treading = new Uint8Array(width * count);
  for (let k = 0; k < count; k++) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < width; n++) lowest = Math.min(lowest, heights[width * k + n]!);
    // A foot that is in the floor on its way forwards carries nothing.
    lowest = Math.max(0, lowest);
    const [a, b] = [Math.max(0, k - 1), Math.min(count - 1, k + 1)];
    for (const n of soles) {
      const height = heights[width * k + n]!;
      const x = positions[3 * (width * b + n)]! - positions[3 * (width * a + n)]!;
      const z = positions[3 * (width * b + n) + 2]! - positions[3 * (width * a + n) + 2]!;
      if (height <= STANDING_CONTACTS.height && height - lowest <= CARRIES && x * vx + z * vz >= 0)
        treading[width * k + n] = 1;
    }
  }
  for (const n of soles) dropShort(treading, n, width, count);
  return treading.includes(1) ? treading : new Uint8Array(0);
}

/** Which way feet go on the mean where they are at the floor, neither over nor under it. */
function wayOf(
  { points, count, positions }: PointTracks,
  soles: readonly number[],
  heights: Float64Array,
): [number, number] {
  const width = points.length;
  let [x, z] = [0, 0];
  for (let k = 1; k < count; k++)
    for (const n of soles) {
      if (Math.abs(heights[width * k + n]!) > STANDING_CONTACTS.height) continue;
      x += positions[3 * (width * k + n)]! - positions[3 * (width * (k - 1) + n)]!;
      z += positions[3 * (width * k + n) + 2]! - positions[3 * (width * (k - 1) + n) + 2]!;
    }
  return [x, z];
}

/** Takes out what is shorter than {@link SHORTEST_TREAD}. */
function dropShort(treading: Uint8Array, n: number, width: number, count: number): void {
  let first = -1;
  for (let k = 0; k <= count; k++) {
    if (k < count && treading[width * k + n] === 1) {
      if (first < 0) first = k;
      continue;
    }
    if (first >= 0 && k - first < SHORTEST_TREAD * CONTACT_RATE)
      for (let j = first; j < k; j++) treading[width * j + n] = 0;
    first = -1;
  }
}
