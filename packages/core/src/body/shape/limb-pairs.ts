import { subtractVectors, vectorLength } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import type { BodyGraph } from './body-graph.js';

/** Two branches that part at one joint and are built alike: legs, arms, wings, ears, hair, the tails of a coat. */
export type LimbPair = {
  /** Where they part. */
  base: number;
  /** The longest way down that both branches share, from their first joints: as many joints in each. */
  paths: [number[], number[]];
  /** Length of the paths from the base to the far end, the mean of both. */
  length: number;
  /** How alike they are built, 0 to 1: the share of their bones that have a partner of the same length. */
  likeness: number;
};

/** Branches shorter than this, over the body's size, are no limbs. */
const SHORTEST_LIMB = 0.1;
/** A weapon in one hand takes a fifth of the likeness; half of it is chance. */
const LEAST_LIKENESS = 0.6;
/** Legs on two anchors are told apart by their lengths alone. */
const ANCHORED_LIKENESS = 0.9;
/** How many neighbours by size a branch is compared with: twins lie next to each other. */
const NEIGHBOURS = 6;
const MOST_LIMB_PAIRS = 40;
const DEEPEST_LIMB = 60;
const MOST_BRANCHES = 40;
const NO_JOINTS: readonly number[] = [];

/**
 * Finds the pairs of branches that are built alike, longest first. It looks at lengths and branching alone,
 * which no pose changes; whether they mirror each other in space is for the caller to see.
 */
export function findLimbPairs(graph: BodyGraph): LimbPair[] {
  const { children, reach, lengths, total, size, positions } = graph;
  const pairs: LimbPair[] = [];
  const limbsOf = (joint: number) =>
    children[joint]!.filter((child) => reach[child]! + lengths[child]! > SHORTEST_LIMB * size);
  /** Whether two joints, each of which several may hang on, stand in one place. */
  const isOnePlace = (a: number, b: number) =>
    children[a]!.length > 1 &&
    children[b]!.length > 1 &&
    vectorLength(subtractVectors(positions[a]!, positions[b]!)) < 0.01 * size;
  /** What a pair must be worth more than to be kept; 0 as long as all are. */
  let least = 0;
  const add = (base: number, a: number, b: number, likeness: number) => {
    // Of thousands that hang on one joint most are known to be too short before their way down is looked for.
    const longest = (reach[a]! + lengths[a]! + (reach[b]! + lengths[b]!)) / 2;
    const isWhole = children[a]!.length === 0 && children[b]!.length === 0;
    // The sum along a way is rounded otherwise than that of its parts.
    if (least > 0 && longest * likeness <= (isWhole ? least : (1 - 1e-9) * least)) return;
    const paths = sharedPaths(graph, a, b);
    const length = (lengthOf(graph, paths[0]) + lengthOf(graph, paths[1])) / 2;
    if (least > 0 && length * likeness <= least) return;
    pairs.push({ base, paths, length, likeness });
    // Thousands that hang on one joint make many times as many pairs.
    if (pairs.length > 4 * MOST_LIMB_PAIRS) least = keepLongest(pairs);
  };
  children.forEach((list, base) => {
    const branches = list
      .filter((joint) => reach[joint]! + lengths[joint]! > SHORTEST_LIMB * size)
      .sort((a, b) => total[b]! - total[a]!);
    for (let i = 0; i < branches.length; i++)
      for (let j = i + 1; j < Math.min(branches.length, i + 1 + NEIGHBOURS); j++) {
        const a = branches[i]!;
        const b = branches[j]!;
        didWork(5);
        const likeness = likenessOf(graph, a, b);
        if (likeness < LEAST_LIKENESS) continue;
        // Two anchors in one place carry the legs of a side each: every leg may be the image of every other.
        const legsA = isOnePlace(a, b) ? limbsOf(a) : NO_JOINTS;
        const legsB = legsA.length > 1 ? limbsOf(b) : NO_JOINTS;
        if (legsB.length > 1 && legsA.length < MOST_BRANCHES) {
          for (const one of legsA)
            for (const other of legsB.slice(0, MOST_BRANCHES)) {
              const alike = likenessOf(graph, one, other);
              if (alike >= ANCHORED_LIKENESS) add(base, one, other, alike);
            }
        } else add(base, a, b, likeness);
      }
  });
  keepLongest(pairs);
  return pairs;
}

/**
 * Leaves those pairs that are longest and most alike, in that order; of equals the first.
 * @returns what the last of them is worth.
 */
function keepLongest(pairs: LimbPair[]): number {
  pairs.sort((a, b) => worthOf(b) - worthOf(a));
  pairs.length = Math.min(pairs.length, MOST_LIMB_PAIRS);
  return pairs.length > 0 ? worthOf(pairs[pairs.length - 1]!) : 0;
}

function worthOf({ length, likeness }: LimbPair): number {
  return length * likeness;
}

/**
 * Goes down both branches side by side, so that a sword in one hand is not taken for a finger of the other; and past
 * handles, where skin goes on beside them: a knee's pole target in front of a foot is longer than its toes.
 */
function sharedPaths(
  { children, reach, lengths, isControl }: BodyGraph,
  a: number,
  b: number,
): [number[], number[]] {
  const paths: [number[], number[]] = [[a], [b]];
  const long = (joint: number) => reach[joint]! + lengths[joint]!;
  const below = (joint: number) => {
    const list = children[joint]!;
    if (list.length < 2) return list;
    const skinned = list.filter((child) => !isControl[child]);
    return skinned.length > 0 ? skinned : list;
  };
  let atA = a;
  let atB = b;
  for (;;) {
    const listA = below(atA);
    const listB = below(atB);
    if (listA.length === 0 || listB.length === 0) return paths;
    let most = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < Math.min(listA.length, MOST_BRANCHES); n++)
      for (let m = 0; m < Math.min(listB.length, MOST_BRANCHES); m++) {
        const longA = long(listA[n]!);
        const longB = long(listB[m]!);
        const worth = Math.min(longA, longB) - Math.abs(longA - longB);
        if (worth <= most) continue;
        most = worth;
        atA = listA[n]!;
        atB = listB[m]!;
      }
    paths[0].push(atA);
    paths[1].push(atB);
  }
}

function lengthOf({ lengths, ends, reach, children }: BodyGraph, path: readonly number[]): number {
  const last = path[path.length - 1]!;
  const end = ends[last]! >= 0 && children[last]!.length === 0 ? reach[last]! : 0;
  return path.reduce((sum, joint) => sum + lengths[joint]!, end);
}

function likenessOf(graph: BodyGraph, a: number, b: number): number {
  const both = graph.total[a]! + graph.total[b]!;
  return both > 0 ? (2 * sharedLength(graph, a, b, 0)) / both : 0;
}

function endLength({ ends, children, reach }: BodyGraph, joint: number): number {
  return ends[joint]! >= 0 && children[joint]!.length === 0 ? reach[joint]! : 0;
}

/** The length of the bones at and below two joints that have a partner in the other branch. */
function sharedLength(graph: BodyGraph, a: number, b: number, depth: number): number {
  const { children, lengths, total } = graph;
  let shared = Math.min(lengths[a]!, lengths[b]!) + Math.min(endLength(graph, a), endLength(graph, b));
  if (depth > DEEPEST_LIMB || children[a]!.length === 0 || children[b]!.length === 0) return shared;
  const left = children[b]!.slice(0, MOST_BRANCHES);
  for (const child of children[a]!.slice(0, MOST_BRANCHES)) {
    let best = -1;
    for (let n = 0; n < left.length; n++) {
      const difference = Math.abs(total[left[n]!]! - total[child]!);
      if (best < 0 || difference < Math.abs(total[left[best]!]! - total[child]!)) best = n;
    }
    if (best < 0) break;
    shared += sharedLength(graph, child, left[best]!, depth + 1);
    left.splice(best, 1);
  }
  return shared;
}
