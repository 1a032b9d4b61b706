import { didWork } from '../base/watch-work.js';
import { type Clip, channelSize, type GazeTrack, type MorphTrack, type Track } from '../scene/clip.js';
import { trimClip } from './edit-clip.js';

/**
 * A clip followed by itself backwards (W5): twice as long, and it ends as it began. Keys are the clip's own; the last
 * one is where it turns.
 */
export function pingPong(whole: Clip): Clip {
  if (!(whole.duration > 0)) return whole;
  // Keys beyond the end never show, and would stand in the way of those that come back.
  const clip = hasKeysBeyond(whole) ? trimClip(whole, 0, whole.duration) : whole;
  const both = <T extends Track | MorphTrack | GazeTrack>(track: T, size: number): T => ({
    ...track,
    ...thereAndBack(track, size, clip.duration),
  });
  return {
    ...clip,
    duration: 2 * clip.duration,
    tracks: clip.tracks.map((track) => both(track, channelSize(track.channel))),
    morphs: clip.morphs.map((track) => both(track, 1)),
    ...(clip.gaze && { gaze: both(clip.gaze, 4) }),
  };
}

function hasKeysBeyond({ duration, tracks, morphs, gaze }: Clip): boolean {
  const end = duration + 1e-6 * Math.max(1, duration);
  return [...tracks, ...morphs, ...(gaze ? [gaze] : [])].some(({ times }) => times[times.length - 1]! > end);
}

/** Keys, and the same backwards. A step holds the value before it: backwards that is the value of the key after. */
function thereAndBack(
  { times, values, interpolation }: Pick<Track, 'times' | 'values' | 'interpolation'>,
  size: number,
  duration: number,
): Pick<Track, 'times' | 'values'> {
  const count = times.length;
  if (count === 0) return { times, values };
  didWork(2 * count);
  const stride = interpolation === 'cubic' ? 3 * size : size;
  // A key at the end is the first of the way back as well.
  const turns = times[count - 1]! >= duration - 1e-9;
  const back: [time: number, key: number][] = [];
  for (let k = count - 1; k >= 0; k--) {
    if (k === count - 1 && turns) continue;
    // Going back, a value that was reached by a step at its key is left there.
    const key = interpolation === 'step' ? Math.max(0, k - 1) : k;
    // Rounded times are by no means rising ones: none comes before the last of the way there.
    back.push([Math.max(2 * duration - times[k]!, times[count - 1]!), key]);
  }
  const allTimes = new Float32Array(count + back.length);
  const allValues = new Float32Array(stride * allTimes.length);
  allTimes.set(times);
  allValues.set(values);
  back.forEach(([time, key], n) => {
    const to = stride * (count + n);
    allTimes[count + n] = time;
    for (let c = 0; c < stride; c++) allValues[to + c] = values[stride * key + c]!;
    if (interpolation !== 'cubic') return;
    // What led into a key leads out of it now, the other way.
    for (let c = 0; c < size; c++) {
      allValues[to + c] = -values[stride * key + 2 * size + c]!;
      allValues[to + 2 * size + c] = -values[stride * key + c]!;
    }
  });
  const last = stride * (count - 1);
  // At the key where it turns a cubic goes back as it came, or stands until then; what a step reaches there shows for
  // no time at all.
  if (interpolation === 'cubic')
    for (let c = 0; c < size; c++) {
      allValues[last + 2 * size + c] = turns ? -values[last + c]! : 0;
      if (!turns) allValues[last + stride + c] = 0;
    }
  if (turns && interpolation === 'step' && count > 1) allValues.copyWithin(last, last - stride, last);
  return { times: allTimes, values: allValues };
}
