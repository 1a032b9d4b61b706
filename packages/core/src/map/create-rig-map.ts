import { cos } from '../base/math/functions.js';
import {
  directionOf,
  dotVectors,
  meanVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import type { Warning } from '../base/warnings.js';
import { bodyPoseOf, neckChain, type RoleJoints, torsoChain } from '../body/body.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import type { Rig, RoleGuess } from '../body/rig.js';
import { isRole, LIMB_ROLES, limbOf, ROLES, type Role } from '../body/roles.js';
import { knownRoles } from '../body/understand/known-rigs.js';
import type { ChainPair } from '../options/chain-matching.js';
import { type MapChange, NO_ROLE, type RigMapDocument } from '../options/rig-map-document.js';
import { findJoint, jointLabel } from '../scene/joint-names.js';
import { modelPoseOf } from '../scene/pose.js';
import { END, isAncestor, isSameSkeleton, JOINT, type Skeleton } from '../scene/skeleton.js';
import { indexJoints, shareTurns } from './index-joints.js';
import { readMapDocument } from './map-document.js';
import { askedChains, type MapRules, pairsOfChains } from './pair-chains.js';
import type { JointPair, RigMap } from './rig-map.js';
import { driverOf } from './rig-map.js';

/**
 * Finds who drives whom: body part by body part, torso and neck as chains of any length, then joints of the
 * same name, then what is left by chains that are alike in shape and place: tails, wings, whole animals. A
 * document of the user's replaces what is found, or changes some of it.
 * @param how How chains are matched and their joints indexed, where that is told.
 * @throws UsageError where the document is none, which names the first place that is wrong.
 */
export function createRigMap(
  source: Rig,
  target: Rig,
  given?: RigMapDocument,
  how: Readonly<MapRules> = {},
): { map: RigMap; warnings: Warning[] } {
  const document = given && readMapDocument(given, 'map');
  const warnings: Warning[] = [];
  const pairs = document?.joints
    ? pairsOfDocument(source, target, document.joints, warnings)
    : findPairs(source, target, how);
  const byTarget = new Map<number, JointPair>();
  for (const pair of pairs) {
    if (byTarget.has(pair.target))
      warnings.push({
        code: 'several-drivers',
        joint: target.skeleton.names[pair.target]!,
        message: `"${target.skeleton.names[pair.target]}" is driven by two entries of the map; the last one was used`,
      });
    byTarget.set(pair.target, pair);
  }
  let joints = [...byTarget.values()].sort((a, b) => a.target - b.target);
  if (!document?.joints) {
    if (!isSameSkeleton(source.skeleton, target.skeleton)) takeWholeTurns(joints, source);
    foldSurplus(joints, source.skeleton, target.skeleton);
  }
  if (document?.changes) joints = changePairs(joints, source, target, document.changes, warnings);
  if (
    joints.length > 0 &&
    !joints.some(({ role }) => role === 'hips') &&
    (source.joints.hips ?? target.joints.hips) !== undefined &&
    !joints.some((pair) => pair.target === target.joints.hips || driverOf(pair) === source.joints.hips)
  )
    warnings.push({
      code: 'no-hips',
      message: 'the hips are not mapped; the motion travels with the first mapped joint',
    });
  return { map: { joints, unmapped: findUnmapped(joints, source, target) }, warnings };
}

/** Who drives whom by roles, names and chains; by chains alone, where that is asked for. */
function findPairs(source: Rig, target: Rig, how: Readonly<MapRules>): JointPair[] {
  const { by = 'roles', fixed } = how.matching ?? {};
  if (by === 'chains')
    return pairsOfChains(source, target, [], how).map((pair) => ({
      ...pair,
      role: roleOfPair(source, target, pair.sources, pair.target),
    }));
  const pairs = [...pairsByRole(source, target, how)];
  addSameNames(pairs, source, target);
  const freed = fixed ? withoutChains(pairs, source, target, fixed) : pairs;
  if (freed.length < pairs.length || !isSameSkeleton(source.skeleton, target.skeleton))
    freed.push(...pairsOfChains(source, target, freed, how));
  return freed;
}

/** Pairs without those of chains whose partner is told. */
function withoutChains(
  pairs: readonly JointPair[],
  source: Rig,
  target: Rig,
  fixed: readonly ChainPair[],
): JointPair[] {
  const asked = askedChains(source, target, fixed);
  const jointsOf = (rig: Rig, side: 'source' | 'target') =>
    new Set(
      asked.flatMap((pair) => (pair[side] === null ? [] : armatureOfRig(rig).chains[pair[side]]!.joints)),
    );
  const from = jointsOf(source, 'source');
  const to = jointsOf(target, 'target');
  return pairs.filter((pair) => !to.has(pair.target) && !from.has(driverOf(pair)));
}

/** Pairs in which some are otherwise, or gone; all others stay as they are. */
function changePairs(
  pairs: readonly JointPair[],
  source: Rig,
  target: Rig,
  changes: readonly MapChange[],
  warnings: Warning[],
): JointPair[] {
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]));
  for (const { none, sources, ...change } of changes) {
    if (none || !sources) {
      const joint = findJoint(target.skeleton, change.target);
      if (joint === null) warnings.push(missingJoint(change.target, target.skeleton));
      else byTarget.delete(joint);
      continue;
    }
    for (const pair of pairsOfDocument(source, target, [{ ...change, sources }], warnings)) {
      const before = byTarget.get(pair.target)?.role;
      byTarget.set(pair.target, { ...pair, ...(before && change.role === undefined && { role: before }) });
    }
  }
  return [...byTarget.values()].sort((a, b) => a.target - b.target);
}

/**
 * Roles that a map document gives to the joints of a skeleton, by name.
 * @throws UsageError where the document is none, which names the first place that is wrong.
 */
export function rolesOfDocument(
  given: RigMapDocument,
  skeleton: Skeleton,
  side: 'source' | 'target',
): RoleJoints {
  const document = readMapDocument(given, 'map');
  const roles: RoleJoints = {};
  let guesses: readonly RoleGuess[] | undefined;
  const isGuessed = (role: Role, labels: readonly string[]) => {
    guesses ??= knownRoles(skeleton).guesses;
    return labels.some((label) => {
      const joint = findJoint(skeleton, label);
      return joint !== null && guesses![joint]!.role === role;
    });
  };
  for (const [role, name] of Object.entries(document.roles ?? {})) {
    const joint = findJoint(skeleton, name);
    if (joint !== null) roles[role as Role] = joint;
  }
  for (const entry of document.joints ?? []) {
    if (!entry.role || !isRole(entry.role)) continue;
    const name = side === 'target' ? entry.target : entry.sources[entry.sources.length - 1];
    // Of several sources one may bear the role by its own name: that one begins the body part.
    if (side === 'source' && entry.sources.length > 1 && isGuessed(entry.role, entry.sources)) continue;
    const joint = name === undefined ? null : findJoint(skeleton, name);
    if (joint !== null && roles[entry.role] === undefined && !entry.share) roles[entry.role] = joint;
  }
  return roles;
}

/** Writes a map as the document that people edit and {@link createRigMap} takes back. */
export function writeRigMapDocument(map: RigMap, source: Rig, target: Rig): RigMapDocument {
  return {
    version: 1,
    joints: map.joints.map(({ target: joint, sources, share, role }) => ({
      target: jointLabel(target.skeleton, joint),
      sources: sources.map((s) => jointLabel(source.skeleton, s)),
      ...(share && { share: { from: jointLabel(source.skeleton, share.from), weight: share.weight } }),
      // A pair that was found without a part is read back without one, whatever its joints would be taken for.
      ...(role ? { role } : roleOfPair(source, target, sources, joint) && { role: NO_ROLE }),
    })),
  };
}

function pairsOfDocument(
  from: Rig,
  to: Rig,
  entries: NonNullable<RigMapDocument['joints']>,
  warnings: Warning[],
): JointPair[] {
  const [source, target] = [from.skeleton, to.skeleton];
  const pairs: JointPair[] = [];
  for (const entry of entries) {
    const missing = (label: string, skeleton: Skeleton) => warnings.push(missingJoint(label, skeleton));
    const joint = findJoint(target, entry.target);
    if (joint === null) {
      missing(entry.target, target);
      continue;
    }
    const sources: number[] = [];
    for (const label of entry.sources) {
      const found = findJoint(source, label);
      if (found === null) missing(label, source);
      else sources.push(found);
    }
    if (sources.length === 0) continue;
    const first = entry.share ? findJoint(source, entry.share.from) : null;
    if (entry.share && first === null) missing(entry.share.from, source);
    pairs.push({
      target: joint,
      sources,
      ...(entry.share && first !== null && { share: { from: first, weight: entry.share.weight } }),
      role: partOf(entry.role, () => roleOfPair(from, to, sources, joint)),
      confidence: 1,
      reason: 'the map says so',
    });
  }
  return pairs;
}

/** The part that an entry of a document says, or that its joints are taken for where it says nothing. */
function partOf(said: string | undefined, guess: () => Role | null): Role | null {
  if (said === NO_ROLE) return null;
  return said && isRole(said) ? said : guess();
}

function missingJoint(label: string, skeleton: Skeleton): Warning {
  return {
    code: 'map-entry-ignored',
    joint: label,
    message: `the map names "${label}", but "${skeleton.name}" has no such joint; the entry was left out`,
  };
}

/**
 * The body part of a pair that a map names without saying what it is: the target's, unless the source's joint is known
 * to be another, as where a left arm is to follow a right one; the source's where the target's is not known. Spines
 * and fingers go by the limb, as their parts are counted differently.
 */
function roleOfPair(source: Rig, target: Rig, sources: readonly number[], joint: number): Role | null {
  const known = (rig: Rig, at: number) => {
    const role = rig.guesses[at]!.role;
    return role && rig.joints[role] === at ? role : null;
  };
  const roles = sources.map((from) => known(source, from)).filter((role) => role !== null);
  const own = known(target, joint);
  const isSame = (role: Role) =>
    role === own || (limbOf(role) === limbOf(own!) && !/(Arm|Leg)$/.test(limbOf(role) ?? ''));
  if (own) return roles.length === 0 || roles.some(isSame) ? own : null;
  const driver = known(source, sources.at(-1)!);
  return driver && target.joints[driver] === undefined ? driver : null;
}

const CHAIN_ROLES: ReadonlySet<Role> = new Set(['spine', 'chest', 'upperChest', 'neck']);

function* pairsByRole(source: Rig, target: Rig, how: Readonly<MapRules>): Generator<JointPair> {
  for (const role of ROLES) {
    const from = source.joints[role];
    const to = target.joints[role];
    if (from === undefined || to === undefined || CHAIN_ROLES.has(role)) continue;
    const confidence = Math.min(source.guesses[from]!.confidence, target.guesses[to]!.confidence);
    yield { target: to, sources: [from], role, confidence, reason: `both are ${role}` };
  }
  const hips = source.joints.hips;
  const torso = {
    source: torsoChain(source.skeleton, source.joints),
    target: torsoChain(target.skeleton, target.joints),
  };
  yield* pairsOfChain('torso', { source, target, how }, torso, { below: hips ?? null, above: null });
  const below = torso.source[torso.source.length - 1] ?? hips ?? null;
  yield* pairsOfChain(
    'neck',
    { source, target, how },
    {
      source: neckChain(source.skeleton, source.joints),
      target: neckChain(target.skeleton, target.joints),
    },
    { below, above: source.joints.head ?? null },
  );
}

/**
 * Pairs two chains of any lengths. As many on both sides: one to one. Fewer on the target: each target joint
 * takes the source joint nearest by normalised length, the last one the last, and what lies between is
 * folded in. More on the target: joint j of n takes the turn that the source chain of m joints has reached
 * at (j + 1)·m/n, where turns between joints are interpolated, so that the turn is shared out evenly and the
 * last joint has all of it.
 * @param below The source joint under the chain, whose turn sharing starts from.
 * @param above The source joint over the chain: shared towards where the source chain is empty.
 */
function* pairsOfChain(
  name: 'torso' | 'neck',
  { source, target, how }: { source: Rig; target: Rig; how: Readonly<MapRules> },
  { source: from, target: to }: { source: number[]; target: number[] },
  { below, above }: { below: number | null; above: number | null },
): Generator<JointPair> {
  const n = to.length;
  const m = from.length;
  const pair = (j: number, sources: number[], reason: string, share?: JointPair['share']): JointPair => ({
    target: to[j]!,
    sources,
    ...(share && { share }),
    role: target.guesses[to[j]!]!.role,
    confidence: Math.min(
      ...[...from.map((s) => source.guesses[s]!), target.guesses[to[j]!]!].map((g) =>
        g.role ? g.confidence : 0.9,
      ),
    ),
    reason,
  });
  const { indexing = 'length', surplusJoints } = how;
  if (m === n && typeof indexing !== 'function') {
    for (let j = 0; j < n; j++) yield pair(j, [from[j]!], `${name} joint ${j + 1} of ${n} on both`);
    return;
  }
  if (m > 0 && (m >= n || surplusJoints === 'rest')) {
    for (const { target: j, sources } of indexJoints(
      placesOf(source, from),
      placesOf(target, to),
      indexing,
      'next',
    )) {
      const driver = sources[sources.length - 1]!;
      yield pair(j, [from[driver]!], `${name} joint ${driver + 1} of ${m} is nearest to ${j + 1} of ${n}`);
    }
    return;
  }
  if (m === 0) {
    if (below === null || above === null) return;
    for (let j = 0; j < n; j++) {
      const weight = (j + 1) / (n + 1);
      yield pair(j, [above], `the source has no ${name} joint; it shares the turn of what it carries`, {
        from: below,
        weight,
      });
    }
    return;
  }
  for (const [j, turn] of shareTurns(m, n).entries()) {
    const start = turn.from >= 0 ? from[turn.from]! : below;
    const driver = from[turn.source]!;
    if (turn.weight === 1 || start === null)
      yield pair(
        j,
        [driver],
        `${name} joint ${turn.source + 1} of ${m} has turned as far as ${j + 1} of ${n}`,
      );
    else
      yield pair(j, [driver], `shares the turn of ${m} ${name} joint${m > 1 ? 's' : ''} among ${n}`, {
        from: start,
        weight: turn.weight,
      });
  }
}

function placesOf(rig: Rig, chain: readonly number[]): Vec3[] {
  const { positions } = bodyPoseOf(rig.skeleton, rig.reference.pose, rig.joints);
  return chain.map((joint) => positions[joint]!);
}

/** Names that any two rigs may share without meaning the same. */
const MEANINGLESS_NAME = /^(bone|joint|node|object|root|armature|null|empty|group|skeleton)?[\s._-]*\d*$/i;
/** Joints that move others rather than the body. */
const CONTROL_NAME = /(^|[\s._-])(ik|fk|pole|ctrl|control|target|handle|helper)([\s._-]|\d|$)/i;

/**
 * Pairs joints of the same name that have no role on either side (tails, ears, animals of one family), where
 * what they hang on is paired too.
 */
function addSameNames(pairs: JointPair[], source: Rig, target: Rig): void {
  const byName = new Map<string, number>();
  source.skeleton.names.forEach((name, joint) => {
    byName.set(name, byName.has(name) ? -1 : joint);
  });
  // One family: most names are shared, and what bears them hangs alike. Numbers alone are shared by any two.
  const parentName = ({ names, parents }: Skeleton, joint: number) => names[parents[joint]!] ?? '';
  const shared = target.skeleton.names
    .map((name, joint) => ({ joint, candidate: byName.get(name) ?? -1 }))
    .filter(({ candidate }) => candidate >= 0);
  const hangAlike = shared.filter(
    ({ joint, candidate }) =>
      parentName(target.skeleton, joint) === parentName(source.skeleton, candidate) ||
      (target.skeleton.flags[target.skeleton.parents[joint]!] ?? 0) === 0,
  );
  const smaller = Math.min(source.skeleton.names.length, target.skeleton.names.length);
  const family = shared.length >= 0.6 * smaller && hangAlike.length >= 0.6 * shared.length;
  const numbered = family && standAlike(source, target, shared);
  const driven = new Map(pairs.map((pair) => [pair.target, pair]));
  const used = new Set(pairs.flatMap((pair) => pair.sources));
  const carriesHips = (rig: Rig, joint: number) =>
    rig.joints.hips !== undefined && isAncestor(rig.skeleton, joint, rig.joints.hips);
  target.skeleton.names.forEach((name, joint) => {
    const candidate = byName.get(name) ?? -1;
    if (candidate < 0 || driven.has(joint) || used.has(candidate)) return;
    if (target.guesses[joint]!.role ?? source.guesses[candidate]!.role) return;
    if (CONTROL_NAME.test(name) || (MEANINGLESS_NAME.test(name) && !numbered)) return;
    if ((target.skeleton.flags[joint]! & JOINT) === 0 || (source.skeleton.flags[candidate]! & JOINT) === 0)
      return;
    if (carriesHips(source, candidate) || carriesHips(target, joint)) return;
    let above = target.skeleton.parents[joint]!;
    while (above >= 0 && !driven.has(above)) above = target.skeleton.parents[above]!;
    const carrier = above >= 0 ? driverOf(driven.get(above)!) : -1;
    if (carrier >= 0 && !isAncestor(source.skeleton, carrier, candidate)) return;
    if (carrier < 0 && !family) return;
    const pair: JointPair = {
      target: joint,
      sources: [candidate],
      role: null,
      confidence: 0.9,
      reason: 'same name',
    };
    pairs.push(pair);
    driven.set(joint, pair);
    used.add(candidate);
  });
}

/**
 * Whether joints of the same name stand at the same place of their bodies, most of them within a fifth of its
 * radius. Rigs whose joints are all children of one node hang alike whatever their numbers mean.
 */
function standAlike(
  source: Rig,
  target: Rig,
  shared: readonly { joint: number; candidate: number }[],
): boolean {
  const placesOf = (rig: Rig, joints: readonly number[]): Vec3[] => {
    const { matrices } = modelPoseOf(rig.skeleton, rig.reference.pose);
    const places = joints.map((joint) => vectorAt(matrices, 16 * joint + 12));
    const centre = meanVector(places) ?? [0, 0, 0];
    const size = Math.max(1e-9, ...places.map((place) => vectorLength(subtractVectors(place, centre))));
    return places.map((place) => scaleVector(subtractVectors(place, centre), 1 / size));
  };
  const from = placesOf(
    source,
    shared.map(({ candidate }) => candidate),
  );
  const to = placesOf(
    target,
    shared.map(({ joint }) => joint),
  );
  const near = from.filter((place, n) => vectorLength(subtractVectors(place, to[n]!)) < 0.2);
  return near.length >= 0.6 * shared.length;
}

const LONG_BONES = ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg'] as const;
/** A joint in a limb that stands further off the limb's line than this (30 degrees) bends it. */
const OFF_THE_LINE = cos(Math.PI / 6);

/**
 * Gives a limb's bone the whole of its turn where the source has it in parts: twist joints in the chain, limbs
 * of two bones a half (Daz's bend and twist, MakeHuman's upperarm01 and 02). The part next to the elbow or
 * knee has turned by all of them, and the bend beyond it is relative to that part. Parts that drive a joint of
 * the target's own are left to it.
 */
function takeWholeTurns(pairs: JointPair[], source: Rig): void {
  const drivers = new Set(pairs.map(driverOf));
  const { matrices } = modelPoseOf(source.skeleton, source.reference.pose);
  const at = (joint: number) => vectorAt(matrices, 16 * joint + 12);
  for (const pair of pairs) {
    const bone = LONG_BONES.find((end) => pair.role?.endsWith(end));
    if (!bone || !pair.role || pair.share || pair.sources.length > 1) continue;
    const limb = LIMB_ROLES[limbOf(pair.role)!];
    const next = source.joints[limb[limb.indexOf(pair.role) + 1]!];
    const start = driverOf(pair);
    if (next === undefined || !isAncestor(source.skeleton, start, next)) continue;
    const parts: number[] = [];
    for (let joint = source.skeleton.parents[next]!; joint !== start; joint = source.skeleton.parents[joint]!)
      if ((source.skeleton.flags[joint]! & JOINT) !== 0) parts.unshift(joint);
    const line = directionOf(subtractVectors(at(next), at(start)));
    const isStraight = parts.every((joint) => {
      const offset = directionOf(subtractVectors(at(joint), at(start)));
      return (
        !drivers.has(joint) && line !== null && (offset === null || dotVectors(offset, line) > OFF_THE_LINE)
      );
    });
    if (parts.length > 0 && isStraight) pair.sources = [start, ...parts];
  }
}

/** Names, for each pair, the source joints between its driver and the driver of the target's next mapped ancestor: their turns arrive through the driver. */
function foldSurplus(pairs: JointPair[], source: Skeleton, target: Skeleton): void {
  const byTarget = new Map(pairs.map((pair) => [pair.target, pair]));
  const drivers = new Set(pairs.map(driverOf));
  for (const pair of pairs) {
    if (pair.share) continue;
    let above = target.parents[pair.target]!;
    while (above >= 0 && !byTarget.has(above)) above = target.parents[above]!;
    if (above < 0) continue;
    const stop = driverOf(byTarget.get(above)!);
    const folded: number[] = [];
    let at = source.parents[pair.sources[0]!]!;
    while (at >= 0 && at !== stop && !drivers.has(at)) {
      if ((source.flags[at]! & JOINT) !== 0) folded.push(at);
      at = source.parents[at]!;
    }
    if (at === stop && folded.length > 0) pair.sources = [...folded.reverse(), ...pair.sources];
  }
}

function findUnmapped(pairs: JointPair[], source: Rig, target: Rig): RigMap['unmapped'] {
  const driven = new Set(pairs.map((pair) => pair.target));
  const used = new Set(pairs.flatMap((pair) => [...pair.sources, ...(pair.share ? [pair.share.from] : [])]));
  const reasonFor = (rig: Rig, other: Rig, joint: number, side: 'source' | 'target') => {
    const { role, reason } = rig.guesses[joint]!;
    if (role && other.joints[role] === undefined)
      return `the ${side === 'source' ? 'target' : 'source'} has no ${role}`;
    if (role) return `${role} is not paired`;
    if (rig.joints.hips !== undefined && isAncestor(rig.skeleton, joint, rig.joints.hips))
      return side === 'source'
        ? 'it carries the hips, whose travel is moved as a whole'
        : 'it carries the hips and stays at rest';
    if ((rig.skeleton.flags[joint]! & END) !== 0) return 'it only marks an end';
    if (pairs.length > 0 && Object.keys(rig.joints).length === 0)
      return `no part of the ${side === 'source' ? 'target' : 'source'} is like it`;
    return reason || 'no body part is known for it';
  };
  const list = (rig: Rig, other: Rig, skip: Set<number>, side: 'source' | 'target') =>
    rig.skeleton.names
      .map((_, joint) => joint)
      .filter((joint) => !skip.has(joint) && (rig.skeleton.flags[joint]! & (JOINT | END)) !== 0)
      .map((joint) => ({ joint, reason: reasonFor(rig, other, joint, side) }));
  return { source: list(source, target, used, 'source'), target: list(target, source, driven, 'target') };
}
