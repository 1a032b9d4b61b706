import { slerpQuaternions } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import type { Clip, Track } from '../scene/clip.js';

/**
 * Quaternions whose dot product is smaller are called orthogonal: 151 degrees or more apart. Babylon.js's
 * `fixAnimations` takes 0.001, which finds a joint that stands still but misses the same fault in one that moves.
 */
const ORTHOGONAL = 0.25;
/** The keys beside a fault must agree so well: a dot product of 0.9 is a turn of 52 degrees. */
const AGREE = 0.9;
/** A fault lasts at most so many keys, and so long in seconds; what lasts longer is meant. */
const LONGEST_FAULT = 2;
const LONGEST_SECONDS = 0.11;

/**
 * Replaces rotation keys that some exporters leave a half turn off, as Babylon.js's `fixAnimations` does, but
 * only where they are faults: one or two keys orthogonal to the keys before and after them, which agree with
 * each other. They become what the keys around them say. A real half turn between sparse keys has no such
 * way back and stays (BP6); cubic tracks are left as they are.
 */
export function repairKeys(clip: Clip): { clip: Clip; repaired: number } {
  let repaired = 0;
  const tracks = clip.tracks.map((track) => {
    if (track.channel !== 'rotation' || track.interpolation === 'cubic') return track;
    didWork(track.times.length);
    const values = repairTrack(track);
    if (!values) return track;
    repaired += values.repaired;
    return { ...track, values: values.values };
  });
  return repaired > 0 ? { clip: { ...clip, tracks }, repaired } : { clip, repaired };
}

function repairTrack({ times, values }: Track): { values: Float32Array; repaired: number } | null {
  let out: Float32Array | null = null;
  let repaired = 0;
  const dot = (a: number, b: number) =>
    Math.abs(
      values[4 * a]! * values[4 * b]! +
        values[4 * a + 1]! * values[4 * b + 1]! +
        values[4 * a + 2]! * values[4 * b + 2]! +
        values[4 * a + 3]! * values[4 * b + 3]!,
    );
  for (let k = 1; k < times.length - 1; k++) {
    if (dot(k - 1, k) >= ORTHOGONAL) continue;
    for (let length = 1; length <= LONGEST_FAULT && k + length < times.length; length++) {
      const after = k + length;
      if (dot(after - 1, after) >= ORTHOGONAL || dot(k - 1, after) < AGREE) continue;
      if (times[after]! - times[k - 1]! > LONGEST_SECONDS) break;
      out ??= Float32Array.from(values);
      for (let fault = k; fault < after; fault++) {
        const u = (times[fault]! - times[k - 1]!) / (times[after]! - times[k - 1]! || 1);
        slerpQuaternions(out, 4 * fault, values, 4 * (k - 1), values, 4 * after, u);
        repaired++;
      }
      k = after;
      break;
    }
  }
  return out ? { values: out, repaired } : null;
}
