import { createRig } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { MOTIONS } from '../make-motions.js';
import { captureVariants, misunderstandings, sampleCapture, tellOtherwise } from './capture-variants.js';

/** Every so many variants of each capture are tried here; `npm run bench:understanding` tries them all. */
const EVERY = 7;

describe.each(MOTIONS)('captures of $name, told otherwise', (motion) => {
  it.each(['rokoko', 'cmu', 'biovision', 'mixamo'] as const)(
    'R6, W22: up, unit, floor, facing of %s are what they were',
    (name) => {
      const { character, truth, startsInTPose, isBody } = sampleCapture(motion, name);
      [...captureVariants(truth, startsInTPose, isBody)].forEach((variant, n) => {
        if (n % EVERY !== MOTIONS.indexOf(motion) % EVERY) return;
        const told = tellOtherwise(character, variant, truth);
        expect(misunderstandings(told, variant, truth), JSON.stringify(variant)).toEqual([]);
      });
    },
  );
});

describe('a capture whose zero pose is no body', () => {
  const lying = MOTIONS.find(({ name }) => name === 'lie-down')!;
  const { character, truth } = sampleCapture(lying, 'lafan1');
  const variant = {
    from: 0.4,
    share: 0.2,
    dropsFirst: false,
    turn: 'Y up',
    unit: truth.unit,
    zero: 'own',
  } as const;

  it.each(['walk', 'run-turn', 'jump', 'wave-on-one-leg'])(
    'R6: hips are as high as those of a body that stands, though none does: %s',
    (name) => {
      const capture = sampleCapture(MOTIONS.find((motion) => motion.name === name)!, 'lafan1');
      for (const [from, share] of [
        [0, 1],
        [0.2, 0.2],
        [0.35, 0.3],
        [0.7, 0.3],
      ] as const) {
        const part = { ...variant, from, share };
        const wrong = misunderstandings(
          tellOtherwise(capture.character, part, capture.truth),
          part,
          capture.truth,
        );
        // Where it looks when it is cut off in the middle of a turn nobody can say.
        expect(wrong.filter((fault) => !fault.startsWith('facing'))).toEqual([]);
      }
    },
  );

  it('says so where it never stands, and is understood by one of its family that does', () => {
    const told = tellOtherwise(character, variant, truth);
    expect(createRig(told.skeleton, { clips: told.clips }).warnings.map(({ code }) => code)).toContain(
      'reference-odd',
    );
    const together = createRig(told.skeleton, { clips: [...told.clips, ...character.clips] });
    expect(together.warnings.map(({ code }) => code)).not.toContain('reference-odd');
    expect(misunderstandings(told, variant, truth, together)).toEqual([]);
  });
});
