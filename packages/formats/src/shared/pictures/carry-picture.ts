import { pictureKind } from './picture-kind.js';
import type { Pixels } from './pixels.js';
import { readBmp } from './read-bmp.js';
import { readTga } from './read-tga.js';
import { writePng } from './write-png.js';

/** A picture in a kind that other programs read, or why there is none. */
export type CarriedPicture =
  | { bytes: Uint8Array; extension: 'png' | 'jpg' | 'webp' }
  | { bytes: null; reason: string };

/**
 * Takes a picture as it is where it is a PNG, JPEG or WebP, and makes a PNG of a TGA or BMP.
 * @param bytes of the picture's file.
 */
export function carryPicture(bytes: Uint8Array): CarriedPicture {
  const kind = pictureKind(bytes);
  if (kind === 'PNG') return { bytes, extension: 'png' };
  if (kind === 'JPEG') return { bytes, extension: 'jpg' };
  if (kind === 'WebP') return { bytes, extension: 'webp' };
  const read: ((bytes: Uint8Array) => Pixels | null) | null =
    kind === 'TGA' ? readTga : kind === 'BMP' ? readBmp : null;
  if (!read)
    return {
      bytes: null,
      reason: kind === null ? 'is of an unknown kind' : `is ${kind === 'EXR' ? 'an' : 'a'} ${kind}`,
    };
  const pixels = read(bytes);
  if (!pixels) return { bytes: null, reason: `is a ${kind} that is broken, packed otherwise or very large` };
  return { bytes: writePng(pixels), extension: 'png' };
}
