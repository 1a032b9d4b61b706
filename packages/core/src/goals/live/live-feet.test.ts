import { describe, expect, it } from 'vitest';
import { standingGoals } from '../../../test/standing-goals.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { createLiveFeet, restParts } from './live-feet.js';

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

describe('parts that rest', () => {
  /** How much a part rests that touches something so high, after some seconds of 60 frames each. */
  function restAfter(seconds: number, height: number): number {
    const rests = new Float64Array(1);
    const setup = { surfaces: [{ point: 0 }], hipHeight: 1 } as unknown as GoalSetup;
    for (let k = 0; k < Math.round(60 * seconds); k++)
      restParts({ setup, seconds: Float64Array.of(1 / 60), isFirst: false }, {
        rests,
        touching: Uint8Array.of(1),
        supports: Float64Array.of(height),
      } as unknown as Goals);
    return rests[0]!;
  }

  it('come to rest within a tenth of a second or so', () => {
    expect(restAfter(0.1, 0)).toBeCloseTo(0.7, 2);
    expect(restAfter(0.3, 0)).toBeGreaterThan(0.97);
  });

  it('rest on a step up to a fifth of the hips’ height, and sit on what is higher', () => {
    expect(restAfter(0.3, 0.19)).toBeGreaterThan(0.9);
    expect(restAfter(0.3, 0.21)).toBe(0);
  });
});
