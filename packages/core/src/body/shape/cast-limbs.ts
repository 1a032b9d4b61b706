import {
  dotVectors,
  rejectVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorLength,
} from '../../base/math/vector.js';
import type { BodyGraph } from './body-graph.js';
import { firstApart, type Humanoid, limbEnd } from './find-humanoid.js';
import { type LimbShape, pathLength, splitLimb } from './split-limb.js';

/** The joints of one limb, −1 where there is none, and how sure each is, 0 to 1. */
export type LimbCast = {
  /** Collar bone, or −1; legs have none. */
  girdle: number;
  upper: number;
  lower: number;
  /** Hand or foot. */
  end: number;
  /** Toes, or −1; arms have none. */
  toes: number;
  sure: { girdle: number; upper: number; lower: number; end: number; toes: number };
};

/** An upper arm is at least this share as sure as the forearm that hangs on it: a limb has no gaps. */
const NO_GAP = 0.9;
/** Below this an upper arm is in doubt, and a joint so near behind it, as a share of the bone, is where the arm begins. */
const DOUBTED = 0.7;
const BEHIND_COLLAR = 0.15;

const NO_FOLDS = { girdle: 0, upper: 0, lower: 0, end: 0, toes: 0 };
/** Shins are seldom tilted more than this in a pose that looks like a person, in radians. */
const SHIN_TILT = 0.9;
const LEG_RATIO = { mean: 0.05, spread: 0.35 };
const ARM_RATIO = { mean: 0.1, spread: 0.32 };

const excess = (value: number, limit: number, spread: number) => {
  const over = Math.max(0, value - limit) / spread;
  return (over * over) / (1 + over * over * 0.1);
};

/** The positions along a path, with the end site as last point where there is one. */
function pointsOf(graph: BodyGraph, path: readonly number[], positions: readonly Vec3[]): Vec3[] {
  const points = path.map((joint) => positions[joint]!);
  const end = limbEnd(graph, path);
  if (end !== path[path.length - 1]) points.push(positions[end]!);
  return points;
}

/** Finds thigh, shin, foot and toes in the two legs. */
export function castLegs(graph: BodyGraph, body: Humanoid): [LimbCast, LimbCast] {
  const { positions, up, legs } = body;
  const base = positions[legs.base]!;
  const points = legs.paths.map((path) => pointsOf(graph, path, positions));
  const shapes = points.map((path): LimbShape => {
    const lowest = Math.min(...path.map((p) => dotVectors(p, up)));
    return {
      ratio: LEG_RATIO,
      cost(root, middle, end) {
        const long = pathLength(path, root, middle) + pathLength(path, middle, end);
        const shin = pathLength(path, middle, end);
        const foot = pathLength(path, end, path.length - 1);
        const before = vectorLength(subtractVectors(path[root]!, base));
        const bend =
          end + 1 < path.length
            ? vectorAngle(
                subtractVectors(path[end]!, path[middle]!),
                subtractVectors(path[end + 1]!, path[end]!),
              )
            : Math.PI;
        return (
          0.1 * root +
          excess(before / long, 0.4, 0.12) +
          // A foot is shorter than a shin; the ankle is near the floor, less so in a small figure.
          excess(foot / shin, 1, 0.3) +
          excess((dotVectors(path[end]!, up) - lowest) / long, 0.3, 0.08) +
          // A shin leads down; what leads ahead is a foot, be it as long as the shin of a toy.
          excess(vectorAngle(subtractVectors(path[middle]!, path[end]!), up), SHIN_TILT, 0.2) +
          // Where the path goes on straight it is still the shin.
          (bend < 0.35 ? 0.8 : 0) +
          (end === path.length - 1 && path.length > 3 ? 0.4 : 0)
        );
      },
    };
  });
  return castBoth(legs.paths, points, shapes, (path, split, side) => {
    const foot = path[split.end] ?? -1;
    const next = ballOf(path, points[side]!, split.end, up);
    const isToes = foot >= 0 && next >= 0 && isOnlyBranch(graph, foot, next) && !isTip(graph, foot, next);
    return {
      girdle: -1,
      upper: path[split.root] ?? -1,
      lower: path[split.middle] ?? -1,
      end: foot,
      toes: isToes ? next : -1,
      sure: {
        girdle: 0,
        upper: split.sure[0],
        lower: split.sure[1],
        end: split.sure[2],
        toes: isToes && splitsOff(points[side]!, split.end) ? split.sure[2] : 0.75 * split.sure[2],
      },
    };
  });
}

/** The joint at the ball of the foot: the first after the ankle that lies two fifths of the foot ahead, or −1. */
function ballOf(path: readonly number[], points: readonly Vec3[], end: number, up: Readonly<Vec3>): number {
  const ahead = (i: number) => vectorLength(rejectVector(subtractVectors(points[i]!, points[end]!), up));
  const reach = ahead(points.length - 1);
  for (let i = end + 1; i < path.length; i++) if (ahead(i) >= 0.4 * reach) return path[i]!;
  return path[end + 1] ?? -1;
}

/** Whether the point after the ankle is not just another piece of shin. */
function splitsOff(points: readonly Vec3[], end: number): boolean {
  if (end + 1 >= points.length) return false;
  const shin = subtractVectors(points[end]!, points[end - 1]!);
  return vectorAngle(shin, subtractVectors(points[end + 1]!, points[end]!)) > 0.35;
}

/** A leaf without skin under a joint with skin marks where that joint ends. */
function isTip({ isControl, children }: BodyGraph, joint: number, next: number): boolean {
  return isControl[next]! && !isControl[joint]! && children[next]!.length === 0;
}

function isOnlyBranch(
  { children, reach, lengths, isControl }: BodyGraph,
  joint: number,
  next: number,
): boolean {
  const long = reach[next]! + lengths[next]!;
  return children[joint]!.every(
    (child) => child === next || isControl[child] || reach[child]! + lengths[child]! < 0.6 * long,
  );
}

/** How long a hand is at most, in lengths of its forearm. */
const LONGEST_PALM = 0.8;

/** Finds collar bone, arm, forearm and hand in the two arms. */
export function castArms(graph: BodyGraph, body: Humanoid): [LimbCast, LimbCast] {
  const { positions, arms, across } = body;
  const base = positions[arms.base]!;
  const apart = firstApart(graph, arms, positions)?.index ?? 0;
  const points = arms.paths.map((path) => pointsOf(graph, path, positions));
  const branches = arms.paths.map((path) => handBranch(graph, path));
  const shapes = points.map((path, side): LimbShape => {
    const branch = branches[side]!;
    const hasFingers = branch >= 0 && likeBranches(graph, arms.paths[side]![branch]!) > 2;
    return {
      ratio: ARM_RATIO,
      cost(root, middle, end) {
        const long = pathLength(path, root, middle) + pathLength(path, middle, end);
        const forearm = pathLength(path, middle, end);
        // Half a shoulder's breadth: a collar bone begins nearer to the middle, an elbow is further out.
        const aside = Math.abs(dotVectors(subtractVectors(path[root]!, base), across)) / long;
        const hand =
          branch < 0
            ? excess(pathLength(path, end, path.length - 1) / forearm, 0.8, 0.2) +
              0.25 * Math.max(0, path.length - 1 - end)
            : end <= branch
              ? (end === branch ? 0 : 0.6) + 3 * Math.min(1, pathLength(path, end, branch) / forearm / 0.25)
              : // Beyond where fingers part there is no hand, however short that makes the forearm.
                hasFingers && middle < branch
                ? 4
                : 1;
        return (
          0.1 * root +
          (root < apart ? 1 : 0) +
          excess(aside, 0.6, 0.15) +
          excess(0.17 - aside, 0, 0.05) +
          hand
        );
      },
    };
  });
  return castBoth(arms.paths, points, shapes, (path, split, side) => {
    const branch = branches[side]!;
    // Where fingers part at the elbow, each begins at a wrist of its own, and none of them is the hand.
    const hasHand = branch < 0 || split.end <= branch;
    // A finger and a thumb that part behind a short forearm make it no longer: what they part at is the hand.
    const isShort = !hasHand && split.middle < branch && isPalm(points[side]!, split.middle, branch);
    const root = armRoot(points[side]!, split);
    const isOff = (i: number) =>
      Math.abs(dotVectors(subtractVectors(positions[path[i]!]!, base), across)) > 0.01 * graph.size;
    let girdle = -1;
    for (let i = 0; i < root && girdle < 0; i++) if (isOff(i)) girdle = path[i]!;
    if (girdle < 0 && root > 0) girdle = path[root - 1]!;
    return {
      girdle,
      upper: path[root] ?? -1,
      lower: path[split.middle] ?? -1,
      end: isShort ? path[branch]! : hasHand ? (path[split.end] ?? -1) : -1,
      toes: -1,
      sure: {
        girdle: split.sure[0],
        upper: Math.max(split.sure[0], NO_GAP * split.sure[1]),
        lower: split.sure[1],
        end: split.sure[2],
        toes: 0,
      },
    };
  });
}

/** Whether no more than a hand lies behind a joint of an arm. */
function isPalm(points: readonly Vec3[], elbow: number, at: number): boolean {
  return pathLength(points, at, points.length - 1) < LONGEST_PALM * pathLength(points, elbow, at);
}

/** Where an arm begins: behind a short collar bone, where it is in doubt which of two joints that is. */
function armRoot(points: readonly Vec3[], { root, middle, sure }: Split): number {
  if (sure[0] >= DOUBTED || root + 1 >= middle) return root;
  const isShort = pathLength(points, root, root + 1) < BEHIND_COLLAR * pathLength(points, root, middle);
  return isShort ? root + 1 : root;
}

/**
 * Where along an arm fingers part, as an index, or −1: the first joint with three branches of like length, else
 * with two, since a sleeve beside the forearm makes two as well.
 */
export function handBranch(graph: BodyGraph, path: readonly number[]): number {
  const likes = path.map((joint, i) => (i === 0 ? 0 : likeBranches(graph, joint)));
  const many = likes.findIndex((count) => count > 2);
  return many >= 0 ? many : likes.indexOf(2);
}

/** How many branches of like length part at a joint. */
function likeBranches({ children, ends, reach, lengths, isControl }: BodyGraph, joint: number): number {
  // Twist joints beside the forearm are leaves; fingers are chains, or have an end.
  const below = children[joint]!.filter((child) => !isControl[child]);
  const chains = below.filter((child) => children[child]!.length > 0 || ends[child]! >= 0);
  const long = (chains.length > 0 ? chains : below)
    .map((child) => reach[child]! + lengths[child]!)
    .sort((a, b) => b - a);
  // What a hand holds may be longer than its fingers: three alike beside it are enough.
  const beside = long.length > 3 && long[3]! > 0.4 * long[1]! ? long.slice(1) : [];
  const likes = (list: readonly number[], share: number) =>
    list.filter((length) => length > share * list[0]!).length;
  return Math.max(likes(long, 0.35), likes(beside, 0.4));
}

type Split = NonNullable<ReturnType<typeof splitLimb>>;

/** Splits both sides alike where their paths are alike, else each by itself. */
function castBoth(
  paths: readonly [number[], number[]],
  points: readonly (readonly Vec3[])[],
  shapes: readonly LimbShape[],
  cast: (path: readonly number[], split: Split, side: number) => LimbCast,
): [LimbCast, LimbCast] {
  const none: LimbCast = { girdle: -1, upper: -1, lower: -1, end: -1, toes: -1, sure: NO_FOLDS };
  const together = paths[0].length === paths[1].length ? splitLimb(points, shapes) : null;
  return [0, 1].map((side) => {
    const split = together ?? splitLimb([points[side]!], [shapes[side]!]);
    return split ? cast(paths[side]!, split, side) : none;
  }) as [LimbCast, LimbCast];
}
