import { describe, expect, it } from 'vitest';
import { apart, editedFigure, plus } from '../../../../test/edited-figure.js';
import { createRandom } from '../../../../test/tiny-rigs.js';
import type { Vec3 } from '../../../base/math/vector.js';
import { CONSTRAINT_KINDS, type Constraint } from '../../../options/constraint.js';
import { createConstraintReport } from '../constraint-report.js';
import { KIND_FIELDS } from '../kind-fields.js';
import { STEP_BUDGET } from './system.js';

const { body, poseAt, placeOf, stepOf, after } = editedFigure();
const H = body.height;
const JOINTS = [
  'rightHand',
  'leftHand',
  'head',
  'leftFoot',
  'rightFoot',
  'rightLowerArm',
  'chest',
  'leftLowerLeg',
  'hips',
] as const;

/** Constraints of any kind on any joints, near and wildly far, that may well contradict each other. */
function randomSet(random: () => number, most = 6): Constraint[] {
  const pick = <T>(list: readonly T[]): T =>
    list[Math.min(list.length - 1, Math.floor(random() * list.length))]!;
  const count = 1 + Math.floor(random() * most);
  return Array.from({ length: count }, (): Constraint => {
    const kind = pick(CONSTRAINT_KINDS);
    const joint = pick(JOINTS);
    const size = random() < 0.5 ? 0.1 : 1.2;
    const vector = (): Vec3 =>
      [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 2 * size * x * H) as Vec3;
    const other = pick(JOINTS.filter((each) => each !== joint));
    const begin = 0.5 + random();
    return {
      kind,
      ...(kind !== 'balance' && { joint }),
      space: 'copied',
      level: Math.floor(random() * 3),
      ...(random() < 0.5 && { times: { in: begin, start: begin + 0.2, end: begin + 0.4, out: begin + 0.6 } }),
      ...(random() < 0.2 && KIND_FIELDS[kind].includes('offset') && { offset: vector() }),
      ...(kind === 'plane'
        ? {
            side: pick(['above', 'on', 'below'] as const),
            space: 'model' as const,
            goal: {
              normal: pick([
                [0, 1, 0],
                [1, 0, 0],
                [0.3, -1, 0.2],
              ] as Vec3[]),
              height: random() * 2,
            },
          }
        : kind === 'orientation'
          ? { goal: { degrees: vector().map((x) => 100 * x) as Vec3 } }
          : kind === 'relative'
            ? { goal: { joint: other, offset: vector(), axes: pick(['model', 'joint'] as const) } }
            : kind === 'distance'
              ? {
                  goal: random() < 0.5 ? { joint: other } : { place: vector() },
                  length: random() * H,
                  bound: pick(['equal', 'atMost', 'atLeast'] as const),
                }
              : kind === 'lock' || kind === 'balance'
                ? {}
                : { goal: { place: vector() } }),
    };
  });
}

describe('random sets of constraints', () => {
  it('give numbers, within the steps of a frame, whatever they ask for (300 sets of 10,000)', () => {
    const random = createRandom(7);
    for (let n = 0; n < 300; n++) {
      const document = randomSet(random);
      const time = 0.5 + random();
      const { pose, step } = after(document, time);
      const said = JSON.stringify(document);
      expect(pose.rotations.every(Number.isFinite) && pose.translations.every(Number.isFinite), said).toBe(
        true,
      );
      expect(step.steps(), said).toBeLessThanOrEqual(STEP_BUDGET);
      for (let i = 0; i < pose.rotations.length; i += 4)
        expect(Math.hypot(...pose.rotations.subarray(i, i + 4))).toBeCloseTo(1, 9);
    }
  });
});

describe('what cannot be met', () => {
  it('is reached for as far as is worth it, with the feet where they were', () => {
    const far: Constraint = {
      kind: 'point',
      joint: 'rightHand',
      goal: { place: plus(placeOf(poseAt(1), 'rightHand'), [0, 0, 2 * H]) },
    };
    const { pose, step } = after([far], 1);
    expect(step.misses[0]!).toBeGreaterThan(H);
    // It came nearer by more than the arm's length, and goes on in a straight line: nothing is broken.
    expect(step.misses[0]!).toBeLessThan(2 * H - 0.15 * H);
    for (const role of ['leftFoot', 'rightFoot'] as const)
      expect(apart(placeOf(pose, role), placeOf(poseAt(1), role))).toBeLessThan(1e-6 * H);
  });

  it('takes no steps for levels that the motion meets by itself: feet that stay cost none', () => {
    const far: Constraint = { kind: 'point', joint: 'rightHand', goal: { place: [0, H, 3 * H] } };
    const kept = (['head', 'leftHand'] as const).map(
      (joint): Constraint => ({
        kind: 'point',
        joint,
        space: 'copied',
        goal: { place: [0, 0, 0] },
        level: 0,
      }),
    );
    // With a dozen steps back to where the motion has them it was 39 and 33.
    expect(after([far], 1).step.steps()).toBeLessThan(36);
    expect(after([...kept, far], 1).step.steps()).toBeLessThan(28);
  });

  it('changes continuously as a goal leaves the reach: no step from met to missed', () => {
    const from = placeOf(poseAt(1), 'rightHand');
    const { step, data } = stepOf([{ kind: 'point', joint: 'rightHand', goal: { node: 'n' } }]);
    expect(data.outside).toHaveLength(1);
    let last: Vec3 | null = null;
    let largest = 0;
    for (let k = 0; k <= 100; k++) {
      const pose = poseAt(1);
      step(pose, 1, Float64Array.from(plus(from, [-0.2 * H, 0, 0.008 * k * H])));
      const elbow = placeOf(pose, 'rightLowerArm');
      if (last) largest = Math.max(largest, apart(elbow, last));
      last = elbow;
    }
    // The goal moved by 0.8 % of the height each time.
    expect(largest).toBeLessThan(0.05 * H);
  });

  it('is reported: by how much, when, and in how many frames', () => {
    const { data, step } = stepOf([
      { kind: 'point', name: 'near', joint: 'rightHand', space: 'copied', goal: { place: [0, 0.05, 0] } },
      {
        kind: 'point',
        name: 'far',
        joint: 'leftHand',
        goal: { place: [9, 9, 9] },
        times: { in: 0.5, start: 1, end: 2, out: 2.5 },
      },
      { kind: 'point', name: 'never', joint: 'head', goal: { node: 'n' } },
    ]);
    const report = createConstraintReport(data, step);
    for (let k = 0; k <= 30; k++) {
      step(poseAt(k / 10), k / 10);
      report.note(k / 10);
    }
    const { results, warnings } = report.finish();
    expect(results.map(({ name, state, frames }) => [name, state, frames])).toEqual([
      ['near', 'met', 31],
      ['far', 'missed', 11],
      ['never', 'idle', 0],
    ]);
    expect(results[1]!.worstTime).toBeGreaterThanOrEqual(1);
    expect(results[1]!.missed).toBe(11);
    expect(warnings.map(({ code }) => code)).toEqual(['constraint-missed']);
  });

  it('costs no more with goals that are said twice', () => {
    const place = plus(placeOf(poseAt(1), 'rightHand'), [0, 0.1, 0.1]);
    const twice: Constraint[] = [
      { kind: 'point', joint: 'rightHand', goal: { place } },
      { kind: 'point', joint: 'rightHand', goal: { place }, level: 2 },
      { kind: 'distance', joint: 'rightHand', goal: { place: [0, 1, 0] }, length: apart(place, [0, 1, 0]) },
    ];
    const { step } = after(twice, 1);
    for (const miss of step.misses) expect(miss).toBeLessThan(1e-6 * H);
  });
});
