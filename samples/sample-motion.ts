import type { Side } from '@stuntdouble/core/engine';
import type { BodyPose } from './body/body.js';
import { guyBody } from './characters/mixamo-guy.js';
import type { FootState } from './footfalls.js';
import { type Act, solveAct } from './puppet.js';

/** What can be put on a rig: the pose of its body at any time. */
export type Playable = {
  name: string;
  /** Seconds. */
  duration: number;
  /** Keys per second where keys are dense. */
  frameRate: number;
  /** A key per frame, or as few cubic keys as keep the motion. */
  keys: 'dense' | 'sparse';
  poseAt: (t: number) => BodyPose;
};

/** A motion made by formulas for the body of the Mixamo-style guy. */
export type SampleMotion = Omit<Playable, 'poseAt'> & {
  title: string;
  /** Whether it can be played again and again: the last pose is the first one, further on where it travels. */
  loops?: boolean;
  /** What the body does at a time. */
  actAt: (t: number) => Act;
};

/** The pose at a time, legs solved. */
export function poseAt(motion: SampleMotion, t: number): BodyPose {
  return solveAct(guyBody, motion.actAt(t));
}

/** A motion as it is put on the rig of the body it was made for. */
export function playable(motion: SampleMotion): Playable {
  return { ...motion, poseAt: (t) => poseAt(motion, t) };
}

/** Where a foot should be at a time. */
export function footStateAt(motion: SampleMotion, side: Side, t: number): FootState {
  return motion.actAt(t).feet[side];
}
