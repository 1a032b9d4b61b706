import type { IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import type { RetargetOptions } from '@stuntdouble/core';
import type { GroundMode } from '@stuntdouble/core/engine';
import type { BabylonWarning } from './warnings.js';

/**
 * What is ours, beside Babylon's own options. Feet and hands are held, as everywhere; `corrections: 'none'` copies turns
 * and root alone. So do options that describe Babylon's own result, unless corrections are asked for: see
 * `unlessPlain`.
 */
export type StuntdoubleOptions = Omit<
  RetargetOptions,
  'clips' | 'sourceSkeleton' | 'targetSkeleton' | 'range' | 'speed' | 'mapIsTold'
> & {
  /**
   * `auto` finds who drives whom by body parts, `mapNodeNames` having the last word; `names` pairs by names
   * alone, as Babylon.js does. `auto` if left out.
   */
  match?: 'auto' | 'names';
  /**
   * Whether keys of the source are remembered with their `Animation` when they are read, and used again without being
   * looked at when the group is moved onto a further avatar. They may be edited in place, so by default they are read
   * each time; who does not do that saves a third to a half of the time. False if left out.
   */
  trustKeys?: boolean;
};

/** Babylon's options for retargeting a group, by their own names and with their defaults, and ours. */
export type RetargetGroupOptions = IRetargetOptions & {
  /**
   * How `fixGroundReference` brings the ground node to its height: over where it stands, in the avatar's own scale, so
   * that a jump stays one (`scaled`, if left out); or to the very height of the source's (`pin`), as Babylon.js does.
   */
  groundMode?: GroundMode;
  /** Whether warnings are told; the avatar's `showWarnings` if left out, which is true by default. */
  showWarnings?: boolean;
  /**
   * Called once per warning; Babylon's `Logger` tells them if left out. All of them are also in
   * `metadata.stuntdouble` of the result.
   */
  onWarning?: (warning: BabylonWarning) => void;
  stuntdouble?: StuntdoubleOptions;
};

/** Those of Babylon's options that say how root and ground are treated. */
export type RootOptions = Pick<
  RetargetGroupOptions,
  | 'fixRootPosition'
  | 'fixGroundReference'
  | 'fixGroundReferenceDynamicRefNode'
  | 'rootNodeName'
  | 'groundReferenceNodeName'
  | 'groundReferenceVerticalAxis'
  | 'groundMode'
  | 'mapNodeNames'
>;

/** What a live retargeter may be told: those of Babylon's options that mean something from frame to frame, and ours. */
export type LiveRetargeterOptions = RootOptions &
  Pick<RetargetGroupOptions, 'showWarnings' | 'onWarning'> & {
    /** Whether morph targets of the same names follow too; they do if left out. `stuntdouble.morphs` may map them. */
    copyMorphs?: boolean;
    stuntdouble?: Omit<StuntdoubleOptions, 'trustKeys'>;
  };
