import {
  type ConstraintData,
  type ConstraintStep,
  copyPose,
  createConstraintStep,
  type Pose,
} from '@stuntdouble/core/engine';
import { type ConstrainedMotion, poseOf, RATE } from './constraint-cases.js';

/** All frames of a motion under constraints: each for itself, as live, and as a bake has them. */
export type BakedConstraints = { alone: Pose[]; poses: Pose[] };

/**
 * Runs constraints over all frames of a motion as a bake does: each frame for itself, and where the motion jumps for
 * that all of them once more, by the course that was found.
 * @param note Takes every frame of the run that counts, and of the one before it.
 */
export function bakeConstraints(
  { body, clip, frames }: ConstrainedMotion,
  data: ConstraintData,
  note: (step: ConstraintStep, pose: Pose, k: number, isLast: boolean) => void = () => {},
): BakedConstraints {
  const prepare = (course?: Parameters<typeof createConstraintStep>[2]): ConstraintStep => {
    const step = createConstraintStep(data, null, course);
    for (const time of data.looks) step.look(poseOf(body, clip, time), time);
    return step;
  };
  const run = (step: ConstraintStep, isTold: boolean, isLast: boolean): Pose[] =>
    frames.map((frame, k) => {
      const pose = copyPose(frame);
      step(pose, k / RATE);
      if (isTold) note(step, pose, k, isLast);
      return pose;
    });
  const first = prepare();
  let watch = first.watch();
  const alone = run(first, true, false);
  let course = watch?.finish();
  for (let next = course; next; next = watch?.finish()) {
    course = next;
    const step = prepare(course);
    watch = step.watch();
    run(step, false, false);
  }
  // Also where there is no course, so that what is noted is told once as the last.
  return { alone, poses: run(prepare(course), true, true) };
}
