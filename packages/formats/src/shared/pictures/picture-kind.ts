import { isBmp } from './read-bmp.js';
import { isTga } from './read-tga.js';

/** The kinds of pictures that files bring, by their first bytes. */
export type PictureKind =
  | 'PNG'
  | 'JPEG'
  | 'WebP'
  | 'KTX2'
  | 'BMP'
  | 'TGA'
  | 'GIF'
  | 'TIFF'
  | 'PSD'
  | 'DDS'
  | 'EXR'
  | 'HDR';

const STARTS: readonly (readonly [string, PictureKind])[] = [
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['\xabKTX 20', 'KTX2'],
  ['GIF8', 'GIF'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['8BPS', 'PSD'],
  ['DDS ', 'DDS'],
  ['\x76\x2f\x31\x01', 'EXR'],
  ['#?RADIANCE', 'HDR'],
];

/** What a picture is by its first bytes; null where it is of an unknown kind. A TGA has no mark: it is asked for last. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  const start = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join('');
  for (const [mark, kind] of STARTS) if (start.startsWith(mark)) return kind;
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'WebP';
  if (isBmp(bytes)) return 'BMP';
  return isTga(bytes) ? 'TGA' : null;
}
