import { describe, expect, it } from 'vitest';
import { readGif } from '../test/read-gif.js';
import { writeGif } from './gif.js';
import { createImage, fillRectangle, type Image } from './image.js';

const differing = (a: Image, b: Image) =>
  a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i]!)), 0);

describe('writeGif', () => {
  it('is read back as it was drawn: few colours nearly so, and what moves where it moves', () => {
    const frames = Array.from({ length: 5 }, (_, k) => {
      const image = createImage(70, 50, [240, 238, 230]);
      fillRectangle(image, { x: 5 + 9 * k, y: 10, width: 20, height: 25 }, [200, 60, 40]);
      return image;
    });
    const read = readGif(writeGif(frames, 15));
    expect(read.frames.length).toBe(5);
    expect(read.delays.reduce((a, b) => a + b)).toBe(33);
    read.frames.forEach((frame, k) => {
      expect(differing(frame, frames[k]!)).toBeLessThanOrEqual(8);
    });
    expect(read.isEndless).toBe(true);
  });

  it('holds smooth pictures of more colours than its palette within a few steps of each', () => {
    const image = createImage(256, 64);
    for (let y = 0; y < 64; y++)
      for (let x = 0; x < 256; x++) image.data.set([x, 255 - x, 4 * y], 3 * (256 * y + x));
    const [frame] = readGif(writeGif([image], 10)).frames;
    let sum = 0;
    frame!.data.forEach((value, i) => {
      sum += Math.abs(value - image.data[i]!);
    });
    expect(sum / image.data.length).toBeLessThan(8);
  });

  it('packs noise, whose codes fill the table again and again, without a fault', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    const image = createImage(200, 150);
    for (let i = 0; i < image.data.length; i += 3) image.data.fill(random() < 0.5 ? 0 : 255, i, i + 3);
    const [frame] = readGif(writeGif([image], 10)).frames;
    expect(differing(frame!, image)).toBeLessThanOrEqual(8);
  });

  it('a picture that stands still costs next to nothing a frame', () => {
    const image = createImage(300, 200, [10, 200, 90]);
    const one = writeGif([image], 10).length;
    expect(writeGif([image, image, image, image], 10).length).toBeLessThan(one + 100);
  });

  it('refuses no frames, and frames of two sizes', () => {
    expect(() => writeGif([], 10)).toThrow('at least one frame');
    expect(() => writeGif([createImage(2, 2), createImage(2, 3)], 10)).toThrow('of one size');
  });
});
