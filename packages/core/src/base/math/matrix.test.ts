import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, quatAt, randomTurn, turnVector } from '../../../test/tiny-rigs.js';
import {
  composeMatrix,
  createMatrix,
  decomposeMatrix,
  invertMatrix,
  multiplyMatrices,
  quaternionFromAxes,
  transformPoint,
} from './matrix.js';
import { quaternionAngle } from './quaternion.js';
import type { Vec3 } from './vector.js';

const seeds = fc.integer({ min: 1, max: 1e6 });

function randomParts(seed: number, mirror = false) {
  const random = createRandom(seed);
  return {
    translation: Float64Array.of(random() - 0.5, random() - 0.5, random() - 0.5),
    rotation: Float64Array.from(randomTurn(random)),
    scale: Float64Array.of((mirror ? -1 : 1) * (0.3 + random()), 0.3 + random(), 0.3 + random()),
    point: [random() - 0.5, random() - 0.5, random() - 0.5] as Vec3,
  };
}

function compose({ translation, rotation, scale }: ReturnType<typeof randomParts>): Float64Array {
  const m = createMatrix();
  composeMatrix(m, 0, translation, 0, rotation, 0, scale, 0);
  return m;
}

describe('composeMatrix', () => {
  it('W2: a local matrix is T · R · S: scales first, then turns, then moves', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, mirror) => {
        const parts = randomParts(seed, mirror);
        const out = new Float64Array(3);
        transformPoint(out, 0, compose(parts), 0, Float64Array.from(parts.point), 0);
        const scaled = parts.point.map((x, c) => x * parts.scale[c]!) as Vec3;
        turnVector(quatAt(parts.rotation, 0), scaled).forEach((x, c) => {
          expect(out[c]).toBeCloseTo(x + parts.translation[c]!, 12);
        });
      }),
    );
  });
});

describe('multiplyMatrices', () => {
  it('W2: moving by a product is moving by the right factor, then by the left', () => {
    fc.assert(
      fc.property(seeds, seeds, (s1, s2) => {
        const a = compose(randomParts(s1));
        const b = compose(randomParts(s2, true));
        const p = Float64Array.from(randomParts(s1 + 1).point);
        const inTwoSteps = new Float64Array(3);
        transformPoint(inTwoSteps, 0, b, 0, p, 0);
        transformPoint(inTwoSteps, 0, a, 0, inTwoSteps, 0);
        const product = createMatrix();
        multiplyMatrices(product, 0, a, 0, b, 0);
        const atOnce = new Float64Array(3);
        transformPoint(atOnce, 0, product, 0, p, 0);
        for (let c = 0; c < 3; c++) expect(atOnce[c]).toBeCloseTo(inTwoSteps[c]!, 12);
      }),
    );
  });
});

describe('invertMatrix', () => {
  it('undoes translation, rotation, non-uniform scale and mirrors', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, mirror) => {
        const m = compose(randomParts(seed, mirror));
        const inverse = createMatrix();
        expect(invertMatrix(inverse, 0, m, 0)).toBe(true);
        multiplyMatrices(inverse, 0, inverse, 0, m, 0);
        createMatrix().forEach((x, n) => {
          expect(inverse[n]).toBeCloseTo(x, 9);
        });
      }),
    );
  });

  it('says so and gives the identity where space is flattened or nothing is finite', () => {
    const flat = compose({ ...randomParts(3), scale: Float64Array.of(1, 0, 1) });
    const broken = createMatrix().fill(Number.NaN);
    for (const m of [flat, broken]) {
      const out = new Float64Array(16);
      expect(invertMatrix(out, 0, m, 0)).toBe(false);
      expect([...out]).toEqual([...createMatrix()]);
    }
  });
});

describe('decomposeMatrix', () => {
  it('W11: gives back what was composed', () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, mirror) => {
        const parts = randomParts(seed, mirror);
        const [translation, rotation, scale] = [3, 4, 3].map((n) => new Float64Array(n)) as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        decomposeMatrix(translation, 0, rotation, 0, scale, 0, compose(parts), 0);
        for (let c = 0; c < 3; c++) {
          expect(translation[c]).toBeCloseTo(parts.translation[c]!, 12);
          expect(scale[c]).toBeCloseTo(parts.scale[c]!, 9);
        }
        expect(quaternionAngle(rotation, 0, parts.rotation, 0)).toBeLessThan(1e-7);
      }),
    );
  });

  it('WP8: under shear no decomposition can be right, which is why rotations travel as quaternions', () => {
    const parent = compose({ ...randomParts(5), scale: Float64Array.of(1, 3, 0.4) });
    const child = compose({ ...randomParts(9), scale: Float64Array.of(1, 1, 1) });
    const product = createMatrix();
    multiplyMatrices(product, 0, parent, 0, child, 0);
    const [t, r, s] = [3, 4, 3].map((n) => new Float64Array(n)) as [Float64Array, Float64Array, Float64Array];
    decomposeMatrix(t, 0, r, 0, s, 0, product, 0);
    const again = createMatrix();
    composeMatrix(again, 0, t, 0, r, 0, s, 0);
    expect(Math.max(...again.map((x, n) => Math.abs(x - product[n]!)))).toBeGreaterThan(0.1);
    expect(Math.hypot(...r)).toBeCloseTo(1, 9);
  });

  it('completes the rotation where one scale is zero and stays finite where several are', () => {
    for (const scale of [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]) {
      const parts = { ...randomParts(11), scale: Float64Array.from(scale) };
      const [t, r, s] = [3, 4, 3].map((n) => new Float64Array(n)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      decomposeMatrix(t, 0, r, 0, s, 0, compose(parts), 0);
      expect([...t, ...r, ...s].every(Number.isFinite)).toBe(true);
      if (scale.filter((x) => x === 0).length === 1)
        expect(quaternionAngle(r, 0, parts.rotation, 0)).toBeLessThan(1e-7);
    }
  });
});

describe('quaternionFromAxes', () => {
  it('finds the turn from its three axes, in every branch', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const q = randomTurn(createRandom(seed));
        const axes = (
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ] as Vec3[]
        ).flatMap((axis) => turnVector(q, axis)) as number[];
        const out = new Float64Array(4);
        const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = axes;
        quaternionFromAxes(out, 0, xx!, xy!, xz!, yx!, yy!, yz!, zx!, zy!, zz!);
        expect(quaternionAngle(out, 0, Float64Array.from(q), 0)).toBeLessThan(1e-7);
      }),
      { numRuns: 300 },
    );
  });
});

describe('out may alias the inputs', () => {
  const a = compose(randomParts(21));
  const b = compose(randomParts(22, true));
  const fill = () => Float64Array.from([...a, ...b, ...new Array<number>(16).fill(0)]);
  it('multiplyMatrices', () => {
    const apart = fill();
    multiplyMatrices(apart, 32, apart, 0, apart, 16);
    for (const o of [0, 16]) {
      const over = fill();
      multiplyMatrices(over, o, over, 0, over, 16);
      expect([...over.subarray(o, o + 16)]).toEqual([...apart.subarray(32)]);
    }
  });
  it('invertMatrix', () => {
    const apart = fill();
    invertMatrix(apart, 32, apart, 0);
    const over = fill();
    invertMatrix(over, 0, over, 0);
    expect([...over.subarray(0, 16)]).toEqual([...apart.subarray(32)]);
  });
  it('transformPoint', () => {
    const p = Float64Array.of(1, 2, 3, 0, 0, 0);
    transformPoint(p, 3, a, 0, p, 0);
    transformPoint(p, 0, a, 0, p, 0);
    expect([...p.subarray(0, 3)]).toEqual([...p.subarray(3)]);
  });
});
