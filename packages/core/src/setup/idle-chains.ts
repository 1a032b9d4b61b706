import { isSameData } from '../base/copy-data.js';
import type { Warning } from '../base/warnings.js';
import type { Chain } from '../body/chains/armature.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Rig } from '../body/rig.js';
import type { RigMap } from '../map/rig-map.js';
import type { ListedOptions } from '../options/retarget-options.js';
import { type ChainsTold, rulesOfArmature } from './chains-told.js';

/** Options that say how chains find each other and nothing else: without effect where the map is the same without. */
const MAP_RULES = ['sourceArmature', 'branches', 'matching', 'indexing', 'surplusJoints'] as const;

/**
 * Finds the options about chains that make no other map than there would be without them.
 * @param mapBy The map that there would be with some of the options.
 */
export function findIdleMapRules(
  map: RigMap,
  options: ChainsTold & Pick<ListedOptions, 'map'>,
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
  return idle.map((name) =>
    withoutEffect(
      name,
      options.map?.joints ? 'the map lists its joints itself' : whyIdle(name, matching?.by),
    ),
  );
}

function whyIdle(name: (typeof MAP_RULES)[number], by: 'roles' | 'chains' = 'roles'): string {
  if (name === 'surplusJoints') return 'no chain of the target has more joints than its partner';
  if (name === 'indexing') return 'the joints of all matched chains find each other the same way by it';
  return by === 'chains'
    ? 'chains find each other the same way without it'
    : 'body parts that are known go together, and other chains find each other the same way without it; matching by chains leaves body parts aside';
}

const withoutEffect = (name: string, why: string): Warning => ({
  code: 'option-without-effect',
  message: `the option ${name} has no effect: ${why}`,
});

/** Members of a chain that say how it is solved or moved, which only the target's are. */
const SOLVING = ['enabled', 'solver', 'goal'] as const;
/** Those of them that are nothing unless somebody tells them. */
const TOLD_MEMBERS = ['limbScale', 'rootScale', 'imitation', 'alignment'] as const;

/**
 * Finds members of armatures by the user's word that change nothing: what is told of solving a source, controls, and
 * chains and kinds of the target that make no other map and are not solved.
 * @param mapOnto The map that there would be on a target with other chains.
 */
export function findIdleMembers(
  options: Pick<ListedOptions, 'sourceArmature' | 'targetArmature' | 'chains'>,
  { source, target }: { source: Rig; target: Rig },
  map: RigMap,
  mapOnto: (target: Rig) => RigMap,
): Warning[] {
  const idle: Warning[] = [];
  const controlsOf = (name: string, { armature }: Rig, found: readonly number[]) => {
    if (!isSameData([...found], [...armature!.controls]))
      idle.push(withoutEffect(name, 'its controls: what holds a joint in a chain or leaves it out decides'));
  };
  if (options.sourceArmature && source.armature) {
    const found = createArmature(source.skeleton);
    controlsOf('sourceArmature', source, found.controls);
    const usual = byFirstJoint(found.chains);
    const { chains } = source.armature;
    const isTold = (chain: Chain, member: (typeof SOLVING)[number]) => {
      const other = usual.get(chain.joints[0]!);
      return isSameData(other?.joints, chain.joints) && !isSameData(other?.[member], chain[member]);
    };
    const members = [
      ...SOLVING.filter((member) => chains.some((chain) => isTold(chain, member))),
      ...(chains.some(({ priority }) => priority !== 1) ? ['priority'] : []),
      ...TOLD_MEMBERS.filter((member) => chains.some((chain) => chain[member] !== undefined)),
    ];
    if (Object.keys(source.armature.limits).length > 0)
      idle.push(withoutEffect('sourceArmature', 'its limits: only joints of the target are limited'));
    if (members.length > 0)
      idle.push(
        withoutEffect('sourceArmature', `${members.join(', ')} of its chains: only the target's are solved`),
      );
  }
  if (options.targetArmature && target.armature) {
    const found = createArmature(target.skeleton);
    controlsOf('targetArmature', target, found.controls);
    idle.push(...idleChains(target, found.chains, options.chains ?? {}, map, mapOnto));
  }
  return idle;
}

/** What of the target's chains themselves, their joints and kinds, changes nothing. */
function idleChains(
  target: Rig,
  found: readonly Chain[],
  rules: object,
  map: RigMap,
  mapOnto: (target: Rig) => RigMap,
): Warning[] {
  const armature = target.armature!;
  const usual = byFirstJoint(found);
  const told = rulesOfArmature(target);
  const isInert = ({ name, kind }: Chain) =>
    !(name in rules) &&
    !(kind in rules) &&
    Object.entries(told[name]!).every(([, value]) => value === 'none');
  const idle: Warning[] = [];
  const renamed = armature.chains.filter((chain) => {
    const { kind = chain.kind } = usual.get(chain.joints[0]!) ?? {};
    // Tails are aligned by their line, and rules may be told by kind.
    return kind !== chain.kind && kind !== 'tail' && chain.kind !== 'tail' && !(chain.kind in rules);
  });
  if (renamed.length > 0) {
    const chains = armature.chains.map((chain) =>
      renamed.includes(chain) ? { ...chain, kind: usual.get(chain.joints[0]!)!.kind } : chain,
    );
    if (isSameData(mapOnto({ ...target, armature: { ...armature, chains } }).joints, map.joints))
      idle.push(
        withoutEffect(
          'targetArmature',
          `the kind of ${namesOf(renamed)}: chains find each other the same way by it`,
        ),
      );
  }
  const recut = armature.chains.filter(
    (chain) => isInert(chain) && !isSameData(usual.get(chain.joints[0]!)?.joints, chain.joints),
  );
  const { armature: _, ...plain } = target;
  if (recut.length > 0 && isSameData(mapOnto(plain).joints, map.joints))
    idle.push(
      withoutEffect(
        'targetArmature',
        `the joints of ${namesOf(recut)}: joints find each other the same way, and no goal is told for it`,
      ),
    );
  return idle;
}

const byFirstJoint = (chains: readonly Chain[]) => new Map(chains.map((chain) => [chain.joints[0]!, chain]));

const namesOf = (chains: readonly Chain[]) => chains.map(({ name }) => `"${name}"`).join(', ');
