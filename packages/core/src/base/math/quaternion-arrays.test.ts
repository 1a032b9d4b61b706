import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  inverse,
  type Quat,
  quatAt,
  randomTurn,
  times,
  turnVector,
} from '../../../test/tiny-rigs.js';
import { turnMatrix } from '../../align/driver-constants.js';
import { blendTurns, carryPoints, divideTurns, mapTurns, multiplyTurns } from './quaternion-arrays.js';
import type { Vec3 } from './vector.js';

const COUNT = 5;
const random = createRandom(4);
const list = (): Quat[] => Array.from({ length: COUNT }, () => randomTurn(random));
const close = (got: readonly number[], wanted: readonly number[]) =>
  got.forEach((x, c) => {
    expect(x).toBeCloseTo(wanted[c]!, 12);
  });

describe('turns of many frames', () => {
  it('mapTurns gives pre · q · post for as many as were asked for, in place too', () => {
    const [pre, post] = [randomTurn(random), randomTurn(random)];
    const quats = list();
    const values = Float64Array.from(quats.flat());
    mapTurns(values, values, COUNT - 1, turnMatrix(Float64Array.from(pre), Float64Array.from(post)));
    for (let n = 0; n < COUNT; n++)
      close(quatAt(values, n), n < COUNT - 1 ? times(pre, quats[n]!, post) : quats[n]!);
  });

  it('multiplyTurns multiplies from the right, by turns or by what undoes them', () => {
    for (const isUndone of [false, true]) {
      const [a, b] = [list(), list()];
      const out = Float64Array.from(a.flat());
      multiplyTurns(out, Float64Array.from(b.flat()), COUNT - 1, isUndone);
      for (let n = 0; n < COUNT; n++)
        close(quatAt(out, n), n < COUNT - 1 ? times(a[n]!, isUndone ? inverse(b[n]!) : b[n]!) : a[n]!);
    }
  });

  it('divideTurns undoes turns from the left, blendTurns goes a part of the way', () => {
    const [a, b] = [list(), list()];
    const out = Float64Array.from(b.flat());
    divideTurns(out, Float64Array.from(a.flat()), COUNT - 1);
    for (let n = 0; n < COUNT; n++)
      close(quatAt(out, n), n < COUNT - 1 ? times(inverse(a[n]!), b[n]!) : b[n]!);
    const blended = Float64Array.from(b.flat());
    blendTurns(blended, Float64Array.from(a.flat()), 0.25, COUNT - 1);
    for (let n = 0; n < COUNT - 1; n++) {
      const whole = angleBetween(a[n]!, b[n]!);
      expect(angleBetween(a[n]!, quatAt(blended, n))).toBeCloseTo(0.25 * whole, 9);
      expect(angleBetween(quatAt(blended, n), b[n]!)).toBeCloseTo(0.75 * whole, 9);
    }
    close(quatAt(blended, COUNT - 1), b[COUNT - 1]!);
  });

  it('carryPoints takes points into the space of the parent, by one transform or by many', () => {
    const point = (): Vec3 => [random(), random(), random()];
    for (const isOne of [false, true]) {
      const points = Array.from({ length: COUNT }, point);
      const turns = isOne ? [randomTurn(random)] : list();
      const shifts = isOne ? [point()] : Array.from({ length: COUNT }, point);
      const out = Float64Array.from(points.flat());
      carryPoints(out, COUNT, Float64Array.from(turns.flat()), [1, 2, 3], Float64Array.from(shifts.flat()));
      points.forEach(([x, y, z], n) => {
        const turned = turnVector(turns[isOne ? 0 : n]!, [x, 2 * y, 3 * z]);
        const shift = shifts[isOne ? 0 : n]!;
        close(
          [...out.subarray(3 * n, 3 * n + 3)],
          [0, 1, 2].map((c) => turned[c]! + shift[c]!),
        );
      });
    }
  });
});
