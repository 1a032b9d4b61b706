import { directionOf, dotVectors, subtractVectors, type Vec3, vectorLength } from '../base/math/vector.js';
import type { IndexingMethod } from '../options/chain-matching.js';

/**
 * What becomes of source joints that no target joint is left for: they are merged into the nearest mapped
 * joint (algorithm 3); or folded into the next one towards the tip, which has turned by all of them; or
 * likewise, but those beyond the last mapped joint are left out: a shin does not turn as the toes do.
 */
export type SurplusRule = 'nearest' | 'next' | 'between';

/** The source joints, as places in their chain, that one target joint of a matched chain takes over. */
export type IndexedJoint = {
  /** Place in the target chain. */
  target: number;
  /**
   * Places in the source chain, parents first and without a gap, so that the last, the driver, has turned by
   * all of them: that is eq. 5 with the offset matrix of the last merged joint (K16).
   */
  sources: number[];
};

/**
 * Says which joints of a source chain drive which joints of a target chain. As many on both sides: one to
 * one. Else the pairs at the smallest distance are taken first, each joint once, in the order of the chains:
 * pairs that would cross one already taken, or leave a joint of the shorter chain without a partner, are
 * passed over (algorithm 3 as printed lets interior joints cross). So every joint of the shorter chain has a
 * partner. Surplus source joints are merged, surplus target joints are left out: they keep their rest (K15).
 * @param source Where the joints of each chain are, parents first, in any unit; what lies outside the chain,
 * such as the way to its first joint, does not count (KP9).
 * @param by Left out: by index where the counts agree, else by length.
 */
export function indexJoints(
  source: readonly Vec3[],
  target: readonly Vec3[],
  by: IndexingMethod = 'length',
  surplus: SurplusRule = 'nearest',
): IndexedJoint[] {
  const m = source.length;
  const n = target.length;
  if (m === 0 || n === 0) return [];
  if (m === n && typeof by !== 'function') return target.map((_, j) => ({ target: j, sources: [j] }));
  const distances = distancesOf(source, target, by);
  const drivers = pairInOrder(distances, m, n);
  const mapped: IndexedJoint[] = [];
  drivers.forEach((driver, j) => {
    if (driver >= 0) mapped.push({ target: j, sources: [driver] });
  });
  mergeSurplus(mapped, distances, m, surplus);
  return mapped;
}

function distancesOf(source: readonly Vec3[], target: readonly Vec3[], by: IndexingMethod): number[][] {
  if (typeof by === 'function') return by(source, target);
  if (by === 'nearest') {
    const from = inOwnLength(source);
    const to = inOwnLength(target);
    return from.map((a) => to.map((b) => vectorLength(subtractVectors(a, b))));
  }
  const place = (i: number, count: number) => (count > 1 ? i / (count - 1) : 0);
  const from = by === 'index' ? source.map((_, i) => place(i, source.length)) : normalisedLengths(source);
  const to = by === 'index' ? target.map((_, j) => place(j, target.length)) : normalisedLengths(target);
  return from.map((a) => to.map((b) => Math.abs(a - b)));
}

/**
 * Distance along a chain from its first joint, 0 to 1 (algorithm 3). Joints that all coincide are spread
 * evenly.
 */
export function normalisedLengths(positions: readonly Vec3[]): number[] {
  const lengths = cumulativeLengths(positions);
  const total = lengths[lengths.length - 1] ?? 0;
  return lengths.map((length, i) => (total > 0 ? length / total : i / Math.max(1, positions.length - 1)));
}

/**
 * Distances of joints by the bones that begin at them: half the difference in normalised length, and how
 * differently the bones point, 0 to 1. Bones that point one way turn alike, so this pairs the joints of limbs
 * that are built differently, such as legs with and without a shoulder blade.
 * @param source Where the joints of each chain are, with the ends that only mark where the last bone ends.
 * @param counts How many joints of each chain turn something: they come first.
 */
export function boneDistances(
  source: readonly Vec3[],
  target: readonly Vec3[],
  counts: { source: number; target: number },
): number[][] {
  const bonesOf = (positions: readonly Vec3[]) =>
    positions.map((p, i) => (positions[i + 1] ? directionOf(subtractVectors(positions[i + 1]!, p)) : null));
  const lengths = { source: normalisedLengths(source), target: normalisedLengths(target) };
  const bones = { source: bonesOf(source), target: bonesOf(target) };
  return lengths.source.slice(0, counts.source).map((a, i) =>
    lengths.target.slice(0, counts.target).map((b, j) => {
      const [u, v] = [bones.source[i], bones.target[j]];
      return Math.abs(a - b) / 2 + (u && v ? (1 - dotVectors(u, v)) / 2 : 0);
    }),
  );
}

function cumulativeLengths(positions: readonly Vec3[]): number[] {
  const lengths: number[] = [];
  positions.forEach((position, i) => {
    const step = i === 0 ? 0 : vectorLength(subtractVectors(position, positions[i - 1]!));
    lengths.push((lengths[i - 1] ?? 0) + (Number.isFinite(step) ? step : 0));
  });
  return lengths;
}

function inOwnLength(positions: readonly Vec3[]): Vec3[] {
  const total = cumulativeLengths(positions)[positions.length - 1]! || 1;
  return positions.map((p) => {
    const [x, y, z] = subtractVectors(p, positions[0]!);
    return [x / total, y / total, z / total];
  });
}

/** For each target place its source place, or −1: smallest distances first, in order, min(m, n) pairs. */
function pairInOrder(distances: readonly (readonly number[])[], m: number, n: number): Int32Array {
  const candidates: { i: number; j: number; distance: number }[] = [];
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const distance = distances[i]?.[j];
      candidates.push({
        i,
        j,
        distance: distance === undefined || Number.isNaN(distance) ? Number.MAX_VALUE : distance,
      });
    }
  candidates.sort((a, b) => a.distance - b.distance || a.j - b.j || a.i - b.i);
  const taken: { i: number; j: number }[] = [];
  const drivers = new Int32Array(n).fill(-1);
  for (const { i, j } of candidates) {
    if (taken.length === Math.min(m, n)) break;
    let before = { i: -1, j: -1 };
    let after = { i: m, j: n };
    for (const pair of taken) {
      if (pair.j < j && pair.j > before.j) before = pair;
      if (pair.j > j && pair.j < after.j) after = pair;
    }
    if (drivers[j]! >= 0 || i <= before.i || i >= after.i) continue;
    // The shorter chain must still find room on both sides of the pair.
    const fits = (sources: number, targets: number) => (m >= n ? sources >= targets : targets >= sources);
    if (!fits(i - before.i - 1, j - before.j - 1) || !fits(after.i - i - 1, after.j - j - 1)) continue;
    taken.push({ i, j });
    drivers[j] = i;
  }
  return drivers;
}

function mergeSurplus(
  mapped: IndexedJoint[],
  distances: readonly (readonly number[])[],
  m: number,
  surplus: SurplusRule,
): void {
  const drivers = mapped.map(({ sources }) => sources[0]!);
  let next = 0;
  let isPastMiddle = false;
  for (let i = 0; i < m; i++) {
    if (drivers[next] === i) {
      next++;
      isPastMiddle = false;
      continue;
    }
    const below = mapped[next - 1];
    const above = mapped[next];
    if (!above && surplus === 'between') break;
    const isNearBelow: boolean =
      below !== undefined &&
      (!above ||
        (surplus === 'nearest' &&
          !isPastMiddle &&
          distances[i]![below.target]! <= distances[i]![above.target]!));
    // Between two drivers there is one cut: what a joint further out takes over has no gap.
    isPastMiddle = !isNearBelow;
    (isNearBelow ? below : above)!.sources.push(i);
  }
  for (const { sources } of mapped) sources.sort((a, b) => a - b);
}

/** How far one target joint of a chain has turned, as a place between two turns of the source chain. */
export type SharedTurn = {
  /** Place in the source chain of the turn that is reached, or that lies beyond. */
  source: number;
  /** Place of the turn that the way there starts from; −1 for what carries the chain. */
  from: number;
  /** 0 to 1 of the way from there; 1 where the source's turn is reached. */
  weight: number;
};

/**
 * Shares the turns of m source joints among n target joints, where there are more of these: joint j takes the
 * turn that the source chain has reached at (j + 1)·m/n, with turns between joints interpolated, so that the
 * bend is spread evenly and the last joint has all of it (M8).
 */
export function shareTurns(m: number, n: number): SharedTurn[] {
  if (m <= 0) return [];
  return Array.from({ length: n }, (_, j) => {
    const reached = ((j + 1) * m) / n;
    const k = Math.ceil(reached - 1e-9);
    const weight = reached - (k - 1);
    return { source: k - 1, from: k - 2, weight: weight > 1 - 1e-9 ? 1 : weight };
  });
}

/** Finds the joints that drive each other in two chains of joint indices. */
export type JointIndexer = (sourceChain: readonly number[], targetChain: readonly number[]) => IndexedJoint[];

/** Makes a {@link JointIndexer} for two poses; what it has found once it remembers (K17). */
export function createJointIndexer(
  sourcePositions: readonly Vec3[],
  targetPositions: readonly Vec3[],
  by: IndexingMethod = 'length',
  surplus: SurplusRule = 'nearest',
): JointIndexer {
  const found = new Map<string, IndexedJoint[]>();
  return (sourceChain, targetChain) => {
    const key = `${sourceChain.join()}|${targetChain.join()}`;
    let pairs = found.get(key);
    if (!pairs) {
      pairs = indexJoints(
        sourceChain.map((joint) => sourcePositions[joint]!),
        targetChain.map((joint) => targetPositions[joint]!),
        by,
        surplus,
      );
      found.set(key, pairs);
    }
    return pairs;
  };
}
