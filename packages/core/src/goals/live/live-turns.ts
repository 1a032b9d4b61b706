import { conjugateQuaternion, multiplyQuaternions } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { springToZero } from '../../base/math/spring.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { COPY_REMEMBERED, FASTEST, LIVE_LEAP, OVER_COPY, SLOWEST } from './live-leaps.js';

/** Joints of limbs that turn softly, frame by frame. */
export type LiveTurns = {
  /** Remembers how limbs are copied, before they are solved. Allocates nothing. */
  begin(locals: Float64Array): void;
  /** Turns what has been solved back by what it would leap, `goals.seconds` after the frame before. Allocates nothing. */
  update(locals: Float64Array, goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/** Joints of a limb that are looked at: its root, its middle, its end and its toes. */
const JOINTS = 4;

/**
 * Joints as they are remembered, {@link JOINTS} a limb: their copied turns, and those of the frame before (xyzw); how fast the copy
 * turned, and how much that changes; what each is turned by beyond the copy as it was shown, in its own axes, by how much that changed; what it is
 * behind of what it would be, and how fast that goes (rotation vectors).
 */
type TurnsState = {
  joints: Int32Array;
  copied: Float64Array;
  before: Float64Array;
  copiedSteps: Float64Array;
  usual: Float64Array;
  shown: Float64Array;
  steps: Float64Array;
  behind: Float64Array;
  speeds: Float64Array;
  /** Per limb 1 where there is a frame before. */
  known: Uint8Array;
};

/**
 * Lets no joint of a limb change its speed from one frame to the next by what the copied one does not: the live form of
 * `calmLimbs`. What it lacks for that goes as a critically damped spring comes to rest, slowly where there is much of
 * it. Of legs toes alone: a leg that is behind has its foot in the floor for a frame as it comes down, and slides as it
 * stands (0.17 % of frames sunk over captures on three bodies, none so).
 * @param isFree Whether a limb may be turned on: joints with limits keep to them.
 */
export function createLiveTurns({ limbs }: GoalSetup, isFree: (limb: number) => boolean): LiveTurns {
  const count = JOINTS * limbs.length;
  const state: TurnsState = {
    joints: Int32Array.from(limbs.flatMap((limb, n) => (isFree(n) ? jointsOf(limb) : [-1, -1, -1, -1]))),
    copied: new Float64Array(4 * count),
    before: new Float64Array(4 * count),
    copiedSteps: new Float64Array(3 * count),
    usual: new Float64Array(count),
    shown: new Float64Array(3 * count),
    steps: new Float64Array(3 * count),
    behind: new Float64Array(3 * count),
    speeds: new Float64Array(3 * count),
    known: new Uint8Array(limbs.length),
  };
  const { joints, copied, known } = state;
  return {
    begin(locals) {
      for (let i = 0; i < count; i++)
        if (joints[i]! >= 0) for (let c = 0; c < 4; c++) copied[4 * i + c] = locals[4 * joints[i]! + c]!;
    },
    update(locals, goals) {
      for (let n = 0; n < limbs.length; n++) {
        const follows = known[n] === 1 && goals.weights[n]! > 0 && goals.seconds[0]! > 0;
        for (let i = JOINTS * n; i < JOINTS * (n + 1); i++) {
          if (joints[i]! < 0) continue;
          readJoint(state, locals, i);
          if (follows) followTurn(state, locals, goals, i);
          else startTurn(state, i);
        }
        known[n] = goals.weights[n]! > 0 ? 1 : 0;
      }
    },
    reset() {
      known.fill(0);
    },
  };
}

/** The joints of a limb, −1 for one that is left alone: a stand-in for a hand moves with the forearm. */
function jointsOf({ kind, target: { upper, middle, end }, rigid, toes }: LimbGoal): number[] {
  return kind === 'leg' ? [-1, -1, -1, toes] : [upper, middle, rigid ? -1 : end, toes];
}

const turn = new Float64Array(4);
/** Rotation vectors: a joint's turn beyond the copy, how far the copy turned since the frame before, and a difference. */
const wanted = new Float64Array(3);
const copiedStep = new Float64Array(3);
const change = new Float64Array(3);
/** How fast what a joint is behind goes, per second: a whole number, which is not made on the heap. */
const rate = new Int32Array(1);

function readJoint({ joints, copied, before }: TurnsState, locals: Float64Array, i: number): void {
  conjugateQuaternion(turn, 0, copied, 4 * i);
  multiplyQuaternions(turn, 0, turn, 0, locals, 4 * joints[i]!);
  vectorOfQuaternion(wanted, 0, turn);
  conjugateQuaternion(turn, 0, before, 4 * i);
  multiplyQuaternions(turn, 0, turn, 0, copied, 4 * i);
  vectorOfQuaternion(copiedStep, 0, turn);
  for (let c = 4 * i; c < 4 * i + 4; c++) before[c] = copied[c]!;
}

function startTurn({ copiedSteps, usual, shown, steps, behind, speeds }: TurnsState, i: number): void {
  usual[i] = 0;
  for (let c = 0; c < 3; c++) {
    shown[3 * i + c] = wanted[c]!;
    copiedSteps[3 * i + c] = 0;
    steps[3 * i + c] = 0;
    behind[3 * i + c] = 0;
    speeds[3 * i + c] = 0;
  }
}

const sizeOf = (v: Float64Array, o: number) =>
  Math.sqrt(v[o]! * v[o]! + v[o + 1]! * v[o + 1]! + v[o + 2]! * v[o + 2]!);

function followTurn(state: TurnsState, locals: Float64Array, { seconds }: Goals, i: number): void {
  const { joints, copied, copiedSteps, usual, shown, steps, behind, speeds } = state;
  const o = 3 * i;
  const frames = 60 * seconds[0]!;
  for (let c = 0; c < 3; c++) {
    change[c] = copiedStep[c]! - copiedSteps[o + c]!;
    copiedSteps[o + c] = copiedStep[c]!;
  }
  usual[i] = Math.max(sizeOf(change, 0), COPY_REMEMBERED * usual[i]!);
  const limit = Math.max(LIVE_LEAP * frames * frames, OVER_COPY * usual[i]!);
  const size = Math.max(sizeOf(behind, o), 1e-9);
  rate[0] = Math.min(FASTEST, Math.max(SLOWEST, Math.sqrt(limit / (2 * size)) / seconds[0]!));
  for (let c = 0; c < 3; c++) {
    springToZero(behind, speeds, o + c, rate[0]!, seconds);
    change[c] = wanted[c]! + behind[o + c]! - shown[o + c]! - steps[o + c]!;
  }
  const leap = sizeOf(change, 0);
  if (leap > limit) {
    const share = limit / leap;
    for (let c = 0; c < 3; c++) {
      const before = behind[o + c]!;
      behind[o + c] = shown[o + c]! + steps[o + c]! + share * change[c]! - wanted[c]!;
      speeds[o + c] = speeds[o + c]! + (behind[o + c]! - before) / seconds[0]!;
    }
  }
  for (let c = 0; c < 3; c++) {
    wanted[c] = wanted[c]! + behind[o + c]!;
    steps[o + c] = wanted[c]! - shown[o + c]!;
    shown[o + c] = wanted[c]!;
  }
  if (!(sizeOf(behind, o) > 1e-6)) return;
  quaternionOfVector(turn, 0, wanted, 0);
  multiplyQuaternions(locals, 4 * joints[i]!, copied, 4 * i, turn, 0);
}
