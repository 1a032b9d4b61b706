import {
  conjugateQuaternion,
  copyPose,
  createModelPose,
  localToModel,
  modelPoseOf,
  multiplyQuaternions,
  quaternionAngle,
} from '@stuntdouble/core/engine';
import type { Workload } from './workload.js';

/** Something that does the whole bake of a workload, and can show that it did. */
export type Contender = {
  name: string;
  /** Does the bake once, from the clip in memory to a result in memory. This alone is timed. */
  run(): void;
  /** Throws unless the result of the last run is the whole and right one. */
  check(): void;
  /** Lets go of the result, so that no collector walks through it while others are timed. */
  forget?(): void;
};

/** Puts the local rotation (xyzw) that a result has for a target joint at a frame into `out` at `o`. */
export type ReadRotation = (out: Float64Array, o: number, joint: number, frame: number) => void;

/**
 * The largest angle in radians by which a joint of a result has turned otherwise than its driver, each from
 * its own rest in model space, over all joints and over frames spread from the first to the last. A result
 * that holds something other than a unit quaternion gives NaN.
 */
export function worstRotation(workload: Workload, read: ReadRotation): number {
  const { source, target, rotations } = workload;
  const { joints, frames } = workload.size;
  const sourcePose = copyPose(source.rest);
  const targetPose = copyPose(target.rest);
  const sourceRest = modelPoseOf(source, source.rest).rotations;
  const targetRest = modelPoseOf(target, target.rest).rotations;
  const sourceModel = createModelPose(joints);
  const targetModel = createModelPose(joints);
  const sourceTurn = new Float64Array(4);
  const targetTurn = new Float64Array(4);
  const back = new Float64Array(4);
  const samples = Math.min(frames, 40);
  let worst = 0;
  for (let n = 0; n < samples; n++) {
    const frame = samples < 2 ? 0 : Math.round((n * (frames - 1)) / (samples - 1));
    for (let joint = 0; joint < joints; joint++) {
      for (let c = 0; c < 4; c++)
        sourcePose.rotations[4 * joint + c] = rotations[4 * (joint * frames + frame) + c]!;
      read(targetPose.rotations, 4 * joint, joint, frame);
      const length = Math.hypot(...targetPose.rotations.subarray(4 * joint, 4 * joint + 4));
      // Float32 stores unit length to about 1e-7; a hundred times that is a product left to drift.
      if (!(Math.abs(length - 1) < 1e-5)) return Number.NaN;
    }
    localToModel(sourceModel, source, sourcePose);
    localToModel(targetModel, target, targetPose);
    for (let i = 0; i < 4 * joints; i += 4) {
      conjugateQuaternion(back, 0, sourceRest, i);
      multiplyQuaternions(sourceTurn, 0, sourceModel.rotations, i, back, 0);
      conjugateQuaternion(back, 0, targetRest, i);
      multiplyQuaternions(targetTurn, 0, targetModel.rotations, i, back, 0);
      worst = Math.max(worst, quaternionAngle(sourceTurn, 0, targetTurn, 0));
    }
  }
  return worst;
}

/**
 * Throws unless every joint of a result has turned as its driver has.
 * @param tolerance radians. Peers that sample the clip between its keys or work by float32 matrices need more
 * than the rounding of the result.
 */
export function checkRotations(
  name: string,
  workload: Workload,
  read: ReadRotation,
  tolerance: number,
): void {
  const worst = worstRotation(workload, read);
  if (!(worst <= tolerance))
    throw new Error(`${name}: a joint is ${worst} rad away from its driver; at most ${tolerance} is right`);
}

/** Throws unless the hips of a result have a key on every frame and travel `scale` times as far as the source's. */
export function checkTravel(
  name: string,
  workload: Workload,
  translations: ArrayLike<number>,
  scale: number,
): void {
  if (translations.length !== 3 * workload.size.frames)
    throw new Error(
      `${name}: ${translations.length / 3} hip keys; ${workload.size.frames} are the whole work`,
    );
  const way = (values: ArrayLike<number>) => {
    const last = values.length - 3;
    return Math.hypot(
      values[last]! - values[0]!,
      values[last + 1]! - values[1]!,
      values[last + 2]! - values[2]!,
    );
  };
  const expected = scale * way(workload.translations);
  if (!(Math.abs(way(translations) - expected) <= 1e-3 * expected))
    throw new Error(`${name}: the hips travel ${way(translations)} m; ${expected} m is right`);
}
