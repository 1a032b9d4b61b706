import { UsageError } from '../base/errors.js';
import { driverOf, type RigMap } from '../map/rig-map.js';
import type { RootRule } from '../options/root-rule.js';
import { findJoint } from '../scene/joint-names.js';
import type { AlignedPair } from './aligned-pair.js';

/** How the travelling joint is moved, in model space: p' = to + scale · (p − from), per axis. */
export type RootMove = { from: Float64Array; to: Float64Array; scale: Float64Array };

/** The travelling joint's move: from reference to aligned reference, stretched by the root scales; null for none. */
export function createRootMove(
  { source, target, travel, sourceReference, alignment, rootScales: scales }: AlignedPair,
  rule: RootRule = {},
): RootMove | null {
  if (!travel) return null;
  const from = sourceReference.matrices.slice(16 * travel.source + 12, 16 * travel.source + 15);
  const to = alignment.model.matrices.slice(16 * travel.target + 12, 16 * travel.target + 15);
  const scale = Float64Array.of(
    scales.x ?? scales.horizontal,
    scales.vertical,
    scales.z ?? scales.horizontal,
  );
  if (rule.copyPosition === false) return { from, to, scale: scale.fill(0) };
  const share = rule.positionScale ?? 1;
  // Between f_t + (p − f_s), with f the floors, and to + v · (p − from): both are straight lines in p.
  to[1] = share * to[1]! + (1 - share) * (target.floor.height + from[1]! - source.floor.height);
  for (let c = 0; c < 3; c++) scale[c] = share * scale[c]! + (1 - share);
  return { from, to, scale };
}

/** The source joint that root motion is read from, and the place on the target that headings turn about, xyz. */
export type RootMotionJoint = { source: number; centre: Float64Array };

/**
 * Finds the joint that root motion is read from; null where nothing travels.
 * @throws UsageError where the name is no joint that moves.
 * @param map Who drives whom, with joints that stay in their own reference.
 * @param name A joint of either side, or a body part; the travelling one if left out.
 */
export function findRootMotionJoint(
  { source, target, travel, alignment }: AlignedPair,
  map: RigMap,
  name?: string,
): RootMotionJoint | null {
  if (!travel) return null;
  const centreAt = (joint: number) => alignment.model.matrices.slice(16 * joint + 12, 16 * joint + 15);
  if (name === undefined) return { source: travel.source, centre: centreAt(travel.target) };
  const onTarget = findJoint(target.skeleton, name);
  const onSource = findJoint(source.skeleton, name);
  const pair =
    map.joints.find(
      (candidate) => candidate.target === onTarget || (onSource !== null && driverOf(candidate) === onSource),
    ) ?? (onSource === null ? map.joints.find(({ role }) => role === name) : undefined);
  if (pair) return { source: driverOf(pair), centre: centreAt(pair.target) };
  if (onSource !== null) return { source: onSource, centre: centreAt(travel.target) };
  throw new UsageError(
    onTarget === null
      ? `rootMotionJoint is "${name}", which is neither a joint of one of the skeletons nor a body part`
      : `rootMotionJoint is "${name}", which nothing drives: it has no motion to read`,
  );
}
