import type { Clip } from '../src/scene/clip.js';

/**
 * Where a result holds what it must not: a number that is none or that no float32 holds, or a turn whose length is not
 * one. Null where it is sound. Tangents of cubic turns need only be numbers.
 */
export function findUnsound(value: unknown, at = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(Math.fround(value)) ? null : `${at} is ${value}`;
  if (typeof value !== 'object' || value === null) return null;
  if (ArrayBuffer.isView(value)) {
    const values = value as Float32Array;
    const bad = values.findIndex((x) => !Number.isFinite(Math.fround(x)));
    return bad < 0 ? null : `${at}[${bad}] is ${values[bad]}`;
  }
  for (const [name, part] of Object.entries(value)) {
    const found = findUnsound(part, `${at}.${name}`);
    if (found) return found;
  }
  return null;
}

/** The same of a clip, its turns and the order of its keys too. */
export function findUnsoundClip(clip: Clip, at = clip.name): string | null {
  const gaze = clip.gaze ? [{ joint: -1, channel: 'rotation' as const, ...clip.gaze }] : [];
  for (const { joint, channel, interpolation, times, values } of [...clip.tracks, ...gaze]) {
    const size = channel === 'rotation' ? 4 : 3;
    const stride = interpolation === 'cubic' ? 3 * size : size;
    const where = `${at}, ${channel} of joint ${joint}`;
    if (values.length !== stride * times.length)
      return `${where}: ${values.length} numbers for ${times.length} keys`;
    if (size < 4) continue;
    for (let i = (stride - size) / 2; i < values.length; i += stride) {
      const length = Math.hypot(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
      if (!(Math.abs(length - 1) <= 1e-6))
        return `${where}: key ${Math.floor(i / stride)} has length ${length}`;
    }
  }
  return findUnsound(clip, at);
}
