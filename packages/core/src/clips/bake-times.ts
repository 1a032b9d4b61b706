import type { Clip } from '../scene/clip.js';
import { refuseHugeBake } from '../scene/motion.js';
import { isStill } from '../scene/still-track.js';

/** Keys closer than this are one: a tenth of a millisecond, above the rounding of float32 times in long clips. */
const SAME_TIME = 1e-4;
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
    if (last !== undefined && time - last < SAME_TIME) continue;
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
    if (!(gap >= SAME_TIME && gap <= longest)) return false;
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
    if (!(time >= 0 && time <= duration + SAME_TIME)) return;
    if (time < all[count - 1]!) isRising = false;
    all[count++] = time;
  };
  for (const times of lists) for (let k = 0; k < times.length; k++) add(times[k]!);
  for (const times of steps) for (let k = 0; k < times.length; k++) add(times[k]! - 10 * SAME_TIME);
  add(Math.max(duration, 0));
  const sorted = all.subarray(0, count);
  return isRising ? sorted : sorted.sort();
}
