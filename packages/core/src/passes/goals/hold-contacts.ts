import type { RootScales } from '../../align/root-scales.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import { type GoalPlan, samplePlan } from '../../goals/goal-plan.js';
import type { GoalSetup } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { createLiveFeet } from '../../goals/live/live-feet.js';
import { bindStep, definePass, type Frame, foundOf, type Step } from '../pass.js';
import { activeGoals, placeGoals, requireGoals } from './place-goals.js';

/**
 * Keeps goals where they are while the source's foot or hand is planted. Offline the whole clip has been looked
 * at (see `planGoals`), and what is left to do in a frame is to read how far the goal is moved. Live nobody looks
 * ahead (see `createLiveFeet`), and what was before is remembered.
 */
export const holdContacts = definePass({
  name: 'holdContacts',
  summary: 'keeps feet and hands still on the ground while the source’s are planted',
  options: [],
  corrects: true,
  restsOnOwnBody: true,
  compile: requireGoals,
  writes: () => ({}),
  prepare(_, run) {
    const goals = activeGoals(run);
    if (!goals) return () => {};
    const plan = foundOf(run.plan, placeGoals);
    if (!plan) return holdLive(goals, run.setup.rootScales);
    return bindStep(holdPlanned, {
      plan,
      shifts: new Float64Array(3 * goals.limbs.length),
      turns: new Float64Array(3 * goals.limbs.length),
      holds: new Float64Array(goals.limbs.length),
    });
  },
});

function holdLive(goals: GoalSetup, rootScales: RootScales): Step {
  const feet = createLiveFeet(goals, rootScales);
  return Object.assign(
    (frame: Frame) => {
      if (frame.goals) feet.update(frame.goals, frame.seconds);
    },
    { reset: () => feet.reset() },
  );
}

/** A plan, and room for what of it is read in a frame. */
type Holding = { plan: GoalPlan; shifts: Float64Array; turns: Float64Array; holds: Float64Array };

function holdPlanned({ plan, shifts, turns, holds }: Holding, frame: Frame): void {
  if (frame.goals && frame.goals.known < 0) holdFrame(frame.goals, plan, frame.time, shifts, turns, holds);
}

function holdFrame(
  { places, turns, swivels, calms, bends, follows }: Goals,
  plan: GoalPlan,
  time: number,
  shift: Float64Array,
  turn: Float64Array,
  holds: Float64Array,
): void {
  samplePlan(shift, plan.shifts, shift.length, plan, time);
  for (let i = 0; i < shift.length; i++) places[i] = places[i]! + shift[i]!;
  samplePlan(swivels, plan.swivels, swivels.length, plan, time);
  if (plan.calms) samplePlan(calms, plan.calms, calms.length, plan, time);
  samplePlan(bends, plan.bends, bends.length, plan, time);
  samplePlan(turn, plan.turns, turn.length, plan, time);
  samplePlan(holds, plan.holds, holds.length, plan, time);
  for (let n = 0; n < bends.length; n++) {
    quaternionOfVector(turns, 4 * n, turn, 3 * n);
    follows[n] = follows[n]! * (1 - holds[n]!);
  }
}
