import type { Constraint, Layer } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import {
  dragRamp,
  hitEdit,
  layerTimes,
  layOutEdits,
  moveKeys,
  rampTimes,
  toldTimes,
  withoutKeys,
} from './edit-lanes.js';
import { xOf } from './lanes.js';

const timing = { offset: 1, rate: 2 };
const still = { offset: 0, rate: 1 };
const held: Constraint = {
  joint: 'rightHand',
  kind: 'point',
  goal: { place: [0, 1, 0] },
  times: { in: 0.2, start: 0.5, end: 1, out: 1.4 },
};

it('times of a constraint are those of the source’s clip, shown in those of the result and told back unchanged', () => {
  const shown = rampTimes({ ...held, times: { in: 1, start: 2, end: 3, out: 4 } }, 2, timing);
  expect(shown).toEqual({ in: 0, start: 0.5, end: 1, out: 1.5 });
  expect(toldTimes(shown, timing)).toEqual({ in: 1, start: 2, end: 3, out: 4 });
  expect(rampTimes({ ...held, times: {} }, 2, still)).toEqual({ in: 0, start: 0, end: 2, out: 2 });
  expect(rampTimes({ ...held, times: { start: { frame: 15 } } }, 2, still)).toMatchObject({
    in: 0.5,
    start: 0.5,
  });
});

it('constraints that overlap lie under each other, others in one row; those of other clips are left out', () => {
  const later = { ...held, times: { in: 1.4, start: 1.5, end: 1.6, out: 1.8 } };
  const [lane, layers] = layOutEdits(
    { constraints: [held, held, later, { ...held, clip: 'run' }] },
    'walk',
    100,
    2,
    still,
  );
  expect(lane!.ramps.map(({ row }) => row)).toEqual([0, 1, 0]);
  expect(layers!.top).toBe(lane!.top + lane!.height);
});

it('each handle of a ramp is found where it is, and the rest takes hold of all of it', () => {
  const span = { start: 0, scale: 200 };
  const lanes = layOutEdits({ constraints: [held] }, 'walk', 100, 2, still);
  const part = (time: number, y: number) => {
    const hit = hitEdit(lanes, span, xOf(span, time), y);
    return hit?.kind === 'ramp' ? hit.part : hit?.kind;
  };
  expect([part(0.2, 117), part(0.5, 104), part(1, 104), part(1.4, 117), part(0.75, 110)]).toEqual([
    'in',
    'start',
    'end',
    'out',
    'middle',
  ]);
  expect(part(1.9, 110)).toBe('edit lane');
  expect(hitEdit(lanes, span, 300, 10)).toBeNull();
});

it('a dragged handle never passes its neighbours, and a dragged bar keeps its length', () => {
  const times = { in: 0.2, start: 0.5, end: 1, out: 1.4 };
  const asItIs = (time: number) => time;
  expect(dragRamp(times, 'start', 9, asItIs).start).toBe(1);
  expect(dragRamp(times, 'in', -9, asItIs).in).toBe(0);
  const moved = dragRamp(times, 'middle', -9, asItIs);
  expect(moved.in).toBe(0);
  expect(moved.out - moved.in).toBeCloseTo(1.2, 12);
});

it('keys of a layer move together, and a layer without keys is none', () => {
  const layer: Layer = {
    joints: {
      head: [
        { time: 0.5, degrees: [1, 0, 0] },
        { time: 1, degrees: [2, 0, 0] },
      ],
    },
    hips: [{ time: 0.5, place: [0, 1, 0] }],
  };
  expect(layerTimes(layer, still)).toEqual([0.5, 1]);
  const moved = moveKeys(layer, 0.5, 1.5);
  expect(layerTimes(moved, still)).toEqual([1, 1.5]);
  expect(moved.joints!.head!.map(({ time }) => time)).toEqual([1, 1.5]);
  expect(withoutKeys(layer, 0.5)).toEqual({ joints: { head: [{ time: 1, degrees: [2, 0, 0] }] } });
  expect(withoutKeys(withoutKeys(layer, 0.5)!, 1)).toBeNull();
});
