import { IDENTITY } from '../base/math/flat-constants.js';
import { hypot } from '../base/math/functions.js';
import { multiplyMatrices } from '../base/math/matrix.js';
import { conjugateQuaternion, multiplyQuaternions, quaternionAngle } from '../base/math/quaternion.js';
import { driverOf, type JointPair } from '../map/rig-map.js';
import type { Setup } from '../passes/pass.js';
import type { Clip } from '../scene/clip.js';
import { rotationOfMatrix, signRotation } from '../scene/pose.js';
import { isStill } from '../scene/still-track.js';
import { signRotationsOf } from './retargeted-bind.js';

/** A node of a retargeted bind pose: a joint of the target in the source's axes, or one that was added above it. */
export type BindNode = {
  /** Index of the node it hangs on, which stands before it; −1 for roots. */
  parent: number;
  /** The target joint that it is; −1 where it was added. */
  joint: number;
  /** Local, in the unit of the target's file. */
  translation: [number, number, number];
  /** Local, xyzw, in the retargeted bind pose. */
  rotation: [number, number, number, number];
  /** The source joint whose rotation keys turn it as they are; −1 for none. */
  driver: number;
  /** Whether it takes the driver's turn back: its keys are then the driver's with x, y and z negated. */
  inverse: boolean;
};

/**
 * A target's bind pose in the source's own joint axes, as nodes that any player of a file can turn by the
 * source's unchanged rotation keys: plain data.
 */
export type BindNodes = {
  nodes: BindNode[];
  /** Per target joint its node. */
  jointNodes: Int32Array;
  /** Per target joint the node that its translation stands on: the first of those that were added for it, or itself. */
  headNodes: Int32Array;
  /**
   * Per target joint what takes its own axes to those of its node, scale included, in the unit of the target's
   * file: 16 numbers. Times a skin's inverse bind it is the new one; it does not shift.
   */
  changes: Float64Array;
  /** xyzw per target joint: the turn in `changes`. */
  turns: Float64Array;
  /** Target joints whose rotation keys must be computed, since they lie between two turns of the source or hang on such. */
  computed: number[];
};

/**
 * Makes the nodes by which a target's mesh is driven by the unchanged rotation keys of the source's clips in any
 * player (S4–S8). Players put one joint's keys on one node and add up from parent to child, so where the source
 * has more joints on the way than the target, nodes are added in the same place that carry their keys; where the
 * target hangs a joint on what the source does not, nodes are added that take turns back. With F the node, U the
 * target's joint moved the usual way,
 *
 *   U_i = F_i · C_i, with C_i constant      inverse bind of i = C_i · (target's own)
 *   t_i = C_parent · (the usual translation), which holds for moving ones as well
 *
 * @param clips those that will be played: source joints that none of them turns need no node.
 */
export function createBindNodes(setup: Setup, clips: readonly Clip[]): BindNodes {
  const { target, map, alignment, sourceReference } = setup;
  const { parents } = target.skeleton;
  const count = parents.length;
  const frames = readSourceFrames(setup, clips);
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const nodes: BindNode[] = [];
  const plan: BindNodes = {
    nodes,
    jointNodes: new Int32Array(count).fill(-1),
    headNodes: new Int32Array(count).fill(-1),
    changes: new Float64Array(16 * count),
    turns: new Float64Array(4 * count),
    computed: [],
  };
  const at: NodeFrame[] = [];
  const K = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    const p = parents[i]!;
    const above: NodeFrame = p < 0 ? ROOT : at[p]!;
    const pair = pairs.get(i);
    const local = ownTurn(setup, i);
    // The turn of the parent's axes; of the file itself there is none.
    const aboveTurn = p < 0 ? IDENTITY : plan.turns.slice(4 * p, 4 * p + 4);
    let frame: NodeFrame;
    let steps: BindStep[] = [];
    if (!pair) {
      const wanted = suffixForChildren(setup, pairs, frames, above, i);
      frame = { base: above.base, suffix: wanted ?? product(above.suffix, local) };
      steps = [still(product(inverseOf(above.suffix), frame.suffix))];
      plan.turns.set(product(inverseOf(steps[0]!.rotation), product(aboveTurn, local)), 4 * i);
    } else {
      const driver = driverOf(pair);
      conjugateQuaternion(K, 0, sourceReference.rotations, 4 * driver);
      multiplyQuaternions(K, 0, K, 0, alignment.model.rotations, 4 * i);
      const isComputed = pair.share !== undefined || above.base === BETWEEN;
      if (pair.share) frame = { base: BETWEEN, suffix: IDENTITY };
      else if (above.base === BETWEEN) frame = { base: frames.bases[driver]!, suffix: IDENTITY };
      else ({ frame, steps } = goTo(setup, frames, above, frames.bases[driver]!));
      const tail = pair.share ? IDENTITY : frames.tailOf(driver);
      if (!isComputed && steps.length === 0) {
        // The driver does not turn. In its axes, not its parent's, what hangs on it needs no node between.
        steps = [still(product(inverseOf(frame.suffix), tail))];
        frame = { base: frame.base, suffix: tail };
      }
      plan.turns.set(product(inverseOf(frame.suffix), product(tail, K)), 4 * i);
      if (isComputed) {
        plan.computed.push(i);
        const turn = plan.turns.slice(4 * i, 4 * i + 4);
        steps = [still(product(product(aboveTurn, local), inverseOf(turn)))];
      }
    }
    at.push(frame);
    writeChange(plan, setup, i);
    const { translations } = alignment.pose;
    const place = changeVector(plan.changes, p, translations.subarray(3 * i, 3 * i + 3));
    steps.forEach(({ rotation, driver, inverse }, n) => {
      const isLast = n === steps.length - 1;
      nodes.push({
        parent: n > 0 ? nodes.length - 1 : p < 0 ? -1 : plan.jointNodes[p]!,
        joint: isLast ? i : -1,
        translation: n === 0 ? place : [0, 0, 0],
        rotation: [rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!],
        driver,
        inverse,
      });
      if (n === 0) plan.headNodes[i] = nodes.length - 1;
    });
    plan.jointNodes[i] = nodes.length - 1;
  }
  return plan;
}

/** Where a node's axes stand: those of a turning source joint after its turn, then a constant turn. */
type NodeFrame = { base: number; suffix: Float64Array };
type BindStep = { rotation: Float64Array; driver: number; inverse: boolean };

/** The base of joints between two turns of the source, whose axes no path of its joints leads to. */
const BETWEEN = -2;
const ROOT: NodeFrame = { base: -1, suffix: IDENTITY };
/** A turn that no vertex shows: a nanometre at a metre. */
const UNSEEN_TURN = 1e-9;

type SourceFrames = {
  /** Per source joint the nearest that turns, itself or above it; −1 for none. */
  bases: Int32Array;
  /** The constant turn from there to the joint, in the target's file; of −1, from the file to the source's space. */
  tailOf(joint: number): Float64Array;
  /** The turning joints on the way down to one, itself included, after −1. */
  pathOf(base: number): number[];
};

function readSourceFrames({ source, target, map }: Setup, clips: readonly Clip[]): SourceFrames {
  const { parents, rest, container } = source.skeleton;
  const count = parents.length;
  const needed = new Set(
    map.joints.flatMap((pair) => [driverOf(pair), ...(pair.share ? [pair.share.from] : [])]),
  );
  const turning = new Set<number>();
  for (const { tracks } of clips)
    for (const track of tracks) {
      if (track.channel !== 'rotation' || track.times.length === 0) continue;
      // Exporters write keys for joints that never turn; those of joints that drive nothing need no node.
      const isLasting =
        needed.has(track.joint) ||
        !isStill(track) ||
        quaternionAngle(
          track.values,
          track.interpolation === 'cubic' ? 4 : 0,
          rest.rotations,
          4 * track.joint,
        ) > 1e-6;
      if (isLasting) turning.add(track.joint);
    }
  const signs = signRotationsOf(source.skeleton);
  const bases = new Int32Array(count);
  const tails = new Float64Array(4 * count + 4);
  const top = new Float64Array(8);
  rotationOfMatrix(top, 0, target.skeleton.container, 0);
  rotationOfMatrix(top, 4, container, 0);
  conjugateQuaternion(top, 0, top, 0);
  multiplyQuaternions(tails, 4 * count, top, 0, top, 4);
  for (let s = 0; s < count; s++) {
    const p = parents[s]!;
    bases[s] = turning.has(s) ? s : p < 0 ? -1 : bases[p]!;
    if (turning.has(s)) tails[4 * s + 3] = 1;
    else multiplyQuaternions(tails, 4 * s, tails, 4 * (p < 0 ? count : p), rest.rotations, 4 * s);
    if (signs) multiplyQuaternions(tails, 4 * s, tails, 4 * s, signs, 4 * s);
  }
  return {
    bases,
    tailOf: (joint) => tails.slice(4 * (joint < 0 ? count : joint), 4 * (joint < 0 ? count : joint) + 4),
    pathOf: (base) => {
      const path: number[] = [];
      for (let at = base; at >= 0; at = parents[at]! < 0 ? -1 : bases[parents[at]!]!) path.push(at);
      return [-1, ...path.reverse()];
    },
  };
}

/** The turns that lead from the axes of one node to those of a source joint; at rest, as the source's reference has them. */
function goTo(
  { source: { skeleton, reference } }: Setup,
  { bases, tailOf, pathOf }: SourceFrames,
  from: NodeFrame,
  to: number,
): { frame: NodeFrame; steps: BindStep[] } {
  const done: BindStep[] = [];
  const turnTo = (wanted: Float64Array) => {
    const between = product(inverseOf(frame.suffix), wanted);
    if (!isIdentity(between)) done.push(still(between));
  };
  const referenceOf = (joint: number) => reference.pose.rotations.slice(4 * joint, 4 * joint + 4);
  let frame = from;
  const down = pathOf(to);
  while (frame.base >= 0 && !down.includes(frame.base)) {
    const driver = frame.base;
    turnTo(IDENTITY);
    done.push({ rotation: inverseOf(referenceOf(driver)), driver, inverse: true });
    const parent = skeleton.parents[driver]!;
    frame = { base: parent < 0 ? -1 : bases[parent]!, suffix: tailOf(parent) };
  }
  for (const driver of down.slice(down.indexOf(frame.base) + 1)) {
    turnTo(tailOf(skeleton.parents[driver]!));
    done.push({ rotation: referenceOf(driver), driver, inverse: false });
    frame = { base: driver, suffix: IDENTITY };
  }
  return { frame, steps: done };
}

/**
 * The constant turn that lets the first driven joint below one that is not stand in its driver's axes without a
 * node between; null where there is none, or more than a constant turn is needed.
 */
function suffixForChildren(
  { source, target }: Setup,
  pairs: ReadonlyMap<number, JointPair>,
  { bases, tailOf }: SourceFrames,
  above: NodeFrame,
  joint: number,
): Float64Array | null {
  if (above.base === BETWEEN) return null;
  for (let i = joint + 1; i < target.skeleton.parents.length; i++) {
    const pair = pairs.get(i);
    if (target.skeleton.parents[i] !== joint || !pair || pair.share) continue;
    const base = bases[driverOf(pair)]!;
    if (base < 0) continue;
    const parent = source.skeleton.parents[base]!;
    if ((parent < 0 ? -1 : bases[parent]!) === above.base) return tailOf(parent);
  }
  return null;
}

/** The local turn of a target joint in the aligned reference, the signs of its scale included. */
function ownTurn({ alignment: { pose } }: Setup, joint: number): Float64Array {
  const sign = new Float64Array(4);
  signRotation(sign, 0, pose.scales, 3 * joint);
  return product(pose.rotations.subarray(4 * joint, 4 * joint + 4), sign);
}

/** C of a joint: its turn, times what the aligned reference has of scale and skew. */
function writeChange({ changes, turns }: BindNodes, { alignment, target }: Setup, i: number): void {
  const { container } = target.skeleton;
  // Containers turn and scale evenly.
  const unit = hypot(container[0]!, container[1]!, container[2]!) || 1;
  const turn = product(
    turns.subarray(4 * i, 4 * i + 4),
    inverseOf(alignment.model.rotations.slice(4 * i, 4 * i + 4)),
  );
  const linear = alignment.model.matrices.slice(16 * i, 16 * i + 16);
  for (let n = 12; n < 15; n++) linear[n] = 0;
  for (let n = 0; n < 12; n++) linear[n] = linear[n]! / unit;
  multiplyMatrices(changes, 16 * i, matrixOf(turn), 0, linear, 0);
}

/** A rotation as a matrix. */
function matrixOf([x, y, z, w]: Float64Array): Float64Array {
  const [a, b, c, d] = [x!, y!, z!, w!];
  return Float64Array.of(
    ...[1 - 2 * (b * b + c * c), 2 * (a * b + c * d), 2 * (a * c - b * d), 0],
    ...[2 * (a * b - c * d), 1 - 2 * (a * a + c * c), 2 * (b * c + a * d), 0],
    ...[2 * (a * c + b * d), 2 * (b * c - a * d), 1 - 2 * (a * a + b * b), 0],
    ...[0, 0, 0, 1],
  );
}

/** A vector in a joint's own axes, in those of its node; as it is where there is no joint. */
export function changeVector(
  changes: Float64Array,
  joint: number,
  v: ArrayLike<number>,
): [number, number, number] {
  if (joint < 0) return [v[0]!, v[1]!, v[2]!];
  const m = 16 * joint;
  const row = (r: number) =>
    changes[m + r]! * v[0]! + changes[m + 4 + r]! * v[1]! + changes[m + 8 + r]! * v[2]!;
  return [row(0), row(1), row(2)];
}

/** a · b, in a new store. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(4);
  multiplyQuaternions(out, 0, a, 0, b, 0);
  return out;
}

/** The turn that takes another back, in a new store. */
export function inverseOf(q: Float64Array): Float64Array {
  const out = new Float64Array(4);
  conjugateQuaternion(out, 0, q, 0);
  return out;
}

function isIdentity(q: Float64Array): boolean {
  return hypot(q[0]!, q[1]!, q[2]!) < UNSEEN_TURN;
}

function still(rotation: Float64Array): BindStep {
  return { rotation, driver: -1, inverse: false };
}
