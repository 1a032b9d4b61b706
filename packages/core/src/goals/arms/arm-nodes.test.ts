import { describe, expect, it } from 'vitest';
import { type ArmSpan, nodesOf, spreadFound } from './arm-nodes.js';

const OPEN: ArmSpan = { first: 0, last: 40, isOpen: [true, true] };
const WITHIN: ArmSpan = { first: 5, last: 40, isOpen: [false, false] };

/** Per node the same function of its frame four times. */
const foundIn = ({ begin, count, stride }: ReturnType<typeof nodesOf>, of: (frame: number) => number) =>
  Float64Array.from({ length: 4 * count }, (_, i) => of(begin + stride * Math.floor(i / 4)));

function spread(span: ArmSpan, stride: number, of: (frame: number) => number): number[] {
  const [nodes, all] = [nodesOf(span, stride), nodesOf(span, 1)];
  const out = new Float64Array(4 * all.count);
  spreadFound(out, all, foundIn(nodes, of), nodes, span.isOpen);
  return Array.from({ length: all.count }, (_, f) => out[4 * f]!);
}

describe('nodesOf', () => {
  it('with a stride of 1 every frame of a span is a node', () => {
    expect(nodesOf(WITHIN, 1)).toEqual({ begin: 5, count: 36, stride: 1 });
    expect(nodesOf(OPEN, 1)).toEqual({ begin: 0, count: 41, stride: 1 });
  });

  it('all spans have nodes in the same frames, and a clip that ends in one has a node there or beyond', () => {
    for (let first = 1; first < 8; first++)
      for (let last = 30; last < 36; last++)
        for (const isOpen of [
          [false, false],
          [false, true],
        ] as const) {
          const { begin, count } = nodesOf({ first, last, isOpen }, 3);
          const end = begin + 3 * (count - 1);
          expect(begin % 3).toBe(0);
          expect(begin - 3).toBeGreaterThanOrEqual(first - 1);
          if (isOpen[1]) expect(end >= last && end < last + 3).toBe(true);
          else expect(end + 3).toBeLessThanOrEqual(last + 1);
        }
  });

  it('a clip of one frame has one', () => {
    expect(nodesOf({ first: 0, last: 0, isOpen: [true, true] }, 3).count).toBe(1);
  });
});

describe('spreadFound', () => {
  it('is exact for what changes evenly, up to both ends of a clip', () => {
    spread(OPEN, 3, (frame) => 0.1 * frame - 1).forEach((value, f) => {
      expect(value).toBeCloseTo(0.1 * f - 1, 12);
    });
  });

  it('comes from nothing and goes to nothing without a leap or a kink', () => {
    const values = [0, ...spread(WITHIN, 3, () => 1), 0];
    expect(values.some((value) => value === 1)).toBe(true);
    const steps = values.slice(1).map((value, f) => value - values[f]!);
    for (const step of steps) expect(Math.abs(step)).toBeLessThan(0.55);
    expect(Math.abs(steps[0]!)).toBeLessThan(0.3);
    expect(Math.abs(steps.at(-1)!)).toBeLessThan(0.3);
  });

  it('goes through what was found', () => {
    const values = spread(OPEN, 3, (frame) => ((frame * 7) % 11) - 5);
    for (let f = 0; f <= 39; f += 3) expect(values[f]).toBeCloseTo(((f * 7) % 11) - 5, 12);
  });
});
