import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  distance,
  placeAt,
  quatAt,
  randomSkeleton,
  randomTurn,
  times,
} from '../../test/tiny-rigs.js';
import { copyPose, modelPoseOf } from '../scene/pose.js';
import { createSolver } from './create-solver.js';
import type { JointLimit } from './joint-limits.js';
import { projectLimit } from './joint-limits.js';
import { createSkeletonChain, loadChain, storeChain } from './skeleton-chain.js';
import { projectChainJoint } from './solver-chain.js';

const HINGE: JointLimit = { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [-20, 20] };

/** Six joints in a row, scaled, some of them mirrored. */
function rowOf(seed: number) {
  return randomSkeleton(createRandom(seed), 6, {
    parents: [-1, 0, 1, 2, 3, 4],
    scales: true,
    mirrors: true,
  });
}

describe('chains of a skeleton', () => {
  it.each([1, 2, 3, 4])('come back as they went in (%s)', (seed) => {
    const skeleton = rowOf(seed);
    const pose = copyPose(skeleton.rest);
    const model = modelPoseOf(skeleton, pose);
    const link = createSkeletonChain(skeleton, [1, 3, 5]);
    loadChain(link, model);
    link.joints.forEach((joint, i) => {
      expect(
        distance(placeAt(model, joint), [...link.chain.positions.slice(3 * i, 3 * i + 3)] as [
          number,
          number,
          number,
        ]),
      ).toBeLessThan(1e-12);
    });
    storeChain(link, pose, model);
    pose.rotations.forEach((x, i) => {
      expect(x).toBeCloseTo(skeleton.rest.rotations[i]!, 12);
    });
  });

  it.each([1, 2, 3, 4])(
    'K33: a limit counts from rest, whatever turns between two joints and is left out (%s)',
    (seed) => {
      const random = createRandom(seed);
      const skeleton = rowOf(seed);
      const link = createSkeletonChain(skeleton, [1, 3, 5], { 1: HINGE, 3: HINGE });
      // A joint between that has turned moves what hangs on it, and is no turn of the next.
      const pose = copyPose(skeleton.rest);
      pose.rotations.set(times(quatAt(pose.rotations, 2), randomTurn(random)), 8);
      loadChain(link, modelPoseOf(skeleton, pose));
      const before = link.chain.rotations.slice();
      for (const i of [0, 1]) {
        projectChainJoint(link.chain, i);
        expect(angleBetween(quatAt(before, i), quatAt(link.chain.rotations, i))).toBeLessThan(1e-9);
      }
      // And what is solved keeps to it, in the skeleton's own rotations.
      const model = modelPoseOf(skeleton, pose);
      const end = placeAt(model, 5);
      createSolver(link.chain, { method: 'jacobian' })({
        position: Float64Array.of(end[0] + 0.3, end[1] - 0.2, end[2] + 0.1),
      });
      storeChain(link, pose, model);
      for (const i of [0, 1]) {
        const joint = link.joints[i]!;
        const local = pose.rotations.slice(4 * joint, 4 * joint + 4);
        const outside = projectLimit(local, 0, skeleton.rest.rotations, 4 * joint, link.chain.limits[i]!);
        expect(outside).toBeLessThan(1e-6);
      }
    },
  );

  it('a joint that hangs elsewhere is the end of a row, and turns by itself', () => {
    const skeleton = randomSkeleton(createRandom(8), 4, { parents: [-1, 0, 1, 0] });
    const pose = copyPose(skeleton.rest);
    const model = modelPoseOf(skeleton, pose);
    const link = createSkeletonChain(skeleton, [1, 2, 3], {}, true);
    expect([...link.chain.parents]).toEqual([-1, 0, 1]);
    loadChain(link, model);
    const end = placeAt(model, 3);
    const rotation = model.rotations.slice(12, 16);
    createSolver(link.chain, { method: 'fabrik' })({
      position: Float64Array.of(end[0] - 0.1, end[1] + 0.1, end[2]),
      rotation,
    });
    storeChain(link, pose, model);
    expect(angleBetween(quatAt(pose.rotations, 1), quatAt(skeleton.rest.rotations, 1))).toBeGreaterThan(0.01);
    // Its parent has not turned, so neither has it.
    expect(angleBetween(quatAt(pose.rotations, 3), quatAt(skeleton.rest.rotations, 3))).toBeLessThan(1e-9);
  });
});
