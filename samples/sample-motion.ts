import type { Side } from '@stuntdouble/core';
import type { BodyPose } from './body.js';
import { guyBody } from './characters/mixamo-guy.js';
import type { FootState } from './footfalls.js';
import { type Act, solveAct } from './puppet.js';

/** A motion made by formulas for the body of the Mixamo-style guy. */
export type SampleMotion = {
  name: string;
  title: string;
  /** Seconds. */
  duration: number;
  /** Keys per second where keys are dense. */
  frameRate: number;
  /** A key per frame, or as few cubic keys as keep the motion. */
  keys: 'dense' | 'sparse';
  /** Whether it can be played again and again: the last pose is the first one, further on where it travels. */
  loops?: boolean;
  /** What the body does at a time. */
  actAt: (t: number) => Act;
};

/** The pose at a time, legs solved. */
export function poseAt(motion: SampleMotion, t: number): BodyPose {
  return solveAct(guyBody, motion.actAt(t));
}

/** Where a foot should be at a time. */
export function footStateAt(motion: SampleMotion, side: Side, t: number): FootState {
  return motion.actAt(t).feet[side];
}
