import type { MeasureCurves } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { curveNames, gradeOf, heatNames, heatOf, heatSpans, nextSpot } from './heat.js';

const curvesOf = (slide: number[], sink: number[]): MeasureCurves => ({
  rate: 10,
  count: slide.length,
  slide,
  sink,
  float: slide.map(() => Number.NaN),
  support: [],
  pops: [],
  selfContact: [],
  armsAlone: [],
  carriedHands: [],
  ground: slide.map(() => 0),
  sourceHips: [],
  resultHips: [],
  sourceContacts: [],
  resultContacts: [],
});
const curves = curvesOf([Number.NaN, 0, 30, 30, 0, 0, 0, 10, 0], [0, 0, 0, 0, 0, 9, 0, 0, 0]);

it('an instant is as bad as the worst of its measures, and says which that is', () => {
  const heat = heatOf(curves, []);
  expect(Array.from(curves.slide, (_, k) => gradeOf(heat, k))).toEqual([0, 0, 2, 2, 0, 2, 0, 1, 0]);
  expect(heat.worst[5]!.name).toBe('sink');
  expect(heat.values[2]).toBe(30);
});

it('what is hidden does not count', () => {
  expect(heatSpans(heatOf(curves, ['slide'])).map(({ grade }) => grade)).toEqual([0, 2, 0]);
  expect(heatSpans(heatOf(curves, ['slide', 'sink'])).map(({ grade }) => grade)).toEqual([0]);
});

it('every curve of the engine can be drawn, and is judged where something says what is bad', () => {
  const more = { ...curves, pops: curves.slide.map((_, k) => (k === 8 ? 16 : 0)), brandNew: curves.slide };
  expect(curveNames(more)).toEqual(['slide', 'sink', 'float', 'pops', 'ground', 'brandNew']);
  expect(heatNames(more)).toEqual(['slide', 'sink', 'float', 'pops', 'ground']);
  const heat = heatOf(more, []);
  expect([gradeOf(heat, 8), heat.worst[8]!.title]).toEqual([2, 'joints pop']);
});

it('an instant a hair over its limit is no spot, a bad one is', () => {
  const slide = [0, 0, 10, 0, 0, 30, 0, 10, 10, 0];
  const spans = heatSpans(
    heatOf(
      {
        ...curvesOf(
          slide,
          slide.map(() => 0),
        ),
        rate: 60,
      },
      [],
    ),
  );
  expect(spans.map(({ from, to, grade }) => [from, to, grade])).toEqual([
    [0, 4, 0],
    [5, 5, 2],
    [6, 6, 0],
    [7, 8, 1],
    [9, 9, 0],
  ]);
});

it('jumps from spot to spot, and round at the ends', () => {
  const heat = heatOf(curves, []);
  expect(nextSpot(heat, 0, 1)).toBeCloseTo(0.2);
  expect(nextSpot(heat, 0.2, 1)).toBeCloseTo(0.5);
  expect(nextSpot(heat, 0.7, 1)).toBeCloseTo(0.2);
  expect(nextSpot(heat, 0.2, -1)).toBeCloseTo(0.7);
  expect(nextSpot(heatOf(curvesOf([0, 0], [0, 0]), []), 0, 1)).toBeNull();
});
