import { subtractVectors, type Vec3, vectorAngle, vectorLength } from '../base/math/vector.js';
import { bodyPoseOf } from '../body/body.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import type { Rig } from '../body/rig.js';
import { driverOf, type RigMap } from '../map/rig-map.js';

/** Where a line of the target points, and where it shall point as the source's does; model space. */
export type ChainDirection = { source: Vec3; target: Vec3 };

/** Directions nearer than this, in radians, are the same. */
const SAME = 1e-6;

/**
 * Which joints without a role are turned so that the chains they begin point as the source's do, in the
 * reference poses: tails, by the line from their first mapped joint to their last, so that their own curve stays.
 * Between foxes, wolves and cats of three collections tails then point as the source's to 1 degree instead of 18
 * to 41. Legs of animals, ears, necks and spines keep their slopes, which are anatomy. Wings keep theirs too: bone
 * by bone they came no nearer (bird on eagle 14 degrees either way, bird on dragon 43 instead of 40).
 * @returns per target joint what is swung at it.
 */
export function directionsOfChains(source: Rig, target: Rig, map: RigMap): Map<number, ChainDirection> {
  const directions = new Map<number, ChainDirection>();
  const pairs = new Map(map.joints.filter(({ role }) => role === null).map((pair) => [pair.target, pair]));
  if (pairs.size < 2) return directions;
  const tails = tailsOf(target).map((joints) => joints.flatMap((joint) => pairs.get(joint) ?? []));
  if (tails.every((tail) => tail.length < 2)) return directions;
  const isTail = new Set(tailsOf(source).flat());
  const from = bodyPoseOf(source.skeleton, source.reference.pose, source.joints).positions;
  const to = bodyPoseOf(target.skeleton, target.reference.pose, target.joints).positions;
  for (const tail of tails) {
    const [first, last] = [tail[0], tail[tail.length - 1]];
    if (!first || !last || first === last || tail.some((pair) => !isTail.has(driverOf(pair)))) continue;
    const direction = {
      source: subtractVectors(from[driverOf(last)]!, from[first.sources[0]!]!),
      target: subtractVectors(to[last.target]!, to[first.target]!),
    };
    const isLong = vectorLength(direction.source) > 0 && vectorLength(direction.target) > 0;
    if (isLong && vectorAngle(direction.source, direction.target) > SAME)
      directions.set(first.target, direction);
  }
  return directions;
}

function tailsOf(rig: Rig): number[][] {
  return armatureOfRig(rig).chains.flatMap(({ kind, joints }) => (kind === 'tail' ? [joints] : []));
}
