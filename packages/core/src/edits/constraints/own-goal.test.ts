import { describe, expect, it } from 'vitest';
import { editedFigure } from '../../../test/edited-figure.js';
import { placeOf } from './solve/gather-task.js';
import { createMovingBody, loadBody, moveBody } from './solve/moving-body.js';
import { clampStep } from './solve/solve-hard.js';
import { solveForces, stepOfForces } from './solve/solve-step.js';
import { createSolver, gatherErrors, gatherSystem, type Solver } from './solve/system.js';
import { createTask, type Task } from './solve/task.js';

const { compile, poseAt } = editedFigure({ arms: 'ahead' });

/** A body with the one task of bringing the right hand to the left. */
function loaded(): { solver: Solver; task: Task } {
  const data = compile([{ kind: 'relative', joint: 'rightHand', goal: { joint: 'leftHand' } }], {
    hold: 'none',
  });
  const body = createMovingBody(data.plan);
  loadBody(body, poseAt(1));
  const solver = createSolver(body, null, 3);
  const task = createTask(data.constraints[0]!.task, data.plan.parents, data.plan.weights);
  task.alpha = 1;
  task.working = true;
  solver.tasks.push(task);
  solver.count = 1;
  return { solver, task };
}

/** How far the hands are apart after so many steps of eq. 1, in heights; `chased`: the goal is a place, as printed. */
function apartAfter(steps: number, chased: boolean): number {
  const { solver, task } = loaded();
  const place = new Float64Array(3);
  const { other } = task;
  const alone = createTask(
    { kind: 'point', joint: task.joint, level: 1, force: 10 },
    solver.body.plan.parents,
    solver.body.plan.weights,
  );
  alone.working = true;
  if (chased) solver.tasks[0] = alone;
  const miss = () => {
    placeOf(place, solver.body, other, task.otherOffset);
    const hand = solver.body.positions.subarray(3 * task.joint, 3 * task.joint + 3);
    return Math.hypot(place[0]! - hand[0]!, place[1]! - hand[1]!, place[2]! - hand[2]!);
  };
  for (let k = 0; k < steps; k++) {
    miss();
    alone.goal.set(place);
    gatherErrors(solver);
    gatherSystem(solver);
    expect(solveForces(solver)).toBeGreaterThan(0);
    stepOfForces(solver, true);
    clampStep(solver.step, 0.3);
    moveBody(solver.body, solver.step, 1);
  }
  return miss();
}

describe('a goal on the own body (MP1)', () => {
  it('is met by J_a − J_b; with the goal taken for a place, as eq. 1 is printed, hand runs after hand', () => {
    expect(apartAfter(40, false)).toBeLessThan(1e-6);
    expect(apartAfter(40, true)).toBeGreaterThan(1e-3);
  });
});
