import type { Clip } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { firstClip } from './first-clip.js';

const clip = (name: string, duration: number, last: number): Clip => ({
  name,
  duration,
  tracks: [
    {
      joint: 0,
      channel: 'translation',
      interpolation: 'linear',
      times: Float32Array.of(0, duration),
      values: Float32Array.of(0, 0, 0, last, 0, 0),
    },
  ],
  morphs: [],
});
const [pose, still, walk] = [clip('T', 0.17, 1), clip('rest', 2, 0), clip('walk', 2, 1)];

it('the first clip is the first that moves: not a pose of a few frames, nor one in which nothing happens', () => {
  expect(firstClip([pose!, still!, walk!])!.name).toBe('walk');
  expect(firstClip([walk!, pose!])!.name).toBe('walk');
});

it('where none moves it is the first there is', () => {
  expect(firstClip([pose!, still!])!.name).toBe('T');
  expect(firstClip([])).toBeNull();
});
