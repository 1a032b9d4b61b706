import { lengthOf } from '../../base/math/functions.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Role } from '../roles.js';

/** Words, as whole words of a name, that a human body has no use for. */
const ANIMAL_WORDS: ReadonlySet<string> = new Set([
  'tail',
  'wing',
  'wings',
  'feather',
  'fin',
  'hoof',
  'paw',
  'claw',
  'horn',
  'beak',
  'snout',
  'muzzle',
  'tentacle',
  'hind',
  'hock',
  'fetlock',
  'foreleg',
  'frontleg',
  'backleg',
  'hindleg',
  'rearleg',
]);

/** Pairs of words with the same meaning. */
const ANIMAL_PAIRS: ReadonlySet<string> = new Set([
  'front leg',
  'back leg',
  'rear leg',
  'fore leg',
  'front foot',
  'back foot',
  'mid leg',
]);

/**
 * Words in a skeleton's names that speak of an animal, each once. Humans in costume have tails and wings
 * too: these are signs, not proof.
 */
export function animalSigns(names: readonly string[]): string[] {
  const signs = new Set<string>();
  for (const name of names) {
    const words = name
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/);
    words.forEach((word, i) => {
      if (ANIMAL_WORDS.has(word) && !/^(?:pony|pig|twin|hair|coat)$/.test(words[i - 1] ?? ''))
        signs.add(word);
      const pair = `${word} ${words[i + 1] ?? ''}`;
      if (ANIMAL_PAIRS.has(pair)) signs.add(pair);
    });
  }
  return [...signs];
}

/**
 * Whether a body with human names stands on four legs in its bind pose (else rest pose): the torso lies
 * across the legs instead of continuing them. With other signs of an animal the torso alone decides; without,
 * the arms must point the legs' way too, so that a sitting or stooping rest pose is not mistaken for a dog.
 */
export function looksFourLegged(
  skeleton: Skeleton,
  joints: ReadonlyMap<Role, number>,
  hasAnimalSigns: boolean,
): boolean {
  const { matrices } = modelPoseOf(skeleton, skeleton.bind ?? skeleton.rest);
  const middle = (roles: readonly Role[]): number[] | null => {
    const found = roles.flatMap((role) => joints.get(role) ?? []);
    if (found.length === 0) return null;
    return [12, 13, 14].map(
      (at) => found.reduce((sum, joint) => sum + matrices[16 * joint + at]!, 0) / found.length,
    );
  };
  const cosine = (
    from: number[] | null,
    to: number[] | null,
    otherFrom: number[] | null,
    otherTo: number[] | null,
  ): number => {
    if (!from || !to || !otherFrom || !otherTo) return Number.NaN;
    const a = to.map((value, i) => value - from[i]!);
    const b = otherTo.map((value, i) => value - otherFrom[i]!);
    const lengths = lengthOf(a) * lengthOf(b);
    return lengths > 0 ? a.reduce((sum, value, i) => sum + value * b[i]!, 0) / lengths : Number.NaN;
  };
  const legRoots = middle(['leftUpperLeg', 'rightUpperLeg']);
  const feet = middle(['leftFoot', 'rightFoot']) ?? middle(['leftLowerLeg', 'rightLowerLeg']);
  const armRoots = middle(['leftUpperArm', 'rightUpperArm']);
  const hands = middle(['leftHand', 'rightHand']) ?? middle(['leftLowerArm', 'rightLowerArm']);
  const torsoToLegs = cosine(legRoots, armRoots, legRoots, feet);
  // 60° either side of the right angle for a body with a tail, 35° and arms within 40° of the legs without.
  if (hasAnimalSigns) return torsoToLegs > -0.5;
  return Math.abs(torsoToLegs) < 0.57 && cosine(armRoots, hands, legRoots, feet) > 0.77;
}
