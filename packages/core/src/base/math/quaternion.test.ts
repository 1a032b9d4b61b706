import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  DEGREES,
  inverse,
  type Quat,
  quatAt,
  randomTurn,
  times,
  turn,
  turnVector,
} from '../../../test/tiny-rigs.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  makeQuaternionsContinuous,
  middleQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionAngle,
  quaternionFromAxisAngle,
  rotateVector,
  shortestArc,
  slerpQuaternions,
  twistAbout,
  twistAngle,
} from './quaternion.js';
import { type Vec3, vectorAngle } from './vector.js';

const seeds = fc.integer({ min: 1, max: 1e6 });

describe('edges', () => {
  it('a quaternion without a direction becomes the identity', () => {
    for (const q of [
      [0, 0, 0, 0],
      [Number.NaN, 0, 0, 1],
      [Number.POSITIVE_INFINITY, 0, 0, 1],
      [1e-200, 0, 0, 0],
    ]) {
      const out = new Float64Array(4);
      normalizeQuaternion(out, 0, Float64Array.from(q), 0);
      expect([...out]).toEqual([0, 0, 0, 1]);
    }
  });

  it('the shortest arc from a zero vector is the identity', () => {
    const out = new Float64Array(4);
    shortestArc(out, 0, new Float64Array(3), 0, Float64Array.of(1, 2, 3), 0);
    expect([...out]).toEqual([0, 0, 0, 1]);
  });

  it('the shortest arc to the opposite direction is half a turn about a square axis', () => {
    for (const v of [
      [1, 0, 0],
      [0, -2, 0],
      [0, 0, 0.5],
      [1, 1, 1],
      [-3, 1e-9, 4],
    ]) {
      const from = Float64Array.from(v);
      const to = from.map((x) => -x);
      const out = new Float64Array(4);
      shortestArc(out, 0, from, 0, to, 0);
      const turned = turnVector(quatAt(out, 0), v as Vec3);
      expect(vectorAngle(turned, [...to] as Vec3)).toBeLessThan(1e-9);
      expect(Math.abs(out[0]! * v[0]! + out[1]! * v[1]! + out[2]! * v[2]!)).toBeLessThan(1e-12);
    }
  });

  it('the twist is the identity where the axis is turned to its opposite', () => {
    const out = new Float64Array(4);
    twistAbout(out, 0, Float64Array.of(1, 0, 0, 0), 0, Float64Array.of(0, 1, 0), 0);
    expect([...out]).toEqual([0, 0, 0, 1]);
  });
});

describe('products', () => {
  it('multiply, divide and conjugate agree with the definition', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const a = randomTurn(random);
        const b = randomTurn(random);
        const store = new Float64Array(12);
        store.set(a, 0);
        store.set(b, 4);
        multiplyQuaternions(store, 8, store, 0, store, 4);
        expect(angleBetween(quatAt(store, 2), times(a, b))).toBeLessThan(1e-12);
        divideQuaternions(store, 8, store, 0, store, 4);
        expect(angleBetween(quatAt(store, 2), times(inverse(a), b))).toBeLessThan(1e-12);
        conjugateQuaternion(store, 8, store, 0);
        expect(angleBetween(times(quatAt(store, 2), a), [0, 0, 0, 1])).toBeLessThan(1e-12);
      }),
    );
  });

  it('a product turns by the right factor first', () => {
    const store = new Float64Array(11);
    store.set(turn([0, 0, 1], 90 * DEGREES), 0);
    store.set(turn([1, 0, 0], 90 * DEGREES), 4);
    multiplyQuaternions(store, 0, store, 0, store, 4);
    store.set([0, 1, 0], 8);
    rotateVector(store, 8, store, 0, store, 8);
    // y goes to z by the turn about x, and z stays by the turn about z.
    expect([...store.subarray(8)].map((x) => Math.round(x * 1e9) / 1e9 + 0)).toEqual([0, 0, 1]);
  });

  it('turning a vector equals the sandwich product', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const q = randomTurn(random);
        const v: Vec3 = [random() - 0.5, random() - 0.5, random() - 0.5];
        const store = new Float64Array(7);
        store.set(q);
        store.set(v, 4);
        rotateVector(store, 4, store, 0, store, 4);
        turnVector(q, v).forEach((x, c) => {
          expect(store[4 + c]).toBeCloseTo(x, 12);
        });
      }),
    );
  });
});

describe('slerp', () => {
  it('turns at constant speed along the shorter arc, whatever the signs', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
        fc.double({ min: 1e-6, max: 3.1, noNaN: true }),
        fc.boolean(),
        (seed, t, angle, flip) => {
          const random = createRandom(seed);
          const a = randomTurn(random);
          const axis: Vec3 = [random() + 0.1, random() - 0.5, random() - 0.5];
          const b = times(a, turn(axis, angle));
          const sent = flip ? (b.map((x) => -x) as Quat) : b;
          const out = new Float64Array(4);
          slerpQuaternions(out, 0, Float64Array.from(a), 0, Float64Array.from(sent), 0, t);
          expect(angleBetween(quatAt(out, 0), times(a, turn(axis, angle * t)))).toBeLessThan(1e-8);
          expect(Math.hypot(...out)).toBeCloseTo(1, 12);
        },
      ),
    );
  });

  it('meets its ends and stays finite where both are the same or opposite in sign', () => {
    const a = Float64Array.from(turn([1, 2, 3], 1));
    const out = new Float64Array(4);
    for (const b of [a, a.map((x) => -x)])
      for (const t of [0, 0.3, 1]) {
        slerpQuaternions(out, 0, a, 0, b, 0, t);
        expect(quaternionAngle(out, 0, a, 0)).toBeLessThan(1e-12);
      }
  });

  it('half way is the middle, in place too, and the identity where there is nothing to be between', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, flip) => {
        const random = createRandom(seed);
        const a = Float64Array.from(randomTurn(random));
        const b = Float64Array.from(randomTurn(random), (x) => (flip ? -x : x));
        const wanted = new Float64Array(4);
        slerpQuaternions(wanted, 0, a, 0, b, 0, 0.5);
        middleQuaternion(a, 0, a, 0, b, 0);
        wanted.forEach((x, c) => {
          expect(a[c]).toBeCloseTo(x, 12);
        });
      }),
    );
    const out = new Float64Array(4);
    middleQuaternion(out, 0, new Float64Array(4), 0, new Float64Array(4), 0);
    expect([...out]).toEqual([0, 0, 0, 1]);
  });
});

describe('quaternionAngle', () => {
  it('X4: small angles are exact where an arc cosine of the dot product is not', () => {
    for (const angle of [1e-7, 1e-5, 1e-3, 1, 3, Math.PI]) {
      const a = turn([1, -2, 0.5], 0.7);
      const b = times(a, turn([0.2, 1, 1], angle));
      expect(
        Math.abs(quaternionAngle(Float64Array.from(a), 0, Float64Array.from(b), 0) - angle),
      ).toBeLessThan(1e-9);
      const float = (q: Quat) => Float32Array.from(q);
      expect(Math.abs(quaternionAngle(float(a), 0, float(b), 0) - angle)).toBeLessThan(3e-7);
    }
    const [a, b] = [0, 1e-4].map((angle) => Float32Array.from(turn([1, 2, 3], 0.7 + angle)));
    const dot = Math.fround(a!.reduce((sum, x, c) => Math.fround(sum + x * b![c]!), 0));
    expect(Math.abs(2 * Math.acos(Math.min(1, dot)) - 1e-4)).toBeGreaterThan(5e-5);
  });
});

describe('twist', () => {
  it('M7: a turn is swing after twist, the swing square to the axis, and the signed angle is found', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -3100, max: 3100 }), (seed, thousandths) => {
        const angle = thousandths / 1000;
        const random = createRandom(seed);
        const axis: Vec3 = [random() - 0.5, random() - 0.5, random() + 0.1];
        const length = Math.hypot(...axis);
        const unit = Float64Array.from(axis, (x) => x / length);
        // A swing about an axis square to the twist's.
        const square: Vec3 = [unit[1]!, -unit[0]!, 0];
        if (Math.hypot(...square) < 1e-3) return;
        const q = times(turn(square, 2 * random()), turn(axis, angle));
        const out = new Float64Array(4);
        twistAbout(out, 0, Float64Array.from(q), 0, unit, 0);
        expect(angleBetween(quatAt(out, 0), turn(axis, angle))).toBeLessThan(1e-9);
        expect(twistAngle(out, 0, unit, 0)).toBeCloseTo(angle, 8);
        const swing = times(q, inverse(quatAt(out, 0)));
        expect(swing[0] * unit[0]! + swing[1] * unit[1]! + swing[2] * unit[2]!).toBeCloseTo(0, 9);
      }),
    );
  });
});

describe('sign continuity', () => {
  it('R13: neighbours share a hemisphere and no turn is changed', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const quats = Array.from({ length: 20 }, () => {
          const q = randomTurn(random);
          return random() < 0.5 ? q : (q.map((x) => -x) as Quat);
        });
        const values = Float64Array.from(quats.flat());
        makeQuaternionsContinuous(values, 20);
        for (let k = 0; k < 20; k++) {
          expect(angleBetween(quatAt(values, k), quats[k]!)).toBeLessThan(1e-12);
          const [a, b] = [quatAt(values, Math.max(0, k - 1)), quatAt(values, k)];
          expect(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('out may alias the inputs', () => {
  const random = createRandom(7);
  const a = randomTurn(random);
  const b = randomTurn(random);
  const v = [0.3, -0.7, 0.6481];
  // Two operands at 0 and 4, the answer wanted elsewhere, over the first, and over the second.
  const kernels: Record<string, (s: Float64Array, o: number) => void> = {
    multiplyQuaternions: (s, o) => multiplyQuaternions(s, o, s, 0, s, 4),
    divideQuaternions: (s, o) => divideQuaternions(s, o, s, 0, s, 4),
    conjugateQuaternion: (s, o) => conjugateQuaternion(s, o, s, 0),
    normalizeQuaternion: (s, o) => normalizeQuaternion(s, o, s, 0),
    rotateVector: (s, o) => rotateVector(s, o, s, 0, s, 4),
    shortestArc: (s, o) => shortestArc(s, o, s, 0, s, 4),
    quaternionFromAxisAngle: (s, o) => quaternionFromAxisAngle(s, o, s, 4, 1.2),
    slerpQuaternions: (s, o) => slerpQuaternions(s, o, s, 0, s, 4, 0.3),
    twistAbout: (s, o) => twistAbout(s, o, s, 0, s, 4),
  };
  for (const [name, kernel] of Object.entries(kernels))
    it(name, () => {
      const fill = () =>
        Float64Array.from([...a, ...(/Vector|Arc|twist/i.test(name) ? [...v, 0] : b), 0, 0, 0, 0]);
      const size = name === 'rotateVector' ? 3 : 4;
      const apart = fill();
      kernel(apart, 8);
      for (const o of [0, 4]) {
        const over = fill();
        kernel(over, o);
        expect([...over.subarray(o, o + size)]).toEqual([...apart.subarray(8, 8 + size)]);
      }
    });
});
