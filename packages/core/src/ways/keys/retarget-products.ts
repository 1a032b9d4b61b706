import { bakeTimes, evenTimes } from '../../clips/bake-times.js';
import type { Setup } from '../../passes/pass.js';
import type { Clip, Track } from '../../scene/clip.js';
import { factsOfSetup } from '../../setup/setup-facts.js';
import { listSuspects } from '../frames/find-suspects.js';
import { MOST_LOOKED, MOST_MISS, mergeTimes, mergeTrack, partsFor, someOf } from '../frames/refine-frames.js';
import { middleTime } from '../frames/sample-frames.js';
import { createJob, multiplyBetween, multiplyFrames, type ProductJob } from './multiply-products.js';
import { placeTracks, type TargetTracks } from './place-tracks.js';
import type { ProductPlan } from './plan-products.js';
import { createReader, type Instants, type TrackReader } from './read-tracks.js';

/**
 * The frames of a clip where all that cannot be moved key by key are turns that are made of several, and joints
 * that are placed: what the frame core gives, with frames added where lines between keys would miss, but joint by joint
 * over whole tracks, and without a body.
 * @param kept The tracks of all other joints, on the target.
 * @returns the tracks of the products and the placed joints, and how many frames there are. `finite` is false where a
 * rotation key held something that is no number; it was taken for no turn.
 */
export function retargetProducts(
  setup: Setup,
  clip: Clip,
  plan: ProductPlan,
  kept: readonly Track[],
  { refine, looksBetween }: { refine: boolean; looksBetween: boolean },
): { tracks: Track[]; frames: number; finite: boolean; missed: number | null } {
  const times = refine
    ? bakeTimes(clip, (joint) => plan.matters.has(joint))
    : evenTimes(clip, (joint) => factsOfSetup(setup).mapped.has(joint), false);
  const job = createJob(setup, plan, clip, times);
  const bounds = new Float64Array(times.length);
  const finite = multiplyFrames(job, times, bounds);
  const { instants, between, missed } = findInstants(job, times, bounds, refine, looksBetween);
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
  return { tracks: [...turned, ...placed], frames: merged.times.length, finite, missed };
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

function turnTrack(joint: number, times: Float32Array, values: Float32Array): Track {
  return { joint, channel: 'rotation', interpolation: 'linear', times, values };
}

/**
 * The instants at which keys are added: where lines between those at the frames would miss a product, see
 * `findSuspects`; with the keys of each product there.
 */
function findInstants(
  job: ProductJob,
  times: Float32Array,
  bounds: Float64Array,
  refine: boolean,
  looksBetween: boolean,
): { instants: Instants; between: Float32Array[]; missed: number | null } {
  const isBounded = job.readers.every(({ track }) => track.interpolation !== 'cubic');
  const all =
    refine || looksBetween ? listSuspects(isBounded ? bounds : null, times, MOST_MISS) : NO_INTERVALS;
  const suspects = refine ? all : someOf(all, MOST_LOOKED);
  const misses = new Float64Array(suspects.length);
  const looked = multiplyBetween(job, middlesOf(times, suspects), misses);
  let missed = looksBetween ? 0 : null;
  if (!refine) {
    if (missed !== null) for (const miss of misses) missed = Math.max(missed, miss);
    return { instants: middlesOf(times, NO_INTERVALS), between: job.turns.map(() => NO_TURNS), missed };
  }
  missed = null;
  const { instants, rows } = partIntervals(times, suspects, misses);
  // What was looked at half way is known already; that is all, mostly.
  const between = rows.includes(-1)
    ? multiplyBetween(job, instants, null)
    : looked.map((keys) => pickTurns(keys, rows));
  return { instants, between, missed };
}

const NO_INTERVALS = new Int32Array(0);
const NO_TURNS = new Float32Array(0);

/** The instants half way through intervals. */
function middlesOf(times: Float32Array, intervals: Int32Array): Instants {
  const middles = new Float32Array(intervals.length);
  for (let m = 0; m < intervals.length; m++) middles[m] = middleTime(times, intervals[m]!);
  return { times: middles, intervals, parts: new Float64Array(intervals.length).fill(0.5) };
}

/** Parts intervals by how far they were missed; per instant says which interval it is the middle of, or −1. */
function partIntervals(
  times: Float32Array,
  intervals: Int32Array,
  misses: Float64Array,
): { instants: Instants; rows: Int32Array } {
  let most = 0;
  for (let m = 0; m < misses.length; m++) most += Math.max(0, partsFor(misses[m]!) - 1);
  const instants: Instants = {
    times: new Float32Array(most),
    intervals: new Int32Array(most),
    parts: new Float64Array(most),
  };
  const rows = new Int32Array(most);
  let count = 0;
  for (let m = 0; m < intervals.length; m++) {
    const k = intervals[m]!;
    const start = times[k]!;
    const end = times[k + 1]!;
    const parts = partsFor(misses[m]!);
    let last = start;
    for (let part = 1; part < parts; part++) {
      const time = Math.fround(start + ((end - start) * part) / parts);
      // Late in a long clip a float32 may have nothing between two times.
      if (!(time > last && time < end)) continue;
      last = time;
      instants.times[count] = time;
      instants.intervals[count] = k;
      instants.parts[count] = parts === 2 ? 0.5 : (time - start) / (end - start);
      rows[count++] = parts === 2 ? m : -1;
    }
  }
  if (count === most) return { instants, rows };
  const { times: at, intervals: after, parts } = instants;
  return {
    instants: { times: at.slice(0, count), intervals: after.slice(0, count), parts: parts.slice(0, count) },
    rows: rows.slice(0, count),
  };
}

function pickTurns(keys: Float32Array, rows: Int32Array): Float32Array {
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
