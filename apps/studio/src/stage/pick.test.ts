import { OrthographicCamera } from 'three';
import { describe, expect, it } from 'vitest';
import { pickJoint } from './pick.js';
import type { DrawnBone } from './skeleton-bones.js';

/** A view of 200 by 200 pixels, one unit each, whose top left is at (0, 200). */
const camera = new OrthographicCamera(0, 200, 200, 0, -10, 10);
camera.updateMatrixWorld();
const size = { width: 200, height: 200 };

/** Joints at places of the view, in pixels from its top left. */
function matricesOf(...places: [x: number, y: number][]): Float64Array {
  const matrices = new Float64Array(16 * places.length);
  places.forEach(([x, y], joint) => {
    matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 200 - y, 0, 1], 16 * joint);
  });
  return matrices;
}

describe('pickJoint', () => {
  // A leg of hips, knee and ankle; two joints of a finger that hangs before the thigh, and its tip.
  const [hips, knee, finger, second] = [0, 1, 3, 4];
  const matrices = matricesOf([100, 20], [100, 100], [100, 180], [103, 50], [103, 56], [103, 62]);
  const bones: DrawnBone[] = [
    { from: hips, to: knee, tip: null },
    { from: knee, to: 2, tip: null },
    { from: finger, to: second, tip: null },
    { from: second, to: 5, tip: null },
  ];
  const pick = (x: number, y: number) => pickJoint(bones, matrices, camera, size, x, y);

  it('the bone that is hit is meant, not one that begins beside it', () => {
    expect(pick(100, 53)).toBe(hips);
    expect(pick(103, 52)).toBe(finger);
    expect(pick(103, 60)).toBe(second);
  });

  it('where two bones meet, the one that begins there is meant', () => {
    expect(pick(100, 100)).toBe(knee);
    expect(pick(100, 97)).toBe(knee);
    expect(pick(100, 90)).toBe(hips);
  });

  it('12 pixels from a bone nothing is meant', () => {
    expect(pick(89, 140)).toBe(knee);
    expect(pick(87, 140)).toBe(-1);
  });
});
