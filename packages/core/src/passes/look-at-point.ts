import { CONTACT_RATE } from '../contacts/track-points.js';
import { samplePlan } from '../goals/goal-plan.js';
import { createModelPose } from '../scene/pose.js';
import { easeLook } from '../solvers/look-at.js';
import { aimLooker, type LookSetup, resolveLook, turnLooker } from './parts/look-setup.js';
import { planLook } from './parts/plan-gaze.js';
import { definePass, type Frame } from './pass.js';

/**
 * Turns head and eyes to what they shall look at, when the body has its final place. The head looks as far as its
 * limits let it, the eyes go on from there. Offline looks are smoothed over the clip (see `planLook`); live they are
 * eased, and what was before is remembered.
 */
export const lookAtPoint = definePass<'lookAtPoint', LookSetup, Float64Array>({
  name: 'lookAtPoint',
  summary: 'turns head and eyes to what they shall look at, where asked to',
  options: ['lookAt'],
  compile: ({ pair: { target }, options }) => (options.lookAt ? resolveLook(target, options.lookAt) : null),
  needsFrames: () => 'head and eyes are turned frame by frame',
  isAskedFor: true,
  writes: ({ lookers }) => ({ turnsOn: lookers.map(({ joint }) => joint) }),
  plan: planLook,
  prepare(look, { setup: { target }, found }) {
    if (look.weight === 0) return () => {};
    const model = createModelPose(target.skeleton.names.length);
    const size = 2 * look.lookers.length;
    const angles = new Float64Array(size);
    if (found) {
      const grid = { count: found.length / size, rate: CONTACT_RATE };
      return (frame) => {
        samplePlan(angles, found, size, grid, frame.time);
        turnLookers(frame, look, angles);
      };
    }
    let isFirst = true;
    const wanted = new Float64Array(size);
    return Object.assign(
      (frame: Frame) => {
        const share = isFirst ? 1 : easeLook(frame.seconds, look.speed);
        isFirst = false;
        for (let n = 0; n < look.lookers.length; n++) {
          aimLooker(wanted, frame, look, n, target.skeleton, model);
          for (let i = 2 * n; i < 2 * n + 2; i++) angles[i] = angles[i]! + share * (wanted[i]! - angles[i]!);
          turnLooker(frame, look, n, angles);
        }
      },
      {
        reset: () => {
          isFirst = true;
        },
      },
    );
  },
});

function turnLookers(frame: Frame, look: LookSetup, angles: Float64Array): void {
  for (let n = 0; n < look.lookers.length; n++) turnLooker(frame, look, n, angles);
}
