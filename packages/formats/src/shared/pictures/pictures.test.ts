import { decode, encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { carryPicture } from './carry-picture.js';
import { pictureKind } from './picture-kind.js';
import { readBmp } from './read-bmp.js';
import { readTga } from './read-tga.js';
import { writePng } from './write-png.js';

/** A TGA of 2 × 2: red, green above blue, white. */
function tga(
  change: Partial<{
    type: number;
    bits: number;
    descriptor: number;
    body: number[];
    palette: number[];
    size: number[];
  }> = {},
) {
  const { type = 2, bits = 24, descriptor = 0x20, palette = [], size = [2, 2] } = change;
  const body = change.body ?? [0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255];
  const isMapped = palette.length > 0;
  return Uint8Array.of(
    0,
    isMapped ? 1 : 0,
    type,
    0,
    0,
    palette.length / 3,
    0,
    isMapped ? 24 : 0,
    0,
    0,
    0,
    0,
    size[0]! & 255,
    size[0]! >> 8,
    size[1]! & 255,
    size[1]! >> 8,
    bits,
    descriptor,
    ...palette,
    ...body,
  );
}

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const WHITE = [255, 255, 255, 255];
const FOUR = [...RED, ...GREEN, ...BLUE, ...WHITE];

describe('readTga', () => {
  it('reads colours from the top', () => {
    expect([...readTga(tga())!.data]).toEqual(FOUR);
  });
  it('reads them from the bottom, and from the right', () => {
    expect([...readTga(tga({ descriptor: 0 }))!.data]).toEqual([...BLUE, ...WHITE, ...RED, ...GREEN]);
    expect([...readTga(tga({ descriptor: 0x30 }))!.data]).toEqual([...GREEN, ...RED, ...WHITE, ...BLUE]);
  });
  it('reads runs and pieces', () => {
    // A run of three reds, then one green as it is.
    const body = [0x82, 0, 0, 255, 0x00, 0, 255, 0];
    expect([...readTga(tga({ type: 10, body }))!.data]).toEqual([...RED, ...RED, ...RED, ...GREEN]);
  });
  it('reads a palette, and greys', () => {
    const palette = [0, 0, 255, 0, 255, 0];
    expect([...readTga(tga({ type: 1, bits: 8, palette, body: [0, 1, 1, 0] }))!.data]).toEqual([
      ...RED,
      ...GREEN,
      ...GREEN,
      ...RED,
    ]);
    expect([
      ...readTga(tga({ type: 3, bits: 8, body: [0, 7, 9, 255] }))!.data.filter((_, i) => i % 4 === 1),
    ]).toEqual([0, 7, 9, 255]);
  });
  it('reads alpha, unless all of it is nothing', () => {
    const body = [0, 0, 255, 128, 0, 255, 0, 255, 255, 0, 0, 0, 255, 255, 255, 255];
    expect([
      ...readTga(tga({ bits: 32, descriptor: 0x28, body }))!.data.filter((_, i) => i % 4 === 3),
    ]).toEqual([128, 255, 0, 255]);
    const unseen = body.map((value, i) => (i % 4 === 3 ? 0 : value));
    expect([...readTga(tga({ bits: 32, descriptor: 0x28, body: unseen }))!.data]).toEqual(FOUR);
  });
  it('refuses what is cut off, what points beside its palette, and what claims to be huge', () => {
    for (let end = 0; end < tga().length; end++) expect(readTga(tga().subarray(0, end))).toBeNull();
    const packed = tga({ type: 10, body: [0x82, 0, 0, 255, 0x00, 0, 255, 0] });
    for (let end = 0; end < packed.length; end++) expect(readTga(packed.subarray(0, end))).toBeNull();
    expect(readTga(tga({ type: 1, bits: 8, palette: [1, 2, 3], body: [0, 0, 0, 1] }))).toBeNull();
    expect(readTga(tga({ type: 10, size: [65535, 65535] }))).toBeNull();
  });
});

/** A BMP of 2 × 2, rows from the bottom. */
function bmp(bits: number, rows: number[], palette: number[] = [], header: number[] = []) {
  const start = 54 + header.length + palette.length;
  const int = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255];
  return Uint8Array.of(
    0x42,
    0x4d,
    ...int(start + rows.length),
    0,
    0,
    0,
    0,
    ...int(start),
    ...int(40),
    ...int(2),
    ...int(2),
    1,
    0,
    bits,
    0,
    ...int(header.length > 0 ? 3 : 0),
    ...int(0),
    ...int(0),
    ...int(0),
    ...int(0),
    ...int(0),
    ...header,
    ...palette,
    ...rows,
  );
}

describe('readBmp', () => {
  it('reads colours, whose rows are padded and begin at the bottom', () => {
    const rows = [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0];
    expect([...readBmp(bmp(24, rows))!.data]).toEqual(FOUR);
  });
  it('reads palettes of 8, 4 and 1 bits', () => {
    const palette = [0, 0, 255, 0, 0, 255, 0, 0];
    const expected = [...RED, ...GREEN, ...GREEN, ...RED];
    expect([...readBmp(bmp(8, [1, 0, 0, 0, 0, 1, 0, 0], palette))!.data]).toEqual(expected);
    expect([...readBmp(bmp(4, [0x10, 0, 0, 0, 0x01, 0, 0, 0], palette))!.data]).toEqual(expected);
    expect([...readBmp(bmp(1, [0x80, 0, 0, 0, 0x40, 0, 0, 0], palette))!.data]).toEqual(expected);
  });
  it('reads 16 bits by masks', () => {
    const masks = [0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0];
    const rows = [0x1f, 0, 0xff, 0xff, 0, 0xf8, 0xe0, 7];
    expect([...readBmp(bmp(16, rows, [], masks))!.data]).toEqual(FOUR);
  });
  it('refuses what is cut off', () => {
    const whole = bmp(24, [255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0]);
    for (let end = 0; end < whole.length; end++) expect(readBmp(whole.subarray(0, end))).toBeNull();
  });
});

describe('writePng', () => {
  it('is read by another reader, with and without alpha', () => {
    const data = Uint8Array.from({ length: 4 * 15 }, (_, i) => (i * 37) & 255);
    const read = decode(writePng({ width: 5, height: 3, data }));
    expect([read.width, read.height, read.channels]).toEqual([5, 3, 4]);
    expect([...read.data]).toEqual([...data]);
    const solid = data.map((value, i) => (i % 4 === 3 ? 255 : value));
    const plain = decode(writePng({ width: 5, height: 3, data: solid }));
    expect(plain.channels).toBe(3);
    expect([...plain.data]).toEqual([...solid].filter((_, i) => i % 4 !== 3));
  });
});

describe('carryPicture', () => {
  it('takes PNG and JPEG as they are, and makes a PNG of TGA and BMP', () => {
    const png = encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3) });
    expect(carryPicture(png)).toEqual({ bytes: png, extension: 'png' });
    const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
    expect(carryPicture(jpeg)).toEqual({ bytes: jpeg, extension: 'jpg' });
    const { bytes } = carryPicture(tga());
    expect([...decode(bytes!).data]).toEqual(FOUR.filter((_, i) => i % 4 !== 3));
  });
  it('says what a picture is that it cannot take', () => {
    const start = (text: string) =>
      Uint8Array.from([...text, ...'\0'.repeat(30)].map((c) => c.charCodeAt(0)));
    expect(carryPicture(start('8BPS'))).toEqual({ bytes: null, reason: 'is a PSD' });
    expect(carryPicture(start('hello'))).toEqual({ bytes: null, reason: 'is of an unknown kind' });
    expect(pictureKind(start('DDS '))).toBe('DDS');
    expect(carryPicture(tga().subarray(0, 20)).bytes).toBeNull();
  });
});
