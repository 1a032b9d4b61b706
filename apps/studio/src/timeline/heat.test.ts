import type { MeasureCurves } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { gradeOf, heatOf, heatSpans, nextSpot } from './heat.js';

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
const all = ['slide', 'float', 'sink', 'ground'];

it('an instant is as bad as the worst of its measures, and says which that is', () => {
  const heat = heatOf(curves, all);
  expect(Array.from(curves.slide, (_, k) => gradeOf(heat, k))).toEqual([0, 0, 2, 2, 0, 2, 0, 1, 0]);
  expect(heat.worst[5]!.name).toBe('sink');
  expect(heat.values[2]).toBe(30);
});

it('only chosen measures count', () => {
  expect(heatSpans(heatOf(curves, ['sink'])).map(({ grade }) => grade)).toEqual([0, 2, 0]);
  expect(heatSpans(heatOf(curves, [])).map(({ grade }) => grade)).toEqual([0]);
});

it('jumps from spot to spot, and round at the ends', () => {
  const heat = heatOf(curves, all);
  expect(nextSpot(heat, 0, 1)).toBeCloseTo(0.2);
  expect(nextSpot(heat, 0.2, 1)).toBeCloseTo(0.5);
  expect(nextSpot(heat, 0.7, 1)).toBeCloseTo(0.2);
  expect(nextSpot(heat, 0.2, -1)).toBeCloseTo(0.7);
  expect(nextSpot(heatOf(curvesOf([0, 0], [0, 0]), all), 0, 1)).toBeNull();
});
