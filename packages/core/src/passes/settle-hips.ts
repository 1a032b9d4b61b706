import { type GoalPlan, samplePlan } from '../goals/goal-plan.js';
import type { Goals } from '../goals/goals.js';
import { createMatrix, invertMatrix, transformPoint } from '../matrix.js';
import type { Pass } from '../pipeline.js';
import type { Frame, Setup } from '../setup.js';
import { isAncestor, type Skeleton } from '../skeleton.js';
import { preparePlacing } from './copy-rotations.js';

/**
 * Lets the hips give way as little as needed: towards what carries the body, and down where a planted leg would
 * be stretched. How far is planned with the clip (see `planGoals`), where it is smoothed before anything is
 * solved.
 */
export const settleHips: Pass = {
  name: 'settleHips',
  summary: 'lets the hips give way so that what carries the body does, and planted legs reach',
  options: [],
  prepare(setup: Setup): (frame: Frame) => void {
    const { goals, goalPlan, target } = setup;
    if (!goals || !goalPlan) return () => {};
    // Feet that hang on the root are placed after the legs, and come along.
    const followers = [goals.hips.target, ...setup.alignment.placed.map(({ joint }) => joint)];
    const plan: SettlePlan = {
      plan: goalPlan,
      skeleton: target.skeleton,
      hips: goals.hips.target,
      below: goals.targetJoints.filter((joint) =>
        followers.some((top) => isAncestor(target.skeleton, top, joint)),
      ),
    };
    const place = setup.alignment.placed.length > 0 ? preparePlacing(setup) : null;
    return (frame) => {
      if (!frame.goals) return;
      settleFrame(frame, frame.goals, plan);
      place?.(frame);
    };
  },
};

type SettlePlan = { plan: GoalPlan; skeleton: Skeleton; hips: number; below: Int32Array };

const inverse = createMatrix();

function settleFrame(frame: Frame, goals: Goals, { plan, skeleton, hips, below }: SettlePlan): void {
  const shift = goals.hips;
  samplePlan(shift, plan.hips, 3, plan.count, frame.time);
  const m = goals.target.matrices;
  for (let k = 0; k < below.length; k++) {
    const o = 16 * below[k]! + 12;
    for (let c = 0; c < 3; c++) m[o + c] = m[o + c]! + shift[c]!;
  }
  const parent = skeleton.parents[hips]!;
  if (parent < 0) invertMatrix(inverse, 0, skeleton.container, 0);
  else invertMatrix(inverse, 0, m, 16 * parent);
  transformPoint(frame.target.translations, 3 * hips, inverse, 0, m, 16 * hips + 12);
  for (let c = 0; c < 3; c++) frame.travel[c] = m[16 * hips + 12 + c]!;
}
