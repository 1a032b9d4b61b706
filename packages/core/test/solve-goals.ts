import type { Clip } from '../src/clip.js';
import type { LimbGoal } from '../src/goals/goal-setup.js';
import { PASSES } from '../src/pipeline.js';
import { copyPose, type ModelPose, modelPoseOf, type Pose } from '../src/pose.js';
import { poseAt } from '../src/reference-pose.js';
import { setUpScenes } from '../src/retarget.js';
import { createFrame } from '../src/retarget-frames.js';
import type { Setup, SetupOptions } from '../src/setup.js';
import type { Skeleton } from '../src/skeleton.js';
import type { SOLVED_LIMBS } from '../src/solvers/limb-solvers.js';
import type { Vec3 } from '../src/vector.js';
import { clipOf, placeAt, sceneOf } from './tiny-rigs.js';

/** A limb that has a goal. */
export type SolvedLimb = (typeof SOLVED_LIMBS)[number];

/** A body whose limbs are brought to goals that a test sets, by the pass itself. */
export type GoalBench = {
  setup: Setup;
  /** The pose before anything is solved, copied from the source. */
  before: Pose;
  /** Where the joints are then, in model space. */
  model: ModelPose;
  /** Solves one frame; limbs without a goal keep the place of their ends. */
  solve(
    goals: Partial<Record<SolvedLimb, Readonly<Vec3>>>,
    follows?: number,
  ): { pose: Pose; model: ModelPose };
  /** Where the end of a limb is. */
  endOf(model: ModelPose, limb: SolvedLimb): Vec3;
  limbOf(limb: SolvedLimb): LimbGoal;
};

const BEFORE = ['copyRotations', 'moveRoot', 'limitJoints', 'placeGoals'] as const;

/** Makes a body ready for {@link GoalBench.solve}: the target in the pose that the source's clip begins with. */
export function createGoalBench(
  source: Skeleton,
  target: Skeleton,
  options: SetupOptions = {},
  clip: Clip = clipOf([]),
): GoalBench {
  const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), {
    corrections: 'auto',
    ...options,
  });
  const named = new Map(PASSES.map((pass) => [pass.name as string, pass]));
  const first = BEFORE.map((name) => named.get(name)!.prepare(setup));
  const solve = named.get('solveLimbs')!.prepare(setup);
  const frame = createFrame(setup);
  frame.source = poseAt(setup.source.skeleton, clip, 0);
  const begin = () => {
    frame.target = copyPose(setup.alignment.pose);
    for (const step of first) step(frame);
  };
  begin();
  const limbs = setup.goals!.limbs;
  const numberOf = (limb: SolvedLimb) =>
    limbs.findIndex(({ side, kind }) => limb === `${side}${kind === 'leg' ? 'Leg' : 'Arm'}`);
  const { skeleton } = setup.target;
  const before = copyPose(frame.target);
  return {
    setup,
    before,
    model: modelPoseOf(skeleton, before),
    solve(goals, follows = 0) {
      begin();
      const into = frame.goals!;
      into.follows.fill(follows);
      limbs.forEach(({ target: { end } }, n) => {
        for (let c = 0; c < 3; c++) into.places[3 * n + c] = into.target.matrices[16 * end + 12 + c]!;
      });
      for (const [limb, place] of Object.entries(goals))
        into.places.set(place, 3 * numberOf(limb as SolvedLimb));
      solve(frame);
      const pose = copyPose(frame.target);
      return { pose, model: modelPoseOf(skeleton, pose) };
    },
    endOf: (model, limb) => placeAt(model, limbs[numberOf(limb)]!.target.end),
    limbOf: (limb) => limbs[numberOf(limb)]!,
  };
}
