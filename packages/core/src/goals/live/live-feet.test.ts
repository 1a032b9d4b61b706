import { describe, expect, it } from 'vitest';
import { standingGoals } from '../../../test/standing-goals.js';
import { createLiveFeet } from './live-feet.js';

describe('createLiveFeet', () => {
  it('feet come softly to a floor that is found while they stand, and come there', () => {
    const { setup, goals } = standingGoals();
    const feet = createLiveFeet(setup, { horizontal: 1, vertical: 1 });
    const [places, raw] = [goals.places.slice(), goals.raw.slice()];
    // The source stands a hundredth of its hip height over where its floor was expected.
    const over = 0.01 * setup.sourceHipHeight;
    const heights = Array.from({ length: 60 }, () => {
      goals.places.set(places);
      goals.raw.set(raw);
      for (let i = 1; i < raw.length; i += 3) goals.raw[i]! += over;
      for (let i = 1; i < places.length; i += 3) goals.places[i]! += over;
      feet.update(goals, 1 / 60);
      return goals.places[1]!;
    });
    const changes = heights.slice(2).map((height, k) => Math.abs(height - 2 * heights[k + 1]! + heights[k]!));
    expect(heights[0]! - heights.at(-1)!).toBeGreaterThan(0.9 * over);
    expect(Math.max(...changes)).toBeLessThan(0.05 * over);
  });
});
