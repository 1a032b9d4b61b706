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
