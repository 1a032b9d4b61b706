import { log } from '../../base/math/functions.js';
import { smoothCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { isPlannable } from '../../goals/plan/plan-goals.js';
import { createModelPose } from '../../scene/pose.js';
import type { ClipView } from '../pass.js';
import { aimLooker, type LookSetup, turnLooker } from './look-setup.js';

/**
 * Looks at a whole clip and plans where head and eyes look: yaw and pitch of each on a grid of 60 frames a second,
 * smoothed as much as easing live would lag, but without the lag. The eyes are planned after the head, from where it
 * has turned to. Null where nothing looks at anything.
 */
export function planLook(look: LookSetup, { setup, clip, passes, play }: ClipView): Float64Array | null {
  const count = Math.floor(clip.duration * CONTACT_RATE + 1e-3) + 1;
  if (!passes.includes('lookAtPoint') || !isPlannable(clip)) return null;
  const { skeleton } = setup.target;
  const model = createModelPose(skeleton.names.length);
  const size = 2 * look.lookers.length;
  const plan = new Float64Array(size * count);
  const angles = new Float64Array(size);
  // A share s of the way per step leaves (1 − s)^n after n steps: a time constant of −1 / ln(1 − s) steps.
  const deviation = look.speed < 1 ? Math.min(1 / Math.abs(log(1 - look.speed)), count) : 0;
  const rounds = look.lookers.length > 1 ? [[0], look.lookers.map((_, n) => n).slice(1)] : [[0]];
  for (const round of rounds) {
    play(count, (frame, k) => {
      angles.set(plan.subarray(size * k, size * (k + 1)));
      if (round[0] !== 0) turnLooker(frame, look, 0, angles);
      for (const n of round) aimLooker(angles, frame, look, n, skeleton, model);
      plan.set(angles, size * k);
      didWork(skeleton.names.length);
    });
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
