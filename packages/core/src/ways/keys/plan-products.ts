import type { PlacedJoint } from '../../align/align-references.js';
import { driverConstant, undoCarrier } from '../../align/driver-constants.js';
import { conjugateQuaternion, divideQuaternions, multiplyQuaternions } from '../../base/math/quaternion.js';
import { carrierOf, driverOf, type JointPair } from '../../map/rig-map.js';
import { type PlacePlan, planPlacing } from '../../passes/parts/carry-joints.js';
import type { Setup } from '../../passes/pass.js';
import { movedJoints } from '../../passes/run-passes.js';
import { type Pose, rotationOfMatrix } from '../../scene/pose.js';

/** One of the turns that a target joint takes over. */
export type Factor = {
  /** The source joint whose turn it is. */
  source: number;
  /** Whether it is taken back: the joint stands above what drives the carrier, and not above the driver. */
  isUndone: boolean;
  /** What comes after it and never changes; null for nothing. */
  after: Float64Array | null;
};

/** A product of turns: pre · q₁ · after₁ · q₂ · after₂ … */
export type TurnChain = { pre: Float64Array; factors: Factor[] };

/** Where a joint is turned to: by one product, or on the arc between two. */
export type TurnArc = { to: TurnChain; share: { from: TurnChain; weight: number } | null };

/** How a target joint takes over several turns: its local rotation is that of the chain. */
export type ProductTurn = TurnChain & { target: number };

/**
 * How a target joint is turned that shares a turn, or hangs on one that does: its local rotation is undo · X⁻¹ · Y, with
 * Y where the joint itself is turned to and X where its carrier is, both counted from where all their drivers meet.
 */
export type SharedProduct = { target: number; undo: Float64Array; carrier: TurnArc | null; own: TurnArc };

/** All that a clip needs beside keys that are moved one by one: turns that are made of several, and placed joints. */
export type ProductPlan = {
  /** Parents first. */
  turns: (ProductTurn | SharedProduct)[];
  /** The source joints whose turns they are made of. */
  sources: number[];
  places: PlacePlan[];
  /** The source joints whose keys make frames: those, and what says where placed joints are. */
  matters: Set<number>;
};

/** The source joints whose turns make that of a target joint. */
export function factorsOf(turn: ProductTurn | SharedProduct): number[] {
  if ('factors' in turn) return turn.factors.map(({ source }) => source);
  const chains = [turn.own, turn.carrier].flatMap((arc) =>
    arc ? [arc.to, ...(arc.share ? [arc.share.from] : [])] : [],
  );
  return [...new Set(chains.flatMap(({ factors }) => factors.map(({ source }) => source)))];
}

/** What in a clip turns, and the pose in which all else stands while it plays. */
export type TurningPose = { pose: Pose; turning: ReadonlySet<number> };

/**
 * The turn of a target joint as a product of the source's local turns. As in `planKeys` the joint's local rotation is
 *
 *   L_t = U⁻¹ · K_a⁻¹ · (G_sa⁻¹ · G_s) · K_t
 *
 * and the bracket is the way from s_a up to where the two meet, undone, and from there down to s.
 * @param pair One that shares no turn, nor does what carries it.
 */
export function planProduct(
  setup: Setup,
  standing: TurningPose,
  byTarget: ReadonlyMap<number, JointPair>,
  pair: JointPair,
): ProductTurn {
  const { parents } = setup.source.skeleton;
  const t = pair.target;
  const carrier = carrierOf(setup, byTarget, t);
  const up: number[] = [];
  const down: number[] = [];
  // Parents stand before their children: whichever of the two is behind goes up, until they meet.
  let from = carrier ? driverOf(carrier) : -1;
  let to = driverOf(pair);
  while (from !== to)
    if (from > to) {
      up.push(from);
      from = parents[from]!;
    } else {
      down.push(to);
      to = parents[to]!;
    }
  const pre = carrier ? undoCarrier(setup, carrier, t) : undoContainers(setup, t);
  const turn: ProductTurn = { target: t, pre, factors: [] };
  for (const joint of up) appendJoint(turn, standing, joint, true);
  for (const joint of down.reverse()) appendJoint(turn, standing, joint, false);
  append(turn, driverConstant(setup, driverOf(pair), t), 0);
  return turn;
}

/** The turn of a target joint that shares one, or whose carrier does; see {@link SharedProduct}. */
export function planShared(
  setup: Setup,
  standing: TurningPose,
  byTarget: ReadonlyMap<number, JointPair>,
  pair: JointPair,
): SharedProduct {
  const { target, alignment } = setup;
  const t = pair.target;
  const carrier = carrierOf(setup, byTarget, t);
  const pairs = carrier ? [pair, carrier] : [pair];
  const meeting = carrier ? meetingOf(setup, pairs.flatMap(turnsOf)) : -1;
  const chainTo = (driver: number, joint: number): TurnChain => {
    const chain: TurnChain = { pre: Float64Array.of(0, 0, 0, 1), factors: [] };
    const down: number[] = [];
    for (let at = driver; at !== meeting; at = setup.source.skeleton.parents[at]!) down.unshift(at);
    for (const at of down) appendJoint(chain, standing, at, false);
    append(chain, driverConstant(setup, driver, joint), 0);
    return chain;
  };
  const arcOf = (of: JointPair): TurnArc => ({
    to: chainTo(driverOf(of), of.target),
    share: of.share ? { from: chainTo(of.share.from, of.target), weight: of.share.weight } : null,
  });
  let undo = undoContainers(setup, t);
  if (carrier) {
    undo = new Float64Array(4);
    const { rotations } = alignment.model;
    divideQuaternions(undo, 0, rotations, 4 * target.skeleton.parents[t]!, rotations, 4 * carrier.target);
  }
  return { target: t, undo, carrier: carrier && arcOf(carrier), own: arcOf(pair) };
}

/** The source joints between whose turns a target joint is turned. */
function turnsOf(pair: JointPair): number[] {
  return pair.share ? [driverOf(pair), pair.share.from] : [driverOf(pair)];
}

/** The lowest source joint that is above all of some, or one of them; −1 where there is none. */
function meetingOf({ source: { skeleton } }: Setup, joints: readonly number[]): number {
  const { parents } = skeleton;
  const counts = new Map<number, number>();
  for (const joint of joints)
    for (let at = joint; at >= 0; at = parents[at]!) counts.set(at, (counts.get(at) ?? 0) + 1);
  for (let at = joints[0]!; at >= 0; at = parents[at]!) if (counts.get(at) === joints.length) return at;
  return -1;
}

/** What takes the source's root into the space of what a target joint hangs on, where nothing above it is driven. */
function undoContainers({ source, target, alignment }: Setup, t: number): Float64Array {
  const undo = new Float64Array(4);
  const parent = target.skeleton.parents[t]!;
  if (parent >= 0) conjugateQuaternion(undo, 0, alignment.model.rotations, 4 * parent);
  else {
    rotationOfMatrix(undo, 0, target.skeleton.container, 0);
    conjugateQuaternion(undo, 0, undo, 0);
  }
  const container = new Float64Array(4);
  rotationOfMatrix(container, 0, source.skeleton.container, 0);
  multiplyQuaternions(undo, 0, undo, 0, container, 0);
  return undo;
}

const still = new Float64Array(4);

/** Puts a source joint's turn at the end of a product: as a factor, or as it stands. */
function appendJoint(
  chain: TurnChain,
  { pose, turning }: TurningPose,
  joint: number,
  isUndone: boolean,
): void {
  if (turning.has(joint)) chain.factors.push({ source: joint, isUndone, after: null });
  else if (isUndone) {
    conjugateQuaternion(still, 0, pose.rotations, 4 * joint);
    append(chain, still, 0);
  } else append(chain, pose.rotations, 4 * joint);
}

/** Puts a turn that never changes at the end of a product. */
function append({ pre, factors }: TurnChain, q: Float64Array, i: number): void {
  const last = factors[factors.length - 1];
  if (!last) multiplyQuaternions(pre, 0, pre, 0, q, i);
  else if (last.after) multiplyQuaternions(last.after, 0, last.after, 0, q, i);
  else last.after = q.slice(i, i + 4);
}

/**
 * How placed joints follow from tracks of what carries them; null where that is not all: something above one of them
 * moves, or it hangs on another, or is mirrored.
 */
export function planPlaces(setup: Setup, joints: readonly PlacedJoint[]): PlacePlan[] | null {
  const { scales } = setup.alignment.pose;
  const placed = new Set(joints.map(({ joint }) => joint));
  const plans = planPlacing(setup, movedJoints(setup, null), joints);
  const isPlain = ({ path, into }: PlacePlan) =>
    into !== null &&
    path.every((joint) => !placed.has(joint) && [0, 1, 2].every((c) => scales[3 * joint + c]! > 0));
  return plans.every(isPlain) ? plans : null;
}
