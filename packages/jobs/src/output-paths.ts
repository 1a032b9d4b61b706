import { type Scene, UsageError } from '@stuntdouble/core';
import { FILE_KINDS, type FileKindName, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';

/**
 * The extension that decides how a path is written.
 * @param argument What the path was given as, for the error.
 * @throws UsageError that names what is supported.
 */
export function extensionOf(path: string, argument = '--output'): FileKindName {
  const extension = splitPath(path).extension.slice(1).toLowerCase();
  const known = WRITTEN_EXTENSIONS.find((supported) => supported === extension);
  if (known) return known;
  const supported = WRITTEN_EXTENSIONS.map((each) => `.${each}`).join(', ');
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
 * The files that clips go to: all into one, but for kinds that hold one clip a file, where several become
 * `NAME-CLIP.bvh`.
 * Names that some file system takes for one are told apart by a number.
 * @param taken Names that are given away, folded; those found here are added. For commands that write several files.
 */
export function outputPaths(
  path: string,
  clips: readonly string[],
  taken: Set<string> = new Set(),
): { path: string; clips: number[] }[] {
  const { folder, stem, extension } = splitPath(path);
  const free = (name: string) => {
    let unique = name;
    for (let n = 2; taken.has(foldName(unique)); n++) unique = `${name}-${n}`;
    taken.add(foldName(unique));
    return unique === stem ? path : `${folder.replace(/^(\.[/\\]+)+/, '')}${unique}${extension}`;
  };
  if (FILE_KINDS[extensionOf(path)].clips === 'many' || clips.length < 2)
    return [{ path: free(stem), clips: clips.map((_, i) => i) }];
  return clips.map((clip, i) => ({ path: free(`${stem}-${fileName(clip)}`), clips: [i] }));
}

/** A path in its three parts, which together are the path: the folder ends with its last slash. */
function splitPath(path: string): { folder: string; stem: string; extension: string } {
  const [, folder, stem, extension] = /^(.*[/\\])?(.+?)?(\.[^./\\]*)?$/su.exec(path)!;
  // A name that begins with its only dot is hidden, and has no extension.
  return stem === undefined
    ? { folder: folder ?? '', stem: extension ?? '', extension: '' }
    : { folder: folder ?? '', stem, extension: extension ?? '' };
}

/** The last name of a path, folders left out. */
export function lastName(path: string): string {
  const { stem, extension } = splitPath(path);
  return stem + extension;
}

/** The last name of a path without its extension. */
export function fileStem(path: string): string {
  return splitPath(path).stem;
}

/** A path with something behind its name: `out/hero.glb` and `ben` give `out/hero-ben.glb`. */
export function nameBeside(path: string, what: string): string {
  const { folder, stem, extension } = splitPath(path);
  return `${folder}${stem}-${what}${extension}`;
}

/** A name as file systems compare it that do not tell upper from lower case, nor one writing of a letter from another. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

const utf8 = new TextEncoder();

/** Names that Windows keeps for devices, whatever extension follows. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** The most bytes of a name: file systems allow 255, of which a result's may hold two and more. */
const MOST_BYTES = 100;

/** A name made fit for a file on every system: letters, digits, dots, dashes and underscores, never empty. */
export function fileName(name: string): string {
  // What is beyond all bounds need not be looked at.
  let fit = name.slice(0, 1000).replace(/[^\p{L}\p{N}._-]+/gu, '_');
  while (utf8.encode(fit).length > MOST_BYTES) fit = [...fit].slice(0, -1).join('');
  fit = fit.replace(/^[._]+|[._]+$/g, '');
  return fit === '' ? 'clip' : portableStem(fit);
}

/** The name of a file without its extension, changed only where Windows would take it for a device: `con` → `con_`. */
export function portableStem(stem: string): string {
  // A device is named by what stands before the first dot.
  return stem.replace(/^[^.]*/, (first) => (DEVICE.test(first.trim()) ? `${first}_` : first));
}

/** The name of a file without folders and extension. */
export function stemOf(path: string): string {
  return lastName(path).replace(/(.)\.[^.]*$/su, '$1');
}
