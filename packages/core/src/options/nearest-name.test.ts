import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

describe('nearestName', () => {
  it.each([
    ['rootmotion', 'rootMotion'],
    ['frameRat', 'frameRate'],
    ['miror', 'mirror'],
    ['speedd', 'speed'],
    ['spede', 'speed'],
    ['amp', 'map'],
    ['colour', null],
    ['ab', null],
    ['', null],
  ])('%s: %s', (given, meant) => {
    expect(nearestName(given, ['speed', 'mirror', 'frameRate', 'rootMotion', 'root', 'map'])).toBe(meant);
  });
});
