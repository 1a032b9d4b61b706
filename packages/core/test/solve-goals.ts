import type { Vec3 } from '../src/base/math/vector.js';
import type { LimbGoal } from '../src/goals/goal-setup.js';
import type { SOLVED_LIMBS } from '../src/options/limb-solvers.js';
import type { SetupOptions } from '../src/options/setup-options.js';
import { goalsOf } from '../src/passes/goals/place-goals.js';
import type { Setup } from '../src/passes/pass.js';
import { createFrame, prepareSteps } from '../src/passes/run-passes.js';
import type { Clip } from '../src/scene/clip.js';
import { poseAt } from '../src/scene/clip.js';
import { copyPose, type ModelPose, modelPoseOf, type Pose } from '../src/scene/pose.js';
import { JOINT, type Skeleton } from '../src/scene/skeleton.js';
import { setUpScenes } from '../src/setup/set-up-scenes.js';
import { clipOf, jointOf, placeAt, sceneOf, tinyHuman } from './tiny-rigs.js';

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
  const first = prepareSteps(setup, null, BEFORE);
  const [solve] = prepareSteps(setup, null, ['solveLimbs']).slice(-1);
  const frame = createFrame(setup, null);
  frame.source = poseAt(setup.source.skeleton, clip, 0);
  const begin = () => {
    frame.target = copyPose(setup.alignment.pose);
    for (const step of first) step(frame);
  };
  begin();
  const limbs = goalsOf(setup)!.limbs;
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
      solve!(frame);
      const pose = copyPose(frame.target);
      return { pose, model: modelPoseOf(skeleton, pose) };
    },
    endOf: (model, limb) => placeAt(model, limbs[numberOf(limb)]!.target.end),
    limbOf: (limb) => limbs[numberOf(limb)]!,
  };
}

/** A human with one joint more in its left shin, in line or off it by some metres, that nothing drives. */
export function withHock(aside: number): Skeleton {
  const body = tinyHuman({ name: 'hocked' });
  const foot = jointOf(body, 'leftFoot');
  const names = [...body.names];
  names.splice(foot, 0, 'leftHock');
  const shift = (joint: number) => (joint >= foot ? joint + 1 : joint);
  const insert = (values: Float64Array, size: number, own: readonly number[]) =>
    Float64Array.from([...values.slice(0, size * foot), ...own, ...values.slice(size * foot)]);
  const way = [0, 1, 2].map((c) => body.rest.translations[3 * foot + c]!);
  const rest = {
    translations: insert(body.rest.translations, 3, [way[0]! / 2, way[1]! / 2, way[2]! / 2 - aside]),
    rotations: insert(body.rest.rotations, 4, [0, 0, 0, 1]),
    scales: insert(body.rest.scales, 3, [1, 1, 1]),
  };
  for (let c = 0; c < 3; c++)
    rest.translations[3 * (foot + 1) + c] = way[c]! - rest.translations[3 * foot + c]!;
  const parents = [...body.parents].map((parent) => (parent >= foot ? parent + 1 : parent));
  parents.splice(foot, 0, parents[foot]!);
  parents[foot + 1] = foot;
  const flags = Uint8Array.from([...body.flags.slice(0, foot), JOINT, ...body.flags.slice(foot)]);
  const roles = Object.fromEntries(
    Object.entries(body.metadataRoles!).map(([role, joint]) => [role, shift(joint)]),
  );
  return { ...body, names, parents: Int32Array.from(parents), rest, flags, metadataRoles: roles };
}
