import { expect, it } from 'vitest';
import { createClock } from './clock.js';

it('goes round where it loops, and stops at the end where it does not', () => {
  const clock = createClock();
  clock.setDuration(2);
  clock.play(true);
  clock.advance(1.5, 1, true);
  clock.advance(1, 1, true);
  expect(clock.time()).toBeCloseTo(0.5);
  clock.advance(3, 1, false);
  expect([clock.time(), clock.playing()]).toEqual([2, false]);
  clock.play(true);
  expect(clock.time()).toBe(0);
});

it('stays within the clip, whatever it is told', () => {
  const clock = createClock();
  clock.setDuration(2);
  clock.seek(5);
  expect(clock.time()).toBe(2);
  clock.setDuration(1);
  expect(clock.time()).toBe(1);
  clock.seek(-1);
  expect(clock.time()).toBe(0);
});

it('tells only when something has changed', () => {
  const clock = createClock();
  clock.setDuration(2);
  let told = 0;
  clock.subscribe(() => told++);
  clock.seek(0);
  clock.play(false);
  clock.advance(1, 1, true);
  expect(told).toBe(0);
});
