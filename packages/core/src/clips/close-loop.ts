import { UsageError } from '../base/errors.js';
import { atan2, cos, hypot, lengthOf, sin } from '../base/math/functions.js';
import { createMatrix, invertMatrix } from '../base/math/matrix.js';
import {
  conjugateQuaternion,
  makeQuaternionsContinuous,
  multiplyQuaternions,
  twistAbout,
  twistAngle,
} from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import type { LoopOptions } from '../options/clip-rules.js';
import { type Clip, channelSize, frameRateOf, sampleTrack, type Track } from '../scene/clip.js';
import { createPath, followPath } from '../scene/joint-path.js';
import type { Skeleton } from '../scene/skeleton.js';

/** A body that ends nearer than this share of its height to where it began is taken to stand; the loop closes its place too. */
const ENDS_WHERE_IT_BEGAN = 0.06;
/** A heading that changed by less, in radians, is drift and closes; ten degrees or more is a turn and stays. */
const TURNS = (10 * Math.PI) / 180;

/**
 * Closes the seam of a clip that is to be played in a loop: its last pose becomes its first. Half of the
 * difference d is given to each end, eased to nothing by a quintic w, which begins and ends flat:
 *
 *   v'(t) = v(t) + ½·d·w(t) near the beginning,   v(t) − ½·d·w(end − t) near the end
 *
 * (for rotations q · d^(±w/2), d = q(0)⁻¹ · q(end)), so the middle of the clip stays as it is and no more is changed
 * than must be. Tracks that close already keep their keys; the others are baked at the clip's own rate.
 * @param skeleton Complete with its container, so that up is known: a rig's.
 */
export function closeLoop(skeleton: Skeleton, clip: Clip, options: LoopOptions = {}): Clip {
  const window = options.seconds ?? 0.25;
  if (!(window > 0)) throw new UsageError(`loop.seconds is ${window}; it must be a positive number`);
  if (!(clip.duration > 0)) return clip;
  const half = Math.min(window, clip.duration / 2);
  const up = options.travel === undefined ? null : upAbove(skeleton, options.travel, options.height ?? 1.7);
  return {
    ...clip,
    tracks: clip.tracks.map((track) => {
      const travels = up && track.joint === options.travel ? up : null;
      return closeTrack(track, clip, half, travels);
    }),
    morphs: clip.morphs.map((track) => {
      // A weight is one number: closed as the first of a vector.
      const values = new Float32Array(3 * track.values.length);
      track.values.forEach((value, i) => {
        values[3 * i] = value;
      });
      const vector: Track = { ...track, joint: 0, channel: 'translation', values };
      const closed = closeTrack(vector, clip, half, null);
      if (closed === vector) return track;
      return {
        ...track,
        interpolation: closed.interpolation,
        times: closed.times,
        values: closed.values.filter((_, i) => i % 3 === 0) as Track['values'],
      };
    }),
  };
}

/** Up, and body heights per unit, in the space in which a joint's translation counts. */
type Up = { direction: Float64Array; heights: number };

function upAbove(skeleton: Skeleton, joint: number, height: number): Up {
  const matrix = createMatrix();
  followPath(matrix, createPath(skeleton, joint), skeleton, skeleton.rest);
  invertMatrix(matrix, 0, matrix, 0);
  const direction = matrix.slice(4, 7);
  const length = lengthOf(direction) || 1;
  return { direction: direction.map((value) => value / length), heights: 1 / length / height };
}

/** Eases from 1 at 0 to 0 at 1, flat at both ends in slope and bend. */
function ease(u: number): number {
  if (u >= 1) return 0;
  const s = 1 - Math.max(0, u);
  return s * s * s * (s * (6 * s - 15) + 10);
}

function closeTrack(track: Track, clip: Clip, half: number, travels: Up | null): Track {
  if (track.times.length < 2) return track;
  const size = channelSize(track.channel);
  const first = new Float64Array(4);
  const last = new Float64Array(4);
  sampleTrack(first, 0, track, 0);
  sampleTrack(last, 0, track, clip.duration);
  const gap = size === 4 ? turnGap(first, last, travels) : moveGap(first, last, travels);
  if (!gap) return track;
  const times = bakeTimesOf(track, clip);
  const values = new Float32Array(size * times.length);
  const value = new Float64Array(4);
  const part = new Float64Array(4);
  let hint = 0;
  didWork(times.length);
  times.forEach((time, k) => {
    hint = sampleTrack(value, 0, track, time, hint);
    const weight = 0.5 * (ease(time / half) - ease((clip.duration - time) / half));
    if (size === 4) {
      powerOf(part, gap, weight);
      multiplyQuaternions(value, 0, value, 0, part, 0);
    } else for (let c = 0; c < 3; c++) value[c] = value[c]! + weight * gap[c]!;
    for (let c = 0; c < size; c++) values[size * k + c] = value[c]!;
  });
  if (size === 4) makeQuaternionsContinuous(values, times.length);
  return { ...track, interpolation: track.interpolation === 'step' ? 'step' : 'linear', times, values };
}

/** The turn from the first rotation to the last, without what was turned about up by a body that travels; null for none. */
function turnGap(first: Float64Array, last: Float64Array, travels: Up | null): Float64Array | null {
  const gap = new Float64Array(4);
  conjugateQuaternion(gap, 0, first, 0);
  if (travels) {
    // last · first⁻¹ = swing · heading; the heading stays: the end to be met is heading · first.
    const heading = new Float64Array(4);
    multiplyQuaternions(heading, 0, last, 0, gap, 0);
    twistAbout(heading, 0, heading, 0, travels.direction, 0);
    if (Math.abs(twistAngle(heading, 0, travels.direction, 0)) < TURNS) heading.set([0, 0, 0, 1]);
    conjugateQuaternion(heading, 0, heading, 0);
    const met = new Float64Array(4);
    multiplyQuaternions(met, 0, heading, 0, last, 0);
    multiplyQuaternions(gap, 0, gap, 0, met, 0);
  } else multiplyQuaternions(gap, 0, gap, 0, last, 0);
  // A hundredth of a degree is nothing to close.
  return hypot(gap[0]!, gap[1]!, gap[2]!) > 1e-4 ? gap : null;
}

function moveGap(first: Float64Array, last: Float64Array, travels: Up | null): Float64Array | null {
  const gap = new Float64Array(3);
  for (let c = 0; c < 3; c++) gap[c] = last[c]! - first[c]!;
  if (travels) {
    const { direction, heights } = travels;
    const up = gap[0]! * direction[0]! + gap[1]! * direction[1]! + gap[2]! * direction[2]!;
    const over = lengthOf(gap.map((value, c) => value - up * direction[c]!)) * heights;
    if (over > ENDS_WHERE_IT_BEGAN) for (let c = 0; c < 3; c++) gap[c] = up * direction[c]!;
  }
  return lengthOf(gap) > 1e-7 * Math.max(1, hypot(first[0]!, first[1]!, first[2]!)) ? gap : null;
}

/** The track's own times and those of the clip's rate between them, from 0 to the end. */
function bakeTimesOf(track: Track, clip: Clip): Float32Array {
  const rate = Math.min(120, Math.max(30, frameRateOf(clip)));
  const all = new Set<number>([0, Math.fround(clip.duration)]);
  for (const time of track.times) if (time >= 0 && time <= clip.duration) all.add(Math.fround(time));
  const grid = Math.min(1e6, Math.floor(clip.duration * rate));
  const sorted = [...all].sort((a, b) => a - b);
  // Frames of the grid that fall on a key are that key.
  let at = 0;
  for (let k = 1; k < grid; k++) {
    const time = k / rate;
    while (at < sorted.length - 1 && sorted[at + 1]! <= time) at++;
    const near = Math.min(time - sorted[at]!, (sorted[at + 1] ?? Number.POSITIVE_INFINITY) - time);
    if (near > 0.25 / rate) all.add(Math.fround(time));
  }
  return Float32Array.from([...all].sort((a, b) => a - b));
}

/** out = q^weight, the shorter way. */
function powerOf(out: Float64Array, q: Float64Array, weight: number): void {
  const sign = q[3]! < 0 ? -1 : 1;
  const length = hypot(q[0]!, q[1]!, q[2]!);
  const angle = weight * atan2(length, sign * q[3]!);
  const k = length > 1e-12 ? (sign * sin(angle)) / length : 0;
  for (let c = 0; c < 3; c++) out[c] = k * q[c]!;
  out[3] = cos(angle);
}
