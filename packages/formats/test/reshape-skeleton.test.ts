import { modelPoseOf, poseAt, reshapeClip, reshapeSkeleton } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { expect, it } from 'vitest';
import { DATA_FOLDER, describeData } from './data-files.js';

/** A file, and which of its joints go. */
const FILES: [string, RegExp][] = [
  ['cmu/02_01.bvh', /Finger|Thumb|LHipJoint|RHipJoint|LowerBack|Neck1/],
  ['misc/viverse_walk.glb', /thumb|index|middle|ring|little|^spine$|root/i],
  ['threejs/RobotExpressive.glb', /Thumb|Index|Middle|Ring|Abdomen|Torso/],
  ['rocketbox/f_walk_fast_02.max.fbx', /Finger|Nub|Spine1|Footsteps/],
];

describeData('real skeletons with fewer joints (needs ../shared/data)', () => {
  for (const [file, gone] of FILES)
    it(`S21, SP7: ${file}: joints that stay play in the same places`, async () => {
      const { characters } = await read(DATA_FOLDER + file);
      const { skeleton, clips } = characters[0]!;
      const stay = skeleton.names.filter((name, i) => !gone.test(name) && skeleton.names.indexOf(name) === i);
      expect(stay.length).toBeLessThan(skeleton.names.length);
      const reshaping = reshapeSkeleton(skeleton, stay);
      expect(reshaping.paths.some((path) => path.length > 1)).toBe(true);
      const clip = clips[clips.length >> 1]!;
      const moved = reshapeClip(reshaping, clip);
      let apart = 0;
      let size = 0;
      for (let k = 0; k <= 23; k++) {
        const time = (clip.duration * k) / 23;
        const before = modelPoseOf(skeleton, poseAt(skeleton, clip, time)).matrices;
        const after = modelPoseOf(reshaping.skeleton, poseAt(reshaping.skeleton, moved, time)).matrices;
        const first = 16 * reshaping.paths[0]!.at(-1)! + 12;
        reshaping.paths.forEach((path, joint) => {
          const a = 16 * path[path.length - 1]! + 12;
          const b = 16 * joint + 12;
          const way = [0, 1, 2].map((c) => before[a + c]! - after[b + c]!);
          apart = Math.max(apart, Math.hypot(...way));
          size = Math.max(size, Math.hypot(...[0, 1, 2].map((c) => before[a + c]! - before[first + c]!)));
        });
      }
      // A ten-thousandth of the body.
      expect(apart / size).toBeLessThan(1e-4);
    });
});
