import { RetargetError } from '../base/errors.js';
import type { Clip } from '../scene/clip.js';
import { frameTimes, refuseHugeBake } from '../scene/motion.js';
import { isStill } from '../scene/still-track.js';

/** Keys closer than this are one: a tenth of a millisecond, above the rounding of float32 times in long clips. */
const SAME_KEY_TIME = 1e-4;
/** Gaps longer than this are filled: slower than any frame rate people bake at. */
const LONGEST_GAP = 1 / 23;
/** How many frames a second are put into a gap. */
const FILL_RATE = 30;
/**
 * The same where limbs are bent until feet and hands hold: what comes of that is no line, however straight the source
 * went, and at 30 a second it shook two to ten times as much as the plain copy of cubic keys, which stay cubic.
 */
export const CORRECTED_FILL_RATE = 60;

/**
 * A longer gap, in seconds, gets no more frames than one of this length: between two keys everything goes along one
 * curve, a half turn at most, however long it takes, and a hundred and twenty steps show it. Few keys over hours would
 * be millions of frames.
 */
const LONGEST_FILLED = 4;

/**
 * The times at which a clip is baked so that no key is skipped: every key of every track of the joints that
 * matter, from 0 to the clip's end, with frames filled in where keys are sparse, as many as four seconds have in gaps
 * that are longer. A step to another value gets a
 * frame just before it, so that it stays a step.
 * @param matters Whether a joint's tracks are looked at.
 * @param rate How many frames a second are put where keys are sparse. Where it is more than the usual 30 keys of cubic
 * curves are sparse up to that rate: what lies between two of them is no line.
 * @returns the times of the tracks themselves where those are all that is needed.
 * @throws RetargetError where that would be more than a million frames.
 */
export function bakeTimes(clip: Clip, matters: (joint: number) => boolean, rate = FILL_RATE): Float32Array {
  refuseHugeBake(clip.duration * rate, clip.duration, clip.name);
  /** Each but once: many files and engines have a list of the same times for every track. */
  const lists: Clip['tracks'][number]['times'][] = [];
  const steps: (typeof clip.tracks)[number]['times'][] = [];
  let longest = LONGEST_GAP;
  for (const track of clip.tracks) {
    if (!matters(track.joint) || (track.times.length === 1 && track.times[0] === 0)) continue;
    if (!lists.some((known) => areSameTimes(known, track.times))) lists.push(track.times);
    // Exporters write what stands still as steps: those are none.
    if (track.interpolation === 'step' && !isStill(track)) steps.push(track.times);
    if (track.interpolation === 'cubic' && rate > FILL_RATE) longest = Math.min(longest, 1.2 / rate);
  }
  const [only] = lists;
  if (lists.length === 1 && steps.length === 0 && isBakedAlready(only!, clip.duration, longest)) return only;
  const sorted = sortedTimes(lists, steps, clip.duration);
  const kept: number[] = [];
  for (const time of sorted) {
    const last = kept[kept.length - 1];
    if (last !== undefined && time - last < SAME_KEY_TIME) continue;
    if (last !== undefined && time - last > longest) {
      const steps = Math.ceil(Math.min(time - last, LONGEST_FILLED) * rate - 1e-3);
      for (let n = 1; n < steps; n++) kept.push(last + ((time - last) * n) / steps);
    }
    kept.push(time);
  }
  return Float32Array.from(kept);
}

function areSameTimes(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** Whether times are those of a bake as they are, as in most files. */
function isBakedAlready(
  times: Clip['tracks'][number]['times'],
  duration: number,
  longest: number,
): times is Float32Array {
  const last = times.length - 1;
  if (!(times instanceof Float32Array) || times[0] !== 0 || Math.fround(duration) !== times[last])
    return false;
  for (let k = 0; k < last; k++) {
    const gap = times[k + 1]! - times[k]!;
    if (!(gap >= SAME_KEY_TIME && gap <= longest)) return false;
  }
  return true;
}

function sortedTimes(
  lists: readonly ArrayLike<number>[],
  steps: readonly ArrayLike<number>[],
  duration: number,
): Float64Array {
  const all = new Float64Array([...lists, ...steps].reduce((sum, { length }) => sum + length, 2));
  let count = 1;
  let isRising = true;
  const add = (time: number) => {
    if (!(time >= 0 && time <= duration + SAME_KEY_TIME)) return;
    if (time < all[count - 1]!) isRising = false;
    all[count++] = time;
  };
  for (const times of lists) for (let k = 0; k < times.length; k++) add(times[k]!);
  for (const times of steps) for (let k = 0; k < times.length; k++) add(times[k]! - 10 * SAME_KEY_TIME);
  add(Math.max(duration, 0));
  const sorted = all.subarray(0, count);
  return isRising ? sorted : sorted.sort();
}

/** Rates that people bake at, the likeliest first; and where limbs are corrected, what of that is dense enough. */
const USUAL_RATES = [30, 24, 25, 60, 50];
const CORRECTED_RATES = [60, 48, 50];
/** Keys so far from a frame, as a share of a frame, still stand on it: float32 times, and exporters' rounding. */
const ON_FRAME = 0.03;
/**
 * Few keys over a long time stay few: more than this, frames times tracks, are made only where the source has as many.
 * Nineteen minutes between two keys of a hundred joints were seven million, and half a gigabyte as BVH.
 */
const MOST_FILLED = 1_000_000;
/** The same where constraints are met in every frame, which may take a hundred times as long as all else. */
const MOST_FILLED_CONSTRAINED = 50_000;

/**
 * The times at which a clip is baked at one even rate, from 0 to its end: the source's own frames where its keys are
 * dense and even; else the frames of the rate on whose grid most of its keys lie; else of 30 a second, or 60 where limbs
 * are corrected.
 * @param matters Whether a joint's tracks are looked at.
 * @returns the times of the tracks themselves where those are all that is needed.
 * @throws RetargetError where that would be more than a million frames.
 */
export function evenTimes(
  clip: Clip,
  matters: (joint: number) => boolean,
  isCorrected: boolean,
  isConstrained = false,
): Float32Array {
  const usual = isCorrected ? CORRECTED_FILL_RATE : FILL_RATE;
  refuseHugeBake(clip.duration * usual, clip.duration, clip.name);
  const lists: Clip['tracks'][number]['times'][] = [];
  let moving = 0;
  for (const { joint, times } of clip.tracks) {
    if (!matters(joint) || (times.length === 1 && times[0] === 0)) continue;
    moving++;
    if (!lists.some((known) => areSameTimes(known, times))) lists.push(times);
  }
  const [only] = lists;
  if (lists.length === 1 && isBakedAlready(only!, clip.duration, LONGEST_GAP) && isEven(only)) return only;
  const keys = distinctTimes(lists, clip.duration);
  const own = ownRate(keys);
  const rates = own === null ? [] : [own];
  rates.push(...(isCorrected ? CORRECTED_RATES : USUAL_RATES));
  const shares = rates.map((rate) => shareOnFrames(keys, rate));
  const best = shares.indexOf(Math.max(...shares));
  const rate = keys.length > 2 && shares[best]! > 0.5 ? rates[best]! : usual;
  const isSparse = 100 * keys.length < clip.duration * rate;
  const most = isConstrained ? MOST_FILLED_CONSTRAINED : MOST_FILLED;
  if (isSparse && clip.duration * rate * moving > most) return bakeTimes(clip, matters, usual);
  return frameTimes(clip.duration, rate, clip.name);
}

/** Frames times tracks that a rate may ask for of any clip, and for every key that there is. */
const ALWAYS_BAKED = 5_000_000;
const BAKED_A_KEY = 1000;
/** How many times fewer they are where constraints are met in every frame. */
const CONSTRAINED_SHARE = 20;

/**
 * Refuses to make very many frames of very few keys: a rate that was meant for seconds, and one key that strayed by hours.
 * @throws RetargetError that says how many there would be.
 */
export function refuseSparseBake(
  { name, duration, tracks }: Clip,
  frameRate: number,
  isConstrained = false,
): void {
  const frames = Math.ceil(duration * frameRate);
  refuseHugeBake(frames, duration, name);
  const keys = tracks.reduce((sum, { times }) => sum + times.length, 0);
  const most = Math.max(ALWAYS_BAKED, BAKED_A_KEY * keys) / (isConstrained ? CONSTRAINED_SHARE : 1);
  if (!(frames * tracks.length > most)) return;
  throw new RetargetError(
    `clip "${name}" of ${Number(duration.toPrecision(4))} s has ${keys} keys and would have ${frames} frames of ${tracks.length} channels at ${frameRate} a second; take a range of it or a lower frame rate`,
  );
}

/** Puts a number of even steps between every two times. */
export function partTimes(times: Float32Array, parts: number): Float32Array {
  const count = Math.max(0, times.length - 1) * parts + 1;
  return Float32Array.from({ length: times.length > 0 ? count : 0 }, (_, n) => {
    const k = Math.floor(n / parts);
    const from = times[k]!;
    return n % parts === 0 ? from : from + ((times[k + 1]! - from) * (n % parts)) / parts;
  });
}

function isEven(times: Float32Array): boolean {
  const last = times.length - 1;
  const step = last > 0 ? times[last]! / last : 0;
  for (let k = 1; k < last; k++) if (Math.abs(times[k]! - k * step) > ON_FRAME * step) return false;
  return last > 0;
}

/** The times of some lists, rising, each but once. */
function distinctTimes(lists: readonly ArrayLike<number>[], duration: number): number[] {
  const kept: number[] = [];
  for (const time of sortedTimes(lists, [], duration))
    if (kept.length === 0 || time - kept[kept.length - 1]! >= SAME_KEY_TIME) kept.push(time);
  return kept;
}

/** The rate of keys that are dense, by the step that most of them make; null where they are sparse. */
function ownRate(keys: readonly number[]): number | null {
  if (keys.length < 3) return null;
  const gaps = Float64Array.from(keys.slice(1), (time, k) => time - keys[k]!).sort();
  let rate = 1 / gaps[gaps.length >> 1]!;
  if (rate < 1 / LONGEST_GAP) return null;
  // Every key that stands on a frame says more exactly how long a frame is than those before it.
  for (const time of keys) {
    const frame = Math.round(time * rate);
    if (frame > 8 && Math.abs(time * rate - frame) < ON_FRAME) rate = frame / time;
  }
  const whole = Math.round(rate);
  return Math.abs(whole / rate - 1) * keys[keys.length - 1]! * rate < ON_FRAME ? whole : rate;
}

function shareOnFrames(keys: readonly number[], rate: number): number {
  let count = 0;
  for (const time of keys) if (Math.abs(time * rate - Math.round(time * rate)) < ON_FRAME) count++;
  return count / Math.max(1, keys.length);
}
