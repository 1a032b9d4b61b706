import { lengthOf } from '../../base/math/functions.js';
import type { Rig } from '../../body/rig.js';
import { changeSpeed } from '../../clips/edit-clip.js';
import { findTreadmill } from '../../contacts/find-treadmill.js';
import { CONTACT_RATE, trackPoints } from '../../contacts/track-points.js';
import type { RigMap } from '../../map/rig-map.js';
import type { Contact } from '../../options/contact.js';
import type { Clip } from '../../scene/clip.js';
import { type GoalPlan, SOLVED_SIZE, samplePlan } from '../goal-plan.js';
import { type GoalSetup, sourceJointsOf } from '../goal-setup.js';
import { gridRateOf, paceOf } from '../grid-rate.js';
import { type GoalView, isPlannable, planGoals } from './plan-goals.js';
import { cutContacts, leadOf, unrollContacts, unrollLoop, wayOfLoop } from './unroll-loop.js';

/** A view by which it is known where frames stand: both rigs, and the rate that is asked for; null for the clip's own. */
type LoopView = Omit<GoalView, 'grid'> & { source: Rig; map: RigMap; frameRate: number | null };

const NO_TRAVEL = [0, 0] as const;

/**
 * Plans the corrections of a clip as `planGoals` does, and those of a loop so that it still is one: a foot that stands
 * where the clip ends and begins is one contact, held in one place, and whatever is eased knows what comes next. The
 * loop is unrolled for that, at both ends, and the plan is cut back. Planned by itself, a walk that
 * closes exactly opened by up to 4° a joint, which shows as a jerk at every turn.
 */
export function planLoopingGoals(view: LoopView, clip: Clip): GoalPlan | null {
  const { goals, source } = view;
  const { skeleton } = source;
  // Scalings over time are about the clip's own times.
  // A clip that is too long to be planned is not unrolled either: one broken time can make a clip of years.
  const way =
    isPlannable(clip) && !changesOverTime(goals)
      ? wayOfLoop(skeleton, goals.hips.source, goals.sourceJoints, goals.sourceHipHeight, clip)
      : null;
  const matters = sourceJointsOf(view, goals);
  const rate = isPlannable(clip) ? gridRateOf(clip, matters, view.frameRate) : CONTACT_RATE;
  const grid = { rate, pace: paceOf(clip, rate) };
  if (!way) return planGoals({ ...view, grid }, clip);
  // A turn takes a whole number of frames, or those of the next one would stand between those of this: a run of 57 and a
  // half frames, whose feet meet the floor at one instant in this turn and at another in the next, opened by 5°.
  const speed = speedOf(clip, rate);
  const tracks = clip.tracks.filter(({ joint }) => matters.has(joint));
  const paced = changeSpeed({ ...clip, tracks }, speed);
  const { duration } = paced;
  const lead = leadOf(paced, rate);
  const before = lead / rate;
  const unrolled = unrollLoop(skeleton, goals.hips.source, paced, { rate, lead });
  const isOnSpot = lengthOf(way) < 0.02 * goals.sourceHipHeight;
  const points = goals.points.map((pair) => pair.source);
  // Contacts that somebody has told stand on ground that moves; of those that are found the plan tells which.
  const told = isOnSpot && view.contacts ? findTreadmill(trackPoints(source, unrolled, points)) : NO_TRAVEL;
  const contacts =
    view.contacts && unrollContacts(view.contacts.map(atPace(1 / speed)), duration, before, way, told);
  // Layers go by the loop's own times.
  const record: GoalView['record'] = (of, unrolledGrid, laying) =>
    view.record(of, unrolledGrid, laying, { lead, duration, speed });
  const plan = planGoals({ ...view, contacts, record, grid }, unrolled);
  if (!plan) return null;
  const ground = view.contacts || !isOnSpot ? told : plan.ground;
  const own = cutContacts(plan.contacts, duration, before, ground).map(atPace(speed));
  return { ...cutPlan(plan, goals.limbs.length, clip.duration, lead, speed), contacts: own };
}

/** How many times as fast a loop is played so that a turn of it takes a whole number of frames of the planning grid. */
function speedOf({ duration }: Clip, rate: number): number {
  const frames = duration * rate;
  const whole = Math.max(1, Math.round(frames));
  return Math.abs(frames - whole) < 1e-3 ? 1 : frames / whole;
}

/** A contact of a clip that is played so many times as slow. */
function atPace(times: number): (contact: Contact) => Contact {
  return (contact) => ({ ...contact, start: contact.start * times, end: contact.end * times });
}

function changesOverTime({ limbs }: GoalSetup): boolean {
  return limbs.some(({ scaling }) => scaling && Object.values(scaling).some((curve) => curve.length > 1));
}

/** Seconds over which what is left of a seam is taken out of a plan, at either end. */
const EASED_IN = 0.2;

/** A plan of an unrolled loop for the loop alone, in its own times, which ends as it begins. */
function cutPlan(plan: GoalPlan, limbs: number, duration: number, lead: number, speed: number): GoalPlan {
  const { rate } = plan;
  // One frame beyond the end, towards which the last part of a frame goes.
  const count = Math.floor(duration * rate + 1e-3) + 2;
  const grid = { count, rate };
  const cut = (curve: Float64Array, size: number) => {
    const own = new Float64Array(size * count);
    const values = new Float64Array(size);
    for (let k = 0; k < count; k++) {
      samplePlan(values, curve, size, plan, (lead + k / speed) / rate);
      own.set(values, size * k);
    }
    closePlan(own, size, grid, duration);
    return own;
  };
  const end = duration * rate;
  const reach = Math.min(EASED_IN * rate, end / 2);
  return {
    ...plan,
    count,
    // A loop that is played at another pace stands between frames; and near its ends it is closed.
    solved: speed === 1 ? cutSolved(plan, lead, count) : null,
    solvedFrames: [Math.ceil(reach), Math.floor(end - reach)],
    shifts: cut(plan.shifts, 3 * limbs),
    turns: cut(plan.turns, 3 * limbs),
    holds: cut(plan.holds, limbs),
    swivels: cut(plan.swivels, limbs),
    bends: cut(plan.bends, limbs),
    calms: plan.calms && cut(plan.calms, 9 * limbs),
    hips: cut(plan.hips, 3),
    lays: plan.lays && cut(plan.lays, plan.lays.length / plan.count),
  };
}

/** The turns of limbs of an unrolled loop in the frames of the loop itself. */
function cutSolved({ solved }: GoalPlan, lead: number, count: number): GoalPlan['solved'] {
  if (!solved) return null;
  return solved.map((turns) => turns?.subarray(SOLVED_SIZE * lead, SOLVED_SIZE * (lead + count)) ?? null);
}

/** Gives half of what the end of a curve differs from its beginning by to either end, eased to nothing. */
function closePlan(
  curve: Float64Array,
  size: number,
  grid: Pick<GoalPlan, 'count' | 'rate'>,
  duration: number,
): void {
  const { count, rate } = grid;
  const gap = new Float64Array(size);
  samplePlan(gap, curve, size, grid, duration);
  for (let c = 0; c < size; c++) gap[c]! -= curve[c]!;
  const end = duration * rate;
  const reach = Math.min(EASED_IN * rate, end / 2);
  for (let k = 0; k < count; k++) {
    const share = (easeOut(k / reach) - easeOut((end - k) / reach)) / 2;
    if (share !== 0) for (let c = 0; c < size; c++) curve[size * k + c]! += share * gap[c]!;
  }
}

/** 1 up to 0, falling to 0 at 1, flat at both ends in slope and bend. */
function easeOut(u: number): number {
  const s = 1 - Math.min(1, Math.max(0, u));
  return s * s * s * (s * (6 * s - 15) + 10);
}
