import { UsageError } from '../../base/errors.js';
import { createMemory, remember } from '../../base/remember.js';
import type { Pose } from '../../scene/pose.js';
import { isAncestor, JOINT, type Skeleton } from '../../scene/skeleton.js';
import type { ChainSolver } from '../../solvers/create-solver.js';
import type { JointLimit } from '../../solvers/joint-limits.js';
import { guessJointKinds, type JointKindGuess } from '../joint-kinds.js';

/**
 * What a chain is: `root` leads from a root to where the body first parts; `spine` runs along the middle of the
 * body, neck and head included; `tail` is the other end of it; `limb` stands at a side (arms, legs, wings,
 * fins); `digit` hangs on a limb (fingers, feathers); `face` hangs on the head (ears, jaw, eyes); `end` is an
 * end site left alone where a chain parts. For the others see {@link guessJointKinds}.
 */
export type ChainKind =
  | 'root'
  | 'spine'
  | 'tail'
  | 'limb'
  | 'digit'
  | 'face'
  | 'twist'
  | 'accessory'
  | 'control'
  | 'end';

/** A number, or keys of one over time, in seconds. */
export type ChainNumber =
  | number
  | { time: number; value: number; easing?: 'step' | 'linear' | 'smooth' | 'smoother' }[];

/** What a chain's effector, its last joint, shall reach. */
export type ChainGoal = {
  name: string;
  /** 0 to 1. */
  weight: ChainNumber;
  /** In metres of model space; if left out, where the source's end is, scaled to the chain. */
  place?: [number, number, number];
};

/** Joints in a row without a branch, that are solved and mapped as one. */
export type Chain = {
  /** Unique within its armature. */
  name: string;
  /** Parents first; each hangs on the one before it, with nothing but plain nodes between. */
  joints: number[];
  kind: ChainKind;
  enabled: boolean;
  solver: ChainSolver;
  /** Chains of a higher priority win where goals contradict each other. */
  priority: number;
  goal: ChainGoal | null;
  /** 0: the goal is as far off as the source's end, in metres; 1, if left out: in lengths of the chain. */
  limbScale?: ChainNumber;
  /** 0: counted from where the source's chain begins; 1, if left out: from where this one does. */
  rootScale?: ChainNumber;
  /** How it follows the source; by turns if left out. */
  imitation?: 'worldDelta' | 'direction' | 'keep';
  /** How its reference is aligned; by what it is if left out. */
  alignment?: 'keep' | 'line' | 'bones';
};

/** Chains that cover a skeleton, each joint in at most one of them. */
export type Armature = {
  version: 1;
  /** In the order in which they are solved, unless that goes by priority. */
  chains: Chain[];
  /** Joints that move others rather than the body, parents first; in no chain unless asked for. */
  controls: number[];
  /** By joint index. */
  limits: Record<number, JointLimit>;
};

/** What {@link createArmature} may be told. */
export type ArmatureOptions = {
  /** Whether joints that only move other joints get chains too, of kind `control`. */
  controls?: 'leaveOut' | 'include';
  /** `body`: as described there; `every`: at each joint with two children or more, as algorithm 1 has it. */
  branches?: 'body' | 'every';
  /** The pose in which the shape is looked at: bind, else rest, if left out. */
  pose?: Pose;
  /** What the joints are there for, where the caller knows better. */
  kinds?: readonly JointKindGuess[];
};

/** A name that is not among those taken, which it joins: `arm`, `arm 2`, `arm 3`. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  if (taken.has(name)) {
    const counts = remember(counted, taken, null, () => new Map());
    let k = counts.get(name) ?? 2;
    while (taken.has(`${name} ${k}`)) k++;
    counts.set(name, k + 1);
    free = `${name} ${k}`;
  }
  taken.add(free);
  return free;
}

/** Per names that are taken: from which number on a name may be free. Thousands of joints may be called the same. */
const counted = createMemory<null, Map<string, number>>();

/** The chain that holds a joint, or null: there is never more than one (KP17). */
export function chainOf(armature: Armature, joint: number): Chain | null {
  return armature.chains.find(({ joints }) => joints.includes(joint)) ?? null;
}

/**
 * The enabled chains in the order in which they are solved (K2): as listed, or those of a low priority first,
 * so that the important ones have the last word; equal ones as listed.
 */
export function solvingOrder(armature: Armature, by: 'list' | 'priority' = 'list'): Chain[] {
  const chains = armature.chains.filter(({ enabled }) => enabled);
  return by === 'list' ? chains : chains.sort((a, b) => a.priority - b.priority);
}

/**
 * Checks that an armature is one (K1): chain names differ, joints exist, each hangs on the one before it
 * without a joint between, and none is in two chains.
 * @throws UsageError that names the chain and what is wrong with it.
 */
export function checkArmature(armature: Armature, skeleton: Skeleton): void {
  const names = new Set<string>();
  const owners = new Map<number, string>();
  for (const { name, joints } of armature.chains) {
    if (name === '') throw new UsageError('a chain of the armature has no name');
    if (names.has(name)) throw new UsageError(`the armature has two chains called "${name}"`);
    names.add(name);
    if (joints.length === 0) throw new UsageError(`chain "${name}" has no joints`);
    joints.forEach((joint, i) => {
      if (!Number.isInteger(joint) || joint < 0 || joint >= skeleton.names.length)
        throw new UsageError(`chain "${name}" holds joint ${joint}, which "${skeleton.name}" does not have`);
      const owner = owners.get(joint);
      if (owner !== undefined)
        throw new UsageError(
          `joint "${skeleton.names[joint]}" is in chain "${owner}" and in chain "${name}"`,
        );
      owners.set(joint, name);
      if (i > 0 && !hangsOn(skeleton, joints[i - 1]!, joint))
        throw new UsageError(
          `in chain "${name}" the joint "${skeleton.names[joint]}" does not hang on "${skeleton.names[joints[i - 1]!]}"`,
        );
    });
  }
}

/** Whether a joint hangs on another with nothing but plain nodes between. */
function hangsOn(skeleton: Skeleton, above: number, joint: number): boolean {
  if (above === joint || !isAncestor(skeleton, above, joint)) return false;
  const hasJoints = skeleton.flags.some((flag) => (flag & JOINT) !== 0);
  let at = skeleton.parents[joint]!;
  while (at !== above && hasJoints && (skeleton.flags[at]! & JOINT) === 0) at = skeleton.parents[at]!;
  return at === above;
}
