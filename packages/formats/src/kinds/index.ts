/*
 * What is known of a kind of file without opening one: the one list that help, jobs, the studio and the fuzzer go by.
 * It is data alone, so that a page may have it without a reader.
 */
import type { Scene } from '@stuntdouble/core/engine';

/** A kind of file, by its extension. */
export type FileKindName = Scene['format'];

/** What a kind of file is. */
export type FileKind = {
  /** What people call it. */
  title: string;
  /** Whether it can hold meshes; else it holds motion alone. */
  meshes: boolean;
  /** How many clips it holds: several become a file each where it is one. */
  clips: 'one' | 'many';
  /** From what it is written: from any character, from one that was such a file, or never: it is only read. */
  written: 'from any' | 'from its own' | 'never';
  /** Whether a mesh in it can be bound anew; see `rebind`. */
  rebinds?: true;
  /** Whether its keys can be compressed. */
  compresses?: true;
};

/** Every kind of file that is read, in the order in which people are told of them. */
export const FILE_KINDS: Readonly<Record<FileKindName, FileKind>> = {
  glb: { title: 'GLB', meshes: true, clips: 'many', written: 'from any', rebinds: true, compresses: true },
  gltf: { title: 'glTF', meshes: true, clips: 'many', written: 'from any', rebinds: true, compresses: true },
  vrm: {
    title: 'VRM',
    meshes: true,
    clips: 'many',
    written: 'from its own',
    rebinds: true,
    compresses: true,
  },
  vrma: { title: 'VRM animation', meshes: false, clips: 'many', written: 'from any', compresses: true },
  fbx: { title: 'FBX', meshes: true, clips: 'many', written: 'from any' },
  bvh: { title: 'BVH', meshes: false, clips: 'one', written: 'from any' },
};

/** The extensions of all kinds of files that are read. */
export const READ_EXTENSIONS = Object.keys(FILE_KINDS) as readonly FileKindName[];

/** The extensions of those that are written. */
export const WRITTEN_EXTENSIONS: readonly FileKindName[] = READ_EXTENSIONS.filter(
  (extension) => FILE_KINDS[extension].written !== 'never',
);

/** Extensions for a sentence: `.glb, .fbx or .bvh`. */
export function extensionWords(extensions: readonly string[], last: 'or' | 'and' = 'or'): string {
  const dotted = extensions.map((extension) => `.${extension}`);
  return dotted.length < 2
    ? dotted.join('')
    : `${dotted.slice(0, -1).join(', ')} ${last} ${dotted[dotted.length - 1]}`;
}
