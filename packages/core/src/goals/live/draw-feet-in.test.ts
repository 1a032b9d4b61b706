import { describe, expect, it } from 'vitest';
import { standingGoals, stretchOf } from '../../../test/standing-goals.js';
import { drawFeetIn } from './draw-feet-in.js';

/** Draws the left foot in, whose goal is moved and which has been free for so long; gives what it was drawn by. */
function draw(move: readonly number[], free: number) {
  const body = standingGoals();
  const { setup, goals } = body;
  for (let c = 0; c < 3; c++) goals.places[c] = goals.places[c]! + move[c]! * setup.hipHeight;
  goals.free[0] = free;
  const before = goals.places.slice();
  drawFeetIn(goals, setup);
  return { drawn: [...goals.drawn.slice(0, 3)], stretch: stretchOf(body, 0), before, after: goals.places };
}

describe('drawFeetIn', () => {
  it('what is in reach, what stands, and hands stay', () => {
    for (const [move, free] of [
      [[0, 0.3, 0.1], 1],
      [[0.5, 0, 0.9], 0],
    ] as const) {
      const { drawn, before, after } = draw(move, free);
      expect(drawn).toEqual([0, 0, 0]);
      expect([...after]).toEqual([...before]);
    }
    const { before, after } = draw([0, 0.2, 1.5], 1);
    expect([...after.slice(3)]).toEqual([...before.slice(3)]);
  });

  it('a foot in the air comes into the reach of its leg, and says by how much', () => {
    for (const move of [
      [0, 0.4, 1.4],
      [1.2, 0.2, 0],
      [-0.4, -0.5, 0.8],
    ]) {
      const { drawn, stretch, before, after } = draw(move, 1);
      expect(stretch).toBeLessThan(1);
      for (let c = 0; c < 3; c++) expect(after[c]! - before[c]!).toBeCloseTo(drawn[c]!, 12);
    }
  });

  it('what a foot went along with the hips counts as drawn, so that it comes down where it is', () => {
    const { setup, goals } = standingGoals();
    goals.free.fill(1);
    goals.hips.set([0.1, -0.2, 0.3]);
    goals.follows.set([0.5, 0]);
    drawFeetIn(goals, setup);
    [0.05, -0.1, 0.15, 0, 0, 0].forEach((by, i) => {
      expect(goals.drawn[i]).toBeCloseTo(by, 12);
    });
    // One that stands has not gone anywhere.
    goals.free.fill(0);
    drawFeetIn(goals, setup);
    expect([...goals.drawn.slice(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('low feet come along the floor, so that they land; high ones along the leg', () => {
    const low = draw([0, 0, 0.7], 1);
    expect(Math.abs(low.drawn[1]!)).toBeLessThan(0.05 * Math.abs(low.drawn[2]!));
    const high = draw([0, 0.5, 1.4], 1);
    expect(high.drawn[1]!).toBeGreaterThan(0.2 * Math.abs(high.drawn[2]!));
  });

  it('begins with no leap when a foot is let go', () => {
    const by = [0, 0.01, 0.06, 0.12, 1].map((free) => -draw([0, 0.1, 0.9], free).drawn[2]!);
    expect(by[0]).toBeCloseTo(0, 12);
    expect(by[1]!).toBeLessThan(0.02 * by[4]!);
    expect(by[2]!).toBeCloseTo(by[4]! / 2, 1);
    expect(by[3]!).toBeCloseTo(by[4]!, 12);
  });
});
