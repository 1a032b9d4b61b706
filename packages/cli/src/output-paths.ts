import { basename, dirname, extname, join } from 'node:path';
import { type Scene, UsageError } from '@stuntdouble/core';
import { FORMATS } from '@stuntdouble/formats';

/** The extensions that results are written with: those of every format that can be written. */
export const OUTPUT_EXTENSIONS: readonly string[] = FORMATS.flatMap(({ write, extensions }) =>
  write ? extensions : [],
);

/**
 * The extension that decides how a path is written.
 * @param argument What the path was given as, for the error.
 * @throws UsageError that names what is supported.
 */
export function extensionOf(path: string, argument = '--output'): string {
  const extension = extname(path).slice(1).toLowerCase();
  const known = OUTPUT_EXTENSIONS.find((supported) => supported === extension);
  if (known) return known;
  const supported = OUTPUT_EXTENSIONS.map((each) => `.${each}`).join(', ');
  throw new UsageError(
    `${argument} ${path}: ${extension === '' ? 'it has no extension' : `.${extension} files cannot be written`}; supported are ${supported}`,
  );
}

/** The name a result gets where none was given: `TARGET-SOURCE` in the current folder, as what the target is. */
export function defaultOutput(source: Scene, target: Scene): string {
  const extension = target.format === 'gltf' ? 'glb' : target.format;
  return `${fileName(target.name)}-${fileName(source.name)}.${extension}`;
}

/**
 * The files that clips go to: all into one, but BVH holds one clip a file, so several become
 * `NAME-CLIP.bvh`, names that would collide told apart by a number.
 */
export function outputPaths(path: string, clips: readonly string[]): { path: string; clips: number[] }[] {
  if (extensionOf(path) !== 'bvh' || clips.length < 2) return [{ path, clips: clips.map((_, i) => i) }];
  const stem = basename(path, extname(path));
  const taken = new Set<string>();
  return clips.map((clip, i) => {
    const name = `${stem}-${fileName(clip)}`;
    let unique = name;
    // File systems of some machines do not tell upper from lower case.
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${name}-${n}`;
    taken.add(unique.toLowerCase());
    return { path: join(dirname(path), `${unique}${extname(path)}`), clips: [i] };
  });
}

/** A name made fit for a file: letters, digits, dots, dashes and underscores, never empty. */
function fileName(name: string): string {
  const fit = name.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+|[._]+$/g, '');
  return fit === '' ? 'clip' : fit.slice(0, 100);
}
