import { expect, it } from 'vitest';
import { createLive } from './live.js';
import { createWorkload } from './workload.js';

it('does the whole work, and the check sees where it does not', () => {
  const workload = createWorkload({ joints: 65, frames: 24, frameRate: 30 });
  const live = createLive(workload);
  live.run();
  expect(() => live.check()).not.toThrow();
  workload.rotations.fill(0.5);
  expect(() => live.check()).toThrow();
});
