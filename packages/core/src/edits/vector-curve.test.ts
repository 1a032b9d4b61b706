import { describe, expect, it } from 'vitest';
import { CURVE_EASES, type CurveEase } from '../base/math/easing.js';
import { compileCurve, sampleVector } from './vector-curve.js';

const KEYS = [0, 0.4, 1, 1.3, 2].map((time, n) => ({ time, values: [Math.sin(3 * n), n * n] }));
const curveOf = (ease: CurveEase) =>
  compileCurve(
    KEYS.map((key) => ({ ...key, ease })),
    2,
  );
const at = (curve: ReturnType<typeof curveOf>, time: number) => {
  const out = new Float64Array(2);
  sampleVector(out, 0, curve, time);
  return out[0]!;
};

describe('curves', () => {
  it('go through their keys and stand still outside, however they are eased', () => {
    for (const ease of CURVE_EASES) {
      const curve = curveOf(ease);
      for (const { time, values } of KEYS) expect(at(curve, time)).toBeCloseTo(values[0]!, 12);
      expect([at(curve, -5), at(curve, 7)]).toEqual([KEYS[0]!.values[0], KEYS[4]!.values[0]]);
    }
  });

  it('as splines have no jump of slope or of its slope at any key, and no slope at both ends', () => {
    const curve = curveOf('spline');
    const h = 1e-4;
    const slope = (time: number) => (at(curve, time + h) - at(curve, time - h)) / (2 * h);
    const bend = (time: number) => (at(curve, time + h) - 2 * at(curve, time) + at(curve, time - h)) / h ** 2;
    for (const time of [0.4, 1, 1.3]) {
      expect(slope(time - 2 * h)).toBeCloseTo(slope(time + 2 * h), 1);
      // Second derivatives from both sides differ by what the third makes of 8 h.
      expect(Math.abs(bend(time - 4 * h) - bend(time + 4 * h))).toBeLessThan(0.2);
    }
    // Linear pieces bend at their keys, without end as h falls.
    const straight = curveOf('linear');
    const kink = (at(straight, 1 + h) - 2 * at(straight, 1) + at(straight, 1 - h)) / h ** 2;
    expect(Math.abs(kink)).toBeGreaterThan(1000);
    expect(Math.abs((at(curve, h) - at(curve, 0)) / h)).toBeLessThan(1e-2);
    expect(Math.abs((at(curve, 2) - at(curve, 2 - h)) / h)).toBeLessThan(1e-2);
  });

  it('step with the key, and may have two keys at one time', () => {
    const step = curveOf('step');
    expect(at(step, 0.999)).toBe(KEYS[1]!.values[0]);
    expect(at(step, 1)).toBe(KEYS[2]!.values[0]);
    const twice = compileCurve(
      [0, 1, 1, 2].map((time, n) => ({ time, values: [n, 0], ease: 'spline' as const })),
      2,
    );
    for (const time of [0, 0.5, 1, 1.5, 2]) expect(Number.isFinite(at(twice, time))).toBe(true);
    expect(at(twice, 1)).toBe(2);
  });
});
