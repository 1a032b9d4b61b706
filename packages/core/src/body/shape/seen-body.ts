import { didWork } from '../../base/watch-work.js';
import type { Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { type BodyGraph, createBodyGraph } from './body-graph.js';
import { findLimbPairs, type LimbPair } from './limb-pairs.js';

/** A body as its shape is looked at: how it hangs together, and its limbs in pairs. Nobody changes either. */
export type SeenBody = { graph: BodyGraph; pairs: readonly LimbPair[] };

/** Looks at a body in a pose; null where it has no extent or holds numbers that are not finite. */
export type LookAtBody = (skeleton: Skeleton, pose: Pose) => SeenBody | null;

/** Looks anew each time. */
export const lookAtBody: LookAtBody = (skeleton, pose) => {
  const graph = createBodyGraph(skeleton, pose);
  didWork(20 * skeleton.names.length);
  return graph && { graph, pairs: findLimbPairs(graph) };
};

/**
 * Looks once at each pose and remembers what was seen, for as long as nobody can change skeleton and poses. Body parts,
 * an animal's parts and where it heads are all asked of the same few poses.
 */
export function createLook(): LookAtBody {
  const seen = new Map<Pose, SeenBody | null>();
  return (skeleton, pose) => {
    let body = seen.get(pose);
    if (body === undefined || (body && body.graph.skeleton !== skeleton)) {
      body = lookAtBody(skeleton, pose);
      seen.set(pose, body);
    }
    return body;
  };
}
