import { describe, expect, it } from 'vitest';
import { readStandardInput } from './standard-streams.js';

/** Standard input that gives so many bytes, at most a thousand at once; then it ends. */
function inputOf(length: number): (piece: Uint8Array) => number {
  let left = length;
  return (piece) => {
    const count = Math.min(1000, left, piece.length);
    piece.fill(7, 0, count);
    left -= count;
    return count;
  };
}

describe('standard input', () => {
  it('is read whole, in the pieces that come', () => {
    expect(readStandardInput(inputOf(2500))).toEqual(new Uint8Array(2500).fill(7));
  });

  it('is refused where it is empty, breaks or goes on without end', () => {
    expect(() => readStandardInput(inputOf(0))).toThrow('standard input is empty');
    expect(() => readStandardInput(inputOf(Number.POSITIVE_INFINITY), 5000)).toThrow('more than 5000 bytes');
    const broken = () => {
      throw new Error('EAGAIN');
    };
    expect(() => readStandardInput(broken)).toThrow('cannot read standard input');
  });
});
