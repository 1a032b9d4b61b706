import { limbOf, type Rig } from '@stuntdouble/core';
import type { ChainName } from './protocol.js';

/**
 * The coloured group that every joint of a rig is in: by its body part, else that of the nearest joint above it
 * (twist joints, hair, skirts), animals by the side and place of their legs.
 */
export function chainsOf({
  skeleton,
  guesses,
  body,
}: Pick<Rig, 'skeleton' | 'guesses' | 'body'>): ChainName[] {
  const chains: ChainName[] = [];
  skeleton.parents.forEach((parent, joint) => {
    const { role } = guesses[joint]!;
    const part = role ?? body?.parts[joint]?.part ?? null;
    const own = part === null ? null : chainOfPart(part);
    chains.push(own ?? (parent >= 0 ? chains[parent]! : 'none'));
  });
  return chains;
}

function chainOfPart(part: string): ChainName | null {
  const limb = limbOf(part as never);
  if (limb === 'torso' || limb === 'neck') return 'torso';
  if (limb) {
    const side = limb.startsWith('left') ? 'left' : 'right';
    if (limb.endsWith('Arm')) return `${side}Arm`;
    return limb.endsWith('Leg') ? `${side}Leg` : `${side}Hand`;
  }
  const side = part.includes('Left') ? 'left' : part.includes('Right') ? 'right' : null;
  if (/^(front|wing|fin)/.test(part) && side) return `${side}Arm`;
  if (/^(hind|leg)/.test(part) && side) return `${side}Leg`;
  return /^(hips|spine|neck|head|tail|ear|jaw|left|right)/.test(part) ? 'torso' : null;
}
