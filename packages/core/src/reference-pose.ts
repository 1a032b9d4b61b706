import type { Pose } from './pose.js';

/**
 * The pose from which turns are counted, as an explicit object: never "the transforms it happens to have
 * now" (WP2).
 */
export type ReferencePose = {
  kind: 'rest' | 'bind' | 'frame' | 'pose';
  /** Clip name and time in seconds, where the kind is `frame`. */
  frame?: { clip: string; time: number };
  /** Local transforms of every joint. */
  pose: Pose;
  /** Why this one, for a person to read. */
  reason: string;
};
