import { type Clip, frameRateOf, UsageError } from '@stuntdouble/core';
import { short } from './words.js';

/** A point in a clip as typed: seconds, or a frame of the clip's own rate. */
export type ClipPoint = { seconds: number } | { frame: number };

/** The part of a clip as typed; a side that was left out is the clip's own. */
export type ClipRange = { start?: ClipPoint; end?: ClipPoint };

/** A range in seconds, for a clip of a duration and a frame rate. */
export function secondsOfRange(range: ClipRange, duration: number, frameRate: number): [number, number] {
  const seconds = (point: ClipPoint) => ('frame' in point ? point.frame / frameRate : point.seconds);
  return [range.start ? seconds(range.start) : 0, range.end ? seconds(range.end) : duration];
}

/**
 * One range in seconds for all clips.
 * @throws UsageError where it is given in frames and the clips do not agree on how long a frame is.
 */
export function commonRange(range: ClipRange, clips: readonly Clip[]): [number, number] {
  const rates = clips.map(frameRateOf);
  const inFrames = [range.start, range.end].some((point) => point !== undefined && 'frame' in point);
  if (inFrames && rates.some((rate) => Math.abs(rate - rates[0]!) > 1e-3 * rates[0]!))
    throw new UsageError(
      '--range is in frames, but the clips have different frame rates; choose one with --clip, or give seconds',
    );
  const longest = Math.max(...clips.map(({ duration }) => duration));
  const [start, end] = secondsOfRange(range, longest, rates[0]!);
  if (!(start < end))
    throw new UsageError(`--range goes from ${short(start)} s to ${short(end)} s, where nothing is left`);
  if (start >= longest)
    throw new UsageError(
      `--range starts at ${short(start)} s, but the longest clip ends at ${short(longest)} s`,
    );
  return [start, end];
}
