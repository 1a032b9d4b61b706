import { slerpQuaternions } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import { type Clip, channelSize, type Track } from '../scene/clip.js';
import type { Pose } from '../scene/pose.js';

/**
 * A clip of which only a share is played (W5): every key stands between a pose and what it was. 1 is the clip as it is,
 * 0 the pose. Turns go the short way; morph weights and gaze are lessened likewise.
 */
export function lessenClip(clip: Clip, pose: Readonly<Pose>, amount: number): Clip {
  if (amount >= 1) return clip;
  const zero = new Float64Array(1);
  const straight = Float64Array.of(0, 0, 0, 1);
  return {
    ...clip,
    tracks: clip.tracks.map((track) => {
      const size = channelSize(track.channel);
      const store =
        track.channel === 'rotation'
          ? pose.rotations
          : track.channel === 'translation'
            ? pose.translations
            : pose.scales;
      return { ...track, values: lessened(track, size, store, size * track.joint, amount) };
    }),
    morphs: clip.morphs.map((track) => ({ ...track, values: lessened(track, 1, zero, 0, amount) })),
    ...(clip.gaze && { gaze: { ...clip.gaze, values: lessened(clip.gaze, 4, straight, 0, amount) } }),
  };
}

function lessened(
  { times, values, interpolation }: Pick<Track, 'times' | 'values' | 'interpolation'>,
  size: number,
  from: ArrayLike<number>,
  at: number,
  amount: number,
): Float32Array {
  didWork(times.length);
  const out = new Float32Array(values.length);
  const isCubic = interpolation === 'cubic';
  const stride = isCubic ? 3 * size : size;
  const start = Float64Array.from({ length: size }, (_, c) => from[at + c]!);
  for (let k = 0; k < times.length; k++) {
    const v = stride * k + (isCubic ? size : 0);
    if (size === 4 && !isCubic) {
      slerpQuaternions(out, v, start, 0, values, v, amount);
      continue;
    }
    // Cubic turns are played at length 1, so that a straight blend of them is a turn between; it takes the near side.
    let dot = 0;
    for (let c = 0; c < size; c++) dot += start[c]! * values[v + c]!;
    const side = size === 4 && dot < 0 ? -1 : 1;
    for (let c = 0; c < size; c++) {
      out[v + c] = (1 - amount) * side * start[c]! + amount * values[v + c]!;
      if (!isCubic) continue;
      out[v - size + c] = amount * values[v - size + c]!;
      out[v + size + c] = amount * values[v + size + c]!;
    }
  }
  return out;
}
