import { addToList } from '../base/add-to-list.js';
import { UsageError } from '../base/errors.js';
import { conjugateQuaternion, rotateVector, shortestArc } from '../base/math/quaternion.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import type { Rig } from '../body/rig.js';
import { LIMBS, type Limb, limbOf } from '../body/roles.js';
import { carrierOf, driverOf, type JointPair, type RigMap } from '../map/rig-map.js';
import type { ImitationMode, ImitationRule } from '../options/joint-rules.js';
import type { ModelPose } from '../scene/pose.js';
import type { Alignment } from './align-references.js';

/** The modes of a map's pairs, by target joint, and the limbs that keep their own reference as a whole. */
export type Imitation = { modes: Map<number, ImitationMode>; keptLimbs: Limb[] };

/**
 * Finds the mode of every mapped joint.
 * @param root The target joint that travels, which is in no limb.
 * @throws UsageError where a limb or chain does not exist.
 */
export function resolveImitation(
  target: Rig,
  map: RigMap,
  rule: ImitationRule | undefined,
  root: number | undefined,
): Imitation {
  const modes = new Map<number, ImitationMode>();
  if (rule === undefined) return { modes, keptLimbs: [] };
  const rules = typeof rule === 'string' ? { '*': rule } : rule;
  const groups = groupJoints(target, map);
  for (const [name, mode] of Object.entries(rules)) {
    if (mode === undefined) continue;
    if (name !== '*' && !groups.names.has(name))
      throw new UsageError(
        `imitation names "${name}", which is no limb and no chain of "${target.skeleton.name}"; there are ${[...groups.names].join(', ')}`,
      );
  }
  for (const pair of map.joints) {
    if (pair.target === root) continue;
    const { limb, chain } = groups.of(pair);
    const mode = (limb && rules[limb]) || (chain && rules[chain]) || rules['*'];
    if (mode) modes.set(pair.target, mode);
  }
  const keptLimbs = LIMBS.filter((limb) => (rules[limb] ?? rules['*']) === 'keep');
  return { modes, keptLimbs };
}

function groupJoints(target: Rig, map: RigMap) {
  const chains = armatureOfRig(target).chains;
  const chainOf = new Map(chains.flatMap(({ name, joints }) => joints.map((joint) => [joint, name])));
  const limbAt = new Map<number, Limb | null>();
  for (const { target: joint, role, share } of map.joints) {
    let limb = role === null ? null : limbOf(role);
    // A joint that shares a turn between two of a limb is part of it.
    for (
      let at = target.skeleton.parents[joint]!;
      limb === null && share && at >= 0;
      at = target.skeleton.parents[at]!
    )
      limb = limbAt.get(at) ?? null;
    limbAt.set(joint, limb);
  }
  return {
    names: new Set<string>([...LIMBS, ...chains.map(({ name }) => name)]),
    of: ({ target: joint }: JointPair) => ({
      limb: limbAt.get(joint) ?? null,
      chain: chainOf.get(joint) ?? null,
    }),
  };
}

/** A bone that shall point where the source's does, whatever its joint's turn says. */
export type PointedBone = {
  /** The target joint that is turned. */
  target: number;
  /** Where its bone points in its own axes, in the aligned reference. */
  along: Float64Array;
  /** The source joints between which the direction is read. */
  from: number;
  to: number;
};

/**
 * The bones of pairs that imitate by direction: each from a mapped joint to the next one of its limb or chain, also
 * through joints that nothing drives (M3).
 * Joints with none below, such as a head, take the turn alone: they have no direction of their own (MP4).
 * @param kept The source's reference, where bones keep how they point beside the source's in the references (M6): then
 * what the source's own bone would be turned by is what turns them.
 */
export function findPointedBones(
  target: Rig,
  map: RigMap,
  alignment: Alignment,
  { modes }: Imitation,
  kept: ModelPose | null = null,
): PointedBone[] {
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const below = new Map<number, JointPair[]>();
  for (const pair of map.joints) {
    if (pair.share) continue;
    let above = carrierOf({ target }, pairs, pair.target);
    while (above?.share) above = carrierOf({ target }, pairs, above.target);
    if (above) addToList(below, above.target, pair);
  }
  const { matrices, rotations } = alignment.model;
  const back = new Float64Array(4);
  return map.joints.flatMap((pair): PointedBone[] => {
    if (pair.share || modes.get(pair.target) !== 'direction') return [];
    const next = nextOf(pair, below.get(pair.target) ?? []);
    if (!next) return [];
    const t = pair.target;
    const along = new Float64Array(3);
    const [from, to] = [driverOf(pair), driverOf(next)];
    for (let c = 0; c < 3; c++)
      along[c] = kept
        ? kept.matrices[16 * to + 12 + c]! - kept.matrices[16 * from + 12 + c]!
        : matrices[16 * next.target + 12 + c]! - matrices[16 * t + 12 + c]!;
    if (along.every((x) => Math.abs(x) < 1e-9)) return [];
    conjugateQuaternion(back, 0, rotations, 4 * t);
    rotateVector(along, 0, back, 0, along, 0);
    return [{ target: t, along, from, to }];
  });
}

/** Of the mapped joints that hang on one, the one that its bone leads to; none where that is open. */
function nextOf({ role }: JointPair, below: readonly JointPair[]): JointPair | null {
  const limb = role && limbOf(role);
  const inLimb = limb ? below.filter((pair) => pair.role && limbOf(pair.role) === limb) : [];
  if (inLimb.length === 1) return inLimb[0]!;
  const onwards = below.find((pair) =>
    role?.endsWith('Hand')
      ? pair.role?.endsWith('MiddleProximal')
      : pair.role === 'neck' || pair.role === 'head',
  );
  return onwards ?? (below.length === 1 ? below[0]! : null);
}

const here = new Float64Array(3);
const there = new Float64Array(3);

/** out = the smallest turn, in model space, that points a bone of a joint turned by T as the source's. */
export function pointBone(
  out: Float64Array,
  o: number,
  bone: PointedBone,
  T: Float64Array,
  t: number,
  source: ModelPose,
): void {
  rotateVector(here, 0, T, t, bone.along, 0);
  for (let c = 0; c < 3; c++)
    there[c] = source.matrices[16 * bone.to + 12 + c]! - source.matrices[16 * bone.from + 12 + c]!;
  shortestArc(out, o, here, 0, there, 0);
}
