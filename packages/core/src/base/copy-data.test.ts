import { describe, expect, it } from 'vitest';
import { copyData, isPlainData, isSameData } from './copy-data.js';

const sample = () => ({
  name: 'figure',
  nothing: null,
  missing: undefined,
  list: [1, 'two', { three: 3 }],
  numbers: Float64Array.of(0, 0.5, Number.NaN),
  hulls: [null, Float32Array.of(1, 2, 3)],
});

describe('copyData and isSameData', () => {
  it('a copy holds the same and shares nothing', () => {
    const original = sample();
    const copy = copyData(original);
    expect(copy).toEqual(original);
    expect(isSameData(copy, original)).toBe(true);
    copy.numbers[1] = 2;
    copy.list.push('four');
    copy.hulls[1]![0] = 7;
    expect(original).toEqual(sample());
  });

  it('any difference is seen', () => {
    const changes: ((data: ReturnType<typeof sample>) => unknown)[] = [
      (data) => ({ ...data, name: 'other' }),
      (data) => ({ ...data, extra: 1 }),
      (data) => ({ ...data, list: [...data.list, 4] }),
      (data) => ({ ...data, list: [1, 'two', { three: 4 }] }),
      (data) => ({ ...data, list: { 0: 1, 1: 'two', 2: { three: 3 } } }),
      (data) => ({ ...data, numbers: Float64Array.of(-0, 0.5, Number.NaN) }),
      (data) => ({ ...data, numbers: Float64Array.of(0, 0.5 + 2 ** -53, Number.NaN) }),
      (data) => ({ ...data, numbers: Float32Array.of(0, 0.5, Number.NaN) }),
      (data) => ({ ...data, numbers: [0, 0.5, Number.NaN] }),
      (data) => ({ ...data, hulls: [null, null] }),
      (data) => ({ name: data.name }),
      ({ missing, ...data }) => ({ ...data, other: missing }),
      (data) => ({ ...data, list: new Map() }),
      () => new Map(),
      () => null,
      () => [],
    ];
    for (const change of changes) {
      expect(isSameData(sample(), change(sample()))).toBe(false);
      expect(isSameData(change(sample()), sample())).toBe(false);
    }
  });

  it('tells plain data from what holds more than it shows', () => {
    expect(isPlainData(sample())).toBe(true);
    for (const odd of [() => 0, new Map(), new Date(), Symbol('odd')])
      expect(isPlainData({ list: [1, { odd }] })).toBe(false);
    expect(isSameData({}, new Map())).toBe(false);
  });

  it('functions are the same where they are one', () => {
    const height = () => 0;
    expect(isSameData({ height }, { height })).toBe(true);
    expect(isSameData({ height }, { height: () => 0 })).toBe(false);
    expect(copyData({ height }).height).toBe(height);
  });
});
