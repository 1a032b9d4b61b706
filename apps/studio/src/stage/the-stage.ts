import type { Stage } from './stage.js';

let stage: Stage | null = null;

/** The stage that is set up, or null. */
export function theStage(): Stage | null {
  return stage;
}

/** Says which stage is set up. */
export function setStage(next: Stage | null): void {
  stage = next;
}
