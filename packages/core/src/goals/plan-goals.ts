import type { Clip } from '../clip.js';
import {
  type Contact,
  contactsOfTracks,
  MEASURED_CONTACTS,
  pointCourses,
} from '../contacts/find-contacts.js';
import { CONTACT_RATE, type PointTracks } from '../contacts/track-points.js';
import type { PassName } from '../pipeline.js';
import type { Setup } from '../setup.js';
import { didWork } from '../watch-work.js';
import { findTreading } from './find-treading.js';
import { findTreadmill, onMovingGround } from './find-treadmill.js';
import { followFolded } from './follow-folded.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup } from './goal-setup.js';
import { planClearance } from './plan-clearance.js';
import { planFeet } from './plan-feet.js';
import { liftHands, planHands, planTouches } from './plan-hands.js';
import { planHips } from './plan-hips.js';
import { planKnees } from './plan-knees.js';
import { planShins } from './plan-shins.js';
import { planSoles } from './plan-soles.js';
import { recordGoals } from './record-goals.js';

/** What the goals of a clip are planned from: the copied motion on the planning grid, frame after frame. */
export type GoalRecord = {
  count: number;
  /** xyz per point per frame: the source's own places, model space. */
  source: Float64Array;
  /** The same on the target as copied. */
  copied: Float64Array;
  /** xyz per limb per frame: goals as placed. */
  places: Float64Array;
  /** xyz per limb per frame: upper, middle and end joint of the target as copied. */
  uppers: Float64Array;
  middles: Float64Array;
  ends: Float64Array;
  /** Per limb and frame the columns of the matrix of its middle joint: x, y, z; 9 numbers, of legs with a skin. */
  shins: Float64Array;
  /** xyz of the left and of the right hand per frame: what they are to be moved by, see `touchHands`. */
  touches: Float64Array;
  /** Per limb and frame how high the lowest skin of its end is over its end joint as copied; of arms. */
  lows: Float64Array;
  /**
   * Per limb and frame the columns of the matrices of its end joint and its toes: x, y, z, place; 24 numbers, of legs
   * and of arms whose ends move with their forearms.
   */
  frames: Float64Array;
  /** Per point and frame how high the source's is over where it stands, in its hip heights. */
  heights: Float64Array;
  /** Per point and frame 1 where the source's foot treads without standing still, see `findTreading`; empty if none. */
  treading: Uint8Array;
  /** Velocity of the ground under the source, x and z: of one that walks on the spot, else 0. */
  ground: [number, number];
  /** Per frame the height of the lowest part of torso and head as copied, skin where it is known. */
  trunk: Float64Array;
  /** The same of the source, where it is near its floor; +∞ where not. */
  sourceTrunk: Float64Array;
  /** As `trunk`, with arms and thighs, where the source's trunk is near the floor. */
  lying: Float64Array;
};

/**
 * A contact is found by stricter rules than it is measured by, and held as long as it would be measured: what is
 * let go sooner slides.
 */
export const PLANNED_CONTACTS = {
  height: 0.035,
  speed: 0.35,
  releaseHeight: MEASURED_CONTACTS.releaseHeight,
  releaseSpeed: MEASURED_CONTACTS.releaseSpeed,
};

/** Seconds of the longest clip that is corrected, so that no file can ask for endless memory. */
export const LONGEST_PLANNED = 60 * 60;
/** The same in instants. */
export const MOST_PLANNED = LONGEST_PLANNED * CONTACT_RATE + 1;

/**
 * Looks at a whole clip and plans its corrections: what stands on what and when, where it is held, and what the
 * hips give way by. Null where nothing can be corrected, or nothing ever touches anything or is in the floor.
 * @param passes Those that run.
 */
export function planGoals(setup: Setup, clip: Clip, passes: readonly PassName[]): GoalPlan | null {
  const { goals } = setup;
  const count = Math.floor(clip.duration * CONTACT_RATE + 1e-3) + 1;
  if (!goals || !passes.includes('solveLimbs') || !(count >= 1 && count <= MOST_PLANNED)) return null;
  const record = recordGoals(setup, clip, passes, count);
  // What stands between these calls takes as long as a few joints in every frame.
  const work = 10 * count;
  const tracks: PointTracks = {
    points: goals.points.map((pair) => pair.source),
    count,
    positions: record.source,
    hipHeight: goals.sourceHipHeight,
    floor: goals.sourceFloor,
  };
  record.ground = findTreadmill(tracks);
  didWork(work);
  const onGround = onMovingGround(tracks, record.ground);
  const courses = pointCourses(onGround);
  didWork(work);
  const contacts = setup.contacts ?? contactsOfTracks(onGround, PLANNED_CONTACTS, courses);
  if (!setup.contacts) {
    const treading = findTreading(tracks, courses.heights, contacts, record.ground);
    if (isOff(goals, record, treading)) record.treading = treading;
  }
  didWork(work);
  const isAsked = record.treading.length > 0 || goals.limbs.some(({ scaling }) => scaling);
  if (contacts.length === 0 && !isAsked) {
    const plan = emptyPlan(goals, count, contacts);
    return planClearance(plan, goals, record, setup.rootScales.vertical) ? plan : null;
  }
  record.heights = courses.heights;
  const down = setup.rootScales.vertical * goals.sourceHipHeight * courses.floor;
  lowerRecord(record, down);
  for (let k = 0; k < count; k++) record.sourceTrunk[k]! -= goals.sourceHipHeight * courses.floor;
  const plan = planContacts(setup, record, contacts);
  lowerPlan(plan, goals.limbs.length, down);
  return plan;
}

/** Feet that are copied to within this of where they belong, in hip heights, need not be moved to tread: 1 cm of an adult. */
const OFF = 0.01;

/** Whether feet that tread are copied to another height than the source's: on a body of the same legs they are not. */
function isOff(
  { limbs, hipHeight }: GoalSetup,
  { places, ends, count }: GoalRecord,
  treading: Uint8Array,
): boolean {
  const points = treading.length / count;
  return limbs.some(({ kind, points: soles }, n) => {
    if (kind !== 'leg' || treading.length === 0) return false;
    for (let k = 0; k < count; k++) {
      const o = 3 * (limbs.length * k + n) + 1;
      const treads = soles.some((sole) => treading[points * k + sole] === 1);
      if (treads && Math.abs(places[o]! - ends[o]!) > OFF * hipHeight) return true;
    }
    return false;
  });
}

/*
 * A capture's floor is not quite where its skeleton's is. That is no difference between two bodies: the whole body
 * is put on the floor, and only then is it looked at what is to be corrected.
 */

/** Puts all that was recorded of the target lower; but for matrices of feet, of which only differences are read. */
function lowerRecord(record: GoalRecord, down: number): void {
  const { copied, places, uppers, middles, ends } = record;
  for (const joints of [copied, places, uppers, middles, ends])
    for (let i = 1; i < joints.length; i += 3) joints[i]! -= down;
  for (let k = 0; k < record.count; k++) {
    record.trunk[k]! -= down;
    record.lying[k]! -= down;
  }
}

/** Makes a plan for a body that was looked at lower than it is. */
function lowerPlan({ hips, shifts, holds, count }: GoalPlan, limbs: number, down: number): void {
  for (let k = 0; k < count; k++) hips[3 * k + 1]! -= down;
  // What comes along with the hips is lowered by them.
  for (let i = 0; i < limbs * count; i++) shifts[3 * i + 1]! -= down * holds[i]!;
}

function emptyPlan(goals: GoalSetup, count: number, contacts: readonly Contact[]): GoalPlan {
  const limbs = goals.limbs.length;
  return {
    count,
    shifts: new Float64Array(3 * limbs * count),
    turns: new Float64Array(3 * limbs * count),
    holds: new Float64Array(limbs * count),
    bends: new Float64Array(limbs * count),
    hips: new Float64Array(3 * count),
    floor: goals.floor,
    contacts,
  };
}

/** Plans corrections for contacts that are known, be they found or edited. */
export function planContacts(setup: Setup, record: GoalRecord, contacts: readonly Contact[]): GoalPlan {
  const goals = setup.goals!;
  const { count } = record;
  const plan = emptyPlan(goals, count, contacts);
  const carried = new Float64Array(goals.limbs.length * count);
  // Each of these goes over all frames and limbs, and a foot's frame takes as long as ten joints'.
  const work = 10 * goals.limbs.length * count;
  planFeet(plan, goals, record, contacts, setup.rootScales, carried);
  didWork(work);
  // What treads without standing still carries, but has no contact to lose.
  const standing = record.treading.length > 0 ? new Float64Array(carried.length) : carried;
  const lifts = planSoles(plan, goals, record, standing);
  didWork(work);
  planTouches(plan, goals, record);
  didWork(work);
  planHands(plan, goals, record, contacts, setup.rootScales, carried);
  didWork(work);
  planHips(plan, goals, record, contacts, setup.rootScales.vertical, carried, standing);
  didWork(work);
  planShins(plan, goals, record, carried, lifts);
  followFolded(plan, goals, record, carried);
  didWork(work);
  planKnees(plan, goals, record, standing);
  liftHands(plan, goals, record);
  didWork(work);
  return plan;
}
