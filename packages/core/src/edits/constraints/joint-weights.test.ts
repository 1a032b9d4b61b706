import { describe, expect, it } from 'vitest';
import { editedFigure } from '../../../test/edited-figure.js';
import { UsageError } from '../../base/errors.js';
import { quaternionAngle } from '../../base/math/quaternion.js';
import type { Role } from '../../body/roles.js';
import type { Constraint } from '../../options/constraint.js';
import type { JointWeights } from '../../options/limb-rules.js';
import type { EditWarning } from '../edit-warnings.js';
import { weightsOfPart } from '../edits-of-part.js';
import { compileConstraints } from './compile-constraints.js';
import { createConstraintStep } from './constraint-step.js';
import { resolveWeights } from './joint-weights.js';

const { body, poseAt } = editedFigure();
const AHEAD: Constraint = {
  kind: 'point',
  joint: 'rightHand',
  goal: { place: [0, 0, 0.12] },
  space: 'copied',
  unit: 'height',
};

/** By how many radians joints turn for a hand that goes ahead, and by how much it misses. */
function turnsWith(weights: JointWeights, time = 1) {
  const warnings: EditWarning[] = [];
  const weighed = { ...body, weights: resolveWeights(body, weights, warnings) };
  const step = createConstraintStep(compileConstraints(weighed, [AHEAD], { duration: 3, frameRate: 30 }));
  const pose = poseAt(time);
  const before = poseAt(time);
  step(pose, time);
  const turn = (role: Role) => {
    const o = 4 * body.joints[role]!;
    return quaternionAngle(before.rotations, o, pose.rotations, o);
  };
  return { turn, miss: step.misses[0]! / body.height, warnings };
}

describe('weights of joints', () => {
  it('tells what a limb was probably meant to be', () => {
    const { warnings } = turnsWith({ torsoo: 0.2 });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^jointWeights\.torsoo: .*\(did you mean "torso"\?\)$/),
    ]);
  });

  it('M24: a joint of no weight does not turn, and the goal is met all the same', () => {
    const usual = turnsWith({});
    const stiff = turnsWith({ torso: 0 });
    expect(usual.turn('spine')).toBeGreaterThan(0.005);
    for (const role of ['hips', 'spine', 'chest'] as const)
      if (body.joints[role] !== undefined) expect(stiff.turn(role), role).toBeCloseTo(0, 12);
    expect(stiff.turn('rightUpperArm')).toBeGreaterThan(usual.turn('rightUpperArm'));
    expect(stiff.miss).toBeLessThan(1e-6);
  });

  it('M24: a joint turns the more willingly the more it weighs; what names one joint goes before its limb', () => {
    const angles = [0.2, 1, 5].map((weight) =>
      turnsWith({ rightArm: 0.5, rightLowerArm: weight }).turn('rightLowerArm'),
    );
    expect(angles[1]!).toBeGreaterThan(angles[0]!);
    expect(angles[2]!).toBeGreaterThan(angles[1]!);
    expect(turnsWith({ 'every elbow': 0 }).turn('rightLowerArm')).toBeCloseTo(0, 12);
  });

  it('K26: weights change over time along their curve', () => {
    const torso = [
      { time: 0.5, value: 0, easing: 'smooth' as const },
      { time: 2.5, value: 1 },
    ];
    const at = (time: number) => turnsWith({ torso }, time).turn('spine') / turnsWith({}, time).turn('spine');
    expect(at(0.4)).toBeLessThan(0.01);
    expect(at(1.5)).toBeGreaterThan(0.2);
    expect(at(1.5)).toBeLessThan(0.95);
    expect(at(2.6)).toBeCloseTo(1, 6);
    expect(turnsWith({ torso }, 0.4).miss).toBeLessThan(1e-6);
  });

  it('takes curves along to a part of a clip, and sides into a mirror', () => {
    const part = { start: 1, speed: 2, mirror: true, frameRate: 30 };
    expect(weightsOfPart({ leftArm: [{ time: 3, value: 2 }], spine: 0 }, part)).toEqual({
      rightArm: [{ time: 1, value: 2 }],
      spine: 0,
    });
  });

  it('says which weight cannot be meant, and which joint is not there', () => {
    expect(() => turnsWith({ spine: -1 })).toThrow(
      new UsageError('jointWeights.spine: must be 0 or more, and is -1'),
    );
    expect(() => turnsWith({ spine: [] })).toThrow(new UsageError('jointWeights.spine: has no keys'));
    const { warnings } = turnsWith({ tail: 2 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.message).toContain('jointWeights.tail');
  });
});
