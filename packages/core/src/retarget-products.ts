import { bakeTimes } from './bake-times.js';
import type { Clip, Track } from './clip.js';
import { type Product, suspectIntervals } from './find-suspects.js';
import { createJob, multiplyBetween, multiplyFrames, type ProductJob } from './multiply-products.js';
import { placeTracks, type TargetTracks } from './place-tracks.js';
import type { KeyPlan } from './plan-keys.js';
import type { ProductPlan } from './plan-products.js';
import { createReader, type Instants, type TrackReader } from './read-tracks.js';
import { insertBetween, MOST_MISS, mergeTimes, mergeTrack } from './refine-frames.js';
import { middleTime } from './sample-frames.js';
import type { Setup } from './setup.js';

/** Keys that are moved one by one. */
type SimpleKeys = Exclude<KeyPlan, { reason: string }>;

/**
 * The frames of a clip where all that cannot be moved key by key are turns that are products of several, and joints
 * that are placed: what the frame core gives, with frames added where lines between keys would miss, but joint by joint
 * over whole tracks, and without a body.
 * @param keys How the other joints' keys are moved.
 * @param kept Their tracks, on the target.
 * @returns the tracks of the products and the placed joints, and how many frames there are. `finite` is false where a
 * rotation key held something that is no number; it was taken for no turn.
 */
export function retargetProducts(
  setup: Setup,
  clip: Clip,
  plan: ProductPlan,
  keys: SimpleKeys,
  kept: readonly Track[],
): { tracks: Track[]; frames: number; finite: boolean } {
  const matters = sourcesOf(plan, keys);
  const times = bakeTimes(clip, (joint) => matters.has(joint));
  const job = createJob(setup, plan, clip, times);
  const finite = multiplyFrames(job, times);
  const { instants, between } = findInstants(job, times);
  const merged = mergeTimes(times, instants.times);
  const turned = job.turns.map(({ target, values }, n) => {
    const track = turnTrack(target, times, values);
    return instants.times.length === 0
      ? track
      : mergeTrack(track, turnTrack(target, instants.times, between[n]!), merged);
  });
  const placed =
    plan.places.length > 0
      ? placeTracks(setup, plan.places, { times, instants, merged, ...readersOf(kept, job, times, between) })
      : [];
  return { tracks: [...turned, ...placed], frames: merged.times.length, finite };
}

/** How the target's tracks are read: those that were kept, and the products. */
function readersOf(
  kept: readonly Track[],
  { turns }: ProductJob,
  times: Float32Array,
  between: readonly Float32Array[],
): Pick<TargetTracks, 'rotations' | 'translations'> {
  const known = new Map<Track['times'], boolean>();
  const rotations = new Map<number, TrackReader>();
  const translations = new Map<number, TrackReader>();
  for (const track of kept)
    if (track.channel === 'rotation') rotations.set(track.joint, createReader(track, times, known));
    else if (track.channel === 'translation')
      translations.set(track.joint, createReader(track, times, known));
  turns.forEach(({ target, values }, n) => {
    const reader = createReader(turnTrack(target, times, values), times, known);
    rotations.set(target, { ...reader, between: between[n]! });
  });
  return { rotations, translations };
}

/** The source joints whose keys make frames. */
function sourcesOf({ turns, places }: ProductPlan, { turns: moved, move }: SimpleKeys): Set<number> {
  const above = new Set(places.flatMap(({ path }) => [...path]));
  return new Set([
    ...turns.flatMap(({ factors }) => factors.map(({ source }) => source)),
    ...moved.flatMap(({ target, source }) => (above.has(target) ? [source] : [])),
    ...(move && above.has(move.target) ? [move.source] : []),
  ]);
}

function turnTrack(joint: number, times: Float32Array, values: Float32Array): Track {
  return { joint, channel: 'rotation', interpolation: 'linear', times, values };
}

/**
 * The instants at which keys are added: where lines between those at the frames would miss a product; see
 * `findSuspects`. With the keys of each product there.
 */
function findInstants(job: ProductJob, times: Float32Array): { instants: Instants; between: Float32Array[] } {
  const { turns } = job;
  const intervals = turns.length > 0 ? suspectsOf(job, times) : NONE;
  const middles: Instants = {
    times: Float32Array.from(intervals, (k) => middleTime(times, k)),
    intervals,
    parts: new Float64Array(intervals.length).fill(0.5),
  };
  const misses = turns.map(() => new Float64Array(intervals.length));
  const looked = multiplyBetween(job, middles, misses);
  const inserted: number[] = [];
  const found: { intervals: number[]; parts: number[]; rows: number[] } = {
    intervals: [],
    parts: [],
    rows: [],
  };
  for (let m = 0; m < intervals.length; m++) {
    let most = 0;
    for (let n = 0; n < turns.length; n++) if (misses[n]![m]! > most) most = misses[n]![m]!;
    const k = intervals[m]!;
    const before = inserted.length;
    const { parts, count } = insertBetween(inserted, times, k, most);
    for (let i = before; i < before + count; i++) {
      found.intervals.push(k);
      found.parts.push(parts === 2 ? 0.5 : (inserted[i]! - times[k]!) / (times[k + 1]! - times[k]!));
      found.rows.push(parts === 2 ? m : -1);
    }
  }
  const instants: Instants = {
    times: Float32Array.from(inserted),
    intervals: Int32Array.from(found.intervals),
    parts: Float64Array.from(found.parts),
  };
  // What was looked at half way is known already; that is all, mostly.
  const between = found.rows.includes(-1)
    ? multiplyBetween(job, instants, null)
    : looked.map((keys) => pickTurns(keys, found.rows));
  return { instants, between };
}

/** The intervals between frames in which lines between keys may miss. */
function suspectsOf({ readers, steps, turns }: ProductJob, times: Float32Array): Int32Array {
  const isBounded = readers.every(({ track }) => track.interpolation !== 'cubic');
  const products = turns.map(
    ({ target, factors, above }): Product => ({
      target,
      steps: factors.map(({ reader }) => steps[reader]!),
      shared: null,
      above,
    }),
  );
  return suspectIntervals(isBounded ? products : null, times, MOST_MISS);
}

function pickTurns(keys: Float32Array, rows: readonly number[]): Float32Array {
  if (4 * rows.length === keys.length) return keys;
  const picked = new Float32Array(4 * rows.length);
  for (let n = 0; n < rows.length; n++) {
    const i = 4 * rows[n]!;
    const o = 4 * n;
    picked[o] = keys[i]!;
    picked[o + 1] = keys[i + 1]!;
    picked[o + 2] = keys[i + 2]!;
    picked[o + 3] = keys[i + 3]!;
  }
  return picked;
}

const NONE = new Int32Array(0);
