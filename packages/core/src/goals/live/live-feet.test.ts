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

  it('a foot that comes to stand toes down lies flat soon, and is not thrown down; nor thrown back as it leaves', () => {
    const { setup, goals } = standingGoals();
    const feet = createLiveFeet(setup, { horizontal: 1, vertical: 1 });
    const [heel, toe] = setup.limbs[0]!.points as [number, number];
    const [places, raw, copied] = [goals.places.slice(), goals.raw.slice(), goals.copied.slice()];
    const ankle = 16 * setup.limbs[0]!.target.end + 12;
    const tilt = 0.3;
    const angles = Array.from({ length: 150 }, (_, k) => {
      goals.places.set(places);
      goals.raw.set(raw);
      goals.copied.set(copied);
      // In the air, then standing, then in the air again; copied with its toes 17 degrees down all the time.
      const lift = k < 30 || k >= 90 ? 0.2 * setup.sourceHipHeight : 0;
      for (const point of [heel, toe]) {
        goals.raw[3 * point + 1]! += lift;
        const m = goals.target.matrices;
        const y = copied[3 * point + 1]! - m[ankle + 1]!;
        const z = copied[3 * point + 2]! - m[ankle + 2]!;
        goals.copied[3 * point + 1] = m[ankle + 1]! + Math.cos(tilt) * y - Math.sin(tilt) * z;
        goals.copied[3 * point + 2] = m[ankle + 2]! + Math.sin(tilt) * y + Math.cos(tilt) * z;
      }
      feet.update(goals, 1 / 60);
      return 2 * Math.acos(Math.min(1, Math.abs(goals.turns[3]!)));
    });
    const degree = Math.PI / 180;
    const changes = angles
      .slice(2)
      .map((angle, k) => Math.abs(angle - 2 * angles[k + 1]! + angles[k]!) / degree);
    expect(Math.max(...angles)).toBeCloseTo(tilt, 2);
    expect(angles[60]!).toBeGreaterThan(0.9 * tilt);
    expect(angles[149]!).toBeLessThan(0.05 * tilt);
    // What is left of 17 degrees would go by 2.5 of them in the first frame, and by 1.06 as the foot leaves.
    expect(Math.max(...changes.slice(0, 60))).toBeLessThan(1.5);
    expect(Math.max(...changes.slice(80))).toBeLessThan(1);
  });

  it('a foot in the air that comes down comes away from the hips over a dozen frames, however fast it is', () => {
    const { setup, goals } = standingGoals();
    const feet = createLiveFeet(setup, { horizontal: 1, vertical: 1 });
    const [places, raw] = [goals.places.slice(), goals.raw.slice()];
    const follows = Array.from({ length: 90 }, (_, k) => {
      goals.places.set(places);
      goals.raw.set(raw);
      // Over its head for a second, then as low as a step within two frames.
      const height = k < 60 ? 1.2 : k < 62 ? 0.7 : 0.2;
      for (const point of setup.limbs[0]!.points) goals.raw[3 * point + 1]! += height * setup.sourceHipHeight;
      goals.places[1]! += height * setup.hipHeight;
      feet.update(goals, 1 / 60);
      return goals.follows[0]!;
    });
    expect(follows[59]).toBeCloseTo(1, 6);
    expect(follows[89]).toBeCloseTo(0, 6);
    for (let k = 1; k < 90; k++) expect(follows[k - 1]! - follows[k]!).toBeLessThan(0.081);
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
