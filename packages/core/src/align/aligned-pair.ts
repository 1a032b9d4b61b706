import type { Warning } from '../base/warnings.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import { checkHierarchy } from '../map/check-hierarchy.js';
import { leaveOut, STAYS_AS_ASKED } from '../map/leave-out.js';
import type { JointPair, RigMap } from '../map/rig-map.js';
import type { SetupOptions } from '../options/setup-options.js';
import { type ModelPose, modelPoseOf } from '../scene/pose.js';
import { type Alignment, alignReferences } from './align-references.js';
import { resolveChainRules } from './chain-rules.js';
import { findTravel, type Travel } from './find-travel.js';
import { type Imitation, resolveImitation } from './imitation.js';
import type { RootScales } from './root-scales.js';
import { measureRootScales } from './root-scales.js';

/** Two rigs and the map between them, their references made comparable: what every pass counts from. */
export type AlignedPair = {
  source: Rig;
  target: Rig;
  /** Who drives whom, without joints that stay in their own reference. */
  map: RigMap;
  /** The target's reference pose, aligned with the source's. */
  alignment: Alignment;
  /** The source's reference pose in model space. */
  sourceReference: ModelPose;
  rootScales: RootScales;
  /** The pair that carries the body through space: the hips, else the joint that most hangs on. */
  travel: Travel | null;
};

/** References that differ by less than a float32 of a rotation are the same. */
const SAME = 1e-7;

/** Options that say how two rigs are aligned. */
export type AlignOptions = Pick<
  SetupOptions,
  'alignment' | 'chains' | 'checkHierarchy' | 'imitation' | 'root' | 'rootScales'
>;

/**
 * Aligns the references of two rigs and measures the root scales.
 * @returns the pair; the map as it was before joints were left out of it, as goals need them all the same; how chains
 * imitate; and what was imperfect.
 */
export function alignPair(
  source: Rig,
  target: Rig,
  given: RigMap,
  options: Readonly<AlignOptions>,
): { pair: AlignedPair; whole: RigMap; imitation: Imitation; warnings: Warning[] } {
  const checked = options.checkHierarchy
    ? checkHierarchy(source, target, given)
    : { map: given, warnings: [] };
  const whole = checked.map;
  didWork(10 * target.skeleton.names.length);
  const travel = findTravel(source, target, whole);
  const imitation = resolveImitation(target, whole, options.imitation, travel?.target);
  // A limb that keeps its own reference is not turned to where the source's points either.
  const kept = Object.fromEntries(imitation.keptLimbs.map((limb) => [limb, 'keep' as const]));
  didWork(10 * target.skeleton.names.length);
  const told = resolveChainRules(target, options.chains ?? {}).filter(({ rule }) => rule.alignment);
  const modes = new Map(told.map(({ chain, rule }) => [chain.name, rule.alignment!]));
  const limbs = { ...kept, ...options.alignment };
  const alignment = alignReferences(source, target, whole, limbs, travel, modes);
  const idle = told.filter(({ chain, limb }) => {
    const others = new Map([...modes].filter(([name]) => name !== chain.name));
    const { [limb ?? 'torso']: own, ...rest } = limbs;
    const without = limb ? rest : limbs;
    const { pose } = alignReferences(source, target, whole, without, travel, others);
    return pose.rotations.every((x, i) => Math.abs(x - alignment.pose.rotations[i]!) < SAME);
  });
  const { scales, warnings } = measureRootScales(
    source,
    target,
    whole,
    alignment,
    options.rootScales,
    travel,
  );
  didWork(10 * target.skeleton.names.length);
  const map = leaveOut(
    withEnds(whole, alignment.ends),
    (pair) =>
      imitation.modes.get(pair.target) === 'keep' ||
      (options.root?.copyRotation === false && pair.target === travel?.target),
    STAYS_AS_ASKED,
  );
  didWork(10 * target.skeleton.names.length);
  const sourceReference = modelPoseOf(source.skeleton, source.reference.pose);
  return {
    pair: { source, target, map, alignment, sourceReference, rootScales: scales, travel },
    whole,
    imitation,
    warnings: [
      ...checked.warnings,
      ...alignment.warnings,
      ...idle.map(
        ({ chain }): Warning => ({
          code: 'option-without-effect',
          message: `the option chains.${chain.name}.alignment has no effect: it is aligned the same without it, or nothing drives it`,
        }),
      ),
      ...warnings,
    ],
  };
}

/** A map with more pairs, in the target's order. */
function withEnds(map: RigMap, ends: readonly JointPair[]): RigMap {
  if (ends.length === 0) return map;
  const targets = new Set(ends.map(({ target }) => target));
  const sources = new Set(ends.flatMap((pair) => pair.sources));
  return {
    joints: [...map.joints, ...ends].sort((a, b) => a.target - b.target),
    unmapped: {
      source: map.unmapped.source.filter(({ joint }) => !sources.has(joint)),
      target: map.unmapped.target.filter(({ joint }) => !targets.has(joint)),
    },
  };
}
