import { describe, expect, it } from 'vitest';
import { randomSkeleton, randomTurn } from '../../test/tiny-rigs.js';
import { forwardJoints, withAncestors } from './forward-joints.js';
import { copyPose, createModelPose, modelPoseOf } from './pose.js';

/** A repeatable stream of numbers from 0 to 1. */
function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

describe('forwardJoints', () => {
  it('puts joints where localToModel does, scaled and mirrored ones too, and touches no other', () => {
    const random = stream(7);
    for (let n = 0; n < 20; n++) {
      const skeleton = randomSkeleton(random, 12, { scales: true, mirrors: true });
      const pose = copyPose(skeleton.rest);
      for (let i = 0; i < 12; i++) pose.rotations.set(randomTurn(random), 4 * i);
      const all = modelPoseOf(skeleton, pose);
      const joints = withAncestors(skeleton, [11, 5]);
      const some = createModelPose(12);
      forwardJoints(some, skeleton, pose, joints);
      const listed = new Set(joints);
      for (let i = 0; i < 12; i++) {
        for (let c = 0; c < 16; c++)
          expect(some.matrices[16 * i + c]).toBeCloseTo(listed.has(i) ? all.matrices[16 * i + c]! : 0, 10);
        for (let c = 0; c < 4; c++)
          expect(some.rotations[4 * i + c]).toBeCloseTo(listed.has(i) ? all.rotations[4 * i + c]! : 0, 10);
      }
      const placed = createModelPose(12);
      const before = placed.rotations.slice();
      forwardJoints(placed, skeleton, pose, joints, false);
      expect(placed.matrices).toEqual(some.matrices);
      expect(placed.rotations).toEqual(before);
    }
  });
});
