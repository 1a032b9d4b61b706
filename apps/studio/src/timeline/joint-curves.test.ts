import { type Clip, createSkeleton } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { jointCurve } from './joint-curves.js';

const { skeleton } = createSkeleton('two', [
  { name: 'a', parent: -1 },
  { name: 'b', parent: 0, translation: [0, 1, 0] },
]);
const half = Math.SQRT1_2;
/** The root turns by 90 degrees about Z within a second, and moves two metres along X. */
const clip: Clip = {
  name: 'turn',
  duration: 1,
  morphs: [],
  tracks: [
    {
      joint: 0,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 0, 0, half, half),
    },
    {
      joint: 0,
      channel: 'translation',
      interpolation: 'linear',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 2, 0, 0),
    },
  ],
};

it('follows a joint through model space, with all that carries it', () => {
  const x = jointCurve(skeleton, clip, 1, 'x');
  expect(x[0]).toBeCloseTo(0);
  expect(x.at(-1)).toBeCloseTo(1);
  expect(jointCurve(skeleton, clip, 1, 'y').at(-1)).toBeCloseTo(0);
});

it('tells turns in degrees from the first instant', () => {
  const bend = jointCurve(skeleton, clip, 0, 'bend');
  expect(bend[0]).toBeCloseTo(0, 5);
  expect(bend[30]).toBeCloseTo(45, 3);
  expect(bend.at(-1)).toBeCloseTo(90, 3);
});

it('reads a part of a clip at its speed', () => {
  const x = jointCurve(skeleton, clip, 0, 'x', { offset: 0.5, rate: 0.5, duration: 1 });
  expect(x[0]).toBeCloseTo(1);
  expect(x.at(-1)).toBeCloseTo(2);
});
