import { UsageError } from '../base/errors.js';
import { didWork } from '../base/watch-work.js';
import { bodyPoseOf } from '../body/body.js';
import type { Armature, Chain, ChainKind } from '../body/chains/armature.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import { guessJointKinds, type JointKindGuess } from '../body/joint-kinds.js';
import type { Rig } from '../body/rig.js';
import { REQUIRED_ROLES } from '../body/roles.js';
import { createBodyGraph } from '../body/shape/body-graph.js';
import { findLine } from '../body/shape/find-line.js';
import type { ChainPair, MatchingRule } from '../options/chain-matching.js';
import type { ListedOptions } from '../options/retarget-options.js';
import { END, isAncestor, JOINT } from '../scene/skeleton.js';
import { boneDistances, type IndexedJoint, indexJoints, shareTurns } from './index-joints.js';
import { type ChainMatch, type ChainMatchOptions, matchChains } from './match-chains.js';
import { pairByParts } from './pair-parts.js';
import type { JointPair } from './rig-map.js';

/** Chains that match with less confidence are left alone: an honest gap is better than nonsense. */
export const CHAIN_CONFIDENCE = 0.4;

/** Bodies with this many roles in common are known by them; chains add what no role speaks of. */
const FEW_ROLES = 6;

/** What a likeness is worth between a person and an animal: their legs are legs, but not the same legs. */
const ACROSS_KINDS = 0.7;

/**
 * Pairs, by chains, the joints that roles and names have left over: tails, wings and extra limbs of people,
 * whole animals. Chains that hold paired joints go together; the others find their like by shape and place
 * ({@link matchChains}), hanging where their partner hangs. Along a pair of chains the joints find each other
 * by normalised length, in limbs by their bones; surplus joints of a spine or tail share the turn. Where the
 * parts of both animals are known, hips and legs follow them ({@link pairByParts}).
 * @param pairs What is paired already; it is not changed.
 * @param how How chains are matched and their joints indexed, where that is told.
 * @returns the new pairs.
 */
export function pairsOfChains(
  source: Rig,
  target: Rig,
  pairs: readonly JointPair[],
  how: Readonly<MapRules> = {},
): JointPair[] {
  const used = new Set(pairs.flatMap((pair) => [...pair.sources, ...(pair.share ? [pair.share.from] : [])]));
  const driven = new Map(pairs.map((pair) => [pair.target, pair]));
  const isFree = (rig: Rig, taken: Taken) =>
    rig.skeleton.flags.some((flag, joint) => (flag & (JOINT | END)) === JOINT && !taken.has(joint));
  if (!isFree(source, used) || !isFree(target, driven)) return [];
  // Joints without a hierarchy make no chains.
  if (isFlat(source) || isFlat(target)) return [];

  const arePeople = pairs.filter(({ role }) => role !== null).length >= FEW_ROLES;
  const isAskedFor = !arePeople || (how.matching?.fixed?.length ?? 0) > 0;
  const kinds = kindsToPair({ source, target, used, driven }, isAskedFor);
  if (!kinds) return [];
  const armatures = { source: armatureOfRig(source), target: armatureOfRig(target) };
  /** The joints of a chain that turn something, with the tip, where that is a joint, or without. */
  const turning = (side: 'source' | 'target', { joints }: Chain, withTip: boolean): number[] => {
    const { flags } = side === 'source' ? source.skeleton : target.skeleton;
    return joints.filter(
      (joint) => (flags[joint]! & (JOINT | END)) === JOINT && (withTip || kinds[side][joint]!.kind !== 'end'),
    );
  };
  didWork(20 * target.skeleton.names.length);
  const asked = askedChains(source, target, how.matching?.fixed);
  const found = fixedChains(armatures, pairs, used, driven).filter(
    (pair) =>
      !asked.some((told) => isSameChain(told.source, pair.source) || isSameChain(told.target, pair.target)),
  );
  const told = new Set(found.flatMap((pair) => (pair.target === null ? [] : [pair.target])));
  const kept = new Set(found.flatMap((pair) => (pair.source === null ? [] : [pair.source])));
  const isAsked = new Set(asked.flatMap((pair) => (pair.target === null ? [] : [pair.target])));
  const hasExtra = ({ chains }: Armature, taken: ReadonlySet<number>) =>
    chains.some(({ kind }, i) => EXTRA_KINDS.has(kind) && !taken.has(i));
  const isExtraLeft = hasExtra(armatures.source, kept) && hasExtra(armatures.target, told);
  if (arePeople && !isExtraLeft && asked.length === 0) return [];
  const across = isPerson(source) !== isPerson(target);
  const matches = matchChains(
    { rig: source, armature: armatures.source },
    { rig: target, armature: armatures.target },
    { ...weighing(how.matching), fixed: [...found, ...asked] },
  ).matches.map((match) =>
    across
      ? {
          ...match,
          confidence: Math.round(100 * ACROSS_KINDS * match.confidence) / 100,
          reason: `${match.reason}, between a person and another body`,
        }
      : match,
  );
  didWork(20 * target.skeleton.names.length);
  const places = {
    source: bodyPoseOf(source.skeleton, source.reference.pose, source.joints).positions,
    target: bodyPoseOf(target.skeleton, target.reference.pose, target.joints).positions,
  };
  const heads = { source: headOfSnake(source), target: headOfSnake(target) };
  const hasHead = (side: 'source' | 'target', { joints }: Chain) =>
    joints.some((joint) => heads[side]?.has(joint));
  /** A chain without the head of a snake, where the other one has none: its body is left. */
  const bodyOf = (side: 'source' | 'target', chain: Chain, other: Chain): Chain => {
    if (!hasHead(side, chain) || hasHead(side === 'source' ? 'target' : 'source', other)) return chain;
    const { skeleton } = side === 'source' ? source : target;
    const head = [...heads[side]!];
    return {
      ...chain,
      joints: chain.joints.filter(
        (joint) => !heads[side]!.has(joint) && !head.some((each) => isAncestor(skeleton, joint, each)),
      ),
    };
  };
  const good = matches.filter((match) => {
    if (isAsked.has(match.target)) return true;
    const from = armatures.source.chains[match.source]!;
    const to = armatures.target.chains[match.target]!;
    // Of a line with two ends alike nothing says which is the head, unless names do.
    if ((heads.source === null || heads.target === null) && match.parts.name !== 1) return false;
    // Who says which scores are good enough has the last word.
    const isSure = how.matching?.threshold !== undefined || match.confidence >= CHAIN_CONFIDENCE;
    if (told.has(match.target) || !isSure) return false;
    return !arePeople || (isExtra(from, match) && isExtra(to, match));
  });
  // That two bodies begin somewhere is no likeness yet.
  const parts = good.filter((match) => armatures.target.chains[match.target]!.kind !== 'root').length;
  if (pairs.length === 0 && parts === 0) return [];
  const along = good.flatMap((match) => {
    const chains = {
      from: armatures.source.chains[match.source]!,
      to: armatures.target.chains[match.target]!,
    };
    const from = bodyOf('source', chains.from, chains.to);
    const to = bodyOf('target', chains.to, chains.from);
    const whole = { from: turning('source', from, true), to: turning('target', to, true) };
    const joints =
      whole.from.length === whole.to.length
        ? whole
        : { from: turning('source', from, false), to: turning('target', to, false) };
    const isLimb = to.kind === 'limb' || to.kind === 'digit';
    const indexed = indexJoints(
      joints.from.map((joint) => places.source[joint]!),
      joints.to.map((joint) => places.target[joint]!),
      how.indexing ??
        (isLimb && joints.from.length !== joints.to.length
          ? () =>
              boneDistances(
                from.joints.map((joint) => places.source[joint]!),
                to.joints.map((joint) => places.target[joint]!),
                { source: joints.from.length, target: joints.to.length },
              )
          : 'length'),
      isLimb ? 'between' : 'nearest',
    );
    return pairsAlong(source, joints, [from.kind, to.kind], match, indexed, how.surplusJoints !== 'rest');
  });
  return pairByParts(source, target, pairs, along, how.indexing === undefined);
}

/** What joints of both are there for; null where that shows that neither chain nor joint is left to be paired. */
function kindsToPair(
  bodies: { source: Rig; target: Rig; used: Taken; driven: Taken },
  isAskedFor: boolean,
): { source: JointKindGuess[]; target: JointKindGuess[] } | null {
  // Most people have nothing that no role speaks of, and to see that takes no chains.
  const source = guessJointKinds(bodies.source.skeleton);
  if (!isAskedFor && !mayHaveExtra(bodies.source, source, bodies.used)) return null;
  const target = guessJointKinds(bodies.target.skeleton);
  if (!isAskedFor && !mayHaveExtra(bodies.target, target, bodies.driven)) return null;
  return { source, target };
}

/** Joints that are paired already. */
type Taken = { has(joint: number): boolean };

/**
 * Whether a chain may be there that holds no paired joint and is a limb, a tail or of a face. Such a chain begins with a
 * joint of the body; and where one joint of the body alone hangs on another, as fingertips do, both are of one chain.
 */
function mayHaveExtra(
  { skeleton: { parents }, armature }: Rig,
  kinds: readonly JointKindGuess[],
  taken: Taken,
): boolean {
  if (armature) return true;
  const isBody = (joint: number) => joint >= 0 && kinds[joint]!.kind === 'body';
  const branches = new Uint32Array(parents.length);
  parents.forEach((parent, i) => {
    // Below what is passed over more may hang.
    if (parent >= 0) branches[parent]! += isBody(i) ? 1 : isPassedOver(kinds[i]!) ? 2 : 0;
  });
  const goesOn = (joint: number) =>
    isBody(joint) && isBody(parents[joint]!) && branches[parents[joint]!] === 1;
  const isHeld = Uint8Array.from(parents, (_, i) => (taken.has(i) ? 1 : 0));
  // Children stand behind their parents.
  for (let i = parents.length - 1; i >= 0; i--) if (isHeld[i] && goesOn(i)) isHeld[parents[i]!] = 1;
  for (let i = 0; i < parents.length; i++) if (goesOn(i) && isHeld[parents[i]!]) isHeld[i] = 1;
  return isHeld.some((held, i) => !held && isBody(i));
}

/** Whether chains go through a joint without holding it. */
const isPassedOver = ({ kind }: JointKindGuess) => kind === 'node' || kind === 'control';

/** What is told of how chains are matched, and their joints indexed. */
export type MapRules = Pick<ListedOptions, 'matching' | 'indexing' | 'surplusJoints'>;

/** Chains that go together by the user's word, as indices. @throws UsageError where there is no such chain. */
export function askedChains(
  source: Rig,
  target: Rig,
  pairs: readonly ChainPair[] = [],
): { source: number | null; target: number | null; isTold: true }[] {
  const indexOf = (rig: Rig, name: string | null, at: string) => {
    if (name === null) return null;
    const names = armatureOfRig(rig).chains.map((chain) => chain.name);
    const index = names.indexOf(name);
    if (index < 0)
      throw new UsageError(
        `${at} names "${name}", which is no chain of "${rig.skeleton.name}"; there are ${names.join(', ')}`,
      );
    return index;
  };
  return pairs.map((pair, i) => ({
    source: indexOf(source, pair.source, `matching.fixed[${i}].source`),
    target: indexOf(target, pair.target, `matching.fixed[${i}].target`),
    isTold: true,
  }));
}

const isSameChain = (a: number | null, b: number | null) => a !== null && a === b;

/** What of a rule {@link matchChains} takes as it is. */
function weighing({ weights, assignment, threshold }: MatchingRule = {}): ChainMatchOptions {
  return {
    ...(weights && { weights }),
    ...(assignment && { assignment }),
    ...(threshold !== undefined && { threshold }),
  };
}

/**
 * The joints of a snake's head; none where the body is no snake's, null where it is and nothing tells its head
 * from its tail.
 */
function headOfSnake({ skeleton, body, reference }: Rig): ReadonlySet<number> | null {
  if (body?.kind !== 'snake') return new Set();
  const graph = createBodyGraph(skeleton, skeleton.bind ?? reference.pose);
  const line = graph && findLine(graph);
  return line?.isHeadFirst ? new Set(line.joints.slice(0, line.head)) : null;
}

/** Whether no joint of a rig hangs on another, as those of WebXR's hands. */
function isFlat({ skeleton: { flags, parents } }: Rig): boolean {
  return parents.every(
    (parent, i) => (flags[i]! & JOINT) === 0 || parent < 0 || (flags[parent]! & JOINT) === 0,
  );
}

function isPerson({ joints }: Rig): boolean {
  return (
    joints.hips !== undefined && REQUIRED_ROLES.filter((role) => joints[role] !== undefined).length >= 10
  );
}

/** Chains that hold paired joints, with the chain that holds most of their partners; null where that is none. */
function fixedChains(
  armatures: { source: Armature; target: Armature },
  pairs: readonly JointPair[],
  used: ReadonlySet<number>,
  driven: ReadonlyMap<number, JointPair>,
): { source: number | null; target: number | null }[] {
  const chainOf = new Map<number, number>();
  armatures.source.chains.forEach(({ joints }, i) => {
    for (const joint of joints) chainOf.set(joint, i);
  });
  const taken = new Set<number>();
  const fixed: { source: number | null; target: number | null }[] = [];
  armatures.target.chains.forEach(({ joints }, j) => {
    const votes = new Map<number, number>();
    let isPaired = false;
    for (const joint of joints) {
      const pair = driven.get(joint);
      if (!pair) continue;
      isPaired = true;
      const chain = chainOf.get(pair.sources[pair.sources.length - 1]!);
      if (chain !== undefined) votes.set(chain, (votes.get(chain) ?? 0) + 1);
    }
    if (!isPaired) return;
    const best = [...votes].sort((a, b) => b[1] - a[1]).find(([chain]) => !taken.has(chain))?.[0] ?? null;
    if (best !== null) taken.add(best);
    fixed.push({ source: best, target: j });
  });
  armatures.source.chains.forEach(({ joints }, i) => {
    if (!taken.has(i) && joints.some((joint) => used.has(joint))) fixed.push({ source: i, target: null });
  });
  return pairs.length === 0 ? [] : fixed;
}

/** Kinds of chains that may be what no role of a person speaks of. */
const EXTRA_KINDS: ReadonlySet<ChainKind> = new Set(['tail', 'limb', 'face']);

/** Parts that people only have in costume: what no role speaks of. A lone joint needs its name to be one. */
function isExtra({ kind, joints }: Chain, { parts }: ChainMatch): boolean {
  return EXTRA_KINDS.has(kind) && (parts.name === 1 || (joints.length > 1 && kind !== 'face'));
}

function pairsAlong(
  source: Rig,
  { from, to }: { from: number[]; to: number[] },
  kinds: readonly [ChainKind, ChainKind],
  match: ChainMatch,
  indexed: readonly IndexedJoint[],
  shares: boolean,
): JointPair[] {
  const { confidence } = match;
  const pair = (joint: number, sources: number[], reason: string, share?: JointPair['share']): JointPair => ({
    target: joint,
    sources,
    ...(share && { share }),
    role: null,
    confidence,
    reason,
  });
  if (from.length === 0 || to.length === 0) return [];
  // Above where the body parts stand roots and controls, whose travel is moved as a whole.
  if (kinds.includes('root')) return [pair(to[to.length - 1]!, [from[from.length - 1]!], match.reason)];
  const carrier = carrierOf(source, from[0]!);
  const bends = kinds[1] === 'spine' || kinds[1] === 'tail';
  if (shares && bends && to.length > from.length && carrier >= 0) {
    const reason = `${match.reason}; ${to.length} joints share the turn of ${from.length}`;
    return shareTurns(from.length, to.length).map((turn, j) => {
      const start = turn.from < 0 ? carrier : from[turn.from]!;
      const share = turn.weight < 1 ? { from: start, weight: turn.weight } : undefined;
      return pair(to[j]!, [from[turn.source]!], share ? reason : match.reason, share);
    });
  }
  return indexed.map(({ target: j, sources }) =>
    pair(
      to[j]!,
      sources.map((i) => from[i]!),
      from.length === to.length ? match.reason : `${match.reason}; ${from.length} joints on ${to.length}`,
    ),
  );
}

function carrierOf({ skeleton }: Rig, joint: number): number {
  let at = skeleton.parents[joint]!;
  while (at >= 0 && (skeleton.flags[at]! & JOINT) === 0) at = skeleton.parents[at]!;
  return at;
}
