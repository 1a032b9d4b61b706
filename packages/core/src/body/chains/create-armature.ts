import { didWork } from '../../base/watch-work.js';
import { END, type Skeleton } from '../../scene/skeleton.js';
import type { ChainSolver } from '../../solvers/create-solver.js';
import { type Armature, type ArmatureOptions, type Chain, type ChainKind, freeName } from './armature.js';
import { viewChains } from './chain-view.js';
import { findRuns } from './find-runs.js';
import { guessChainKinds } from './guess-chain-kinds.js';

/**
 * Covers a skeleton with chains: depth first from every root, a chain goes on until the body parts, and each
 * child there starts a new one, named after its first joint. This is algorithm 1 of Körner et al. with the
 * chain's own name handed to the single child (K5), and nothing lost between root and first branch (KP1).
 *
 * The body parts where two or more children count. Twist joints, accessories, control joints and ends do not,
 * nor does a stub beside something at least twice as long, nor a pair of ears; a pair of limbs always parts what
 * it hangs on. What does not count gets chains of its own. An end site stays with the chain
 * that it ends. With `branches: 'every'` each child counts.
 */
export function createArmature(skeleton: Skeleton, options: ArmatureOptions = {}): Armature {
  const { names } = skeleton;
  const view = viewChains(skeleton, options);
  const runs = findRuns(view);
  const chainKinds = guessChainKinds(view, runs);
  didWork(20 * names.length);
  const taken = new Set<string>();
  const chains = runs.map(({ joints }, i): Chain => {
    const name = freeName(names[joints[0]!] || `chain ${i}`, taken);
    const kind = chainKinds[i]!;
    return {
      name,
      joints,
      kind,
      enabled: kind !== 'end' && kind !== 'control' && kind !== 'accessory' && kind !== 'twist',
      solver: defaultSolver(kind, joints.filter((joint) => (skeleton.flags[joint]! & END) === 0).length),
      priority: 1,
      goal: kind === 'limb' || kind === 'tail' ? { name: `${name} target`, weight: 1 } : null,
    };
  });
  return {
    version: 1,
    chains,
    controls: names.map((_, i) => i).filter((i) => view.kinds[i]!.kind === 'control'),
    limits: {},
  };
}

function defaultSolver(kind: ChainKind, turning: number): ChainSolver {
  if (kind === 'limb') return { method: turning === 3 ? 'twoBone' : turning < 2 ? 'none' : 'fabrik' };
  return { method: kind === 'tail' || kind === 'spine' ? 'fabrik' : 'none' };
}
