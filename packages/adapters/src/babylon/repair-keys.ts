import type { Clip, Track } from '@stuntdouble/core';

/** Two rotations are half a turn apart where the dot product of their quaternions is below this; Babylon's own limit. */
const ORTHOGONAL = 1e-3;

/**
 * Repairs rotation keys that stand alone, half a turn away from the key before, as faulty files have them:
 * Babylon.js's `fixAnimations`, made local (BP6). A key is replaced by the one before where the motion
 * comes back at once, or where it is the last; a turn that is meant, which goes on from there, stays.
 * @returns the clip itself where nothing had to be repaired.
 */
export function repairKeys(clip: Clip): Clip {
  let repaired = false;
  const tracks = clip.tracks.map((track) => {
    if (track.channel !== 'rotation' || track.interpolation === 'cubic') return track;
    const fixed = repairTrack(track);
    if (fixed !== track) repaired = true;
    return fixed;
  });
  return repaired ? { ...clip, tracks } : clip;
}

function repairTrack(track: Track): Track {
  const count = track.times.length;
  let { values } = track;
  for (let k = 1; k < count; k++) {
    const here = 4 * k;
    if (Math.abs(dot(values, here - 4, here)) >= ORTHOGONAL) continue;
    const isLast = k === count - 1;
    // It comes back: the next key is nearer to the one before than to this one.
    const comesBack =
      !isLast && Math.abs(dot(values, here - 4, here + 4)) > Math.abs(dot(values, here, here + 4));
    if (!(isLast && count > 2) && !comesBack) continue;
    if (values === track.values) values = values.slice();
    for (let c = 0; c < 4; c++) values[here + c] = values[here - 4 + c]!;
  }
  return values === track.values ? track : { ...track, values };
}

function dot(values: Track['values'], i: number, j: number): number {
  return (
    values[i]! * values[j]! +
    values[i + 1]! * values[j + 1]! +
    values[i + 2]! * values[j + 2]! +
    values[i + 3]! * values[j + 3]!
  );
}
