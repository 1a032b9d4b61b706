import { describe, expect, it } from 'vitest';
import { bandOf, lowBand, scaleBand } from './filter-band.js';

const RATE = 60;
const wave = (frequency: number) =>
  Float64Array.from({ length: 600 }, (_, k) => Math.sin((2 * Math.PI * frequency * k) / RATE));
const power = (values: Float64Array) => values.slice(150, 450).reduce((sum, x) => sum + x * x, 0) / 300;

describe('bands of a motion (M11)', () => {
  it('keep what is inside and drop what is outside; half the power at the cut-off', () => {
    expect(power(lowBand(wave(0.2), 1, RATE, 2)) / power(wave(0.2))).toBeGreaterThan(0.97);
    expect(power(lowBand(wave(2), 1, RATE, 2)) / power(wave(2))).toBeCloseTo(0.5, 1);
    expect(power(lowBand(wave(12), 1, RATE, 2)) / power(wave(12))).toBeLessThan(1e-6);
    expect(power(bandOf(wave(3), 1, RATE, [0.5, 12])) / power(wave(3))).toBeGreaterThan(0.85);
    expect(power(bandOf(wave(0.05), 1, RATE, [1, 12])) / power(wave(0.05))).toBeLessThan(0.01);
  });

  it('add up to the motion again, and keep straight lines', () => {
    const values = Float64Array.from({ length: 100 }, (_, k) => 0.1 * k);
    const low = lowBand(values, 1, RATE, 2);
    values.forEach((x, k) => {
      expect(low[k]).toBeCloseTo(x, 9);
    });
    const parts = [
      [0, 1],
      [1, 5],
      [5, 1000],
    ].map((band) => bandOf(wave(3), 1, RATE, band as [number, number]));
    const mean = wave(3).reduce((sum, x) => sum + x, 0) / 600;
    wave(3).forEach((x, k) => {
      expect(parts.reduce((sum, part) => sum + part[k]!, mean)).toBeCloseTo(x, 9);
    });
  });

  it('of rotations are taken out, left alone or doubled', () => {
    const rotations = (slow: number, quick: number) =>
      Float64Array.from({ length: 4 * 300 }, (_, i) => {
        const t = Math.floor(i / 4) / RATE;
        const angle = slow * Math.sin(2 * Math.PI * 0.4 * t) + quick * Math.sin(2 * Math.PI * 6 * t);
        return [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)][i % 4]!;
      });
    const scaled = rotations(0.5, 0.1);
    scaleBand(scaled, RATE, [3, 20], 1);
    scaled.forEach((x, i) => {
      expect(x).toBeCloseTo(rotations(0.5, 0.1)[i]!, 9);
    });
    const calm = rotations(0.5, 0.1);
    scaleBand(calm, RATE, [2, 30], 0);
    const wild = rotations(0.5, 0.1);
    scaleBand(wild, RATE, [2, 30], 2);
    for (let k = 60; k < 240; k++) {
      expect(Math.abs(calm[4 * k]! - rotations(0.5, 0)[4 * k]!)).toBeLessThan(0.02);
      expect(Math.abs(wild[4 * k]! - rotations(0.5, 0.2)[4 * k]!)).toBeLessThan(0.02);
    }
  });
});
