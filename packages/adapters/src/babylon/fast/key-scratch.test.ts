import { describe, expect, it } from 'vitest';
import { takeScratch } from './key-scratch.js';

describe('takeScratch', () => {
  /** The memory that a call of some size gets. */
  const use = (...lengths: number[]) => {
    const scratch = takeScratch();
    const rooms = lengths.map((length) => scratch.room(length));
    scratch.giveBack();
    return rooms;
  };

  it('gives room of every length asked for, none of it twice', () => {
    for (let k = 0; k < 3; k++) {
      const scratch = takeScratch();
      const rooms = [3, 0, 40, 8].map((length, n) => scratch.room(length).fill(n + 1));
      expect(rooms.map(({ length }) => length)).toEqual([3, 0, 40, 8]);
      rooms.forEach((room, n) => {
        expect(room.every((x) => x === n + 1)).toBe(true);
      });
      scratch.giveBack();
    }
  });

  it('gives the same memory from call to call, but never to two at a time', () => {
    use(100);
    const [before] = use(60, 40);
    expect(use(100)[0]!.buffer).toBe(before!.buffer);
    const outer = takeScratch();
    const [inner] = use(50);
    expect(outer.room(50).buffer).not.toBe(inner!.buffer);
    outer.giveBack();
  });
});
