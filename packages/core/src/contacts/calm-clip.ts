import { lowBand } from '../base/math/filter-band.js';
import { lengthOf } from '../base/math/functions.js';
import { normalizeQuaternion, quaternionAngle } from '../base/math/quaternion.js';
import { selectNth } from '../base/math/select-nth.js';
import { fadeOut } from '../base/math/smooth-curves.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import { type Clip, channelSize, frameRateOf, type Track } from '../scene/clip.js';
import { isStill } from '../scene/still-track.js';
import { bodyPoints } from './body-points.js';
import { findContacts } from './find-contacts.js';

/*
 * Jitter is what a joint does all the time, faster than a body can: the noise of cameras, of sensors and of networks
 * that generate motion. It is taken out by a low-pass filter that looks as far ahead as back (a bell), so that nothing
 * comes later than it did. Two things are as fast and no jitter, and stay as they are: what stands out of a joint's own
 * noise, as a blow does, and the moments in which feet and hands come down.
 *
 * Noise about one axis that is spread by s is off by less than 1.15 s in three frames of four, and by more than three and
 * a half times that in one of seventeen thousand; about three axes 2.03 s, and never: beyond that something happened.
 */

/** The share of frames that say what a joint's noise is. */
const USUAL_FRAMES_SHARE = 0.75;
/** A key that is off by more times its joint's noise than this begins to be kept; by twice as much it is kept whole. */
const STANDS_OUT = 3.5;
/** Seconds around an impact, and around what stands out, over which what was there comes and goes. */
const EVENT_LASTS = 0.1;
/** Keys may be this much of their distance early or late: more is no even rate, and no capture. */
const UNEVEN_KEYS = 0.2;
/** Fewer keys than this are set by hand. */
const FEWEST_KEYS = 8;

/**
 * Takes jitter out of a clip: what is faster than a cut-off, but for impacts and blows. Tracks of keys that are set by
 * hand, which are few, uneven or curved, stay as they are.
 * @param cutoff Cycles a second, at which half of the power is left.
 * @returns the clip itself where there is nothing to take out.
 */
export function calmClip(rig: Rig, clip: Clip, cutoff: number): Clip {
  const rate = frameRateOf(clip);
  const calmed = clip.tracks.map((track) => (isCaptured(track) ? calmTrack(track, rate, cutoff) : track));
  if (calmed.every((track, n) => track === clip.tracks[n])) return clip;
  const calm = { ...clip, tracks: calmed };
  const impacts = impactsOf(rig, calm);
  return {
    ...clip,
    tracks: clip.tracks.map((track, n) =>
      calmed[n] === track ? track : keepEvents(track, calmed[n]!, impacts[track.joint] ?? []),
    ),
  };
}

/** Whether a track has a key for each frame, as a capture has, and moves. */
function isCaptured(track: Track): boolean {
  const { times, interpolation } = track;
  if (interpolation !== 'linear' || times.length < FEWEST_KEYS || isStill(track)) return false;
  const step = (times[times.length - 1]! - times[0]!) / (times.length - 1);
  if (!(step > 0)) return false;
  for (let k = 1; k < times.length; k++)
    if (!(Math.abs(times[k]! - times[k - 1]! - step) <= UNEVEN_KEYS * step)) return false;
  return true;
}

/** A track without what is faster than the cut-off. */
function calmTrack(track: Track, rate: number, cutoff: number): Track {
  const { channel, values, times } = track;
  const size = channelSize(channel);
  const dense = Float64Array.from(values);
  didWork(times.length);
  // Turns within the reach of the bell are near each other: their mean is that of their numbers, on one side.
  if (size === 4)
    for (let k = 4; k < dense.length; k += 4) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += dense[k + c]! * dense[k - 4 + c]!;
      if (dot < 0) for (let c = 0; c < 4; c++) dense[k + c] = -dense[k + c]!;
    }
  const keyRate = times.length > 1 ? (times.length - 1) / (times[times.length - 1]! - times[0]!) : rate;
  const low = lowBand(dense, size, keyRate, cutoff);
  if (size === 4) for (let k = 0; k < low.length; k += 4) normalizeQuaternion(low, k, low, k);
  return { ...track, values: Float32Array.from(low) };
}

/** Per joint the seconds at which something below it comes down. */
function impactsOf(rig: Rig, clip: Clip): number[][] {
  const { parents } = rig.skeleton;
  const impacts: number[][] = Array.from(parents, () => []);
  const jointOf = new Map(bodyPoints(rig).map(({ name, joint }) => [name, joint]));
  for (const { point, start } of findContacts(rig, clip)) {
    // A foot that stands when the clip begins does not come down.
    if (start <= 0) continue;
    for (let at = jointOf.get(point) ?? -1; at >= 0; at = parents[at]!) impacts[at]!.push(start);
  }
  return impacts;
}

/** The calm track, and the one that was given around impacts and where that stands out of its own noise. */
function keepEvents(given: Track, calm: Track, impacts: readonly number[]): Track {
  const { times, channel } = given;
  const size = channelSize(channel);
  const off = offsOf(given, calm, size);
  const usual = selectNth(off.slice(), off.length, Math.floor(USUAL_FRAMES_SHARE * off.length));
  const values = Float32Array.from(calm.values);
  const kept = new Float64Array(times.length);
  const keepAround = (time: number, most: number, from: number) => {
    for (let k = from; k >= 0 && time - times[k]! < EVENT_LASTS; k--)
      kept[k] = Math.max(kept[k]!, most * fadeOut((time - times[k]!) / EVENT_LASTS));
    for (let k = from + 1; k < times.length && times[k]! - time < EVENT_LASTS; k++)
      kept[k] = Math.max(kept[k]!, most * fadeOut((times[k]! - time) / EVENT_LASTS));
  };
  for (let k = 0; k < times.length; k++) {
    const beyond = usual > 0 ? off[k]! / (STANDS_OUT * usual) - 1 : 0;
    if (beyond > 0) keepAround(times[k]!, Math.min(1, beyond), k);
  }
  for (const time of impacts) {
    let k = 0;
    while (k + 1 < times.length && times[k + 1]! <= time) k++;
    keepAround(time, 1, k);
  }
  for (let k = 0; k < times.length; k++) blendKey(values, size * k, given.values, kept[k]!, size);
  return { ...calm, values };
}

/** How far each key is from its calm: in radians, or in units of the file. */
function offsOf({ values }: Track, calm: Track, size: number): Float64Array {
  return Float64Array.from({ length: values.length / size }, (_, k) =>
    size === 4
      ? quaternionAngle(values, 4 * k, calm.values, 4 * k)
      : lengthOf([0, 1, 2].map((c) => values[3 * k + c]! - calm.values[3 * k + c]!)),
  );
}

/** out = out · (1 − share) + given · share, of length 1 where it is a turn. */
function blendKey(out: Float32Array, o: number, given: ArrayLike<number>, share: number, size: number): void {
  if (share === 0) return;
  let sign = 1;
  if (size === 4) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += out[o + c]! * given[o + c]!;
    if (dot < 0) sign = -1;
  }
  for (let c = 0; c < size; c++) out[o + c] = out[o + c]! * (1 - share) + sign * given[o + c]! * share;
  if (size === 4) normalizeQuaternion(out, o, out, o);
}
