import type {
  Clip,
  Report,
  ResultVerdict,
  RetargetOptions,
  RigMapDocument,
  Scene,
  Warning,
} from '@stuntdouble/core';
import type { RecipeSide } from '@stuntdouble/core/engine';
import type { ReadOptions, Source, WriteInput } from '@stuntdouble/formats';
import type { CameraName } from '@stuntdouble/picture';
import type { ClipRange } from './clip-range.js';
import type { JobDocument } from './documents/parse-document.js';
import type { TellProgress } from './progress.js';
import type { RootMotionJson } from './root-motion-file.js';

/** One of the two files of a job. */
export type JobFile = {
  /** What it is called in sentences and in saved recipes: a path, or any name. */
  name: string;
  /** Its bytes, where they are to be had, or the scene that was read from them. */
  content: Source | Scene;
  /** How it is read. */
  options?: ReadOptions;
};

/**
 * Clips to be moved from one file onto the character in another. Names of files to be made may have folders before
 * them, which are kept. Options are called in sentences as they are on the command line.
 */
export type RetargetJob = {
  source: JobFile;
  target: JobFile;
  /** How it is done. What stands here has the last word over the recipe. */
  options?: Omit<RetargetOptions, 'clips' | 'range' | 'signal' | 'onProgress'>;
  /** A saved recipe, or a `.retarget` file of SpireMiniEngine. */
  recipe?: JobDocument;
  /** Who drives whom. It has the last word over the recipe. */
  map?: JobDocument;
  /** What is otherwise than in the map, one target joint each. */
  pairs?: NonNullable<RigMapDocument['changes']>;
  /** When feet and hands hold. */
  contacts?: JobDocument;
  /** What joints shall do for a time, and layers that are added: constraints, layers or both. */
  constraints?: JobDocument;
  /** Names of clips of the source, all if left out. */
  clips?: readonly string[];
  /** The part of each clip that is taken. */
  range?: ClipRange;
  /** Whether the mesh of the target is bound anew, so that the source's own rotation keys play on it. */
  newBind?: boolean;
  /**
   * The file that is made, whose extension says how; `TARGET-SOURCE` in the target's format if left out; none for null,
   * where the clips alone are wanted.
   */
  output?: string | null;
  /** Whether clips that the target has already are dropped. */
  replace?: boolean;
  /** Whether meshes are left out. */
  animationOnly?: boolean;
  /** Whether keys are compressed, where the format can: glTF and VRM animations. */
  compress?: boolean;
  /** The name of a picture of source and result: `.png`, a sheet of instants, or `.gif`, which moves. */
  picture?: string;
  /** Pixels that a picture of instants is wide; 1,504 for six of them if left out. */
  pictureWidth?: number;
  /** From where the picture is seen; three-quarter if left out. */
  camera?: CameraName;
  /** Whether the picture shows as heat where the result is bad, by the measure that is worst; it does if left out. */
  heat?: boolean;
  /** The name of a report card, HTML: figures, curves and worst moments, and how each constraint came out over time. */
  card?: string;
  /** The name of a recipe of all this, JSON. */
  saveRecipe?: string;
  /** What that recipe says of where it comes from; names of files, and hashes of those that came as bytes, if left out. */
  origin?: RecipeOrigin;
  /**
   * The name of a file of constraints and layers, JSON: what the constraints changed, as a layer of keys that can be
   * edited, with the constraints muted.
   */
  saveLayer?: string;
  /** The name of a file of the root motion that was taken apart, JSON. */
  rootMotionFile?: string;
  /** Is told what will be made after both files are read and before the work begins; what it throws ends the job. */
  onPlan?: (plan: JobPlan) => void;
  /** Is told how far the job is. */
  onProgress?: TellProgress;
  /** An `AbortSignal`, or anything that throws when the job should stop. */
  signal?: { throwIfAborted(): void };
};

/** Where a saved recipe comes from. */
export type RecipeOrigin = {
  /** The version of the program that writes it. */
  madeWith?: string;
  source?: RecipeSide;
  target?: RecipeSide;
};

/** What a job is about to do. */
export type JobPlan = {
  /** The names of all files that will be made. */
  files: string[];
  /** What recipe and options say together. */
  options: RetargetOptions;
};

/** A file that a job has made. */
export type MadeFile = {
  /** The name that was given for it, or that is proposed. */
  name: string;
  kind: 'clips' | 'picture' | 'card' | 'recipe' | 'layer' | 'root motion';
  bytes: Uint8Array;
};

/** The clips that a job has moved, for one character of its target. */
export type MovedClips = Pick<WriteInput, 'character' | 'roles'> & { clips: readonly Clip[] };

/** What a job found in one of its files. */
export type FileFacts = {
  name: string;
  format: Scene['format'];
  /** Skeletons in the file. */
  characters: number;
  /** Joints of the skeleton that was taken; null where there is none. */
  joints: number | null;
  morphTargets: number;
};

/** What a job has come to. Plain data, which threads can hand to each other. */
export type JobReport = {
  source: FileFacts;
  target: FileFacts;
  /** What the engine says of map, references and every clip. */
  retarget: Report;
  /** What was taken out of the clips, where root motion was asked for apart. */
  rootMotion: RootMotionJson[] | null;
  /** Morph targets that are driven. */
  drivenMorphs: number;
  /** How many clips the picture shows, where there is one. */
  pictured: number | null;
  /** What is to be thought of the result, from reading to writing, and why. */
  verdict: ResultVerdict;
  /** Choices that were made, from reading to writing, each said once. */
  notes: Warning[];
  /** Everything that was lost or is doubtful, likewise. */
  warnings: Warning[];
};
