import { didWork } from '../../base/watch-work.js';
import type { Setup } from '../../passes/pass.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { copyPose, createModelPose, localToModel, type Pose } from '../../scene/pose.js';
import { type ArmSkin, armDepths } from '../skin/arm-skin.js';
import { type Summary, summarise } from '../summary.js';

/**
 * How deep hands, forearms and upper arms are in the rest of their own body, by the vertices of its skin: in % of the
 * arm's length, beyond what they are in the reference pose already.
 */
export type PenetrationMeasure = {
  /** Per instant the deepest vertex of both arms. */
  deepest: Summary;
  /** Per instant the mean over all vertices of the arms. */
  mean: Summary;
  /** Share of the instants in which a vertex is deeper than 1 %. */
  share: number;
  /** The same of the plainly copied motion; null where it was not looked at. */
  copied: { deepest: Summary; mean: Summary; share: number } | null;
  /** How many instants were looked at. */
  instants: number;
};

/** {@link PenetrationMeasure} over time: per instant and arm, left before right. */
export type PenetrationCourse = {
  /** Seconds. */
  times: number[];
  /** Per instant the deepest vertex of each arm, in % of its length. */
  deepest: number[][];
  /** Per instant the deepest of upper arms, forearms and hands. */
  parts: number[][];
  /** Per instant the mean over all vertices, in %. */
  mean: number[];
};

/** What is deeper than this, in % of an arm, is seen. */
export const SEEN_DEPTH = 1;

/** Follows how deep arms are in their body at some times of a clip. */
export function followPenetration(
  { target }: Pick<Setup, 'target'>,
  clip: Clip,
  stands: Pose,
  skin: ArmSkin,
  times: readonly number[],
): PenetrationCourse {
  const { skeleton } = target;
  const pose = copyPose(stands);
  const model = createModelPose(skeleton.names.length);
  const course: PenetrationCourse = { times: [...times], deepest: [], parts: [], mean: [] };
  for (const time of times) {
    sampleClip(pose, clip, time);
    localToModel(model, skeleton, pose);
    const depths = armDepths(skin, model);
    course.deepest.push(depths.map(({ deepest }) => 100 * deepest));
    course.parts.push([0, 1, 2].map((part) => 100 * Math.max(...depths.map(({ parts }) => parts[part]!))));
    course.mean.push((100 * depths.reduce((sum, { mean }) => sum + mean, 0)) / depths.length);
    didWork(skin.body.joints.length);
  }
  return course;
}

/** Makes a measure of what was followed of a result, and of the plain copy. */
export function summarisePenetration(
  result: PenetrationCourse,
  copied: PenetrationCourse | null,
): PenetrationMeasure | null {
  const own = figuresOf(result);
  return own && { ...own, copied: copied && figuresOf(copied), instants: result.times.length };
}

function figuresOf({ deepest, mean }: PenetrationCourse) {
  const worst = deepest.map((arms) => Math.max(0, ...arms));
  const [deep, all] = [summarise(worst, 1), summarise([...mean], 1)];
  if (!deep || !all) return null;
  return {
    deepest: deep,
    mean: all,
    share: worst.filter((depth) => depth > SEEN_DEPTH).length / worst.length,
  };
}
