import { type Clip, channelSize, type MorphTrack, sampleTrack, type Track } from './clip.js';
import { UsageError } from './errors.js';

/**
 * Cuts a clip to [start, end] seconds and moves it to begin at 0. Keys at the cuts are made from the curve;
 * a cubic curve is cut with its tangents, so that its shape stays.
 * @throws UsageError where nothing of the clip lies in the range.
 */
export function trimClip(clip: Clip, start: number, end: number): Clip {
  const to = Math.min(end, clip.duration);
  const from = Math.max(0, start);
  if (!(from < to))
    throw new UsageError(
      `clip "${clip.name}" is ${clip.duration} s long; ${start} to ${end} s is no part of it`,
    );
  return {
    name: clip.name,
    duration: to - from,
    tracks: clip.tracks.map((track) => ({
      ...track,
      ...cutKeys(track, channelSize(track.channel), from, to),
    })),
    morphs: clip.morphs.map((track) => ({ ...track, ...cutKeys(track, 1, from, to) })),
  };
}

/** Plays a clip `speed` times as fast. */
export function changeSpeed(clip: Clip, speed: number): Clip {
  if (!(speed > 0) || !Number.isFinite(speed))
    throw new UsageError(`speed is ${speed}; it must be a positive number`);
  if (speed === 1) return clip;
  const faster = <T extends Track | MorphTrack>(track: T, size: number): T => {
    const times = track.times.map((time) => time / speed);
    if (track.interpolation !== 'cubic') return { ...track, times };
    // Tangents are per second: they grow with the speed.
    const values = track.values.map((value, i) => (Math.floor(i / size) % 3 === 1 ? value : value * speed));
    return { ...track, times, values };
  };
  return {
    name: clip.name,
    duration: clip.duration / speed,
    tracks: clip.tracks.map((track) => faster(track, channelSize(track.channel))),
    morphs: clip.morphs.map((track) => faster(track, 1)),
  };
}

function cutKeys(
  track: Track | MorphTrack,
  size: number,
  from: number,
  to: number,
): Pick<Track, 'times' | 'values'> {
  const { times, values, interpolation } = track;
  if (times.length === 0) return { times, values };
  const stride = interpolation === 'cubic' ? 3 * size : size;
  const keptTimes: number[] = [];
  const kept: number[] = [];
  const addCut = (time: number) => {
    keptTimes.push(time - from);
    kept.push(...cutAt(track, size, time));
  };
  // A millionth of a second: keys at the cut itself are taken as they are.
  const first = times.findIndex((time) => time >= from - 1e-6);
  if (first < 0 || times[first]! > from + 1e-6) addCut(from);
  for (let k = Math.max(first, 0); k < times.length && first >= 0 && times[k]! <= to + 1e-6; k++) {
    keptTimes.push(Math.max(0, times[k]! - from));
    for (let c = 0; c < stride; c++) kept.push(values[k * stride + c]!);
  }
  if (keptTimes[keptTimes.length - 1]! < to - from - 1e-6) addCut(to);
  return { times: Float32Array.from(keptTimes), values: Float32Array.from(kept) };
}

/** One key of the curve at a time: its value and, for a cubic curve, its slope on both sides. */
function cutAt(track: Track | MorphTrack, size: number, time: number): number[] {
  const value = valueAt(track, size, time);
  if (track.interpolation !== 'cubic') return value;
  // The slope by central difference of the polynomial itself, which is smooth inside a span.
  const h = 1e-4;
  const before = valueAt(track, size, time - h);
  const after = valueAt(track, size, time + h);
  const slope = value.map((_, c) => (after[c]! - before[c]!) / (2 * h));
  return [...slope, ...value, ...slope];
}

function valueAt(track: Track | MorphTrack, size: number, time: number): number[] {
  if ('channel' in track) {
    const out = new Float64Array(4);
    sampleTrack(out, 0, track, time);
    return Array.from(out.subarray(0, size));
  }
  return [sampleMorph(track, time)];
}

/** The weight of a morph track at a time. */
export function sampleMorph(track: MorphTrack, time: number): number {
  // A morph is one number: sampled as the first component of a translation.
  const stride = track.interpolation === 'cubic' ? 3 : 1;
  const values = new Float64Array(3 * track.times.length * stride);
  for (let i = 0; i < track.values.length; i++) values[3 * i] = track.values[i]!;
  const out = new Float64Array(3);
  sampleTrack(out, 0, { ...track, joint: 0, channel: 'translation', values }, time);
  return out[0]!;
}
