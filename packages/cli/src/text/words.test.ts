import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import {
  axisOf,
  bytes,
  counted,
  degrees,
  directionWords,
  percent,
  short,
  toldLines,
  uniqueWarnings,
} from './words.js';

const plain = { colors: pc.createColors(false) };

describe('words', () => {
  it('calls a direction by its axis within 1°, else gives the unit vector', () => {
    expect(axisOf([0, 0, 1])).toBe('+Z');
    expect(axisOf([0, -3, 0])).toBe('-Y');
    const tilted = (angle: number): [number, number, number] => [
      0,
      Math.cos((angle * Math.PI) / 180),
      Math.sin((angle * Math.PI) / 180),
    ];
    expect(axisOf(tilted(0.9))).toBe('+Y');
    const off = axisOf(tilted(1.1));
    expect(off).toBeInstanceOf(Array);
    expect(Math.hypot(...(off as number[]))).toBeCloseTo(1, 12);
    expect(directionWords([0, Math.SQRT1_2, Math.SQRT1_2])).toBe('(0.00, 0.71, 0.71)');
  });

  it('says numbers as people read them', () => {
    expect(counted(1, 'joint')).toBe('1 joint');
    expect(counted(12345, 'key')).toBe('12,345 keys');
    expect(degrees(1e-9)).toBe('0.000°');
    expect(degrees(12.345, 1)).toBe('12.3°');
    expect(degrees(Number.NaN)).toBe('–');
    expect(percent(0.954)).toBe('95 %');
    expect(short(1.73205)).toBe('1.73');
    expect([bytes(12), bytes(12_345), bytes(1_234_567)]).toEqual(['12 B', '12 kB', '1.2 MB']);
  });

  it('says each warning once, under its code, and counts what it does not list', () => {
    const many = Array.from(
      { length: 9 },
      (_, i) => ({ code: 'file-repaired', message: `no. ${i}` }) as const,
    );
    expect(uniqueWarnings([...many, ...many])).toHaveLength(9);
    const lines = toldLines([...many, { code: 'no-hips', message: 'x' }], plain);
    expect(lines[0]).toBe('10 warnings');
    expect(lines.filter((line) => line.includes('no. '))).toHaveLength(5);
    expect(lines.some((line) => line.includes('and 4 more'))).toBe(true);
    expect(toldLines([], plain)).toEqual([]);
    const both = toldLines(
      [
        { code: 'unit-guessed', message: 'cm' },
        { code: 'no-hips', message: 'x' },
      ],
      plain,
    );
    expect(both).toEqual(['1 warning', '  no-hips', '    x', '', '1 note', '  unit-guessed', '    cm']);
  });
});
