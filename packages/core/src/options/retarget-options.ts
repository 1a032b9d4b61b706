import type { ReferenceChoice } from '../body/understand/reference-pose.js';
import type { LoopOptions } from '../clips/close-loop.js';
import type { MorphMap } from '../clips/match-morphs.js';
import type { KeyTolerance } from '../clips/reduce-keys.js';
import type { EditedContact } from '../contacts/contact-document.js';
import type { RigMapDocument } from '../map/map-document.js';
import type { PassName } from '../passes/pipeline.js';
import type { SetupOptions } from './setup-options.js';

/** How one clip is moved: which passes run, and whether keys are kept. */
export type ClipOptions = {
  /** Which passes run; all if left out. */
  passes?: readonly PassName[];
  /**
   * `auto` keeps keys where that is exact, joint by joint, and bakes elsewhere; `keep` insists and is a wrong use
   * where some are not exact; `bake` always bakes.
   */
  keys?: 'auto' | 'keep' | 'bake';
  /** Frames per second of a bake; the source's own rate if left out. Asking for a rate asks for a bake. */
  frameRate?: number;
  /**
   * Whether the map is the user's word: then a joint that it leaves out does not move, even where both
   * skeletons are one and clips could be taken over whole.
   */
  mapIsTold?: boolean;
};

/** What `retarget` may be told; everything has a default that needs no set-up. */
export type RetargetOptions = ClipOptions &
  SetupOptions & {
    /** The source's clips to move, by name; all if left out. */
    clips?: readonly string[];
    /** A map of the user's, or roles for joints whose names mean nothing. */
    map?: RigMapDocument;
    sourceReference?: ReferenceChoice;
    targetReference?: ReferenceChoice;
    /** Name or number of the skeleton, where a file has several. */
    sourceSkeleton?: string;
    targetSkeleton?: string;
    /** Seconds of the source clip to take, from and to. */
    range?: readonly [number, number];
    /** Whether left and right are exchanged: the motion as seen in a mirror. */
    mirror?: boolean;
    /** How many times as fast the result plays. */
    speed?: number;
    /** Whether rotation keys that stand alone a half turn off are replaced first; see `repairKeys`. */
    repairKeys?: boolean;
    /** Whether, and how, the last pose is made the first; see `closeLoop`. */
    loop?: boolean | LoopOptions;
    /** Whether, and within what tolerance, keys are left out that interpolation gives anyway; see `reduceKeys`. */
    reduce?: boolean | KeyTolerance;
    /**
     * What touches what and when, by the name of the source's clip and in its times, where finding it is not enough:
     * as the report gives it, edited. Where corrected; found in clips that are not named.
     */
    contacts?: Readonly<Record<string, readonly EditedContact[]>>;
    /** Which morph goes onto which, where names do not tell. */
    morphs?: MorphMap;
    /** Whether results are measured; they are if left out. */
    measure?: boolean;
    /**
     * An `AbortSignal`, or anything that throws when work should stop. It is asked many times a second in everything
     * that takes long. As all is done at once, without a pause, it must find out by itself: by a clock, or by
     * memory that threads share; or it is told by `onProgress`.
     */
    signal?: { throwIfAborted(): void };
    /**
     * Called as work goes on, many times a second: clips done so far (fractions while one is under way, and never less
     * than before), all clips, and the clip's name, which is empty while the bodies are compared.
     */
    onProgress?: (done: number, total: number, clip: string) => void;
  };
