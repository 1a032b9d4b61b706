import { watchWork } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../fuzz/random/random.js';
import { parseInPieces } from './parse-in-pieces.js';

const NAMES = ['a', '__proto__', '7', 'two words', 'q"uote', 'back\\', '', 'ö', '😀', '[', '},{'];

/** Any JSON, nested a few levels. */
function anything(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.unit() * 10 ** (random.below(20) - 10);
  if (kind < 5) return NAMES[random.below(NAMES.length)]!.repeat(random.below(4));
  const length = random.below(6);
  if (kind === 5) return Array.from({ length }, () => anything(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length }, () => [NAMES[random.below(NAMES.length)]!, anything(random, depth - 1)]),
  );
}

/** What a parser gives, or that it refuses. */
function outcome(parse: () => unknown): string {
  try {
    return JSON.stringify(parse());
  } catch (cause) {
    return cause instanceof SyntaxError ? cause.message : `thrown: ${String(cause)}`;
  }
}

describe('JSON in pieces', () => {
  it('is what the built-in parser gives, however small the pieces, order of names and all', () => {
    const random = createRandom(1, 0);
    for (let n = 0; n < 2000; n++) {
      const value = anything(random, 5);
      const text = random.chance(0.5) ? JSON.stringify(value) : JSON.stringify(value, null, 3);
      for (const atOnce of [0, 1, 7, 30, 200])
        expect(JSON.stringify(parseInPieces(text, atOnce))).toBe(outcome(() => JSON.parse(text)));
    }
    expect(parseInPieces('{"a":1,"b":[2],"a":[3,4]}', 2)).toEqual({ a: [3, 4], b: [2] });
    expect(Object.getPrototypeOf(parseInPieces('{"__proto__":{"x":1},"y":2}', 2))).toBe(Object.prototype);
  });

  it('refuses what the built-in parser refuses, with its words', () => {
    const random = createRandom(2, 0);
    for (let n = 0; n < 4000; n++) {
      const whole = JSON.stringify(anything(random, 5));
      const at = random.below(whole.length + 1);
      const damaged = [
        whole.slice(0, at),
        whole.slice(0, at) + whole.slice(at + 1),
        `${whole.slice(0, at)}${'{}[],:"\\ x0'[random.below(11)]}${whole.slice(at)}`,
      ][random.below(3)]!;
      for (const atOnce of [0, 1, 12])
        expect(outcome(() => parseInPieces(damaged, atOnce))).toBe(outcome(() => JSON.parse(damaged)));
    }
    for (const text of [
      '[[1,2,3],]',
      '[,[1,2,3]]',
      '{"a":[1,2,3],}',
      '{,"a":[1,2,3]}',
      '[[1,2,3],,4]',
      '{"a"}',
      '{1:[1,2]}',
    ])
      expect(
        outcome(() => parseInPieces(text, 0)),
        text,
      ).toBe(outcome(() => JSON.parse(text)));
  });

  it('lets whoever watches in, many times in a long text, and is not much slower', () => {
    const channel = { sampler: 12, target: { node: 7, path: 'rotation' } };
    const text = JSON.stringify({
      animations: [{ channels: Array.from({ length: 200_000 }, () => channel) }],
    });
    let told = 0;
    const read = watchWork(
      () => told++,
      1,
      () => parseInPieces(text),
    ) as { animations: [{ channels: unknown[] }] };
    expect(read.animations[0].channels).toHaveLength(200_000);
    // Fourteen megabytes: about one piece a megabyte.
    expect(told).toBeGreaterThan(text.length / 4_000_000);
  });
});
