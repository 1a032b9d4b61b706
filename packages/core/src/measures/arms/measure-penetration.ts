import { rolesOfMap } from '../../align/align-references.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import type { Setup } from '../../passes/pass.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { copyPose, createModelPose, localToModel, type Pose } from '../../scene/pose.js';
import type { Mesh } from '../../scene/scene.js';
import { retargetFrames } from '../../ways/frames/retarget-frames.js';
import { PLAIN_PASSES, standingPose } from '../comparison.js';
import { type ArmSkin, armDepths, createArmSkin } from '../skin/arm-skin.js';
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

/** {@link PenetrationMeasure} as a curve. */
export type PenetrationCurves = {
  /** Seconds. */
  times: number[];
  /** Per instant the deepest vertex of both arms, in % of the arm: of the result, and of the plain copy. */
  deepest: number[];
  copied: number[];
};

/** Instants of a clip that are looked at unless told otherwise. */
const PENETRATION_INSTANTS = 30;

/**
 * Measures how deep arms are in their own body by the skin of a result, and of its source's plain copy.
 * @param setup Of which nothing is corrected.
 * @param meshes Those of the target's character.
 * @param instants How many instants of the clip are looked at, evenly spread.
 */
export function measurePenetration(
  setup: Setup,
  source: Clip,
  result: Clip,
  meshes: readonly Mesh[],
  instants = PENETRATION_INSTANTS,
): { measure: PenetrationMeasure; curves: PenetrationCurves } | null {
  const skin = createArmSkin(
    setup.target,
    rolesOfMap(setup.map, setup.source).target,
    meshes,
    setup.alignment.model,
  );
  if (!skin) return null;
  const duration = Math.min(source.duration, result.duration);
  const count = duration > 0 ? Math.max(1, Math.min(instants, Math.ceil(duration * CONTACT_RATE) + 1)) : 1;
  const times = Array.from({ length: count }, (_, k) => (count > 1 ? (k * duration) / (count - 1) : 0));
  const stands = standingPose(setup, source, result, false);
  const own = followPenetration(setup, result, stands, skin, times);
  const plain = retargetFrames(setup, source, PLAIN_PASSES);
  const copied = plain.finite ? followPenetration(setup, plain.clip, stands, skin, times) : null;
  const measure = summarisePenetration(own, copied);
  const worst = (course: PenetrationCourse | null) =>
    course?.deepest.map((arms) => Math.max(0, ...arms)) ?? [];
  return measure && { measure, curves: { times, deepest: worst(own), copied: worst(copied) } };
}

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
