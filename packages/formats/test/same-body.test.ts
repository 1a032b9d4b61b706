import {
  type Character,
  type Clip,
  chooseCharacter,
  copyPose,
  createRig,
  modelPoseOf,
  type Rig,
  retarget,
  type Scene,
  sampleClip,
  subtractVectors,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER, hasData } from './data-files.js';

/*
 * One body that two files name and turn otherwise, with the same animation in both: the target's own clip is the
 * truth, and there is nothing to correct.
 */

const BASE = 'mesh2motion/human-base-animations.DEF.glb';

const characterOf = (scene: Scene): Character => scene.characters[chooseCharacter(scene).character]!;

/** Mean distance of all body parts, seen from the hips, between two clips of one rig, in % of the hips' height. */
function meanDistance({ skeleton, joints, floor, reference }: Rig, a: Clip, b: Clip): number {
  const pose = copyPose(skeleton.rest);
  const hips = joints.hips!;
  const height = modelPoseOf(skeleton, reference.pose).matrices[16 * hips + 13]! - floor.height;
  const placesAt = (clip: Clip, time: number) => {
    sampleClip(pose, clip, time);
    const { matrices } = modelPoseOf(skeleton, pose);
    const at = (joint: number) => vectorAt(matrices, 16 * joint + 12);
    return Object.values(joints).map((joint) => subtractVectors(at(joint), at(hips)));
  };
  let sum = 0;
  let count = 0;
  for (let time = 0; time <= a.duration; time += 1 / 20) {
    const [ours, truth] = [placesAt(a, time), placesAt(b, time)];
    ours.forEach((place, n) => {
      sum += vectorLength(subtractVectors(place, truth[n]!));
      count++;
    });
  }
  return (100 * sum) / (count * height);
}

describe.skipIf(!hasData)('the same body in two files (needs ../shared/data)', () => {
  it.each([
    ['Idle_Loop', 'misc/viverse_idle.glb', 0.1],
    ['Walk_Loop', 'misc/viverse_walk.glb', 1],
  ])(
    '%s keeps its pose with corrections on, though only one file has vertices',
    async (name, file, most) => {
      const [from, to] = [await read(DATA_FOLDER + BASE), await read(DATA_FOLDER + file)];
      const { skeleton, clips } = characterOf(to);
      const [ours] = retarget(from, to, { clips: [name], corrections: 'auto', measure: false }).clips;
      expect(meanDistance(createRig(skeleton, { clips }), ours!, clips[0]!)).toBeLessThan(most);
    },
  );
});
