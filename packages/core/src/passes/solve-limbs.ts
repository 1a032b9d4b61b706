import type { GoalSetup, LimbGoal } from '../goals/goal-setup.js';
import type { Goals } from '../goals/goals.js';
import { REACH, reachOf } from '../goals/plan-hips.js';
import type { Pass } from '../pipeline.js';
import type { ModelPose } from '../pose.js';
import { quaternionFromAxisAngle, rotateVector } from '../quaternion.js';
import type { Frame, Setup } from '../setup.js';
import type { Skeleton } from '../skeleton.js';
import { createTwoBoneSolution, solveTwoBone } from '../solvers/solve-two-bone.js';
import { turnJoint } from '../solvers/turn-joint.js';
import { preparePlacing } from './place-joints.js';

/**
 * Brings legs and arms to their goals by their two bones, bent in the plane of the copied pose, so that knees
 * and elbows never flip; feet and hands stay turned as copied. Stretching is softened from 0.97 of a limb's
 * length on, so that no knee snaps.
 */
export const solveLimbs: Pass = {
  name: 'solveLimbs',
  summary: 'bends legs and arms so that feet and hands reach their goals, turned as copied',
  options: [],
  prepare(setup: Setup): (frame: Frame) => void {
    const { goals, target } = setup;
    if (!goals) return () => {};
    const { skeleton } = target;
    const place = setup.alignment.placed.length > 0 ? preparePlacing(setup) : null;
    return (frame) => {
      if (!frame.goals) return;
      solveFrame(frame, frame.goals, goals, skeleton);
      place?.(frame);
    };
  },
};

const solution = createTwoBoneSolution();
const goal = new Float64Array(3);
const turn = new Float64Array(4);
const bend = new Float64Array(3);
const bent = new Float64Array(4);
const axis = new Float64Array(3);
const options = { straightBend: bend, softness: REACH };

/** A goal closer to the end than this share of the limb's length is reached: less than a float32 of a turn. */
const REACHED = 1e-7;

function solveFrame(frame: Frame, goals: Goals, { limbs }: GoalSetup, skeleton: Skeleton): void {
  const { matrices, rotations } = goals.target;
  const locals = frame.target.rotations;
  const { parents } = skeleton;
  for (let n = 0; n < limbs.length; n++) {
    const weight = goals.weights[n]!;
    if (!(weight > 0)) continue;
    const { target, bend: ahead, length, hangs } = limbs[n]!;
    const { upper, middle, end } = target;
    let away = 0;
    for (let c = 0; c < 3; c++) {
      const at = matrices[16 * end + 12 + c]!;
      const step = weight * (goals.places[3 * n + c]! - at);
      goal[c] = at + step;
      away += Math.abs(step);
    }
    const turned = Math.abs(goals.turns[4 * n + 3]!) < 1 - 1e-14;
    if (turned) for (let c = 0; c < 4; c++) turn[c] = goals.turns[4 * n + c]!;
    const bends = goals.bends[n]!;
    if (limbs[n]!.toes >= 0 && bends > 1e-9)
      bendToes(locals, goals.target, parents[limbs[n]!.toes]!, limbs[n]!, bends);
    if (!(away > REACHED * length)) {
      if (turned) turnJoint(locals, 4 * end, rotations, 4 * parents[end]!, null, turn);
      continue;
    }
    options.softness = reachOf(distance(matrices, 16 * upper + 12, 16 * end + 12), length) / length;
    rotateVector(bend, 0, rotations, 4 * upper, ahead, 0);
    solveTwoBone(
      solution,
      matrices,
      16 * upper + 12,
      matrices,
      16 * middle + 12,
      matrices,
      16 * end + 12,
      goal,
      0,
      options,
    );
    turnJoint(locals, 4 * upper, rotations, 4 * parents[upper]!, null, solution.upperTurn);
    turnJoint(locals, 4 * middle, rotations, 4 * parents[middle]!, solution.upperTurn, solution.lowerTurn);
    // A foot that hangs elsewhere keeps its turn by itself, and is placed after.
    const above = hangs ? solution.lowerTurn : null;
    turnJoint(locals, 4 * end, rotations, 4 * parents[end]!, above, turned ? turn : null);
  }
}

/** Turns a leg's toes up about the axis across the foot; what the foot is turned by turns them along. */
function bendToes(
  locals: Float64Array,
  { matrices: m, rotations }: ModelPose,
  parent: number,
  { target, toes, across }: LimbGoal,
  angle: number,
): void {
  const o = 16 * target.end;
  for (let c = 0; c < 3; c++)
    axis[c] = m[o + c]! * across[0]! + m[o + 4 + c]! * across[1]! + m[o + 8 + c]! * across[2]!;
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  if (!(length > 1e-9)) return;
  for (let c = 0; c < 3; c++) axis[c] = axis[c]! / length;
  quaternionFromAxisAngle(bent, 0, axis, 0, angle);
  turnJoint(locals, 4 * toes, rotations, 4 * parent, null, bent);
}

function distance(m: Float64Array, i: number, j: number): number {
  const x = m[i]! - m[j]!;
  const y = m[i + 1]! - m[j + 1]!;
  const z = m[i + 2]! - m[j + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}
