import { springToZero } from '../../base/math/spring.js';
import { forwardJoints } from '../../scene/forward-joints.js';
import type { ModelPose, Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { layParts, turnParts } from '../parts/lay-parts.js';

/** How fast parts that begin or cease to rest are laid on the floor, per second: see `springToZero`. */
const LAYS = 14;
/** A turn that is less than this, in radians, is none. */
const LEAST_LAY = 1e-5;

/** Lays parts that rest on the floor, frame by frame, and remembers how far each was turned. */
export type LiveLaying = {
  /** Tells whether anything was turned. */
  update(pose: Pose, model: ModelPose, goals: Goals): boolean;
  reset(): void;
};

/**
 * The live form of what `planGoals` does with parts that lie: they are laid on the floor by what was seen to rest in the
 * frame before, and what that asks for is followed as by a spring, so that another lowest place of the skin is no leap.
 */
export function createLiveLaying(setup: GoalSetup, skeleton: Skeleton): LiveLaying {
  const { laid, targetJoints } = setup;
  const joints = laid.flatMap(({ joint, below }) => (below < 0 ? [joint] : [joint, below]));
  const copied = new Float64Array(4 * joints.length);
  const wants = new Float64Array(3 * laid.length);
  const lays = new Float64Array(3 * laid.length);
  const speeds = new Float64Array(3 * laid.length);
  let isFirst = true;
  return {
    update(pose, model, goals) {
      // Of what rested before it was begun anew nothing is known.
      if (isFirst) goals.rests.fill(0);
      const isResting = isAny(goals.rests);
      isFirst = false;
      if (!isResting && !isAny(lays)) return false;
      wants.fill(0);
      if (isResting) {
        for (let n = 0; n < joints.length; n++)
          for (let c = 0; c < 4; c++) copied[4 * n + c] = pose.rotations[4 * joints[n]! + c]!;
        layParts(pose, model, skeleton, setup, wants, goals.rests);
        for (let n = 0; n < joints.length; n++)
          for (let c = 0; c < 4; c++) pose.rotations[4 * joints[n]! + c] = copied[4 * n + c]!;
        forwardJoints(model, skeleton, pose, targetJoints);
      }
      for (let i = 0; i < lays.length; i++) {
        lays[i] = lays[i]! - wants[i]!;
        springToZero(lays, speeds, i, LAYS, goals.seconds);
        lays[i] = lays[i]! + wants[i]!;
        if (wants[i] === 0 && Math.abs(lays[i]!) < LEAST_LAY && Math.abs(speeds[i]!) < LEAST_LAY) lays[i] = 0;
      }
      return turnParts(pose, model, skeleton, setup, lays);
    },
    reset() {
      lays.fill(0);
      speeds.fill(0);
      isFirst = true;
    },
  };
}

function isAny(numbers: Float64Array): boolean {
  for (let n = 0; n < numbers.length; n++) if (numbers[n] !== 0) return true;
  return false;
}
