import { squared } from '../../base/math/functions.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { framesOver } from '../grid-rate.js';

/** A stretch of frames in which both hands hold one thing between them. */
export type FoundCarry = {
  first: number;
  last: number;
  /** How far the wrists are from each other on the mean, in metres. */
  apart: number;
  /** The same of the target, where it was found; see `writeWants`. */
  onTarget?: number;
};

/**
 * Where hands are over a clip: per frame left palm, right palm and chest, each as its axes (x, y, z) and its place, the
 * wrist's of palms, 12 numbers each; then the places of both shoulders.
 */
export type HandCourse = {
  count: number;
  /** Frames a second. */
  rate: number;
  hands: Float32Array;
  /** Mean length of the arms, in metres. */
  arm: number;
  /** The ways ahead and up in the chest's axes: xyz; null where there is no chest. */
  ahead: Float64Array | null;
  up: Float64Array | null;
};

/** Numbers of a frame of {@link HandCourse}, and of each of the three in it that have axes. */
export const HAND_FRAME = 42;
const FRAME = 12;
const CHEST = 24;
const SHOULDERS = 36;

/** Seconds before and after it in which hands come to what they carry, and let it go. */
const CARRY_LEAD = 0.1;

/** As many frames of a course as hands take to come to what they carry. */
export function carryLead({ rate }: { rate: number }): number {
  return Math.round(CARRY_LEAD * rate);
}

/** Wrists keep their distance that are nearer than this to the mean, as a share of it, */
const KEEPS_DISTANCE = 0.02;
/** each seen from the other in one direction but for this: a cosine, of 8°; */
const KEEPS_DIRECTION = 0.990268;
/** for so many seconds at least. */
const SHORTEST_CARRY = 0.4;
/** Arm lengths: hands carry that are no farther apart, that go so far as the chest sees them, and that are so far ahead of it. */
const WIDEST_CARRY = 1.3;
const LEAST_WAY = 0.1;
const LEAST_AHEAD = 0.1;
/**
 * Hands that rest on knees, on rungs or on the floor keep their distance too, and a chest that breathes sees them go. What
 * is carried goes somewhere in space: so many arm lengths from the middle of its places.
 */
const LEAST_TRAVEL = 0.15;
/**
 * Arms that hang are this straight, in arm lengths, and go no farther ahead for what they go down along the trunk: 35°.
 * They keep distance and direction as long as somebody stands, and are 1.2 arm lengths apart, as with a box.
 */
const HANGS_STRAIGHT = 0.9;
const HANGS_DOWN = 0.7;
/** Of a stretch that is none of both hands carrying, what begins in the first part of it is none either. */
const SKIPPED_PART = 0.25;

/**
 * Finds stretches in which hands keep their distance as if they held one thing: wrists that stay as far from each other,
 * each in one direction as the other hand sees it, before the chest and going somewhere. Distance alone is kept by
 * hands that hang or rest, too.
 */
export function findCarried(course: HandCourse): FoundCarry[] {
  const { count, rate, arm } = course;
  const found: FoundCarry[] = [];
  const shortest = SHORTEST_CARRY * rate;
  let first = 0;
  while (first < count) {
    const last = endOfStretch(course, first);
    const isLong = last - first + 1 >= shortest;
    const goes = (hand: number) =>
      wayOf(course, hand, first, last) > LEAST_WAY * arm &&
      travelOf(course, hand, first, last) > LEAST_TRAVEL * arm;
    if (isLong && goes(0) && goes(1)) {
      // Arms that hang, and then lean with the trunk as it sits down, carry nothing at any time.
      if (!hang(course, first, last)) found.push({ first, last, apart: meanApart(course, first, last) });
      first = last + 1;
    } else first += isLong ? Math.ceil(SKIPPED_PART * (last - first + 1)) : 1;
  }
  return found;
}

/**
 * Finds stretches as {@link findCarried} does at the instants that contacts are looked for at, whatever the rate of the
 * frames: what is carried is held in all of them that it lies between.
 */
export function findCarriedOnGrid(course: HandCourse): FoundCarry[] {
  const { count, rate } = course;
  if (rate === CONTACT_RATE) return findCarried(course);
  const dense = Math.floor(((count - 1) * CONTACT_RATE) / rate + 1e-3) + 1;
  const found = findCarried({
    ...course,
    count: dense,
    rate: CONTACT_RATE,
    hands: atContacts(course, dense),
  });
  return found.map(({ first, last, apart }) => {
    const [from, to] = framesOver(first / CONTACT_RATE, last / CONTACT_RATE, rate);
    return { first: from, last: Math.min(to, count - 1), apart };
  });
}

/** Where hands are at the instants that contacts are looked for at: places on lines between frames, axes as long as before. */
function atContacts({ hands, count, rate }: HandCourse, dense: number): Float32Array {
  const out = new Float32Array(HAND_FRAME * dense);
  for (let k = 0; k < dense; k++) {
    const at = Math.min((k * rate) / CONTACT_RATE, count - 1);
    const from = Math.floor(at);
    const [a, b] = [HAND_FRAME * from, HAND_FRAME * Math.min(from + 1, count - 1)];
    const o = HAND_FRAME * k;
    for (let c = 0; c < HAND_FRAME; c++)
      out[o + c] = hands[a + c]! + (at - from) * (hands[b + c]! - hands[a + c]!);
    for (let axis = o; axis < o + SHOULDERS; axis += FRAME)
      for (let i = axis; i < axis + 9; i += 3) {
        const long = Math.sqrt(squared(out[i]!) + squared(out[i + 1]!) + squared(out[i + 2]!));
        for (let c = 0; c < 3 && long > 0; c++) out[i + c] = out[i + c]! / long;
      }
  }
  return out;
}

/** How far wrists are from each other on the mean of some frames, in metres. */
export function meanApart(course: Pick<HandCourse, 'hands'>, first: number, last: number): number {
  let sum = 0;
  for (let k = first; k <= last; k++) sum += distanceAt(course, k);
  return sum / (last - first + 1);
}

/** Whether hands of a frame might carry something, as far as it and the one before it tell. */
export function mayCarry(course: HandCourse, k: number): boolean {
  if (!isAhead(course, k)) return false;
  if (k === 0) return true;
  const [now, before] = [distanceAt(course, k), distanceAt(course, k - 1)];
  // Hands that come to what they carry are to be seen a few frames before they do, and in frames that are farther apart they
  // come nearer to each other by more from each to the next.
  const wide = course.rate < CONTACT_RATE ? (2 * CONTACT_RATE) / course.rate : 1;
  return Math.abs(now - before) < wide * KEEPS_DISTANCE * now && seesAsIn(course, k, k - 1, wide);
}

/** The last frame of the longest stretch from a frame on in which hands keep distance and direction; the one before it for none. */
function endOfStretch(course: HandCourse, first: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  let farthest = 0;
  for (let k = first; k < course.count; k++) {
    if (!isAhead(course, k)) return k - 1;
    const apart = distanceAt(course, k);
    nearest = Math.min(nearest, apart);
    farthest = Math.max(farthest, apart);
    if (farthest - nearest > KEEPS_DISTANCE * (farthest + nearest)) return k - 1;
    // Directions that are within 8° of one in the middle are within 8° of each other's means; the first stands for it.
    if (!seesAsIn(course, k, first)) return k - 1;
  }
  return course.count - 1;
}

/** Whether both hands are ahead of the chest, and not too far from each other. */
function isAhead({ hands, ahead, arm }: HandCourse, k: number): boolean {
  if (!ahead) return false;
  const o = HAND_FRAME * k;
  const chest = o + CHEST;
  let square = 0;
  let left = 0;
  let right = 0;
  for (let c = 0; c < 3; c++) {
    const way =
      hands[chest + c]! * ahead[0]! + hands[chest + 3 + c]! * ahead[1]! + hands[chest + 6 + c]! * ahead[2]!;
    left += way * (hands[o + 9 + c]! - hands[chest + 9 + c]!);
    right += way * (hands[o + FRAME + 9 + c]! - hands[chest + 9 + c]!);
    square += squared(hands[o + FRAME + 9 + c]! - hands[o + 9 + c]!);
  }
  const least = LEAST_AHEAD * arm;
  return left > least && right > least && square < squared(WIDEST_CARRY * arm) && square > 0;
}

/** Whether both arms hang down along the trunk in a quarter of some frames. */
function hang(course: HandCourse, first: number, last: number): boolean {
  let count = 0;
  for (let k = first; k <= last; k++) if (hangs(course, k, 0) && hangs(course, k, 1)) count++;
  return 4 * count >= last - first + 1;
}

function hangs({ hands, ahead, up, arm }: HandCourse, k: number, hand: number): boolean {
  if (!ahead || !up) return false;
  const o = HAND_FRAME * k;
  const chest = o + CHEST;
  let square = 0;
  let forward = 0;
  let down = 0;
  for (let c = 0; c < 3; c++) {
    const way = hands[o + FRAME * hand + 9 + c]! - hands[o + SHOULDERS + 3 * hand + c]!;
    const [x, y, z] = [hands[chest + c]!, hands[chest + 3 + c]!, hands[chest + 6 + c]!];
    square += way * way;
    forward += way * (x * ahead[0]! + y * ahead[1]! + z * ahead[2]!);
    down -= way * (x * up[0]! + y * up[1]! + z * up[2]!);
  }
  return square > squared(HANGS_STRAIGHT * arm) && forward < HANGS_DOWN * down;
}

/** How far the wrists are from each other in a frame, in metres. */
export function distanceAt({ hands }: Pick<HandCourse, 'hands'>, k: number): number {
  const o = HAND_FRAME * k;
  let square = 0;
  for (let c = 0; c < 3; c++) square += squared(hands[o + FRAME + 9 + c]! - hands[o + 9 + c]!);
  return Math.sqrt(square);
}

/** Whether each hand sees the other in the direction of another frame, but for so many times the angle that it may be off. */
function seesAsIn(course: HandCourse, k: number, other: number, wide = 1): boolean {
  const least = 1 - squared(wide) * (1 - KEEPS_DIRECTION);
  const scale = 1 / (distanceAt(course, k) * distanceAt(course, other));
  for (let hand = 0; hand < 2; hand++) {
    let dot = 0;
    for (let c = 0; c < 3; c++) dot += seenAlong(course, k, hand, c) * seenAlong(course, other, hand, c);
    if (!(dot * scale > least)) return false;
  }
  return true;
}

/** The way to the other wrist along an axis of a palm. */
function seenAlong({ hands }: HandCourse, k: number, hand: number, axis: number): number {
  const own = HAND_FRAME * k + FRAME * hand;
  const other = HAND_FRAME * k + FRAME * (1 - hand);
  let along = 0;
  for (let c = 0; c < 3; c++)
    along += hands[own + 3 * axis + c]! * (hands[other + 9 + c]! - hands[own + 9 + c]!);
  return along;
}

/** How far a wrist comes from the middle of its places, in metres. */
function travelOf({ hands }: HandCourse, hand: number, first: number, last: number): number {
  const at = (k: number, c: number) => hands[HAND_FRAME * k + FRAME * hand + 9 + c]!;
  const middle = [0, 0, 0];
  for (let k = first; k <= last; k++) for (let c = 0; c < 3; c++) middle[c]! += at(k, c) / (last - first + 1);
  let most = 0;
  for (let k = first; k <= last; k++) {
    let square = 0;
    for (let c = 0; c < 3; c++) square += squared(at(k, c) - middle[c]!);
    most = Math.max(most, square);
  }
  return Math.sqrt(most);
}

/** How far a wrist goes as the chest sees it, in metres. */
function wayOf({ hands }: HandCourse, hand: number, first: number, last: number): number {
  let way = 0;
  for (let k = first; k <= last; k++) {
    const wrist = HAND_FRAME * k + FRAME * hand + 9;
    const chest = HAND_FRAME * k + CHEST;
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const axis = chest + 3 * c;
      const along =
        hands[axis]! * (hands[wrist]! - hands[chest + 9]!) +
        hands[axis + 1]! * (hands[wrist + 1]! - hands[chest + 10]!) +
        hands[axis + 2]! * (hands[wrist + 2]! - hands[chest + 11]!);
      square += squared(along - seen[c]!);
      seen[c] = along;
    }
    if (k > first) way += Math.sqrt(square);
  }
  return way;
}

/** Where the chest has seen a wrist in the frame before. */
const seen = new Float64Array(3);
