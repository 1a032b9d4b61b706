import { easeAt } from '../../../base/math/easing.js';
import { hypot, squared } from '../../../base/math/functions.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../../base/math/rotation-vectors.js';
import { type Correction, changeBetween, farOf } from './correction.js';
import { USUAL_STEP } from './find-gaps.js';
import { findUnrest } from './find-unrest.js';
import type { MeetingWay } from './meet-again.js';
import type { SettledFrame } from './settled-frame.js';

/*
 * Where frames still jump after all that answers and bridges can do, what constraints change is drawn anew: per joint its
 * rotation vector becomes the mean of those of the frames around, by the weights (1 − u²)², u from −1 to 1 over h
 * seconds to either side. A velocity that changes by V from one frame to the next then changes by V dt times the largest
 * weight, 15 / 16 h, in each, so that h follows from how large a jump is and how large one may be; further away than that h
 * falls to nothing. The motion underneath keeps all its detail.
 */

/**
 * What counts as a jump. *Rough*: what everyone sees, beyond all that the motion does anywhere in the stretch. *Fine*: what
 * is beyond all that the joint itself does; a trunk that goes calmly shall not start when a foot lands. *Calm*: no jumps, but
 * what is restless without any. *Ends*: nothing inside a stretch, see `fadeEnds`.
 */
export type Care = 'rough' | 'fine' | 'calm' | 'ends';

/** What a frame had before it took another pose; and whether that jumped, by the rough limit. */
export type ChangedFrame = { time: number; was: Correction; jumps: boolean };

/** What a frame near a jump shall take instead. */
export type DrawnFrame = ChangedFrame & {
  turns: Float32Array;
  place: Float32Array;
  /** Per task what is wrong with it, three numbers, as the mean of the frames around has it. */
  errors: Float32Array;
  /** How tasks are met anew from there. */
  way: MeetingWay;
};

/**
 * Whether constraints were at rest before the first and after the last frame of a stretch; and whether they are to begin and
 * end smoothly there.
 */
export type StretchEnds = { before: boolean; after: boolean; fadesIn: boolean; fadesOut: boolean };

/** A change of the velocity, in heights a second, that is none, roughly and finely; and beyond how many times that of the motion it is one. */
const CALM_JUMP = 1.5;
const FINE_JUMP = 0.5;
/** How many frames to either side say what is usual. */
const SEEN_CHANGES = 3;
const OWN_TIMES = 1.75;
/** What of that a jump is brought down to. */
const CALMED = 0.5;
/** Frames that means are taken over, to either side, at least. */
const LEAST_FRAMES = 4;
/** Seconds that they are taken over at most; and that ends fade over. */
export const MOST_SECONDS = 0.25;
/** And where nothing jumps and it jerks: little, as often as it is better for it. */
const RESTLESS_SECONDS = 1 / 12;

/**
 * Draws anew what jumps in frames that follow each other.
 */
export function drawOver(
  frames: readonly SettledFrame[],
  ends: Pick<StretchEnds, 'before' | 'after'>,
  care: Care,
): DrawnFrame[] {
  const isCalm = care === 'calm';
  const widths = isCalm ? widthsOfUnrest(frames) : widthsOfJumps(frames, findJumps(frames, care));
  if (!widths) return [];
  // What is restless may be taken back, whatever jumps beside it.
  const jumps = isCalm ? new Float64Array(frames.length) : findJumps(frames, 'rough');
  const vectors = readVectors(frames);
  const drawn: DrawnFrame[] = [];
  frames.forEach(({ time, correction }, k) => {
    const width = widths[k]!;
    if (!(width > 0)) return;
    const [values, errors] = [vectors[k]!.slice().fill(0), new Float64Array(correction.errors.length)];
    let sum = 0;
    for (const way of [-1, 1])
      for (let n = way < 0 ? k : k + 1; ; n += way) {
        const step = n < 0 || n >= frames.length ? stepOf(frames) : 0;
        const near = Math.min(frames.length - 1, Math.max(0, n));
        const away = Math.abs(frames[near]!.time - time) + step * Math.abs(n - near);
        if (!(away < width)) break;
        const weight = squared(1 - squared(away / width));
        sum += weight;
        // Beyond the stretch nothing is changed, or nobody knows: then it stays as it is there.
        const isRest = (n < 0 && ends.before) || (n >= frames.length && ends.after);
        if (!isRest)
          for (let c = 0; c < values.length; c++) values[c] = values[c]! + weight * vectors[near]![c]!;
        const source = frames[near]!.correction.errors;
        for (let c = 0; c < errors.length; c++) errors[c] = errors[c]! + weight * source[c]!;
        if (frames[way < 0 ? near : Math.min(frames.length - 1, near + 1)]!.isBroken) break;
      }
    const count = correction.turns.length / 4;
    const turns = new Float64Array(4 * count);
    const mean = values.map((x) => x / sum);
    for (let i = 0; i < count; i++) quaternionOfVector(turns, 4 * i, mean, 3 * i);
    drawn.push({
      time,
      turns: Float32Array.from(turns),
      place: Float32Array.from(mean.subarray(3 * count)),
      errors: Float32Array.from(errors, (x) => x / sum),
      way: care === 'rough' ? 'near' : 'limbs',
      was: correction,
      jumps: jumps[k]! > 1,
    });
  });
  return drawn;
}

function stepOf(frames: readonly SettledFrame[]): number {
  return frames.length > 1 ? frames[1]!.time - frames[0]!.time : MOST_SECONDS;
}

/** By how much frames jump: per frame the largest change of velocity over the limit of its joint. */
export function findJumps(frames: readonly SettledFrame[], care: Care): Float64Array {
  const count = (frames[0]?.attraction.length ?? 0) / 3;
  const own = ownJumps(frames);
  const changes = frames.map(() => new Float64Array(count));
  for (let k = 1; k + 1 < frames.length; k++) {
    const [a, b, c] = [frames[k - 1]!, frames[k]!, frames[k + 1]!];
    if (b.isBroken || c.isBroken) continue;
    const seconds = secondsOf(a, c);
    const before = changeBetween(a.correction, b.correction);
    const change = changeBetween(b.correction, c.correction).map((x, i) => x - before[i]!);
    const [p, q, r] = [a.correction.spots, b.correction.spots, c.correction.spots];
    const spots = q.map((x, i) => p[i]! - 2 * x + r[i]!);
    for (let n = 0; n < count; n++) changes[k]![n] = farOf(spots, change, 3 * n) / seconds;
  }
  const roughly = limitOf(own);
  return Float64Array.from(frames, ({ isSettled }, k) => {
    let over = 0;
    for (let n = 0; n < count; n++) {
      const change = changes[k]![n]!;
      over = Math.max(over, change / roughly);
      const limit = Math.min(roughly, Math.max(FINE_JUMP, OWN_TIMES * own[n]!));
      if (care === 'fine' && !isSettled && change > limit)
        over = Math.max(over, (change - usualChange(changes, k, n)) / limit);
    }
    return over;
  });
}

/** Seconds that a change of the velocity in the middle of three frames is told for. */
function secondsOf(a: SettledFrame, c: SettledFrame): number {
  const step = (c.time - a.time) / 2;
  // See `USUAL_STEP`: over a longer step the velocity of what is smooth changes by more.
  return step * Math.max(1, step / USUAL_STEP);
}

/** Per joint or tip the largest change of velocity that the motion has by itself, in heights a second. */
function ownJumps(frames: readonly SettledFrame[]): Float64Array {
  const own = new Float64Array((frames[0]?.attraction.length ?? 0) / 3);
  for (let k = 1; k + 1 < frames.length; k++) {
    const [a, b, c] = [frames[k - 1]!, frames[k]!, frames[k + 1]!];
    if (b.isBroken || c.isBroken) continue;
    const seconds = secondsOf(a, c);
    for (let n = 0; n < own.length; n++)
      own[n] = Math.max(own[n]!, bend(a.attraction, b.attraction, c.attraction, 3 * n) / seconds);
  }
  return own;
}

/** The change of velocity beyond which everyone sees a jump in a stretch, in heights a second. */
export function roughLimit(frames: readonly SettledFrame[]): number {
  return limitOf(ownJumps(frames));
}

function limitOf(own: Float64Array): number {
  return Math.max(CALM_JUMP, OWN_TIMES * own.reduce((most, x) => Math.max(most, x), 0));
}

/** What velocities of a joint change by in most of the frames around one: all that is fast and smooth. */
function usualChange(changes: readonly Float64Array[], k: number, n: number): number {
  const near: number[] = [];
  for (let d = -SEEN_CHANGES; d <= SEEN_CHANGES; d++) near.push(changes[k + d]?.[n] ?? 0);
  return near.sort((a, b) => a - b)[SEEN_CHANGES]!;
}

/** Per frame over how many seconds means are to be taken; null where nothing jumps. */
function widthsOfJumps(frames: readonly SettledFrame[], jumps: Float64Array): Float64Array | null {
  const step = stepOf(frames);
  return widenAll(
    frames,
    Array.from(jumps, (jump) => (jump > 1 ? Math.max(LEAST_FRAMES, (0.94 * jump) / CALMED) * step : 0)),
  );
}

/** The same where nothing jumps; null where it is calm. */
function widthsOfUnrest(frames: readonly SettledFrame[]): Float64Array | null {
  const width = Math.max(LEAST_FRAMES * stepOf(frames), RESTLESS_SECONDS);
  return widenAll(frames, findUnrest(frames)?.map((isRestless) => (isRestless ? width : 0)) ?? []);
}

/** Lets widths of single frames fall to nothing over the frames around them. */
function widenAll(frames: readonly SettledFrame[], wanted: readonly number[]): Float64Array | null {
  if (!wanted.some((width) => width > 0)) return null;
  const step = stepOf(frames);
  const widths = new Float64Array(frames.length);
  wanted.forEach((most, k) => {
    if (!(most > 0)) return;
    const width = Math.min(MOST_SECONDS, most);
    for (const way of [-1, 1])
      for (let n = k; n >= 0 && n < frames.length; n += way) {
        const away = Math.abs(frames[n]!.time - frames[k]!.time) / (2 * width);
        if (away >= 1) break;
        const here = width * easeAt('smooth', 2 - 2 * away);
        if (here > step) widths[n] = Math.max(widths[n]!, here);
        if (frames[way < 0 ? n : Math.min(frames.length - 1, n + 1)]!.isBroken) break;
      }
  });
  return widths;
}

function bend(a: Float32Array, b: Float32Array, c: Float32Array, n: number): number {
  return hypot(
    a[n]! - 2 * b[n]! + c[n]!,
    a[n + 1]! - 2 * b[n + 1]! + c[n + 1]!,
    a[n + 2]! - 2 * b[n + 2]! + c[n + 2]!,
  );
}

const quaternion = new Float64Array(4);

/** Per frame the rotation vectors of all joints, each told so that it is near that of the frame before, and the hips' way. */
export function readVectors(frames: readonly SettledFrame[]): Float64Array[] {
  let last: Float64Array | null = null;
  return frames.map(({ correction: { turns, place } }) => {
    const count = turns.length / 4;
    const vectors = new Float64Array(3 * count + 3);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 4; c++) quaternion[c] = turns[4 * i + c]!;
      vectorOfQuaternion(vectors, 3 * i, quaternion);
      if (last) tellNear(vectors, last, 3 * i);
    }
    vectors.set(place, 3 * count);
    last = vectors;
    return vectors;
  });
}

/** A turn by φ is one by φ − 2π about the same axis: takes the one that is nearer to the turn before. */
function tellNear(v: Float64Array, near: Float64Array, o: number): void {
  const angle = hypot(v[o]!, v[o + 1]!, v[o + 2]!);
  if (!(angle > 0)) return;
  const k = (angle - 2 * Math.PI) / angle;
  let [as, other] = [0, 0];
  for (let c = o; c < o + 3; c++) {
    as += squared(v[c]! - near[c]!);
    other += squared(k * v[c]! - near[c]!);
  }
  if (other < as) for (let c = o; c < o + 3; c++) v[c] = k * v[c]!;
}
