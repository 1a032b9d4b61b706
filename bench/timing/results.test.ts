import { expect, it } from 'vitest';
import { addToResults, type BakeResult, formatBake } from './results.js';

const result: BakeResult = {
  ours: [
    { name: 'key core', milliseconds: 2, floor: 'key floor' },
    { name: 'frame core', milliseconds: 4, floor: 'frame floor' },
  ],
  others: [
    { name: 'babylon', milliseconds: 300 },
    { name: 'key floor', milliseconds: 1.6 },
    { name: 'frame floor', milliseconds: 2.5 },
  ],
};

it('prints one line per rival of each core that ends in the ratio', () => {
  expect(formatBake(result).map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
    'key core 2.00 ms',
    'babylon 300 ms key core is faster by 150×',
    'key floor 1.60 ms key core takes 1.25×',
    'frame core 4.00 ms',
    'babylon 300 ms frame core is faster by 75.0×',
    'frame floor 2.50 ms frame core takes 1.60×',
  ]);
});

it('keeps the rows of other releases and replaces those of its own', () => {
  const first = addToResults('', { release: '0.1.0', date: '2026-01-01', node: '20.1.0' }, result);
  const second = addToResults(first, { release: '0.2.0', date: '2026-02-01', node: '20.1.0' }, result);
  const again = addToResults(second, { release: '0.2.0', date: '2026-03-01', node: '22.1.0' }, result);
  const rows = (text: string) => text.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows(first)).toHaveLength(4);
  expect(rows(second)).toEqual([...rows(first), ...rows(second).slice(4)]);
  expect(rows(again).slice(0, 4)).toEqual(rows(first));
  expect(rows(again)[4]).toBe('| 0.2.0 | 2026-03-01 | 22.1.0 | key core | 2.00 | babylon | 300 | 150× |');
  expect(again.match(/^# /gm)).toHaveLength(1);
});
