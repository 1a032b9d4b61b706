import { UsageError } from '../base/errors.js';
import type { Chain } from '../body/chains/armature.js';
import { armatureOfRig } from '../body/chains/armature-of-rig.js';
import type { Rig } from '../body/rig.js';
import { LIMBS, type Limb, limbOf } from '../body/roles.js';
import type { ChainRule, ChainRules } from '../options/chain-rules.js';
import { SOLVED_LIMBS } from '../options/limb-solvers.js';

/** A chain of the target and what is told of it. */
export type ChainTold = {
  chain: Chain;
  rule: ChainRule;
  /** The limb that its joints are part of, where they have roles. */
  limb: Limb | null;
  /** The arm or leg of a person that it is, whose feet and hands are corrected. */
  solvedLimb: (typeof SOLVED_LIMBS)[number] | null;
};

/**
 * The chains of the target that rules are told for, in the armature's order. A rule for a chain by name comes before one
 * for its limb, and that before one for its kind; parts that one leaves out are taken from the next.
 * @throws UsageError where a name is none of these.
 */
export function resolveChainRules(target: Rig, rules: ChainRules): ChainTold[] {
  // Mostly nothing is told, and then nobody need know the chains.
  if (Object.keys(rules).length === 0) return [];
  const { chains } = armatureOfRig(target);
  const known = new Set<string>([...LIMBS, ...chains.flatMap(({ name, kind }) => [name, kind])]);
  for (const name of Object.keys(rules))
    if (!known.has(name))
      throw new UsageError(
        `chains names "${name}", which is no chain, limb or kind of chain of "${target.skeleton.name}"; its chains are ${chains.map((chain) => chain.name).join(', ')}`,
      );
  return chains.flatMap((chain): ChainTold[] => {
    const limb = limbOfChain(target, chain);
    const told = [rules[chain.kind], limb ? rules[limb] : undefined, rules[chain.name]].filter(
      (rule) => rule !== undefined,
    );
    if (told.length === 0) return [];
    return [{ chain, rule: Object.assign({}, ...told), limb, solvedLimb: solvedLimbOf(target, chain) }];
  });
}

/** The limb that most joints of a chain with a role are part of; null where none has one. */
function limbOfChain({ guesses, joints }: Rig, chain: Chain): Limb | null {
  const counts = new Map<Limb, number>();
  for (const joint of chain.joints) {
    const { role } = guesses[joint]!;
    const limb = role && joints[role] === joint ? limbOf(role) : null;
    if (limb) counts.set(limb, (counts.get(limb) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/** The arm or leg of a person whose elbow or knee is in a chain. */
function solvedLimbOf({ joints }: Rig, chain: Chain): ChainTold['solvedLimb'] {
  return (
    SOLVED_LIMBS.find((limb) => {
      const side = limb.startsWith('left') ? 'left' : 'right';
      const middle = limb.endsWith('Leg') ? joints[`${side}LowerLeg`] : joints[`${side}LowerArm`];
      return middle !== undefined && chain.joints.includes(middle);
    }) ?? null
  );
}

/** Whether a rule asks for a chain to be brought to a goal. */
export function asksForGoal({ solver, goal, limbScale, rootScale }: ChainRule): boolean {
  return solver !== undefined || goal !== undefined || limbScale !== undefined || rootScale !== undefined;
}

/** The place that a rule tells for the end of a chain; null where it tells none. */
export function toldPlace({ goal }: ChainRule): readonly [number, number, number] | null {
  return typeof goal === 'object' ? (goal.place ?? null) : null;
}
