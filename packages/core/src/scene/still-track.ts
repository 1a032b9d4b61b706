import type { Track } from './clip.js';
import { channelSize } from './clip.js';
import { deferredTurns } from './deferred-turns.js';

/** Whether a track holds one value all the time: equal keys and, where cubic, no slope anywhere. */
export function isStill(track: Track): boolean {
  // Such keys move, and are left unread.
  if (deferredTurns(track)) return false;
  const { values, interpolation, channel } = track;
  const size = channelSize(channel);
  const stride = interpolation === 'cubic' ? 3 * size : size;
  for (let c = 0; c < Math.min(stride, values.length); c++) {
    const isSlope = stride > size && (c < size || c >= 2 * size);
    // What is no number is no value either.
    if (isSlope ? values[c] !== 0 : Number.isNaN(values[c]!)) return false;
  }
  if (stride === 4 && values instanceof Float32Array) return areSameTurns(values);
  if (stride === 3 && values instanceof Float32Array) return areSamePlaces(values);
  for (let i = stride; i < values.length; i++) if (values[i] !== values[i - stride]) return false;
  return true;
}

/** Whether all turns are the first. Most keys of most clips are such: looking at them is a third of moving them. */
function areSameTurns(values: Float32Array): boolean {
  const [x, y, z, w] = values;
  for (let i = 4; i + 3 < values.length; i += 4)
    if (values[i] !== x || values[i + 1] !== y || values[i + 2] !== z || values[i + 3] !== w) return false;
  return true;
}

/** Whether all places or scales are the first. */
function areSamePlaces(values: Float32Array): boolean {
  const [x, y, z] = values;
  for (let i = 3; i + 2 < values.length; i += 3)
    if (values[i] !== x || values[i + 1] !== y || values[i + 2] !== z) return false;
  return true;
}
