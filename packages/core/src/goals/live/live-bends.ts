import { distanceFlat } from '../../base/math/flat-vectors.js';
import { springToZero } from '../../base/math/spring.js';
import type { GoalSetup, LimbGoal } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { reachOf } from '../parts/reach.js';
import { COPY_REMEMBERED, FASTEST, leapLimit, looseLimit, SLOWEST } from './live-leaps.js';

/**
 * A goal that carries may be moved along its limb for it by so much of the limb’s length: a millimetre of an adult's leg, several degrees of
 * a knee that is nearly straight, and hardly any of one that is bent. What it is moved by beyond goes within some frames.
 */
const CARRIES_WITHIN = 0.001;
const CARRIES_LATER = 0.7;

/** Hips go at most so many hip heights out of their way for legs that carry: captures tremble by less. */
const HIPS_GIVE = 0.02;
/** The cost of moving the hips: a leg that is bent at a right angle weighs one against it, and one that is all but straight hundreds. */
const HIPS_COST = 0.2;

/** Bends of limbs that change softly, frame by frame. */
export type LiveBends = {
  /**
   * Finds how far limbs shall be bent, `goals.seconds` after the frame before, and how far the hips must be moved for
   * those that carry, xyz in model space. Allocates nothing.
   */
  find(goals: Goals, hips: Float64Array): void;
  /** Moves the goals of limbs along them until they are, once the hips were moved. Allocates nothing. */
  move(goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/**
 * Limbs as they are remembered: how far each would be bent and shall be; how far it is bent beyond the copy as it was shown, by how much that changed; what it is behind of
 * what it would be, and how fast that goes; how far the copy was bent, by how much that changed, and by how much its
 * changes do.
 */
type BendsState = {
  asked: Float64Array;
  aims: Float64Array;
  shown: Float64Array;
  steps: Float64Array;
  behind: Float64Array;
  speeds: Float64Array;
  copied: Float64Array;
  copiedSteps: Float64Array;
  usual: Float64Array;
  /** How far each goal was moved towards the limb's root in the frame before, metres. */
  nearer: Float64Array;
  isFirst: boolean;
};

/** A limb in a frame: lengths of its bones, how far its end is as copied and its goal is, and how far that is bent. */
const limb = new Float64Array(7);
const [UPPER, LOWER, COPIED, FAR, BEND, SOFTNESS, LENGTH] = [0, 1, 2, 3, 4, 5, 6] as const;
const line = new Float64Array(3);

/**
 * Lets no knee or elbow change its speed from one frame to the next by what the copied one does not: the live form of
 * `calmBend`. What it lacks for that goes as a critically damped spring comes to rest, slowly where there is much of it. The goal
 * moves along the limb; one that carries stays, and the hips give way: the tremble of a capture’s root is nothing to see of
 * them, but snaps the knee of a leg that stands straight. It is the last step before limbs are solved.
 */
export function createLiveBends({ limbs, hipHeight }: GoalSetup): LiveBends {
  const room = () => new Float64Array(limbs.length);
  const state: BendsState = {
    ...{ asked: room(), aims: room(), shown: room(), steps: room(), behind: room(), speeds: room() },
    ...{ copied: room(), copiedSteps: room(), usual: room(), nearer: room(), isFirst: true },
  };
  const farthest = HIPS_GIVE * hipHeight;
  return {
    find(goals, hips) {
      rows.fill(0);
      for (let n = 0; n < limbs.length; n++) {
        if (!(goals.weights[n]! > 0)) continue;
        findBend(state, goals, limbs[n]!, n);
        if (limbs[n]!.kind === 'leg' && goals.carried[n]! > 0) askHips(state, n);
      }
      solveHips(hips);
      const far = Math.sqrt(hips[0]! * hips[0]! + hips[1]! * hips[1]! + hips[2]! * hips[2]!);
      if (far > farthest) for (let c = 0; c < 3; c++) hips[c] = (hips[c]! * farthest) / far;
    },
    move(goals) {
      for (let n = 0; n < limbs.length; n++) if (goals.weights[n]! > 0) bendLimb(state, goals, limbs[n]!, n);
      state.isFirst = false;
    },
    reset() {
      state.isFirst = true;
    },
  };
}

function findBend(state: BendsState, goals: Goals, goal: LimbGoal, n: number): void {
  const { asked, aims, shown, steps, behind, speeds, copied, copiedSteps, usual } = state;
  readLimb(goals, goal, n);
  value[0] = limb[COPIED]!;
  readBend();
  const own = value[0]!;
  const wanted = limb[BEND]! - own;
  asked[n] = limb[BEND]!;
  if (state.isFirst || !(goals.seconds[0]! > 0)) {
    shown[n] = wanted;
    steps[n] = 0;
    behind[n] = 0;
    speeds[n] = 0;
    copiedSteps[n] = 0;
    usual[n] = 0;
    copied[n] = own;
    state.nearer[n] = 0;
    aims[n] = limb[BEND]!;
    return;
  }
  const ownStep = own - copied[n]!;
  usual[n] = Math.max(Math.abs(ownStep - copiedSteps[n]!), COPY_REMEMBERED * usual[n]!);
  copied[n] = own;
  copiedSteps[n] = ownStep;
  const flies = goal.kind === 'leg' && !(goals.carried[n]! > 0);
  if (flies) looseLimit(most, usual, n, goals.seconds);
  else leapLimit(most, usual, n, goals.seconds);
  const limit = most[0]!;
  const before = behind[n]!;
  const size = Math.max(Math.abs(before), 1e-9);
  rate[0] = Math.min(FASTEST, Math.max(SLOWEST, Math.sqrt(limit / (2 * size)) / goals.seconds[0]!));
  springToZero(behind, speeds, n, rate[0]!, goals.seconds);
  const step = wanted + behind[n]! - shown[n]!;
  const change = step - steps[n]!;
  if (Math.abs(change) > limit) {
    behind[n] = shown[n]! + steps[n]! + Math.sign(change) * limit - wanted;
    speeds[n] = (behind[n]! - before) / goals.seconds[0]!;
  }
  // No knee is bent the other way.
  behind[n] = Math.max(behind[n]!, -limb[BEND]!);
  aims[n] = limb[BEND]! + behind[n]!;
}

/** The least squares of how far the hips shall go: six numbers of a symmetric matrix, and its right side. */
const rows = new Float64Array(9);
const [XX, XY, XZ, YY, YZ, ZZ, RIGHT] = [0, 1, 2, 3, 4, 5, 6] as const;

/**
 * Asks the hips to go along the leg that was read by what it lacks, the more the straighter it is: its bend b = 2·sin(β / 2)
 * goes with its reach r by db/dr = −r / (upper · lower · b).
 */
function askHips({ aims, asked, behind }: BendsState, n: number): void {
  const far = limb[FAR]!;
  value[0] = aims[n]!;
  readGoal();
  const lacks = Math.abs(behind[n]!) > 1e-6 ? far - value[0]! : 0;
  const slope =
    (far * limb[LENGTH]!) / (4 * limb[UPPER]! * limb[LOWER]! * Math.max(0.05, Math.min(asked[n]!, aims[n]!)));
  const weight = slope * slope;
  const x = line[0]! / far;
  const y = line[1]! / far;
  const z = line[2]! / far;
  rows[XX] = rows[XX]! + weight * x * x;
  rows[XY] = rows[XY]! + weight * x * y;
  rows[XZ] = rows[XZ]! + weight * x * z;
  rows[YY] = rows[YY]! + weight * y * y;
  rows[YZ] = rows[YZ]! + weight * y * z;
  rows[ZZ] = rows[ZZ]! + weight * z * z;
  rows[RIGHT] = rows[RIGHT]! + weight * lacks * x;
  rows[RIGHT + 1] = rows[RIGHT + 1]! + weight * lacks * y;
  rows[RIGHT + 2] = rows[RIGHT + 2]! + weight * lacks * z;
}

/** Solves what was asked of the hips, by the cofactors of the matrix. */
function solveHips(out: Float64Array): void {
  const a = rows[XX]! + HIPS_COST;
  const b = rows[XY]!;
  const c = rows[XZ]!;
  const d = rows[YY]! + HIPS_COST;
  const e = rows[YZ]!;
  const f = rows[ZZ]! + HIPS_COST;
  const x = rows[RIGHT]!;
  const y = rows[RIGHT + 1]!;
  const z = rows[RIGHT + 2]!;
  const xx = d * f - e * e;
  const xy = c * e - b * f;
  const xz = b * e - c * d;
  const by = 1 / (a * xx + b * xy + c * xz);
  out[0] = by * (xx * x + xy * y + xz * z);
  out[1] = by * (xy * x + (a * f - c * c) * y + (b * c - a * e) * z);
  out[2] = by * (xz * x + (b * c - a * e) * y + (a * d - b * b) * z);
}

/** Bends a limb as it shall be, and remembers how far it is. */
function bendLimb(state: BendsState, goals: Goals, goal: LimbGoal, n: number): void {
  const { asked, aims, shown, steps, behind, copied, nearer } = state;
  readLimb(goals, goal, n);
  if (Math.abs(aims[n]! - limb[BEND]!) > 1e-6) moveGoal(state, goals, n);
  else {
    nearer[n] = 0;
    aims[n] = limb[BEND]!;
  }
  behind[n] = aims[n]! - asked[n]!;
  if (state.isFirst) return;
  const now = aims[n]! - copied[n]!;
  steps[n] = now - shown[n]!;
  shown[n] = now;
}

/** Moves a goal along its limb until that is bent as it shall be; one that carries, by as little as it may be. */
function moveGoal({ aims, nearer }: BendsState, { places, carried }: Goals, n: number): void {
  const far = limb[FAR]!;
  value[0] = aims[n]!;
  readGoal();
  let by = far - value[0]!;
  if (carried[n]! > 0) {
    const within = Math.max(CARRIES_WITHIN * limb[LENGTH]!, CARRIES_LATER * Math.abs(nearer[n]!));
    if (Math.abs(by) > within) {
      by = Math.sign(by) * within;
      value[0] = far - by;
      softenGoal();
      aims[n] = value[0]!;
    }
  }
  nearer[n] = by;
  for (let c = 0; c < 3; c++) places[3 * n + c] = places[3 * n + c]! - (by * line[c]!) / far;
}

function readLimb({ places, target }: Goals, { length, target: joints }: LimbGoal, n: number): void {
  const { upper, middle, end } = joints;
  const m = target.matrices;
  const u = 16 * upper + 12;
  const k = 16 * middle + 12;
  const e = 16 * end + 12;
  const x = places[3 * n]! - m[u]!;
  const y = places[3 * n + 1]! - m[u + 1]!;
  const z = places[3 * n + 2]! - m[u + 2]!;
  line[0] = x;
  line[1] = y;
  line[2] = z;
  limb[UPPER] = distanceFlat(m, u, m, k);
  limb[LOWER] = distanceFlat(m, k, m, e);
  limb[COPIED] = distanceFlat(m, u, m, e);
  limb[FAR] = Math.max(Math.sqrt(x * x + y * y + z * z), 1e-9 * length);
  limb[LENGTH] = length;
  limb[SOFTNESS] = reachOf(limb[COPIED]!, length) / length;
  value[0] = limb[FAR]!;
  softenGoal();
  limb[BEND] = value[0]!;
}

/** Makes of how far away its goal is how far the limb that was read is bent; as `softenReach` does. */
function softenGoal(): void {
  const length = limb[LENGTH]!;
  const far = value[0]! / length;
  const room = 1 - limb[SOFTNESS]!;
  const over = Math.max(0, far - limb[SOFTNESS]!);
  value[0] = length * (far < 1 + room ? far - (room > 0 ? (over * over) / (4 * room) : 0) : 1);
  readBend();
}

/** How fast what a knee is behind goes, per second: a whole number, which is not made on the heap. */
const rate = new Int32Array(1);
/** A number that goes from one function to another: as an argument, or given back, it would be made on the heap. */
const value = new Float64Array(1);
/** By how much a bend may change its speed: one number. */
const most = new Float64Array(1);

/**
 * Makes of how far the limb that was read reaches how far it is bent, by the law of cosines: 2·sin(β / 2), which goes as
 * the angle β does near full stretch, at most half as fast up to 120 degrees, and needs no arc.
 */
function readBend(): void {
  const upper = limb[UPPER]!;
  const lower = limb[LOWER]!;
  const reach = value[0]!;
  const cosine = (reach * reach - upper * upper - lower * lower) / (2 * upper * lower);
  value[0] = cosine < 1 ? Math.sqrt(2 - 2 * Math.max(-1, cosine)) : 0;
}

/** Makes of how far it is bent how far away its goal must be for that: what `softenReach` does, undone. */
function readGoal(): void {
  const upper = limb[UPPER]!;
  const lower = limb[LOWER]!;
  const softness = limb[SOFTNESS]!;
  const square = upper * upper + lower * lower + upper * lower * (2 - value[0]! * value[0]!);
  const reach = Math.sqrt(Math.max(0, square)) / limb[LENGTH]!;
  const room = 1 - softness;
  value[0] =
    limb[LENGTH]! *
    (reach > softness
      ? softness + 2 * room * (1 - Math.sqrt(Math.max(0, 1 - (reach - softness) / room)))
      : reach);
}
