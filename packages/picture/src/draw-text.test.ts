import { describe, expect, test } from 'vitest';
import { drawText, measureText } from './draw-text.js';
import { createImage, type Image } from './image.js';

const INK = [0, 0, 0] as const;

function inked(image: Image): { count: number; left: number; right: number; key: string } {
  let count = 0;
  let left = Infinity;
  let right = -Infinity;
  for (let i = 0; i < image.width * image.height; i++) {
    if (image.data[3 * i]! > 200) continue;
    count++;
    left = Math.min(left, i % image.width);
    right = Math.max(right, i % image.width);
  }
  return { count, left, right, key: image.data.join() };
}

function drawn(text: string, size = 14): ReturnType<typeof inked> {
  const image = createImage(60, 40);
  drawText(image, text, 20, 28, { size, color: INK });
  return inked(image);
}

describe('drawText', () => {
  test('every printable ASCII character but the space has a form of its own', () => {
    const forms = new Map<string, string>();
    for (let code = 33; code < 127; code++) {
      const character = String.fromCharCode(code);
      const { count, key } = drawn(character);
      expect(count, character).toBeGreaterThan(1);
      expect(forms.get(key), `${character} looks as`).toBeUndefined();
      forms.set(key, character);
    }
    expect(drawn(' ').count).toBe(0);
    // The box that stands for characters unknown.
    expect(forms.has(drawn('漢').key)).toBe(false);
    expect(drawn('漢').count).toBeGreaterThan(1);
    for (const extra of '°·×±−–—→≤…') expect(drawn(extra).key, extra).not.toBe(drawn('漢').key);
  });

  test('alignment puts the text left of, around and right of the place', () => {
    const at = (align: 'left' | 'center' | 'right') => {
      const image = createImage(200, 40);
      drawText(image, 'HOHO', 100, 28, { size: 12, color: INK, align });
      return inked(image);
    };
    expect(at('left').left).toBeGreaterThanOrEqual(98);
    expect(at('right').right).toBeLessThanOrEqual(102);
    expect(Math.abs((at('center').left + at('center').right) / 2 - 100)).toBeLessThan(2);
  });

  test('text that is too wide ends in an ellipsis within its room', () => {
    const image = createImage(200, 40);
    drawText(image, 'a very long caption that no cell can hold', 0, 28, {
      size: 12,
      color: INK,
      maxWidth: 90,
    });
    expect(inked(image).right).toBeLessThanOrEqual(92);
    expect(inked(image).right).toBeGreaterThan(60);
  });

  test('longer text is wider, in proportion to the size', () => {
    expect(measureText('ab', 10)).toBeGreaterThan(measureText('a', 10));
    expect(measureText('walk', 20)).toBeCloseTo(2 * measureText('walk', 10), 9);
    expect(measureText('', 10)).toBe(0);
  });

  test('text off the image, of no size or without a room is left out', () => {
    const image = createImage(30, 30);
    drawText(image, 'x', -500, 10, { size: 12, color: INK });
    drawText(image, 'x', 10, 900, { size: 12, color: INK });
    drawText(image, 'x', 10, 20, { size: 0, color: INK });
    drawText(image, 'x', 10, 20, { size: Number.NaN, color: INK });
    drawText(image, 'x', 10, 20, { size: 12, color: INK, maxWidth: 1 });
    expect(inked(image).count).toBe(0);
  });
});
