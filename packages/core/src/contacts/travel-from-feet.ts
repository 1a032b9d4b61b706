import { createMatrix, invertMatrix } from '../base/math/matrix.js';
import type { Warning } from '../base/warnings.js';
import type { Rig } from '../body/rig.js';
import type { Clip, Track } from '../scene/clip.js';
import { createPath, followPath } from '../scene/joint-path.js';
import { findTreadmill } from './find-treadmill.js';
import { trackPoints } from './track-points.js';

/**
 * A clip that walks on the spot, made to travel: its hips go on as fast as its standing feet go back under them, so that
 * feet stand still. All that follows sees a clip that was captured travelling, so that root motion can be kept, extracted
 * or given apart. The speed is one for the whole clip, as that of the ground under it is. A clip whose feet show no moving
 * ground, since it travels already or stands, stays as it is, with a warning.
 */
export function travelFromFeet(rig: Rig, clip: Clip, travel: number): { clip: Clip; warnings: Warning[] } {
  const [x, z] = findTreadmill(trackPoints(rig, clip));
  if (x === 0 && z === 0) {
    const message = `travel is to be deduced from the feet of "${clip.name}", but they do not walk on the spot; it travels as it does`;
    return { clip, warnings: [{ code: 'option-without-effect', message }] };
  }
  const { skeleton } = rig;
  // A node above the hips stays where it is while a body walks on the spot.
  const into = createMatrix();
  followPath(into, createPath(skeleton, travel), skeleton, skeleton.rest);
  invertMatrix(into, 0, into, 0);
  const speed = [0, 1, 2].map((c) => -(into[c]! * x + into[8 + c]! * z));
  const isOwn = (track: Track) => track.joint === travel && track.channel === 'translation';
  const moved = clip.tracks.find(isOwn) ?? stillTrack(rig, clip, travel);
  return {
    clip: { ...clip, tracks: [...clip.tracks.filter((track) => !isOwn(track)), moveOn(moved, clip, speed)] },
    warnings: [],
  };
}

/** The place of a joint that no track moves. */
function stillTrack({ skeleton: { rest } }: Rig, { duration }: Clip, joint: number): Track {
  const place = [...rest.translations.subarray(3 * joint, 3 * joint + 3)];
  return {
    joint,
    channel: 'translation',
    interpolation: 'linear',
    times: Float64Array.of(0, duration),
    values: Float64Array.from([...place, ...place]),
  };
}

/** A track of places with a steady speed on top: keys between keys are as exact as they were, in cubic ones too. */
function moveOn(track: Track, { duration }: Clip, speed: readonly number[]): Track {
  const isCubic = track.interpolation === 'cubic';
  const stride = isCubic ? 9 : 3;
  const at = isCubic ? 3 : 0;
  const keys = Array.from(track.times, (time, k) => ({
    time,
    values: [...track.values.subarray(stride * k, stride * k + stride)],
  }));
  // Before the first key and after the last one a track stands still, and the body does not.
  const end = (time: number, values: readonly number[]) => ({
    time,
    values: isCubic ? [0, 0, 0, ...values.slice(3, 6), 0, 0, 0] : [...values],
  });
  if (keys[0]!.time > 0) keys.unshift(end(0, keys[0]!.values));
  const last = keys[keys.length - 1]!;
  if (last.time < duration) keys.push(end(duration, last.values));
  for (const { time, values } of keys)
    for (let c = 0; c < 3; c++) {
      values[at + c] = values[at + c]! + speed[c]! * time;
      if (!isCubic) continue;
      values[c] = values[c]! + speed[c]!;
      values[6 + c] = values[6 + c]! + speed[c]!;
    }
  return {
    ...track,
    // A place that is held until the next key would go on in steps.
    interpolation: isCubic ? 'cubic' : 'linear',
    times: Float64Array.from(keys, ({ time }) => time),
    values: Float64Array.from(keys.flatMap(({ values }) => values)),
  };
}
