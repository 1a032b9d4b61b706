import type { Rig } from './rig.js';
import type { Side } from './roles.js';

/** How many pairs of legs are told apart by number; what has more walks on the first of them. */
const MOST_PAIRS = 10;

/** The parts of a leg that is told by anatomy, from its root to the floor; see `AnimalPart`. */
const NAMED_PARTS = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const;

/** The same of a leg whose parts are counted. */
const NUMBERED_PARTS = [...Array.from({ length: 10 }, (_, k) => `${k + 1}`), 'Foot'];

/** Pairs of legs by name: those of four-footed animals and birds, then those of spiders, from front to back. */
const PAIR_NAMES = ['front', 'hind', ...Array.from({ length: MOST_PAIRS }, (_, n) => `leg${n + 1}`)];

/** The name of an animal's leg, as it begins the names of its parts: `hindLeft` of `hindLeftUpperLeg`. */
export type LegName = `${'front' | 'hind' | `leg${number}`}${'Left' | 'Right'}`;

/** The names of all legs that an animal can have, pair by pair, the left one first. */
export const LEG_NAMES = PAIR_NAMES.flatMap((pair) => [`${pair}Left` as LegName, `${pair}Right` as LegName]);

/** A leg of an animal that stands on the floor. */
export type AnimalLeg = {
  name: LegName;
  side: Side;
  /** From its root to its paw, parents first; girdles are no part of it. */
  joints: number[];
};

/**
 * The legs that carry an animal, pair by pair: every one of four, six or eight, or a bird's two. Arms of a dinosaur and
 * wings are none, nor are the legs of a person, which go by their roles.
 */
export function legsOfAnimal({ body }: Rig): AnimalLeg[] {
  if (!body || body.kind === 'humanoid') return [];
  const jointOf = new Map<string, number>();
  body.parts.forEach(({ part }, joint) => {
    if (part !== null) jointOf.set(part, joint);
  });
  const legs: AnimalLeg[] = [];
  for (const name of LEG_NAMES) {
    const isNamed = !name.startsWith('leg');
    // The front pair of what walks on two legs is arms.
    if (name.startsWith('front') && body.kind !== 'quadruped') continue;
    const joints: number[] = [];
    for (const part of isNamed ? NAMED_PARTS : NUMBERED_PARTS) {
      const joint = jointOf.get(name + part);
      if (joint !== undefined) joints.push(joint);
      else if (isNamed && part !== 'Toes') break;
    }
    if (joints.length > 0) legs.push({ name, side: name.endsWith('Left') ? 'left' : 'right', joints });
  }
  return legs;
}
