import { describe, expect, it } from 'vitest';
import { borrow, lendRoom } from './lend-room.js';

describe('lendRoom', () => {
  it('lends the same room again, and all of it is 0', () => {
    const fill = () => lendRoom(() => borrow(100).fill(7));
    fill();
    const second = fill();
    const third = lendRoom(() => borrow(100));
    expect(third.buffer).toBe(second.buffer);
    expect(third.every((number) => number === 0)).toBe(true);
  });

  it('lends nothing twice at a time', () => {
    lendRoom(() => [borrow(50), borrow(50)]);
    lendRoom(() => {
      const first = borrow(50).fill(1);
      const inner = lendRoom(() => borrow(20).fill(2));
      const second = borrow(50).fill(3);
      expect(first.every((number) => number === 1)).toBe(true);
      expect(second.every((number) => number === 3)).toBe(true);
      expect(inner).toHaveLength(20);
    });
  });

  it('takes back what was borrowed by work that fails', () => {
    lendRoom(() => borrow(100));
    const fail = () =>
      lendRoom(() => {
        borrow(100);
        throw new Error('stopped');
      });
    expect(fail).toThrow('stopped');
    const first = lendRoom(() => borrow(100));
    const second = lendRoom(() => borrow(100));
    expect(second.byteOffset).toBe(first.byteOffset);
  });

  it('gives what is kept where nobody takes it back', () => {
    const own = borrow(10).fill(1);
    lendRoom(() => borrow(10).fill(2));
    expect(own.every((number) => number === 1)).toBe(true);
  });

  it('does not keep all that a very long clip needs', () => {
    const many = lendRoom(() => borrow(1 << 22));
    expect(many).toHaveLength(1 << 22);
    const again = lendRoom(() => borrow(1 << 22));
    expect(again.buffer).not.toBe(lendRoom(() => borrow(8)).buffer);
  });
});
