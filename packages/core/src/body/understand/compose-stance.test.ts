import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../../test/stick-figure.js';
import { poseAt } from '../../scene/clip.js';
import { bodyPoseOf, judgeStance, type RoleJoints } from '../body.js';
import { ROLES } from '../roles.js';
import { composeStance } from './compose-stance.js';

describe('composeStance', () => {
  const { skeleton, clips, jointOf } = stickFigure({ fingers: true });
  const joints: RoleJoints = Object.fromEntries(
    ROLES.flatMap((role) => place(role).map((joint) => [role, joint])),
  );
  function place(role: string): number[] {
    try {
      return [jointOf(role)];
    } catch {
      return [];
    }
  }
  const up = [0, 1, 0] as const;
  const stanceOf = (pose: Parameters<typeof bodyPoseOf>[1]) =>
    judgeStance(bodyPoseOf(skeleton, pose, joints), [...up]);
  const step = poseAt(skeleton, clips[0]!, 0.25);

  it('nothing without sides', () => {
    expect(composeStance(skeleton, {}, step, [...up])).toBeNull();
    expect(composeStance(skeleton, { hips: 0 }, step, [...up])).toBeNull();
  });

  it('a step becomes a stance: upright, and far more symmetric', () => {
    expect(stanceOf(step).asymmetry).toBeGreaterThan(0.05);
    const composed = composeStance(skeleton, joints, step, [...up])!;
    expect(stanceOf(composed).asymmetry).toBeLessThan(0.4 * stanceOf(step).asymmetry);
    expect(stanceOf(composed).upright).toBe(true);
  });

  it('turns joints only, leaves the given pose alone, and makes nothing worse the second time', () => {
    const before = step.rotations.slice();
    const composed = composeStance(skeleton, joints, step, [...up])!;
    expect(step.rotations).toEqual(before);
    expect(composed.translations).toEqual(step.translations);
    expect(composed.scales).toEqual(step.scales);
    const again = composeStance(skeleton, joints, composed, [...up])!;
    expect(stanceOf(again).asymmetry).toBeLessThan(stanceOf(composed).asymmetry + 1e-3);
  });

  it('a symmetric pose stays as it is', () => {
    const composed = composeStance(skeleton, joints, skeleton.rest, [...up])!;
    skeleton.rest.rotations.forEach((value, i) => {
      expect(composed.rotations[i]).toBeCloseTo(value, 6);
    });
  });
});
