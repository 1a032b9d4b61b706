import type { Contact } from '@stuntdouble/core/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  contactWords,
  dragContact,
  hitTest,
  layOutLanes,
  rulerStep,
  snapTime,
  timeOf,
  wholeSpan,
  xOf,
} from './lanes.js';

const contact = (point: Contact['point'], start: number, end: number): Contact => ({
  point,
  start,
  end,
  height: 0,
  position: null,
});
const contacts = [contact('leftToe', 0.2, 0.8), contact('leftHeel', 0.3, 0.6), contact('rightHand', 1, 1.5)];
const span = wholeSpan(2, 1000);

it('lays feet and hands out in lanes of their own, and others only where they touch', () => {
  const names = layOutLanes(contacts).map(({ name }) => name);
  expect(names).toEqual(['Quality', 'Left foot', 'Right foot', 'Hands']);
  expect(layOutLanes([contact('leftKnee', 0, 1)]).map(({ name }) => name)).toContain('Knees, elbows');
});

it('has a lane for whatever else the engine finds: other legs, other parts; a touch of the own body is fainter', () => {
  const more = [
    contact('leg3LeftFoot', 0, 1),
    contact('leg3RightFoot', 1, 2),
    contact('leftThigh' as Contact['point'], 0, 1),
    { ...contact('leftHand', 0, 1), on: 'trunk' as const },
  ];
  const lanes = layOutLanes(more);
  expect(lanes.slice(-2).map(({ name, bars }) => [name, bars.map(({ index }) => index)])).toEqual([
    ['Legs 3', [0, 1]],
    ['Thigh', [2]],
  ]);
  expect(lanes.find(({ name }) => name === 'Hands')!.bars).toMatchObject([{ index: 3, faint: true }]);
  expect(lanes.flatMap(({ bars }) => bars)).toHaveLength(4);
  expect(contactWords(more[3]!)).toBe('Left hand on trunk');
});

it('finds each bar, its ends and its middle, where it is drawn', () => {
  const lanes = layOutLanes(contacts);
  const at = (time: number, y: number) => hitTest(lanes, span, xOf(span, time), y);
  const left = lanes[1]!;
  expect(at(0.5, left.top + 6)).toMatchObject({ kind: 'bar', part: 'middle', bar: { index: 0 } });
  expect(at(0.2, left.top + 6)).toMatchObject({ kind: 'bar', part: 'start' });
  expect(at(0.6, left.top + 17)).toMatchObject({ kind: 'bar', part: 'end', bar: { index: 1 } });
  expect(at(1.5, left.top + 6)).toMatchObject({ kind: 'lane' });
  expect(at(0.5, 5)).toMatchObject({ kind: 'ruler' });
  expect(at(0.5, 30)).toMatchObject({ kind: 'heat' });
});

it('pixels and instants are two ways to say one thing', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.integer({ min: 300, max: 4000 }),
      (time, width) => {
        const whole = wholeSpan(100, width);
        expect(timeOf(whole, xOf(whole, time))).toBeCloseTo(time, 6);
        expect(xOf(whole, 100)).toBeLessThanOrEqual(width);
      },
    ),
  );
});

it('a dragged contact keeps its length, stays in the clip and never turns over', () => {
  const settings = { rate: 60, duration: 2, snap: (time: number) => snapTime(time, 60, [], span) };
  fc.assert(
    fc.property(
      fc.constantFrom('start', 'middle', 'end' as const),
      fc.double({ min: -5, max: 5, noNaN: true }),
      (part, delta) => {
        const moved = dragContact(contacts[0]!, part as 'start', delta, settings);
        expect(moved.start).toBeGreaterThanOrEqual(0);
        expect(moved.end).toBeLessThanOrEqual(2 + 1e-9);
        expect(moved.end - moved.start).toBeGreaterThan(0.9 / 60);
        if (part === 'middle') expect(moved.end - moved.start).toBeCloseTo(0.6, 9);
      },
    ),
  );
});

it('snaps to marks that are near, else to frames', () => {
  expect(snapTime(0.501, 60, [0.5015], span)).toBe(0.5015);
  expect(snapTime(0.504, 60, [], span)).toBeCloseTo(0.5);
});

it('the ruler leaves room between its figures', () => {
  for (const pixels of [0.01, 0.5, 3, 20, 100]) expect(rulerStep(pixels) * pixels).toBeGreaterThanOrEqual(60);
});
