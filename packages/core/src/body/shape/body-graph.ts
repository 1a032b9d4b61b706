import {
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import { modelPoseOf, type Pose } from '../../scene/pose.js';
import { AXIS_VECTORS, END, JOINT, SKINNED, type Skeleton } from '../../scene/skeleton.js';

/**
 * A skeleton as shape sees it: the joints that may be body parts, how they hang together, and how long they
 * are. Plain nodes are passed over unless branches part at them; end sites only mark where a joint ends.
 */
export type BodyGraph = {
  skeleton: Skeleton;
  /** The nearest joint above that counts, or −1; −2 for nodes that do not count. */
  parents: Int32Array;
  /** The joints below that count. */
  children: number[][];
  /** The end site of a joint, or −1. */
  ends: Int32Array;
  /** Distance from the joint above. Does not depend on the pose. */
  lengths: Float64Array;
  /** Length of the longest path below a joint, end sites included. */
  reach: Float64Array;
  /** Length of everything below a joint, the end site of a leaf included, and of its own bone. */
  total: Float64Array;
  /** The largest extent of the body along an axis. */
  size: number;
  /** Joints that belong to no skin though others do, with all below them: handles, targets, sockets (K6). */
  isControl: boolean[];
  /** Where nodes are in the pose that lengths were measured in. */
  positions: Vec3[];
};

/** Where every node of a pose is. */
export function positionsOf(skeleton: Skeleton, pose: Pose): Vec3[] {
  const { matrices } = modelPoseOf(skeleton, pose);
  return skeleton.names.map((_, i) => vectorAt(matrices, 16 * i + 12));
}

/** Reads a skeleton as a graph; null where it has no extent or holds numbers that are not finite. */
export function createBodyGraph(skeleton: Skeleton, pose: Pose): BodyGraph | null {
  const count = skeleton.names.length;
  const positions = positionsOf(skeleton, pose);
  if (!positions.every((p) => p.every(Number.isFinite))) return null;
  const counts = countingNodes(skeleton);
  const parents = new Int32Array(count).fill(-2);
  const ends = new Int32Array(count).fill(-1);
  const above = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const parent = skeleton.parents[i]!;
    above[i] = parent < 0 ? -1 : counts[parent] ? parent : above[parent]!;
    if (counts[i]) parents[i] = above[i]!;
    else if (skeleton.flags[i]! & END && above[i]! >= 0) ends[above[i]!] = i;
  }
  const size = sizeOf(positions.filter((_, i) => counts[i]));
  if (!(size > 0)) return null;
  const graph: BodyGraph = {
    skeleton,
    parents,
    children: skeleton.names.map(() => []),
    ends,
    lengths: new Float64Array(count),
    reach: new Float64Array(count),
    total: new Float64Array(count),
    size,
    isControl: controlJoints(skeleton),
    positions,
  };
  rejoinLimbs(graph, size);
  measure(graph);
  return graph;
}

/** Joints, and plain nodes at which branches with joints part. Where the file knows no joints, all nodes. */
function countingNodes({ names, flags, parents }: Skeleton): boolean[] {
  const isJoint = Array.from(flags, (flag) => (flag & JOINT) !== 0 && (flag & END) === 0);
  if (!isJoint.includes(true)) return Array.from(flags, (flag) => (flag & END) === 0);
  const holds = isJoint.slice();
  const branches = new Int32Array(names.length);
  for (let i = names.length - 1; i >= 0; i--) {
    if (!holds[i] && branches[i]! > 0) holds[i] = true;
    const parent = parents[i]!;
    if (holds[i] && parent >= 0) branches[parent]!++;
  }
  return isJoint.map((is, i) => is || branches[i]! > 1);
}

function controlJoints({ flags, parents }: Skeleton): boolean[] {
  // A skin that covers a piece of the body only says nothing about the rest.
  const joints = flags.filter((flag) => flag & JOINT && !(flag & END)).length;
  if (flags.filter((flag) => flag & SKINNED).length < 0.4 * joints) return Array.from(flags, () => false);
  const control = Array.from(flags, (flag) => (flag & SKINNED) === 0);
  for (let i = flags.length - 1; i >= 0; i--)
    if (!control[i] && parents[i]! >= 0) control[parents[i]!] = false;
  return control;
}

function sizeOf(points: readonly Vec3[]): number {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const point of points) {
      low = Math.min(low, point[c]!);
      high = Math.max(high, point[c]!);
    }
    size = Math.max(size, high - low);
  }
  return Number.isFinite(size) ? size : 0;
}

/**
 * Feet and hands of rigs made for inverse kinematics hang from the root. Each is joined again to the limb
 * that ends where it stands: at its end site, or, for a foot on the floor, above it.
 */
function rejoinLimbs(graph: BodyGraph, size: number): void {
  const { parents, ends, positions, skeleton } = graph;
  const childCounts = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++) if (parents[i]! >= 0) childCounts[parents[i]!]!++;
  const hangsLoose = (i: number) => {
    const parent = parents[i]!;
    return (
      parent >= 0 &&
      parents[parent]! < 0 &&
      vectorLength(subtractVectors(positions[i]!, positions[parent]!)) > 0.02 * size
    );
  };
  const loose: number[] = [];
  for (let i = 0; i < parents.length; i++) if (hangsLoose(i) && childCounts[i]! <= 2) loose.push(i);
  if (loose.length < 2 || loose.length > 64) return;
  const leaves: number[] = [];
  for (let i = 0; i < parents.length; i++)
    if (parents[i]! >= 0 && parents[parents[i]!]! >= 0 && childCounts[i] === 0) leaves.push(i);
  const up = skeleton.declared.up ? ([...AXIS_VECTORS[skeleton.declared.up]] as Vec3) : null;
  const heights = up ? positions.map((p) => dotVectors(p, up)) : null;
  const floor = heights ? Math.min(...heights.filter((_, i) => parents[i] !== -2)) : 0;
  const found = new Map<number, { joint: number; distance: number }>();
  for (const joint of loose) {
    let best: { leaf: number; distance: number } | null = null;
    for (const leaf of leaves) {
      if (leaf === joint || isBelow(parents, leaf, joint)) continue;
      const end = ends[leaf]!;
      let distance = Number.POSITIVE_INFINITY;
      if (end >= 0) {
        // A hundredth of the body: the end of one bone and the start of the next.
        const gap = vectorLength(subtractVectors(positions[end]!, positions[joint]!));
        if (gap < 0.01 * size) distance = gap;
      } else if (up && heights && heights[joint]! < floor + 0.15 * size) {
        const drop = subtractVectors(positions[leaf]!, positions[joint]!);
        const height = dotVectors(drop, up);
        const aside = vectorLength(subtractVectors(drop, scaleVector(up, height)));
        const bone = vectorLength(subtractVectors(positions[leaf]!, positions[parents[leaf]!]!));
        const length = vectorLength(drop);
        if (height > 0 && aside < 0.5 * height && length > 0.3 * bone && length < 3 * bone) distance = length;
      }
      if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { leaf, distance };
    }
    if (!best) continue;
    const rival = found.get(best.leaf);
    if (!rival || best.distance < rival.distance) found.set(best.leaf, { joint, distance: best.distance });
  }
  for (const [leaf, { joint }] of found) parents[joint] = leaf;
}

function isBelow(parents: Int32Array, joint: number, above: number): boolean {
  for (let at = joint; at >= 0; at = parents[at]!) if (at === above) return true;
  return false;
}

function measure(graph: BodyGraph): void {
  const { parents, children, ends, lengths, reach, total, positions } = graph;
  const distance = (a: number, b: number) => vectorLength(subtractVectors(positions[a]!, positions[b]!));
  for (let i = 0; i < parents.length; i++) {
    if (parents[i]! < 0) continue;
    children[parents[i]!]!.push(i);
    lengths[i] = distance(i, parents[i]!);
  }
  for (const i of deepestFirst(graph)) {
    if (ends[i]! >= 0) {
      const end = distance(ends[i]!, i);
      reach[i] = Math.max(reach[i]!, end);
      if (children[i]!.length === 0) total[i] = total[i]! + end;
    }
    total[i] = total[i]! + lengths[i]!;
    const parent = parents[i]!;
    if (parent < 0) continue;
    reach[parent] = Math.max(reach[parent]!, reach[i]! + lengths[i]!);
    total[parent] = total[parent]! + total[i]!;
  }
}

/** Joints that count, those below before those above; rejoined limbs break the skeleton's own order. */
function deepestFirst({ parents, children }: BodyGraph): number[] {
  const order: number[] = [];
  for (let i = 0; i < parents.length; i++) if (parents[i] === -1) order.push(i);
  for (let n = 0; n < order.length; n++) for (const child of children[order[n]!]!) order.push(child);
  return order.reverse();
}

/** The joints from one to another below it, without the first; empty where it is not below. */
export function pathDown(graph: BodyGraph, from: number, to: number): number[] {
  const path: number[] = [];
  for (let at = to; at !== from; at = graph.parents[at]!) {
    if (at < 0) return [];
    path.push(at);
  }
  return path.reverse();
}

/** The longest way down from a joint, itself first; end sites are not in it. */
export function longestPath({ children, reach, lengths }: BodyGraph, joint: number): number[] {
  const path = [joint];
  for (let at = joint; ; ) {
    let best = -1;
    for (const child of children[at]!)
      if (best < 0 || reach[child]! + lengths[child]! > reach[best]! + lengths[best]!) best = child;
    if (best < 0) return path;
    path.push(best);
    at = best;
  }
}

/** The lowest joint that stands above both or is one of them, or −1. */
export function commonAncestor({ parents }: BodyGraph, a: number, b: number): number {
  const above = new Set<number>();
  for (let at = a; at >= 0; at = parents[at]!) above.add(at);
  for (let at = b; at >= 0; at = parents[at]!) if (above.has(at)) return at;
  return -1;
}
