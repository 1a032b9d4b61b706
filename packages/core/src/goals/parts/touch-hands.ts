import { exp } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import type { ModelPose } from '../../scene/pose.js';
import type { TouchPart, TouchSetup } from './touch-setup.js';

/** A part that is farther from a hand than this, in arm lengths, does not concern it. */
const HAND_CONCERN = 1 / 3;
/**
 * A part that is nearer than that by so much counts in full. Over a third of an arm (P1, P3) half of what is measured was left:
 * most of it are hands that hang beside the hips at 0.2 and more. Jerk and the speed of what hands are moved by are the
 * same within a tenth.
 */
const NEARER_IN_FULL = 0.13;
/** Parts that lie in each other by more are not as thick as they seem, a skirt or a doll's belly: left alone. */
const DEEPEST_OVERLAP = 0.25;
/** Hands are drawn nearer by at most about so many arm lengths; from twice that on not at all. */
const LARGEST_PULL = 0.35;
/** Up to so many arm lengths they are pushed away as far as it takes, and by no more than `FARTHEST_PUSH` at all. */
const LARGEST_PUSH = 0.35;
const FARTHEST_PUSH = 0.65;
/** Hands stay so far from thighs, in arm lengths, and that counts for more than the rest. */
const CLEAR = 0.02;
const CLEAR_WEIGHT = 2;
/** Number of the hips among the parts; after them come the thighs. */
const HIPS = 7;
/** Lines nearer than this, in arm lengths, have no sure way between them. */
const MEET = 0.02;
/** How often all pairs are gone over: a hand may touch two things at once. */
const TOUCH_ROUNDS = 4;
/** How many pairs there are at most. */
const MOST_TOUCH_PAIRS = 11;

/** Ends of all parts of both bodies, model space. */
const from = new Float64Array(60);
const to = new Float64Array(60);
/** Of the pairs that count, one after the other: their numbers, how far apart they shall be, metres, … */
const active = new Int32Array(MOST_TOUCH_PAIRS);
const wanted = new Float64Array(MOST_TOUCH_PAIRS);
/** … how much they count, what of their miss is not made good, and the way between the source's: xyz. */
const weights = new Float64Array(MOST_TOUCH_PAIRS);
const left = new Float64Array(MOST_TOUCH_PAIRS);
const ways = new Float64Array(3 * MOST_TOUCH_PAIRS);
/** A miss, and then its share: as an argument it would be made anew on the heap. */
const share = new Float64Array(1);
/** Per hand the weighted sum of its steps, xyz, and of their weights. */
const steps = new Float64Array(8);

/** The shortest way between two thick lines, from the second to the first. */
const way = { x: 0, y: 0, z: 0, length: 0 };

/**
 * Says how far hands are to be moved so that what they touch, or nearly touch, is as far from them as on the source,
 * in arm lengths from skin to skin: the other hand and arm, the head, the hips. What is nearer than a fifth of an arm
 * counts in full, what is farther than a third not at all. Two hands meet half-way. Thighs are only kept clear of.
 * @param out xyz of the left hand, then of the right.
 */
export function touchHands(out: Float64Array, touch: TouchSetup, source: ModelPose, target: ModelPose): void {
  out.fill(0);
  placeParts(from, touch.source, source.matrices);
  const count = findNear(touch);
  if (count === 0) return;
  placeParts(to, touch.target, target.matrices);
  for (let round = 0; round < TOUCH_ROUNDS; round++) {
    // All pairs are looked at before anything is moved, so that left and right are alike.
    steps.fill(0);
    for (let i = 0; i < count; i++) addPair(touch, i, round === 0);
    for (let hand = 0; hand < 2; hand++) {
      const o = 4 * hand;
      const k = steps[o + 3]! > 0 ? 1 / steps[o + 3]! : 0;
      moveHand(out, hand, k * steps[o]!, k * steps[o + 1]!, k * steps[o + 2]!);
    }
  }
}

/** Finds the pairs that are near on the source, and what they are to be on the target; gives their number. */
function findNear({ pairs, sourceArm, arm, dent, source, target }: TouchSetup): number {
  let count = 0;
  for (let n = 0; n < pairs.length; n++) {
    const a = pairs[n]![0];
    const b = pairs[n]![1];
    shortestWay(from, 6 * a, 6 * b);
    const apart = (way.length - source[a]!.radius - source[b]!.radius) / sourceArm;
    const weight = weightOf(apart, dent);
    if (!(weight > 0)) continue;
    const kept = apart < -dent ? -dent : apart;
    active[count] = n;
    wanted[count] = (b > HIPS && kept > CLEAR ? CLEAR : kept) * arm + target[a]!.radius + target[b]!.radius;
    weights[count] = weight;
    const k = way.length > 1e-9 ? 1 / way.length : 0;
    ways[3 * count] = k * way.x;
    ways[3 * count + 1] = k * way.y;
    ways[3 * count + 2] = k * way.z;
    count++;
  }
  return count;
}

/**
 * How much a pair counts that is so far apart in the source, in arm lengths: not at all from a third of an arm on, in
 * full where it touches, and less again where it lies in each other deeper than shapes can.
 */
function weightOf(apart: number, dent: number): number {
  if (!(apart < HAND_CONCERN && apart > -DEEPEST_OVERLAP)) return 0;
  const far =
    apart > 0
      ? Math.max(0, 1 - (HAND_CONCERN - apart) / NEARER_IN_FULL)
      : Math.max(0, (-apart - dent) / (DEEPEST_OVERLAP - dent));
  return 1 + far * far * (2 * far - 3);
}

/**
 * Makes of a miss, in arm lengths, the share of it that is made good. What is far off on this body is another shape,
 * not another pose: a doll's hands are always near its head. So hands are not drawn far, and pushed out of what they
 * would be in no farther than an arm reaches.
 */
function readShare(): void {
  const miss = share[0]!;
  if (miss > 0) {
    const over = (miss - LARGEST_PUSH) / (FARTHEST_PUSH - LARGEST_PUSH);
    // tanh, 1 − 2 / (e²ˣ + 1): as steep as the miss at first, and level at last.
    const level = 1 - 2 / (exp(2 * over) + 1);
    share[0] = over > 0 ? (LARGEST_PUSH + (FARTHEST_PUSH - LARGEST_PUSH) * level) / miss : 1;
    return;
  }
  const odd = Math.min(1, Math.max(0, (-miss - LARGEST_PULL) / LARGEST_PULL));
  share[0] = 1 + odd * odd * (2 * odd - 3);
}

/** Adds what a pair asks of its hands to their steps. */
function addPair({ pairs, limbs, arm }: TouchSetup, i: number, isFirst: boolean): void {
  const a = pairs[active[i]!]![0];
  const b = pairs[active[i]!]![1];
  shortestWay(to, 6 * a, 6 * b);
  const miss = wanted[i]! - way.length;
  let weight = weights[i]!;
  if (b > HIPS) {
    if (!(miss > 0)) return;
    weight *= CLEAR_WEIGHT;
    left[i] = 0;
  } else if (isFirst) {
    share[0] = miss / arm;
    readShare();
    weight *= share[0]!;
    weights[i] = weight;
    // Later rounds must not make good what this one leaves.
    left[i] = (1 - weight) * miss;
  }
  // Lines that meet have no way between them: then the source's shows where the hand is.
  const sure = way.length > MEET * arm ? 1 : way.length / (MEET * arm);
  const w = way.length > 1e-9 ? sure / way.length : 0;
  let x = w * way.x + (1 - sure) * ways[3 * i]!;
  let y = w * way.y + (1 - sure) * ways[3 * i + 1]!;
  let z = w * way.z + (1 - sure) * ways[3 * i + 2]!;
  const square = x * x + y * y + z * z;
  if (!(square > 1e-18)) return;
  let k = (miss - left[i]!) / Math.sqrt(square);
  if (b >= HIPS) {
    // Beside the hips a hand swings with its arm: pulled up towards them, elbows would bend and hands go in front.
    const u = 6 * (4 + a);
    const ax = to[6 * a]! - to[u]!;
    const ay = to[6 * a + 1]! - to[u + 1]!;
    const az = to[6 * a + 2]! - to[u + 2]!;
    const reach = ax * ax + ay * ay + az * az;
    const along = reach > 1e-12 ? (x * ax + y * ay + z * az) / reach : 0;
    x -= along * ax;
    y -= along * ay;
    z -= along * az;
    // Sideways it takes a longer way to come as near: up to twice as long.
    const sideways = (x * x + y * y + z * z) / square;
    k *= sideways > 0.5 ? 1 / sideways : 2;
  }
  if (b !== 1 || limbs[1] < 0) {
    addStep(a, weight, k * x, k * y, k * z);
    return;
  }
  addStep(a, weight, 0.5 * k * x, 0.5 * k * y, 0.5 * k * z);
  addStep(b, weight, -0.5 * k * x, -0.5 * k * y, -0.5 * k * z);
}

function addStep(hand: number, weight: number, x: number, y: number, z: number): void {
  const o = 4 * hand;
  steps[o] = steps[o]! + weight * x;
  steps[o + 1] = steps[o + 1]! + weight * y;
  steps[o + 2] = steps[o + 2]! + weight * z;
  steps[o + 3] = steps[o + 3]! + weight;
}

/** Moves a hand, the wrist end of its forearm, and half as far the elbow. */
function moveHand(out: Float64Array, hand: number, x: number, y: number, z: number): void {
  const o = 3 * hand;
  out[o] = out[o]! + x;
  out[o + 1] = out[o + 1]! + y;
  out[o + 2] = out[o + 2]! + z;
  movePlace(6 * hand, x, y, z);
  movePlace(6 * hand + 3, x, y, z);
  movePlace(6 * (2 + hand), x / 2, y / 2, z / 2);
  movePlace(6 * (2 + hand) + 3, x, y, z);
  movePlace(6 * (4 + hand) + 3, x / 2, y / 2, z / 2);
}

function movePlace(i: number, x: number, y: number, z: number): void {
  to[i] = to[i]! + x;
  to[i + 1] = to[i + 1]! + y;
  to[i + 2] = to[i + 2]! + z;
}

function placeParts(out: Float64Array, parts: readonly TouchPart[], matrices: Float64Array): void {
  for (let n = 0; n < parts.length; n++) {
    const { joints, places } = parts[n]!;
    transformPoint(out, 6 * n, matrices, 16 * joints[0], places, 0);
    transformPoint(out, 6 * n + 3, matrices, 16 * joints[1], places, 3);
  }
}

/**
 * The shortest way between two segments P + s·u and Q + t·v: with w = P − Q its square is least where its slopes
 * along s and t vanish; s is held to 0 … 1, then t, then s again for that t.
 */
function shortestWay(p: Float64Array, i: number, j: number): void {
  const ux = p[i + 3]! - p[i]!;
  const uy = p[i + 4]! - p[i + 1]!;
  const uz = p[i + 5]! - p[i + 2]!;
  const vx = p[j + 3]! - p[j]!;
  const vy = p[j + 4]! - p[j + 1]!;
  const vz = p[j + 5]! - p[j + 2]!;
  const wx = p[i]! - p[j]!;
  const wy = p[i + 1]! - p[j + 1]!;
  const wz = p[i + 2]! - p[j + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const square = uu * vv - uv * uv;
  let s = square > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / square) : 0;
  const t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
  s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
  way.x = wx + s * ux - t * vx;
  way.y = wy + s * uy - t * vy;
  way.z = wz + s * uz - t * vz;
  way.length = Math.sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
