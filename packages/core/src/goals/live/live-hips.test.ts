import { describe, expect, it } from 'vitest';
import { standingGoals, stretchOf } from '../../../test/standing-goals.js';
import { lowestOfTrunk } from '../parts/trunk.js';
import { createLiveHips } from './live-hips.js';

type Body = ReturnType<typeof standingGoals>;

/**
 * Lets the hips of a standing body settle for half a second, by what the feet that stand are moved by, in hip heights;
 * one that does not is in the air.
 */
function settle(body: Body, standing: readonly (readonly number[] | null)[], seconds = 0.5): number[] {
  const { setup, goals } = body;
  const hips = createLiveHips(setup);
  const places = goals.places.slice();
  // The first update takes everything as it is: begin with nothing to give way to.
  hips.update(goals);
  for (let n = 0; n < 2; n++)
    for (let c = 0; c < 3; c++) {
      const move = (standing[n] ?? [0, 0.5, 0])[c]!;
      goals.places[3 * n + c] = places[3 * n + c]! + move * setup.hipHeight;
      goals.carried[n] = standing[n] ? 1 : 0;
    }
  for (let k = 0; k < 60 * seconds; k++) {
    goals.hips.fill(0);
    hips.update(goals);
  }
  return [...goals.hips].map((value) => value / setup.hipHeight);
}

describe('createLiveHips', () => {
  it('edges: no time, and nothing that carries, move nothing', () => {
    const { setup, goals } = standingGoals();
    const hips = createLiveHips(setup);
    for (const seconds of [0, 0, 1 / 60, 0]) {
      goals.seconds[0] = seconds;
      hips.update(goals);
    }
    for (const value of goals.hips) expect(Math.abs(value)).toBeLessThan(1e-9);
  });

  it('come down for a foot that is a little out of reach', () => {
    const body = standingGoals();
    const [, y, z] = settle(body, [[0, 0, 0.5], null]);
    expect(y!).toBeLessThan(-0.01);
    expect(z!).toBeGreaterThan(0);
    expect(stretchOf(body, 0)).toBeLessThan(0.99);
  });

  it('go along to a foot that lowering alone would not do for', () => {
    const body = standingGoals();
    const far = settle(body, [[0, 0, 1.3], null]);
    expect(stretchOf(body, 0)).toBeLessThan(1);
    // More than the half that they follow what carries by.
    expect(far[2]!).toBeGreaterThan(0.66);
    expect(far[1]!).toBeGreaterThan(-0.4);
  });

  it('stay in the middle between feet that are out of reach on either side, and come down', () => {
    const [x, y, z] = settle(standingGoals(), [
      [0, 0, 0.9],
      [0, 0, -0.9],
    ]);
    expect(Math.abs(x!)).toBeLessThan(0.01);
    expect(Math.abs(z!)).toBeLessThan(0.01);
    expect(y!).toBeLessThan(-0.3);
  });

  it('come down for a hand that carries and lacks something, too, and without a leap', () => {
    const { setup, goals } = standingGoals();
    const hips = createLiveHips(setup);
    const n = setup.limbs.findIndex(({ kind }) => kind === 'arm');
    hips.update(goals);
    goals.carried[n] = 1;
    goals.places[3 * n + 1] = goals.places[3 * n + 1]! - 0.3 * setup.hipHeight;
    const path = Array.from({ length: 60 }, () => {
      goals.hips.fill(0);
      hips.update(goals);
      return goals.hips[1]! / setup.hipHeight;
    });
    expect(path.at(-1)!).toBeLessThan(-0.2);
    const changes = path.slice(2).map((at, k) => Math.abs(at - 2 * path[k + 1]! + path[k]!));
    expect(Math.max(...changes)).toBeLessThan(0.02);
  });

  it('come back softly, and forget at a reset', () => {
    const body = standingGoals();
    const { setup, goals } = body;
    const hips = createLiveHips(setup);
    const places = goals.places.slice();
    const path: number[] = [];
    for (let k = 0; k < 90; k++) {
      goals.places.set(places);
      goals.carried[0] = 1;
      if (k > 0 && k < 30) goals.places[2] = places[2]! + 1.3 * setup.hipHeight;
      goals.hips.fill(0);
      hips.update(goals);
      path.push(goals.hips[2]! / setup.hipHeight);
    }
    expect(Math.max(...path)).toBeGreaterThan(0.6);
    const steps = path.slice(1).map((value, k) => Math.abs(value - path[k]!));
    expect(Math.max(...steps)).toBeLessThan(0.15);
    expect(Math.abs(path.at(-1)!)).toBeLessThan(0.02);
    hips.reset();
    goals.places.set(places);
    goals.hips.fill(0);
    hips.update(goals);
    expect(Math.abs(goals.hips[2]!)).toBeLessThan(1e-9);
  });

  it('come up out of the floor in time, and without a leap of their speed', () => {
    const { setup, goals } = standingGoals();
    const hips = createLiveHips(setup);
    const height = setup.hipHeight;
    for (let n = 0; n < setup.limbs.length; n++) goals.places[3 * n + 1]! += 2 * height;
    const trunk = new Float64Array(1);
    lowestOfTrunk(trunk, 0, setup.trunks.target.trunk, goals.target.matrices);
    const matrices = goals.target.matrices.slice();
    const path = Array.from({ length: 80 }, (_, k) => {
      // Torso and head come to be a tenth of the hip height in the floor from one frame to the next.
      const down = k < 10 ? 0 : trunk[0]! - setup.floor + 0.1 * height;
      for (let i = 13; i < matrices.length; i += 16) goals.target.matrices[i] = matrices[i]! - down;
      goals.hips.fill(0);
      hips.update(goals);
      return goals.hips[1]! / height;
    });
    expect(path[9]).toBe(0);
    expect(path.at(-1)!).toBeGreaterThan(0.095);
    const leaps = path.slice(2).map((value, k) => Math.abs(value - 2 * path[k + 1]! + path[k]!));
    expect(Math.max(...leaps)).toBeLessThan(0.0031);
  });
});
