import type { GoalSetup } from '../src/goals/goal-setup.js';
import { createGoals, type Goals } from '../src/goals/goals.js';
import { goalsOf } from '../src/passes/goals/place-goals.js';
import { createFrame, prepareSteps } from '../src/passes/run-passes.js';
import { setUpScenes } from '../src/setup/set-up-scenes.js';
import { sceneOf, tinyHuman } from './tiny-rigs.js';

/** The goals of a small body that stands, as they are placed, 60 times a second; legs come first, left and right. */
export function standingGoals(): { setup: GoalSetup; goals: Goals } {
  const scene = sceneOf(tinyHuman());
  const { setup } = setUpScenes(scene, scene, { corrections: 'auto' });
  const found = goalsOf(setup);
  if (!found) throw new Error('the body has no legs');
  const frame = createFrame(setup, null);
  frame.seconds = 1 / 60;
  for (const step of prepareSteps(setup, null, ['copyRotations', 'moveRoot', 'placeGoals'])) step(frame);
  return {
    setup: found,
    goals: frame.goals ?? createGoals(found, 0, 0),
  };
}

/** How far a leg's goal is from its root, with what the hips give way by, in its lengths. */
export function stretchOf({ setup, goals }: ReturnType<typeof standingGoals>, n: number): number {
  const { target, length } = setup.limbs[n]!;
  const upper = 16 * target.upper + 12;
  return (
    Math.hypot(
      ...[0, 1, 2].map((c) => goals.places[3 * n + c]! - goals.target.matrices[upper + c]! - goals.hips[c]!),
    ) / length
  );
}
