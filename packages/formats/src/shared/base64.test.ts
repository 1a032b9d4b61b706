import { expect, test } from 'vitest';
import { decodeBase64, decodeDataUri, encodeBase64 } from './base64.js';

test('base64 of every length is what Node makes of it, and comes back', () => {
  for (let length = 0; length < 20; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 83 + 7 * length) % 256);
    const text = encodeBase64(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect(decodeBase64(text)).toEqual(bytes);
    expect(decodeBase64(text.replaceAll('=', ''))).toEqual(bytes);
  }
});

test('the web alphabet and broken lines are read, other letters are not', () => {
  expect(decodeBase64('-_-_')).toEqual(decodeBase64('+/+/'));
  expect(decodeBase64('AQ\r\nID')).toEqual(Uint8Array.of(1, 2, 3));
  expect(decodeBase64('AQ*D')).toBeNull();
  expect(decodeBase64('AQÿD')).toBeNull();
});

test('data URIs: base64 and percent', () => {
  expect(decodeDataUri('data:application/gltf-buffer;base64,AQID')).toEqual(Uint8Array.of(1, 2, 3));
  expect(decodeDataUri('data:;base64,AQID%3D')).toEqual(Uint8Array.of(1, 2, 3));
  expect(decodeDataUri('data:,a%00%ff')).toEqual(Uint8Array.of(97, 0, 255));
  expect(decodeDataUri('https://example.org/x')).toBeNull();
  expect(decodeDataUri('data:nothing')).toBeNull();
});
