import { createMatrix, invertMatrix, transformPoint } from '../../base/math/matrix.js';
import { type GoalPlan, samplePlan } from '../../goals/goal-plan.js';
import type { Goals } from '../../goals/goals.js';
import { drawFeetIn } from '../../goals/live/draw-feet-in.js';
import { createLiveArms } from '../../goals/live/live-arms.js';
import { createLiveBends } from '../../goals/live/live-bends.js';
import { createLiveHands } from '../../goals/live/live-hands.js';
import { createLiveHips } from '../../goals/live/live-hips.js';
import { createLiveElbows } from '../../goals/live/swing-live-elbows.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';
import { bindStep, definePass, type Frame, foundOf, type Run } from '../pass.js';
import { activeGoals, lookedAt, placeGoals, requireGoals } from './place-goals.js';

/**
 * Lets the hips give way as little as needed: towards what carries the body, and down where a planted leg would
 * be stretched. How far is planned with the clip (see `planHips`), where it is smoothed before anything is
 * solved; live it is damped (see `createLiveHips`).
 */
export const settleHips = definePass({
  name: 'settleHips',
  summary: 'lets the hips give way so that what carries the body does, and planted legs reach',
  options: [],
  corrects: true,
  restsOnOwnBody: true,
  compile: requireGoals,
  writes(_, run) {
    const goals = activeGoals(run);
    return { moves: goals ? [goals.hips.target] : [] };
  },
  prepare(_, run) {
    const { setup, place } = run;
    const goals = activeGoals(run);
    if (!goals) return () => {};
    const goalPlan = foundOf(run.plan, placeGoals);
    const { skeleton } = setup.target;
    // Feet that hang on the root are placed after the legs, and come along.
    const followers = [goals.hips.target, ...setup.alignment.placed, ...goals.attached].map((top) =>
      typeof top === 'number' ? top : top.joint,
    );
    const plan: SettlePlan = {
      skeleton,
      hips: goals.hips.target,
      below: lookedAt(goals, goalPlan, skeleton).filter((joint) =>
        followers.some((top) => isAncestor(skeleton, top, joint)),
      ),
    };
    if (goalPlan) return bindStep(settlePlanned, { plan, goalPlan, place });
    const live = createLiveHips(goals);
    const hands = createLiveHands(goals);
    const arms = createLiveArms(goals);
    const bends = createLiveBends(goals);
    const elbows = createLiveElbows(goals);
    const more = new Float64Array(3);
    return Object.assign(
      (frame: Frame) => {
        if (!frame.goals) return;
        live.update(frame.goals);
        settleFrame(frame, frame.goals, plan, frame.goals.hips);
        drawFeetIn(frame.goals, goals);
        hands?.update(frame.goals);
        frame.goals.swivels.fill(0);
        arms?.update(frame.goals);
        bends.find(frame.goals, more);
        settleFrame(frame, frame.goals, plan, more);
        bends.move(frame.goals);
        elbows?.update(frame.goals);
        place?.(frame);
      },
      {
        reset() {
          live.reset();
          hands?.reset();
          arms?.reset();
          bends.reset();
          elbows?.reset();
        },
      },
    );
  },
});

type SettlePlan = { skeleton: Skeleton; hips: number; below: Int32Array };

function settlePlanned(
  { plan, goalPlan, place }: { plan: SettlePlan; goalPlan: GoalPlan; place: Run['place'] },
  frame: Frame,
): void {
  if (!frame.goals) return;
  samplePlan(frame.goals.hips, goalPlan.hips, 3, goalPlan, frame.time);
  if (frame.goals.known < 0) settleFrame(frame, frame.goals, plan, frame.goals.hips);
  else settleHipsAlone(frame, frame.goals, plan);
  place?.(frame);
}

/** Moves the hips where nothing that hangs on them, and no goal, is looked at any more. */
function settleHipsAlone(
  frame: Frame,
  { target: { matrices: m }, hips: shift }: Goals,
  plan: SettlePlan,
): void {
  const o = 16 * plan.hips + 12;
  for (let c = 0; c < 3; c++) m[o + c] = m[o + c]! + shift[c]!;
  writeHips(frame, m, plan);
}

const inverse = createMatrix();

/** Moves the hips, what hangs on them and the goals that follow them. */
function settleFrame(frame: Frame, goals: Goals, plan: SettlePlan, shift: Float64Array): void {
  const { below } = plan;
  const m = goals.target.matrices;
  const x = shift[0]!;
  const y = shift[1]!;
  const z = shift[2]!;
  for (let k = 0; k < below.length; k++) {
    const o = 16 * below[k]! + 12;
    m[o] = m[o]! + x;
    m[o + 1] = m[o + 1]! + y;
    m[o + 2] = m[o + 2]! + z;
  }
  for (let n = 0; n < goals.follows.length; n++)
    for (let c = 0; c < 3; c++)
      goals.places[3 * n + c] = goals.places[3 * n + c]! + goals.follows[n]! * shift[c]!;
  writeHips(frame, m, plan);
}

/** Writes where the hips are in the model as where they are in their parent, and as where the body has travelled to. */
function writeHips(frame: Frame, m: Float64Array, { skeleton, hips }: SettlePlan): void {
  const parent = skeleton.parents[hips]!;
  if (parent < 0) invertMatrix(inverse, 0, skeleton.container, 0);
  else invertMatrix(inverse, 0, m, 16 * parent);
  transformPoint(frame.target.translations, 3 * hips, inverse, 0, m, 16 * hips + 12);
  for (let c = 0; c < 3; c++) frame.travel[c] = m[16 * hips + 12 + c]!;
}
