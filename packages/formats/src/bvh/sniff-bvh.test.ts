import { describe, expect, it } from 'vitest';
import { sniffBvh } from './sniff-bvh.js';

const ascii = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, little: boolean) => {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, little);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + 2 * i, text.charCodeAt(i), little);
  return bytes;
};

describe('sniffBvh', () => {
  it.each([
    ['plain', ascii('HIERARCHY\nROOT Hips\n{')],
    ['lower case', ascii('hierarchy\r\nroot Hips')],
    ['blank lines first', ascii(' \t\r\n\n HIERARCHY\n')],
    ['byte order mark', ascii('\ufeffHIERARCHY\n')],
    ['UTF-16 little endian', utf16('\r\nHIERARCHY\r\n', true)],
    ['UTF-16 big endian', utf16('HIERARCHY\n', false)],
    ['nothing after the word', ascii('HIERARCHY')],
  ])('knows %s', (_, bytes) => {
    expect(sniffBvh(bytes)).toBe(true);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['blanks alone', ascii('   \n\n')],
    ['a longer word', ascii('HIERARCHYX\nROOT')],
    ['a cut-off word', ascii('HIERAR')],
    ['the word later on', ascii('// HIERARCHY\nROOT')],
    ['JSON', ascii('{"asset":{"version":"2.0"}}')],
    ['GLB', ascii('glTF\u0002\u0000\u0000\u0000')],
    ['FBX', ascii('Kaydara FBX Binary  \u0000\u001a\u0000')],
    ['blanks without end', new Uint8Array(1 << 20).fill(32)],
    ['a lone byte order mark', Uint8Array.of(0xff, 0xfe)],
  ])('does not take %s for one', (_, bytes) => {
    expect(sniffBvh(bytes)).toBe(false);
  });
});
