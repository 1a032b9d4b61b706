import { describe, expect, it } from 'vitest';
import { rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Resting } from './planning.js';
import { reachToes } from './tilt-foot.js';

const COUNT = 61;
/** From ankle to ball: 0.2 m long. */
const LENGTH = 0.2;

/**
 * One foot without toes whose ball and tip are a fifth of a metre from an ankle, and so many degrees below it; lifted by so
 * much. Gives how much lower the ball is after reaching, and its skin.
 */
function reach(
  degrees: number,
  { lift = 0.03, kneels = true, stands = true, back = false, deeper = 0 } = {},
): { down: number; height: number } {
  const pitch = (degrees * Math.PI) / 180;
  const ahead = (back ? -1 : 1) * LENGTH * Math.cos(pitch);
  const arm = [0, -LENGTH * Math.sin(pitch), ahead];
  const ankle = -arm[1]! + lift;
  const per = (values: readonly number[]) =>
    Float64Array.from({ length: values.length * COUNT }, (_, i) => values[i % values.length]!);
  const plan = {
    count: COUNT,
    rate: 60,
    turns: new Float64Array(3 * COUNT),
    shifts: per([0, lift, 0]),
    bends: new Float64Array(COUNT),
    floor: 0,
  } as unknown as GoalPlan;
  const skin = Float64Array.of(arm[0]!, arm[1]! - deeper, arm[2]!, 0, 0.05, -0.1);
  const goals = {
    limbs: [{ kind: 'leg', points: [0, 1], skin, toes: -1, across: Float64Array.of(-1, 0, 0) }],
    points: [{}, {}],
    hipHeight: 1,
  } as unknown as GoalSetup;
  const record = {
    places: per([0, ankle - lift, 0]),
    ends: per([0, 0, 0]),
    copied: per([0, 0, 0, ...arm]),
    frames: per([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
  } as unknown as GoalRecord;
  const resting = { kneeling: new Uint8Array(COUNT).fill(kneels ? 1 : 0) } as unknown as Resting;
  const standing = new Float64Array(COUNT).fill(stands ? 1 : 0);
  reachToes({ plan, goals, record, resting, standing }, new Float64Array(COUNT).fill(lift));
  const turn = new Float64Array(4);
  quaternionOfVector(turn, 0, plan.turns, 3 * 30);
  const ball = new Float64Array(3);
  rotateVector(ball, 0, turn, 0, Float64Array.from(arm), 0);
  return { down: arm[1]! - ball[1]!, height: ankle + ball[1]! };
}

describe('reachToes', () => {
  it('a foot that kneels turns about its ankle until its ball is where it was to stand', () => {
    for (const degrees of [10, 30, 45]) {
      expect(reach(degrees).down, `${degrees}°`).toBeCloseTo(0.03, 6);
      expect(reach(degrees).height).toBeCloseTo(0, 6);
    }
  });

  it('one that lies on its instep, toes back, turns the other way', () => {
    expect(reach(30, { back: true }).down).toBeCloseTo(0.03, 6);
  });

  it('goes as far down as a foot is long, and no skin deeper than a hundredth of the hip height', () => {
    expect(reach(70, { lift: 0.1 }).down).toBeCloseTo(LENGTH * (1 - Math.sin((70 * Math.PI) / 180)), 6);
    const pressed = reach(30, { deeper: 0.04 });
    expect(pressed.height).toBeGreaterThan(0.025);
    expect(pressed.height).toBeLessThan(0.035);
  });

  it('leaves feet that do not kneel, or do not stand, as they are', () => {
    expect(reach(30, { kneels: false }).down).toBe(0);
    expect(reach(30, { stands: false }).down).toBe(0);
  });
});
