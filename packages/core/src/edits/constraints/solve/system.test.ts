import { describe, expect, it } from 'vitest';
import { editedFigure, plus } from '../../../../test/edited-figure.js';
import type { Constraint } from '../../../options/constraint.js';
import { createMovingBody, loadBody, moveBody, resetBody } from './moving-body.js';
import { solveForces, stepOfForces } from './solve-step.js';
import { createSolver, gatherErrors, gatherSystem } from './system.js';
import { createTask, TASK_ROWS } from './task.js';

const figure = editedFigure();
const { poseAt, placeOf, compile, body } = figure;
const place = plus(placeOf(poseAt(1), 'rightHand'), [0.05, -0.1, 0.15]);
const document: Constraint[] = [
  { kind: 'point', joint: 'rightHand', goal: { place } },
  { kind: 'orientation', joint: 'head', goal: { degrees: [10, 20, 30] } },
  { kind: 'plane', joint: 'leftHand', side: 'on', goal: { normal: [0.2, 1, 0], height: 1 } },
  { kind: 'distance', joint: 'leftFoot', goal: { joint: 'rightHand' }, length: 0.7 },
  { kind: 'relative', joint: 'leftHand', goal: { joint: 'head', offset: [0.1, 0, 0.2], axes: 'joint' } },
  { kind: 'lookAt', joint: 'head', goal: { place: [1, 2, 3] } },
  { kind: 'balance' },
];

/** A solver loaded with the tasks of the document at a time, hard. */
function loaded() {
  const data = compile(document, { hold: 'none' });
  const moving = createMovingBody(data.plan);
  loadBody(moving, poseAt(1));
  const solver = createSolver(moving, data.mass, 40);
  let row = 0;
  for (const each of data.constraints) {
    const task = createTask(each.task, data.plan.parents, data.plan.weights);
    task.offset.set(each.offset);
    task.otherOffset.set(each.otherOffset);
    task.length = each.length;
    if (each.goal.from === 'fixed') task.goal.set(each.goal.values);
    task.alpha = 1;
    task.row = row;
    row += TASK_ROWS[task.kind];
    solver.tasks.push(task);
  }
  solver.count = solver.tasks.length;
  gatherErrors(solver);
  gatherSystem(solver);
  return { solver, moving, rows: row };
}

describe('rows of the Jacobian', () => {
  it('are how errors change: by differences, for every kind, joint and the hips', () => {
    const { solver, moving } = loaded();
    const jacobian = solver.jacobian.slice();
    const before = solver.tasks.map(({ error }) => error.slice());
    const h = 1e-6;
    const step = new Float64Array(solver.width);
    for (let c = 0; c < solver.width; c++) {
      resetBody(moving);
      step.fill(0);
      step[c] = h;
      moveBody(moving, step, 1);
      gatherErrors(solver);
      solver.tasks.forEach((task, n) => {
        // Errors of what looks are along axes that turn with it: near no error alone they are the derivative.
        if (task.kind === 'look' || (task.kind === 'turn' && Math.hypot(...before[n]!) > 1e-3)) return;
        for (let r = 0; r < task.rows; r++)
          expect((before[n]![r]! - task.error[r]!) / h, `${task.kind} ${r} column ${c}`).toBeCloseTo(
            jacobian[(task.row + r) * solver.width + c]!,
            4,
          );
      });
    }
  });
});

describe('the step of eq. 1 (M13)', () => {
  it('is J⁺ e + (I − J⁺ J) z, and leaks nothing of z into the tasks; a damped J⁺ does (M23)', () => {
    const { solver } = loaded();
    const { width, jacobian } = solver;
    const z = Float64Array.from({ length: width }, (_, c) => Math.sin(3 * c + 1));
    const leak = (damping: number) => {
      solver.tasks.forEach((task) => {
        task.working = true;
        task.slip = damping;
        task.error.fill(0);
      });
      solver.back.set(z);
      expect(solveForces(solver)).toBeGreaterThan(0);
      stepOfForces(solver, true);
      let most = 0;
      for (const { row, rows } of solver.tasks)
        for (let r = row; r < row + rows; r++) {
          let sum = 0;
          for (let c = 0; c < width; c++) sum += jacobian[r * width + c]! * solver.step[c]!;
          most = Math.max(most, Math.abs(sum));
        }
      return most;
    };
    expect(leak(0)).toBeLessThan(1e-6);
    expect(leak(0.05)).toBeGreaterThan(1e-3);
    expect(body.height).toBeGreaterThan(1);
  });
});
