import { type Channel, type Clip, createPose, JOINT } from '@stuntdouble/core/engine';
import { type ObjectCharacter, readCurrentPose } from './read-character.js';

/** Half a thousandth of a degree and of a bone: less is rounding. */
const SLACK = 1e-5;

/**
 * Adds keys that hold joints at rest where the object stands otherwise at the moment: a clip leaves out what
 * is at rest, and would play over whatever another clip has left there. Scales are the owner's and stay.
 */
export function holdStandingPose(clip: Clip, { skeleton, objects }: ObjectCharacter): void {
  const now = createPose(objects.length);
  readCurrentPose(now, objects);
  const { rest } = skeleton;
  const held = new Set(clip.tracks.map(({ joint, channel }) => `${joint} ${channel}`));
  const times = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  const hold = (joint: number, channel: Channel, size: number, from: Float64Array, to: Float64Array) => {
    if (held.has(`${joint} ${channel}`)) return;
    const at = joint * size;
    const value = to.subarray(at, at + size);
    let same = 0;
    let opposite = 0;
    let scale = channel === 'rotation' ? 1 : 1e-9;
    for (let c = 0; c < size; c++) {
      scale = Math.max(scale, Math.abs(value[c]!));
      same = Math.max(same, Math.abs(from[at + c]! - value[c]!));
      opposite = Math.max(opposite, Math.abs(from[at + c]! + value[c]!));
    }
    // A quaternion and its opposite are one rotation.
    const miss = channel === 'rotation' ? Math.min(same, opposite) : same;
    if (!(miss > SLACK * scale)) return;
    const values = new Float32Array(size * times.length);
    for (let k = 0; k < times.length; k++) values.set(value, k * size);
    clip.tracks.push({ joint, channel, interpolation: 'linear', times, values });
  };
  for (let joint = 0; joint < objects.length; joint++) {
    if ((skeleton.flags[joint]! & JOINT) === 0) continue;
    hold(joint, 'rotation', 4, now.rotations, rest.rotations);
    hold(joint, 'translation', 3, now.translations, rest.translations);
  }
}
