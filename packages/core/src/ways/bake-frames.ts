import { applyConstraints, constraintResults } from '../passes/apply-constraints.js';
import { placeGoals } from '../passes/goals/place-goals.js';
import { foundOf } from '../passes/pass.js';
import type { ClipJob, MovedClip, Way } from './clip-way.js';
import { retargetFrames } from './frames/retarget-frames.js';
import { retargetKeys } from './keys/retarget-keys.js';

/** Samples the source, runs every pass on every frame, and gives linear keys: for all that keys cannot tell. */
export const bakeFrames: Way = {
  name: 'frames',
  summary: 'runs every pass on every frame, and bakes what comes out',
  refuses: ({ keys }) => (keys === 'keep' ? 'keys are to be kept' : null),
  move: moveFrames,
};

function moveFrames(job: ClipJob): MovedClip {
  const { setup, clip, passes, keys, frameRate, between, looksBetween } = job;
  const goals = foundOf(job.plan(), placeGoals);
  const { plan, reason, passes: left } = job.keyPlan();
  // Joints that take over one turn each keep their keys beside those that cannot.
  const keeps = keys === 'auto' || keys === 'refine';
  const kept = keeps && !goals ? retargetKeys(setup, clip, plan) : null;
  const baked = retargetFrames(
    setup,
    clip,
    kept ? left : passes,
    {
      // A bake that was merely asked for may be exact key by key: then nothing needs refining.
      refine: keys === 'refine' && reason !== null,
      even: keys !== 'refine',
      ...(between !== null && { between }),
      looksBetween: looksBetween && reason !== null,
      ...(frameRate !== null && { frameRate }),
    },
    { ...job.plan(), keyed: kept && new Set(plan.turns.map(({ target }) => target)) },
  );
  const { clip: moved, frames, mended, rootMotion = null, missed } = baked;
  if (kept) moved.tracks = [...kept.clip.tracks, ...moved.tracks];
  const finite = baked.finite && (kept?.finite ?? true);
  const constraints = constraintResults(foundOf(job.plan(), applyConstraints));
  const contacts = goals?.contacts ?? null;
  return { clip: moved, frames, finite, mended, rootMotion, contacts, constraints, missed };
}
