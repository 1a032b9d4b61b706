import { cos, sin, squared } from '../base/math/functions.js';
import {
  beginSolve,
  endSolve,
  loosenHinges,
  missOf,
  SOLVER_DEFAULTS,
  type SolverSettings,
} from './begin-solve.js';
import {
  hingeAxisOf,
  type SolverChain,
  type SolverGoal,
  turnChainJoint,
  updateChain,
} from './solver-chain.js';

/** How a step is found from the Jacobian. */
export type JacobianVariant = 'transpose' | 'pseudoInverse' | 'damped';

/** No joint turns further in one step: beyond it the effector's way is no straight line any more. */
const LARGEST_STEP_TURN = 0.8;
/** After so many steps in a row that brought nothing a chain stands in a singularity, or in its limits. */
const STALLED_STEPS = 3;

// A = J·W·Jᵀ, symmetric, row by row; e the way to the goal; f the pull at the effector that makes the step.
const A = new Float64Array(9);
const V = new Float64Array(9);
const e = new Float64Array(3);
const f = new Float64Array(3);
const turn = new Float64Array(4);
const axis = new Float64Array(3);

/**
 * Brings a chain to its goal by steps along the Jacobian, every joint turning about all three axes. This shares
 * the way among the joints and keeps the style of the pose (K32).
 *
 * A turn θ of joint i moves the effector by θ × r, with r from the joint to the effector. So Jᵀf gives each
 * joint r × f, and J·W·Jᵀ = Σ w (|r|²·1 − r·rᵀ) is 3×3, however long the chain. The variants differ in f:
 * `transpose` α·e with α = ⟨e, JJᵀe⟩ / |JJᵀe|² (Buss 2004, §3), `pseudoInverse` (JJᵀ)⁺e by eigenvalues, `damped`
 * (JJᵀ + λ²·1)⁻¹e. λ starts at a share of the chain's length, falls while steps succeed and rises where one does
 * not (Levenberg–Marquardt), as does the step's length in the other two: no step ever leads away from the goal.
 */
export function solveJacobian(
  chain: SolverChain,
  goal: SolverGoal,
  settings: SolverSettings = SOLVER_DEFAULTS,
  variant: JacobianVariant = 'damped',
): void {
  let steps = 0;
  if (beginSolve(chain, goal, settings)) {
    const { rotations, accepted, best, length } = chain;
    const near = settings.tolerance * length;
    let lambda = Math.max(settings.damping, 1e-6) * length;
    let share = settings.step;
    let stalls = 0;
    let kicks = 0;
    let miss = missOf(chain);
    let before = miss;
    let least = miss;
    accepted.set(rotations);
    best.set(rotations);
    while (steps < settings.maxIterations && before > near) {
      gather(chain);
      if (variant === 'transpose') pullAlong();
      else if (variant === 'pseudoInverse') pullByEigenvalues();
      else pullDamped(lambda * lambda);
      step(chain, variant === 'damped' ? settings.step : share);
      steps++;
      miss = missOf(chain);
      if (miss < before) {
        stalls = before - miss < 1e-3 * before ? stalls + 1 : 0;
        lambda = Math.max(0.4 * lambda, 1e-5 * length);
        share = Math.min(settings.step, 2 * share);
        before = miss;
        accepted.set(rotations);
      } else {
        stalls++;
        lambda = Math.min(3 * lambda, 10 * length);
        share *= 0.5;
        rotations.set(accepted);
        updateChain(chain);
      }
      if (stalls > STALLED_STEPS && kicks < 8) {
        // It may lead away first; what was reached before is not forgotten.
        if (before < least) {
          least = before;
          best.set(rotations);
        }
        kicks++;
        if (!loosenHinges(chain) && variant !== 'transpose') kick(chain, kicks);
        before = missOf(chain);
        accepted.set(rotations);
        stalls = 0;
        share = settings.step;
        lambda = Math.max(settings.damping, 1e-6) * length;
      }
    }
    if (kicks > 0 && before > least) {
      rotations.set(best);
      updateChain(chain);
    }
  }
  endSolve(chain, goal, steps);
}

/** A and e of the chain as it stands. */
function gather(chain: SolverChain): void {
  const { positions, weights, target } = chain;
  const end = positions.length - 3;
  A.fill(0);
  for (let i = 0; i < end; i += 3) {
    const w = weights[i / 3]!;
    const x = positions[end]! - positions[i]!;
    const y = positions[end + 1]! - positions[i + 1]!;
    const z = positions[end + 2]! - positions[i + 2]!;
    if (hingeAxisOf(axis, chain, i / 3)) {
      // A hinge has one column, axis × r.
      const u = axis[1]! * z - axis[2]! * y;
      const v = axis[2]! * x - axis[0]! * z;
      const t = axis[0]! * y - axis[1]! * x;
      A[0] = A[0]! + w * u * u;
      A[4] = A[4]! + w * v * v;
      A[8] = A[8]! + w * t * t;
      A[1] = A[1]! + w * u * v;
      A[2] = A[2]! + w * u * t;
      A[5] = A[5]! + w * v * t;
      continue;
    }
    A[0] = A[0]! + w * (y * y + z * z);
    A[4] = A[4]! + w * (x * x + z * z);
    A[8] = A[8]! + w * (x * x + y * y);
    A[1] = A[1]! - w * x * y;
    A[2] = A[2]! - w * x * z;
    A[5] = A[5]! - w * y * z;
  }
  A[3] = A[1]!;
  A[6] = A[2]!;
  A[7] = A[5]!;
  for (let c = 0; c < 3; c++) e[c] = target[c]! - positions[end + c]!;
}

function pullAlong(): void {
  let across = 0;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    f[c] = A[3 * c]! * e[0]! + A[3 * c + 1]! * e[1]! + A[3 * c + 2]! * e[2]!;
    across += e[c]! * f[c]!;
    square += f[c]! * f[c]!;
  }
  const alpha = square > 0 ? across / square : 0;
  for (let c = 0; c < 3; c++) f[c] = alpha * e[c]!;
}

/** f = (A + λ²)⁻¹ e by Cramer's rule; A has no negative eigenvalue, so that this has an answer. */
function pullDamped(square: number): void {
  const a = A[0]! + square;
  const b = A[1]!;
  const c = A[2]!;
  const d = A[4]! + square;
  const g = A[5]!;
  const h = A[8]! + square;
  const x = d * h - g * g;
  const y = c * g - b * h;
  const z = b * g - c * d;
  const determinant = a * x + b * y + c * z;
  const k = determinant > 0 ? 1 / determinant : 0;
  f[0] = k * (x * e[0]! + y * e[1]! + z * e[2]!);
  f[1] = k * (y * e[0]! + (a * h - c * c) * e[1]! + (b * c - a * g) * e[2]!);
  f[2] = k * (z * e[0]! + (b * c - a * g) * e[1]! + (a * d - b * b) * e[2]!);
}

/** f = A⁺ e: eigenvectors by Jacobi's rotations; directions with next to no reach are left out. */
function pullByEigenvalues(): void {
  V.fill(0);
  V[0] = 1;
  V[4] = 1;
  V[8] = 1;
  for (let sweep = 0; sweep < 8; sweep++) {
    const off = Math.abs(A[1]!) + Math.abs(A[2]!) + Math.abs(A[5]!);
    if (off <= 1e-14 * (A[0]! + A[4]! + A[8]!)) break;
    rotate(0, 1);
    rotate(0, 2);
    rotate(1, 2);
  }
  const least = 1e-6 * Math.max(A[0]!, A[4]!, A[8]!);
  f.fill(0);
  for (let k = 0; k < 3; k++) {
    const value = A[4 * k]!;
    if (!(value > least)) continue;
    const along = (V[k]! * e[0]! + V[3 + k]! * e[1]! + V[6 + k]! * e[2]!) / value;
    for (let c = 0; c < 3; c++) f[c] = f[c]! + along * V[3 * c + k]!;
  }
}

/** One rotation of Jacobi's that makes A[p][q] zero. */
function rotate(p: number, q: number): void {
  const apq = A[3 * p + q]!;
  if (apq === 0) return;
  const theta = (A[4 * q]! - A[4 * p]!) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < 3; k++) {
    const kp = A[3 * k + p]!;
    const kq = A[3 * k + q]!;
    A[3 * k + p] = c * kp - s * kq;
    A[3 * k + q] = s * kp + c * kq;
  }
  for (let k = 0; k < 3; k++) {
    const pk = A[3 * p + k]!;
    const qk = A[3 * q + k]!;
    A[3 * p + k] = c * pk - s * qk;
    A[3 * q + k] = s * pk + c * qk;
    const vp = V[3 * k + p]!;
    const vq = V[3 * k + q]!;
    V[3 * k + p] = c * vp - s * vq;
    V[3 * k + q] = s * vp + c * vq;
  }
}

/** Turns each joint by a share of r × f. All r are of the pose before the step. */
function step(chain: SolverChain, share: number): void {
  const { positions, points, weights } = chain;
  const end = positions.length - 3;
  let most = 0;
  for (let i = 0; i < end; i += 3) {
    const x = positions[end]! - positions[i]!;
    const y = positions[end + 1]! - positions[i + 1]!;
    const z = positions[end + 2]! - positions[i + 2]!;
    const k = share * weights[i / 3]!;
    points[i] = k * (y * f[2]! - z * f[1]!);
    points[i + 1] = k * (z * f[0]! - x * f[2]!);
    points[i + 2] = k * (x * f[1]! - y * f[0]!);
    if (hingeAxisOf(axis, chain, i / 3)) {
      const along = points[i]! * axis[0]! + points[i + 1]! * axis[1]! + points[i + 2]! * axis[2]!;
      for (let c = 0; c < 3; c++) points[i + c] = along * axis[c]!;
    }
    most = Math.max(most, squared(points[i]!) + squared(points[i + 1]!) + squared(points[i + 2]!));
  }
  const largest = Math.sqrt(most);
  const k = largest > LARGEST_STEP_TURN ? LARGEST_STEP_TURN / largest : 1;
  turnAll(chain, k);
}

/** Turns every joint but the effector by k times the turn, as a rotation vector in model space, in `points`. */
function turnAll(chain: SolverChain, k: number): void {
  const { points } = chain;
  const last = points.length / 3 - 1;
  // From the tip to the root: a joint's local turn depends on what is above it as it was before the step.
  for (let i = last - 1; i >= 0; i--) {
    const x = k * points[3 * i]!;
    const y = k * points[3 * i + 1]!;
    const z = k * points[3 * i + 2]!;
    const angle = Math.sqrt(x * x + y * y + z * z);
    const s = angle > 1e-9 ? sin(angle / 2) / angle : 0.5;
    turn[0] = s * x;
    turn[1] = s * y;
    turn[2] = s * z;
    turn[3] = cos(angle / 2);
    turnChainJoint(chain, i, turn, 0);
  }
  updateChain(chain);
}

/** Leads a chain out of a singularity: joints turn to and fro about an axis square to the way to the goal. */
function kick(chain: SolverChain, count: number): void {
  const { points } = chain;
  const size = Math.sqrt(e[0]! * e[0]! + e[1]! * e[1]! + e[2]! * e[2]!) || 1;
  // Square to e, another one each time; only that it is the same for the same chain matters.
  const a = count % 3;
  const b = (a + 1) % 3;
  for (let i = 0; i < points.length; i += 3) {
    const angle = (i % 2 === 0 ? 0.5 : -0.7) * (1 + 0.1 * count);
    points[i] = 0;
    points[i + 1] = 0;
    points[i + 2] = 0;
    points[i + a] = (angle * e[b]!) / size;
    points[i + b] = (-angle * e[a]!) / size;
    points[i + ((a + 2) % 3)] = 0.3 * angle;
  }
  turnAll(chain, 1);
}
