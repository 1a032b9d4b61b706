import type { ClipMeasures } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import type { Understanding } from '../../engine/protocol.js';
import { cardOf, partWords, scoreOf, verdictOf } from './report-card.js';

/** Measures with the figures that are judged, and nothing else. */
const measures = (slide: number, f1: number) =>
  ({
    name: 'walk',
    direction: { mean: 0.1, p99: 0, worst: 0, limbs: {} },
    motion: { slide: { result: { mean: slide } }, agreement: { f1 }, notMeasured: {} },
  }) as unknown as ClipMeasures;

const understanding = (confidence: number, failure: string | null = null) =>
  ({ failure, map: { joints: [{ target: 0, sources: [0], confidence }] } }) as unknown as Understanding;
const roles = { source: { hips: 0, head: 1 }, target: { hips: 0 } } as const;

it('what was not measured has no line', () => {
  expect(cardOf(measures(0.5, 1)).map(({ name }) => name)).toEqual(['slide', 'agreement', 'direction']);
});

it('the score falls as a result gets worse, and is 100 only where all is fine', () => {
  expect(scoreOf(measures(0.5, 1))).toBe(100);
  const scores = [0.5, 2, 4, 8, 50].map((slide) => scoreOf(measures(slide, 1))!);
  expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  expect(scoreOf(measures(1e9, 0))).toBeGreaterThanOrEqual(0);
});

it('a body whose part has no driver is broken, a bad figure or an unsure map worth a look', () => {
  expect(verdictOf(understanding(1), measures(0.5, 1), roles).word).toBe('good');
  expect(verdictOf(understanding(1), measures(50, 1), roles)).toMatchObject({ word: 'look' });
  expect(verdictOf(understanding(0.3), measures(0.5, 1), roles).word).toBe('look');
  expect(verdictOf(understanding(1, 'nothing matched'), null, roles).word).toBe('broken');
  const headless = { source: { head: 1 }, target: { head: 5 } } as const;
  expect(verdictOf(understanding(1), measures(0.5, 1), headless)).toEqual({
    word: 'broken',
    reason: 'Head has no driver.',
  });
});

it('body parts are said in words', () => {
  expect(partWords('leftUpperArm')).toBe('Left upper arm');
});
