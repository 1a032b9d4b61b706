import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { blendPixel, createImage, fillRectangle, writePng } from './image.js';

describe('createImage', () => {
  test.each([
    [0, 10],
    [10, -1],
    [2.5, 10],
    [Number.NaN, 10],
    [1e6, 1e6],
  ])('says that %d × %d is no size', (width, height) => {
    expect(() => createImage(width, height)).toThrow(`image size is ${width} × ${height}`);
  });
});

describe('fillRectangle', () => {
  test('fills the inside, leaves the outside and rounds the corners', () => {
    const image = createImage(40, 30, [255, 255, 255]);
    fillRectangle(image, { x: 5, y: 5, width: 30, height: 20 }, [0, 0, 0], 8);
    const at = (x: number, y: number) => image.data[3 * (y * 40 + x)];
    expect(at(20, 15)).toBe(0);
    expect(at(20, 5)).toBe(0);
    expect(at(5, 15)).toBe(0);
    expect(at(5, 5)).toBe(255);
    expect(at(34, 24)).toBe(255);
    expect(at(4, 15)).toBe(255);
    expect(at(20, 25)).toBe(255);
  });

  test('may reach outside of the image', () => {
    const image = createImage(10, 10);
    fillRectangle(image, { x: -50, y: -50, width: 200, height: 200 }, [1, 2, 3]);
    expect([...image.data.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect([...image.data.subarray(-3)]).toEqual([1, 2, 3]);
  });
});

describe('blendPixel', () => {
  test('lays over by coverage, and passes over what is outside or no number', () => {
    const image = createImage(2, 1, [100, 100, 100]);
    blendPixel(image, 0, 0, [200, 200, 200], 0.5);
    blendPixel(image, 1, 0, [200, 200, 200], Number.NaN);
    blendPixel(image, 2, 0, [200, 200, 200], 1);
    blendPixel(image, 0, 1, [200, 200, 200], 1);
    expect([...image.data]).toEqual([150, 150, 150, 100, 100, 100]);
  });
});

describe('writePng', () => {
  test('the file gives the same pixels back', () => {
    const image = createImage(7, 5);
    image.data.forEach((_, i) => {
      image.data[i] = (i * 37) % 256;
    });
    const decoded = decode(writePng(image));
    expect([decoded.width, decoded.height, decoded.channels, decoded.depth]).toEqual([7, 5, 3, 8]);
    expect([...decoded.data]).toEqual([...image.data]);
  });
});
