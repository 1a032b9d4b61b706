import { directionOf, meanVector, subtractVectors, type Vec3, vectorLength } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { MIDDLE } from '../body-shape.js';
import { wordsOf } from '../joint-kinds.js';
import type { ChainKind } from './armature.js';
import type { ChainView } from './chain-view.js';
import { type JointRun, SHORT_LIMB } from './find-runs.js';

/** Words that name a part of a body, and a pattern that finds each of them inside of others. */
type NamedParts = { words: ReadonlySet<string>; anywhere: RegExp };

function namedParts(words: readonly string[]): NamedParts {
  return { words: new Set(words), anywhere: new RegExp(words.join('|')) };
}

/** Whether a word of a name is among some; what holds none of their letters in a row need not be cut up. */
function isCalled(name: string, { words, anywhere }: NamedParts): boolean {
  return anywhere.test(name.toLowerCase()) && wordsOf(name).some((word) => words.has(word));
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

/** Says of every run what its chain is, parents first: by its joints' kinds and names, where it hangs, how long it is. */
export function guessChainKinds(view: ChainView, runs: readonly JointRun[]): ChainKind[] {
  const { kinds, size, trunk } = view;
  const { names } = view.skeleton;
  const run = lookAtRuns(view, runs);
  const result: ChainKind[] = [];
  runs.forEach(({ joints, parent }, i) => {
    didWork(10);
    const own = kinds[joints[0]!]!.kind;
    const above = parent < 0 ? null : result[parent]!;
    const named = joints.reduce((sum, joint) => sum + (isCalled(names[joint]!, TAIL_WORDS) ? 1 : 0), 0);
    const isTailNamed = parent >= 0 && 2 * named >= joints.length;
    if (own === 'twist' || own === 'accessory' || own === 'control' || own === 'end') result[i] = own;
    else if (
      parent < 0 &&
      run.below[i]!.some((child) => run.isBody(child) && run.anchorOf(child) === run.lastTurning(i))
    )
      result[i] = 'root';
    else if (above === 'face' || run.isFace(i)) result[i] = 'face';
    else if (above === 'accessory' || run.isBunch(i)) result[i] = 'accessory';
    else if (above === 'spine' && run.isHead(parent)) result[i] = 'face';
    else if (run.isMiddle(i)) {
      if (isTailNamed) result[i] = 'tail';
      else if (above === 'limb' || above === 'digit') result[i] = 'digit';
      else if (above === 'spine' && run.isLeaf(i) && run.anchorOf(i) !== run.lastTurning(parent))
        result[i] = 'accessory';
      else if (!run.isTail(i)) result[i] = 'spine';
      else result[i] = above === 'root' || run.lengthOf(i) > SHORT_LIMB * trunk ? 'tail' : 'accessory';
    } else if (above === 'digit') result[i] = 'digit';
    else if (above === 'limb') {
      // An anchor without length is no limb: what hangs on it is.
      const isAnchor =
        run.lineLength(runs[parent]!.joints) < 0.02 * size && result[runs[parent]!.parent] !== 'limb';
      result[i] = isAnchor ? 'limb' : 'digit';
    } else result[i] = 'limb';
  });
  return result;
}

/** What can be asked of runs, by their numbers. */
function lookAtRuns(view: ChainView, runs: readonly JointRun[]) {
  const { kinds, positions, reaches, mirror, size, trunk, nearest, findPaired } = view;
  const { names } = view.skeleton;
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
  return {
    below,
    isBody,
    isFace,
    isMiddle,
    isLeaf,
    isTail,
    isHead,
    isBunch,
    anchorOf,
    lastTurning,
    lengthOf,
    lineLength,
  };

  function isBody(i: number): boolean {
    return kinds[runs[i]!.joints[0]!]!.kind === 'body';
  }

  function isFace(i: number): boolean {
    return isCalled(names[runs[i]!.joints[0]!]!, FACE_WORDS);
  }

  function isLeaf(i: number): boolean {
    return leaves[i]!;
  }

  function anchorOf(i: number): number {
    return nearest[runs[i]!.joints[0]!]!;
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
      (other) => isMiddle(other) && !isLeaf(other) && !isFace(other) && lengthOf(other) > SHORT_LIMB * trunk,
    );
    return trunks[parent]!.some((other) => other !== i);
  }

  /** Whether nothing long hangs on a chain: the head of a body, not its chest. */
  function isHead(i: number): boolean {
    return below[i]!.every((child) => lengthOf(child) < SHORT_LIMB * trunk);
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
