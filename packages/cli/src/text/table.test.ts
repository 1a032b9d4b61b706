import { printable } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { cut, layOut, widthOf } from './table.js';

describe('table', () => {
  it('puts cells in columns as wide as their widest, without spaces at the ends', () => {
    expect(
      layOut(
        [
          ['a', '1', 'x'],
          ['long', '100', ''],
        ],
        [{}, { align: 'right' }],
      ),
    ).toEqual(['a       1  x', 'long  100']);
  });

  it('measures text as it is shown, not as it is painted or stored', () => {
    expect(widthOf('左腕')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    const paint = (text: string) => `<<${text}>>`;
    expect(
      layOut([
        [{ text: '左', paint }, 'x'],
        ['ab', 'y'],
      ]),
    ).toEqual(['<<左>>  x', 'ab  y']);
  });

  it('cuts what is too long and says so', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('左腕x', 4)).toBe('左…');
    expect(cut('abcd', 4)).toBe('abcd');
    expect(layOut([['abcdef', '!']], [{ most: 3 }])).toEqual(['ab…  !']);
  });

  it('lets no name from a file move the cursor', () => {
    expect(printable('a\u001b[2Jb\n')).toBe('a·[2Jb·');
    expect(layOut([['a\u001b[2J\nb']])[0]).toBe('a·[2J·b');
  });

  it('takes very many rows', () => {
    expect(layOut(Array.from({ length: 200_000 }, (_, i) => [String(i), 'x'])).at(-1)).toBe('199999  x');
  });

  it('takes no rows', () => {
    expect(layOut([])).toEqual([]);
    expect(layOut([[]])).toEqual(['']);
  });
});
