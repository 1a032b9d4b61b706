import { bvh } from './bvh/index.js';
import { fbx } from './fbx/index.js';
import type { Format } from './format.js';
import { FormatError } from './format-error.js';
import { gltf } from './gltf/index.js';

/** The formats that can be read, in the order in which they are tried. */
export const FORMATS: readonly Format[] = [gltf, fbx, bvh];

/** How a file of another kind begins, what it is, and what to do with it. */
type Stranger = {
  starts: RegExp | string | ((start: string) => boolean);
  what: string;
  advice: string;
};

const STRANGERS: readonly Stranger[] = [
  {
    starts: /^BLENDER/,
    what: 'a Blender file (.blend)',
    advice: 'a .blend file is not read: export it as glTF (.glb)',
  },
  {
    starts: '\x28\xb5\x2f\xfd',
    what: 'a file compressed with Zstandard',
    advice: 'unpack it; if it is a .blend, export it as glTF (.glb)',
  },
  {
    starts: /^\s*(<\?xml[\s\S]*?)?<COLLADA/,
    what: 'COLLADA (.dae)',
    advice: 'a .dae file is not read: export it as glTF (.glb)',
  },
  {
    starts: /^(PXR-USDC|#usda)/,
    what: 'USD (.usd, .usda, .usdc)',
    advice: 'USD is not read: export it as glTF (.glb)',
  },
  {
    starts: /^(\/\/Maya ASCII|FOR[48][\s\S]{4,12}Maya)/,
    what: 'a Maya scene (.ma, .mb)',
    advice: 'a Maya scene is not read: export it as FBX or glTF',
  },
  {
    starts: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    what: 'a 3ds Max scene (.max) or another compound file',
    advice: 'a .max scene is not read: export it as FBX or glTF',
  },
  {
    // The block of the parameters, then the mark of the format.
    starts: (start) => start[1] === 'P' && start.charCodeAt(0) >= 2 && start.charCodeAt(0) < 9,
    what: 'C3D (motion capture markers)',
    advice: 'markers have no joints: solve them to a skeleton and export that as BVH or FBX',
  },
  {
    starts: /^PathFileType\s/,
    what: 'TRC (motion capture markers)',
    advice: 'markers have no joints: solve them to a skeleton and export that as BVH or FBX',
  },
  {
    starts: /^\s*(#[^\n]*\n\s*)*:version|^#!OML:ASF|^:ASF/,
    what: 'an Acclaim skeleton (.asf)',
    advice: 'ASF/AMC is not read: convert the pair to BVH',
  },
  {
    starts: /^\s*(#[^\n]*\n\s*)*:FULLY-SPECIFIED/i,
    what: 'an Acclaim motion (.amc)',
    advice: 'ASF/AMC is not read: convert the pair to BVH',
  },
  { starts: /^htr\s|^#?\s*HTR/i, what: 'HTR', advice: 'HTR is not read: convert it to BVH' },
  { starts: /^PMX /, what: 'an MMD model (.pmx)', advice: 'an MMD model is not read: convert it to VRM' },
  { starts: /^Pmd/, what: 'an MMD model (.pmd)', advice: 'an MMD model is not read: convert it to VRM' },
  {
    starts: /^Vocaloid Motion Data/,
    what: 'an MMD motion (.vmd)',
    advice: 'an MMD motion is not read: convert it to BVH',
  },
  { starts: /^MD5Version/, what: 'MD5', advice: 'MD5 is not read: convert it to glTF' },
  { starts: /^xof \d{4}/, what: 'DirectX (.x)', advice: 'DirectX files are not read: convert to glTF' },
  {
    starts: /^%YAML[\s\S]*unity3d/,
    what: 'a Unity asset',
    advice: 'a Unity asset is not read: export it as FBX or glTF',
  },
  {
    starts: /^\xc1\x83\x2a\x9e/,
    what: 'an Unreal asset (.uasset)',
    advice: 'an Unreal asset is not read: export it as FBX or glTF',
  },
  {
    starts: /^RSRC|^\[gd_(scene|resource)/,
    what: 'a Godot resource',
    advice: 'a Godot resource is not read: export the scene as glTF',
  },
  {
    starts: /^solid\s[\s\S]*\sfacet\s/,
    what: 'STL',
    advice: 'an STL holds triangles and no skeleton: export the character as glTF',
  },
  {
    starts: /^ply\r?\n/,
    what: 'PLY',
    advice: 'a PLY holds triangles and no skeleton: export the character as glTF',
  },
  {
    starts: /^(\s*(#[^\n]*|mtllib [^\n]*|[og] [^\n]*|s [^\n]*)?\r?\n)*\s*v\s+-?[\d.]+\s+-?[\d.]/,
    what: 'OBJ',
    advice: 'an OBJ holds triangles and no skeleton: export the character as glTF',
  },
  {
    starts: (start) => start.startsWith('PK\x03\x04') && /\.usd[ac]?/.test(start.slice(30, 286)),
    what: 'USDZ',
    advice: 'USD is not read: export it as glTF (.glb)',
  },
  { starts: 'PK\x03\x04', what: 'a ZIP archive', advice: 'an archive: unpack it first' },
  { starts: "7z\xbc\xaf'\x1c", what: 'a 7z archive', advice: 'an archive: unpack it first' },
  { starts: 'Rar!\x1a\x07', what: 'a RAR archive', advice: 'an archive: unpack it first' },
  { starts: '\x1f\x8b', what: 'a gzip file', advice: 'a compressed file: unpack it first' },
  { starts: '\xfd7zXZ', what: 'an xz file', advice: 'a compressed file: unpack it first' },
  {
    starts: /^version https:\/\/git-lfs/,
    what: 'a Git LFS pointer',
    advice: 'the file itself is not here, only a pointer to it: run git lfs pull',
  },
  {
    starts: /^\/annex\/objects\//,
    what: 'a git-annex pointer',
    advice: 'the file itself is not here, only a pointer to it: run git annex get',
  },
  {
    starts: /^\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body)/i,
    what: 'a web page (HTML)',
    advice: 'this is a web page that was saved in place of the file: download it again',
  },
  {
    starts: /^\s*(<\?xml[\s\S]*?)?<Error>/,
    what: 'an error message of a server',
    advice: 'this was saved in place of the file: download it again',
  },
  { starts: /^\s*<svg|^\s*<\?xml[\s\S]*<svg/, what: 'an SVG picture', advice: 'a character or a motion' },
  { starts: '\x89PNG', what: 'a PNG picture', advice: 'a character or a motion' },
  { starts: '\xff\xd8\xff', what: 'a JPEG picture', advice: 'a character or a motion' },
  { starts: /^GIF8/, what: 'a GIF picture', advice: 'a character or a motion' },
  { starts: /^RIFF/, what: 'a WebP, WAV or AVI file', advice: 'a character or a motion' },
  { starts: /^[\s\S]{4}ftyp/, what: 'a video (.mp4, .mov)', advice: 'a character or a motion' },
  { starts: /^%PDF/, what: 'a PDF', advice: 'a character or a motion' },
  { starts: /^\xab?KTX/, what: 'a KTX texture', advice: 'a character or a motion' },
  {
    starts: /^(\xef\xbb\xbf)?\s*\{/,
    what: 'JSON without the member "asset"',
    advice: 'glTF has it; three.js and Lottie JSON are not read',
  },
  { starts: /^(\xef\xbb\xbf)?\s*\[/, what: 'a JSON list', advice: 'glTF is a JSON object' },
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
  const stranger = STRANGERS.find(({ starts }) => {
    if (typeof starts === 'string') return start.startsWith(starts);
    return typeof starts === 'function' ? starts(start) : starts.test(start);
  });
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
