import type { RootScales } from '../../align/root-scales.js';
import { didWork } from '../../base/watch-work.js';
import { PLANNED_CONTACTS } from '../../contacts/contact-rules.js';
import { contactsOfTracks, pointCourses } from '../../contacts/find-contacts.js';
import { findTreading } from '../../contacts/find-treading.js';
import { findTreadmill, onMovingGround } from '../../contacts/find-treadmill.js';
import { CONTACT_RATE, type PointTracks } from '../../contacts/track-points.js';
import { type Contact, isOnGround } from '../../options/contact.js';
import type { Clip } from '../../scene/clip.js';
import { findHandContacts } from '../arms/arm-record.js';
import { meanApart } from '../arms/find-carried.js';
import { contactsOfHands, toldHands } from '../arms/hand-contacts.js';
import { planArms } from '../arms/plan-arms.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord, Laying, LoopTurn, PlanningGrid } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { atContactRate, heightsOnGrid, marksOnGrid } from '../grid-rate.js';
import { calmHips } from './calm/calm-hips.js';
import { calmLimbs } from './calm/calm-limbs.js';
import { keepUnfolded } from './calm/keep-unfolded.js';
import { followFolded } from './follow-folded.js';
import { lowerForKnees } from './lower-for-knees.js';
import { planClearance } from './plan-clearance.js';
import { planFeet } from './plan-feet.js';
import { liftHands, planHands } from './plan-hands.js';
import { planHips } from './plan-hips.js';
import { planShins } from './plan-shins.js';
import { planSoles } from './plan-soles.js';
import { type Planning, slotOf } from './planning.js';
import { calmLays, restingOf, restsOf } from './resting.js';
import { reachToes } from './tilt-foot.js';

/** Seconds of the longest clip that is corrected, so that no file can ask for endless memory. */
export const LONGEST_PLANNED = 60 * 60;
/** Instants of a planning grid that every clip may have: two minutes; */
const ALWAYS_PLANNED = 2 * 60 * CONTACT_RATE;
/** and so many for every key of its densest track: two seconds. One key that strayed to the end of an hour is no motion. */
const PLANNED_A_KEY = 2 * CONTACT_RATE;

/** Whether a clip can be looked at instant by instant before it is moved: it is no longer than that makes sense for. */
export function isPlannable({ duration, tracks }: Clip): boolean {
  const keys = tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
  const instants = duration * CONTACT_RATE;
  return (
    duration >= 0 && duration <= LONGEST_PLANNED && instants <= Math.max(ALWAYS_PLANNED, PLANNED_A_KEY * keys)
  );
}

/** Everything that goals are planned with. */
export type GoalView = {
  goals: GoalSetup;
  rootScales: RootScales;
  /** Contacts, where somebody has told; null where it is to be found. */
  contacts: readonly Contact[] | null;
  /** Whether limbs come out in the frames as they are solved here: see `GoalPlan.solved`. */
  keepsSolved: boolean;
  /** The planning grid, see `gridRateOf` and `paceOf`. */
  grid: Pick<GoalRecord, 'rate' | 'pace'>;
  /**
   * Copies a clip on the planning grid and records what goals are planned from; see {@link LoopTurn}.
   * @param laying How what lies is laid on the floor; null where nothing does.
   */
  record(clip: Clip, grid: PlanningGrid, laying: Laying | null, turn?: LoopTurn): GoalRecord;
};

/**
 * Looks at a whole clip and plans its corrections: what stands on what and when, where it is held, and what the
 * hips give way by. Null where nothing ever touches anything or is in the floor.
 */
export function planGoals(view: GoalView, clip: Clip): GoalPlan | null {
  const { goals, rootScales } = view;
  if (!isPlannable(clip)) return null;
  const { rate } = view.grid;
  const count = Math.floor(clip.duration * rate + 1e-3) + 1;
  const grid = { ...view.grid, count };
  let record = view.record(clip, grid, null);
  // Each step between these calls takes as long as a few joints in every frame.
  const work = 10 * count;
  const recorded: PointTracks = {
    points: goals.points.map((pair) => pair.source),
    count,
    positions: record.source,
    hipHeight: goals.sourceHipHeight,
    floor: goals.sourceFloor,
  };
  const tracks = atContactRate(recorded, rate, clip.duration);
  record.ground = findTreadmill(tracks);
  didWork(work);
  const onGround = onMovingGround(tracks, record.ground);
  const courses = pointCourses(onGround);
  didWork(work);
  const contacts = view.contacts?.filter(isOnGround) ?? contactsOfTracks(onGround, PLANNED_CONTACTS, courses);
  didWork(work);
  let lays: Float64Array | null = null;
  const rests = restsOf(goals, contacts, grid);
  if (rests) {
    // Parts that rest are laid before anything else is planned: hips, hands and feet go by the body as it will be.
    const { ground } = record;
    lays = calmLays(view.record(clip, grid, { rests }));
    record = { ...view.record(clip, grid, { lays }), unlaid: record.turned, ground };
    didWork(2 * work);
  }
  const { arms } = record;
  if (arms) {
    arms.found =
      toldHands(view.contacts, grid, (first, last) => meanApart(arms, first, last)) ?? findHandContacts(arms);
    didWork(work);
  }
  if (!view.contacts) {
    const found = findTreading(tracks, courses.heights, contacts, record.ground);
    const treading = marksOnGrid(found, tracks.points.length, grid);
    if (isOff(goals, record, treading)) record.treading = treading;
  }
  didWork(work);
  const isAsked = record.treading.length > 0 || goals.limbs.some(({ scaling }) => scaling);
  if (contacts.length === 0 && !isAsked) {
    const planning = beginPlanning(view, record, contacts);
    if (!planClearance(planning)) return null;
    calmLimbs(planning);
    return withHands(planning.plan, record);
  }
  record.heights = heightsOnGrid(courses.heights, tracks.points.length, grid);
  const down = rootScales.vertical * goals.sourceHipHeight * courses.floor;
  lowerRecord(record, down);
  for (let k = 0; k < count; k++) record.sourceTrunk[k]! -= goals.sourceHipHeight * courses.floor;
  const plan = planContacts(beginPlanning(view, record, contacts));
  plan.lays = lays;
  // Parts that lie are turned in the frames, and limbs that hang on them with them.
  if (lays) plan.solved = null;
  lowerPlan(plan, goals.limbs.length, down);
  return withHands(plan, record);
}

/** A plan that tells what hands touch and carry beside what stands on the ground. */
function withHands(plan: GoalPlan, { arms }: GoalRecord): GoalPlan {
  return arms ? { ...plan, contacts: [...plan.contacts, ...contactsOfHands(arms)] } : plan;
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
      const o = 3 * slotOf(limbs.length, k, n) + 1;
      const treads = soles.some((sole) => treading[slotOf(points, k, sole)] === 1);
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
  for (let i = 0; i < record.surfaces.length; i++) record.surfaces[i]! -= down;
  for (let k = 0; k < record.count; k++) {
    record.trunk[k]! -= down;
    record.lying[k]! -= down;
  }
}

/** Makes a plan for a body that was looked at lower than it is. */
function lowerPlan({ hips, shifts, holds, count }: GoalPlan, limbs: number, down: number): void {
  for (let k = 0; k < count; k++) hips[3 * k + 1]! -= down;
  // A limb that comes along with the hips is lowered by them.
  for (let i = 0; i < limbs * count; i++) shifts[3 * i + 1]! -= down * holds[i]!;
}

function emptyPlan(
  { goals, keepsSolved }: Pick<GoalView, 'goals' | 'keepsSolved'>,
  { count, rate, ground }: GoalRecord,
  contacts: readonly Contact[],
): GoalPlan {
  const limbs = goals.limbs.length;
  return {
    count,
    rate,
    shifts: new Float64Array(3 * limbs * count),
    turns: new Float64Array(3 * limbs * count),
    holds: new Float64Array(limbs * count),
    swivels: new Float64Array(limbs * count),
    bends: new Float64Array(limbs * count),
    calms: null,
    solved: keepsSolved ? [] : null,
    solvedFrames: [0, count - 1],
    hips: new Float64Array(3 * count),
    lays: null,
    floor: goals.floor,
    ground,
    contacts,
  };
}

/** A plan in which nothing is corrected yet, and what the steps of planning share. */
function beginPlanning(
  view: Pick<GoalView, 'goals' | 'rootScales' | 'keepsSolved'>,
  record: GoalRecord,
  contacts: readonly Contact[],
): Planning {
  const { goals, rootScales } = view;
  const carried = new Float64Array(goals.limbs.length * record.count);
  return {
    plan: emptyPlan(view, record, contacts),
    goals,
    record,
    contacts,
    scales: rootScales,
    carried,
    // A foot that treads without standing still carries, but has no contact to lose.
    standing: record.treading.length > 0 ? new Float64Array(carried.length) : carried,
    resting: restingOf({ goals, record, contacts, scales: rootScales }),
  };
}

/** Plans corrections for contacts that are known, be they found or edited. */
function planContacts(planning: Planning): GoalPlan {
  const { plan, goals } = planning;
  // Each of these goes over all frames and limbs, and a foot's frame takes as long as ten joints'.
  const work = 10 * goals.limbs.length * plan.count;
  planFeet(planning);
  didWork(work);
  const lifts = planSoles(planning);
  didWork(work);
  planHands(planning);
  didWork(work);
  planHips(planning);
  calmHips(planning);
  didWork(work);
  planShins(planning, lifts);
  reachToes(planning, lifts);
  didWork(work);
  followFolded(planning);
  didWork(work);
  planArms(planning);
  didWork(work);
  lowerForKnees(planning);
  didWork(work);
  liftHands(planning);
  keepUnfolded(planning);
  didWork(work);
  calmLimbs(planning);
  didWork(work);
  return plan;
}
