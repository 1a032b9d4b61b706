import { dotVectors, subtractVectors, type Vec3, vectorLength } from '../../base/math/vector.js';
import { SKINNED } from '../../scene/skeleton.js';
import { type BodyGraph, pathDown } from './body-graph.js';
import { firstApart, type Humanoid } from './find-humanoid.js';

/** The joints of torso, neck and head; −1 and empty where there are none. */
export type TorsoCast = {
  hips: number;
  /** Above the hips up to where the arms part, parents first. */
  spine: number[];
  /** Between torso and head, parents first. */
  neck: number[];
  head: number;
  sure: { hips: number; spine: number; neck: number; head: number };
};

/**
 * Finds hips, spine, neck and head once legs and arms are known.
 * @param hasCollars whether both arms have a collar bone.
 * @param hasTips whether the rig ends its feet in joints that move nothing.
 */
export function castTorso(
  graph: BodyGraph,
  body: Humanoid,
  { hasCollars, hasTips }: { hasCollars: boolean; hasTips: boolean },
): TorsoCast {
  const { positions, up, legs, arms } = body;
  const height = (joint: number) => dotVectors(positions[joint]!, up);
  const legRoots = firstApart(graph, legs, positions);
  const legRoot = legRoots
    ? dotVectors(legRoots.a, up) / 2 + dotVectors(legRoots.b, up) / 2
    : height(body.hips);
  const armRoots = firstApart(graph, arms, positions);
  const armRoot = armRoots
    ? dotVectors(armRoots.a, up) / 2 + dotVectors(armRoots.b, up) / 2
    : height(body.chest);
  const torso = Math.max(armRoot - legRoot, 1e-9);

  let { hips } = body;
  let spine = pathDown(graph, hips, body.chest);
  let hipsSure = 0.95;
  // A spine that sets out downwards starts at the pelvis: the joint above it only gathers the limbs.
  if (spine.length > 1 && height(spine[0]!) < legRoot - 0.1 * torso && height(spine[0]!) < height(hips)) {
    hips = spine[0]!;
    spine = spine.slice(1);
    hipsSure = 0.8;
  }
  const above = neckPath(graph, body);
  let { neck, head } = splitNeck(graph, above.path, above.branches, body, hasTips);
  let neckSure = head >= 0 ? above.sure : 0;

  // Bipeds of 3ds Max hang thighs from the first spine joint and collar bones from the neck, which then stands
  // at or above where the arms begin and carries the head alone.
  const top = spine[spine.length - 1];
  const collarsHigh = top !== undefined && height(top) > armRoot - 0.02 * torso;
  if (hasCollars && collarsHigh && neck.length === 0 && spine.length > 2 && head >= 0) {
    neck = [top];
    spine = spine.slice(0, -1);
    neckSure *= 0.9;
    const parent = graph.parents[hips]!;
    const gap = parent < 0 ? 0 : vectorLength(subtractVectors(positions[parent]!, positions[hips]!)) / torso;
    // A parent at the very same place is the root that carries the motion.
    if (gap > 0.01 && gap < 0.35 && legs.base === hips && isSkinnedIfAny(graph, parent)) {
      spine = [hips, ...spine];
      hips = parent;
      hipsSure = 0.85;
    }
  }
  if (spine.length === 0) hipsSure *= 0.8;
  // Hips far under the leg roots are a root on the floor.
  if (height(hips) < legRoot - 0.9 * torso) hipsSure = 0;
  return { hips, spine, neck, head, sure: { hips: hipsSure, spine: 0.95, neck: neckSure, head: neckSure } };
}

/** The branch that goes on above the arms, as a path, and where it first parts. */
function neckPath(
  graph: BodyGraph,
  { chest, arms, crown, positions, up, across }: Humanoid,
): { path: number[]; branches: boolean; sure: number } {
  const taken = new Set([arms.paths[0][0]!, arms.paths[1][0]!]);
  const { children, isControl } = graph;
  const to = pathDown(graph, chest, crown);
  const start = to[0];
  if (start === undefined || taken.has(start)) return { path: [], branches: false, sure: 0 };
  const path = [start];
  const height = (joint: number) => dotVectors(positions[joint]!, up);
  const climbs = (from: number, to: number) =>
    height(to) - height(from) > 0.5 * vectorLength(subtractVectors(positions[to]!, positions[from]!));
  const isAside = (joint: number) =>
    Math.abs(dotVectors(subtractVectors(positions[joint]!, positions[chest]!), across)) > 0.015 * graph.size;
  for (let at = start; ; ) {
    const below = children[at]!.filter((child) => !isControl[child]);
    const all = below.length > 0 ? below : children[at]!;
    // A plain line of three and more may be two necks and a head, or a neck, a head and its tip; of five and
    // more a hat or hair may be the rest.
    if (all.length === 0)
      return { path, branches: false, sure: path.length > 4 ? 0.5 : path.length > 2 ? 0.82 : 0.95 };
    if (all.length === 1) {
      const next = all[0]!;
      if (isAside(next)) return { path, branches: true, sure: 0.7 };
      if (height(next) < height(at) - 0.01 * graph.size) {
        // Hair hangs: what it falls from, and what leads back to there without rising, is no head.
        while (path.length > 1 && !climbs(path[path.length - 2]!, path[path.length - 1]!)) path.pop();
        return { path, branches: true, sure: 0.75 };
      }
      at = next;
      path.push(at);
      continue;
    }
    // Several branches: a head, unless one of them goes straight up and carries a face, and the rest do not.
    const onward = all.filter((child) => !isAside(child) && carriesPair(graph, child, positions, across));
    const rest = all.filter((child) => !onward.includes(child));
    if (onward.length !== 1 || rest.some(isAside) || !(height(onward[0]!) > height(at)) || path.length > 3)
      return { path, branches: true, sure: 0.95 };
    at = onward[0]!;
    path.push(at);
  }
}

/** Whether something mirrored hangs below a joint, as eyes and hair below a head. */
function carriesPair(
  { children, size }: BodyGraph,
  joint: number,
  positions: readonly Vec3[],
  across: Vec3,
): boolean {
  const below = children[joint]!;
  const side = (j: number) => dotVectors(subtractVectors(positions[j]!, positions[joint]!), across) / size;
  return below.some((a) => side(a) > 0.005 && below.some((b) => Math.abs(side(a) + side(b)) < 0.005));
}

/** Tells the head from the neck below it and from a tip above it. */
function splitNeck(
  graph: BodyGraph,
  path: readonly number[],
  branches: boolean,
  { positions, up, chest, legs }: Humanoid,
  hasTips: boolean,
): { neck: number[]; head: number } {
  if (path.length === 0) return { neck: [], head: -1 };
  let joints = path.slice();
  if (!branches) {
    const last = joints[joints.length - 1]!;
    const before = joints[joints.length - 2] ?? chest;
    const isUnskinned = graph.isControl[last]! && joints.length > 1 && !graph.isControl[before]!;
    const bone = (a: number, b: number) => vectorLength(subtractVectors(positions[a]!, positions[b]!));
    const lastBone = bone(before, last);
    const previous = bone(joints[joints.length - 3] ?? chest, before);
    const climbs = dotVectors(subtractVectors(positions[last]!, positions[before]!), up) > 0.5 * lastBone;
    // Without skin a last bone that is as long as a head is one: a fifth of the legs and more. A neck alone is
    // long in slim figures.
    const isLong =
      joints.length > 2
        ? lastBone > 0.19 * legs.length && lastBone > 1.25 * previous
        : lastBone > 0.25 * legs.length && lastBone > 1.8 * previous;
    const isHeadBone = joints.length > 1 && climbs && isLong && !graph.skeleton.hulls;
    // The skin of a head is larger than that of its tip.
    const isSmall = joints.length > 1 && hullSize(graph, last) < 0.5 * hullSize(graph, before);
    // A rig that ends its feet in a joint beyond the toes ends its head in one as well.
    const isOneOfTips = hasTips && joints.length > 2;
    if (isUnskinned || isHeadBone || isSmall || isOneOfTips) joints = joints.slice(0, -1);
  }
  return { neck: joints.slice(0, -1), head: joints[joints.length - 1]! };
}

/** The largest extent of the skin that follows a joint, in the joint's own space; 0 where there is none. */
export function hullSize({ skeleton }: BodyGraph, joint: number): number {
  const hull = skeleton.hulls?.[joint];
  if (!hull) return 0;
  let size = 0;
  for (let c = 0; c < 3; c++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = c; i < hull.length; i += 3) {
      low = Math.min(low, hull[i]!);
      high = Math.max(high, hull[i]!);
    }
    size = Math.max(size, high - low);
  }
  return size;
}

function isSkinnedIfAny({ skeleton }: BodyGraph, joint: number): boolean {
  return (skeleton.flags[joint]! & SKINNED) !== 0 || !skeleton.flags.some((flags) => flags & SKINNED);
}
