import type { Pose } from '../scene/pose.js';

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
  /** Joints that a person has moved or scaled in it: they stand so in every result. */
  placed?: readonly number[];
};

/**
 * Which pose to take as reference: found automatically, the nodes' rest, the skin's bind pose, an instant of
 * a clip (the first clip if none is named; `frame` counts at the clip's own rate), or a pose of the caller's
 * (the current one of an engine, say). `edits` are put on top of another: local rotations by joint name, or
 * whole {@link JointEdit}s. With edits, `auto` is the nodes' rest: what is edited must not depend on a guess.
 */
export type ReferenceChoice =
  | 'auto'
  | 'rest'
  | 'bind'
  | { clip?: string; frame?: number; time?: number }
  | { pose: Pose }
  | {
      base: ReferenceChoice;
      edits: Record<string, [number, number, number, number]> | readonly JointEdit[];
    };

/**
 * What a person changed about one joint of a reference pose: its local translation (in the file's unit),
 * rotation (xyzw) or scale; what is left out stays. A joint of the target that is moved or scaled stands so in the result.
 */
export type JointEdit = {
  /** As in a map: where a name is not unique it is followed by `@` and the joint's index in its file. */
  name: string;
  translation?: readonly [number, number, number];
  rotation?: readonly [number, number, number, number];
  /** A rotation on top of the one that it has then, in its parent's axes (xyzw): SpireMiniEngine's R. */
  turn?: readonly [number, number, number, number];
  scale?: readonly [number, number, number];
};
