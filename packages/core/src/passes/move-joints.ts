import {
  channelsOfClip,
  type JointChannels,
  type JointMove,
  type JointScaling,
  moveJoint,
  planJointMoves,
  planJointScalings,
  scaleJoint,
} from '../align/joint-channels.js';
import type { Pose } from '../scene/pose.js';
import { definePass, type Frame } from './pass.js';

/**
 * Moves and scales driven joints in their parents as their drivers move and scale, each from its reference:
 * faces, cloth, tails and everything else whose motion is not in rotations alone. Comes before the root is
 * moved, which asks where the joints above it are.
 */
export const moveJoints = definePass<'moveJoints', JointChannels, JointChannels>({
  name: 'moveJoints',
  summary: 'moves and scales joints in their parents as their drivers do, from the references',
  options: ['translations', 'scales'],
  byKeys: true,
  restsOnOwnBody: true,
  standsAlone: true,
  readsDrivers: true,
  compile({ pair, options }) {
    const moves = planJointMoves(pair, options.translations);
    const scalings = planJointScalings(pair, options.scales);
    return moves.length === 0 && scalings.length === 0 ? null : { moves, scalings };
  },
  writes(data, { found }) {
    const { moves, scalings } = found ?? data;
    return { moves: moves.map(({ target }) => target), scales: scalings.map(({ target }) => target) };
  },
  plan: (data, { setup, clip }) => channelsOfClip({ ...data, source: setup.source }, clip),
  prepare(data, { setup: { source }, found, place }) {
    const { moves, scalings } = found ?? data;
    if (moves.length === 0 && scalings.length === 0) return () => {};
    // Turns and scales of joints between carrier and driver move the driver too.
    const between = watched(moves.map(({ path }) => ({ path: path.subarray(0, -1) })));
    const scaled = watched(scalings);
    const plan: ChannelPlan = {
      moves,
      places: storesOf(moves),
      scalings,
      scales: storesOf(scalings),
      reference: source.reference.pose,
      moved: watched(moves),
      between,
      scaled,
      betweenAlone: between.filter((joint) => !scaled.includes(joint)),
    };
    return (frame) => {
      if (moveFrame(frame, plan)) place?.(frame);
    };
  },
});

type ChannelPlan = {
  moves: readonly JointMove[];
  places: Stores;
  scalings: readonly JointScaling[];
  scales: Stores;
  reference: Pose;
  moved: Int32Array;
  between: Int32Array;
  scaled: Int32Array;
  /** Those between that are not among the scaled. */
  betweenAlone: Int32Array;
};

/** What joints get while nothing is off its reference, flat: that is nearly always, and objects one by one cost more. */
type Stores = { at: Int32Array; to: Float64Array };

function storesOf(parts: readonly { target: number; to: Float64Array }[]): Stores {
  return {
    at: Int32Array.from(parts, ({ target }) => 3 * target),
    to: Float64Array.from(parts.flatMap(({ to }) => [...to])),
  };
}

function store(out: Float64Array, { at, to }: Stores): void {
  for (let n = 0; n < at.length; n++) {
    const o = at[n]!;
    const i = 3 * n;
    out[o] = to[i]!;
    out[o + 1] = to[i + 1]!;
    out[o + 2] = to[i + 2]!;
  }
}

function watched(parts: readonly { path: Int32Array }[]): Int32Array {
  return Int32Array.from(new Set(parts.flatMap(({ path }) => [...path])));
}

/** Whether anything was off its reference. Most poses are not, and finding that out costs next to nothing. */
function moveFrame(
  frame: Frame,
  { moves, places, scalings, scales, reference, moved, between, scaled, betweenAlone }: ChannelPlan,
): boolean {
  const { source, target } = frame;
  const isScaled = differs(source.scales, reference.scales, scaled, 3);
  const isMoved =
    differs(source.translations, reference.translations, moved, 3) ||
    differs(source.rotations, reference.rotations, between, 4) ||
    differs(source.scales, reference.scales, isScaled ? between : betweenAlone, 3);
  if (isMoved)
    for (let n = 0; n < moves.length; n++)
      moveJoint(target.translations, 3 * moves[n]!.target, moves[n]!, source);
  else store(target.translations, places);
  if (isScaled)
    for (let n = 0; n < scalings.length; n++)
      scaleJoint(target.scales, 3 * scalings[n]!.target, scalings[n]!, source);
  else store(target.scales, scales);
  return isMoved || isScaled;
}

function differs(a: Float64Array, b: Float64Array, joints: Int32Array, size: number): boolean {
  for (let n = 0; n < joints.length; n++) {
    const i = size * joints[n]!;
    if (isOff(a, b, i) || isOff(a, b, i + 1) || isOff(a, b, i + 2) || (size > 3 && isOff(a, b, i + 3)))
      return true;
  }
  return false;
}

/** What float32 keys and taking matrices apart lose, 5e-7 in files of Blender's, is no difference. */
function isOff(a: Float64Array, b: Float64Array, i: number): boolean {
  return a[i] !== b[i] && !(Math.abs(a[i]! - b[i]!) <= 2e-6 * (Math.abs(b[i]!) + 1e-3));
}
