import { findBendingBones } from './bending-bones.js';
import { type Clip, sampleClip } from './clip.js';
import { PLAN_RATE } from './goals/goal-plan.js';
import { MOST_PLANNED } from './goals/plan-goals.js';
import { smoothCurve } from './goals/smooth-curves.js';
import { channelsOfClip } from './joint-channels.js';
import { aimLooker, turnLooker } from './passes/look-at-point.js';
import { PASS_NAMES, type PassName } from './pipeline.js';
import { createModelPose } from './pose.js';
import { createFrame, prepareSteps } from './retarget-frames.js';
import type { Setup } from './setup.js';
import { didWork } from './watch-work.js';

/**
 * Looks at a whole clip and plans where head and eyes look: yaw and pitch of each on a grid of 60 frames a second,
 * smoothed as much as easing live would lag, but without the lag. The eyes are planned after the head, from where it
 * has turned to. Null where nothing looks at anything.
 * @param setup With the corrections of the clip, where there are any: the look goes from where the body ends up.
 */
export function planLook(setup: Setup, clip: Clip, passes: readonly PassName[]): Float64Array | null {
  const { look } = setup;
  const count = Math.floor(clip.duration * PLAN_RATE + 1e-3) + 1;
  if (!look || !passes.includes('lookAtPoint') || !(count >= 1 && count <= MOST_PLANNED)) return null;
  const before = PASS_NAMES.slice(0, PASS_NAMES.indexOf('lookAtPoint'));
  const steps = prepareSteps(
    { ...setup, ...channelsOfClip(setup, clip), bending: findBendingBones(setup, clip) },
    passes.filter((name) => before.includes(name)),
  );
  const { skeleton } = setup.target;
  const model = createModelPose(skeleton.names.length);
  const frame = createFrame(setup);
  const hints = new Int32Array(clip.tracks.length);
  const size = 2 * look.lookers.length;
  const plan = new Float64Array(size * count);
  const angles = new Float64Array(size);
  // A share s of the way per step leaves (1 − s)^n after n steps: a time constant of −1 / ln(1 − s) steps.
  const deviation = look.speed < 1 ? Math.min(-1 / Math.log(1 - look.speed), count) : 0;
  const rounds = look.lookers.length > 1 ? [[0], look.lookers.map((_, n) => n).slice(1)] : [[0]];
  for (const round of rounds) {
    for (let k = 0; k < count; k++) {
      didWork(setup.target.skeleton.names.length);
      frame.index = k;
      frame.time = k / PLAN_RATE;
      sampleClip(frame.source, clip, frame.time, hints);
      for (const step of steps) step(frame);
      angles.set(plan.subarray(size * k, size * (k + 1)));
      if (round[0] !== 0) turnLooker(frame, look, 0, angles);
      for (const n of round) aimLooker(angles, frame, look, n, skeleton, model);
      plan.set(angles, size * k);
    }
    for (const n of round)
      for (const i of [2 * n, 2 * n + 1]) {
        const smooth = smoothThrough(
          Float64Array.from({ length: count }, (_, k) => plan[size * k + i]!),
          deviation,
        );
        for (let k = 0; k < count; k++) plan[size * k + i] = smooth[k]!;
      }
  }
  return plan;
}

/** Smooths a curve as if it went on beyond its ends as it came, turned about them: it begins and ends where it did. */
function smoothThrough(curve: Float64Array, deviation: number): Float64Array {
  const last = curve.length - 1;
  const reach = Math.min(last, Math.ceil(3 * deviation));
  const longer = new Float64Array(curve.length + 2 * reach);
  longer.set(curve, reach);
  for (let d = 1; d <= reach; d++) {
    longer[reach - d] = 2 * curve[0]! - curve[d]!;
    longer[reach + last + d] = 2 * curve[last]! - curve[last - d]!;
  }
  return smoothCurve(longer, deviation).subarray(reach, reach + curve.length);
}
