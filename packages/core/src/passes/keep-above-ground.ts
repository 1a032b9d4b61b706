import type { GoalSetup } from '../goals/goal-setup.js';
import type { Goals } from '../goals/goals.js';
import type { Pass } from '../pipeline.js';
import { rotateVector } from '../quaternion.js';
import type { Frame, Setup } from '../setup.js';

/**
 * Lifts goals until no point at the end of their limb is under the floor. The rest of the body is kept above it
 * by the hips, see `settleHips`.
 */
export const keepAboveGround: Pass = {
  name: 'keepAboveGround',
  summary: 'lifts the goals of feet and hands that would be under the floor',
  options: [],
  prepare(setup: Setup): (frame: Frame) => void {
    const { goals, goalPlan } = setup;
    if (!goals) return () => {};
    const floor = goalPlan?.floor ?? goals.floor;
    return (frame) => {
      if (frame.goals) liftGoals(frame.goals, goals, floor);
    };
  },
};

const arm = new Float64Array(3);

/** Lifts the goals of a frame to where none of their points is under the floor. */
export function liftGoals(
  { places, copied, target, turns, weights }: Goals,
  { limbs, points, hipHeight }: GoalSetup,
  floor: number,
): void {
  for (let n = 0; n < limbs.length; n++) {
    if (!(weights[n]! > 0)) continue;
    const { points: ends, target: joints } = limbs[n]!;
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
