import { exp } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import {
  crossVectors,
  directionOf,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import { modelPoseOf, type Pose } from '../../scene/pose.js';
import type { BodyGraph } from './body-graph.js';
import type { FingerCast } from './cast-hand.js';
import type { LimbCast } from './cast-limbs.js';
import { type Humanoid, limbEnd } from './find-humanoid.js';

/** How much the way knees bend in motion can say. */
const MOTION_SAYS = 2.5;

/** Which way a body faces: 1 along across × up, −1 against it, 0 where nothing tells; how sure, and by what. */
export type FacingCast = { sign: -1 | 0 | 1; sure: number; reason: string };

/** Limbs that were found, left and right. */
export type LimbsCast = {
  legs: readonly LimbCast[];
  arms: readonly LimbCast[];
  hands: readonly FingerCast[][];
};

type Vote = { weight: number; reason: string };

/**
 * Tells front from back by what differs between them: toes, soles, the bend of knees in rest and motion,
 * elbows, thumbs. Every sign has a weight; the sum decides, its margin says how sure. Motion is looked at where it
 * could change the answer: a body that shows its front standing is the same in every clip.
 */
export function readFacing(
  graph: BodyGraph,
  body: Humanoid,
  { legs, arms, hands }: LimbsCast,
  pose: Pose,
  posesInMotion: () => readonly (readonly Vec3[])[],
): FacingCast {
  const { positions, up, across } = body;
  const ahead = crossVectors(across, up);
  const size = body.legs.length;
  const voteOf = (value: number, full: number, most: number, reason: string): Vote[] =>
    Number.isFinite(value) ? [{ weight: most * Math.max(-1, Math.min(1, value / full)), reason }] : [];
  const matrices = graph.skeleton.hulls ? modelPoseOf(graph.skeleton, pose).matrices : null;
  let toes = 0;
  let soles = 0;
  let knees = 0;
  legs.forEach((leg, side) => {
    if (leg.end < 0) return;
    const foot = positions[leg.end]!;
    const tip = positions[limbEnd(graph, body.legs.paths[side]!)]!;
    toes += dotVectors(subtractVectors(tip, foot), ahead) / size / 2;
    soles += soleAhead(graph, body, leg, matrices, ahead) / size / 2;
    knees += bendAhead(positions, leg, ahead) / size / 2;
  });
  let elbows = 0;
  for (const arm of arms) elbows -= bendAhead(positions, arm, ahead) / size / 2;
  let thumbs = 0;
  hands.forEach((hand, side) => {
    const thumb = hand.find(({ finger }) => finger === 'Thumb');
    const wrist = arms[side]!.end;
    if (!thumb || wrist < 0) return;
    const last = positions[thumb.joints[thumb.joints.length - 1]!]!;
    thumbs += dotVectors(subtractVectors(last, positions[wrist]!), ahead) / size / 2;
  });
  const standing = [
    ...voteOf(toes, 0.08, 3, 'toes'),
    ...voteOf(soles, 0.05, 3, 'soles'),
    ...voteOf(knees, 0.04, 1.2, 'knees'),
    ...voteOf(elbows, 0.04, 0.6, 'elbows'),
    ...voteOf(thumbs, 0.04, 1.2, 'thumbs'),
  ];
  if (Math.abs(standing.reduce((sum, { weight }) => sum + weight, 0)) > MOTION_SAYS) return count(standing);
  const poses = posesInMotion();
  let moving = 0;
  for (const pose of poses) {
    const turned = acrossIn(pose, legs, across);
    if (!turned) continue;
    for (const leg of legs) moving += bendAhead(pose, leg, crossVectors(turned, up)) / size;
  }
  // Where there is no motion the mean is no number, and no vote.
  return count([
    ...standing,
    ...voteOf(moving / poses.length, 0.06, MOTION_SAYS, 'the way knees bend in motion'),
  ]);
}

/** Sums up votes. One clear sign is enough; signs against it are doubts. */
function count(votes: readonly Vote[]): FacingCast {
  let sum = 0;
  let all = 0;
  for (const { weight } of votes) {
    sum += weight;
    all += Math.abs(weight);
  }
  if (Math.abs(sum) < 0.35) return { sign: 0, sure: 0, reason: 'front and back look the same' };
  const sign = sum > 0 ? 1 : -1;
  const agreeing = votes.filter(({ weight }) => weight * sign > 0.2).map(({ reason }) => reason);
  const agreement = Math.abs(sum) / all;
  const sure = Math.min(0.98, (0.55 + 0.45 * agreement) * (1 - 0.45 * exp(-1.3 * Math.abs(sum))));
  return { sign, sure, reason: agreeing.join(', ') };
}

/** How far the middle joint of a limb stands ahead of the line from its root to its end. */
function bendAhead(
  positions: readonly Vec3[],
  { upper, lower, end }: LimbCast,
  ahead: Readonly<Vec3>,
): number {
  if (upper < 0 || lower < 0 || end < 0) return 0;
  const from = positions[upper]!;
  const along = subtractVectors(positions[end]!, from);
  const offset = subtractVectors(positions[lower]!, from);
  const length = vectorLength(along);
  if (!(length > 0)) return 0;
  const t = dotVectors(along, offset) / (length * length);
  return dotVectors(subtractVectors(offset, scaleVector(along, t)), ahead);
}

/** From the second leg to the first in another pose, square to nothing in particular but of unit length. */
function acrossIn(pose: readonly Vec3[], legs: readonly LimbCast[], across: Readonly<Vec3>): Vec3 | null {
  const [a, b] = legs;
  if (!a || !b || a.upper < 0 || b.upper < 0) return null;
  return directionOf(subtractVectors(pose[a.upper]!, pose[b.upper]!)) ?? [...across];
}

/** How much further the skin of a foot goes ahead of the ankle than behind it. */
function soleAhead(
  { skeleton }: BodyGraph,
  { positions }: Humanoid,
  leg: LimbCast,
  matrices: Float64Array | null,
  ahead: Readonly<Vec3>,
): number {
  if (!skeleton.hulls || !matrices) return 0;
  const point = new Float64Array(3);
  let front = 0;
  let back = 0;
  for (const joint of [leg.end, leg.toes]) {
    const hull = joint >= 0 ? skeleton.hulls[joint] : null;
    if (!hull) continue;
    for (let i = 0; i + 2 < hull.length; i += 3) {
      transformPoint(point, 0, matrices, 16 * joint, hull, i);
      const reach = dotVectors(subtractVectors(vectorAt(point, 0), positions[leg.end]!), ahead);
      front = Math.max(front, reach);
      back = Math.max(back, -reach);
    }
  }
  return front - back;
}
