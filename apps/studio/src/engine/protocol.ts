import type {
  ArmatureDocument,
  Clip,
  ClipMeasures,
  Contact,
  LimbAlignment,
  MeasureCurves,
  Pose,
  Recipe,
  ResultVerdict,
  RigMap,
  Role,
  RootScales,
  Scene,
  Skeleton,
  Warning,
} from '@stuntdouble/core/engine';
import type { DressedMesh } from '@stuntdouble/formats';
import type { StopSign } from './stop.js';

/** A file by the hash of its bytes; and, after `#`, the number of the skeleton that is meant where it has several. */
export type FileId = string;

/** The hash of a file's bytes. */
export function hashOfId(id: FileId): string {
  return id.split('#')[0]!;
}

/** The number of the skeleton that was chosen; undefined where the choice is left to the engine. */
export function skeletonOfId(id: FileId): string | undefined {
  return id.split('#')[1];
}

/** A file as workers are given it, with those that stand beside it (the buffers of a `.gltf`). */
export type OpenFile = { id: FileId; name: string; file: Blob; beside: { name: string; file: Blob }[] };

/** Groups of joints that have a colour of their own, in views, map and timeline alike. */
export type ChainName =
  | 'torso'
  | 'leftArm'
  | 'rightArm'
  | 'leftLeg'
  | 'rightLeg'
  | 'leftHand'
  | 'rightHand'
  | 'none';

/** What is known of a file by itself. */
export type FileFacts = {
  id: FileId;
  name: string;
  format: Scene['format'];
  /** Every skeleton of the file; what is told below is of `character`. */
  characters: { name: string; joints: number; clips: number }[];
  character: number;
  /** Where the names of joints come from, in a few words: `VRM 1.0`, `Mixamo names`, `by shape`. */
  family: string;
  /** With a container that leads to model space; null where the file has no skeleton. */
  skeleton: Skeleton | null;
  roles: (Role | null)[];
  joints: Partial<Record<Role, number>>;
  chains: ChainName[];
  reference: { kind: string; reason: string; pose: Pose } | null;
  /** The places of the body that contacts are of, by their names: with which joint they move, and where in its space. */
  points: Readonly<Record<string, { joint: number; offset: Float64Array }>>;
  /** Model space, metres. */
  floor: number;
  height: number;
  /** The length that heights of contacts are told in, in metres. */
  hipHeight: number;
  clips: Clip[];
  /** Meshes in model data, where the page has no loader of its own for the format. */
  meshes: DressedMesh[] | null;
  /** Whether the file has anything to look at but joints. */
  hasMeshes: boolean;
  warnings: Warning[];
};

/** What is to be done: whose motion, onto whom, and how. */
export type Job = { source: FileId; target: FileId; recipe: Recipe };

/** How two characters were understood together. */
export type Understanding = {
  map: RigMap;
  /** What went wrong, where nothing could be matched; the map is then empty. */
  failure: string | null;
  source: { kind: string; reason: string; frame?: { clip: string; time: number }; pose: Pose };
  target: { kind: string; reason: string; frame?: { clip: string; time: number }; pose: Pose };
  /** The target's reference, aligned with the source's. */
  aligned: Pose;
  alignment: Record<string, LimbAlignment>;
  rootScales: RootScales;
  /** Every step of the pipeline, and whether it does anything for these two. */
  passes: { name: string; does: boolean }[];
  warnings: Warning[];
};

/** One clip of a result. */
export type SolvedClip = {
  /** The name of the source's clip. */
  source: string;
  clip: Clip;
  frames: number;
  way: 'copy' | 'keys' | 'products' | 'frames';
  reason: string;
  /** Seconds of the source's clip at which the result begins. */
  start: number;
  contacts: readonly Contact[];
};

/** Clips on the target, not yet measured. */
export type Solved = { clips: SolvedClip[]; warnings: Warning[]; milliseconds: number };

/** A part of a result around an instant, while a setting is dragged. */
export type Preview = { clip: Clip; source: string; start: number; milliseconds: number };

/** How good one clip of a result is, and when it is not. */
export type Judged = {
  measures: ClipMeasures;
  curves: MeasureCurves;
  verdict: ResultVerdict;
  milliseconds: number;
};

/** A written file. */
export type Exported = { bytes: Uint8Array; warnings: Warning[] };

/** What the page asks a worker. */
export type Question =
  | { type: 'open'; file: OpenFile }
  | { type: 'hold'; file: OpenFile }
  | { type: 'understand'; job: Job }
  | { type: 'preview'; job: Job; clip: string; time: number; contacts: readonly Contact[] }
  | { type: 'solve'; job: Job; clips: string[] }
  | { type: 'judge'; job: Job; clip: string }
  | { type: 'stance'; job: Job; side: 'source' | 'target'; stance: 'T' | 'A' | 'source' }
  | { type: 'armature'; job: Job; side: 'source' | 'target' }
  | { type: 'recipe'; job: Job }
  | { type: 'readRecipe'; json: unknown }
  | {
      type: 'export';
      job: Job;
      clips: string[];
      extension: string;
      meshes: boolean;
      replace: boolean;
      /** Whether the mesh is bound anew, so that the source's own turns drive it. */
      newBind: boolean;
    };

/** What each question is answered with. */
export type AnswerOf = {
  open: FileFacts;
  /** How many characters the file has: whoever holds it knows the rest from who opened it. */
  hold: { characters: number };
  understand: Understanding;
  preview: Preview;
  solve: Solved;
  judge: Judged;
  stance: { pose: Pose };
  armature: { armature: ArmatureDocument };
  recipe: { recipe: Recipe };
  readRecipe: { recipe: Recipe; warnings: Warning[] };
  export: Exported;
};

/** A question on its way, with a number to answer to, and what says that its answer is not wanted any more. */
export type Ask = { id: number; stop?: StopSign } & Question;

/** What a worker says. */
export type Answer = { id: number } & (
  | { type: 'done'; value: AnswerOf[keyof AnswerOf] }
  | { type: 'progress'; part: number; words: string }
  | { type: 'failed'; error: { name: string; message: string } }
);
