import { subtractVectors, type Vec3, vectorAngle, vectorLength } from '../base/math/vector.js';
import { bodyPoseOf } from '../body/body.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import type { Rig } from '../body/rig.js';
import { driverOf, type JointPair, type RigMap } from '../map/rig-map.js';
import type { AlignmentMode } from '../options/joint-rules.js';

/** Where a line of the target points, and where it shall point as the source's does; model space. */
export type ChainDirection = { source: Vec3; target: Vec3 };

/** Directions nearer than this, in radians, are the same. */
const SAME_DIRECTION = 1e-6;

/**
 * Which joints without a role are turned so that the chains they begin point as the source's do, in the
 * reference poses: tails, by the line from their first mapped joint to their last, so that their own curve stays.
 * Between foxes, wolves and cats of three collections tails then point as the source's to 1 degree instead of 18
 * to 41. Legs of animals, ears, necks and spines keep their slopes, which are anatomy. Wings keep theirs too: bone
 * by bone they came no nearer (bird on eagle 14 degrees either way, bird on dragon 43 instead of 40).
 * Chains that a mode is told for are turned by their line or bone by bone, or not at all, whatever they are.
 * @param modes By the name of a chain of the target.
 * @returns per target joint what is swung at it.
 */
export function directionsOfChains(
  source: Rig,
  target: Rig,
  map: RigMap,
  modes: ReadonlyMap<string, AlignmentMode> = new Map(),
): Map<number, ChainDirection> {
  const directions = new Map<number, ChainDirection>();
  const pairs = new Map(map.joints.filter(({ role }) => role === null).map((pair) => [pair.target, pair]));
  if (pairs.size < 2) return directions;
  const chains = armatureOfRig(target).chains.flatMap(({ name, kind, joints }) => {
    const mode = modes.get(name) ?? (kind === 'tail' ? 'line' : 'keep');
    const driven = joints.flatMap((joint) => pairs.get(joint) ?? []);
    return mode === 'keep' || driven.length < 2 ? [] : [{ mode, driven, isTold: modes.has(name) }];
  });
  if (chains.length === 0) return directions;
  const isTail = new Set(tailsOf(source).flat());
  const from = bodyPoseOf(source.skeleton, source.reference.pose, source.joints).positions;
  const to = bodyPoseOf(target.skeleton, target.reference.pose, target.joints).positions;
  const point = (first: JointPair, last: JointPair) => {
    const direction = {
      source: subtractVectors(from[driverOf(last)]!, from[first.sources[0]!]!),
      target: subtractVectors(to[last.target]!, to[first.target]!),
    };
    const isLong = vectorLength(direction.source) > 0 && vectorLength(direction.target) > 0;
    if (isLong && vectorAngle(direction.source, direction.target) > SAME_DIRECTION)
      directions.set(first.target, direction);
  };
  for (const { mode, driven, isTold } of chains) {
    if (!isTold && driven.some((pair) => !isTail.has(driverOf(pair)))) continue;
    if (mode === 'line') point(driven[0]!, driven[driven.length - 1]!);
    else for (let k = 1; k < driven.length; k++) point(driven[k - 1]!, driven[k]!);
  }
  return directions;
}

function tailsOf(rig: Rig): number[][] {
  return armatureOfRig(rig).chains.flatMap(({ kind, joints }) => (kind === 'tail' ? [joints] : []));
}
