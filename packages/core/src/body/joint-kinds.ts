import {
  addVectors,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import { childrenOf, END, JOINT, SKINNED, type Skeleton } from '../scene/skeleton.js';
import { PRINTABLE_ASCII } from './names/read-name.js';

/**
 * What a joint is there for: `body` moves the body; `end` marks where its parent ends; `twist` spreads the
 * roll of a bone; `accessory` is worn or held (hair, skirts, weapons, sockets); `control` moves other joints
 * rather than skin; `node` is no joint at all.
 */
export type JointKind = 'body' | 'end' | 'twist' | 'accessory' | 'control' | 'node';

/** The kind of a joint and why. */
export type JointKindGuess = { kind: JointKind; reason: string };

const CONTROL_WORDS: ReadonlySet<string> = new Set([
  ...['ik', 'fk', 'pole', 'poletarget', 'ctrl', 'ctl', 'control', 'controller', 'target', 'handle', 'helper'],
  ...['mch', 'drv', 'driver', 'goal', 'effector', 'lookat', 'footsteps', 'gizmo', 'snap'],
]);
/** Words that say that a joint spreads the roll of a bone. */
export const TWIST_WORDS: ReadonlySet<string> = new Set([
  'twist',
  'roll',
  'tweak',
  'rolljoint',
  'twistjoint',
]);
const ACCESSORY_WORDS: ReadonlySet<string> = new Set([
  ...['hair', 'bangs', 'ponytail', 'pigtail', 'twintail', 'braid', 'ahoge', 'beard', 'skirt', 'cloth'],
  ...[
    'dress',
    'cape',
    'cloak',
    'coat',
    'scarf',
    'ribbon',
    'belt',
    'strap',
    'sleeve',
    'hood',
    'hat',
    'helmet',
  ],
  ...['necklace', 'earring', 'bag', 'backpack', 'pouch', 'weapon', 'sword', 'gun', 'shield', 'bow', 'prop'],
  ...['socket', 'slot', 'attach', 'attachment', 'mount', 'camera', 'breast', 'breasts', 'bust', 'boob'],
  ...['jiggle', 'sec', 'physics', 'muscle', 'saddle', 'rein', 'reins', 'chain', 'holster', 'quiver'],
]);

const END_WORDS: ReadonlySet<string> = new Set(['end', 'tip', 'nub', 'leaf', 'endsite']);

/** The words of a name in lower case: cut at capitals, digits and signs. Names without a meaning give none. */
export function wordsOf(name: string): string[] {
  return (
    name
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      // Letters of all scripts make a pattern that takes a millisecond to compile, and nearly no name needs it.
      .split(PRINTABLE_ASCII.test(name) ? /[^a-z]+/ : /[^\p{Letter}]+/u)
      .filter((word) => word !== '')
  );
}

/** Of more siblings than these not every two are compared. */
export const MANY_SIBLINGS = 256;

/**
 * Says what each joint is there for, by what follows it and how it is built, and by words of its name where
 * the file does not contradict them: a joint that moves skin is no control, whatever it is called.
 *  - `control`: in a file with a skin, no vertex follows the joint or anything below it (K6); without a skin,
 *    its name says so. End sites and the tip that a limb needs as its effector are never among them.
 *  - `end`: an end site by the file's own word, or a leaf whose name says so.
 *  - `twist`: its name says so, or it hangs off a bone, on the line to the next joint, and ends there.
 * @param pose The pose in which the shape is looked at: bind, else rest, if left out.
 */
export function guessJointKinds(skeleton: Skeleton, pose?: Pose): JointKindGuess[] {
  const { names, parents, flags } = skeleton;
  const count = names.length;
  const children = childrenOf(skeleton);
  const hasJoints = flags.some((flag) => (flag & JOINT) !== 0);
  const hasSkin = flags.some((flag) => (flag & SKINNED) !== 0);
  didWork(10 * count);
  const words = names.map(wordsOf);
  didWork(20 * count);
  const isNamed = (joint: number, among: ReadonlySet<string>) =>
    words[joint]!.some((word) => among.has(word));
  const { matrices } = modelPoseOf(skeleton, pose ?? skeleton.bind ?? skeleton.rest);
  const positions = names.map((_, i): Vec3 => vectorAt(matrices, 16 * i + 12));

  // Whether anything at or below a joint moves skin; children stand behind their parents.
  const movesSkin = new Uint8Array(count);
  for (let i = count - 1; i >= 0; i--) {
    if ((flags[i]! & SKINNED) !== 0) movesSkin[i] = 1;
    if (movesSkin[i] && parents[i]! >= 0) movesSkin[parents[i]!] = 1;
  }
  /** By parent, as asked for: what would be looked for again for each of many siblings. */
  const tips = new Map<number, number>();
  const bones = new Map<number, number[]>();
  const guesses: JointKindGuess[] = [];
  for (let i = 0; i < count; i++) {
    didWork(10);
    const parent = parents[i]!;
    const above = parent < 0 ? undefined : guesses[parent];
    if (hasJoints && (flags[i]! & (JOINT | END)) === 0) guesses[i] = { kind: 'node', reason: 'no joint' };
    else if (above?.kind === 'control') guesses[i] = { kind: 'control', reason: 'hangs on a control joint' };
    else if ((flags[i]! & END) !== 0)
      guesses[i] = {
        kind: above?.kind === 'accessory' || above?.kind === 'twist' ? above.kind : 'end',
        reason: 'marks an end',
      };
    else if (children[i]!.length === 0 && parent >= 0 && above?.kind === 'body' && isNamed(i, END_WORDS))
      guesses[i] = { kind: 'end', reason: 'its name says that something ends here' };
    else if (hasSkin && !movesSkin[i])
      guesses[i] = isTip(i)
        ? { kind: 'end', reason: 'moves no skin, but ends a limb' }
        : { kind: 'control', reason: 'no skin follows it or what hangs on it' };
    else if (!hasSkin && isNamed(i, CONTROL_WORDS) && !hangsOnBody(i))
      guesses[i] = { kind: 'control', reason: 'its name says so' };
    else if (above?.kind === 'accessory') guesses[i] = { kind: 'accessory', reason: 'hangs on an accessory' };
    else if (isNamed(i, ACCESSORY_WORDS)) guesses[i] = { kind: 'accessory', reason: 'its name says so' };
    else if (above?.kind === 'twist' && isNamed(i, TWIST_WORDS))
      guesses[i] = { kind: 'twist', reason: 'its name says so' };
    else if (isNamed(i, TWIST_WORDS) && leadsNowhere(i))
      guesses[i] = { kind: 'twist', reason: 'its name says so' };
    else if (liesOnBone(i)) guesses[i] = { kind: 'twist', reason: 'lies on the bone beside it' };
    else guesses[i] = { kind: 'body', reason: '' };
  }
  return guesses;

  /** Of the leaves without skin on a joint that moves skin, the one that marks where that joint ends. */
  function isTip(joint: number): boolean {
    const parent = parents[joint]!;
    if (parent < 0 || (flags[parent]! & SKINNED) === 0 || children[joint]!.length > 0) return false;
    if (isNamed(joint, CONTROL_WORDS) || isNamed(joint, ACCESSORY_WORDS)) return false;
    return tipOf(parent) === joint;
  }

  /** The farthest of a joint's children, the first of equals, if none of them moves skin or is an end; else −1. */
  function tipOf(parent: number): number {
    const known = tips.get(parent);
    if (known !== undefined) return known;
    let tip = -1;
    let farthest = -1;
    for (const child of children[parent]!) {
      const reach = vectorLength(subtractVectors(positions[child]!, positions[parent]!));
      if (reach > farthest) [tip, farthest] = [child, reach];
    }
    if (children[parent]!.some((child) => movesSkin[child] || (flags[child]! & END) !== 0)) tip = -1;
    tips.set(parent, tip);
    return tip;
  }

  /** A foot that is called a target because it was one: something between it and the root is a body. */
  function hangsOnBody(joint: number): boolean {
    return (
      parents[joint]! >= 0 &&
      children[joint]!.some((child) => !isNamed(child, CONTROL_WORDS) && children[child]!.length > 1)
    );
  }

  function leadsNowhere(joint: number): boolean {
    const parent = parents[joint]!;
    if (parent < 0) return false;
    return (
      children[parent]!.some((other) => other !== joint && !isNamed(other, TWIST_WORDS)) &&
      children[joint]!.every((child) => (flags[child]! & END) !== 0 || isNamed(child, TWIST_WORDS))
    );
  }

  /** The children of a joint that lead on, of very many the first. */
  function bonesOf(parent: number): number[] {
    let found = bones.get(parent);
    if (!found) {
      found = children[parent]!.filter((child) => children[child]!.length > 0).slice(0, MANY_SIBLINGS);
      bones.set(parent, found);
    }
    return found;
  }

  function liesOnBone(joint: number): boolean {
    const parent = parents[joint]!;
    if (parent < 0 || children[joint]!.some((child) => (flags[child]! & END) === 0)) return false;
    const offset = subtractVectors(positions[joint]!, positions[parent]!);
    return bonesOf(parent).some((other) => {
      if (other === joint) return false;
      const bone = subtractVectors(positions[other]!, positions[parent]!);
      const square = dotVectors(bone, bone);
      if (!(square > 0)) return false;
      const along = dotVectors(offset, bone) / square;
      const off = vectorLength(addVectors(offset, scaleVector(bone, -along)));
      // On the line to 2 % of the bone, and neither at its start, where anything may sit, nor past its end.
      return along > 0.1 && along < 0.95 && off < 0.02 * Math.sqrt(square);
    });
  }
}
