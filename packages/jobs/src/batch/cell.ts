import type { JobDocument } from '../documents/parse-document.js';
import type { RetargetJob } from '../retarget-job.js';

/** A file of a batch: where it is, and what its bytes come to. */
export type BatchFile = {
  /** Its path as it is read and told: relative, with slashes. */
  path: string;
  /** Of its bytes and of those of every file that it names. */
  sha256: string;
  bytes: number;
  /** The folders that it lies in below what was named, with slashes; none if left out. Names by `{path}` have them. */
  below?: string;
  /** Files with its skeleton by which it is understood, in place of itself: part of the keys of its cells. */
  family?: readonly Pick<BatchFile, 'path' | 'sha256'>[];
  /** Names of the clips in it, where they are known; none where it cannot be read. Names by `{clip}` need them. */
  clips?: readonly string[];
};

/** One source on one character, or one clip of it: what is to be done, as plain data. */
export type Cell = {
  /** Of all that the result depends on: files, recipe, options, versions. Two cells of one key have the same bytes. */
  key: string;
  source: string;
  target: string;
  /**
   * The clip of the source that is moved, where results are named by clips; null where the source has none that is known,
   * which such a cell tells of. All that are wanted if left out.
   */
  clip?: string | null;
  /** Paths of files with the skeleton of the source by which it is understood; by itself if there are none. */
  family: string[];
  /** Hashes of source, target and family, in this order: what was planned is done with these bytes, or not at all. */
  hashes: string[];
  /** Where the result goes, below the folder of the batch. */
  output: string;
  /** Which of the recipes it follows, by name; null without one. */
  recipe: string | null;
  /** Of a character with the clips of many cells: these, by their keys, and the sources that name their clips. */
  parts?: { key: string; source: string }[];
};

/** The hash of one of a cell's files as it was planned. */
export function plannedHash({ source, target, family, hashes }: Cell, path: string): string | undefined {
  return hashes[[source, target, ...family].indexOf(path)];
}

/** The folder that cells of one file a character are kept in, below that of the batch. */
const PARTS = '.stuntdouble/cells';

/** Where the clips of a cell are kept until its character is written, below the folder of the batch. */
export function partOutput(key: string): string {
  return `${PARTS}/${key}.clips`;
}

/** What all cells of a batch share. */
export type BatchSettings = {
  options?: NonNullable<RetargetJob['options']>;
  clips?: readonly string[];
  range?: NonNullable<RetargetJob['range']>;
  animationOnly?: boolean;
  /** Whether keys are compressed. */
  compress?: boolean;
  /** Whether clips that a character has already are dropped. */
  replace?: boolean;
  /** `character` keeps the clips of a cell, for one file that has those of all cells of its character; `cell` if left out. */
  layout?: 'cell' | 'character';
};

/** Recipes by the names of their files: `SOURCE@TARGET.json`, `@TARGET.json`, `default.json`; the most special wins. */
export type BatchRecipes = ReadonlyMap<string, JobDocument>;
