import { copyData, isSameData } from '../base/copy-data.js';
import { createMemory, remember } from '../base/remember.js';
import type { Warning } from '../base/warnings.js';
import { type ArmatureDocument, readArmature } from '../body/chains/armature-document.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Rig } from '../body/rig.js';
import type { KnownRig } from '../body/understand/known-rigs.js';
import type { MapRules } from '../map/pair-chains.js';
import type { RigMap } from '../map/rig-map.js';
import { checkShape } from '../options/check-shape.js';
import { solversOfArmature } from '../options/limb-solvers.js';
import { CHAIN_OPTIONS } from '../options/lists/chain-options.js';
import type { RetargetOptions } from '../options/retarget-options.js';
import { limitsOfArmature } from '../passes/limit-joints.js';

type ChainsTold = Pick<RetargetOptions, keyof typeof CHAIN_OPTIONS>;

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

/**
 * Options with what the target's armature says of limbs and joints: each limb is solved by the solver of its chain,
 * within the limits of its joints (K1, K3, K28). What is told besides has the last word.
 */
export function withArmatureOptions<Told extends ChainsTold & Pick<RetargetOptions, 'solvers' | 'limits'>>(
  options: Told,
  target: Rig,
): Told {
  if (options.targetArmature === undefined || !target.armature) return options;
  const solvers = solversOfArmature(target.armature, target);
  const limits = limitsOfArmature(target.armature.limits, target.skeleton);
  return {
    ...options,
    ...(Object.keys(solvers).length > 0 && { solvers: { ...solvers, ...options.solvers } }),
    ...(Object.keys(limits).length > 0 && { limits: { ...limits, ...options.limits } }),
  };
}

/** Makes sure that what is told of chains can be meant. @throws UsageError that names the option. */
export function checkChainOptions(options: ChainsTold): void {
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

/** Options that say how chains find each other and nothing else: without effect where the map is the same without. */
const MAP_RULES = ['sourceArmature', 'branches', 'matching', 'indexing', 'surplusJoints'] as const;

/**
 * Finds the options about chains that make no other map than there would be without them.
 * @param mapBy The map that there would be with some of the options.
 */
export function findIdleMapRules(
  map: RigMap,
  options: ChainsTold & Pick<RetargetOptions, 'map'>,
  mapBy: (rules: ChainsTold) => RigMap,
): Warning[] {
  const { sourceArmature, targetArmature, branches, matching, indexing, surplusJoints } = options;
  const told: ChainsTold = {
    ...(sourceArmature && { sourceArmature }),
    ...(targetArmature && { targetArmature }),
    ...(branches && { branches }),
    ...(matching && { matching }),
    ...(indexing && { indexing }),
    ...(surplusJoints && { surplusJoints }),
  };
  const idle = MAP_RULES.filter((name) => {
    if (told[name] === undefined) return false;
    const { [name]: _, ...others } = told;
    return isSameData(mapBy(others).joints, map.joints);
  });
  return idle.map((name) => ({
    code: 'option-without-effect',
    message: `the option ${name} has no effect: ${options.map?.joints ? 'the map lists its joints itself' : whyIdle(name, matching?.by)}`,
  }));
}

function whyIdle(name: (typeof MAP_RULES)[number], by: 'roles' | 'chains' = 'roles'): string {
  if (name === 'surplusJoints') return 'no chain of the target has more joints than its partner';
  if (name === 'indexing') return 'the joints of all matched chains find each other the same way by it';
  return by === 'chains'
    ? 'chains find each other the same way without it'
    : 'body parts that are known go together, and other chains find each other the same way without it; matching by chains leaves body parts aside';
}
