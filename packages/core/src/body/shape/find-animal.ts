import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  rejectVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorLength,
} from '../../base/math/vector.js';
import { AXIS_VECTORS, nearestAxis } from '../../scene/skeleton.js';
import type { BodyGraph } from './body-graph.js';
import { firstApart, limbEnd } from './find-humanoid.js';
import type { LimbPair } from './limb-pairs.js';

/** A body with a plane of symmetry: its legs, and what else hangs from it in pairs. */
export type Animal = {
  up: Vec3;
  /** Unit vector from the second branch of each pair to the first. */
  across: Vec3;
  /** Square to both; whether it points ahead or back is not known yet. */
  along: Vec3;
  /** Where the plane of symmetry lies along `across`. */
  middle: number;
  /** Height of the floor along `up`. */
  floor: number;
  /** Pairs that stand on the floor, first branches on one side. */
  legs: LimbPair[];
  /** Mirrored pairs that do not, longest first: wings, arms, ears, fins. */
  others: LimbPair[];
  positions: readonly Vec3[];
  /** How clearly its feet walk along `along` (1) or against it (−1) in the clips at hand; see readStride. */
  stride: number;
};

/** Distances within this, over the body's size, count as mirrored. */
const MIRROR_SLACK = 0.06;

/** Finds the plane in which a body is mirrored and the pairs that stand on the floor; null without a pair. */
export function findAnimal(
  graph: BodyGraph,
  pairs: readonly LimbPair[],
  positions: readonly Vec3[],
  up: Vec3,
): Animal | null {
  const limbs = pairs.filter(({ paths }) => paths.every((path) => !graph.isControl[path[0]!]));
  let best: { across: Vec3; middle: number; weight: number } | null = null;
  for (const pair of limbs) {
    const apart = firstApart(graph, pair, positions);
    const flat = apart && directionOf(rejectVector(subtractVectors(apart.a, apart.b), up));
    if (!apart || !flat) continue;
    const { axis, angle } = nearestAxis(flat);
    const across: Vec3 = angle < 0.1 ? [...AXIS_VECTORS[axis]] : flat;
    const middle = dotVectors(scaleVector(addVectors(apart.a, apart.b), 0.5), across);
    let weight = 0;
    for (const other of limbs)
      if (isMirrored(graph, other, positions, across, middle)) weight += other.length;
    if (weight > (best?.weight ?? 0)) best = { across, middle, weight };
  }
  if (!best) return null;
  const { across, middle } = best;
  let floor = Number.POSITIVE_INFINITY;
  let top = Number.NEGATIVE_INFINITY;
  graph.parents.forEach((parent, i) => {
    if (parent === -2 || graph.isControl[i]) return;
    floor = Math.min(floor, dotVectors(positions[i]!, up));
    top = Math.max(top, dotVectors(positions[i]!, up));
  });
  const tall = top - floor;
  const legs: LimbPair[] = [];
  const others: LimbPair[] = [];
  const taken = new Set<number>();
  for (const pair of limbs) {
    if (!isMirrored(graph, pair, positions, across, middle) || pair.likeness < 0.8) continue;
    if (pair.paths.some((path) => hangsFrom(graph, path[0]!, taken))) continue;
    for (const path of pair.paths) taken.add(path[0]!);
    const sided = sideways(graph, pair, positions, across);
    const heights = sided.paths.flatMap((path) => dotVectors(positions[limbEnd(graph, path)]!, up) - floor);
    // Legs come down to the floor from somewhere: from the body, or, as a spider's, from knees over it.
    const top = Math.max(
      ...[pair.base, ...pair.paths.flat()].map((joint) => dotVectors(positions[joint]!, up) - floor),
    );
    const drop = top - Math.max(...heights);
    const isLeg =
      Math.max(...heights) < 0.16 * tall &&
      drop > 0.2 * tall &&
      // Fins have a joint or two and point aside.
      pair.paths.every((path) => path.length > 2 || (path.length > 1 && drop > 0.5 * pair.length));
    (isLeg ? legs : others).push(sided);
  }
  return { up, across, along: crossVectors(across, up), middle, floor, legs, others, positions, stride: 0 };
}

function isMirrored(
  graph: BodyGraph,
  pair: LimbPair,
  positions: readonly Vec3[],
  across: Readonly<Vec3>,
  middle: number,
): boolean {
  const mirror = (p: Readonly<Vec3>): Vec3 =>
    addVectors(p, scaleVector(across, 2 * (middle - dotVectors(p, across))));
  const isClose = (a: Readonly<Vec3>, b: Readonly<Vec3>) =>
    vectorLength(subtractVectors(mirror(a), b)) < MIRROR_SLACK * graph.size;
  const apart = firstApart(graph, pair, positions);
  const [a, b] = pair.paths;
  return (
    apart !== null &&
    isClose(apart.a, apart.b) &&
    isClose(positions[limbEnd(graph, a)]!, positions[limbEnd(graph, b)]!)
  );
}

function sideways(
  graph: BodyGraph,
  pair: LimbPair,
  positions: readonly Vec3[],
  across: Readonly<Vec3>,
): LimbPair {
  const apart = firstApart(graph, pair, positions)!;
  return dotVectors(subtractVectors(apart.a, apart.b), across) > 0
    ? pair
    : { ...pair, paths: [pair.paths[1], pair.paths[0]] };
}

function hangsFrom({ parents }: BodyGraph, joint: number, taken: ReadonlySet<number>): boolean {
  for (let at = joint; at >= 0; at = parents[at]!) if (taken.has(at)) return true;
  return false;
}
