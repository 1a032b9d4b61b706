import { describe, expect, it } from 'vitest';
import { digest } from './digest.js';

describe('digest', () => {
  it('tells apart what is not the same, down to a bit and a type', () => {
    const values = [
      null,
      undefined,
      false,
      '',
      '0',
      0,
      -0,
      1,
      1 + Number.EPSILON,
      Number.NaN,
      [],
      [[]],
      ['a', 'b'],
      ['b', 'a'],
      ['ab'],
      {},
      { a: 1 },
      { a: 1, b: 2 },
      { a: { b: 2 } },
      new Float32Array([1]),
      new Float64Array([1]),
      new Uint8Array(new Float32Array([1]).buffer),
      new Float32Array([1, 0]),
      new Float32Array([1, -0]),
    ];
    expect(new Set(values.map(digest)).size).toBe(values.length);
  });

  it('takes for the same what is: entries in another order, entries that are undefined, parts of larger buffers', () => {
    expect(digest({ a: 1, b: [2] })).toBe(digest({ b: [2], c: undefined, a: 1 }));
    expect(digest(new Float32Array([0, 1, 2]).subarray(1))).toBe(digest(new Float32Array([1, 2])));
    const payload = new Float32Array(new Uint32Array([0x7fc00001]).buffer);
    expect(digest(payload)).toBe(digest(new Float32Array([Number.NaN])));
  });

  it('refuses what is no plain data, and says where it is', () => {
    expect(() => digest({ a: [0, () => 1] })).toThrow(/^\.a\[1\] is .* no plain data$/);
    expect(() => digest(new Map())).toThrow(/^the value is \[object Map\], which is no plain data$/);
  });
});
