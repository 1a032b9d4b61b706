import {
  middleQuaternion,
  multiplyQuaternions,
  type Numbers,
  quaternionAngle,
  slerpQuaternions,
} from '../../base/math/quaternion.js';
import { didWork } from '../../base/watch-work.js';
import type { Setup, Step } from '../../passes/pass.js';
import type { Track } from '../../scene/clip.js';
import { signRotation, withContainer } from '../../scene/pose.js';
import type { Suspects } from './find-suspects.js';
import { type Recorder, recordFrames } from './record-frames.js';
import { type Block, middleTime, type Sampler, sampleMiddles } from './sample-frames.js';

/** How far a straight line between two frames may miss a driven joint's rotation: a quarter of what is promised. */
export const MOST_MISS = (0.025 * Math.PI) / 180;
/** At most so many frames are put between two. */
export const MOST_INSERTED = 15;

/** So many intervals are looked into for how far lines miss, evenly over the clip: a figure, not a promise. */
export const MOST_LOOKED = 240;

/** Some intervals of a list, at most so many, evenly over it. */
export function someOf(intervals: Int32Array, most: number): Int32Array {
  if (intervals.length <= most) return intervals;
  return Int32Array.from({ length: most }, (_, n) => intervals[Math.floor((n * intervals.length) / most)]!);
}

/** A bake, with all that looking between its frames needs. */
export type Baked = { tracks: Track[]; sampler: Sampler; block: Block };

/** Times to add between frames, rising; and which of them are known already. */
export type TimesBetween = {
  times: Float32Array;
  /** Per time the row of the recorder that holds its frame, or −1 − its place among those that are to be baked. */
  rows: Int32Array;
  /** How far lines miss at most, in radians. */
  worst: number;
};

/** Records frames half way between others while they are looked at. */
export type MiddleRecorder = {
  /** The passes that are still to run on a frame that was looked at. */
  steps: readonly Step[];
  recorder: Recorder;
};

/**
 * The times to add between frames where interpolating the baked locals misses what the passes would give half
 * way. The miss shrinks with the square of the step, so n parts suffice for a miss of MOST_MISS · n².
 * @param suspects Where a miss is possible at all: nowhere in most clips, and looking costs more than baking.
 * @param steps The loops of the passes, prepared for the middles of the suspected intervals.
 * @param middles Where frames that are needed half way, as nearly all that are, are recorded on the spot.
 */
export function findTimesBetween(
  setup: Setup,
  { tracks, sampler, block }: Baked,
  suspects: Suspects,
  steps: readonly Step[],
  middles: MiddleRecorder | null,
): TimesBetween {
  const { times } = sampler;
  const { intervals } = suspects;
  const plan = planComparison(setup, suspects, tracks);
  const locals = setup.alignment.pose.rotations.slice();
  const model = withContainer(setup.target.skeleton, setup.alignment.model.rotations);
  const wanted = model.slice();
  const inserted: number[] = [];
  const rows: number[] = [];
  let recorded = 0;
  let worst = 0;
  for (let from = 0; from < intervals.length; from += block.frames.length) {
    const count = Math.min(block.frames.length, intervals.length - from);
    didWork((count * (block.sources.length + block.targets.length)) / (4 * block.frames.length));
    sampleMiddles(sampler, block, intervals, from, count);
    for (let b = 0; b < count; b++) {
      const k = intervals[from + b]!;
      const frame = block.frames[b]!;
      frame.index = from + b;
      frame.time = middleTime(times, k);
      for (let m = 0; m < steps.length; m++) steps[m]!(frame);
      for (let m = 0; m < plan.turned.length; m++) {
        const { joint, values } = plan.turned[m]!;
        middleQuaternion(locals, 4 * joint, values, 4 * k, values, 4 * k + 4);
      }
      for (let m = 0; m < plan.others.length; m++) {
        const i = plan.others[m]!;
        for (let c = i; c < i + 4; c++) locals[c] = frame.target.rotations[c]!;
      }
      turnInModel(model, plan, locals);
      turnInModel(wanted, plan, frame.target.rotations);
      const miss = missOf(plan, model, wanted);
      if (miss > worst) worst = miss;
      const added = insertBetween(inserted, times, k, miss);
      if (middles !== null && added.parts === 2 && added.count === 1) {
        for (let m = 0; m < middles.steps.length; m++) middles.steps[m]!(frame);
        recordFrames(middles.recorder, block, recorded, 1, b);
        rows.push(recorded++);
      } else for (let n = 0; n < added.count; n++) rows.push(recorded - 1 - rows.length);
    }
  }
  return { times: Float32Array.from(inserted), rows: Int32Array.from(rows), worst };
}

const added = { parts: 0, count: 0 };

/** In how many parts an interval is parted whose middle is missed by so many radians. */
export function partsFor(miss: number): number {
  return Math.min(MOST_INSERTED + 1, Math.ceil(Math.sqrt(miss / MOST_MISS)));
}

/** Adds the times that part an interval; says in how many parts, and how many times there were between. */
function insertBetween(
  inserted: number[],
  times: Float32Array,
  k: number,
  miss: number,
): Readonly<typeof added> {
  const before = inserted.length;
  added.parts = partsFor(miss);
  for (let part = 1; part < added.parts; part++) {
    const time = Math.fround(times[k]! + ((times[k + 1]! - times[k]!) * part) / added.parts);
    // Late in a long clip a float32 may have nothing between two times.
    if (time > (inserted.at(-1) ?? 0) && time > times[k]! && time < times[k + 1]!) inserted.push(time);
  }
  added.count = inserted.length - before;
  return added;
}

/** The times that no frame was recorded for. */
export function timesToBake({ times, rows }: TimesBetween): Float32Array {
  return times.filter((_, n) => rows[n]! < 0);
}

/**
 * Tracks of all times between, from the frames that were recorded half way and those that were baked later.
 * @param baked Null where there are no such times.
 */
export function joinBetween(
  recorded: readonly Track[],
  baked: readonly Track[] | null,
  { times, rows }: TimesBetween,
): Track[] {
  if (!baked) return [...recorded];
  return recorded.map((track, n) => {
    didWork(times.length);
    const size = track.channel === 'rotation' ? 4 : 3;
    const values = new Float32Array(size * times.length);
    const later = baked[n]!.values;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]!;
      const from = row < 0 ? later : track.values;
      const i = size * (row < 0 ? -1 - row : row);
      for (let c = 0; c < size; c++) values[size * k + c] = from[i + c]!;
    }
    return { ...track, times, values };
  });
}

/** Which target joints are turned into model space to be compared: those that may miss and all above them. */
type FrameComparison = {
  places: Int32Array;
  parents: Int32Array;
  isCompared: Uint8Array;
  signs: Float64Array | null;
  /** The baked tracks that turn them. */
  turned: Track[];
  /** Where those stand that no baked track turns: they miss nothing. */
  others: Int32Array;
};

function planComparison(
  { target, map, alignment }: Setup,
  suspects: Suspects,
  tracks: readonly Track[],
): FrameComparison {
  const { parents, names } = target.skeleton;
  // A joint that follows what it hangs on exactly misses as much as that does.
  const compared = new Set(suspects.joints ?? map.joints.map((pair) => pair.target));
  const needed = new Set<number>();
  for (const joint of compared)
    for (let at = joint; at >= 0 && !needed.has(at); at = parents[at]!) needed.add(at);
  const joints = Int32Array.from(needed).sort();
  const signs = new Float64Array(4 * names.length);
  let isMirrored = false;
  for (const i of joints) isMirrored = signRotation(signs, 4 * i, alignment.pose.scales, 3 * i) || isMirrored;
  const turned = tracks.filter(({ channel, joint }) => channel === 'rotation' && needed.has(joint));
  const tracked = new Set(turned.map(({ joint }) => joint));
  return {
    places: joints.map((joint) => 4 * joint),
    others: joints.filter((joint) => !tracked.has(joint)).map((joint) => 4 * joint),
    parents: joints.map((joint) => 4 * (parents[joint]! < 0 ? names.length : parents[joint]!)),
    isCompared: Uint8Array.from(joints, (joint) => (compared.has(joint) ? 1 : 0)),
    signs: isMirrored ? signs : null,
    turned,
  };
}

/** Local rotations to model space, for the joints of a plan. */
function turnInModel(
  out: Float64Array,
  { places, parents, signs }: FrameComparison,
  locals: Float64Array,
): void {
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    multiplyQuaternions(out, i, out, parents[n]!, locals, i);
    if (signs !== null) multiplyQuaternions(out, i, out, i, signs, i);
  }
}

function missOf({ places, isCompared }: FrameComparison, model: Float64Array, wanted: Float64Array): number {
  let miss = 0;
  for (let n = 0; n < places.length; n++)
    if (isCompared[n] === 1) {
      const own = quaternionAngle(model, places[n]!, wanted, places[n]!);
      if (own > miss) miss = own;
    }
  return miss;
}

/** Two rising lists of times as one: all times, and per time its place in the first, or −1 − its place in the second. */
export type MergedTimes = { times: Float32Array; order: Int32Array };

/** Puts times between others; all of them lie between the first and the last of the others. */
export function mergeTimes(first: Float32Array, inserted: Float32Array): MergedTimes {
  const times = new Float32Array(first.length + inserted.length);
  const order = new Int32Array(times.length);
  let next = 0;
  let at = 0;
  for (let k = 0; k < first.length; k++) {
    for (; next < inserted.length && inserted[next]! < first[k]!; next++, at++) {
      times[at] = inserted[next]!;
      order[at] = -1 - next;
    }
    times[at] = first[k]!;
    order[at++] = k;
  }
  return { times, order };
}

/**
 * Puts keys that were baked later between those that were baked first, in the tracks that need them; the others keep
 * their own.
 * @param first Baked at the first times.
 * @param second The same tracks, baked at the times between.
 * @param joints The only joints whose turns need them, where that is known.
 */
export function mergeTracks(
  first: readonly Track[],
  second: readonly Track[],
  merged: MergedTimes,
  joints: readonly number[] | null,
): Track[] {
  const known = joints && new Set(joints);
  return first.map((track, n) => {
    const isKnown = known !== null && track.channel === 'rotation';
    if (isKnown && !known.has(track.joint)) return track;
    didWork(merged.times.length);
    const all = mergeTrack(track, second[n]!, merged);
    return isKnown || leavesLines(all, merged) ? all : track;
  });
}

/** Puts the keys of one track between those of another; signs follow the key before. */
export function mergeTrack(first: Track, second: Track, { times, order }: MergedTimes): Track {
  const size = first.channel === 'rotation' ? 4 : 3;
  const values = new Float32Array(size * times.length);
  if (size === 4) mergeTurns(values, first.values, second.values, order);
  else
    for (let k = 0; k < order.length; k++) {
      const isLater = order[k]! < 0;
      const from = isLater ? second.values : first.values;
      const i = isLater ? -3 - 3 * order[k]! : 3 * order[k]!;
      values[3 * k] = from[i]!;
      values[3 * k + 1] = from[i + 1]!;
      values[3 * k + 2] = from[i + 2]!;
    }
  return { ...first, times, values };
}

function mergeTurns(out: Float32Array, first: Numbers, second: Numbers, order: Int32Array): void {
  let px = 0;
  let py = 0;
  let pz = 0;
  let pw = 0;
  let sign = 1;
  for (let k = 0; k < order.length; k++) {
    const isLater = order[k]! < 0;
    const from = isLater ? second : first;
    const i = isLater ? -4 - 4 * order[k]! : 4 * order[k]!;
    const x = from[i]!;
    const y = from[i + 1]!;
    const z = from[i + 2]!;
    const w = from[i + 3]!;
    if (x * px + y * py + z * pz + w * pw < 0) sign = -sign;
    px = x;
    py = y;
    pz = z;
    pw = w;
    const o = 4 * k;
    out[o] = sign * x;
    out[o + 1] = sign * y;
    out[o + 2] = sign * z;
    out[o + 3] = sign * w;
  }
}

/** Takes the keys at the times between out of tracks that do without them. */
export function thinTracks(tracks: readonly Track[], first: Float32Array, merged: MergedTimes): Track[] {
  return tracks.map((track) => {
    didWork(track.times.length);
    return leavesLines(track, merged) ? track : thinTrack(track, first, merged);
  });
}

/** A track without its keys at the times between. */
export function thinTrack(track: Track, first: Float32Array, { order }: MergedTimes): Track {
  const size = track.channel === 'rotation' ? 4 : 3;
  const values = new Float32Array(size * first.length);
  order.forEach((from, k) => {
    if (from >= 0) values.set(track.values.subarray(size * k, size * k + size), size * from);
  });
  return { ...track, times: first, values };
}

/** What float32 keys lose of a turn, in radians, and of a place, as a share of it: as much is no miss. */
const TURN_ROUNDING = 5e-6;
const PLACE_ROUNDING = 1e-6;

const between = new Float64Array(4);

/** Whether some key at a time between does not lie on the line through its neighbours at the first times. */
export function leavesLines({ channel, values }: Track, { times, order }: MergedTimes): boolean {
  const size = channel === 'rotation' ? 4 : 3;
  let before = 0;
  let after = 0;
  for (let k = 0; k < order.length; k++) {
    if (order[k]! >= 0) {
      before = k;
      continue;
    }
    if (after < k) after = k;
    while (order[after]! < 0) after++;
    const u = (times[k]! - times[before]!) / (times[after]! - times[before]!);
    const a = size * before;
    const b = size * after;
    const i = size * k;
    if (size === 4) {
      slerpQuaternions(between, 0, values, a, values, b, u);
      if (!(quaternionAngle(between, 0, values, i) <= TURN_ROUNDING)) return true;
      continue;
    }
    let miss = 0;
    let reach = 0;
    for (let c = 0; c < 3; c++) {
      const line = values[a + c]! + (values[b + c]! - values[a + c]!) * u;
      miss = Math.max(miss, Math.abs(values[i + c]! - line));
      reach = Math.max(reach, Math.abs(values[a + c]!), Math.abs(values[b + c]!));
    }
    if (!(miss <= PLACE_ROUNDING * reach)) return true;
  }
  return false;
}
