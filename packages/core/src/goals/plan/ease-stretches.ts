import { fadeOut, slowLeave } from '../../base/math/smooth-curves.js';
import { slotOf } from './planning.js';

/** Grid frames from first to last, both included. */
export type Stretch = { first: number; last: number };

/** The stretches in which a curve of marks is above 0, bridged over gaps of at most `gap` frames. */
export function stretchesOf(marks: Float64Array | Uint8Array, gap: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let k = 0; k < marks.length; k++) {
    if (!(marks[k]! > 0)) continue;
    const before = stretches[stretches.length - 1];
    if (before && k - before.last <= gap + 1) before.last = k;
    else stretches.push({ first: k, last: k });
  }
  return stretches;
}

/**
 * Fills a curve between stretches in which it is known: from each it goes back to its usual value within some
 * seconds (sooner where the next stretch begins sooner), leaving with the value and the slope that it has there.
 * @param about Frames a second; and by how much its speed may change within a second: the farther a way, the longer it
 *   takes.
 * @param size Numbers a frame.
 * @param usual The usual value, per number.
 * @param seconds How long going back takes, per number.
 */
export function easeStretches(
  { rate, gentle = Number.POSITIVE_INFINITY }: { rate: number; gentle?: number },
  curve: Float64Array,
  size: number,
  stretches: readonly Stretch[],
  usual: readonly number[],
  seconds: readonly number[],
): void {
  const count = curve.length / size;
  const eased = new Float64Array(curve.length);
  const perFrame = gentle / (rate * rate);
  for (let p = 0; p < stretches.length; p++) {
    const { first, last } = stretches[p]!;
    const before = first - (stretches[p - 1]?.last ?? first - count - 1);
    const after = (stretches[p + 1]?.first ?? last + count + 1) - last;
    const inner = Math.min(Math.max(1, Math.round(SLOPE_OVER * rate)), last - first);
    for (let c = 0; c < size; c++) {
      const frames = seconds[c]! * rate;
      const number = { curve, size, c, usual: usual[c]! };
      easeFrom(eased, number, { from: last, way: 1, inner, frames, most: after, gentle: perFrame });
      easeFrom(eased, number, { from: first, way: -1, inner, frames, most: before, gentle: perFrame });
    }
  }
  let next = 0;
  for (let k = 0; k < count; k++) {
    while (next < stretches.length && stretches[next]!.last < k) next++;
    if (next < stretches.length && k >= stretches[next]!.first) continue;
    for (let c = 0; c < size; c++) curve[size * k + c] = usual[c]! + eased[size * k + c]!;
  }
}

/** Seconds at the end of a stretch that its slope there is read over. */
const SLOPE_OVER = 1 / 30;

/** How much more than usual going back takes at most, where there is far to go. */
const LONGER = 2.5;

/**
 * Frames in which a curve goes back over a way without being faster to change its speed than `gentle`, from frame to frame:
 * that of {@link fadeOut} is 10 / √3 · way / frames² at the most.
 */
function longEnough(way: number, frames: number, gentle: number): number {
  return Math.max(
    frames,
    Math.min(LONGER * frames, Math.sqrt((10 * Math.abs(way)) / (Math.sqrt(3) * gentle))),
  );
}

/** One number of a curve, and its usual value. */
type CurveNumber = { curve: Float64Array; size: number; c: number; usual: number };

/**
 * An end of a stretch: its frame, 1 after the stretch or −1 before it, how far inside its slope is read; how long easing
 * takes, and at most; and how gently.
 */
type StretchEnd = {
  from: number;
  way: 1 | -1;
  inner: number;
  frames: number;
  most: number;
  gentle: number;
};

/** Adds to `eased` how one number of a curve goes back from an end of a stretch. */
function easeFrom(
  eased: Float64Array,
  { curve, size, c, usual }: CurveNumber,
  { from, way, inner, frames, most, gentle }: StretchEnd,
): void {
  const count = eased.length / size;
  const at = curve[size * from + c]!;
  const value = at - usual;
  const slope = inner > 0 ? (at - curve[size * (from - way * inner) + c]!) / inner : 0;
  if (value === 0 && slope === 0) return;
  const back = Math.min(longEnough(value, frames, gentle), most);
  // A curve that goes on by its slope comes to rest in the usual time: in a longer one it would go the farther.
  const rest = Math.min(frames, most);
  for (let i = 1; i < back; i++) {
    const k = from + way * i;
    if (k < 0 || k >= count) break;
    eased[size * k + c]! += value * fadeOut(i / back) + slope * rest * slowLeave(i / rest);
  }
}

/** Per frame the seconds to the nearest frame in which a limb carries; a long time where it never does. */
export function secondsFree(
  { count, rate }: { count: number; rate: number },
  carried: Float64Array,
  n: number,
  width: number,
): Float64Array {
  const free = new Float64Array(count);
  let away = count;
  for (let k = 0; k < count; k++) {
    away = carried[slotOf(width, k, n)]! > 0 ? 0 : away + 1;
    free[k] = Math.min(count, away / rate);
  }
  away = count;
  for (let k = count - 1; k >= 0; k--) {
    away = carried[slotOf(width, k, n)]! > 0 ? 0 : away + 1;
    free[k] = Math.min(free[k]!, away / rate);
  }
  return free;
}
