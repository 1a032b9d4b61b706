import { UsageError } from '../base/errors.js';
import { assignBest, assignGreedy } from '../base/math/assign.js';
import {
  addVectors,
  directionOf,
  dotVectors,
  meanVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorLength,
} from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import { bodyPoseOf } from '../body/body.js';
import { findMirrorPlane, MIDDLE, sizeOf } from '../body/body-shape.js';
import type { Armature, Chain, ChainKind } from '../body/chains/armature.js';
import { wordsOf } from '../body/joint-kinds.js';
import type { Rig } from '../body/rig.js';
import { CHAIN_THRESHOLD, CHAIN_WEIGHTS, type ChainWeights } from '../options/chain-matching.js';
import { END } from '../scene/skeleton.js';

/** A rig with the chains that cover it. */
export type ChainBody = { rig: Rig; armature: Armature };

/** What {@link matchChains} may be told. */
export type ChainMatchOptions = {
  weights?: Partial<ChainWeights>;
  /** `best`: the greatest sum of scores there is; `greedy`: the best pair first, as the paper has it. */
  assignment?: 'best' | 'greedy';
  /** Pairs that score less are not made. */
  threshold?: number;
  /**
   * Pairs that are known, as indices of chains; a side that is null stays alone. Those by the user's word (K12) stand
   * whatever they hang on.
   */
  fixed?: readonly { source: number | null; target: number | null; isTold?: true }[];
};

/** The likeness of two chains, 0 to 1, and what it is made of; a part is null where nothing can be said. */
export type ChainScore = { score: number; parts: Record<keyof ChainWeights, number | null> };

/** Two chains that are the same part of two bodies. */
export type ChainMatch = ChainScore & {
  /** Index of the chain in the source's armature. */
  source: number;
  /** Index of the chain in the target's armature. */
  target: number;
  /** 0 to 1: from the score, and from how far the next best chain is behind. */
  confidence: number;
  reason: string;
};

/** Which chains go together, and which stay alone. */
export type ChainMatching = {
  /** In the target's order. */
  matches: ChainMatch[];
  alone: { source: number[]; target: number[] };
};

/** So many chains of a body are matched by shape at most; a person with hair, skirts and all has a hundred. */
const MOST_CHAINS = 200;
/** After so many rounds contradicting pairs are given up; none of the bodies in the tests needs more than five. */
const MOST_MATCHINGS = 20;
/** A quarter of the body's size: the distance at which a place counts half, as 1 does in eq. 1. */
const HALF_DISTANCE = 0.25;

/** A limb that ends lower than this, in heights of the body, stands on the floor. */
const ON_THE_FLOOR = 0.15;

/** A body lower than this share of its length is flat: its heights are not blown up. */
const FLAT_BODY = 0.3;

type ChainSide = 'left' | 'right' | 'middle';

/** A chain as it is compared: places with the hips as origin, in body sizes. */
type ChainShape = {
  kind: ChainKind;
  side: ChainSide;
  root: Vec3;
  end: Vec3;
  mean: Vec3;
  direction: Vec3 | null;
  length: number;
  turning: number;
  carries: number;
  words: ReadonlySet<string>;
  parent: number;
  /** Number of chains that the chain hangs on. */
  depth: number;
  /** Number of limbs that the chain hangs on. */
  limbs: number;
  /** The chain on the other side, or −1. */
  partner: number;
  /** Whether the chain is a limb that comes down to the floor. */
  stands: boolean;
};

const MATCHED_KINDS: ReadonlySet<ChainKind> = new Set(['root', 'spine', 'tail', 'limb', 'digit', 'face']);

/**
 * Finds which chains of two bodies are the same part. Every pair is scored by where the chains begin, end and
 * point (eq. 1) and by further evidence, with the hips as origin and the body's size as unit, in model space:
 * so neither unit nor place nor heading matters (K11). Then the assignment with the greatest sum is taken,
 * under conditions that no score outweighs: sides never cross, what hangs on a limb is never a limb, and a
 * chain hangs on the partner of what its partner hangs on, or on what has none.
 * @throws UsageError where a fixed pair names a chain that is not there.
 */
export function matchChains(
  source: ChainBody,
  target: ChainBody,
  options: ChainMatchOptions = {},
): ChainMatching {
  const chains = [source.armature.chains, target.armature.chains] as const;
  if (Math.max(chains[0].length, chains[1].length) > MOST_CHAINS)
    return matchLargest(source, target, options);
  const weights = { ...CHAIN_WEIGHTS, ...options.weights };
  const threshold = options.threshold ?? CHAIN_THRESHOLD;
  const from = shapesOf(source);
  const to = shapesOf(target);
  const fixed = new Map<number, number>();
  const told = new Set<number>();
  const closed = { source: new Set<number>(), target: new Set<number>() };
  for (const pair of options.fixed ?? []) {
    if ((pair.source !== null && !from[pair.source]) || (pair.target !== null && !to[pair.target]))
      throw new UsageError(`chains ${pair.source} and ${pair.target} cannot be paired: one is not there`);
    if (pair.source !== null) closed.source.add(pair.source);
    if (pair.target !== null) closed.target.add(pair.target);
    if (pair.source !== null && pair.target !== null) fixed.set(pair.source, pair.target);
    if (pair.source !== null && pair.isTold) told.add(pair.source);
  }

  // Of people most chains are told: what is never asked for is not worked out.
  const known: ChainScore[] = [];
  const scoreOf = (i: number, j: number): ChainScore => {
    known[i * to.length + j] ??= scoreShapes(from[i]!, to[j]!, weights);
    return known[i * to.length + j]!;
  };
  // Both sides of a body decide together: each pair of limbs scores as its mirror image does.
  const scores = from.map((_, i) => {
    didWork(10 * to.length);
    return to.map((_, j) => {
      if (fixed.get(i) === j) return 4;
      if (closed.source.has(i) || closed.target.has(j)) return Number.NEGATIVE_INFINITY;
      if (!mayPair(from[i]!, to[j]!)) return Number.NEGATIVE_INFINITY;
      const { score } = scoreOf(i, j);
      const [a, b] = [from[i]!.partner, to[j]!.partner];
      return a >= 0 && b >= 0 ? (score + scoreOf(a, b).score) / 2 : score;
    });
  });
  const mains = { source: mainRoot(source.armature, from), target: mainRoot(target.armature, to) };
  if (
    mains.source >= 0 &&
    mains.target >= 0 &&
    !closed.source.has(mains.source) &&
    !closed.target.has(mains.target)
  )
    scores[mains.source]![mains.target] = 3;
  const assign = options.assignment === 'greedy' ? assignGreedy : assignBest;
  let assigned = assign(scores, threshold);
  // Each round forbids the weaker pair of every contradiction; there are never more rounds than pairs. A body that
  // is still at odds after so many that no animal needs them gives such pairs up, without looking for others.
  for (let round = 0; round < from.length + to.length; round++) {
    const wrong = contradictions(assigned, from, to, scores).filter((i) => !told.has(i));
    if (wrong.length === 0) break;
    for (const i of wrong) {
      scores[i]![assigned[i]!] = Number.NEGATIVE_INFINITY;
      assigned[i] = -1;
    }
    if (round < MOST_MATCHINGS) assigned = assign(scores, threshold);
  }

  // A body with four legs and one with eight have no limb in common that could be known for sure.
  const limbs = { source: countLimbs(from), target: countLimbs(to) };
  const plan = (Math.min(limbs.source, limbs.target) + 2) / (Math.max(limbs.source, limbs.target) + 2);
  const matches: ChainMatch[] = [];
  assigned.forEach((j, i) => {
    if (j < 0) return;
    const { parts, score: plain } = scoreOf(i, j);
    const isFixed = fixed.get(i) === j;
    const isRoot = mains.source === i && mains.target === j;
    const score = isFixed || isRoot ? plain : scores[i]![j]!;
    const rival = rivalOf(scores, i, j);
    matches.push({
      source: i,
      target: j,
      score,
      parts,
      confidence: isFixed
        ? 1
        : round(
            confidenceOf(isRoot ? Math.max(score, 0.8) : score, isRoot ? 0 : rival) *
              (isRoot ? 1 : isLimb(from[i]!) ? plan : (1 + plan) / 2),
          ),
      reason: isFixed ? 'as told' : reasonOf(from[i]!, to[j]!, parts, isRoot),
    });
  });
  matches.sort((a, b) => a.target - b.target);
  const used = new Set(matches.map((match) => match.source));
  const driven = new Set(matches.map((match) => match.target));
  return {
    matches,
    alone: {
      source: from.map((_, i) => i).filter((i) => !used.has(i)),
      target: to.map((_, j) => j).filter((j) => !driven.has(j)),
    },
  };
}

/** Matches the chains of most joints alone, where there are more than every two can be compared of. */
function matchLargest(source: ChainBody, target: ChainBody, options: ChainMatchOptions): ChainMatching {
  const kept = { source: largestChains(source.armature), target: largestChains(target.armature) };
  const placeIn = (list: readonly number[]) => new Map(list.map((chain, place) => [chain, place]));
  const places = { source: placeIn(kept.source), target: placeIn(kept.target) };
  const part = ({ rig, armature }: ChainBody, chains: readonly number[]): ChainBody => ({
    rig,
    armature: { ...armature, chains: chains.map((i) => armature.chains[i]!) },
  });
  const fixed = (options.fixed ?? []).flatMap(({ source: i, target: j }) => {
    const pair = {
      source: i === null ? null : (places.source.get(i) ?? null),
      target: j === null ? null : (places.target.get(j) ?? null),
    };
    return pair.source === null && pair.target === null ? [] : [pair];
  });
  const { matches } = matchChains(part(source, kept.source), part(target, kept.target), {
    ...options,
    fixed,
  });
  const found = matches.map((match) => ({
    ...match,
    source: kept.source[match.source]!,
    target: kept.target[match.target]!,
  }));
  const others = (chains: readonly unknown[], taken: ReadonlySet<number>) =>
    chains.map((_, i) => i).filter((i) => !taken.has(i));
  return {
    matches: found,
    alone: {
      source: others(source.armature.chains, new Set(found.map((match) => match.source))),
      target: others(target.armature.chains, new Set(found.map((match) => match.target))),
    },
  };
}

/** The chains that can be matched and have most joints, in their order. */
function largestChains({ chains }: Armature): number[] {
  const weight = ({ kind, joints }: Chain) => joints.length + (MATCHED_KINDS.has(kind) ? 1e6 : 0);
  return chains
    .map((_, i) => i)
    .sort((a, b) => weight(chains[b]!) - weight(chains[a]!) || a - b)
    .slice(0, MOST_CHAINS)
    .sort((a, b) => a - b);
}

/** The likeness of one chain of each body, whether or not they may be paired. */
export function scoreChains(
  source: ChainBody,
  target: ChainBody,
  sourceChain: number,
  targetChain: number,
  weights: Partial<ChainWeights> = {},
): ChainScore {
  const a = shapesOf(source)[sourceChain];
  const b = shapesOf(target)[targetChain];
  if (!a || !b)
    throw new UsageError(`chains ${sourceChain} and ${targetChain} cannot be compared: one is not there`);
  return scoreShapes(a, b, { ...CHAIN_WEIGHTS, ...weights });
}

function shapesOf({ rig, armature }: ChainBody): ChainShape[] {
  const { skeleton } = rig;
  const { positions } = bodyPoseOf(skeleton, skeleton.bind ?? rig.reference.pose, rig.joints);
  const chainOfJoint = new Map<number, number>();
  armature.chains.forEach(({ joints }, i) => {
    for (const joint of joints) chainOfJoint.set(joint, i);
  });
  const body = armature.chains.filter(({ kind }) => MATCHED_KINDS.has(kind)).flatMap(({ joints }) => joints);
  const mirror = findMirrorPlane(positions, body, [0]);
  const span = sizeOf(positions, body) || 1;
  const flat = positions.map((p): Vec3 => [0, p[1], p[2]]);
  // Along and up, not across: wings and legs spread as they like.
  const size = sizeOf(flat, body) || span;
  const origin = originOf(rig, armature, positions);
  origin[0] = mirror.at;
  // Heights count from the lowest joint in heights of the body: hips are hips on long legs and on short ones.
  const heights = body.map((joint) => positions[joint]![1]).filter(Number.isFinite);
  const floor = heights.reduce((low, y) => Math.min(low, y), Number.POSITIVE_INFINITY);
  const height = Math.max(heights.reduce((high, y) => Math.max(high, y), floor) - floor, FLAT_BODY * size);
  const placeOf = (joint: number): Vec3 => {
    const [x, y, z] = positions[joint]!;
    return [(x - origin[0]) / size, (y - floor) / height, (z - origin[2]) / size];
  };
  const parents = armature.chains.map(({ joints }) => {
    let at = skeleton.parents[joints[0]!]!;
    while (at >= 0 && !chainOfJoint.has(at)) at = skeleton.parents[at]!;
    return { chain: at < 0 ? -1 : chainOfJoint.get(at)!, joint: at };
  });
  const shapes = armature.chains.map(({ joints, kind }, i): ChainShape => {
    const places = joints.map(placeOf);
    const root = places[0]!;
    const end = places[places.length - 1]!;
    const mean = meanVector(places)!;
    const anchor = parents[i]!.joint;
    // A chain of one joint points away from what it hangs on; where that is no way at all, nowhere (KP3).
    const from = joints.length > 1 ? joints[0]! : anchor;
    const last = positions[joints[joints.length - 1]!]!;
    const offset = joints.reduce((sum, joint) => sum + positions[joint]![0], 0) / joints.length - mirror.at;
    const turning = joints.filter((joint) => (skeleton.flags[joint]! & END) === 0).length;
    return {
      kind,
      side: Math.abs(offset) < MIDDLE * span ? 'middle' : offset > 0 ? 'left' : 'right',
      root,
      end,
      mean,
      direction: from < 0 ? null : directionOf(subtractVectors(last, positions[from]!)),
      length:
        joints.reduce(
          (sum, joint, k) =>
            k === 0 ? 0 : sum + vectorLength(subtractVectors(positions[joint]!, positions[joints[k - 1]!]!)),
          0,
        ) / size,
      turning: Math.max(1, turning),
      carries: parents.filter(({ chain }, k) => chain === i && MATCHED_KINDS.has(armature.chains[k]!.kind))
        .length,
      words: meaningsOf(
        joints.flatMap((joint) => wordsOf(skeleton.names[joint]!)),
        kind,
      ),
      parent: parents[i]!.chain,
      depth: 0,
      limbs: 0,
      partner: -1,
      stands:
        kind === 'limb' && end[1] < ON_THE_FLOOR && Math.max(...places.map((p) => p[1])) > 2 * ON_THE_FLOOR,
    };
  });
  findPartners(shapes);
  shapes.forEach((shape) => {
    for (let at = shape.parent; at >= 0 && shape.depth < shapes.length; at = shapes[at]!.parent) {
      const { kind, length } = shapes[at]!;
      shape.depth++;
      if (kind === 'digit' || (kind === 'limb' && length > 0.02)) shape.limbs++;
    }
  });
  return shapes;
}

/** The hips where they are known, else where the body first parts, else the middle of all chains. */
function originOf(rig: Rig, armature: Armature, positions: readonly Vec3[]): Vec3 {
  if (rig.joints.hips !== undefined) return [...positions[rig.joints.hips]!];
  const roots = armature.chains.filter(({ kind }) => kind === 'root');
  const longest = roots.reduce<number[] | null>(
    (best, { joints }) => (best === null || joints.length > best.length ? joints : best),
    null,
  );
  if (longest) return [...positions[longest[longest.length - 1]!]!];
  const places = armature.chains.flatMap(({ joints }) => joints.map((joint) => positions[joint]!));
  return meanVector(places) ?? [0, 0, 0];
}

/** Gives every chain beside the mirror plane the chain that is its image, and both their sides. */
function findPartners(shapes: ChainShape[]): void {
  shapes.forEach((a, i) => {
    if (a.partner >= 0) return;
    let best = -1;
    let nearest = Number.POSITIVE_INFINITY;
    shapes.forEach((b, j) => {
      if (j === i || b.partner >= 0 || b.kind !== a.kind) return;
      const sameParent = a.parent === b.parent || (a.parent >= 0 && shapes[a.parent]!.partner === b.parent);
      if (!sameParent || !isOpposite(a, b)) return;
      const distance = mirroredDistance(a, b);
      if (distance < nearest) {
        nearest = distance;
        best = j;
      }
    });
    // A fifth of what lies between the two, at most: a step of one leg, not another leg.
    if (best < 0 || nearest > 0.25) return;
    a.partner = best;
    shapes[best]!.partner = i;
    const isLeft = a.mean[0] + a.end[0] > shapes[best]!.mean[0] + shapes[best]!.end[0];
    a.side = isLeft ? 'left' : 'right';
    shapes[best]!.side = isLeft ? 'right' : 'left';
  });
}

function isOpposite(a: ChainShape, b: ChainShape): boolean {
  const x = a.mean[0] + a.end[0];
  const y = b.mean[0] + b.end[0];
  return x * y < 0 && Math.min(Math.abs(x), Math.abs(y)) > 0.01;
}

function mirroredDistance(a: ChainShape, b: ChainShape): number {
  const across = (v: Vec3): Vec3 => [-v[0], v[1], v[2]];
  return vectorLength(
    scaleVector(
      addVectors(subtractVectors(across(a.root), b.root), subtractVectors(across(a.end), b.end)),
      0.5,
    ),
  );
}

/** Words that say which part of a body a chain is, with their meanings, for the kinds of chains that they are said of. */
const MEANINGS: readonly { kinds: readonly ChainKind[]; words: Readonly<Record<string, string>> }[] = [
  {
    kinds: ['spine', 'tail', 'limb', 'digit', 'face'],
    words: { tail: 'tail', abdomen: 'tail', wing: 'wing', feather: 'wing', fin: 'fin' },
  },
  {
    kinds: ['face', 'limb'],
    words: { ear: 'ear', ears: 'ear', horn: 'horn', antler: 'horn', eye: 'eye', tongue: 'tongue' },
  },
  { kinds: ['face'], words: { jaw: 'jaw', chin: 'jaw', mouth: 'jaw' } },
  {
    kinds: ['limb', 'digit'],
    words: {
      ...{ arm: 'arm', upperarm: 'arm', forearm: 'arm', hand: 'arm' },
      ...{ leg: 'leg', foot: 'leg', thigh: 'leg', toes: 'leg' },
      ...{ front: 'front', back: 'back', hind: 'back', rear: 'back', mid: 'mid' },
    },
  },
];

function meaningsOf(words: readonly string[], kind: ChainKind): Set<string> {
  const meanings = new Set<string>();
  for (const { kinds, words: known } of MEANINGS)
    if (kinds.includes(kind))
      for (const word of words) if (Object.hasOwn(known, word)) meanings.add(known[word]!);
  return meanings;
}

function mayPair(a: ChainShape, b: ChainShape): boolean {
  if (!MATCHED_KINDS.has(a.kind) || !MATCHED_KINDS.has(b.kind)) return false;
  if (a.side !== b.side) return false;
  if (a.limbs > 0 !== b.limbs > 0) return false;
  if (a.kind === b.kind) return true;
  // A tail may be a spine that ends, an ear a limb on the head; a root and a digit are nothing else.
  return [a.kind, b.kind].every((kind) => kind !== 'root' && kind !== 'digit');
}

/** A tail is half a spine, and an ear or a jaw a little of the limb or spine that another armature has there. */
function kindLikeness(a: ChainKind, b: ChainKind): number {
  if (a === b) return 1;
  const both = new Set([a, b]);
  if (both.has('spine') && both.has('tail')) return 0.5;
  return both.has('face') && (both.has('limb') || both.has('spine')) ? 0.3 : 0;
}

function scoreShapes(a: ChainShape, b: ChainShape, weights: ChainWeights): ChainScore {
  const near = (p: Vec3, q: Vec3) => 1 / (1 + vectorLength(subtractVectors(p, q)) / HALF_DISTANCE);
  const ratio = (x: number, y: number) => (x === y ? 1 : Math.min(x, y) / Math.max(x, y));
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const fewest = Math.min(a.words.size, b.words.size);
  const parts: ChainScore['parts'] = {
    end: near(a.end, b.end),
    root: near(a.root, b.root),
    direction: a.direction && b.direction ? dotVectors(a.direction, b.direction) / 2 + 0.5 : null,
    mean: near(a.mean, b.mean),
    length: a.length > 0 || b.length > 0 ? ratio(a.length, b.length) : null,
    joints: ratio(a.turning, b.turning),
    kind: kindLikeness(a.kind, b.kind),
    carries: ratio(a.carries + 1, b.carries + 1),
    depth: ratio(a.depth + 1, b.depth + 1),
    floor: a.stands || b.stands ? (a.stands === b.stands ? 1 : 0) : null,
    name: fewest > 0 ? shared / fewest : null,
  };
  let sum = 0;
  let total = 0;
  for (const key of Object.keys(parts) as (keyof ChainWeights)[]) {
    const part = parts[key];
    if (part === null || !(weights[key] > 0) || Number.isNaN(part)) continue;
    sum += weights[key] * part;
    total += weights[key];
  }
  return { score: total > 0 ? sum / total : 0, parts };
}

/** The root chain on which most of the body hangs; −1 where there is none. */
function mainRoot(armature: Armature, shapes: readonly ChainShape[]): number {
  const hanging = new Float64Array(shapes.length);
  for (let i = shapes.length - 1; i >= 0; i--) {
    let steps = 0;
    for (let at = i; at >= 0 && steps <= shapes.length; at = shapes[at]!.parent, steps++)
      hanging[at]! += armature.chains[i]!.joints.length;
  }
  let best = -1;
  shapes.forEach(({ kind }, i) => {
    if (kind === 'root' && (best < 0 || hanging[i]! > hanging[best]!)) best = i;
  });
  return best;
}

/** The weaker of every two pairs of which one hangs on the other on one side only. */
function contradictions(
  assigned: Int32Array,
  from: readonly ChainShape[],
  to: readonly ChainShape[],
  scores: readonly (readonly number[])[],
): number[] {
  const sourceOf = new Int32Array(to.length).fill(-1);
  assigned.forEach((j, i) => {
    if (j >= 0) sourceOf[j] = i;
  });
  const above = (
    shapes: readonly ChainShape[],
    chain: number,
    isMatched: (chain: number) => boolean,
  ): number => {
    let at = shapes[chain]!.parent;
    for (let steps = 0; at >= 0 && !isMatched(at) && steps <= shapes.length; steps++) at = shapes[at]!.parent;
    return at;
  };
  const wrong = new Set<number>();
  assigned.forEach((j, i) => {
    if (j < 0) return;
    const a = above(from, i, (chain) => assigned[chain]! >= 0);
    const b = above(to, j, (chain) => sourceOf[chain]! >= 0);
    if (a >= 0 ? assigned[a] === b : b < 0) return;
    // A foot that is exported under the root hangs on nothing: it may go with one that hangs on a leg.
    if ((a < 0 && from[i]!.parent < 0) || (b < 0 && to[j]!.parent < 0)) return;
    const rivals = [i, a, b >= 0 ? sourceOf[b]! : -1].filter((k) => k >= 0);
    // A score counts the more, the more joints it stands for: a jaw gives way to a spine.
    const weight = (k: number) =>
      scores[k]![assigned[k]!]! * Math.sqrt(Math.min(from[k]!.turning, to[assigned[k]!]!.turning));
    wrong.add(rivals.reduce((weak, k) => (weight(k) < weight(weak) ? k : weak)));
  });
  return [...wrong];
}

/** The best score that either chain of a pair has with another. */
function rivalOf(scores: readonly (readonly number[])[], i: number, j: number): number {
  let rival = 0;
  scores[i]!.forEach((score, k) => {
    if (k !== j && score > rival && score < 2) rival = score;
  });
  scores.forEach((row, k) => {
    if (k !== i && row[j]! > rival && row[j]! < 2) rival = row[j]!;
  });
  return rival;
}

/** From the score, less where another chain scores nearly as well. */
function confidenceOf(score: number, rival: number): number {
  const alike = Math.max(0, Math.min(1, (score - 0.4) / 0.5));
  const clear = Math.max(0, Math.min(1, 0.5 + (score - rival) / 0.2));
  return Math.min(0.95, alike * (0.75 + 0.25 * clear));
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

function isLimb({ kind, limbs, parent }: ChainShape): boolean {
  return kind === 'limb' && limbs === 0 && parent >= 0;
}

/** Limbs that hang on the trunk; an anchor that only carries others is none. */
function countLimbs(shapes: readonly ChainShape[]): number {
  return shapes.filter((shape) => isLimb(shape) && shape.length > 0.02).length;
}

const PART_WORDS: readonly [keyof ChainWeights, string][] = [
  ['name', 'names'],
  ['direction', 'direction'],
  ['root', 'beginning'],
  ['end', 'end'],
  ['length', 'length'],
  ['carries', 'branches'],
  ['floor', 'standing'],
];

function reasonOf(a: ChainShape, b: ChainShape, parts: ChainScore['parts'], isRoot: boolean): string {
  if (isRoot) return 'both bodies part here';
  const like = PART_WORDS.filter(([part]) => (parts[part] ?? 0) > 0.75).map(([, word]) => word);
  const unlike = PART_WORDS.filter(([part]) => parts[part] !== null && parts[part]! < 0.45).map(
    ([, word]) => word,
  );
  const side = a.side === 'middle' ? '' : `${a.side} `;
  const what = a.kind === b.kind ? `${side}${a.kind}` : `${a.kind} as ${b.kind}`;
  const alike = like.length > 0 ? `like in ${listed(like)}` : 'the nearest in shape';
  return `${what}, ${alike}${unlike.length > 0 ? `, unlike in ${listed(unlike)}` : ''}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}
