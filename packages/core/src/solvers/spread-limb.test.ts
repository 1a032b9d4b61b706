import { describe, expect, it } from 'vitest';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import { spaceLimb } from './spread-limb.js';

const { skeleton } = createSkeleton('arms', [
  { name: 'chest', parent: -1, rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
  { name: 'left', parent: 0, translation: [0, 0, 0.2], rotation: [0.5, 0.5, 0.5, 0.5] },
  { name: 'left hand', parent: 1, translation: [-0.6, 0, 0] },
  { name: 'right', parent: 0, translation: [0, 0, -0.2], rotation: [0.5, 0.5, 0.5, 0.5] },
  { name: 'right hand', parent: 3, translation: [-0.6, 0, 0] },
]);

function handsAt(spacing: number): number[] {
  const pose = { ...skeleton.rest, rotations: skeleton.rest.rotations.slice() };
  const { rotations } = modelPoseOf(skeleton, pose);
  spaceLimb(pose.rotations, 1, rotations, 0, 'left', spacing);
  spaceLimb(pose.rotations, 3, rotations, 0, 'right', spacing);
  const { matrices } = modelPoseOf(skeleton, pose);
  return [2, 4].flatMap((joint) => Array.from(matrices.subarray(16 * joint + 12, 16 * joint + 15)));
}

describe('spaceLimb', () => {
  it('W20: spreads both sides alike about the facing axis, by 45° for a spacing of 1', () => {
    const sine = 0.6 * Math.sin(Math.PI / 8);
    const height = -0.6 * Math.cos(Math.PI / 8);
    const expected = {
      '0': [0.2, -0.6, 0, -0.2, -0.6, 0],
      '0.5': [0.2 + sine, height, 0, -0.2 - sine, height, 0],
      '-0.5': [0.2 - sine, height, 0, -0.2 + sine, height, 0],
    };
    for (const [spacing, places] of Object.entries(expected))
      handsAt(Number(spacing)).forEach((value, i) => void expect(value).toBeCloseTo(places[i]!, 9));
  });

  it('W20: more than 1 is 1, and what is no number changes nothing', () => {
    expect(handsAt(7)).toEqual(handsAt(1));
    expect(handsAt(Number.NaN)).toEqual(handsAt(0));
  });
});
