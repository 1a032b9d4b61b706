import { PASS_NAMES, PASSES, type PassName } from './pipeline.js';
import type { Pose } from './pose.js';
import { createFrame } from './retarget-frames.js';
import type { Setup } from './setup.js';

/** Live retargeting of one target: a pose in, a pose out, without allocating. */
export type Retargeter = {
  readonly setup: Setup;
  /** Local transforms of the target, overwritten by every update. */
  readonly pose: Pose;
  /**
   * Takes the source's local transforms, in the order of its skeleton's joints, and gives the target's. The
   * source is read and never written; many retargeters may share one.
   * @param seconds Time since the update before; only passes that remember need it.
   */
  update(source: Pose, seconds?: number): Pose;
  /** Forgets what was before, as after a cut. */
  reset(): void;
};

/** What {@link createRetargeter} may be told. */
export type RetargeterOptions = {
  /** Which passes run; all if left out. */
  passes?: readonly PassName[];
};

/**
 * Compiles a setup for live use. Frames may come in any order, and nothing of one shows in the next, while
 * only stateless passes are on (R8).
 */
export function createRetargeter(setup: Setup, options: RetargeterOptions = {}): Retargeter {
  const passes = options.passes ?? PASS_NAMES;
  const steps = PASSES.filter(({ name }) => passes.includes(name)).map((pass) => pass.prepare(setup));
  const frame = createFrame(setup);
  return {
    setup,
    pose: frame.target,
    update(source) {
      frame.source = source;
      for (let n = 0; n < steps.length; n++) steps[n]!(frame);
      return frame.target;
    },
    reset() {},
  };
}
