import { type ChainTold, resolveChainRules } from '../align/chain-rules.js';
import { copyData, isSameData } from '../base/copy-data.js';
import { createMemory, remember } from '../base/remember.js';
import type { Warning } from '../base/warnings.js';
import type { ChainGoal } from '../body/chains/armature.js';
import { type ArmatureDocument, readArmature } from '../body/chains/armature-document.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Rig } from '../body/rig.js';
import { LIMBS } from '../body/roles.js';
import type { KnownRig } from '../body/understand/known-rigs.js';
import type { MapRules } from '../map/pair-chains.js';
import type { ChainRule, ChainRules } from '../options/chain-rules.js';
import { checkShape } from '../options/check-shape.js';
import type { LimbScalings } from '../options/limb-rules.js';
import { type LimbSolvers, solverChoiceOf, solversOfArmature } from '../options/limb-solvers.js';
import { CHAIN_OPTIONS } from '../options/lists/chain-options.js';
import type { ListedOptions } from '../options/retarget-options.js';
import { tellsNothing } from '../options/tells-nothing.js';
import { limitsOfArmature } from '../passes/limit-joints.js';

/** What is told of the chains of both bodies. */
export type ChainsTold = Pick<ListedOptions, keyof typeof CHAIN_OPTIONS>;

/** What a rig is told of its chains. */
type ToldArmature = { document: ArmatureDocument | undefined; branches: 'body' | 'every' };

const rigs = createMemory<ToldArmature, { rig: Rig; told: Warning[] }>(isSameData, 4);

/**
 * A rig with the chains that it is told, or that are found otherwise than usual; the rig itself where nothing is told.
 * @returns besides, what was imperfect about the document.
 * @throws UsageError that names the first place of the document that is wrong.
 */
export function withArmature(
  known: KnownRig,
  document: ArmatureDocument | undefined,
  branches: 'body' | 'every' = 'body',
): KnownRig & { told: readonly Warning[] } {
  if (document === undefined && branches === 'body') return { ...known, told: [] };
  const made = remember(
    rigs,
    known.rig,
    { document, branches },
    (given, rig) => {
      const { skeleton } = rig;
      if (!given.document)
        return {
          rig: { ...rig, armature: createArmature(skeleton, { branches: given.branches }) },
          told: [],
        };
      const { armature, warnings } = readArmature(given.document, skeleton);
      return { rig: { ...rig, armature }, told: warnings };
    },
    copyData,
  );
  return { ...known, ...made };
}

/** Options that an armature and the rules of chains decide on, beside their own. */
type Decided = ChainsTold &
  Pick<ListedOptions, 'chains' | 'solvers' | 'limits' | 'limbScalings' | 'imitation' | 'alignment'>;

/**
 * What an armature by the user's word says of its chains (K1, K3). Chains without a goal say of their solver, and of
 * being switched off, only what is otherwise than as they are found.
 */
export function rulesOfArmature(target: Rig): ChainRules {
  const found = new Map(createArmature(target.skeleton).chains.map((chain) => [chain.joints[0], chain]));
  return Object.fromEntries(
    target.armature!.chains.map(
      ({ name, goal, solver, enabled, priority, ...chain }): [string, ChainRule] => {
        const usual = found.get(chain.joints[0]);
        const isUsualSolver = usual ? isSameData(usual.solver, solver) : solver.method === 'none';
        return [
          name,
          {
            ...((goal || !isUsualSolver) && { solver: solverChoiceOf(solver) }),
            ...(goal ? { goal: goalOf(goal) } : solver.method !== 'none' && { goal: 'none' }),
            ...(!enabled && (goal || usual?.enabled !== false) && { muted: true }),
            ...(priority !== 1 && { priority }),
            ...(chain.limbScale !== undefined && { limbScale: chain.limbScale }),
            ...(chain.rootScale !== undefined && { rootScale: chain.rootScale }),
            ...(chain.imitation && { imitation: chain.imitation }),
            ...(chain.alignment && { alignment: chain.alignment }),
          },
        ];
      },
    ),
  );
}

function goalOf({ weight, place }: ChainGoal): NonNullable<ChainRule['goal']> {
  return { ...(weight !== 1 && { weight }), ...(place && { place }) };
}

/**
 * Options with what the target's armature and the rules of its chains say of limbs and joints: arms and legs of people
 * are solved and scaled where feet and hands are corrected, imitation and alignment go by limb where there is one. What
 * is told of limbs besides has the last word.
 */
export function withChainOptions<Told extends Decided>(options: Told, target: Rig): Told {
  const armature = options.targetArmature === undefined ? null : (target.armature ?? null);
  if (!armature && options.chains === undefined) return options;
  const rules = armature ? rulesOfArmature(target) : {};
  for (const { chain, rule } of resolveChainRules(target, options.chains ?? {}))
    rules[chain.name] = { ...rules[chain.name], ...rule };
  const solvers: LimbSolvers = armature ? solversOfArmature(armature, target) : {};
  const limbScalings: LimbScalings = {};
  const imitation: Record<string, NonNullable<ChainRule['imitation']>> = {};
  const alignment: NonNullable<ListedOptions['alignment']> = {};
  for (const told of resolveChainRules(target, rules)) {
    decideLimb(told, solvers, limbScalings);
    const { chain, rule, limb } = told;
    if (rule.imitation) imitation[limb && !/^(torso|neck)$/.test(limb) ? limb : chain.name] = rule.imitation;
    if (rule.alignment && limb) alignment[limb] = rule.alignment;
  }
  const limits = armature ? limitsOfArmature(armature.limits, target.skeleton) : {};
  const given = typeof options.imitation === 'string' ? { '*': options.imitation } : options.imitation;
  const has = (record: object) => Object.keys(record).length > 0;
  return {
    ...options,
    ...(has(rules) && { chains: rules }),
    ...(has(solvers) && { solvers: { ...solvers, ...options.solvers } }),
    ...(has(limbScalings) && { limbScalings: { ...limbScalings, ...options.limbScalings } }),
    ...(has(imitation) && { imitation: { ...imitation, ...given } }),
    ...(has(alignment) && { alignment: { ...alignment, ...options.alignment } }),
    ...(has(limits) && { limits: { ...limits, ...options.limits } }),
  };
}

/** What a rule of a person's arm or leg means where feet and hands are corrected. */
function decideLimb({ rule, solvedLimb }: ChainTold, solvers: LimbSolvers, limbScalings: LimbScalings): void {
  if (!solvedLimb) return;
  const { solver, goal, limbScale, rootScale } = rule;
  if (rule.muted || goal === 'none') solvers[solvedLimb] = 'none';
  else if (solver !== undefined) solvers[solvedLimb] = solver;
  const weight = typeof goal === 'object' ? goal.weight : undefined;
  if (limbScale === undefined && rootScale === undefined && weight === undefined) return;
  limbScalings[solvedLimb] = {
    limbScale: limbScale ?? 1,
    ...(rootScale !== undefined && { rootScale }),
    ...(weight !== undefined && { weight }),
  };
}

/**
 * Options with what the intermediate skeleton of Monzani et al. stands for (M1–M6): every limb and chain points as the
 * source's, and references share the source's posture or keep their own. What is told of single limbs has the last word.
 */
export function withModeOptions<
  Told extends Pick<ListedOptions, 'mode' | 'restPosture' | 'imitation' | 'alignment'>,
>(options: Told): Told {
  if (options.mode !== 'intermediate') return options;
  const mode = options.restPosture === 'kept' ? 'keep' : 'bones';
  return {
    ...options,
    imitation:
      typeof options.imitation === 'string' ? options.imitation : { '*': 'direction', ...options.imitation },
    alignment: { ...Object.fromEntries(LIMBS.map((limb) => [limb, mode])), ...options.alignment },
  };
}

/** Makes sure that what is told of chains can be meant. @throws UsageError that names the option. */
export function checkChainOptions(options: ChainsTold): void {
  if (!tellsNothing(options)) checkGivenChains(options);
}

function checkGivenChains(options: ChainsTold): void {
  for (const [name, { shape }] of Object.entries(CHAIN_OPTIONS)) {
    const value = options[name as keyof ChainsTold];
    if (value !== undefined) checkShape(shape, value, name);
  }
}

/** What of the options says how a map is made. */
export function rulesOf({ matching, indexing, surplusJoints }: ChainsTold): MapRules {
  return {
    ...(matching && { matching }),
    ...(indexing && { indexing }),
    ...(surplusJoints && { surplusJoints }),
  };
}
