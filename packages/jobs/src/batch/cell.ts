import type { JobDocument } from '../documents/parse-document.js';
import type { RetargetJob } from '../retarget-job.js';

/** A file of a batch: where it is, and what its bytes come to. */
export type BatchFile = {
  /** Its path as it is read and told: relative, with slashes. */
  path: string;
  /** Of its bytes and of those of every file that it names. */
  sha256: string;
  bytes: number;
  /**
   * What holds for all files of its skeleton, by whatever name: part of the key of its cells, so that they are done
   * again when it changes. Nothing if left out.
   */
  family?: string;
};

/** One source on one character: what is to be done, as plain data. */
export type Cell = {
  /** Of all that the result depends on: files, recipe, options, versions. Two cells of one key have the same bytes. */
  key: string;
  source: string;
  target: string;
  /** Where the result goes, below the folder of the batch. */
  output: string;
  /** Which of the recipes it follows, by name; null without one. */
  recipe: string | null;
};

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
};

/** Recipes by the names of their files: `SOURCE@TARGET.json`, `@TARGET.json`, `default.json`; the most special wins. */
export type BatchRecipes = ReadonlyMap<string, JobDocument>;
