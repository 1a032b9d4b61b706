import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { type Contact, isOnGround } from '../../options/contact.js';
import {
  type ClipPart,
  type ClipPlan,
  type ClipView,
  compiledOf,
  type Pass,
  type Setup,
} from '../../passes/pass.js';
import { PASS_NAMES, PASSES, type PassName } from '../../passes/pipeline.js';
import { createFrame, prepareSteps } from '../../passes/run-passes.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { recordGoals } from './record-goals.js';

/**
 * Looks at a whole clip before any of it is moved. In the order of the pipeline, each pass that looks ahead sees what
 * those before it have found:
 *
 * 1. `copyRotations` finds the bones of the source that do not keep their direction.
 * 2. `moveJoints` finds the joints that the clip moves or scales in their parents.
 * 3. `addPoseLayers`, and later `addFinalLayers`, take the layers that are for this clip.
 * 4. `placeGoals` copies the clip on a grid, unrolled if it is a loop, see `gridRateOf`, finds what stands on
 *    what and when, or takes what was told, and plans where it is held and what the hips give way by.
 * 5. `placeFeet` plans heights and slopes under both feet, on ground that is not even.
 * 6. `lookAtPoint` plans where head and eyes look.
 * 7. `applyConstraints` takes the constraints that are for this clip, what stands, and where joints are that are locked.
 *
 * Where the body travels (`extractRoot`) is found when it is known where the frames stand; see {@link planFrames}.
 * `applyConstraints` looks back at the frames once they are baked (`lookBack`), and may ask for them once more.
 * @param passes Those that run.
 * @param contacts What touches what, where somebody has told.
 * @param part The part of a clip that this is.
 * @param frameRate The rate that frames are asked for at; null for the clip's own.
 */
export function planClip(
  setup: Setup,
  clip: Clip,
  passes: readonly PassName[],
  contacts: readonly Contact[] | null = null,
  part: ClipPart | null = null,
  frameRate: number | null = null,
): ClipPlan {
  const found: Record<string, unknown> = {};
  const plan: ClipPlan = { found, keyed: null };
  for (const pass of PASSES as readonly Pass[]) {
    const data = compiledOf(setup, pass);
    if (data === null || !pass.plan) continue;
    const view: ClipView = {
      setup,
      clip,
      passes,
      contacts,
      part,
      frameRate,
      plan,
      play: (count, visit) =>
        playUntil(pass, { setup, plan, clip, passes }, count, (k) => k / CONTACT_RATE, visit),
      playAt: (times, visit) =>
        playUntil(pass, { setup, plan, clip, passes }, times.length, (k) => times[k]!, visit),
      record: (unrolled, grid, laying, turn) =>
        recordGoals(setup, plan, unrolled, passes, grid, {
          laying,
          ...(turn && { turn }),
          touchesAreTold: contacts !== null && !contacts.every(isOnGround),
        }),
    };
    found[pass.name] = pass.plan(data, view);
  }
  return plan;
}

/** A plan with what passes find when it is known where the frames of a bake stand. */
export function planFrames(
  setup: Setup,
  plan: ClipPlan,
  clip: Clip,
  passes: readonly PassName[],
  times: Float32Array,
): ClipPlan {
  const found: Record<string, unknown> = {};
  for (const pass of PASSES.filter(({ name }) => passes.includes(name)) as readonly Pass[]) {
    const data = compiledOf(setup, pass);
    if (data !== null && pass.planFrames) found[pass.name] = pass.planFrames(data, setup, clip, times);
  }
  return { ...plan, found: { ...plan.found, ...found } };
}

/** Runs the passes before one on some instants. */
function playUntil(
  pass: Pass,
  { setup, plan, clip, passes }: { setup: Setup; plan: ClipPlan; clip: Clip; passes: readonly PassName[] },
  count: number,
  timeOf: (k: number) => number,
  visit: Parameters<ClipView['play']>[1],
): void {
  if (count === 0) return;
  const before = PASS_NAMES.slice(0, (PASS_NAMES as readonly string[]).indexOf(pass.name));
  const steps = prepareSteps(
    setup,
    plan,
    passes.filter((name) => before.includes(name)),
  );
  const frame = createFrame(setup, plan);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < count; k++) {
    didWork(setup.target.skeleton.names.length);
    frame.index = k;
    frame.time = timeOf(k);
    sampleClip(frame.source, clip, frame.time, hints);
    for (const step of steps) step(frame);
    visit(frame, k);
  }
}
