import { bvh } from './bvh/index.js';
import type { Format } from './format.js';
import { FormatError } from './format-error.js';
import { gltf } from './gltf/index.js';

/** The formats that can be read, in the order in which they are tried. */
export const FORMATS: readonly Format[] = [gltf, bvh];

/** How files of other kinds begin, what they are, and what to do with them. */
const STRANGERS: readonly { starts: RegExp | string; what: string; advice: string }[] = [
  { starts: /^Kaydara FBX Binary/, what: 'FBX', advice: 'FBX is not read yet: export it as glTF (.glb)' },
  {
    starts: /^\s*(;.*\r?\n\s*)*FBXHeaderExtension|^\s*; FBX/,
    what: 'FBX',
    advice: 'FBX is not read yet: export it as glTF (.glb)',
  },
  { starts: /^BLENDER/, what: 'Blender', advice: 'a .blend file is not read: export it as glTF (.glb)' },
  {
    starts: '\x28\xb5\x2f\xfd',
    what: 'compressed',
    advice: 'a file of another kind, or a compressed .blend: export it as glTF (.glb)',
  },
  {
    starts: /^\s*(<\?xml[\s\S]*)?<COLLADA/,
    what: 'COLLADA',
    advice: 'a .dae file is not read: export it as glTF',
  },
  { starts: /^(PXR-USDC|#usda)/, what: 'USD', advice: 'USD is not read: export it as glTF (.glb)' },
  {
    starts: /^(\/\/Maya ASCII|FOR[48])/,
    what: 'Maya',
    advice: 'a Maya scene is not read: export it as glTF',
  },
  { starts: '\xd0\xcf\x11\xe0', what: '3ds Max', advice: 'a .max scene is not read: export it as glTF' },
  { starts: /^PMX /, what: 'PMX', advice: 'an MMD model is not read: convert it to VRM' },
  { starts: /^Vocaloid Motion Data/, what: 'VMD', advice: 'an MMD motion is not read: convert it to BVH' },
  { starts: /^MD5Version/, what: 'MD5', advice: 'MD5 is not read: convert it to glTF' },
  {
    starts: /^:ASF|^#!OML:ASF|^:FULLY-SPECIFIED/,
    what: 'ASF/AMC',
    advice: 'ASF/AMC is not read: convert it to BVH',
  },
  { starts: /^%YAML/, what: 'Unity', advice: 'a Unity asset is not read: export it as FBX, then glTF' },
  { starts: 'PK\x03\x04', what: 'ZIP', advice: 'an archive: unpack it first' },
  { starts: '\x1f\x8b', what: 'gzip', advice: 'a compressed file: unpack it first' },
  {
    starts: /^version https:\/\/git-lfs/,
    what: 'Git LFS',
    advice: 'the file itself; this is a pointer to it: run git lfs pull',
  },
  {
    starts: /^\s*<(!doctype )?html/i,
    what: 'HTML',
    advice: 'a file; this is a web page: the address leads to a page',
  },
  { starts: /^(\x89PNG|\xff\xd8\xff|RIFF)/, what: 'picture or sound', advice: 'a character or a motion' },
];

/**
 * Finds the format of a file by looking at its bytes.
 * @throws FormatError that names the format found, where it is one that is not read.
 */
export function detectFormat(bytes: Uint8Array): Format {
  const format = FORMATS.find((candidate) => candidate.sniff(bytes));
  if (format) return format;
  const names = FORMATS.map(({ name }) => name).join(', ');
  if (bytes.length === 0)
    throw new FormatError({ format: 'file', at: 'byte 0', found: 'an empty file', expected: names });
  // One letter a byte, so that the patterns can name bytes.
  const start = Array.from(bytes.subarray(0, 1024), (byte) => String.fromCharCode(byte)).join('');
  const stranger = STRANGERS.find(({ starts }) =>
    typeof starts === 'string' ? start.startsWith(starts) : starts.test(start),
  );
  if (stranger)
    throw new FormatError({
      format: 'file',
      at: 'byte 0',
      found: stranger.what,
      expected: `${names} (${stranger.advice})`,
    });
  const shown = /^[\t\n\r\x20-\x7e]{8}/.test(start)
    ? `"${start.slice(0, 24).replaceAll(/\s+/g, ' ')}"`
    : `bytes ${Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
  throw new FormatError({ format: 'file', at: 'byte 0', found: shown, expected: names });
}
