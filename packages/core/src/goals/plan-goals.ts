import { findBendingBones } from '../bending-bones.js';
import { type Clip, sampleClip } from '../clip.js';
import {
  type Contact,
  contactsOfTracks,
  floorOffset,
  MEASURED_CONTACTS,
  pointHeights,
} from '../contacts/find-contacts.js';
import { CONTACT_RATE, type PointTracks } from '../contacts/track-points.js';
import { PASS_NAMES, type PassName } from '../pipeline.js';
import { createFrame, prepareSteps } from '../retarget-frames.js';
import type { Setup } from '../setup.js';
import { findTreadmill, onMovingGround } from './find-treadmill.js';
import { withAncestors } from './forward-joints.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup } from './goal-setup.js';
import { copyFrames } from './limb-frames.js';
import { planClearance } from './plan-clearance.js';
import { planFeet } from './plan-feet.js';
import { liftHands, planHands, planTouches } from './plan-hands.js';
import { planHips } from './plan-hips.js';
import { planShins } from './plan-shins.js';
import { planSoles } from './plan-soles.js';
import { lowestPoint } from './skin-points.js';

/** What the goals of a clip are planned from: the copied motion on the planning grid, frame after frame. */
export type GoalRecord = {
  count: number;
  /** xyz per point per frame: the source's own places, model space. */
  source: Float64Array;
  /** The same scaled, see `placeGoals`. */
  scaled: Float64Array;
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
  /** Per limb and frame how high the lowest skin of its end is over its end joint as copied, toes aside. */
  lows: Float64Array;
  /** Per limb and frame the columns of the matrices of its end joint and its toes: x, y, z, place; 24 numbers. */
  frames: Float64Array;
  /** Per point and frame how high the source's is over where it stands, in its hip heights. */
  heights: Float64Array;
  /** Velocity of the ground under the source, x and z: of one that walks on the spot, else 0. */
  ground: [number, number];
  /** Per frame the height of the lowest part of torso and head as copied, skin where it is known. */
  trunk: Float64Array;
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

/** Half an hour: longer clips are not corrected, so that no file can ask for endless memory. */
export const MOST_PLANNED = 30 * 60 * CONTACT_RATE;

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
  const tracks: PointTracks = {
    points: goals.points.map((pair) => pair.source),
    count,
    positions: record.source,
    hipHeight: goals.sourceHipHeight,
    floor: goals.sourceFloor,
  };
  record.ground = findTreadmill(tracks);
  const onGround = onMovingGround(tracks, record.ground);
  const contacts = setup.contacts ?? contactsOfTracks(onGround, PLANNED_CONTACTS);
  if (contacts.length === 0 && !goals.limbs.some(({ scaling }) => scaling)) {
    const plan = emptyPlan(goals, count, contacts);
    return planClearance(plan, goals, record, setup.rootScales.vertical) ? plan : null;
  }
  record.heights = pointHeights(onGround);
  const down = setup.rootScales.vertical * goals.sourceHipHeight * floorOffset(onGround);
  lowerRecord(record, down);
  const plan = planContacts(setup, record, contacts);
  lowerPlan(plan, goals.limbs.length, down);
  return plan;
}

/*
 * A capture's floor is not quite where its skeleton's is. That is no difference between two bodies: the whole body
 * is put on the floor, and only then is it looked at what is to be corrected.
 */

/** Puts all that was recorded of the target lower. */
function lowerRecord(record: GoalRecord, down: number): void {
  const { scaled, copied, places, uppers, middles, ends } = record;
  for (const joints of [scaled, copied, places, uppers, middles, ends])
    for (let i = 1; i < joints.length; i += 3) joints[i]! -= down;
  for (let i = 0; i < record.frames.length; i += 12) record.frames[i + 10]! -= down;
  for (let k = 0; k < record.count; k++) record.trunk[k]! -= down;
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
  planFeet(plan, goals, record, contacts, setup.rootScales, carried);
  const lifts = planSoles(plan, goals, record, carried);
  planTouches(plan, goals, record);
  planHands(plan, goals, record, contacts, setup.rootScales.vertical, carried);
  planHips(plan, goals, record, contacts, setup.rootScales.vertical, carried);
  planShins(plan, goals, record, carried, lifts);
  liftHands(plan, goals, record);
  return plan;
}

/** The source's joints that the goals depend on: those looked at, and the drivers of those of the target. */
function sourceJointsOf({ goals, map, source }: Setup): ReadonlySet<number> {
  const targets = new Set(goals!.targetJoints);
  const drivers = map.joints
    .filter(({ target }) => targets.has(target))
    .flatMap(({ sources, share }) => (share ? [...sources, share.from] : sources));
  return new Set(withAncestors(source.skeleton, [...goals!.sourceJoints, ...drivers]));
}

function recordGoals(setup: Setup, clip: Clip, passes: readonly PassName[], count: number): GoalRecord {
  const goals = setup.goals!;
  const frame = createFrame(setup);
  const into = frame.goals!;
  const points = goals.points.length;
  const limbs = goals.limbs.length;
  const record: GoalRecord = {
    count,
    source: new Float64Array(3 * points * count),
    scaled: new Float64Array(3 * points * count),
    copied: new Float64Array(3 * points * count),
    places: new Float64Array(3 * limbs * count),
    uppers: new Float64Array(3 * limbs * count),
    middles: new Float64Array(3 * limbs * count),
    shins: new Float64Array(9 * limbs * count),
    ends: new Float64Array(3 * limbs * count),
    touches: new Float64Array(6 * count),
    lows: new Float64Array(limbs * count),
    frames: new Float64Array(24 * limbs * count),
    heights: new Float64Array(points * count),
    ground: [0, 0],
    trunk: new Float64Array(count),
  };
  const ofClip: Setup = { ...setup, bending: findBendingBones(setup, clip) };
  // Everything that comes before the goals, and they.
  const until = PASS_NAMES.slice(0, PASS_NAMES.indexOf('placeGoals') + 1);
  const steps = prepareSteps(
    ofClip,
    until.filter((name) => passes.includes(name) || name === 'placeGoals'),
  );
  // Fingers and faces carry nothing: only tracks of joints that matter are read.
  const matters = sourceJointsOf(setup);
  const body: Clip = { ...clip, tracks: clip.tracks.filter(({ joint }) => matters.has(joint)) };
  const hints = new Int32Array(body.tracks.length);
  for (let k = 0; k < count; k++) {
    frame.index = k;
    frame.time = k / CONTACT_RATE;
    sampleClip(frame.source, body, frame.time, hints);
    for (const step of steps) step(frame);
    record.source.set(into.raw, 3 * points * k);
    record.scaled.set(into.scaled, 3 * points * k);
    record.copied.set(into.copied, 3 * points * k);
    record.touches.set(into.touches, 6 * k);
    record.places.set(into.places, 3 * limbs * k);
    const m = into.target.matrices;
    let low = Number.POSITIVE_INFINITY;
    for (const { joint, skin } of goals.trunk) low = Math.min(low, lowestPoint(m, joint, skin));
    record.trunk[k] = low;
    for (let n = 0; n < limbs; n++) {
      const { skin } = goals.limbs[n]!;
      const { upper, middle, end } = goals.limbs[n]!.target;
      const o = 3 * (limbs * k + n);
      for (let c = 0; c < 3; c++) {
        record.uppers[o + c] = m[16 * upper + 12 + c]!;
        record.middles[o + c] = m[16 * middle + 12 + c]!;
        record.ends[o + c] = m[16 * end + 12 + c]!;
      }
      if (goals.limbs[n]!.shin.points.length > 0)
        for (let i = 0; i < 9; i++)
          record.shins[3 * o + i] = m[16 * middle + 4 * Math.floor(i / 3) + (i % 3)]!;
      record.lows[limbs * k + n] = lowestPoint(m, end, skin) - m[16 * end + 13]!;
      copyFrames(record.frames, 24 * (limbs * k + n), m, goals.limbs[n]!);
    }
  }
  return record;
}
