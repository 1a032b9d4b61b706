import { lendRoom } from '../../base/lend-room.js';
import { UP } from '../../base/math/flat-constants.js';
import { multiplyQuaternions, rotateVector, twistAbout } from '../../base/math/quaternion.js';
import type { BodyPoint } from '../../contacts/body-points.js';
import { offsetsOf } from '../../contacts/track-points.js';
import { createAnimalGoals } from '../../goals/animal-goals.js';
import { type GoalPlan, gridFrame, samplePlan } from '../../goals/goal-plan.js';
import { createGoalSetup, type GoalSetup, type LimbGoal } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { type FullLimbScaling, sampleCurve } from '../../goals/limb-scaling.js';
import { createLiveLaying, type LiveLaying } from '../../goals/live/live-laying.js';
import { attachJoints } from '../../goals/parts/attach-joints.js';
import { layParts, turnParts } from '../../goals/parts/lay-parts.js';
import { planLoopingGoals } from '../../goals/plan/plan-loop.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import type { Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import {
  bindStep,
  type CompileContext,
  compiledOf,
  definePass,
  type Frame,
  isResting,
  type Run,
  type Setup,
} from '../pass.js';
import { type SpacedLimb, spaceLimbs, spacingShift } from '../space-limbs.js';
import { solvesAsPlanned } from './known-turns.js';

/**
 * Says where feet and hands would be if they moved as the source's do, scaled as the hips' travel is:
 *
 *   p′ = H_t + S · (p − H_s),   S = diag(horizontal, vertical, horizontal)
 *
 * with H the hips of the frame. Heights count from what carries a point: soles, palms and knees lie differently
 * deep under their joints. A foot's goal is that the *middle of its sole* is there while the foot is turned as
 * copied, so its ankle goes to the middle of the scaled heel and toe less the middle of the copied ones.
 * Goals on the ankle itself fail: a copied foot of another length slides by 2.4–3.6 %/s about them. Hands have
 * their copied place as goal; what they touch moves them later (see `planArms`).
 */
export const placeGoals = definePass<'placeGoals', GoalSetup, GoalPlan>({
  name: 'placeGoals',
  summary: 'says where feet and hands would be if they moved as the source’s, in the scale of the travel',
  options: ['corrections', 'limbScalings', 'contacts'],
  corrects: true,
  restsOnOwnBody: true,
  compile: ({ pair, whole, options, corrects }) =>
    corrects && pair.travel
      ? (createGoalSetup(pair, whole, options.limbScalings) ?? createAnimalGoals(pair, pair.map))
      : null,
  writes: ({ laid }, { plan, found }) => ({
    turnsOn: plan === null || found?.lays ? laid.map(({ joint }) => joint) : [],
  }),
  plan(goals, { setup, clip, passes, contacts, frameRate, record }) {
    if (!passes.includes('solveLimbs')) return null;
    const keepsSolved = solvesAsPlanned(setup, goals, passes);
    return lendRoom(() =>
      planLoopingGoals({ ...setup, goals, contacts, frameRate, record, keepsSolved }, clip),
    );
  },
  prepare(_, run) {
    const { source, target, rootScales } = run.setup;
    const goals = activeGoals(run);
    if (!goals) return () => {};
    const spacedLimbs = compiledOf(run.setup, spaceLimbs) ?? [];
    const planned = run.found !== null;
    const lays = run.found?.lays ?? null;
    // With a plan, nothing but the soles need be looked at again, and they stand first.
    const soleCount = solePoints(goals);
    const points = planned ? goals.points.slice(0, soleCount) : goals.points;
    const scaled = goals.limbs.filter(({ scaling }) => scaling);
    const plan: GoalPlacing = {
      goals,
      soleCount,
      sourceJoints: planned
        ? withAncestors(source.skeleton, [
            goals.hips.source,
            ...points.map((pair) => pair.source.joint),
            ...scaled.flatMap((limb) => Object.values(limb.source)),
          ])
        : goals.sourceJoints,
      targetJoints: lookedAt(goals, run.found, target.skeleton),
      source: source.skeleton,
      target: target.skeleton,
      horizontal: rootScales.horizontal,
      vertical: rootScales.vertical,
      sourcePoints: placedPoints(points.map((pair) => pair.source)),
      targetPoints: placedPoints(points.map((pair) => pair.target)),
      lifts: Float64Array.from(points, (pair) => pair.lift),
      planned,
      lays,
      live: run.plan === null && goals.laid.length > 0 ? createLiveLaying(goals, target.skeleton) : null,
      grid: { count: run.found?.count ?? 0, rate: run.found?.rate ?? 0 },
      place: run.place,
      known: { rate: run.found?.rate ?? 0, frames: run.found?.solvedFrames ?? [0, -1] },
      knownJoints: run.found?.solved ? withAncestors(target.skeleton, [goals.hips.target]) : null,
      spacing: goals.limbs.map(
        ({ kind, target: { upper } }) =>
          (kind === 'leg' && spacedLimbs.find((limb) => limb.upper === upper)) || null,
      ),
    };
    const { live } = plan;
    const step = bindStep(placeInFrame, plan);
    return live ? Object.assign(step, { reset: () => live.reset() }) : step;
  },
});

/** How many points of a setup are those of soles, which stand first. */
function solePoints({ limbs }: GoalSetup): number {
  return 1 + Math.max(-1, ...limbs.flatMap(({ kind, points }) => (kind === 'leg' ? points : [])));
}

/**
 * The joints of the target that a frame looks at in model space: with a plan those of limbs, their toes and their soles
 * alone, unless parts of the body are laid on the floor.
 */
export function lookedAt(goals: GoalSetup, found: GoalPlan | null, skeleton: Skeleton): Int32Array {
  if (!found || found.lays) return goals.targetJoints;
  const { hips, points, limbs, attached } = goals;
  return withAncestors(skeleton, [
    hips.target,
    ...points.slice(0, solePoints(goals)).map((pair) => pair.target.joint),
    ...limbs.flatMap((limb) => Object.values(limb.target)),
    ...limbs.flatMap(({ toes }) => (toes < 0 ? [] : [toes])),
    ...attached.flatMap(({ carrier, below }) => [carrier, ...below]),
  ]);
}

/** What feet and hands of two rigs are corrected by; null where nothing is to be, or can be. */
export function goalsOf(setup: Setup): GoalSetup | null {
  return compiledOf(setup, placeGoals);
}

/** What feet and hands are corrected by; null where they are not, or nothing in the clip at hand is to be. */
export function activeGoals({ setup, plan }: Pick<Run, 'setup' | 'plan'>): GoalSetup | null {
  return isResting(plan, placeGoals) ? null : compiledOf(setup, placeGoals);
}

/** The goals that a pass which corrects them needs: `compile` of such a pass. */
export function requireGoals(context: CompileContext): { goals: true } | null {
  return compiledOf(context, placeGoals) && { goals: true };
}

type GoalPlacing = {
  goals: GoalSetup;
  /** How many of the points, the first, are those of soles; and the joints that are looked at. */
  soleCount: number;
  sourceJoints: Int32Array;
  targetJoints: Int32Array;
  source: Skeleton;
  target: Skeleton;
  horizontal: number;
  vertical: number;
  sourcePoints: PlacedPoints;
  targetPoints: PlacedPoints;
  lifts: Float64Array;
  /** Per limb what it is spread by, where it is a leg that is. */
  spacing: (SpacedLimb | null)[];
  /** Whether the clip has been looked at. */
  planned: boolean;
  /** What parts that lie are turned by, see `GoalPlan.lays`, and its grid. */
  lays: Float64Array | null;
  grid: { count: number; rate: number };
  /** The hips and all above them, where in frames of the planning grid no more of the target need be looked at; else null. */
  knownJoints: Int32Array | null;
  known: { rate: number; frames: readonly [number, number] };
  /** What lays parts on the floor where nobody looks ahead. */
  live: LiveLaying | null;
  /** Puts joints that hang elsewhere than their body part where it is; null where there are none. */
  place: Run['place'];
};

/** Points, flat: where the matrices of their joints begin, and their places in these joints, xyz. */
type PlacedPoints = { at: Int32Array; offsets: Float64Array };

function placedPoints(points: BodyPoint[]): PlacedPoints {
  return { at: Int32Array.from(points, ({ joint }) => 16 * joint), offsets: offsetsOf(points) };
}

/** Writes the places of points, xyz each. */
function placePoints(out: Float64Array, { at, offsets }: PlacedPoints, m: Float64Array): void {
  for (let n = 0; n < at.length; n++) {
    const i = at[n]!;
    const o = 3 * n;
    const x = offsets[o]!;
    const y = offsets[o + 1]!;
    const z = offsets[o + 2]!;
    out[o] = m[i]! * x + m[i + 4]! * y + m[i + 8]! * z + m[i + 12]!;
    out[o + 1] = m[i + 1]! * x + m[i + 5]! * y + m[i + 9]! * z + m[i + 13]!;
    out[o + 2] = m[i + 2]! * x + m[i + 6]! * y + m[i + 10]! * z + m[i + 14]!;
  }
}

const shift = new Float64Array(3);
const stance = new Float64Array(4);
const turn = new Float64Array(4);

/**
 * What a foot's goal is off the scaled source's, turned about the vertical as the foot is. The less upright the foot,
 * the less: one that points down or lies has no heading to speak of, and would jump from one side to the other. Of an
 * animal it is the body that turns it, and where that lies on its side or its back legs are wholly as copied: behind
 * what it is off stands how much they go where the source's do, 1 upright and 0 lying.
 */
function turnStance(
  out: Float64Array,
  { stance: off, unturn, heading, target }: LimbGoal,
  rotations: Float64Array,
): void {
  multiplyQuaternions(turn, 0, rotations, 4 * heading, unturn, 0);
  // The upright's own height after the turn: 1 − 2 (x² + z²).
  const upright = 2 - 4 * (turn[0]! * turn[0]! + turn[2]! * turn[2]!);
  const share = upright >= 1 ? 1 : upright > 0 ? upright : 0;
  out[3] = heading === target.end ? 1 : share;
  twistAbout(turn, 0, turn, 0, UP, 0);
  out[0] = share * off[0];
  out[1] = 0;
  out[2] = share * off[1];
  rotateVector(out, 0, turn, 0, out, 0);
}

/** Lays parts of a body that is looked at on the floor, by how much they rest or by what they were found to be turned by. */
function layRecorded(
  pose: Pose,
  { target, rests, lays }: Goals,
  skeleton: Skeleton,
  goals: GoalSetup,
): boolean {
  let isResting = false;
  for (let n = 0; n < rests.length; n++) if (rests[n]! > 0) isResting = true;
  if (!isResting) return turnParts(pose, target, skeleton, goals, lays);
  layParts(pose, target, skeleton, goals, lays, rests);
  return true;
}

/** Lays parts of the body on the floor, where they are to lie on it; tells whether anything may have been turned. */
function layFrame({ target: pose, time }: Frame, out: Goals, plan: GoalPlacing): boolean {
  const { goals, target: skeleton, live, lays, planned, grid } = plan;
  if (live) return live.update(pose, out.target, out);
  if (!lays) return !planned && layRecorded(pose, out, skeleton, goals);
  samplePlan(out.lays, lays, out.lays.length, grid, time);
  return turnParts(pose, out.target, skeleton, goals, out.lays);
}

function placeInFrame(plan: GoalPlacing, frame: Frame): void {
  if (!frame.goals) return;
  const { knownJoints } = plan;
  frame.goals.known = knownJoints ? gridFrame(frame.time, plan.known) : -1;
  if (knownJoints && frame.goals.known >= 0)
    forwardJoints(frame.goals.target, plan.target, frame.target, knownJoints, false);
  else placeFrame(frame, frame.goals, plan);
}

function placeFrame(frame: Frame, out: Goals, plan: GoalPlacing): void {
  const { goals, source, target, horizontal, vertical } = plan;
  forwardJoints(out.source, source, frame.source, plan.sourceJoints, false);
  forwardJoints(out.target, target, frame.target, plan.targetJoints);
  out.seconds[0] = frame.seconds;
  if (layFrame(frame, out, plan) && plan.place) {
    // Feet that hang elsewhere do not come along with thighs by themselves.
    plan.place(frame);
    forwardJoints(out.target, target, frame.target, plan.targetJoints);
  }
  attachJoints(out.target, goals.attached);
  const { raw, scaled, copied, places, weights, follows } = out;
  const from = out.source.matrices;
  const to = out.target.matrices;
  const hs = 16 * goals.hips.source + 12;
  const ht = 16 * goals.hips.target + 12;
  const { limbs } = goals;
  placePoints(raw, plan.sourcePoints, from);
  placePoints(copied, plan.targetPoints, to);
  for (let n = 0; n < plan.soleCount; n++) {
    const o = 3 * n;
    scaled[o] = to[ht]! + horizontal * (raw[o]! - from[hs]!);
    scaled[o + 1] = to[ht + 1]! + vertical * (raw[o + 1]! - from[hs + 1]!) + plan.lifts[n]!;
    scaled[o + 2] = to[ht + 2]! + horizontal * (raw[o + 2]! - from[hs + 2]!);
  }
  for (let n = 0; n < limbs.length; n++) {
    const { kind, target: joints, points: ends } = limbs[n]!;
    const end = 16 * joints.end + 12;
    for (let c = 0; c < 3; c++) places[3 * n + c] = to[end + c]!;
    weights[n] = 1;
    // A plan says how much of it is held.
    follows[n] = kind === 'leg' && !plan.planned ? 0 : 1;
    if (kind !== 'leg') continue;
    const heel = 3 * ends[0]!;
    const toe = 3 * ends[1]!;
    const spaced = plan.spacing[n]!;
    if (spaced) {
      spacingShift(shift, 0, spaced, out.target, to, end);
      for (let c = 0; c < 3; c++) {
        scaled[heel + c] = scaled[heel + c]! + shift[c]!;
        scaled[toe + c] = scaled[toe + c]! + shift[c]!;
      }
    }
    turnStance(stance, limbs[n]!, out.target.rotations);
    for (let c = 0; c < 3; c++)
      places[3 * n + c] =
        places[3 * n + c]! +
        stance[c]! +
        (stance[3]! * (scaled[heel + c]! + scaled[toe + c]! - copied[heel + c]! - copied[toe + c]!)) / 2;
  }
  out.hips.fill(0);
  for (let n = 0; n < limbs.length; n++) {
    const { scaling } = limbs[n]!;
    if (scaling) scaleGoal(out, limbs[n]!, n, scaling, frame.time);
  }
}

/** Puts a limb's goal where its scaling says, see `LimbScaling`. */
function scaleGoal(
  { source, target, places, weights, follows }: Goals,
  { kind, source: from, target: to, sourceLength, length }: LimbGoal,
  n: number,
  scaling: FullLimbScaling,
  time: number,
): void {
  const rootScale = sampleCurve(scaling.rootScale, time);
  const limbScale = sampleCurve(scaling.limbScale, time);
  const ratio = sourceLength > 1e-9 ? length / sourceLength : 1;
  const scale = 1 + limbScale * (ratio - 1);
  const s = 16 * from.upper + 12;
  const e = 16 * from.end + 12;
  const t = 16 * to.upper + 12;
  for (let c = 0; c < 3; c++) {
    const root = source.matrices[s + c]! + rootScale * (target.matrices[t + c]! - source.matrices[s + c]!);
    places[3 * n + c] = root + (source.matrices[e + c]! - source.matrices[s + c]!) * scale;
  }
  const weight = Math.min(1, Math.max(0, sampleCurve(scaling.weight, time)));
  weights[n] = weight;
  if (kind !== 'arm') return;
  follows[n] = rootScale;
}
