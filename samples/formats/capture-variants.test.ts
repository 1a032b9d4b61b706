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

describe('R6, W22: a capture that is elsewhere than its zero pose', () => {
  it.each(['walk', 'jump', 'pick-up', 'side-kick'])(
    'stands where its feet come back to, however its hips rise and fall: %s',
    (name) => {
      const { character, truth: exact } = sampleCapture(
        MOTIONS.find((motion) => motion.name === name)!,
        'cmu',
      );
      // Far from the plane of the origin nothing is drawn to it: feet roll over the floor, and soles are not known.
      const truth = { ...exact, slack: 0.04 };
      for (const raised of [-1, 0.4, 1])
        for (const turn of ['Y up', 'Z up'] as const) {
          const variant = {
            from: 0,
            share: 1,
            dropsFirst: true,
            turn,
            unit: truth.unit,
            zero: 'hung',
            raised,
          } as const;
          const told = tellOtherwise(character, variant, truth);
          expect(misunderstandings(told, variant, truth), `${turn} ${raised}`).toEqual([]);
        }
    },
  );

  it('is no surer of what is up than of a floor on which nothing stands', () => {
    const crawling = MOTIONS.find(({ name }) => name === 'crawl')!;
    const { character, truth } = sampleCapture(crawling, 'cmu');
    const variant = {
      from: 0.5,
      share: 0.3,
      dropsFirst: true,
      turn: 'Z up',
      unit: truth.unit,
      zero: 'hung',
      raised: 1,
    } as const;
    const told = tellOtherwise(character, variant, truth);
    const { space, floor, warnings } = createRig(told.skeleton, { clips: told.clips });
    expect(floor.confidence).toBeLessThan(0.5);
    expect(space.up.confidence).toBeLessThanOrEqual(floor.confidence!);
    expect(warnings.map(({ code }) => code)).toContain('floor-guessed');
  });
});

describe('a capture without names whose forearms are short', () => {
  it('W22: has hands where finger and thumb part, though its arms are no usual ones', () => {
    const { character } = sampleCapture(MOTIONS[0]!, 'cmu');
    const { skeleton, clips } = character;
    const { names } = skeleton;
    const translations = skeleton.rest.translations.slice();
    const shares = { ForeArm: 1.5, Hand: 0.7, FingerBase: 0.5, HandIndex1: 0.5 };
    for (const side of ['Left', 'Right'])
      for (const [name, share] of Object.entries(shares))
        for (let c = 0; c < 3; c++) translations[3 * names.indexOf(side + name) + c]! *= share;
    const rig = createRig(
      {
        ...skeleton,
        names: names.map((_, joint) => `j${joint}`),
        rest: { ...skeleton.rest, translations },
      },
      { clips },
    );
    for (const role of ['leftLowerArm', 'rightLowerArm', 'leftHand', 'rightHand'] as const)
      expect(rig.joints[role], role).toBe(
        names.indexOf(role.replace('left', 'Left').replace('right', 'Right').replace('LowerArm', 'ForeArm')),
      );
  });
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
