import type { ClipMeasures } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { allFigures } from './all-measures.js';

it('every figure of a report is there, whatever the engine measures', () => {
  const measures = {
    name: 'walk',
    direction: { mean: 0.1234, worst: 12345, limbs: { leftArm: { mean: 2 } } },
    motion: {
      slide: { result: { mean: 0.4, p99: 0 }, copied: null },
      brandNew: { share: 0.00001, list: [1, 2], endless: Number.NaN },
      notMeasured: { pops: 'why not' },
    },
  } as unknown as ClipMeasures;
  expect(allFigures(measures)).toEqual([
    {
      path: 'direction',
      title: 'Direction',
      figures: [
        { name: 'mean', text: '0.123' },
        { name: 'worst', text: '12300' },
      ],
    },
    {
      path: 'direction.limbs.leftArm',
      title: 'Direction, limbs, left arm',
      figures: [{ name: 'mean', text: '2' }],
    },
    {
      path: 'slide.result',
      title: 'Slide, result',
      figures: [
        { name: 'mean', text: '0.4' },
        { name: 'p99', text: '0' },
      ],
    },
    { path: 'brandNew', title: 'Brand new', figures: [{ name: 'share', text: '0' }] },
  ]);
});
