import { slerpQuaternions } from '../base/math/quaternion.js';
import { type Clip, sampleTrack } from '../scene/clip.js';
import type { Pose } from '../scene/pose.js';

/** How a clip is played (W5). */
export type ClipPlaying = {
  /** The part that is played, seconds of the clip; all of it if left out. */
  start?: number;
  end?: number;
  /** How many times as fast; below 0 backwards; 1 if left out. */
  speed?: number;
  /** `once`, if left out: the last pose stands; `loop`: over and over; `pingPong`: there and back, over and over. */
  mode?: 'once' | 'loop' | 'pingPong';
  /** How much of it shows over the pose that is there already: 0 nothing, 1, if left out, all. */
  amount?: number;
};

/** The time of a clip that is seen so many seconds after it began to play. */
export function playedTime(duration: number, seconds: number, playing: ClipPlaying = {}): number {
  const start = playing.start ?? 0;
  const end = Math.max(start, playing.end ?? duration);
  const length = end - start;
  const { speed = 1, mode = 'once' } = playing;
  if (!(length > 0)) return start;
  const gone = Math.abs(speed) * seconds;
  const round = mode === 'pingPong' ? 2 * length : length;
  let at = mode === 'once' ? Math.min(Math.max(gone, 0), length) : gone - round * Math.floor(gone / round);
  if (at > length) at = round - at;
  return speed < 0 ? end - at : start + at;
}

const value = new Float64Array(4);

/**
 * Puts what a playing clip shows into a pose, over what that holds: joints without tracks keep it, and all keep some of
 * it where the amount is below 1, so that clips played one after the other blend.
 */
export function playClip(out: Pose, clip: Clip, seconds: number, playing: ClipPlaying = {}): void {
  const time = playedTime(clip.duration, seconds, playing);
  const amount = Math.min(1, Math.max(0, playing.amount ?? 1));
  for (let n = 0; n < clip.tracks.length; n++) {
    const track = clip.tracks[n]!;
    if (track.times.length === 0) continue;
    sampleTrack(value, 0, track, time);
    if (track.channel === 'rotation') {
      slerpQuaternions(out.rotations, 4 * track.joint, out.rotations, 4 * track.joint, value, 0, amount);
      continue;
    }
    const store = track.channel === 'translation' ? out.translations : out.scales;
    for (let c = 0; c < 3; c++) {
      const i = 3 * track.joint + c;
      store[i] = store[i]! + amount * (value[c]! - store[i]!);
    }
  }
}
