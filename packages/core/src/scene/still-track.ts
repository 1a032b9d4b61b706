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

/** Numbers from which on another view of them is worth making. */
const MANY = 64;

/** Whether all turns are the first. Most keys of most clips are such: looking at them is a third of moving them. */
function areSameTurns(values: Float32Array): boolean {
  const { buffer, byteOffset, length } = values;
  const [x, y, z, w] = values;
  let from = 4;
  if (byteOffset % 8 === 0 && length >= MANY) {
    // Two numbers at a time, as one of twice the bits: what is the same so is the same one by one. What is not may be.
    const pairs = new Float64Array(buffer, byteOffset, length >> 1);
    const [a, b] = pairs;
    let n = 2;
    while (n + 1 < pairs.length && pairs[n] === a && pairs[n + 1] === b) n += 2;
    from = 2 * n;
  }
  for (let i = from; i + 3 < values.length; i += 4)
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
