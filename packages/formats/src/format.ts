import type { Clip, Mesh, RoleJoints, Scene, Warning } from '@stuntdouble/core/engine';
import type { ReadBvhOptions } from './bvh/read-bvh.js';
import type { FileKindName } from './kinds/index.js';
import type { Limits } from './limits.js';
import type { DressedMesh } from './shared/dressed-mesh.js';

/** Fetches a file that another file names, such as the buffer of a `.gltf`. `uri` is as it stands there. */
export type Resolve = (uri: string) => Promise<Uint8Array>;

/** How a file is read. */
export type ReadOptions = {
  /** The scene's name; the file's own name without folder and extension if left out. */
  name?: string;
  /** The path or address that the bytes came from, where what stands beside them is looked for. */
  base?: string;
  /**
   * Fetches buffers that stand in other files. If left out, files are found beside the one that names them
   * and nowhere else.
   */
  resolve?: Resolve;
  /**
   * Whether links beside the file are followed wherever they lead; false if left out: one that leads out of its
   * folder is refused.
   */
  followLinks?: boolean;
  /** What the file may ask for; `DEFAULT_LIMITS` where left out. */
  limits?: Partial<Limits>;
  /**
   * An `AbortSignal`, or anything that throws when work should stop. It is asked before and after bytes come in, and many
   * times a second while a file is taken apart. As that is done without a pause, a signal must find out by itself, by a
   * clock or by memory that threads share: what an event sets is seen between reading and parsing.
   */
  signal?: { throwIfAborted(): void };
  /** Whether vertices are read for the hulls of the skeleton; true if left out. */
  skin?: boolean;
  /** How a BVH is read, where the file's own word on its angles or axes is wrong. */
  bvh?: Pick<ReadBvhOptions, 'order' | 'flipYZ'>;
};

/** What is written: clips for one character of a scene, into the document that the scene came from. */
export type WriteInput = {
  /** The target as it was read. */
  scene: Scene;
  /** Index of the character that the clips move. */
  character: number;
  clips: readonly Clip[];
  /** Which joint plays which body part by the user's word, for formats that hold body parts alone (VRMA). */
  roles?: RoleJoints;
};

/** How a file is written. */
export type WriteOptions = {
  /** Drop the clips that are in the target already; false if left out. */
  replace?: boolean;
  /** False gives a file of the skeleton and its clips alone; true, the whole target, if left out. */
  meshes?: boolean;
  /**
   * Whether keys are compressed in glTF and VRM animations, by `EXT_meshopt_compression`: no joint is off by more than a
   * millimetre on a body of 2 m, its arms stretched out, or by as much of another body. False if left out; other formats have nothing of the kind.
   */
  compress?: boolean;
  /** Whether a skeleton of a format without meshes gets one in a glTF: a stick figure; it does not if left out. */
  stickFigure?: boolean;
  /** An `AbortSignal`, or anything that throws when work should stop: asked before a file is made, while, and after. */
  signal?: { throwIfAborted(): void };
  /** Fetches images that stand in other files, so that one file can hold all; as at reading if left out. */
  resolve?: Resolve;
};

/** A written file, whole, and what was imperfect about writing it. */
export type Written = { bytes: Uint8Array; warnings: Warning[] };

/** A file format as a value: how to recognise, read and write it. */
export type Format = {
  /** As in error messages: `glTF`, `BVH`. */
  name: string;
  /**
   * Lower case, without the dot: the kinds of files that it reads, and that `write` takes. They share a document, so
   * that nothing of a file is lost from one to another.
   */
  extensions: readonly FileKindName[];
  /** Whether the bytes look like this format. Looks at the first few only, never at a file's name. */
  sniff(bytes: Uint8Array): boolean;
  /** @throws FormatError where the bytes cannot be read. */
  read(bytes: Uint8Array, options: ReadOptions): Promise<Scene>;
  /** Writes to one of {@link Format.extensions}. Left out where a format can only be read. */
  write?(input: WriteInput, options: WriteOptions & { extension: string }): Promise<Written>;
  /** Reads meshes of scenes that it has read. Left out where its files hold none. */
  meshes?: FormatMeshes;
};

/** How a format reads the meshes of a scene; what each gives is said where it is public, in `read-meshes.ts`. */
export type FormatMeshes = {
  /** Whether a scene's document is one of this format. The others are asked only where it is. */
  owns(document: unknown): boolean;
  /** Whether there are any, without reading them. */
  has(scene: Scene): boolean;
  read(scene: Scene): Promise<Mesh[]>;
  /** @param options `resolve` is a caller's own way to fetch what stands beside the file. */
  readDressed(
    scene: Scene,
    options: { resolve: Resolve | undefined; warnings: Warning[] },
  ): Promise<DressedMesh[]>;
};
