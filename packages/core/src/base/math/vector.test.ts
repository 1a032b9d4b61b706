import { describe, expect, it } from 'vitest';
import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  meanVector,
  rejectVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorAt,
  vectorLength,
} from './vector.js';

const a: Vec3 = [1, -2, 0.5];
const b: Vec3 = [0.25, 3, -4];

describe('vectors', () => {
  it('a direction is null where there is none to speak of', () => {
    expect(directionOf([0, 0, 0])).toBeNull();
    expect(directionOf([1e-12, 0, 0])).toBeNull();
    expect(directionOf([Number.NaN, 1, 0])).toBeNull();
    expect(directionOf([Number.POSITIVE_INFINITY, 1, 0])).toBeNull();
    expect(vectorLength(directionOf(a)!)).toBeCloseTo(1, 12);
  });

  it('the mean of no points is null', () => {
    expect(meanVector([])).toBeNull();
    expect(meanVector([a, b])).toEqual([0.625, 0.5, -1.75]);
  });

  it('the cross product is square to both, right-handed', () => {
    const c = crossVectors(a, b);
    expect(dotVectors(c, a)).toBeCloseTo(0, 12);
    expect(dotVectors(c, b)).toBeCloseTo(0, 12);
    expect(crossVectors([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
  });

  it('rejecting an axis leaves nothing along it and loses nothing else', () => {
    const axis = directionOf(b)!;
    const square = rejectVector(a, axis);
    expect(dotVectors(square, axis)).toBeCloseTo(0, 12);
    const back = addVectors(square, scaleVector(axis, dotVectors(a, axis)));
    for (let c = 0; c < 3; c++) expect(back[c]).toBeCloseTo(a[c]!, 12);
  });

  it('X4: angles are exact near 0 and near half a turn, whatever the lengths', () => {
    for (const angle of [0, 1e-9, 1e-5, 1, Math.PI - 1e-7, Math.PI])
      expect(vectorAngle([5, 0, 0], [0.1 * Math.cos(angle), 0.1 * Math.sin(angle), 0])).toBeCloseTo(
        angle,
        12,
      );
  });

  it('reads from a flat store', () => {
    expect(vectorAt(Float32Array.of(9, 1, 2, 3), 1)).toEqual([1, 2, 3]);
    expect(subtractVectors([3, 3, 3], [1, 2, 3])).toEqual([2, 1, 0]);
  });
});
