import type { Rig } from '../../body/rig.js';
import { findTreadmill } from '../../contacts/find-treadmill.js';
import { CONTACT_RATE, trackPoints } from '../../contacts/track-points.js';
import type { Clip } from '../../scene/clip.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalSetup } from '../goal-setup.js';
import { type GoalView, LONGEST_PLANNED, planGoals } from './plan-goals.js';
import { cutContacts, leadOf, unrollContacts, unrollLoop, wayOfLoop } from './unroll-loop.js';

const STILL = [0, 0] as const;

/**
 * Plans the corrections of a clip as `planGoals` does, and those of a loop so that it still is one: a foot that stands
 * where the clip ends and begins is one contact, held in one place, and whatever is eased knows what comes next. The
 * loop is unrolled for that, at both ends, and the plan is cut back. Planned by itself, a walk that
 * closes exactly opened by up to 4° a joint, which shows as a jerk at every turn.
 */
export function planLoopingGoals(view: GoalView & { source: Rig }, clip: Clip): GoalPlan | null {
  const { goals, source } = view;
  const { skeleton } = source;
  // Scalings over time are about the clip's own times.
  // What is too long to be planned is not unrolled either: one broken time can make a clip of years.
  const way =
    clip.duration <= LONGEST_PLANNED && !changesOverTime(goals)
      ? wayOfLoop(skeleton, goals.hips.source, goals.sourceJoints, goals.sourceHipHeight, clip)
      : null;
  if (!way) return planGoals(view, clip);
  const { duration } = clip;
  const lead = leadOf(clip);
  const unrolled = unrollLoop(skeleton, goals.hips.source, clip, lead);
  const isOnSpot = Math.hypot(...way) < 0.02 * goals.sourceHipHeight;
  const points = goals.points.map((pair) => pair.source);
  const ground = isOnSpot ? findTreadmill(trackPoints(source, unrolled, points)) : STILL;
  const contacts = view.contacts && unrollContacts(view.contacts, duration, lead, way, ground);
  // Layers go by the loop's own times.
  const record: GoalView['record'] = (of, count) => view.record(of, count, { lead, duration });
  const plan = planGoals({ ...view, contacts, record }, unrolled);
  return plan && cutPlan(plan, goals.limbs.length, duration, lead, ground);
}

function changesOverTime({ limbs }: GoalSetup): boolean {
  return limbs.some(({ scaling }) => scaling && Object.values(scaling).some((curve) => curve.length > 1));
}

/** A plan of an unrolled loop for the loop alone, in its own times. */
function cutPlan(
  plan: GoalPlan,
  limbs: number,
  duration: number,
  lead: number,
  ground: readonly [number, number],
): GoalPlan {
  // One frame beyond the end, towards which the last part of a frame goes.
  const count = Math.floor(duration * CONTACT_RATE + 1e-3) + 2;
  const cut = (curve: Float64Array, size: number) => curve.slice(size * lead, size * (lead + count));
  return {
    ...plan,
    count,
    shifts: cut(plan.shifts, 3 * limbs),
    turns: cut(plan.turns, 3 * limbs),
    holds: cut(plan.holds, limbs),
    bends: cut(plan.bends, limbs),
    hips: cut(plan.hips, 3),
    contacts: cutContacts(plan.contacts, duration, lead, ground),
  };
}
