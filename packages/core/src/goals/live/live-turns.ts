import { divideQuaternions, multiplyQuaternions, rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { springToZero } from '../../base/math/spring.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { COPY_REMEMBERED, FASTEST, leapLimit, SLOWEST } from './live-leaps.js';

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
/** Its toes alone do not move its end. */
const TOES = 3;
/** A joint of a leg may be behind by so much of what would take its foot to the floor: two of them together by all of it. */
const BEHIND = 0.5;

/**
 * Joints as they are remembered, {@link JOINTS} a limb: their copied turns, and those of the frame before (xyzw); how fast the copy
 * turned, how that changed within a frame of 60 Hz, and how much it does; what each is turned by beyond the copy as it was shown, in its own axes, by how much that changed; what it is
 * behind of what it would be, and how fast that goes (rotation vectors).
 */
type TurnsState = {
  joints: Int32Array;
  copied: Float64Array;
  before: Float64Array;
  copiedSteps: Float64Array;
  copiedChanges: Float64Array;
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
 * it. A leg is behind only as far as its foot is over the floor, and not while it carries: else it has its foot in the
 * floor for a frame as it comes down, and slides as it stands (0.17 % of frames sunk over captures on three bodies, none
 * so).
 * @param isFree Whether a limb may be turned on: joints with limits keep to them.
 */
export function createLiveTurns(setup: GoalSetup, isFree: (limb: number) => boolean): LiveTurns {
  const { limbs } = setup;
  const count = JOINTS * limbs.length;
  const state: TurnsState = {
    joints: Int32Array.from(limbs.flatMap((limb, n) => (isFree(n) ? jointsOf(limb) : [-1, -1, -1, -1]))),
    copied: new Float64Array(4 * count),
    before: new Float64Array(4 * count),
    copiedSteps: new Float64Array(3 * count),
    copiedChanges: new Float64Array(3 * count),
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
        readRoom(setup, goals, n);
        const follows = known[n] === 1 && goals.weights[n]! > 0 && goals.seconds[0]! > 0;
        for (let i = JOINTS * n; i < JOINTS * (n + 1); i++) {
          if (joints[i]! < 0) continue;
          readJoint(state, locals, i);
          if (follows) followTurn(state, locals, goals, i, limbs[n]!.kind === 'leg' && i < JOINTS * n + TOES);
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
  return kind === 'leg' ? [upper, middle, end, toes] : [upper, middle, rigid ? -1 : end, toes];
}

const arm = new Float64Array(3);
/** How far joints of the leg that was read may be behind, radians. */
const room = new Float64Array(1);

/** Reads how far the joints of a leg may be behind, by how high its heel or ball is; not at all while it carries. */
function readRoom({ limbs, points, hipHeight, floor }: GoalSetup, goals: Goals, n: number): void {
  const limb = limbs[n]!;
  room[0] = 0;
  if (limb.kind !== 'leg' || goals.carried[n]! > 0) return;
  const end = 16 * limb.target.end + 12;
  let lowest = Number.POSITIVE_INFINITY;
  for (let p = 0; p < limb.points.length; p++) {
    const point = limb.points[p]!;
    for (let c = 0; c < 3; c++) arm[c] = goals.copied[3 * point + c]! - goals.target.matrices[end + c]!;
    rotateVector(arm, 0, goals.turns, 4 * n, arm, 0);
    const height = goals.places[3 * n + 1]! + arm[1]! - floor - hipHeight * points[point]!.target.standing;
    lowest = Math.min(lowest, height);
  }
  room[0] = Math.max(0, (BEHIND * lowest) / limb.length);
}

const turn = new Float64Array(4);
/** Rotation vectors: a joint's turn beyond the copy, how far the copy turned since the frame before, and a difference. */
const wanted = new Float64Array(3);
const copiedStep = new Float64Array(3);
const change = new Float64Array(3);
/** How fast what a joint is behind goes, per second: a whole number, which is not made on the heap. */
const rate = new Int32Array(1);

function readJoint({ joints, copied, before }: TurnsState, locals: Float64Array, i: number): void {
  divideQuaternions(turn, 0, copied, 4 * i, locals, 4 * joints[i]!);
  vectorOfQuaternion(wanted, 0, turn);
  divideQuaternions(turn, 0, before, 4 * i, copied, 4 * i);
  vectorOfQuaternion(copiedStep, 0, turn);
  for (let c = 4 * i; c < 4 * i + 4; c++) before[c] = copied[c]!;
}

function startTurn(
  { copiedSteps, copiedChanges, usual, shown, steps, behind, speeds }: TurnsState,
  i: number,
): void {
  usual[i] = 0;
  for (let c = 0; c < 3; c++) {
    shown[3 * i + c] = wanted[c]!;
    copiedSteps[3 * i + c] = 0;
    copiedChanges[3 * i + c] = 0;
    steps[3 * i + c] = 0;
    behind[3 * i + c] = 0;
    speeds[3 * i + c] = 0;
  }
}

/** How much may change: one number. */
const most = new Float64Array(1);

/** How long a rotation vector is: one number, in memory, since one that a call returns may be made on the heap. */
const size = new Float64Array(1);

function readSize(v: Float64Array, o: number): void {
  size[0] = Math.sqrt(v[o]! * v[o]! + v[o + 1]! * v[o + 1]! + v[o + 2]! * v[o + 2]!);
}

/** Twice half a turn. */
const ROUND = 2 * Math.PI;

/**
 * Tells what is remembered of a joint the other way round, where that is nearer to what it is wanted to be: a joint that is
 * turned by half a turn beyond the copy is so by one vector in a frame and by the opposite one in the next, without moving.
 * With v = θ·n told as (θ − 2π)·n, what v changes by along n stays, and what it does across n is (θ − 2π) / θ of it.
 */
function wrapTurn({ shown, steps, behind, speeds }: TurnsState, o: number): void {
  readSize(shown, o);
  const angle = size[0]!;
  if (!(angle > Math.PI / 2)) return;
  const along = wanted[0]! * shown[o]! + wanted[1]! * shown[o + 1]! + wanted[2]! * shown[o + 2]!;
  // |w − v′|² < |w − v|², v′ = (1 − 2π / θ)·v: 2·w·v·2π / θ < θ² − (θ − 2π)² = 4π·θ − 4π²
  if (!(along < angle * (angle - Math.PI))) return;
  turnOver(steps, o, shown);
  turnOver(behind, o, shown);
  turnOver(speeds, o, shown);
  const across = 1 - ROUND / angle;
  for (let c = o; c < o + 3; c++) shown[c] = across * shown[c]!;
}

/** Tells a change of a rotation vector that is told the other way round. */
function turnOver(change: Float64Array, o: number, shown: Float64Array): void {
  const x = shown[o]!;
  const y = shown[o + 1]!;
  const z = shown[o + 2]!;
  const square = x * x + y * y + z * z;
  const rest = ROUND / Math.sqrt(square);
  const along = (rest * (change[o]! * x + change[o + 1]! * y + change[o + 2]! * z)) / square;
  change[o] = (1 - rest) * change[o]! + along * x;
  change[o + 1] = (1 - rest) * change[o + 1]! + along * y;
  change[o + 2] = (1 - rest) * change[o + 2]! + along * z;
}

function followTurn(
  state: TurnsState,
  locals: Float64Array,
  { seconds }: Goals,
  i: number,
  isBounded: boolean,
): void {
  const { joints, copied, copiedSteps, copiedChanges, usual, shown, steps, behind, speeds } = state;
  const o = 3 * i;
  const t = seconds[0]!;
  // Of a capture that is played faster than 60 Hz, what trembles from frame to frame is no leap of the copy. Hands that land
  // are let leap for it all the same: arms that were behind touched the floor too late.
  const recent = isBounded || i % JOINTS === TOES ? Math.min(1, 60 * t) : 1;
  for (let c = 0; c < 3; c++) {
    const change = copiedStep[c]! - copiedSteps[o + c]!;
    copiedChanges[o + c] = copiedChanges[o + c]! + recent * (change - copiedChanges[o + c]!);
    copiedSteps[o + c] = copiedStep[c]!;
  }
  readSize(copiedChanges, o);
  usual[i] = Math.max(size[0]!, COPY_REMEMBERED * usual[i]!);
  leapLimit(most, usual, i, seconds);
  const limit = most[0]!;
  wrapTurn(state, o);
  // Mostly nothing is behind, and then it stays so without a spring.
  if (
    behind[o] !== 0 ||
    behind[o + 1] !== 0 ||
    behind[o + 2] !== 0 ||
    speeds[o] !== 0 ||
    speeds[o + 1] !== 0 ||
    speeds[o + 2] !== 0
  ) {
    readSize(behind, o);
    const far = Math.max(size[0]!, 1e-9);
    rate[0] = Math.min(FASTEST, Math.max(SLOWEST, Math.sqrt(limit / (2 * far)) / t));
    for (let c = o; c < o + 3; c++) springToZero(behind, speeds, c, rate[0]!, seconds);
  }
  const x = wanted[0]! + behind[o]! - shown[o]! - steps[o]!;
  const y = wanted[1]! + behind[o + 1]! - shown[o + 1]! - steps[o + 1]!;
  const z = wanted[2]! + behind[o + 2]! - shown[o + 2]! - steps[o + 2]!;
  const leap = Math.sqrt(x * x + y * y + z * z);
  if (leap > limit) {
    const share = limit / leap;
    change[0] = share * x;
    change[1] = share * y;
    change[2] = share * z;
    for (let c = 0; c < 3; c++) {
      const before = behind[o + c]!;
      behind[o + c] = shown[o + c]! + steps[o + c]! + change[c]! - wanted[c]!;
      speeds[o + c] = speeds[o + c]! + (behind[o + c]! - before) / t;
    }
  }
  readSize(behind, o);
  const lacks = size[0]!;
  if (isBounded && lacks > room[0]!)
    for (let c = 0; c < 3; c++) {
      behind[o + c] = (behind[o + c]! * room[0]!) / lacks;
      speeds[o + c] = (speeds[o + c]! * room[0]!) / lacks;
    }
  for (let c = 0; c < 3; c++) {
    wanted[c] = wanted[c]! + behind[o + c]!;
    steps[o + c] = wanted[c]! - shown[o + c]!;
    shown[o + c] = wanted[c]!;
  }
  readSize(behind, o);
  if (!(size[0]! > 1e-6)) return;
  quaternionOfVector(turn, 0, wanted, 0);
  multiplyQuaternions(locals, 4 * joints[i]!, copied, 4 * i, turn, 0);
}
