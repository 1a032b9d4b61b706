import { addToList } from '../base/add-to-list.js';
import { hypot } from '../base/math/functions.js';
import { vectorAt } from '../base/math/vector.js';
import type { Rig } from '../body/rig.js';
import { isFinger } from '../body/roles.js';
import { driverOf, type JointPair, type RigMap } from '../map/rig-map.js';
import type { ModelPose } from '../scene/pose.js';
import { childrenOf, isSameSkeleton, type Skeleton } from '../scene/skeleton.js';
import type { SkinBonds } from '../scene/skin-bonds.js';
import type { Travel } from './find-travel.js';

/** A joint that nothing moves although skin hangs on it, and the joint of the moved body that it goes with. */
export type FoundFollower = {
  joint: number;
  /** The target joint whose movement it follows. */
  carrier: number;
  /** Whether it turns with the carrier; else it is placed alone, and turns by itself. */
  turns: boolean;
  /** Whether it stands above its carrier: then it is moved when all else has been, and what hangs on it stays. */
  above: boolean;
};

/** What {@link findFollowers} found. */
export type FoundFollowers = {
  /** In the order of their joints. */
  followers: FoundFollower[];
  /** Ends of legs that hang elsewhere, such as paws on handles: driven by what ends the source's leg. */
  pairs: JointPair[];
  /** Joints that carry skin which stays behind, topmost ones only. */
  left: number[];
};

/** A carrier is the deepest joint of the moved body whose branch holds this share of what binds a strand. */
const HELD_SHARE = 2 / 3;
/** A joint near the floor, as a share of the height, under which bodies have no trunk: a root. */
const ROOT_HEIGHT = 0.1;
/** A joint with a smaller share of the skin than this moves none to speak of. */
const HARDLY_ANY = 0.01;
/** Vertices that make up a smaller share of the skin than this were left on a root by accident. */
const STRAY = 0.002;
/** A branch that holds more of the skin than this is the body itself, whatever it hangs on. */
const WHOLE_BODY = 0.3;
/** Pieces that are bound to nothing go with skin that is this near, as a share of the height. */
const NEAR_SKIN = 0.08;
/** Of more pieces that are bound to nothing than these the others stay: each is held against all of the skin. */
const MOST_LOOSE = 64;
/** What lies this low and across the middle, as a share of the height, is a floor or a shadow, and stays. */
const LOW_PIECE = 0.15;

/** Joints without a driver that carry skin and hang on nothing that moves, each with all that goes along with it. */
type Strand = { top: number; joints: number[]; turns: boolean; above: boolean };

/**
 * Finds the joints that carry skin beside the mapped body, and what of the body each goes with: skirts and capes that
 * hang on the armature, swords on the root, paws and feet that were moved by handles. The skin says it, by the vertices
 * and edges that two joints share; where it says nothing, the character's own clips do, by what holds the piece there;
 * else the nearest skin. What hangs on a joint of the body goes along by itself and is not looked at.
 * @param placed Joints that hang elsewhere than their body part, and what carries them.
 */
export function findFollowers(
  source: Rig,
  target: Rig,
  map: RigMap,
  travel: Travel | null,
  placed: ReadonlyMap<number, number>,
  reference: ModelPose,
): FoundFollowers {
  const found: FoundFollowers = { followers: [], pairs: [], left: [] };
  const { skeleton } = target;
  const { bonds } = skeleton;
  if (!bonds || bonds.weights.length !== skeleton.names.length) return found;
  // On its own body all that moves is moved by the source itself.
  if (isSameSkeleton(source.skeleton, skeleton)) return found;
  const body = moverOf(target, map, travel, reference);
  const strands = findStrands(source, target, bonds, map, body);
  const { mover, driven } = body;
  const tops = new Set(strands.map(({ top }) => top));
  const turned = new Set(map.joints.map((pair) => pair.target));
  for (const joint of driven)
    if (!turned.has(joint) && !tops.has(joint) && isStrayRoot(target, bonds, joint, body))
      found.left.push(joint);
  if (strands.length === 0) return found;

  const tree = drivenTree(skeleton, driven, placed);
  const strandOf = new Int32Array(skeleton.names.length).fill(-1);
  strands.forEach(({ joints }, n) => {
    for (const joint of joints) strandOf[joint] = n;
  });
  const fingers = new Set(
    Object.entries(target.joints).flatMap(([role, joint]) => (isFinger(role) ? [joint] : [])),
  );
  /** What moves a joint now: strands that have found what they go with are moved by it. */
  const carriers = new Int32Array(strands.length).fill(-1);
  const movedBy = (joint: number): number => {
    const strand = strandOf[joint]!;
    if (strand >= 0) return carriers[strand]!;
    return body.isHollow(mover[joint]!) ? -1 : mover[joint]!;
  };
  const waiting = new Set(strands.keys());
  const links = linksOf(bonds, strandOf, strands.length);
  /** Per strand what binds it to what is moved: those that have found what they go with count, too. */
  const bound = links.map((list) =>
    list.reduce((sum, { other, strength }) => sum + (movedBy(other) >= 0 ? strength : 0), 0),
  );
  while (waiting.size > 0) {
    // The one that is bound most to what is moved goes first; others may hang on it.
    let best = -1;
    for (const n of waiting) if (bound[n]! > (best < 0 ? 0 : bound[best]!)) best = n;
    if (best < 0) break;
    waiting.delete(best);
    const votes = new Map<number, number>();
    for (const { other, strength } of links[best]!) {
      const by = movedBy(other);
      if (by >= 0) votes.set(by, (votes.get(by) ?? 0) + strength);
    }
    carriers[best] = heldBy(tree, votes);
    const { top } = strands[best]!;
    // Stray vertices of a root between parts that move apart fit none of them; what all hangs on goes with itself.
    if (driven.has(top) && strands[best]!.above && !votes.has(carriers[best]!)) found.left.push(top);
    if (carriers[best] === top) carriers[best] = -1;
    for (const { other, strength } of links[best]!)
      if (strandOf[other]! >= 0) bound[strandOf[other]!]! += strength;
  }
  // What is driven, and bound to nothing else than the root that carries the body, goes with that as it is.
  const carriedByRoot = (n: number) => mover[skeleton.parents[strands[n]!.top]!]! >= 0;
  const stays = [...waiting].filter((n) => !strands[n]!.turns && carriedByRoot(n));
  for (const n of stays) {
    waiting.delete(n);
    for (const joint of strands[n]!.joints) strandOf[joint] = -1;
  }
  // What its own clips show to be held goes with what holds it there; the reference has it in place.
  const heldIn = new Map(target.held?.map(({ joint, carrier }) => [joint, carrier]));
  for (const n of [...waiting]) {
    const carrier = heldIn.get(strands[n]!.top) ?? -1;
    if (carrier < 0 || movedBy(carrier) < 0) continue;
    carriers[n] = carrier;
    waiting.delete(n);
  }
  for (const n of [...waiting].sort((a, b) => strands[a]!.top - strands[b]!.top).slice(0, MOST_LOOSE)) {
    const votes = nearestSkin(target, reference, strands[n]!, (joint) => {
      const by = movedBy(joint);
      return by >= 0 && fingers.has(by) ? (tree.parents.get(by) ?? by) : by;
    });
    if (votes) carriers[n] = heldBy(tree, votes);
  }
  const mapped = new Set(map.joints.flatMap(({ sources }) => sources));
  const pairOf = new Map(map.joints.map((pair) => [pair.target, pair]));
  const sourceChildren = childrenOf(source.skeleton);
  strands.forEach(({ top, turns, above }, n) => {
    const carrier = carriers[n]!;
    if (carrier < 0) {
      if (!carriedByRoot(n) && !found.left.includes(top)) found.left.push(top);
      return;
    }
    const end = turns && !above ? endOfLimb(carrier) : null;
    if (end !== null)
      found.pairs.push({
        target: top,
        sources: [end],
        role: null,
        confidence: 0.6,
        reason: 'ends the limb that its skin is bound to',
      });
    found.followers.push({ joint: top, carrier, turns: turns && end === null, above });
  });
  return found;

  /** The source joint that ends a limb whose last driven joint is the carrier: a paw turns as a foot does. */
  function endOfLimb(carrier: number): number | null {
    if ((tree.children.get(carrier) ?? []).length > 0) return null;
    const pair = pairOf.get(carrier);
    if (!pair || pair.share) return null;
    const ends = sourceChildren[driverOf(pair)]!.filter(
      (child) => !mapped.has(child) && sourceChildren[child]!.length > 0,
    );
    return ends.length === 1 ? ends[0]! : null;
  }
}

/** The joints that the body is moved by, and per joint the one that moves it. */
type MovedBody = {
  driven: ReadonlySet<number>;
  /** Per joint the nearest driven one of itself and what is above it; −1 where none is. */
  mover: Int32Array;
  /** Whether what hangs on a mover hangs on no part of the body: on nothing, or on a root that holds it all. */
  isHollow(mover: number): boolean;
};

function moverOf(target: Rig, map: RigMap, travel: Travel | null, reference: ModelPose): MovedBody {
  const { skeleton } = target;
  const { parents, bonds } = skeleton;
  const driven = new Set(map.joints.map((pair) => pair.target));
  if (travel) driven.add(travel.target);
  const mover = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++)
    mover[i] = driven.has(i) ? i : parents[i]! < 0 ? -1 : mover[parents[i]!]!;
  const roles = new Set(Object.values(target.joints));
  const all = bonds!.weights.reduce((sum, weight) => sum + weight, 0);
  const atTravel = new Set<number>();
  for (let at = travel?.target ?? -1; at >= 0; at = parents[at]!) atTravel.add(at);
  const isHollow = (joint: number) =>
    joint < 0 ||
    (atTravel.has(joint) &&
      !roles.has(joint) &&
      bonds!.weights[joint]! < HARDLY_ANY * all &&
      reference.matrices[16 * joint + 13]! < target.floor.height + ROOT_HEIGHT * target.space.height);
  return { driven, mover, isHollow };
}

/**
 * The joints of a target that carry skin and that the moved body does not carry by itself, before anything follows it,
 * each with the number of the strand that it is part of. For measures.
 */
export function looseJoints(
  target: Rig,
  map: RigMap,
  travel: Travel | null,
  reference: ModelPose,
): Map<number, number> {
  const { bonds, names } = target.skeleton;
  if (!bonds || bonds.weights.length !== names.length) return new Map();
  const strands = findStrands(null, target, bonds, map, moverOf(target, map, travel, reference));
  return new Map(strands.flatMap(({ joints }, n) => joints.map((joint) => [joint, n] as const)));
}

/** Whether vertices hang on a root that is moved and not turned, though they are bound to parts that are. */
function isStrayRoot(
  target: Rig,
  { joints, weights }: SkinBonds,
  joint: number,
  { isHollow }: MovedBody,
): boolean {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return (
    isHollow(joint) && weights[joint]! > STRAY * all && joints.includes(joint) && target.joints.hips !== joint
  );
}

function findStrands(
  source: Rig | null,
  target: Rig,
  bonds: SkinBonds,
  map: RigMap,
  body: MovedBody,
): Strand[] {
  const { driven, mover, isHollow } = body;
  const { parents } = target.skeleton;
  const count = parents.length;
  const all = bonds.weights.reduce((sum, weight) => sum + weight, 0);
  // From the back, every joint is complete when it is met.
  const below = bonds.weights.slice();
  const holdsBody = new Uint8Array(count);
  for (let i = count - 1; i >= 0; i--) {
    if (driven.has(i)) holdsBody[i] = 1;
    const parent = parents[i]!;
    if (parent < 0) continue;
    below[parent] = below[parent]! + below[i]!;
    if (holdsBody[i]) holdsBody[parent] = 1;
  }
  const roles = new Map(map.joints.map((pair) => [pair.target, pair.role]));
  const drivers = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
  const partDrivers = new Set(map.joints.flatMap((pair) => (pair.role ? [driverOf(pair)] : [])));
  /** Whether what drives a joint hangs on no body part either: then it is moved by keys of its own, and so is the joint. */
  const isMovedApart = (joint: number) => {
    for (let at = drivers.get(joint)!; source && at >= 0; at = source.skeleton.parents[at]!)
      if (partDrivers.has(at)) return false;
    return source !== null;
  };
  const strands: Strand[] = [];
  /** Per joint the strand that it is part of; −1 where it is part of none. */
  const strandOf = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const parent = parents[i]!;
    const above = parent < 0 ? -1 : strandOf[parent]!;
    if (above >= 0 && !strands[above]!.above) {
      strandOf[i] = above;
      strands[above]!.joints.push(i);
      continue;
    }
    // Only what the body hangs on directly is turned back exactly: a toy's walk on a robot whose torso hangs on such a
    // joint by another, which nothing drives, was 61 degrees off.
    const isHeldByOthers = () =>
      parents.some((parent, joint) => parent === i && holdsBody[joint] === 1 && !driven.has(joint));
    if (driven.has(i) && !roles.has(i)) {
      if (!isHeldByOthers() && isStrayRoot(target, bonds, i, body)) {
        strandOf[i] = strands.length;
        strands.push({ top: i, joints: [i], turns: true, above: true });
      }
      continue;
    }
    if (driven.has(i)) {
      // Driven, but by no part of the body, and held by none: it turns as it does, and is placed.
      const isAlone =
        roles.get(i) === null &&
        !isMovedApart(i) &&
        isHollow(parent < 0 ? -1 : mover[parent]!) &&
        below[i]! > 0 &&
        below[i]! < WHOLE_BODY * all;
      if (isAlone) {
        strandOf[i] = strands.length;
        strands.push({ top: i, joints: [i], turns: false, above: false });
      }
      continue;
    }
    if (!(bonds.weights[i]! > 0) || !isHollow(mover[i]!)) continue;
    // Above the body, and the body hangs on it.
    const isAbove = holdsBody[i] === 1;
    if (isAbove && (mover[i]! >= 0 || isHeldByOthers())) continue;
    strandOf[i] = strands.length;
    strands.push({ top: i, joints: [i], turns: true, above: isAbove });
  }
  return strands;
}

/** The driven joints as a tree: what each hangs on among themselves, or is placed on. */
type DrivenTree = { parents: ReadonlyMap<number, number>; children: ReadonlyMap<number, readonly number[]> };

function drivenTree(
  { parents }: Skeleton,
  driven: ReadonlySet<number>,
  placed: ReadonlyMap<number, number>,
): DrivenTree {
  const up = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const joint of driven) {
    let at = placed.get(joint) ?? parents[joint]!;
    while (at >= 0 && !driven.has(at)) at = parents[at]!;
    if (at < 0) continue;
    up.set(joint, at);
    addToList(children, at, joint);
  }
  return { parents: up, children };
}

/** Per strand what joints beside it are bound to it, and how strongly. */
function linksOf(
  { joints, strengths }: SkinBonds,
  strandOf: Int32Array,
  count: number,
): { other: number; strength: number }[][] {
  const links: { other: number; strength: number }[][] = Array.from({ length: count }, () => []);
  strengths.forEach((strength, n) => {
    const a = joints[2 * n]!;
    const b = joints[2 * n + 1]!;
    if (strandOf[a] === strandOf[b]) return;
    if (strandOf[a]! >= 0) links[strandOf[a]!]!.push({ other: b, strength });
    if (strandOf[b]! >= 0) links[strandOf[b]!]!.push({ other: a, strength });
  });
  return links;
}

/** The deepest joint of the tree whose branch holds enough of the votes; where none does, the one with most of them. */
function heldBy({ parents }: DrivenTree, votes: ReadonlyMap<number, number>): number {
  const held = new Map<number, number>();
  const depths = new Map<number, number>();
  let all = 0;
  for (const [joint, vote] of votes) {
    all += vote;
    const path: number[] = [];
    for (
      let at: number | undefined = joint;
      at !== undefined && path.length <= parents.size;
      at = parents.get(at)
    )
      path.push(at);
    path.forEach((at, n) => {
      held.set(at, (held.get(at) ?? 0) + vote);
      depths.set(at, path.length - n);
    });
  }
  let best = -1;
  for (const [joint, share] of held)
    if (share >= HELD_SHARE * all && (best < 0 || depths.get(joint)! > depths.get(best)!)) best = joint;
  if (best >= 0) return best;
  let most = 0;
  for (const [joint, share] of held)
    if (share > most || (share === most && depths.get(joint)! > depths.get(best)!))
      [best, most] = [joint, share];
  return best;
}

/**
 * Votes of the skin that is nearest to a strand in the reference pose: of the points within a hundredth of the height
 * of the nearest. Null where none is near, or where the strand lies across the floor.
 */
function nearestSkin(
  target: Rig,
  { matrices }: ModelPose,
  { joints }: Strand,
  moverOf: (joint: number) => number,
): Map<number, number> | null {
  const { hulls } = target.skeleton;
  if (!hulls) return null;
  const { height } = target.space;
  const placesOf = (joint: number): [number, number, number][] => {
    const hull = hulls[joint];
    if (!hull) return [];
    const m = 16 * joint;
    return Array.from({ length: hull.length / 3 }, (_, i) => {
      const [x, y, z] = vectorAt(hull, 3 * i);
      return [0, 1, 2].map(
        (r) =>
          matrices[m + r]! * x + matrices[m + 4 + r]! * y + matrices[m + 8 + r]! * z + matrices[m + 12 + r]!,
      ) as [number, number, number];
    });
  };
  const own = joints.flatMap(placesOf);
  if (own.length === 0) return null;
  const mean = (c: number) => own.reduce((sum, p) => sum + p[c]!, 0) / own.length;
  const isAcross = own.some((p) => p[0] > 0.02 * height) && own.some((p) => p[0] < -0.02 * height);
  if (mean(1) < target.floor.height + LOW_PIECE * height && isAcross) return null;
  const near: { by: number; distance: number }[] = [];
  let least = NEAR_SKIN * height;
  const inside = new Set(joints);
  hulls.forEach((hull, joint) => {
    if (!hull || inside.has(joint)) return;
    const by = moverOf(joint);
    if (by < 0) return;
    for (const [x, y, z] of placesOf(joint)) {
      let distance = Number.POSITIVE_INFINITY;
      for (const p of own) distance = Math.min(distance, hypot(x - p[0], y - p[1], z - p[2]));
      if (distance > NEAR_SKIN * height) continue;
      near.push({ by, distance });
      least = Math.min(least, distance);
    }
  });
  if (near.length === 0) return null;
  const votes = new Map<number, number>();
  for (const { by, distance } of near)
    if (distance <= least + 0.01 * height) votes.set(by, (votes.get(by) ?? 0) + 1);
  return votes;
}
