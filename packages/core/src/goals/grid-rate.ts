import { borrow } from '../base/lend-room.js';
import { evenTimes } from '../clips/bake-times.js';
import { CONTACT_RATE, type PointTracks } from '../contacts/track-points.js';
import { type Clip, frameRateOf } from '../scene/clip.js';

/** Rates of the frames that a clip may be planned in as it stands: films' and captures'. */
const SLOWEST_GRID = 24;
const FASTEST_GRID = 30;
/**
 * Frames are a clip's own whose number is as many as its rate gives, but for this share, since times are float32 in most
 * files, and for one, since a clip may end between two.
 */
const SAME_COUNT = 1e-4;

/**
 * How many frames a second the planning grid of a clip has: its own, where it is baked at 24 to 30 even ones, so that
 * nothing is planned that no frame shows; else 60. What stands on what is looked for at 60 all the same.
 * @param matters Joints whose tracks say where frames are.
 * @param frameRate The rate that frames are asked for at; null for the clip's own.
 */
export function gridRateOf(clip: Clip, matters: ReadonlySet<number>, frameRate: number | null): number {
  const own = frameRateOf(clip);
  const isWhole = Number.isInteger(own) && own >= SLOWEST_GRID && own <= FASTEST_GRID;
  if (!isWhole || (frameRate !== null && frameRate !== own)) return CONTACT_RATE;
  const times = evenTimes(clip, (joint) => matters.has(joint), true);
  const steps = times.length - 1;
  const isOwn = Math.abs(times[steps]! * own - steps) <= Math.max(SAME_COUNT * steps, 1);
  return steps > 1 && isOwn && clip.duration > 0 ? own : CONTACT_RATE;
}

/**
 * How many times as far a joint leaps from frame to frame on a grid as is seen of it in the result at 60 frames a second. A
 * joint whose speed changes by a radians a second squared leaps by a / rate² on the grid. The result has lines between
 * frames of the clip, F a second of them and no more than the grid: each has a kink of a / F, which is one of a / (60 · F)
 * a sixtieth. So the same is seen of a leap that is 60 · F / rate² times as large.
 */
export function paceOf(clip: Clip, rate: number): number {
  return (CONTACT_RATE * Math.min(frameRateOf(clip), rate)) / (rate * rate);
}

/** The first and the last frame of a grid that a stretch of seconds lies between. */
export function framesOver(start: number, end: number, rate: number): [number, number] {
  return [Math.floor(start * rate + 1e-3), Math.ceil(end * rate - 1e-3)];
}

/** Tracks of points on a planning grid at the instants that contacts are looked for at: on lines between its frames. */
export function atContactRate(tracks: PointTracks, rate: number, duration: number): PointTracks {
  if (rate === CONTACT_RATE) return tracks;
  const size = 3 * tracks.points.length;
  const count = Math.floor(duration * CONTACT_RATE + 1e-3) + 1;
  return {
    ...tracks,
    count,
    positions: resample(tracks.positions, size, tracks.count, count, rate / CONTACT_RATE),
  };
}

/** Heights of points at the instants of contacts, per frame of a grid. */
export function heightsOnGrid(
  heights: Float64Array,
  points: number,
  { count, rate }: { count: number; rate: number },
) {
  if (rate === CONTACT_RATE) return heights;
  return resample(heights, points, heights.length / points, count, CONTACT_RATE / rate);
}

/** Marks of points at the instants of contacts, per frame of a grid: those of the nearest instant. */
export function marksOnGrid(
  marks: Uint8Array,
  points: number,
  { count, rate }: { count: number; rate: number },
) {
  if (rate === CONTACT_RATE || marks.length === 0) return marks;
  const last = marks.length / points - 1;
  const out = new Uint8Array(points * count);
  for (let k = 0; k < count; k++) {
    const at = Math.min(last, Math.round((k * CONTACT_RATE) / rate));
    for (let n = 0; n < points; n++) out[points * k + n] = marks[points * at + n]!;
  }
  return out;
}

/** A curve of `size` numbers a frame in other frames, one of which is so many of those before. */
function resample(
  curve: Float64Array,
  size: number,
  count: number,
  wanted: number,
  step: number,
): Float64Array {
  const out = borrow(size * wanted);
  for (let k = 0; k < wanted; k++) {
    const at = Math.min(k * step, count - 1);
    const from = Math.floor(at);
    const u = at - from;
    const a = size * from;
    const b = size * Math.min(from + 1, count - 1);
    for (let c = 0; c < size; c++) out[size * k + c] = curve[a + c]! + u * (curve[b + c]! - curve[a + c]!);
  }
  return out;
}
