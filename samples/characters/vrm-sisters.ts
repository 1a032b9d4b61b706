import { addParts, type Body, type BodyPart, type Extra, type ExtraPart } from '../body/body.js';
import { EYE_PLACE, headPoint } from '../body/body-parts.js';
import { faceMorphs } from '../body/face-morphs.js';
import { bothSides, capsule, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import type { SampleCharacter } from '../character-file.js';
import { createRig, type JointPlan, PLAIN_CONTAINER } from '../sample-rig.js';
import { NO_TURN, type Vec3, yaw } from '../vector.js';
import { girlBody, girlParts, HEAD } from './vrm-girl.js';

const at = headPoint(girlBody, HEAD);

/** The points of the left tail of hair, from the head down. */
const TAIL: readonly Vec3[] = [
  at([0.1, 0.17, -0.06]),
  at([0.165, 0.1, -0.075]),
  at([0.18, 0.0, -0.08]),
  at([0.175, -0.1, -0.075]),
];
const RADII = [0.05, 0.054, 0.044, 0.02] as const;
const LINKS = [1, 2, 3] as const;

const tails: ExtraPart[] = bothSides((side, on) =>
  LINKS.map(
    (n): ExtraPart => ({
      name: `+tail ${n} ${side}`,
      parent: n === 1 ? 'head' : `+tail ${n - 1} ${side}`,
      at: on(TAIL[n - 1]!),
      tip: on(TAIL[n]!),
    }),
  ),
).flat();

const body: Body = addParts(girlBody, tails);

function sisterParts(hair: string, top: string): Part[] {
  return [
    ...girlParts(hair, top, body).filter(({ name }) => name !== 'hair buns' && name !== 'ribbons'),
    ...bothSides(
      (side, on): Part => ({
        name: 'tails',
        color: hair,
        blobs: LINKS.map((n) =>
          capsule(`+tail ${n} ${side}`, on(TAIL[n - 1]!), on(TAIL[n]!), RADII[n - 1]!, RADII[n]!, {
            blend: 0.02,
            softness: 0.02,
          }),
        ),
        cell: [0.03, 0.034, 0.03],
        whole: true,
      }),
    ),
  ];
}

/** A girl with two tails of hair that swing and a face that speaks, laughs and blinks. */
function createSister(
  version: '0.x' | '1.0',
  words: { name: string; title: string; hair: string; top: string },
): SampleCharacter {
  // VRM 0.x looks towards −Z, and its joints have the scene's axes all the same.
  const facing = version === '0.x' ? yaw(180) : NO_TURN;
  const axes = version === '0.x' ? yaw(-180) : NO_TURN;
  const nameOf = (part: BodyPart) => `J_${part.replace('+', 'Sec_').replaceAll(' ', '_')}`;
  const plans: JointPlan[] = [{ name: 'Root', parent: null, role: null, axes }];
  for (const role of body.order) {
    const parent = body.parents[role];
    plans.push({ name: nameOf(role), parent: parent ? nameOf(parent) : 'Root', role, axes });
  }
  const chain = (side: 'left' | 'right') => LINKS.map((n): Extra => `+tail ${n} ${side}`);
  return {
    name: words.name,
    title: words.title,
    rig: createRig(body, plans, { container: { ...PLAIN_CONTAINER, facing } }),
    skin: createSkin(body, sisterParts(words.hair, words.top)),
    vrm: { version, springs: [chain('left'), chain('right')] },
    morphs: faceMorphs(at, EYE_PLACE, HEAD),
  };
}

/** VRM 0.x: faces −Z, blend shapes, spring bones. */
export function createOldSister(): SampleCharacter {
  return createSister('0.x', {
    name: 'vrm0-sister',
    title: 'VRM 0.x with two tails',
    hair: '#c8553d',
    top: '#8fc1a9',
  });
}

/** VRM 1.0 with expressions and spring bones. */
export function createNewSister(): SampleCharacter {
  return createSister('1.0', {
    name: 'vrm1-sister',
    title: 'VRM 1.0 with two tails',
    hair: '#e0b04a',
    top: '#b86fa0',
  });
}
