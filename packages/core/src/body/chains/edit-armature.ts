import { UsageError } from '../../base/errors.js';
import { END, JOINT, type Skeleton } from '../../scene/skeleton.js';
import { type Armature, type Chain, checkArmature, freeName } from './armature.js';

/*
 * Each function gives a new armature and leaves the old one as it was. What it gives is an armature again:
 * chains without branches, no joint in two of them, no name twice (K1).
 */

/** What may be set on a chain at any time: all but its name and its joints. */
export type ChainSettings = Partial<Pick<Chain, 'kind' | 'enabled' | 'solver' | 'priority' | 'goal'>>;

/**
 * Adds a chain from one joint down to another. Joints that other chains hold are taken from them: of a chain
 * that is cut in two the upper part keeps the name, and a chain that has none left goes.
 * @throws UsageError where `to` does not hang on `from`, or the name is taken by a chain that stays.
 */
export function addChain(
  armature: Armature,
  skeleton: Skeleton,
  chain: { name: string; from: number; to: number } & ChainSettings,
): Armature {
  const { name, from, to, ...settings } = chain;
  const joints = pathOf(skeleton, from, to);
  const taken = new Set(joints);
  const names = new Set(armature.chains.map((other) => other.name));
  const chains = armature.chains.flatMap((other) => {
    const parts: number[][] = [[]];
    for (const joint of other.joints) {
      if (!taken.has(joint)) parts[parts.length - 1]!.push(joint);
      else if (parts[parts.length - 1]!.length > 0) parts.push([]);
    }
    return parts
      .filter((part) => part.length > 0)
      .map(
        (part, i): Chain => ({
          ...other,
          joints: part,
          name: i === 0 ? other.name : freeName(other.name, names),
        }),
      );
  });
  if (chains.some((other) => other.name === name))
    throw new UsageError(`the armature has a chain called "${name}" already`);
  return checked(
    {
      ...armature,
      chains: [
        ...chains,
        {
          name,
          joints,
          kind: 'limb',
          enabled: true,
          solver: { method: 'none' },
          priority: 1,
          goal: null,
          ...settings,
        },
      ],
    },
    skeleton,
  );
}

/** Takes a chain out; its joints are then in none. */
export function removeChain(armature: Armature, name: string): Armature {
  const at = placeOf(armature, name);
  return { ...armature, chains: armature.chains.filter((_, i) => i !== at) };
}

/**
 * Cuts a chain before a joint: the part from there on becomes a chain of its own with the same settings, named
 * after the joint, and stands behind the first.
 * @throws UsageError where the joint is not in the chain or begins it.
 */
export function splitChain(armature: Armature, skeleton: Skeleton, name: string, joint: number): Armature {
  const at = placeOf(armature, name);
  const chain = armature.chains[at]!;
  const cut = chain.joints.indexOf(joint);
  if (cut < 1)
    throw new UsageError(
      `chain "${name}" cannot be cut before joint ${joint}: it ${cut === 0 ? 'begins there' : 'does not hold it'}`,
    );
  const lower = freeName(
    skeleton.names[joint] || `${name} part`,
    new Set(armature.chains.map((other) => other.name)),
  );
  const parts: Chain[] = [
    { ...chain, joints: chain.joints.slice(0, cut), goal: null },
    { ...chain, name: lower, joints: chain.joints.slice(cut) },
  ];
  return checked(
    { ...armature, chains: armature.chains.flatMap((other, i) => (i === at ? parts : [other])) },
    skeleton,
  );
}

/**
 * Joins two chains of which the second begins where the first ends. The first keeps its name, place and
 * settings; the goal is that of the second, whose end is the end now.
 * @throws UsageError where they do not meet.
 */
export function joinChains(armature: Armature, skeleton: Skeleton, first: string, second: string): Armature {
  const upper = armature.chains[placeOf(armature, first)]!;
  const lower = armature.chains[placeOf(armature, second)]!;
  if (upper === lower) throw new UsageError(`chain "${first}" cannot be joined with itself`);
  const joined = { ...upper, joints: [...upper.joints, ...lower.joints], goal: lower.goal ?? upper.goal };
  return checked(
    {
      ...armature,
      chains: armature.chains
        .filter((chain) => chain !== lower)
        .map((chain) => (chain === upper ? joined : chain)),
    },
    skeleton,
  );
}

/** Gives a chain another name. A goal named after the chain is renamed with it. */
export function renameChain(armature: Armature, name: string, newName: string): Armature {
  const at = placeOf(armature, name);
  if (newName === '') throw new UsageError(`chain "${name}" cannot be renamed to nothing`);
  if (newName !== name && armature.chains.some((chain) => chain.name === newName))
    throw new UsageError(`the armature has a chain called "${newName}" already`);
  return withChain(armature, at, (chain) => ({
    ...chain,
    name: newName,
    goal: chain.goal?.name === `${name} target` ? { ...chain.goal, name: `${newName} target` } : chain.goal,
  }));
}

/** Moves a chain to another place in the list, which is the order of solving (K2). */
export function moveChain(armature: Armature, name: string, place: number): Armature {
  const at = placeOf(armature, name);
  if (!Number.isInteger(place) || place < 0 || place >= armature.chains.length)
    throw new UsageError(`chain "${name}" cannot be moved to place ${place} of ${armature.chains.length}`);
  const chains = armature.chains.filter((_, i) => i !== at);
  chains.splice(place, 0, armature.chains[at]!);
  return { ...armature, chains };
}

/** Sets what a chain is and how it is solved. */
export function setChain(armature: Armature, name: string, settings: ChainSettings): Armature {
  return withChain(armature, placeOf(armature, name), (chain) => ({ ...chain, ...settings }));
}

function withChain(armature: Armature, at: number, change: (chain: Chain) => Chain): Armature {
  return { ...armature, chains: armature.chains.map((chain, i) => (i === at ? change(chain) : chain)) };
}

function placeOf(armature: Armature, name: string): number {
  const at = armature.chains.findIndex((chain) => chain.name === name);
  if (at < 0) throw new UsageError(`the armature has no chain called "${name}"`);
  return at;
}

function checked(armature: Armature, skeleton: Skeleton): Armature {
  checkArmature(armature, skeleton);
  return armature;
}

/**
 * The joints from one down to another, plain nodes left out.
 * @throws UsageError where the second does not hang on the first.
 */
export function pathOf(skeleton: Skeleton, from: number, to: number): number[] {
  const { names, parents, flags } = skeleton;
  for (const joint of [from, to])
    if (!Number.isInteger(joint) || joint < 0 || joint >= names.length)
      throw new UsageError(`"${skeleton.name}" has no joint ${joint}`);
  const hasJoints = flags.some((flag) => (flag & JOINT) !== 0);
  const path: number[] = [];
  for (let at = to; at >= 0; at = parents[at]!) {
    if (at === from || at === to || !hasJoints || (flags[at]! & (JOINT | END)) !== 0) path.push(at);
    if (at === from) return path.reverse();
  }
  throw new UsageError(`joint "${names[to]}" does not hang on "${names[from]}"`);
}
