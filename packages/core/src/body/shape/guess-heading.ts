import {
  directionOf,
  rejectVector,
  subtractVectors,
  type Vec3,
  vectorLength,
} from '../../base/math/vector.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Armature } from '../chains/armature.js';
import { createArmature } from '../chains/create-armature.js';
import { guessAnimalParts } from './guess-animal-parts.js';
import { type LookAtBody, lookAtBody } from './seen-body.js';

/** A trunk that rises more steeply than this (its share along the ground) stands: it says nothing of a heading. */
const LIES = 0.5;

/**
 * Guesses which way a body heads whose trunk lies along the ground, as that of most animals does: as its parts
 * say where they are known; else from the tip of the tail, or from where the body first parts, to the end of the
 * spine, square to `up`.
 * @param positions Where the joints are, in the space of `up`.
 * @param look How the body is looked at.
 * @returns a unit vector, or null for a body that stands, or that does not show head and tail.
 */
export function guessHeading(
  skeleton: Skeleton,
  positions: readonly Vec3[],
  up: Readonly<Vec3>,
  look: LookAtBody = lookAtBody,
): Vec3 | null {
  // The plane in which a body is mirrored says it exactly, however the body is turned and its tail swung.
  const { ahead } = guessAnimalParts(skeleton, { look });
  const exact = ahead && directionOf(rejectVector(ahead, up));
  if (exact && vectorLength(rejectVector(ahead, up)) > LIES) return exact;
  const armature = createArmature(skeleton);
  const parents = parentChains(armature, skeleton);
  const hanging = armature.chains.map(({ joints }) => joints.length);
  for (let i = armature.chains.length - 1; i >= 0; i--)
    if (parents[i]! >= 0) hanging[parents[i]!]! += hanging[i]!;
  const heaviest = (chains: readonly number[]) =>
    chains.reduce((best, chain) => (best < 0 || hanging[chain]! > hanging[best]! ? chain : best), -1);
  const ofKind = (kind: string, parent?: number) =>
    armature.chains.flatMap((chain, i) =>
      chain.kind === kind && (parent === undefined || parents[i] === parent) ? [i] : [],
    );
  const root = heaviest(ofKind('root'));
  if (root < 0) return null;
  const path: number[] = [];
  for (let next = heaviest(ofKind('spine', root)); next >= 0; next = heaviest(ofKind('spine', next)))
    path.push(next);
  const spine = path[path.length - 1];
  if (spine === undefined) return null;
  const lastOf = (chain: number) => positions[armature.chains[chain]!.joints.at(-1)!]!;
  const tail = heaviest(ofKind('tail'));
  // Two bare ends look alike: limbs or ears on one of them, or a name, tell head from tail.
  const carries = armature.chains.some(
    ({ kind }, i) => (kind === 'limb' || kind === 'face') && path.includes(parents[i]!),
  );
  const isNamed =
    tail >= 0 && armature.chains[tail]!.joints.some((joint) => /tail/i.test(skeleton.names[joint]!));
  if (!carries && !isNamed) return null;
  const trunk = subtractVectors(lastOf(spine), lastOf(tail >= 0 ? tail : root));
  const along = rejectVector(trunk, up);
  return vectorLength(along) > LIES * vectorLength(trunk) ? directionOf(along) : null;
}

function parentChains({ chains }: Armature, { parents }: Skeleton): number[] {
  const chainOf = new Map<number, number>();
  chains.forEach(({ joints }, i) => {
    for (const joint of joints) chainOf.set(joint, i);
  });
  return chains.map(({ joints }) => {
    let at = parents[joints[0]!]!;
    while (at >= 0 && !chainOf.has(at)) at = parents[at]!;
    return at < 0 ? -1 : chainOf.get(at)!;
  });
}
