import { carrierOf, driverConstant, undoCarrier } from './driver-constants.js';
import { type PlacePlan, planPlacing } from './passes/place-joints.js';
import { type Pose, rotationOfMatrix } from './pose.js';
import { conjugateQuaternion, multiplyQuaternions } from './quaternion.js';
import { driverOf, type JointPair } from './rig-map.js';
import type { Setup } from './setup.js';

/** One of the turns that a target joint takes over. */
export type Factor = {
  /** The source joint whose turn it is. */
  source: number;
  /** Whether it is taken back: the joint stands above what drives the carrier, and not above the driver. */
  isUndone: boolean;
  /** What comes after it and never changes; null for nothing. */
  after: Float64Array | null;
};

/** How a target joint takes over several turns: its local rotation is pre · q₁ · after₁ · q₂ · after₂ … */
export type ProductTurn = { target: number; pre: Float64Array; factors: Factor[] };

/** All that a clip needs beside keys that are moved one by one: turns that are products, and placed joints. */
export type ProductPlan = { turns: ProductTurn[]; places: PlacePlan[] };

/**
 * The turn of a target joint as a product of the source's local turns; null where it is none, since it or what
 * carries it lies between two turns. As in `planKeys` the joint's local rotation is
 *
 *   L_t = U⁻¹ · K_a⁻¹ · (G_sa⁻¹ · G_s) · K_t
 *
 * and the bracket is the way from s_a up to where the two meet, undone, and from there down to s.
 * @param turning The source joints that turn in the clip at hand.
 * @param pose The pose in which all others stand while it plays.
 */
export function planProduct(
  setup: Setup,
  pose: Pose,
  turning: ReadonlySet<number>,
  byTarget: ReadonlyMap<number, JointPair>,
  pair: JointPair,
): ProductTurn | null {
  const { source, target, alignment } = setup;
  const { parents } = source.skeleton;
  const t = pair.target;
  const carrier = carrierOf(setup, byTarget, t);
  if (pair.share || carrier?.share) return null;
  const above = new Set<number>();
  const down: number[] = [];
  for (let at = carrier ? driverOf(carrier) : -1; at >= 0; at = parents[at]!) above.add(at);
  for (let at = driverOf(pair); at >= 0 && !above.has(at); at = parents[at]!) down.unshift(at);
  const meeting = down.length > 0 ? parents[down[0]!]! : driverOf(pair);
  const up: number[] = [];
  for (const at of above) {
    if (at === meeting) break;
    up.push(at);
  }
  const pre = carrier ? undoCarrier(setup, carrier, t) : new Float64Array(4);
  if (!carrier) {
    const parent = target.skeleton.parents[t]!;
    if (parent >= 0) conjugateQuaternion(pre, 0, alignment.model.rotations, 4 * parent);
    else {
      rotationOfMatrix(pre, 0, target.skeleton.container, 0);
      conjugateQuaternion(pre, 0, pre, 0);
    }
    const container = new Float64Array(4);
    rotationOfMatrix(container, 0, source.skeleton.container, 0);
    multiplyQuaternions(pre, 0, pre, 0, container, 0);
  }
  const turn: ProductTurn = { target: t, pre, factors: [] };
  const still = new Float64Array(4);
  for (const joint of up)
    if (turning.has(joint)) turn.factors.push({ source: joint, isUndone: true, after: null });
    else {
      conjugateQuaternion(still, 0, pose.rotations, 4 * joint);
      append(turn, still, 0);
    }
  for (const joint of down)
    if (turning.has(joint)) turn.factors.push({ source: joint, isUndone: false, after: null });
    else append(turn, pose.rotations, 4 * joint);
  append(turn, driverConstant(setup, driverOf(pair), t), 0);
  return turn;
}

/** Puts a turn that never changes at the end of a product. */
function append({ pre, factors }: ProductTurn, q: Float64Array, i: number): void {
  const last = factors[factors.length - 1];
  if (!last) multiplyQuaternions(pre, 0, pre, 0, q, i);
  else if (last.after) multiplyQuaternions(last.after, 0, last.after, 0, q, i);
  else last.after = q.slice(i, i + 4);
}

/**
 * How placed joints follow from tracks of what carries them; null where that is not all: something above one of them
 * moves, or it hangs on another, or is mirrored.
 */
export function planPlaces(setup: Setup): PlacePlan[] | null {
  const { scales } = setup.alignment.pose;
  const placed = new Set(setup.alignment.placed.map(({ joint }) => joint));
  const plans = planPlacing(setup);
  const isPlain = ({ path, into }: PlacePlan) =>
    into !== null &&
    path.every((joint) => !placed.has(joint) && [0, 1, 2].every((c) => scales[3 * joint + c]! > 0));
  return plans.every(isPlain) ? plans : null;
}
