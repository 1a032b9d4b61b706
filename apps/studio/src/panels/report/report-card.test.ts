import type { ClipMeasures, ResultVerdict } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import type { Understanding } from '../../engine/protocol.js';
import { cardOf, scoreOf, scoreWords, verdictOf } from './report-card.js';

/** Measures with the figures that are judged, and nothing else. */
const measures = (slide: number, f1: number) =>
  ({
    name: 'walk',
    direction: { mean: 0.1, p99: 0, worst: 0, limbs: {} },
    motion: { slide: { result: { mean: slide } }, agreement: { f1 }, notMeasured: {} },
  }) as unknown as ClipMeasures;

const understanding = (failure: string | null = null) => ({ failure }) as unknown as Understanding;

const judgedAs = (verdict: ResultVerdict, slide = 0.5) =>
  ({ verdict, measures: measures(slide, 1) }) as Parameters<typeof verdictOf>[1];

it('what was not measured has no line', () => {
  expect(cardOf(measures(0.5, 1)).map(({ name }) => name)).toEqual(['slide', 'agreement', 'direction']);
});

it('the score falls as a result gets worse, and is 100 only where all is fine', () => {
  expect(scoreOf(measures(0.5, 1))).toBe(100);
  const scores = [0.5, 2, 4, 8, 50].map((slide) => scoreOf(measures(slide, 1))!);
  expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  expect(scoreOf(measures(1e9, 0))).toBeGreaterThanOrEqual(0);
});

it('a slide is fine where the verdict finds nothing: up to half a percent, or the source’s own', () => {
  const slideOf = (mean: number, source: number) => {
    const one = measures(mean, 1);
    one.motion.slide!.source = { mean: source } as NonNullable<ClipMeasures['motion']['slide']>['source'];
    return cardOf(one)[0]!.grade;
  };
  expect([slideOf(0.5, 0), slideOf(0.6, 0), slideOf(2, 1.95), slideOf(2.1, 1.95)]).toEqual([0, 1, 0, 1]);
});

it('what is within its limit and yet worse than before is not shown as well done', () => {
  const rowOf = (mean: number, copied: number) => {
    const one = measures(0.5, 1);
    const selfContact = { result: { mean }, copied: { mean: copied } };
    one.motion.selfContact = selfContact as NonNullable<ClipMeasures['motion']['selfContact']>;
    return cardOf(one).find(({ name }) => name === 'selfContact')!;
  };
  expect(rowOf(4.3, 1.1)).toMatchObject({ grade: 0, isWorse: true });
  expect(rowOf(4.3, 1.1).summary).toMatch(/; within the limit, and yet more than the plain copy's 1\.1$/);
  expect(rowOf(1.1, 8)).toMatchObject({ grade: 0, isWorse: false });
  // What is off is off, however it was before.
  expect(rowOf(9, 1)).toMatchObject({ grade: 1, isWorse: false });
});

it('the verdict is the engine’s, its reasons in sentences; what could not be matched is broken', () => {
  expect(verdictOf(understanding(), judgedAs({ verdict: 'good', reasons: [] }))).toMatchObject({
    word: 'good',
    reasons: [],
  });
  const reasons = [
    {
      verdict: 'broken',
      code: 'role-undriven',
      message: 'the source moves head and leftUpperArm of "leftArm", and nothing follows',
    },
    { verdict: 'look', code: 'slide', message: 'feet slide' },
  ] as const;
  expect(verdictOf(understanding(), judgedAs({ verdict: 'broken', reasons: [...reasons] }))).toEqual({
    word: 'broken',
    reason: 'The source moves head and left upper arm of "leftArm", and nothing follows.',
    reasons: ['The source moves head and left upper arm of "leftArm", and nothing follows.', 'Feet slide.'],
  });
  expect(verdictOf(understanding('nothing matched'), null)).toMatchObject({
    word: 'broken',
    reason: 'Nothing matched.',
  });
});

it('a good result of which the card has something that is off says so', () => {
  const good: ResultVerdict = { verdict: 'good', reasons: [] };
  expect(verdictOf(understanding(), judgedAs(good)).reason).toMatch(/within its limit/);
  expect(verdictOf(understanding(), judgedAs(good, 2)).reason).toMatch(
    /a little off on the card: feet slide/i,
  );
  // What is far off is not called little.
  expect(verdictOf(understanding(), judgedAs(good, 20)).reason).toBe(
    'Nothing is broken, yet not as in the source: feet slide.',
  );
});

it('what the card shows in red is said beside a reason that is about something else', () => {
  const look = (code: 'slide' | 'limb-gap'): ResultVerdict => ({
    verdict: 'look',
    reasons: [{ verdict: 'look', code, message: 'something is off' }],
  });
  const off = 'Something is off.';
  expect(verdictOf(understanding(), judgedAs(look('limb-gap'), 20)).reasons).toEqual([
    `${off} Not as in the source: feet slide.`,
  ]);
  expect(verdictOf(understanding(), judgedAs(look('limb-gap'), 2)).reason).toBe(off);
  expect(verdictOf(understanding(), judgedAs(look('slide'), 20)).reason).toBe(off);
});

it('what is broken has no figure, and what is not measured has none yet', () => {
  const judged = { measures: measures(0.5, 1) } as Parameters<typeof scoreWords>[0];
  const verdict = (word: 'good' | 'broken') => ({ word, reason: '', reasons: [] });
  expect(scoreWords(judged, verdict('good'))).toBe('100');
  const hardlyOff = { measures: measures(0.51, 1) } as Parameters<typeof scoreWords>[0];
  expect(scoreWords(hardlyOff, verdict('good'))).toBe('99');
  expect(scoreWords(judged, verdict('broken'))).toBe('!');
  expect(scoreWords(null, verdict('good'))).toBe('…');
  const little = { ...measures(0.5, 1), motion: { notMeasured: {} } } as unknown as ClipMeasures;
  expect(scoreWords({ measures: little } as Parameters<typeof scoreWords>[0], verdict('good'))).toBe('–');
});
