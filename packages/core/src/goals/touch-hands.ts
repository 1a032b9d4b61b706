import { transformPoint } from '../matrix.js';
import type { ModelPose } from '../pose.js';
import type { TouchPart, TouchSetup } from './touch-setup.js';

/** What is farther from a hand than this, in arm lengths, does not concern it. */
const NEAR = 1 / 3;
/** Parts that lie in each other by so much touch; skin gives way. */
const DENT = 0.05;
/** Parts that lie in each other by more are not as thick as they seem, a skirt or a doll's belly: left alone. */
const DEEPEST = 0.25;
/** Hands are moved by at most about so many arm lengths; from twice that on not at all. */
const LARGEST_MOVE = 0.35;
/** Number of the hips among the parts. */
const HIPS = 7;
/** How often all pairs are gone over: a hand may touch two things at once. */
const ROUNDS = 4;

/** Per pair the share of its miss that is to be made good, and what is left of it. */
const shares = new Float64Array(9);
const left = new Float64Array(9);
/** The pairs that are near on the source; and per pair how far apart it wants them, how much, and the way: xyz, length. */
const found = new Int32Array(9);
const shown = new Float64Array(54);
const from = new Float64Array(48);
const to = new Float64Array(48);

/** The shortest way between two thick lines, from the second to the first. */
const way = { x: 0, y: 0, z: 0, length: 0 };

/**
 * Says how far hands are to be moved so that what they touch, or nearly touch, is as far from them as on the source,
 * in arm lengths from skin to skin: the other hand and arm, the head, the hips. The nearer, the more it counts, by
 * p(d) = 2d³ − 3d² + 1 of the squared distance over a third of an arm (P1, P3): touching counts in full, what is
 * farther than that not at all. Two hands meet half-way.
 * @param out xyz of the left hand, then of the right.
 */
export function touchHands(out: Float64Array, touch: TouchSetup, source: ModelPose, target: ModelPose): void {
  const { pairs, arm, target: t } = touch;
  out.fill(0);
  placeParts(from, touch.source, source.matrices);
  const count = findNear(touch);
  if (count === 0) return;
  placeParts(to, touch.target, target.matrices);
  for (let round = 0; round < ROUNDS; round++) {
    // All pairs are looked at before anything is moved, so that left and right are alike.
    steps.fill(0);
    for (let i = 0; i < count; i++) {
      const n = found[i]!;
      const a = pairs[n]![0];
      const b = pairs[n]![1];
      const wanted = shown[6 * n]!;
      const near = shown[6 * n + 1]!;
      const x = shown[6 * n + 2]!;
      const y = shown[6 * n + 3]!;
      const z = shown[6 * n + 4]!;
      const length = shown[6 * n + 5]!;
      shortestWay(to, 6 * a, 6 * b);
      const miss = wanted * arm + t[a]!.radius + t[b]!.radius - way.length;
      // What is far off on this body is another shape, not another pose: a doll's hands are always near its head.
      if (round === 0) {
        const odd = Math.min(1, Math.max(0, (Math.abs(miss) / arm - LARGEST_MOVE) / LARGEST_MOVE));
        shares[n] = 1 + odd * odd * (2 * odd - 3);
        // Later rounds must not make good what this one leaves.
        left[n] = (1 - shares[n]!) * miss;
      }
      const weight = near * shares[n]!;
      const step = near * (miss - left[n]!);
      // Lines that meet have no way between them: then the source's shows where the hand is.
      const sure = way.length > 0.02 * arm ? 1 : way.length / (0.02 * arm);
      const w = way.length > 1e-9 ? sure / way.length : 0;
      const v = length > 1e-9 ? (1 - sure) / length : 0;
      let dx = w * way.x + v * x;
      let dy = w * way.y + v * y;
      let dz = w * way.z + v * z;
      const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (!(size > 1e-9)) continue;
      const both = b === 1 && touch.limbs[1] >= 0;
      const k = (both ? 0.5 : 1) * (step / size);
      if (b === HIPS) {
        // Beside the hips a hand swings with its arm: pulled up towards them, elbows would bend and hands go in front.
        const u = 6 * (4 + a);
        const ax = to[6 * a]! - to[u]!;
        const ay = to[6 * a + 1]! - to[u + 1]!;
        const az = to[6 * a + 2]! - to[u + 2]!;
        const square = ax * ax + ay * ay + az * az;
        const along = square > 1e-12 ? (dx * ax + dy * ay + dz * az) / square : 0;
        dx -= along * ax;
        dy -= along * ay;
        dz -= along * az;
        // Sideways it takes a longer way to come as near: up to twice as long.
        const sideways = (dx * dx + dy * dy + dz * dz) / (size * size);
        const longer = sideways > 0.5 ? 1 / sideways : 2;
        dx *= longer;
        dy *= longer;
        dz *= longer;
      }
      addStep(a, weight, k * dx, k * dy, k * dz);
      if (both) addStep(b, weight, -k * dx, -k * dy, -k * dz);
    }
    for (let hand = 0; hand < 2; hand++) {
      const o = 4 * hand;
      const k = 1 / Math.max(1, steps[o + 3]!);
      moveHand(out, hand, k * steps[o]!, k * steps[o + 1]!, k * steps[o + 2]!);
    }
  }
}

/** Finds the pairs that are near on the source, notes what it shows of them, and gives their number. */
function findNear({ pairs, sourceArm, source: parts }: TouchSetup): number {
  let count = 0;
  for (let n = 0; n < pairs.length; n++) {
    const a = pairs[n]![0];
    const b = pairs[n]![1];
    shortestWay(from, 6 * a, 6 * b);
    const apart = (way.length - parts[a]!.radius - parts[b]!.radius) / sourceArm;
    if (!(apart < NEAR && apart > -DEEPEST)) continue;
    // From a third of an arm to touching, and from a dent to where the shapes cannot be right.
    const far = apart > 0 ? (apart / NEAR) * (apart / NEAR) : Math.max(0, (-apart - DENT) / (DEEPEST - DENT));
    shown[6 * n] = Math.max(apart, -DENT);
    shown[6 * n + 1] = 1 + far * far * (2 * far - 3);
    shown[6 * n + 2] = way.x;
    shown[6 * n + 3] = way.y;
    shown[6 * n + 4] = way.z;
    shown[6 * n + 5] = way.length;
    found[count++] = n;
  }
  return count;
}

/** Per hand the sum of its steps, and of their weights. */
const steps = new Float64Array(8);

function addStep(hand: number, weight: number, x: number, y: number, z: number): void {
  const o = 4 * hand;
  steps[o] = steps[o]! + x;
  steps[o + 1] = steps[o + 1]! + y;
  steps[o + 2] = steps[o + 2]! + z;
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
