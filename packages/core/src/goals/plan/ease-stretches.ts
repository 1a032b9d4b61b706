import { fadeOut, slowLeave } from '../../base/math/smooth-curves.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';

/** Seconds in which a goal that was held goes back to where it would be. */
export const EASE = 0.2;

/** Grid frames from first to last, both included. */
export type Stretch = { first: number; last: number };

/** The stretches in which something holds, bridged over gaps of at most `gap` frames. */
export function stretchesOf(count: number, holds: (k: number) => boolean, gap: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let k = 0; k < count; k++) {
    if (!holds(k)) continue;
    const before = stretches[stretches.length - 1];
    if (before && k - before.last <= gap + 1) before.last = k;
    else stretches.push({ first: k, last: k });
  }
  return stretches;
}

/**
 * Fills a curve between stretches in which it is known: from each it goes back to its usual value within some
 * seconds (sooner where the next stretch begins sooner), leaving with the value and the slope that it has there.
 * @param size Numbers a frame.
 * @param usual The usual value, per number.
 * @param seconds How long going back takes, per number.
 */
export function easeStretches(
  curve: Float64Array,
  size: number,
  stretches: readonly Stretch[],
  count: number,
  usual: readonly number[],
  seconds: readonly number[],
): void {
  const eased = new Float64Array(size * count);
  for (let p = 0; p < stretches.length; p++) {
    const { first, last } = stretches[p]!;
    const before = first - (stretches[p - 1]?.last ?? first - count - 1);
    const after = (stretches[p + 1]?.first ?? last + count + 1) - last;
    const inner = Math.min(2, last - first);
    for (let c = 0; c < size; c++) {
      const frames = seconds[c]! * CONTACT_RATE;
      easeFrom(eased, curve, size, c, last, 1, inner, Math.min(frames, after), usual[c]!, count);
      easeFrom(eased, curve, size, c, first, -1, inner, Math.min(frames, before), usual[c]!, count);
    }
  }
  let next = 0;
  for (let k = 0; k < count; k++) {
    while (next < stretches.length && stretches[next]!.last < k) next++;
    if (next < stretches.length && k >= stretches[next]!.first) continue;
    for (let c = 0; c < size; c++) curve[size * k + c] = usual[c]! + eased[size * k + c]!;
  }
}

/**
 * Adds to `eased` how one number of a curve goes back from an end of a stretch.
 * @param way 1 after the stretch, −1 before it.
 * @param inner How many frames inside the stretch its slope is read over.
 * @param frames How long going back takes.
 */
function easeFrom(
  eased: Float64Array,
  curve: Float64Array,
  size: number,
  c: number,
  from: number,
  way: 1 | -1,
  inner: number,
  frames: number,
  usual: number,
  count: number,
): void {
  const at = curve[size * from + c]!;
  const value = at - usual;
  const slope = inner > 0 ? (at - curve[size * (from - way * inner) + c]!) / inner : 0;
  if (value === 0 && slope === 0) return;
  for (let i = 1; i < frames; i++) {
    const k = from + way * i;
    if (k < 0 || k >= count) break;
    eased[size * k + c]! += value * fadeOut(i / frames) + slope * frames * slowLeave(i / frames);
  }
}

/** Per frame the seconds to the nearest frame in which a limb carries; a long time where it never does. */
export function secondsFree(carried: Float64Array, n: number, width: number, count: number): Float64Array {
  const free = new Float64Array(count);
  let away = count;
  for (let k = 0; k < count; k++) {
    away = carried[width * k + n]! > 0 ? 0 : away + 1;
    free[k] = Math.min(count, away / CONTACT_RATE);
  }
  away = count;
  for (let k = count - 1; k >= 0; k--) {
    away = carried[width * k + n]! > 0 ? 0 : away + 1;
    free[k] = Math.min(free[k]!, away / CONTACT_RATE);
  }
  return free;
}
