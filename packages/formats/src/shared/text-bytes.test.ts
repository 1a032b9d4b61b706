import { describe, expect, test } from 'vitest';
import { addFixed, addLetter, addText, bytesOf, createTextBytes } from './text-bytes.js';

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function fixed(value: number, digits: number): string {
  const text = createTextBytes();
  addFixed(text, value, digits);
  return decode(bytesOf(text));
}

/** As toFixed has it, without the sign of zeros. */
function expected(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

describe('text as bytes', () => {
  test('numbers are written as toFixed writes them', () => {
    const wrong: [number, number][] = [];
    const compare = (value: number, digits: number) => {
      if (fixed(value, digits) !== expected(value, digits)) wrong.push([value, digits]);
    };
    const edges = [0, -0, 0.5, 1.5, 2.5, 9.5, 9.9999995, 0.0000005, 1e-9, 999999.9999999, 1e9, 1e12, 1e13];
    const more = [2 ** 43, 2 ** 53, 1e15, 1e21, 1e300, 123456789.98765433, 0.1 + 0.2, 1.005, 8.345];
    for (const size of [...edges, ...more])
      for (const value of [size, -size]) for (let digits = 0; digits <= 12; digits++) compare(value, digits);
    let state = 1;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    for (let n = 0; n < 20_000; n++) {
      const value = (random() - 0.5) * 10 ** Math.floor(16 * random() - 8);
      // Every other one is a tie, or as near to one as numbers come.
      const digits = Math.floor(13 * random());
      const tie = (Math.round(value * 10 ** digits) + 0.5) / 10 ** digits;
      for (const each of [value, tie]) compare(each, digits);
    }
    expect(wrong).toEqual([]);
  });

  test('what is added stands in order, whatever the letters and however long', () => {
    const text = createTextBytes();
    let whole = '';
    for (let n = 0; n < 30_000; n++) {
      addText(text, `näme ${n} 骨`);
      addLetter(text, 10);
      addFixed(text, n / 7, 3);
      whole += `näme ${n} 骨\n${(n / 7).toFixed(3)}`;
    }
    expect(decode(bytesOf(text))).toBe(whole);
  });
});
