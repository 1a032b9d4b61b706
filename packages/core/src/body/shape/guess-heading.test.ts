import { describe, expect, it } from 'vitest';
import { createRandom, randomSkeleton, skeletonOf } from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { JointDescription, Skeleton } from '../../scene/skeleton.js';
import { bodyPoseOf } from '../body.js';
import { createRig } from '../understand/create-rig.js';
import { guessHeading } from './guess-heading.js';

/** A trunk from hips to nose along a direction, with legs at both ends unless it is bare, and a tail. */
function trunk(ahead: Vec3, { bare = false, tailName = 'b' } = {}): Skeleton {
  const joints: JointDescription[] = [];
  const [x, , z] = ahead;
  const add = (parent: number, [side, height, along]: Vec3, name = 'b') => {
    joints.push({
      name: `${name}${joints.length}`,
      parent,
      translation: [side * z + along * x, height + along * ahead[1], along * z - side * x],
    });
    return joints.length - 1;
  };
  const root = add(-1, [0, 0, 0]);
  const hips = add(root, [0, 1, 0]);
  const chest = add(add(hips, [0, 0, 0.5]), [0, 0, 0.5]);
  add(add(chest, [0, 0.1, 0.3]), [0, 0, 0.2]);
  const anchors = bare ? [hips] : [hips, chest];
  for (const anchor of anchors)
    for (const side of [1, -1]) add(add(anchor, [0.2 * side, -0.1, 0]), [0, -0.8, 0]);
  add(add(add(hips, [0, 0, -0.3], tailName), [0, 0, -0.3], tailName), [0, 0, -0.3], tailName);
  return skeletonOf(joints);
}
const headingOf = (skeleton: Skeleton) =>
  guessHeading(skeleton, bodyPoseOf(skeleton, skeleton.rest, {}).positions, [0, 1, 0]);

describe('guessHeading', () => {
  it('leads from tail to head, wherever that is', () => {
    for (const [x, z] of [
      [0, 1],
      [0, -1],
      [1, 0],
      [-1, 0],
    ] as const) {
      const heading = headingOf(trunk([x, 0, z]))!;
      expect(heading[0]).toBeCloseTo(x, 1);
      expect(heading[2]).toBeCloseTo(z, 1);
      expect(heading[1]).toBeCloseTo(0, 12);
    }
  });

  it('says nothing of a body that stands, of two bare ends, and of no body', () => {
    expect(headingOf(trunk([0, 1, 0.1]))).toBeNull();
    expect(headingOf(trunk([0, 0, 1], { bare: true }))).toBeNull();
    expect(headingOf(skeletonOf([]))).toBeNull();
    expect(headingOf(skeletonOf([{ name: 'a', parent: -1 }]))).toBeNull();
  });

  it('believes a tail that is called one', () => {
    expect(headingOf(trunk([0, 0, -1], { bare: true, tailName: 'tail' }))![2]).toBeCloseTo(-1, 1);
  });

  it('gives a unit vector square to up, or nothing, on any tree', () => {
    const random = createRandom(77);
    for (let round = 0; round < 60; round++) {
      const heading = headingOf(randomSkeleton(random, 1 + Math.floor(30 * random())));
      if (!heading) continue;
      expect(Math.hypot(...heading)).toBeCloseTo(1, 9);
      expect(heading[1]).toBeCloseTo(0, 9);
    }
  });

  it('turns a rig whose names say nothing to face ahead', () => {
    const skeleton = trunk([0, 0, -1]);
    skeleton.declared = { ...skeleton.declared, facing: null };
    const rig = createRig(skeleton);
    expect(rig.space.facing.reason).toContain('from tail to head');
    expect(rig.warnings.map(({ code }) => code)).not.toContain('facing-guessed');
  });
});
