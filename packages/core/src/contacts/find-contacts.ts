import { borrow } from '../base/lend-room.js';
import { exp, hypot, log } from '../base/math/functions.js';
import { selectNth } from '../base/math/select-nth.js';
import type { Vec3 } from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import { finiteClip } from '../clips/edit-clip.js';
import type { Contact } from '../options/contact.js';
import type { Clip } from '../scene/clip.js';
import { addCarryingHands } from './add-carrying-hands.js';
import { bodyPoints, SOLE_POINTS } from './body-points.js';
import {
  CARRIES,
  type ContactOptions,
  DRIFT,
  FLOOR_SLACK,
  GLIDES,
  HALF_WINDOW,
  HELD_CONTACTS,
  LIFTED,
  LOW_PERCENTILE,
  MERGE_DISTANCE,
  POINT_SLACK,
  RESTING_PARTS,
  SHORTEST_SUPPORT,
  SOLE_SLACK,
  STANDING_CONTACTS,
} from './contact-rules.js';
import { restingStretches, restsByFlesh } from './find-resting.js';
import { CONTACT_RATE, type PointTracks, trackPoints } from './track-points.js';

/**
 * Finds when points of a body stand still on something, looking at the whole clip. A point is in contact when
 * it is near what carries it and slow. What carries it is the floor; or, on stairs and slopes, whatever the
 * point stands on while it is the lowest of the body (a foot held still in the air beside a standing one
 * carries nothing).
 */
export function findContacts(rig: Rig, clip: Clip, options: ContactOptions = {}): Contact[] {
  const { points: names } = options;
  const points = bodyPoints(rig);
  const tracks = trackPoints(rig, finiteClip(clip).clip, points);
  const contacts = contactsOfTracks(tracks, options);
  return names ? contacts.filter(({ point }) => names.includes(point)) : contacts;
}

/**
 * Finds contacts in points that were followed already; see {@link findContacts}. In order of points, then time.
 * @param courses What is known of the points already; found if left out.
 */
export function contactsOfTracks(
  tracks: PointTracks,
  options: ContactOptions = {},
  { speeds, heights } = pointCourses(tracks),
): Contact[] {
  const rules = { ...HELD_CONTACTS, ...options };
  const { points, count } = tracks;
  const lowest = lowestPoints(heights, points.length, count);
  const contacts: Contact[] = [];
  for (let n = 0; n < points.length; n++) {
    const path: PointPath = { tracks, n, heights, speeds, lowest };
    const byFlesh = restsByFlesh(points[n]!.name);
    const onFloor = byFlesh ? [] : floorStretches(path, rules, kneelingOf(path));
    didWork(3 * count);
    const raised = mergeStretches(path, [...onFloor, ...supportStretches(path, rules)], rules);
    const found = byFlesh ? restOrRaised(path, raised) : raised;
    didWork(3 * count);
    for (const stretch of found) contacts.push(contactOf(path, stretch));
  }
  return addCarryingHands(tracks, contacts, heights, speeds, lowest);
}

/** Whether the leg of a ball kneels at an instant; null for other points and where it never does. */
function kneelingOf({ tracks, n, heights, speeds }: PointPath): ((k: number) => boolean) | null {
  const { name } = tracks.points[n]!;
  const knee = tracks.points.findIndex((point) => point.name === name.replace('Toe', 'Knee'));
  if (!name.endsWith('Toe') || knee < 0) return null;
  const rests = restingStretches(tracks, knee, heights, speeds);
  if (rests.length === 0) return null;
  return (k) => rests.some(({ first, last }) => first <= k && last >= k);
}

/** Where a part lies on the floor, and where it is held by something that is higher than flesh could make it. */
function restOrRaised({ tracks, n, heights, speeds }: PointPath, raised: CarriedStretch[]): CarriedStretch[] {
  const resting = restingStretches(tracks, n, heights, speeds).map((rest) => ({
    ...rest,
    support: 0,
    sure: true,
  }));
  const higher = raised.filter(
    ({ first, last, support }) =>
      support > RESTING_PARTS.releaseHeight &&
      !resting.some((rest) => rest.first <= last && rest.last >= first),
  );
  return [...resting, ...higher].sort((a, b) => a.first - b.first);
}

type PointPath = {
  tracks: PointTracks;
  /** Which point. */
  n: number;
  heights: Float64Array;
  speeds: Float64Array;
  lowest: Float64Array;
};

/**
 * Instants from first to last, and the height of what carries the point. `sure`: somewhere within the strict limits; one
 * that never is counts as more of a contact beside it, and else not at all.
 */
type CarriedStretch = { first: number; last: number; support: number; sure: boolean };

/** How fast and how high points are over a clip: what contacts are found by. */
export type PointCourses = {
  /** Hip heights a second, per point per instant; see {@link pointSpeeds}. */
  speeds: Float64Array;
  /** Hip heights over where each point stands, per point per instant; see {@link pointHeights}. */
  heights: Float64Array;
  /** How far the floor is from where it is expected, in hip heights; see {@link floorOffset}. */
  floor: number;
};

/** Reads how fast and how high points are, each once, for whoever needs several of these figures. */
export function pointCourses(tracks: PointTracks): PointCourses {
  const speeds = pointSpeeds(tracks);
  // About as much for each point as for a joint.
  const work = tracks.points.length * tracks.count;
  didWork(work);
  const raw = rawHeights(tracks);
  const floor = floorOffset(tracks, speeds, raw);
  didWork(work);
  const heights = lowerHeights(raw, offsetsOn(floor, tracks, speeds, raw));
  return { speeds, heights, floor };
}

/**
 * How far each point stands from where it is expected, in hip heights. A capture's floor is not quite where its
 * skeleton's is: the lowest foot, where it is slow, shows by how much (the 5th percentile, so that a stair is
 * not taken for the floor); then each point's own slow instants show the little that is left.
 */
export function standingOffsets(tracks: PointTracks, speeds = pointSpeeds(tracks)): Float64Array {
  const raw = rawHeights(tracks);
  return offsetsOn(floorOffset(tracks, speeds, raw), tracks, speeds, raw);
}

/** The offsets of points that stand on a floor that is known. */
function offsetsOn(
  floor: number,
  { points, count }: PointTracks,
  speeds: Float64Array,
  raw: Float64Array,
): Float64Array {
  const width = points.length;
  const slow = new Float64Array(count);
  const offsets = new Float64Array(width).fill(floor);
  for (let n = 0; n < width; n++) {
    const slack = SOLE_POINTS.includes(points[n]!.name) ? SOLE_SLACK : POINT_SLACK;
    let found = 0;
    for (let k = 0; k < count; k++) {
      const height = raw[width * k + n]! - floor;
      if (speeds[width * k + n]! < STANDING_CONTACTS.speed && Math.abs(height) < slack)
        slow[found++] = height;
    }
    offsets[n]! += lowPercentile(slow, found) ?? 0;
  }
  return offsets;
}

/** How far the floor that a body moves on is from the one it is expected on, in hip heights; see {@link standingOffsets}. */
export function floorOffset(
  tracks: PointTracks,
  speeds = pointSpeeds(tracks),
  raw = rawHeights(tracks),
): number {
  const { points, count } = tracks;
  const width = points.length;
  const soles = Int32Array.from(points.flatMap(({ name }, n) => (SOLE_POINTS.includes(name) ? [n] : [])));
  const slow = new Float64Array(count);
  let found = 0;
  for (let k = 0; k < count; k++) {
    let lowest = soles[0] ?? -1;
    for (let e = 1; e < soles.length; e++)
      if (raw[width * k + soles[e]!]! < raw[width * k + lowest]!) lowest = soles[e]!;
    if (lowest < 0 || speeds[width * k + lowest]! >= STANDING_CONTACTS.speed) continue;
    const height = raw[width * k + lowest]!;
    if (Math.abs(height) < FLOOR_SLACK) slow[found++] = height;
  }
  return lowPercentile(slow, found) ?? 0;
}

/** The 5th percentile of the first figures, which are reordered; null where they are too few to be a contact. */
function lowPercentile(values: Float64Array, found: number): number | null {
  if (found < STANDING_CONTACTS.shortest * CONTACT_RATE) return null;
  return selectNth(values, found, Math.floor(LOW_PERCENTILE * found));
}

function rawHeights({ points, count, positions, hipHeight, floor }: PointTracks): Float64Array {
  const width = points.length;
  const standing = Float64Array.from(points, (point) => point.standing);
  const heights = borrow(width * count);
  for (let k = 0, i = 0; k < count; k++)
    for (let n = 0; n < width; n++, i++)
      heights[i] = (positions[3 * i + 1]! - floor) / hipHeight - standing[n]!;
  return heights;
}

/** Heights of points over where they stand, in hip heights, per point per instant: 0 on the floor. */
export function pointHeights(tracks: PointTracks, offsets = standingOffsets(tracks)): Float64Array {
  return lowerHeights(rawHeights(tracks), offsets);
}

function lowerHeights(heights: Float64Array, offsets: Float64Array): Float64Array {
  const width = offsets.length;
  for (let i = 0; i < heights.length; i += width)
    for (let n = 0; n < width; n++) heights[i + n]! -= offsets[n]!;
  return heights;
}

/** Speeds of points in hip heights a second, per point per instant, over 66 ms (less at the ends of the clip). */
export function pointSpeeds({ points, count, positions, hipHeight }: PointTracks): Float64Array {
  const width = points.length;
  const speeds = borrow(width * count);
  for (let k = 0; k < count; k++) {
    const a = Math.max(0, k - HALF_WINDOW);
    const b = Math.min(count - 1, k + HALF_WINDOW);
    if (a === b) continue;
    const scale = CONTACT_RATE / ((b - a) * hipHeight);
    for (let n = 0; n < width; n++) {
      const i = 3 * (width * a + n);
      const j = 3 * (width * b + n);
      const x = positions[j]! - positions[i]!;
      const y = positions[j + 1]! - positions[i + 1]!;
      const z = positions[j + 2]! - positions[i + 2]!;
      speeds[width * k + n] = scale * Math.sqrt(x * x + y * y + z * z);
    }
  }
  return speeds;
}

function lowestPoints(heights: Float64Array, width: number, count: number): Float64Array {
  const lowest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k < count; k++)
    for (let n = 0; n < width; n++)
      if (heights[width * k + n]! < lowest[k]!) lowest[k] = heights[width * k + n]!;
  return lowest;
}

type Rules = typeof HELD_CONTACTS;

/** Stretches near a support of a height, slow enough, with hysteresis both ways in time. */
function stretchesAt(
  { tracks, n, heights, speeds }: PointPath,
  support: number,
  rules: Rules,
  from: number,
  to: number,
  kneels: ((k: number) => boolean) | null = null,
): CarriedStretch[] {
  const width = tracks.points.length;
  const stretches: CarriedStretch[] = [];
  let first = -1;
  let sure = false;
  for (let k = from; k <= to + 1; k++) {
    const off = k > to ? Number.POSITIVE_INFINITY : Math.abs(heights[width * k + n]! - support);
    const speed = k > to ? Number.POSITIVE_INFINITY : speeds[width * k + n]!;
    // The loose limits bound a stretch; only one that is within the strict ones somewhere is a contact by itself.
    if (off <= rules.releaseHeight && speed <= rules.releaseSpeed) {
      if (first < 0) first = k;
      // The foot of a leg that kneels stands on the tips of its toes: its ball is as high as a contact may be.
      const height = kneels?.(k) ? rules.releaseHeight : rules.height;
      if (off <= height && speed <= rules.speed) sure = true;
      continue;
    }
    if (first >= 0 && (k - 1 - first) / CONTACT_RATE >= rules.shortest - 1e-6)
      stretches.push({ first, last: k - 1, support, sure });
    first = -1;
    sure = false;
  }
  return stretches;
}

function floorStretches(
  path: PointPath,
  rules: Rules,
  kneels: ((k: number) => boolean) | null,
): CarriedStretch[] {
  return stretchesAt(path, 0, rules, 0, path.tracks.count - 1, kneels);
}

/** Stretches on something that is not the floor: slow, in one place, and the lowest of the body for a while. */
function supportStretches(path: PointPath, rules: Rules): CarriedStretch[] {
  const { tracks, n, heights, speeds, lowest } = path;
  const width = tracks.points.length;
  const shortest = Math.max(rules.shortest, SHORTEST_SUPPORT);
  const stretches: CarriedStretch[] = [];
  let first = -1;
  for (let k = 0; k <= tracks.count; k++) {
    const off =
      k < tracks.count &&
      speeds[width * k + n]! <= rules.releaseSpeed &&
      Math.abs(heights[width * k + n]!) > rules.releaseHeight;
    if (off && first < 0) first = k;
    if (off || first < 0) continue;
    const last = k - 1;
    if ((last - first) / CONTACT_RATE >= shortest - 1e-6) {
      const inside = heightsBetween(path, first, last);
      const support = inside[inside.length >> 1]!;
      let carrying = 0;
      for (let i = first; i <= last; i++) {
        const height = heights[width * i + n]!;
        if (height - lowest[i]! <= CARRIES && Math.abs(height - support) <= rules.height) carrying++;
      }
      const held = stretchesAt(path, support, rules, first, last);
      if (carrying / CONTACT_RATE >= shortest / 2)
        stretches.push(
          ...held.filter(
            (s) =>
              s.sure &&
              (s.last - s.first) / CONTACT_RATE >= shortest - 1e-6 &&
              stays(path, s, rules) &&
              !drifts(path, s),
          ),
        );
    }
    first = -1;
  }
  return stretches;
}

function heightsBetween({ tracks, n, heights }: PointPath, first: number, last: number): Float64Array {
  const width = tracks.points.length;
  return Float64Array.from({ length: last - first + 1 }, (_, i) => heights[width * (first + i) + n]!).sort();
}

/** Whether a point stays in one place rather than gliding slowly through the air. */
function stays(path: PointPath, { first, last }: CarriedStretch, rules: Rules): boolean {
  const { tracks, n } = path;
  const width = tracks.points.length;
  const [x, , z] = meanPlace(path, first, last);
  for (let k = first; k <= last; k++) {
    const i = 3 * (width * k + n);
    const away = hypot(tracks.positions[i]! - x, tracks.positions[i + 2]! - z);
    if (away > GLIDES * rules.height * tracks.hipHeight) return false;
  }
  return true;
}

/** Whether a point slowly rises or sinks all the while, as that of a body that floats: from first to last third. */
function drifts({ tracks, n, heights }: PointPath, { first, last }: CarriedStretch): boolean {
  const width = tracks.points.length;
  const third = Math.max(1, Math.floor((last - first + 1) / 3));
  let rise = 0;
  for (let i = 0; i < third; i++)
    rise += heights[width * (last - i) + n]! - heights[width * (first + i) + n]!;
  return Math.abs(rise / third) * CONTACT_RATE > DRIFT * (last - first + 1 - third);
}

/**
 * Bridges gaps between contacts of one point: two that are d apart when the gap is less than
 * F · exp(−d · ln F / D), with D a tenth of a hip height (F4): ten frames in one place, one frame a tenth
 * away. Not where the point was lifted in between. A stretch that only the loose limits allow goes on with one beside
 * it: a heel that lies still at the limit after its contact slid by all that it was let go from.
 */
function mergeStretches(path: PointPath, stretches: CarriedStretch[], rules: Rules): CarriedStretch[] {
  const merged: CarriedStretch[] = [];
  for (const next of stretches.sort((a, b) => a.first - b.first)) {
    let before = merged[merged.length - 1];
    // A stretch that was never sure and is not gone on with is no contact; the one before it may be gone on with yet.
    if (before && !before.sure && !joins(path, before, next, rules)) {
      merged.pop();
      before = merged[merged.length - 1];
    }
    if (before && joins(path, before, next, rules)) {
      before.last = next.last;
      before.sure ||= next.sure;
    } else merged.push({ ...next, first: Math.max(next.first, (before?.last ?? -1) + 1) });
  }
  return merged.filter(({ first, last, sure }) => sure && last >= first);
}

/** Whether a point goes on standing after a gap; see {@link mergeStretches}. */
function joins(path: PointPath, before: CarriedStretch, next: CarriedStretch, rules: Rules): boolean {
  const { tracks, n, heights } = path;
  const width = tracks.points.length;
  const frames = rules.mergeGap * CONTACT_RATE;
  if (frames <= 1) return false;
  for (let k = before.last + 1; k < next.first; k++)
    if (Math.abs(heights[width * k + n]! - before.support) > LIFTED * rules.releaseHeight) return false;
  const a = meanPlace(path, before.first, before.last);
  const b = meanPlace(path, next.first, next.last);
  const apart = hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / tracks.hipHeight;
  const gap = next.first - before.last - 1;
  return gap < frames * exp((-apart * log(frames)) / MERGE_DISTANCE);
}

function meanPlace({ tracks, n }: PointPath, first: number, last: number): Vec3 {
  const width = tracks.points.length;
  const sum: Vec3 = [0, 0, 0];
  for (let k = first; k <= last; k++)
    for (let c = 0; c < 3; c++) sum[c]! += tracks.positions[3 * (width * k + n) + c]!;
  const scale = 1 / (last - first + 1);
  return [sum[0] * scale, sum[1] * scale, sum[2] * scale];
}

function contactOf(path: PointPath, { first, last, support }: CarriedStretch): Contact {
  return {
    point: path.tracks.points[path.n]!.name,
    start: first / CONTACT_RATE,
    end: last / CONTACT_RATE,
    height: support,
    position: meanPlace(path, first, last),
  };
}
