import { decode, encode } from 'fast-png';
import { expect, it } from 'vitest';
import { movingPicture } from './moving-picture.mjs';

const picture = (level: number, width = 4) =>
  Buffer.from(encode({ width, height: 2, channels: 3, data: new Uint8Array(6 * width).fill(level) }));

it('a moving picture is one that every reader of PNG shows, with its frames and their order in it', () => {
  const moving = movingPicture([picture(10), picture(20), picture(30)], 12);
  const still = decode(moving);
  expect([still.width, still.height, still.data[0]]).toEqual([4, 2, 10]);
  const text = moving.toString('latin1');
  expect(text.match(/fcTL/g)).toHaveLength(3);
  expect(text.match(/fdAT/g)!.length).toBeGreaterThanOrEqual(2);
  const numbers = [...text.matchAll(/fcTL|fdAT/g)].map(({ index }) => moving.readUInt32BE(index + 4));
  expect(numbers).toEqual(numbers.map((_, n) => n));
});

it('refuses frames of another size', () => {
  expect(() => movingPicture([picture(1), picture(1, 5)], 12)).toThrow('frame 1 is of another size');
});
