import type { Rig } from '../body/rig.js';
import { limbOf } from '../body/roles.js';
import { driverOf, type RigMap } from '../map/rig-map.js';
import { modelPoseOf } from '../scene/pose.js';
import { JOINT, SKINNED } from '../scene/skeleton.js';

/** The joints of both sides that carry the body through space. */
export type Travel = { source: number; target: number };

/**
 * A branch with a smaller part of the mapped joints is a prop or an ornament: the legs of a body with all its
 * fingers have 6 % each. So is a branch of one joint.
 */
const SMALLEST_BRANCH = 0.05;

/**
 * The pair that carries the body through space: the hips; else, of the joints on which at least 60 % of the mapped joints hang, an animal's hips; else the
 * topmost of them at which the body parts into branches, as hips do; else, for a body that is one chain, the
 * first of it.
 */
export function findTravel(source: Rig, target: Rig, map: RigMap): Travel | null {
  const hips = map.joints.find(({ role, share }) => role === 'hips' && !share);
  if (hips) return { source: driverOf(hips), target: hips.target };
  const { parents } = target.skeleton;
  const all = map.joints.length;
  // Children stand behind their parents: from the last joint on, each is counted into the one above it.
  const counts = new Int32Array(parents.length);
  for (const { target: joint } of map.joints) counts[joint]!++;
  for (let i = parents.length - 1; i >= 0; i--) if (parents[i]! >= 0) counts[parents[i]!]! += counts[i]!;
  const below = new Map(map.joints.map(({ target: joint }) => [joint, counts[joint]!]));
  const branches = new Map<number, number>();
  for (const [joint, count] of below) {
    if (count < 2 || count < SMALLEST_BRANCH * all) continue;
    let above = parents[joint]!;
    while (above >= 0 && !below.has(above)) above = parents[above]!;
    branches.set(above, (branches.get(above) ?? 0) + 1);
  }
  // A lone hand or leg is carried by whoever wears it: only bodies travel.
  const carriers = map.joints.filter(
    ({ target: joint, role }) => below.get(joint)! >= 0.6 * all && !(role && limbOf(role) !== 'torso'),
  );
  const isHips = (rig: Rig, joint: number) => rig.body?.parts[joint]?.part === 'hips';
  const carrier =
    carriers.find((pair) => !pair.share && isHips(target, pair.target) && isHips(source, driverOf(pair))) ??
    carriers.find(({ target: joint }) => (branches.get(joint) ?? 0) > 1) ??
    carriers[0];
  if (!carrier) return null;
  // What is skinned above it, or beside it on a joint above it, and driven by nobody comes along, or the skin
  // between would be torn.
  const isLeftBehind = (at: number) => !below.has(at) && (target.skeleton.flags[at]! & SKINNED) !== 0;
  const leavesBehind = (above: number, at: number) =>
    isLeftBehind(above) ||
    parents.some(
      (parent, other) =>
        parent === above &&
        other !== at &&
        isLeftBehind(other) &&
        (target.skeleton.flags[above]! & JOINT) !== 0,
    );
  let joint = carrier.target;
  while (parents[joint]! >= 0 && !below.has(parents[joint]!) && leavesBehind(parents[joint]!, joint))
    joint = parents[joint]!;
  return { source: insideBody(source, driverOf(carrier)), target: joint };
}

/**
 * The joint that tells where an animal's body is. Hips that hover over the body, more than half as high again as
 * the roots of its legs, would swing through the floor when it turns over: then the first of the spine, if that
 * is nearer to the legs.
 */
function insideBody(source: Rig, hips: number): number {
  const parts = source.body?.parts ?? [];
  const spine = parts.findIndex(({ part }) => part === 'spine1');
  if (parts[hips]?.part !== 'hips' || spine < 0 || source.skeleton.parents[spine] !== hips) return hips;
  const { matrices } = modelPoseOf(source.skeleton, source.reference.pose);
  const height = (joint: number) => matrices[16 * joint + 13]! - source.floor.height;
  const roots = parts.flatMap(({ part }, joint) =>
    /^leg\d+(?:Left|Right)1$|^(?:front|hind)(?:Left|Right)UpperLeg$/.test(part ?? '') ? [height(joint)] : [],
  );
  const legs = roots.reduce((sum, each) => sum + each, 0) / roots.length;
  const isNearer = Math.abs(height(spine) - legs) < Math.abs(height(hips) - legs);
  return height(hips) > 1.5 * legs && isNearer ? spine : hips;
}
