import { UsageError } from '../../base/errors.js';
import {
  directionOf,
  meanVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { modelPoseOf, type Pose } from '../../scene/pose.js';
import { childrenOf, END, isAncestor, JOINT, type Skeleton } from '../../scene/skeleton.js';
import { findMirrorPlane, MIDDLE, reachesOf, sizeOf } from '../body-shape.js';
import { guessJointKinds, type JointKindGuess, wordsOf } from '../joint-kinds.js';

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

/** How a chain is brought to its goal. Lengths are shares of the chain's length, so that no unit matters. */
export type ChainSolver = {
  method: 'none' | 'twoBone' | 'ccd' | 'fabrik' | 'jacobian';
  /** For `ccd`: which end the sweep starts from. */
  sweep?: 'backward' | 'forward';
  /** For `jacobian`. */
  variant?: 'transpose' | 'pseudoInverse' | 'damped';
  maxIterations?: number;
  /** Share of the chain's length at which the goal counts as reached. */
  tolerance?: number;
  /** For `damped`: share of the chain's length. */
  damping?: number;
  /** Share of each step that is gone, above 0 to 1; 1 if left out. */
  step?: number;
};

/** What a chain's effector, its last joint, shall reach. */
export type ChainGoal = {
  name: string;
  /** 0 to 1. */
  weight: number;
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
};

/** An axis of a joint's own frame. */
export type LimitAxis = 'x' | 'y' | 'z';

/** How far a joint may turn from its rest, in degrees, `[least, most]`. */
export type JointLimit =
  | { type: 'hinge'; axis: LimitAxis; forward: LimitAxis; angleDegrees: [number, number] }
  | {
      type: 'swingTwist';
      /** The axis that twist turns about. */
      twistAxis: LimitAxis;
      twistDegrees: [number, number];
      /** Swing about the other axes; an axis that is left out does not swing. */
      swingDegrees: Partial<Record<LimitAxis, [number, number]>>;
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

/** A side branch shorter than this share of what goes on beside it does not end a chain. */
const STUB = 0.5;
/** Of more siblings than these not every two are compared. */
const MANY = 256;
/** What hangs on a leaf. */
const NONE: readonly number[] = [];
/** A pair of branches shorter than this share of the trunk is no pair of limbs: ears, horns, eyes. */
const LIMB = 0.22;

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
  const { names, parents } = skeleton;
  const kinds = options.kinds ?? guessJointKinds(skeleton, options.pose);
  const { matrices } = modelPoseOf(skeleton, options.pose ?? skeleton.bind ?? skeleton.rest);
  const positions = names.map((_, i): Vec3 => vectorAt(matrices, 16 * i + 12));
  const withControls = options.controls === 'include';
  const isLeftOut = (joint: number) =>
    kinds[joint]!.kind === 'node' || (kinds[joint]!.kind === 'control' && !withControls);
  const reaches = reachesOf(skeleton, positions);
  const body = names.map((_, i) => i).filter((i) => kinds[i]!.kind === 'body' || kinds[i]!.kind === 'end');
  didWork(10 * names.length);
  const mirror = findMirrorPlane(positions, body);
  didWork(20 * names.length);
  const size = sizeOf(positions, body);
  // How long and high the body is, without the span of wings and legs.
  const trunk = sizeOf(positions, body, mirror.axis);
  const lists = childrenOf(skeleton);

  /** The joints that hang on a joint, through what is left out. */
  const joinedChildren = (joint: number): readonly number[] => {
    if (lists[joint]!.length === 0) return NONE;
    const found: number[] = [];
    const stack = lists[joint]!.slice().reverse();
    while (stack.length > 0) {
      const child = stack.pop()!;
      if (!isLeftOut(child)) found.push(child);
      else for (const below of lists[child]!.slice().reverse()) stack.push(below);
    }
    return found;
  };
  const isPair = (a: number, b: number) => {
    const longer = Math.max(reaches[a]!, reaches[b]!);
    if (!(Math.abs(reaches[a]! - reaches[b]!) < 0.2 * longer) || lists[a]!.length === 0) return false;
    const side = sideOf(a);
    const other = sideOf(b);
    // A hundredth of the body to each side: an eagle's legs against its span.
    if (Math.min(Math.abs(side), Math.abs(other)) < 0.01 * size) return false;
    return side * other < 0 && Math.abs(side + other) < 0.25 * Math.abs(side - other);
  };
  /** How far what hangs on a joint reaches to one side, less how far it reaches to the other. */
  const sideReach = (joint: number, offset: (joint: number) => number): number => {
    let most = 0;
    let least = 0;
    const stack = [joint];
    for (let visited = 0; stack.length > 0 && visited < 64; visited++) {
      const at = stack.pop()!;
      most = Math.max(most, offset(at));
      least = Math.min(least, offset(at));
      // No more are looked at than can be visited.
      for (let c = Math.max(0, lists[at]!.length - 64); c < lists[at]!.length; c++)
        stack.push(lists[at]![c]!);
    }
    return most + least;
  };
  const sides = new Float64Array(names.length);
  const isSideKnown = new Uint8Array(names.length);
  const sideOf = (joint: number): number => {
    if (isSideKnown[joint] === 0) {
      isSideKnown[joint] = 1;
      sides[joint] = sideReach(joint, (at) => positions[at]![mirror.axis]! - mirror.at);
    }
    return sides[joint]!;
  };
  /** Those of some siblings that have a partner among them. */
  const findPaired = (siblings: readonly number[]): Set<number> => {
    if (siblings.length <= MANY)
      return new Set(siblings.filter((a) => siblings.some((b) => b !== a && isPair(a, b))));
    // Partners reach as far to either side: of very many, the nearest by that are looked at.
    const sorted = [...siblings].sort((a, b) => sideOf(a) - sideOf(b));
    const paired = new Set<number>();
    for (const a of siblings) {
      didWork(10);
      // A leaf is nobody's partner.
      if (lists[a]!.length === 0) continue;
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sideOf(sorted[middle]!) < -sideOf(a)) low = middle + 1;
        else high = middle;
      }
      const last = Math.min(sorted.length, low + MANY / 8);
      for (let n = Math.max(0, low - MANY / 8); n < last; n++)
        if (sorted[n] !== a && isPair(a, sorted[n]!)) {
          paired.add(a);
          break;
        }
    }
    return paired;
  };
  /** The child that a chain goes on with, or −1. */
  const goesOn = (joint: number, children: readonly number[]): number => {
    if (options.branches === 'every') return children.length === 1 ? children[0]! : -1;
    const own = kinds[joint]!.kind;
    const alike = children.filter((child) => kinds[child]!.kind === own);
    if (own !== 'body') return alike.length === 1 ? alike[0]! : -1;
    const paired = findPaired(alike);
    if ([...paired].some((child) => reaches[child]! >= LIMB * trunk)) return -1;
    const single = alike.filter((child) => !paired.has(child));
    const longest = single.reduce(
      (best, child) => (best < 0 || reaches[child]! > reaches[best]! ? child : best),
      -1,
    );
    if (single.some((child) => child !== longest && reaches[child]! >= STUB * reaches[longest]!)) return -1;
    if (longest >= 0) return longest;
    const ends = children.filter((child) => kinds[child]!.kind === 'end');
    return ends.length === 1 ? ends[0]! : -1;
  };

  /** Per joint the nearest above it that is not left out, or −1; parents stand before their children. */
  const nearest = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    nearest[i] = parent >= 0 && isLeftOut(parent) ? nearest[parent]! : parent;
  }
  const runs: { joints: number[]; parent: number }[] = [];
  const roots = names.map((_, i) => i).filter((i) => !isLeftOut(i) && nearestJoined(i) < 0);
  const starts = roots.reverse().map((joint) => ({ joint, parent: -1 }));
  while (starts.length > 0) {
    const { joint: first, parent } = starts.pop()!;
    didWork(10);
    const run = { joints: [first], parent };
    const index = runs.push(run) - 1;
    const below: number[] = [];
    let at = first;
    for (;;) {
      const children = joinedChildren(at);
      if (children.length === 0) break;
      const next = goesOn(at, children);
      // An end where the chain parts still says where its last joint points.
      const ends = children.filter((child) => kinds[child]!.kind === 'end');
      const tip = next < 0 && options.branches !== 'every' && ends.length === 1 ? ends[0]! : next;
      for (const child of children) if (child !== tip) below.push(child);
      if (tip >= 0) run.joints.push(tip);
      if (next < 0) break;
      at = next;
    }
    below.sort((a, b) => a - b);
    for (const joint of below.reverse()) starts.push({ joint, parent: index });
  }

  const chainKinds = guessChainKinds();
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
    controls: names.map((_, i) => i).filter((i) => kinds[i]!.kind === 'control'),
    limits: {},
  };

  function nearestJoined(joint: number): number {
    return nearest[joint]!;
  }

  function guessChainKinds(): ChainKind[] {
    const below: number[][] = runs.map(() => []);
    runs.forEach(({ parent }, i) => {
      if (parent >= 0) below[parent]!.push(i);
    });
    const offset = (joint: number) => positions[joint]![mirror.axis]! - mirror.at;
    const families = [runs.map((_, k) => k).filter((k) => runs[k]!.parent < 0), ...below];
    const paired = families.map((family) => findPaired(family.map((i) => runs[i]!.joints[0]!)));
    const hasPartner = runs.map(({ joints, parent }) => paired[parent + 1]!.has(joints[0]!));
    // An anchor in the middle that carries four left legs has a partner, and is left.
    const middles = runs.map(({ joints }, i) => {
      const mean = joints.reduce((sum, joint) => sum + offset(joint), 0) / joints.length;
      return !hasPartner[i] && Math.abs(mean) < 2 * MIDDLE * size;
    });
    const isMiddle = (i: number) => middles[i]!;
    const leaves = runs.map((_, i) => !below[i]!.some(isBody));
    /** Per chain, when it is first asked for: what hangs on it in the middle and carries something itself. */
    const trunks: (number[] | undefined)[] = [];
    const bunches = new Map<number, ReadonlySet<number>>();
    const lengthOf = (i: number) => reaches[runs[i]!.joints[0]!]!;
    const result: ChainKind[] = [];
    runs.forEach(({ joints, parent }, i) => {
      didWork(10);
      const own = kinds[joints[0]!]!.kind;
      const above = parent < 0 ? null : result[parent]!;
      const named = joints.reduce((sum, joint) => sum + (isCalled(joint, TAIL_WORDS) ? 1 : 0), 0);
      const isTailNamed = parent >= 0 && 2 * named >= joints.length;
      if (own === 'twist' || own === 'accessory' || own === 'control' || own === 'end') result[i] = own;
      else if (parent < 0 && below[i]!.some((child) => isBody(child) && anchorOf(child) === lastTurning(i)))
        result[i] = 'root';
      else if (above === 'face' || isFace(i)) result[i] = 'face';
      else if (above === 'accessory' || isBunch(i)) result[i] = 'accessory';
      else if (above === 'spine' && isHead(parent)) result[i] = 'face';
      else if (isMiddle(i)) {
        if (isTailNamed) result[i] = 'tail';
        else if (above === 'limb' || above === 'digit') result[i] = 'digit';
        else if (above === 'spine' && isLeaf(i) && anchorOf(i) !== lastTurning(parent))
          result[i] = 'accessory';
        else if (!isTail(i)) result[i] = 'spine';
        else result[i] = above === 'root' || lengthOf(i) > LIMB * trunk ? 'tail' : 'accessory';
      } else if (above === 'digit') result[i] = 'digit';
      else if (above === 'limb') {
        // An anchor without length is no limb: what hangs on it is.
        const isAnchor =
          lineLength(runs[parent]!.joints) < 0.02 * size && result[runs[parent]!.parent] !== 'limb';
        result[i] = isAnchor ? 'limb' : 'digit';
      } else result[i] = 'limb';
    });
    return result;

    /** Whether a word of a joint's name is among some; what holds none of their letters in a row need not be cut up. */
    function isCalled(joint: number, { words, anywhere }: NamedParts): boolean {
      return (
        anywhere.test(names[joint]!.toLowerCase()) && wordsOf(names[joint]!).some((word) => words.has(word))
      );
    }

    function isBody(i: number): boolean {
      return kinds[runs[i]!.joints[0]!]!.kind === 'body';
    }

    function isFace(i: number): boolean {
      return isCalled(runs[i]!.joints[0]!, FACE_WORDS);
    }

    function isLeaf(i: number): boolean {
      return leaves[i]!;
    }

    function anchorOf(i: number): number {
      return nearestJoined(runs[i]!.joints[0]!);
    }

    function lastTurning(i: number): number {
      const turning = runs[i]!.joints.filter((joint) => kinds[joint]!.kind !== 'end');
      return turning[turning.length - 1] ?? -1;
    }

    function lineLength(joints: readonly number[]): number {
      return joints.reduce(
        (sum, joint, k) =>
          k === 0 ? 0 : sum + vectorLength(subtractVectors(positions[joint]!, positions[joints[k - 1]!]!)),
        0,
      );
    }

    /** A middle chain that carries nothing, beside another middle chain that carries limbs or a head. */
    function isTail(i: number): boolean {
      const { parent } = runs[i]!;
      if (parent < 0 || !isLeaf(i)) return false;
      trunks[parent] ??= below[parent]!.filter(
        (other) => isMiddle(other) && !isLeaf(other) && !isFace(other) && lengthOf(other) > LIMB * trunk,
      );
      return trunks[parent]!.some((other) => other !== i);
    }

    /** Whether nothing long hangs on a chain: the head of a body, not its chest. */
    function isHead(i: number): boolean {
      return below[i]!.every((child) => lengthOf(child) < LIMB * trunk);
    }

    /** Five or more short chains on one middle joint that point one way: a skirt, a head of hair. */
    function isBunch(i: number): boolean {
      const { parent } = runs[i]!;
      if (parent < 0 || runs[i]!.joints.length < 2 || !isLeaf(i)) return false;
      const anchor = anchorOf(i);
      if (anchor < 0 || Math.abs(offset(anchor)) > MIDDLE * size) return false;
      let bunch = bunches.get(anchor);
      if (!bunch) {
        bunch = bunchAt(parent, anchor);
        bunches.set(anchor, bunch);
      }
      return bunch.has(i);
    }

    /** The chains that hang on one joint as a bunch; none where there are few, or where they point every way. */
    function bunchAt(parent: number, anchor: number): ReadonlySet<number> {
      const longest = below[parent]!.reduce((most, other) => Math.max(most, lengthOf(other)), 0);
      const short = below[parent]!.filter(
        (other) =>
          anchorOf(other) === anchor &&
          isLeaf(other) &&
          runs[other]!.joints.length > 1 &&
          lengthOf(other) < 0.8 * longest,
      );
      if (short.length < 5) return new Set();
      const directions = short.map(
        (other): Vec3 =>
          directionOf(
            subtractVectors(positions[runs[other]!.joints.at(-1)!]!, positions[runs[other]!.joints[0]!]!),
          ) ?? [0, 0, 0],
      );
      return vectorLength(meanVector(directions)!) > 0.8 ? new Set(short) : new Set();
    }
  }
}

/** Words that name a part of a body, and a pattern that finds each of them inside of others. */
type NamedParts = { words: ReadonlySet<string>; anywhere: RegExp };

function namedParts(words: readonly string[]): NamedParts {
  return { words: new Set(words), anywhere: new RegExp(words.join('|')) };
}

const TAIL_WORDS = namedParts(['tail', 'abdomen']);
const FACE_WORDS = namedParts([
  ...[
    'ear',
    'ears',
    'jaw',
    'mouth',
    'chin',
    'eye',
    'eyes',
    'eyeball',
    'eyelid',
    'brow',
    'eyebrow',
    'lid',
    'lip',
  ],
  ...[
    'lips',
    'cheek',
    'nose',
    'nostril',
    'snout',
    'muzzle',
    'tongue',
    'teeth',
    'tooth',
    'horn',
    'antler',
    'beak',
  ],
  ...['whisker', 'mandible', 'fang'],
]);

function defaultSolver(kind: ChainKind, turning: number): ChainSolver {
  if (kind === 'limb') return { method: turning === 3 ? 'twoBone' : turning < 2 ? 'none' : 'fabrik' };
  return { method: kind === 'tail' || kind === 'spine' ? 'fabrik' : 'none' };
}

/** A name that is not among those taken, which it joins: `arm`, `arm 2`, `arm 3`. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  if (taken.has(name)) {
    const counts = counted.get(taken) ?? new Map<string, number>();
    counted.set(taken, counts);
    let k = counts.get(name) ?? 2;
    while (taken.has(`${name} ${k}`)) k++;
    counts.set(name, k + 1);
    free = `${name} ${k}`;
  }
  taken.add(free);
  return free;
}

/** Per names that are taken: from which number on a name may be free. Thousands of joints may be called the same. */
const counted = new WeakMap<Set<string>, Map<string, number>>();

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
