import type { Warning } from '../base/warnings.js';
import type { ConstraintResult } from '../edits/constraints/constraint-report.js';
import type { Contact } from '../options/contact.js';
import type { RootMotionTrack } from '../passes/parts/read-travel.js';
import type { ClipPlan, Setup } from '../passes/pass.js';
import type { PassName } from '../passes/pipeline.js';
import type { Clip } from '../scene/clip.js';
import type { SomeKeys } from './keys/plan-keys.js';

/** How a clip is moved: taken over whole, key by key, by products of keys, or frame by frame. */
export type WayName = 'copy' | 'keys' | 'products' | 'frames';

/** One clip that is to be moved. */
export type ClipJob = {
  setup: Setup;
  clip: Clip;
  /** Those that run. */
  passes: readonly PassName[];
  /**
   * Whether keys are kept where that is exact, must be, or must not be; `refine` keeps them, and adds frames where lines
   * between those of a bake miss.
   */
  keys: 'auto' | 'keep' | 'bake' | 'refine';
  /** Frames per second of a bake; the source's own rate where none is given. */
  frameRate: number | null;
  /** How far lines between frames may miss a turn, in radians, before up to four times as many are baked; null for any. */
  between: number | null;
  /** Whether it is to be found how far they do. */
  looksBetween: boolean;
  /** Whether the map is the user's word: then a joint that it leaves out does not move. */
  mapIsTold: boolean;
  /** What is found by looking at the whole clip; looked at when it is first asked for. */
  plan(): ClipPlan;
  /** What of the clip can be moved key by key; likewise. */
  keyPlan(): SomeKeys;
};

/** A clip on the target. */
export type MovedClip = {
  clip: Clip;
  /** How many instants it has keys at. */
  frames: number;
  /** How far lines between frames miss at most what the passes give half way, in radians; null where not looked. */
  missed?: number | null;
  /** False where rotation keys were no numbers, or no turns. */
  finite: boolean;
  /** Joints of the target whose turns were none in some frame. */
  mended: readonly number[];
  /** What was taken out, where root motion is given apart. */
  rootMotion: RootMotionTrack | null;
  /** What touched what, where feet and hands were corrected. */
  contacts: readonly Contact[] | null;
  /** How constraints came out, and what is to be told of them; left out where there were none. */
  constraints?: { results: ConstraintResult[]; warnings: Warning[] } | null;
};

/** A way to move a clip. */
export type Way = {
  name: WayName;
  /** What it does, in a line, without a capital or a full stop. */
  summary: string;
  /** Why it cannot move a clip, in words that follow "since"; null where it can. */
  refuses(job: ClipJob): string | null;
  /** Moves a clip that it does not refuse. */
  move(job: ClipJob): MovedClip;
};

/** Why ways are refused that keep keys, where no pass is to blame. */
export const BAKE_ASKED = 'a bake was asked for';

/** Why keys are not kept where feet and hands are corrected. */
export const HELD_FRAMES = 'feet and hands are held frame by frame';
