import { describe, expect, it } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../test/random-chains.js';
import { multiplyQuaternions, quaternionAngle, rotateVector } from '../base/math/quaternion.js';
import { EYE_LIMITS, easeLook, HEAD_LIMITS, lookAt } from './look-at.js';

const IDENTITY = Float64Array.of(0, 0, 0, 1);
const ORIGIN = new Float64Array(3);

function look(point: readonly number[], frame: Float64Array = IDENTITY, limits = HEAD_LIMITS): Float64Array {
  const out = new Float64Array(4);
  lookAt(out, 0, frame, 0, ORIGIN, 0, Float64Array.from(point), 0, limits);
  return out;
}

/** Where something that looked along +Z of its frame looks after the turn. */
function gaze(turn: Float64Array, frame: Float64Array = IDENTITY): Float64Array {
  const out = Float64Array.of(0, 0, 1);
  rotateVector(out, 0, frame, 0, out, 0);
  rotateVector(out, 0, turn, 0, out, 0);
  return out;
}

describe('lookAt', () => {
  it('W21: looks at what is within the limits, however the body is turned', () => {
    const random = seededRandom(8);
    const none = { horizontal: Math.PI, vertical: Math.PI / 2 };
    for (let k = 0; k < 200; k++) {
      const direction = randomDirection(random);
      const frame = Float64Array.from(randomRotation(random));
      const seen = gaze(
        look(
          direction.map((v) => 3 * v),
          frame,
          none,
        ),
        frame,
      );
      direction.forEach((v, c) => void expect(seen[c]).toBeCloseTo(v, 9));
    }
  });

  it('W21: a head turns 60° to the side and 30° up at most, eyes 9° more', () => {
    const behind = look([1, 0, -1]);
    expect(quaternionAngle(behind, 0, IDENTITY, 0)).toBeCloseTo(Math.PI / 3, 9);
    expect(gaze(behind)[0]).toBeGreaterThan(0);
    expect(quaternionAngle(look([0, 5, 1]), 0, IDENTITY, 0)).toBeCloseTo(Math.PI / 6, 9);
    expect(gaze(look([0, 5, 1]))[1]).toBeGreaterThan(0);
    const eyes = look([1, 0, -1], behind, EYE_LIMITS);
    const both = new Float64Array(4);
    multiplyQuaternions(both, 0, eyes, 0, behind, 0);
    expect(quaternionAngle(both, 0, IDENTITY, 0)).toBeCloseTo((69 * Math.PI) / 180, 9);
  });

  it('R11: a point at the eye, far away, or no point at all looks ahead or somewhere, never NaN', () => {
    expect(quaternionAngle(look([0, 0, 0]), 0, IDENTITY, 0)).toBe(0);
    for (const point of [
      [Number.NaN, 0, 0],
      [0, Number.POSITIVE_INFINITY, 0],
      [0, 1, 0],
      [1e200, 0, 0],
    ])
      for (const value of look(point)) expect(Number.isFinite(value)).toBe(true);
  });

  it('W21: easing goes as far in two half steps as in one', () => {
    const whole = 1 - easeLook(1 / 30);
    expect((1 - easeLook(1 / 60)) ** 2).toBeCloseTo(whole, 12);
    expect(easeLook(1 / 60)).toBeCloseTo(0.1, 12);
    expect(easeLook(0)).toBe(0);
    expect(easeLook(Number.NaN)).toBe(0);
  });
});
