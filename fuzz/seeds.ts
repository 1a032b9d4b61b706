import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The formats that can be tried. */
export const FUZZED_FORMATS = ['gltf', 'bvh', 'fbx'] as const;

/** One of {@link FUZZED_FORMATS}. */
export type FuzzedFormat = (typeof FUZZED_FORMATS)[number];

/** A whole file that mutations start from. */
export type Seed = { path: string; bytes: Uint8Array };

const EXTENSIONS: Readonly<Record<FuzzedFormat, readonly string[]>> = {
  gltf: ['.glb', '.gltf', '.vrm', '.vrma'],
  bvh: ['.bvh'],
  fbx: ['.fbx'],
};

/** The repository's folder: above this file, or above `dist` where it was built. */
function repository(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package-lock.json')) && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}

/**
 * The files to start from, smallest first: the repository's samples, and those of `../shared/data` where that
 * folder is there. A long BVH is cut to its first frames, since it is read no differently from a short one.
 * @param largest files of more bytes are left out.
 */
export function loadSeeds(format: FuzzedFormat, largest: number): Seed[] {
  const folders = [
    join(repository(), 'samples/files'),
    process.env.STUNTDOUBLE_DATA ?? join(repository(), '../shared/data'),
  ];
  const seeds = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => EXTENSIONS[format].includes(extname(file).toLowerCase()))
      .map((file) => join(folder, file)),
  );
  return seeds
    .filter((path) => format === 'bvh' || statSync(path).size <= largest)
    .map((path) => ({ path, bytes: new Uint8Array(readFileSync(path)) }))
    .map((seed) => (format === 'bvh' ? { ...seed, bytes: firstFrames(seed.bytes) } : seed))
    .filter(({ bytes }) => bytes.length <= largest)
    .sort((a, b) => a.bytes.length - b.bytes.length || (a.path < b.path ? -1 : 1));
}

/** A BVH with at most twelve of its frames. */
function firstFrames(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder('latin1').decode(bytes);
  const lines = text.split('\n');
  const motion = lines.findIndex((line) => line.startsWith('MOTION'));
  if (motion < 0 || lines.length < motion + 16) return bytes;
  const kept = lines
    .slice(0, motion + 15)
    .join('\n')
    .replace(/Frames:\s*\d+/, 'Frames: 12');
  return Uint8Array.from(kept, (letter) => letter.charCodeAt(0));
}
