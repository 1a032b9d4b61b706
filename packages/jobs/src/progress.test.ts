import { expect, it } from 'vitest';
import { partOf } from './progress.js';

it('shows a part of the work as a part of the whole', () => {
  const told: [number, number, string][] = [];
  const part = partOf((...all) => told.push(all), 0.1, 0.9);
  part(0, 4, 'a');
  part(2, 4, 'b');
  part(4, 4, 'c');
  expect(told).toEqual([
    [0.1, 1, 'a'],
    [0.5, 1, 'b'],
    [0.9, 1, 'c'],
  ]);
});
