import { rotateVector } from '../../base/math/quaternion.js';
import { springToZero } from '../../base/math/spring.js';
import { LARGEST_SKIN_LIFT, SKIN_SLACK } from '../../goals/goal-rules.js';
import type { GoalSetup, LimbGoal } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { copyFrames } from '../../goals/limb-frames.js';
import {
  createSole,
  measureSole,
  split,
  splitVector,
  turnAxis,
  turnMatrix,
} from '../../goals/parts/measure-sole.js';
import { bindStep, definePass, type Frame, foundOf } from '../pass.js';
import { activeGoals, placeGoals, requireGoals } from './place-goals.js';

/**
 * Lifts the goals of feet until nothing of them is under the floor; toes bend up where feet roll over them. Offline
 * that is planned and smoothed (see `planSoles`), and little is left to do here. Hands and the rest of the body are
 * kept above the floor when it is known where the hips are, see `settleHips`.
 */
export const keepAboveGround = definePass({
  name: 'keepAboveGround',
  summary: 'lifts the goals of feet that would be under the floor, and bends toes up',
  options: [],
  corrects: true,
  restsOnOwnBody: true,
  compile: requireGoals,
  writes: () => ({}),
  prepare(_, run) {
    const goals = activeGoals(run);
    if (!goals) return () => {};
    const plan = foundOf(run.plan, placeGoals);
    const floor = plan?.floor ?? goals.floor;
    if (plan) return bindStep(liftPlanned, { goals, floor });
    const count = 2 * goals.limbs.length;
    const soles: FollowedSoles = {
      values: new Float64Array(count).fill(-1),
      speeds: new Float64Array(count),
      knees: Int32Array.from(goals.limbs, ({ side }) => {
        return goals.surfaces.findIndex(({ point }) => goals.points[point]!.name === `${side}Knee`);
      }),
    };
    return Object.assign(
      (frame: Frame) => {
        if (!frame.goals) return;
        liftPoints(frame.goals, goals, floor);
        liftSkin(frame.goals, goals, floor, soles);
      },
      { reset: () => soles.values.fill(-1) },
    );
  },
});

function liftPlanned({ goals, floor }: { goals: GoalSetup; floor: number }, frame: Frame): void {
  if (frame.goals && frame.goals.known < 0) liftPoints(frame.goals, goals, floor);
}

const arm = new Float64Array(3);

/** Lifts goals to where no heel or toe is lower than it stands. */
function liftPoints(
  { places, copied, target, turns, weights }: Goals,
  { limbs, points, hipHeight }: GoalSetup,
  floor: number,
): void {
  for (let n = 0; n < limbs.length; n++) {
    const { kind, points: ends, target: joints } = limbs[n]!;
    if (kind !== 'leg' || !(weights[n]! > 0)) continue;
    const end = 16 * joints.end + 12;
    let depth = 0;
    for (let e = 0; e < ends.length; e++) {
      const point = ends[e]!;
      for (let c = 0; c < 3; c++) arm[c] = copied[3 * point + c]! - target.matrices[end + c]!;
      rotateVector(arm, 0, turns, 4 * n, arm, 0);
      const height = places[3 * n + 1]! + arm[1]!;
      const under = floor + hipHeight * points[point]!.target.standing - height;
      if (under > depth) depth = under;
    }
    places[3 * n + 1] = places[3 * n + 1]! + depth;
  }
}

const frames = new Float64Array(24);
const sole = createSole();

/** How fast toes bend up live, and how fast they come down again, per second; and feet that are lifted for their skin. */
const TOES_UP = 70;
const TOES_DOWN = 15;
const LIFT_UP = 150;
const LIFT_DOWN = 60;
/** A foot on its instep comes up with its knee, which comes down. */
const INSTEP_UP = 50;

/**
 * Numbers that follow what they shall be: per limb how far its toes are bent, then per limb how far its foot is lifted;
 * −1 where nothing was before. And how fast each changes. Per limb the number of its knee in `GoalSetup.surfaces`; −1 for none.
 */
type FollowedSoles = { values: Float64Array; speeds: Float64Array; knees: Int32Array };

/**
 * Lifts goals to where no skin of a foot is under the floor. Toes, and the lift, follow what they would have to be as
 * critically damped springs do: up nearly at once, and down slower. Without it both leap when a foot that is turned comes
 * to the floor: toes popped four times as often. What toes lack for a frame or two is not lifted for: knees would pop.
 */
function liftSkin(of: Goals, { limbs, hipHeight }: GoalSetup, floor: number, soles: FollowedSoles): void {
  const { places, target, turns, bends, weights, seconds } = of;
  for (let n = 0; n < limbs.length; n++) {
    const limb = limbs[n]!;
    if (limb.kind !== 'leg' || !(weights[n]! > 0)) continue;
    const at = places[3 * n + 1]!;
    copyFrames(frames, 0, target.matrices, limb);
    sole.ankle = at;
    sole.floor = floor - SKIN_SLACK * hipHeight;
    sole.most = LARGEST_SKIN_LIFT * hipHeight;
    measureSole(sole, limb, frames, 0, turns, 4 * n);
    wanted[0] = sole.bend;
    follow(soles, n, TOES_UP, TOES_DOWN, seconds);
    bends[n] = wanted[0]!;
    lookAtInstep(of, limb, n, soles.knees[n]!);
    const most = sole.most + lies[0]! * LIES_LIFT * hipHeight;
    wanted[0] = Math.max(0, Math.min(sole.depth, most));
    follow(soles, limbs.length + n, lies[0]! > 0 ? INSTEP_UP : LIFT_UP, LIFT_DOWN, seconds);
    places[3 * n + 1] = at + wanted[0]!;
  }
}

/** A foot that lies on its instep below a knee that rests is lifted by so many hip heights more, as what is planned is. */
const LIES_LIFT = 0.2;
/** How much a foot does, 0 to 1: one number. */
const lies = new Float64Array(1);

/** Finds how much a foot that is in `frames` lies on its instep: its toes point back rather than down, and its knee rests. */
function lookAtInstep(
  { copied, target, turns, rests }: Goals,
  { points, across, target: joints }: LimbGoal,
  n: number,
  knee: number,
): void {
  lies[0] = 0;
  if (knee < 0 || !(rests[knee]! > 0)) return;
  const end = 16 * joints.end + 12;
  for (let c = 0; c < 3; c++) arm[c] = copied[3 * points[1]! + c]! - target.matrices[end + c]!;
  rotateVector(arm, 0, turns, 4 * n, arm, 0);
  turnMatrix(frames, 0, turns, 4 * n);
  turnAxis(across);
  splitVector(arm);
  const back = -split.rise;
  // Comes softly, as the foot turns over.
  const over = back - Math.abs(split.level);
  if (over > 0) lies[0] = rests[knee]! * Math.min(1, (2 * over) / back);
}

/** What a number shall be, and then what it is: as an argument it would be made anew on the heap. */
const wanted = new Float64Array(1);

function follow(
  { values, speeds }: FollowedSoles,
  i: number,
  up: number,
  down: number,
  seconds: Float64Array,
): void {
  const goal = wanted[0]!;
  if (values[i]! < 0) {
    values[i] = goal;
    speeds[i] = 0;
  } else {
    const rate = values[i]! < goal ? up : down;
    values[i] = values[i]! - goal;
    springToZero(values, speeds, i, rate, seconds);
    values[i] = Math.max(0, values[i]! + goal);
  }
  wanted[0] = values[i]!;
}
