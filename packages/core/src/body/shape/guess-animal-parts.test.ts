import { describe, expect, it } from 'vitest';
import { type Beast, beast } from '../../../test/beast.js';
import { stickFigure } from '../../../test/stick-figure.js';
import { createRandom } from '../../../test/tiny-rigs.js';
import { createSkeleton } from '../../scene/skeleton.js';
import type { BodyPart } from '../body-parts.js';
import { createRig } from '../understand/create-rig.js';
import { guessAnimalParts } from './guess-animal-parts.js';

/** Parts given to a wrong joint, and parts that got none. */
function judge(animal: Beast): { kind: string; wrong: string[]; missing: string[] } {
  const { skeleton, jointOf } = beast(animal);
  const { kind, parts } = guessAnimalParts(skeleton);
  const found = new Map<BodyPart, number>();
  parts.forEach(({ part }, joint) => {
    if (part) found.set(part, joint);
  });
  return {
    kind,
    wrong: [...found].flatMap(([part, joint]) => (jointOf.get(part) === joint ? [] : [part])),
    missing: [...jointOf.keys()].filter((part) => part !== 'root' && !found.has(part as BodyPart)),
  };
}

describe('guessAnimalParts', () => {
  it('nothing in, nothing out', () => {
    const { kind, parts } = guessAnimalParts(createSkeleton('none', []).skeleton);
    expect(kind).toBe('unknown');
    expect(parts).toEqual([]);
  });

  it('a line of joints is a snake, and none of its joints a leg', () => {
    const { skeleton } = createSkeleton(
      'line',
      Array.from({ length: 20 }, (_, i) => ({ name: '', parent: i - 1, translation: [0, 0, -0.1] })),
    );
    const { kind, parts } = guessAnimalParts(skeleton);
    expect(kind).toBe('snake');
    expect(parts.every(({ part }) => part === null)).toBe(true);
  });

  it.each([
    {},
    { turned: true },
    { girdles: false },
    { tail: 8, neck: 4 },
    { length: 2, legs: 0.5 },
  ] as Beast[])('a beast of four legs, all parts right: %j', (animal) => {
    const { kind, wrong, missing } = judge(animal);
    expect(kind).toBe('quadruped');
    expect(wrong).toEqual([]);
    // A tail that ends in no end site leaves it open whether its last joint is a tip; so does an ear.
    expect(missing.filter((part) => !/^tail|^ear/.test(part))).toEqual([]);
  });

  it('beasts of random build: 95 % of the parts, 0.5 % wrong at most', () => {
    const random = createRandom(8);
    let [all, missing, wrong] = [0, 0, 0];
    for (let n = 0; n < 100; n++) {
      const answer = judge({
        length: 0.7 + 1.5 * random(),
        legs: 0.4 + 0.6 * random(),
        tail: 3 + Math.floor(6 * random()),
        neck: 1 + Math.floor(4 * random()),
        turned: random() < 0.5,
        girdles: random() < 0.6,
      });
      all += 32;
      missing += answer.missing.filter((part) => !/^tail\d|^ear/.test(part)).length;
      wrong += answer.wrong.length;
    }
    expect(wrong / all).toBeLessThan(0.005);
    expect(missing / all).toBeLessThan(0.05);
  });

  it('no beast is a person, and no person a beast', () => {
    const animal = createRig(beast().skeleton);
    expect(animal.body!.kind).toBe('quadruped');
    expect(animal.guesses.every(({ role }) => role === null)).toBe(true);
    for (const arms of ['T', 'A', 'down'] as const) {
      const { skeleton } = stickFigure({ arms, names: 'number' });
      expect(createRig(skeleton).body!.kind).toBe('humanoid');
      expect(guessAnimalParts(skeleton).kind).not.toBe('quadruped');
    }
  });
});
