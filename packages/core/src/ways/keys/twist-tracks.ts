import { makeQuaternionsContinuous } from '../../base/math/quaternion.js';
import { evenTimes } from '../../clips/bake-times.js';
import { compiledOf, type Setup } from '../../passes/pass.js';
import type { PassName } from '../../passes/pipeline.js';
import { readByTwist, roomFor, spreadBone, spreadTwist } from '../../passes/spread-twist.js';
import { type Clip, sampleTrack, type Track } from '../../scene/clip.js';
import { factsOfSetup } from '../../setup/setup-facts.js';

/**
 * The tracks of twist joints beside keys that were moved as they are: a share of a turn is no line between two keys, so
 * that they have frames, at the one even rate that a bake has. None where frames have them already, or where a limb has
 * no tracks.
 * @param source The clip that was moved.
 * @param moved What came of it.
 */
export function twistTracks(setup: Setup, source: Clip, moved: Clip, passes: readonly PassName[]): Track[] {
  const all = passes.includes(spreadTwist.name) ? compiledOf(setup, spreadTwist) : null;
  if (all === null) return [];
  const turns = new Map<number, Track>();
  for (const track of moved.tracks)
    if (track.channel === 'rotation' && track.times.length > 0) turns.set(track.joint, track);
  const bones = all.filter(
    (bone) =>
      readByTwist(bone).some((joint) => turns.has(joint)) &&
      !bone.joints.some(({ joint }) => turns.has(joint)),
  );
  if (bones.length === 0) return [];
  const { mapped } = factsOfSetup(setup);
  const times = evenTimes(source, (joint) => mapped.has(joint), false);
  const read = bones.flatMap(readByTwist).flatMap((joint) => turns.get(joint) ?? []);
  const hints = new Int32Array(read.length);
  const rotations = setup.alignment.pose.rotations.slice();
  const room = roomFor(bones);
  const tracks = bones.flatMap(({ joints }) =>
    joints.map(
      ({ joint }): Track => ({
        joint,
        channel: 'rotation',
        interpolation: 'linear',
        times,
        values: new Float32Array(4 * times.length),
      }),
    ),
  );
  for (let k = 0; k < times.length; k++) {
    for (let n = 0; n < read.length; n++)
      hints[n] = sampleTrack(rotations, 4 * read[n]!.joint, read[n]!, times[k]!, hints[n]);
    for (const bone of bones) spreadBone(rotations, bone, room);
    for (const { joint, values } of tracks)
      for (let c = 0; c < 4; c++) values[4 * k + c] = rotations[4 * joint + c]!;
  }
  for (const { values } of tracks) makeQuaternionsContinuous(values, times.length);
  return tracks;
}
