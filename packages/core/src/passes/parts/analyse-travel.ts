import { exp } from '../../base/math/functions.js';
import { didWork } from '../../base/watch-work.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { copyPose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { readTravel, type TravelReader } from './read-travel.js';

/** Over how many seconds (one sigma) travel is smoothed: longer than a step's sway, shorter than a turn. */
const TRAVEL_SIGMA = 0.25;
/** How many times a second the path is looked at; no step is shorter than ten of these. */
const PATH_RATE = 60;

/**
 * Where a clip travels over the ground, as the target will: per frame the offset from the reference place in
 * metres (x, z) and the heading in radians, smoothed so that the sway of steps is not in it. The first and
 * last frame keep their place exactly, so that loops stay loops. The path is read at a steady rate of its own,
 * so that it does not depend on where the frames stand.
 * @param skeleton The source's.
 * @param times Seconds of the frames, rising.
 */
export function analyseTravel(
  reader: TravelReader,
  skeleton: Skeleton,
  clip: Clip,
  times: ArrayLike<number>,
): Float64Array {
  const frames = times.length;
  const out = new Float64Array(3 * frames);
  if (frames === 0) return out;
  const start = times[0]!;
  const length = times[frames - 1]! - start;
  const last = Math.min(mostInstants(clip), Math.max(1, Math.ceil(length * PATH_RATE - 1e-3)));
  const path = readPath(skeleton, clip, reader, start, length / last, last + 1);
  const smoothed = length > 0 ? smooth(path, last + 1, (TRAVEL_SIGMA * last) / length) : path;
  for (let k = 0; k < frames; k++) {
    const at = length > 0 ? ((times[k]! - start) / length) * last : 0;
    const before = Math.max(0, Math.min(last - 1, Math.floor(at)));
    const u = at - before;
    for (let c = 0; c < 3; c++)
      out[3 * k + c] = (1 - u) * smoothed[3 * before + c]! + u * smoothed[3 * before + 3 + c]!;
  }
  return out;
}

/** Ten minutes at the rate of the path; and where a clip has more keys, so many instants a key. */
const LONG_PATH = 36_000;
const INSTANTS_A_KEY = 4;

/** How many instants a path has at most: few keys over hours are no more motion than few keys over minutes. */
function mostInstants({ tracks }: Clip): number {
  const keys = tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
  return Math.min(1_000_000, Math.max(LONG_PATH, INSTANTS_A_KEY * keys));
}

/** The travel as it is: `count` instants from `start`, `step` seconds apart. */
function readPath(
  skeleton: Skeleton,
  clip: Clip,
  reader: TravelReader,
  start: number,
  step: number,
  count: number,
): Float64Array {
  const path = new Float64Array(3 * count);
  const pose = copyPose(skeleton.rest);
  const hints = new Int32Array(clip.tracks.length);
  let previous = 0;
  for (let k = 0; k < count; k++) {
    didWork(clip.tracks.length);
    sampleClip(pose, clip, start + k * step, hints);
    readTravel(path, 3 * k, reader, pose);
    // Unwrapped, so that a full turn is a full turn.
    path[3 * k + 2]! += 2 * Math.PI * Math.round((previous - path[3 * k + 2]!) / (2 * Math.PI));
    previous = path[3 * k + 2]!;
  }
  return path;
}

/** Gaussian smoothing of three interleaved curves; beyond the ends the curve is mirrored through its end point. */
function smooth(path: Float64Array, count: number, sigma: number): Float64Array {
  const out = new Float64Array(path.length);
  const reach = Math.ceil(3 * sigma);
  const weights = Float64Array.from({ length: reach + 1 }, (_, d) => exp((-d * d) / (2 * sigma * sigma)));
  const last = count - 1;
  const at = (k: number, c: number): number => {
    if (k < 0) return 2 * path[c]! - path[3 * Math.min(last, -k) + c]!;
    if (k > last) return 2 * path[3 * last + c]! - path[3 * Math.max(0, 2 * last - k) + c]!;
    return path[3 * k + c]!;
  };
  for (let k = 0; k < count; k++) {
    didWork(0.1 * reach);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      let total = 0;
      for (let d = -reach; d <= reach; d++) {
        const w = weights[Math.abs(d)]!;
        sum += w * at(k + d, c);
        total += w;
      }
      out[3 * k + c] = sum / total;
    }
  }
  return out;
}
