import { easeAt } from '../../../base/math/easing.js';
import { squared } from '../../../base/math/functions.js';
import { multiplyQuaternions, normalizeQuaternion } from '../../../base/math/quaternion.js';
import { quaternionOfVector } from '../../../base/math/rotation-vectors.js';
import { updateBody } from '../solve/moving-body.js';
import type { Solver } from '../solve/system.js';
import type { Task } from '../solve/task.js';
import { gatherWhole, wrongOf } from './correction.js';
import type { Gap } from './find-gaps.js';
import { createMeeting, type Meeting, meetAgain } from './meet-again.js';

/*
 * With Δ the jump of the correction D at a gap, D₊ = D₋ exp Δ, the frames before it are turned on by exp(β s Δ) and those
 * after it back by exp(−(1 − β) s Δ): β is the share of the room that is before the gap, and s goes from 0 where the room
 * begins to 1 at the gap, eased without acceleration at both ends. Both sides meet there, D₋ exp βΔ, the detail of each stays
 * as it was, and of a frame or two that stand out, two gaps with opposite jumps, nothing is left. What is wrong with a
 * task that is missed is led over in the same way.
 *
 * The body then no longer stands where tasks are met, and meets them anew from there (`meetAgain`), e = what the frame
 * alone had, or what was led over.
 */

/** What is missed by more than this, in heights, counts as missed. */
export const MISSED = 0.01;

const turn = new Float64Array(4);

/** Room for leading a body over gaps. */
export type Bridge = { offset: Float64Array; errors: Float64Array; meeting: Meeting };

/** Makes it, for a solver and so many tasks. */
export function createBridge(solver: Solver, tasks: number): Bridge {
  return {
    offset: new Float64Array(solver.width),
    errors: new Float64Array(3 * tasks),
    meeting: createMeeting(solver),
  };
}

/**
 * Leads a solved body over the gaps near a time.
 * @param tasks All tasks that there may be, as the gaps know them.
 * @returns whether there was one.
 */
export function bridgeGaps(
  solver: Solver,
  bridge: Bridge,
  tasks: readonly Task[],
  gaps: readonly Gap[],
  time: number,
): boolean {
  if (!addOffsets(bridge, gaps, time)) return false;
  const { body } = solver;
  gatherWhole(solver);
  for (let n = 0; n < solver.count; n++) {
    const task = solver.tasks[n]!;
    let square = 0;
    for (let r = 0; r < task.rows; r++) square += squared(wrongOf(task, r));
    // What is met stays met. What turns or looks tells what is wrong in axes that turn along, or over at half a turn.
    const t = task.kind === 'look' || task.kind === 'turn' ? -1 : tasks.indexOf(task);
    const led = t < 0 ? 0 : easeAt('smooth', Math.sqrt(square) / MISSED);
    for (let r = 0; r < task.rows; r++)
      task.excess[r] = wrongOf(task, r) + (led > 0 ? led * bridge.errors[3 * t + r]! : 0);
  }
  for (let i = 0; i < body.plan.joints.length; i++) {
    if (body.plan.weights[i] === 0) continue;
    quaternionOfVector(turn, 0, bridge.offset, 3 * i);
    multiplyQuaternions(body.locals, 4 * i, body.locals, 4 * i, turn, 0);
    normalizeQuaternion(body.locals, 4 * i, body.locals, 4 * i);
  }
  for (let c = 0; c < 3; c++) body.place[c] = body.place[c]! + bridge.offset[solver.width - 3 + c]!;
  updateBody(body);
  meetAgain(solver, bridge.meeting, 'whole');
  return true;
}

function addOffsets({ offset, errors }: Bridge, gaps: readonly Gap[], time: number): boolean {
  offset.fill(0);
  errors.fill(0);
  let any = false;
  for (const gap of gaps) {
    const room = time < gap.time ? gap.before : gap.after;
    const away = Math.abs(time - gap.time);
    if (!(away < room)) continue;
    any = true;
    const side = (time < gap.time ? gap.before : -gap.after) / (gap.before + gap.after);
    const share = side * easeAt('smoother', 1 - away / room);
    for (let c = 0; c < offset.length; c++) offset[c] = offset[c]! + share * gap.change[c]!;
    for (let c = 0; c < errors.length; c++) errors[c] = errors[c]! + share * gap.errors[c]!;
  }
  return any;
}
