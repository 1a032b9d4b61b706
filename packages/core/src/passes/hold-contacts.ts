import { type GoalPlan, samplePlan } from '../goals/goal-plan.js';
import type { Goals } from '../goals/goals.js';
import { quaternionOfVector } from '../goals/rotation-vectors.js';
import type { Pass } from '../pipeline.js';
import type { Frame, Setup } from '../setup.js';

/**
 * Keeps goals where they are while the source's foot or hand is planted. Offline the whole clip has been looked
 * at (see `planGoals`), and what is left to do in a frame is to read how far the goal is moved.
 */
export const holdContacts: Pass = {
  name: 'holdContacts',
  summary: 'keeps feet and hands still on the ground while the source’s are planted',
  options: [],
  prepare(setup: Setup): (frame: Frame) => void {
    const { goals, goalPlan } = setup;
    if (!goals || !goalPlan) return () => {};
    const shifts = new Float64Array(3 * goals.limbs.length);
    const weights = new Float64Array(goals.limbs.length);
    const turns = new Float64Array(3 * goals.limbs.length);
    return (frame) => {
      if (frame.goals) holdFrame(frame.goals, goalPlan, frame.time, shifts, turns, weights);
    };
  },
};

function holdFrame(
  { places, turns, bends, weights }: Goals,
  plan: GoalPlan,
  time: number,
  shift: Float64Array,
  turn: Float64Array,
  weight: Float64Array,
): void {
  samplePlan(shift, plan.shifts, shift.length, plan.count, time);
  samplePlan(weight, plan.weights, weight.length, plan.count, time);
  for (let i = 0; i < shift.length; i++) places[i] = places[i]! + shift[i]!;
  samplePlan(bends, plan.bends, bends.length, plan.count, time);
  samplePlan(turn, plan.turns, turn.length, plan.count, time);
  for (let n = 0; n < weight.length; n++) {
    weights[n] = weight[n]!;
    quaternionOfVector(turns, 4 * n, turn, 3 * n);
  }
}
