import { type JointMove, type JointScaling, moveJoint, scaleJoint } from '../joint-channels.js';
import type { Pass } from '../pipeline.js';
import type { Pose } from '../pose.js';
import type { Frame, Setup } from '../setup.js';
import { preparePlacing } from './place-joints.js';

/**
 * Moves and scales driven joints in their parents as their drivers move and scale, each from its reference:
 * faces, cloth, tails and everything else whose motion is not in rotations alone. Comes before the root is
 * moved, which asks where the joints above it are.
 */
export const moveJoints: Pass = {
  name: 'moveJoints',
  summary: 'moves and scales joints in their parents as their drivers do, from the references',
  options: [
    {
      name: 'translations',
      default: 'body parts rest, others boneLengthScaled',
      meaning: 'rest, rootScaled, boneLengthScaled or copied; for all or by target joint, `*` for the others',
    },
    { name: 'scales', default: 'copied', meaning: 'copied or rest' },
  ],
  prepare(setup: Setup): (frame: Frame) => void {
    const { moves, scalings, source } = setup;
    if (moves.length === 0 && scalings.length === 0) return () => {};
    const plan: ChannelPlan = {
      moves,
      scalings,
      reference: source.reference.pose,
      moved: watched(moves),
      // Turns and scales of joints between carrier and driver move the driver too.
      between: watched(moves.map(({ path }) => ({ path: path.subarray(0, -1) }))),
      scaled: watched(scalings),
    };
    const place = setup.alignment.placed.length > 0 ? preparePlacing(setup) : null;
    return (frame) => {
      if (moveFrame(frame, plan)) place?.(frame);
    };
  },
};

type ChannelPlan = {
  moves: readonly JointMove[];
  scalings: readonly JointScaling[];
  reference: Pose;
  moved: Int32Array;
  between: Int32Array;
  scaled: Int32Array;
};

function watched(parts: readonly { path: Int32Array }[]): Int32Array {
  return Int32Array.from(new Set(parts.flatMap(({ path }) => [...path])));
}

/** Whether anything was off its reference. Most poses are not, and finding that out costs next to nothing. */
function moveFrame(
  frame: Frame,
  { moves, scalings, reference, moved, between, scaled }: ChannelPlan,
): boolean {
  const { source, target } = frame;
  const isMoved =
    differs(source.translations, reference.translations, moved, 3) ||
    differs(source.rotations, reference.rotations, between, 4) ||
    differs(source.scales, reference.scales, between, 3);
  for (let n = 0; n < moves.length; n++) {
    const move = moves[n]!;
    const o = 3 * move.target;
    if (isMoved) moveJoint(target.translations, o, move, source);
    else for (let c = 0; c < 3; c++) target.translations[o + c] = move.to[c]!;
  }
  const isScaled = differs(source.scales, reference.scales, scaled, 3);
  for (let n = 0; n < scalings.length; n++) {
    const scaling = scalings[n]!;
    const o = 3 * scaling.target;
    if (isScaled) scaleJoint(target.scales, o, scaling, source);
    else for (let c = 0; c < 3; c++) target.scales[o + c] = scaling.to[c]!;
  }
  return isMoved || isScaled;
}

function differs(a: Float64Array, b: Float64Array, joints: Int32Array, size: number): boolean {
  for (let n = 0; n < joints.length; n++) {
    const i = size * joints[n]!;
    // What float32 keys lose is no difference.
    for (let c = i; c < i + size; c++)
      if (!(Math.abs(a[c]! - b[c]!) <= 2e-7 * (Math.abs(b[c]!) + 1e-3))) return true;
  }
  return false;
}
