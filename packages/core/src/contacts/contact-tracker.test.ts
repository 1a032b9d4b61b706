import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import { createRig } from '../body/understand/create-rig.js';
import { modelPoseOf } from '../scene/pose.js';
import { bodyPoints, hipHeightOf, solePoints } from './body-points.js';
import { createContactTracker } from './contact-tracker.js';
import { offsetsOf, placePoints } from './track-points.js';

const rig = createRig(stickFigure().skeleton);
const points = solePoints(rig);
const unit = hipHeightOf(rig);
const standing = new Float64Array(3 * points.length);
placePoints(standing, 0, points, offsetsOf(points), modelPoseOf(rig.skeleton, rig.reference.pose));

/** All points moved by the same way, in hip heights. */
const at = (x: number, y: number) =>
  standing.map((value, i) => value + unit * (i % 3 === 0 ? x : i % 3 === 1 ? y : 0));
const create = () => createContactTracker(points, unit, rig.floor.height);
const all = (flags: Uint8Array) => [...flags].every((flag) => flag === 1);
const none = (flags: Uint8Array) => [...flags].every((flag) => flag === 0);

describe('createContactTracker', () => {
  it('edges: no time, no number and no points pass without an error', () => {
    const tracker = create();
    expect(all(tracker.update(at(0, 0), 0))).toBe(true);
    expect(none(tracker.update(at(Number.NaN, Number.NaN), 1 / 60))).toBe(true);
    tracker.update(at(0, 0), Number.NaN);
    expect([...tracker.anchors, ...tracker.supports].every(Number.isFinite)).toBe(true);
    expect(createContactTracker([], 1, 0).update(new Float64Array(0), 1).length).toBe(0);
  });

  it('what stands is in contact, what moves is let go within a window, what stands again is caught', () => {
    const tracker = create();
    for (let k = 0; k < 30; k++) expect(all(tracker.update(at(0, 0), 1 / 60))).toBe(true);
    expect(tracker.seconds[0]).toBeCloseTo(29 / 60, 9);
    const x = 4 / 60;
    for (let k = 1; k <= 4; k++) tracker.update(at(k / 60, 0), 1 / 60);
    expect(none(tracker.inContact)).toBe(true);
    for (let k = 0; k < 4; k++) tracker.update(at(x, 0), 1 / 60);
    expect(all(tracker.inContact)).toBe(true);
    expect(tracker.anchors[0]! - standing[0]!).toBeCloseTo(unit * x, 6);
  });

  it('is the same at any rate of updates', () => {
    for (const rate of [30, 60, 120, 240]) {
      const tracker = create();
      for (let k = 0; k < rate; k++) tracker.update(at(0.2 * Math.min(0.5, k / rate), 0), 1 / rate);
      expect(all(tracker.inContact), `${rate} Hz, slow`).toBe(true);
      for (let k = 0; k < rate / 4; k++) tracker.update(at(0.1 + k / rate, 0), 1 / rate);
      expect(none(tracker.inContact), `${rate} Hz, quick`).toBe(true);
    }
  });

  it('stands on a stair after a moment, and not in the air at the top of a jump', () => {
    const tracker = create();
    for (let k = 0; k < 30; k++) tracker.update(at(0, 0), 1 / 60);
    for (let k = 1; k <= 12; k++) tracker.update(at(0, 0.025 * k), 1 / 60);
    expect(none(tracker.inContact)).toBe(true);
    for (let k = 0; k < 15; k++) tracker.update(at(0, 0.3), 1 / 60);
    expect(all(tracker.inContact)).toBe(true);
    expect(tracker.supports[0]).toBeCloseTo(0.3, 2);
    const jumper = create();
    for (let k = 0; k < 30; k++) jumper.update(at(0, 0), 1 / 60);
    for (let k = 3; k < 45; k++) {
      const t = k / 60;
      jumper.update(at(0, 4 * t - 5 * t * t), 1 / 60);
      expect(none(jumper.inContact), `${t} s`).toBe(true);
    }
  });

  it('what stands just over the floor, as where captures drift, is caught before it has slid', () => {
    const tracker = create();
    for (let k = 0; k < 30; k++) tracker.update(at(0, 0), 1 / 60);
    for (let k = 1; k <= 10; k++)
      tracker.update(at(k / 60, 0.005 * k + 0.05 * Math.sin((k * Math.PI) / 10)), 1 / 60);
    expect(none(tracker.inContact)).toBe(true);
    for (let k = 0; k < 6; k++) tracker.update(at(1 / 6, 0.05), 1 / 60);
    expect(all(tracker.inContact)).toBe(true);
    expect(tracker.supports[0]).toBeCloseTo(0.05, 2);
  });

  it('what trembles about the speed of a contact is not let go', () => {
    const tracker = create();
    for (let k = 0; k < 30; k++) tracker.update(at(0, 0), 1 / 60);
    for (let k = 0; k < 60; k++) {
      // To and fro at 60 % of the hip height a second, an even number of frames: it stays where it is.
      tracker.update(at(k % 2 === 0 ? 0.01 : 0, 0), 1 / 60);
      expect(all(tracker.inContact), `frame ${k}`).toBe(true);
    }
  });

  it('a floor that is not where the skeleton has it is found by the first foot that stands', () => {
    const tracker = create();
    for (let k = 0; k < 10; k++) tracker.update(at(0, 0.1), 1 / 60);
    expect(all(tracker.inContact)).toBe(true);
    expect(tracker.offsets[0]).toBeCloseTo(0.1, 3);
    for (let k = 1; k <= 6; k++) tracker.update(at(0, 0.1 + k / 60), 1 / 60);
    expect(none(tracker.inContact)).toBe(true);
  });

  it('a body rests on a hand that floats and glides, as captured ones do, but not while its feet are lower', () => {
    const all = bodyPoints(rig);
    const hand = all.findIndex(({ name }) => name === 'leftHand');
    const rest = new Float64Array(3 * all.length);
    placePoints(rest, 0, all, offsetsOf(all), modelPoseOf(rig.skeleton, rig.reference.pose));
    const play = (lifted: number) => {
      const tracker = createContactTracker(all, unit, rig.floor.height);
      const places = rest.map((value, i) => value + (i % 3 === 1 ? lifted * unit : 0));
      for (let k = 0; k < 15; k++) {
        places[3 * hand] = rest[3 * hand]! + (0.5 * unit * k) / 60;
        places[3 * hand + 1] = rig.floor.height + unit * (all[hand]!.standing + 0.1);
        tracker.update(places, 1 / 60);
      }
      return [tracker.inContact[hand], tracker.supports[hand]];
    };
    expect(play(1)).toEqual([1, 0]);
    expect(play(0)).toEqual([0, 0]);
  });

  it('reset forgets: the same updates give the same contacts again', () => {
    const tracker = create();
    const run = () =>
      Array.from({ length: 60 }, (_, k) => [
        ...tracker.update(at(Math.sin(k / 8) ** 3, Math.max(0, Math.sin(k / 5)) / 5), 1 / 60),
      ]);
    const first = run();
    tracker.reset();
    expect(run()).toEqual(first);
    expect(first.some((flags) => flags.includes(0)) && first.some((flags) => flags.includes(1))).toBe(true);
  });
});
