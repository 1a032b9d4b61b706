import { rotateVector } from '../../base/math/quaternion.js';
import { LARGEST_SKIN_LIFT, SKIN_SLACK } from '../../goals/goal-rules.js';
import type { GoalSetup } from '../../goals/goal-setup.js';
import type { Goals } from '../../goals/goals.js';
import { copyFrames } from '../../goals/limb-frames.js';
import { createSole, measureSole } from '../../goals/parts/measure-sole.js';
import { definePass, foundOf } from '../pass.js';
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
    const isLive = plan === null;
    return (frame) => {
      if (!frame.goals) return;
      liftPoints(frame.goals, goals, floor);
      if (isLive) liftSkin(frame.goals, goals, floor);
    };
  },
});

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

/** Lifts goals to where no skin of a foot is under the floor. */
function liftSkin(
  { places, target, turns, bends, weights }: Goals,
  { limbs, hipHeight }: GoalSetup,
  floor: number,
): void {
  for (let n = 0; n < limbs.length; n++) {
    const limb = limbs[n]!;
    if (limb.kind !== 'leg' || !(weights[n]! > 0)) continue;
    const at = places[3 * n + 1]!;
    copyFrames(frames, 0, target.matrices, limb);
    sole.ankle = at;
    sole.floor = floor - SKIN_SLACK * hipHeight;
    sole.most = LARGEST_SKIN_LIFT * hipHeight;
    measureSole(sole, limb, frames, 0, turns, 4 * n);
    bends[n] = sole.bend;
    places[3 * n + 1] = at + Math.max(0, Math.min(sole.depth, sole.most));
  }
}
