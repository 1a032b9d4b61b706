import { theStage } from './stage/the-stage.js';
import { useDerived } from './state/derived-store.js';

let isIdle: () => boolean = () => false;
let arrived = false;
let asked = false;

/** Says how to find out whether the engine has nothing to do. */
export function watchSettled(idle: () => boolean): void {
  isIdle = idle;
}

/** Says that what is there on arrival has been opened. */
export function markArrived(): void {
  arrived = true;
  updateSettled();
}

/**
 * Writes on the page whether everything that was asked for is done and drawn: for tests, which wait for it and never
 * for time. A motion that plays is never settled.
 */
export function updateSettled(): void {
  if (asked) return;
  asked = true;
  // After whatever is under way in this turn has asked for what it needs.
  setTimeout(() => {
    asked = false;
    const { busy, exporting, saved, opening } = useDerived.getState();
    const settled =
      arrived &&
      isIdle() &&
      busy === null &&
      opening === 0 &&
      exporting === null &&
      saved !== 'saving' &&
      (theStage()?.isSettled() ?? false);
    const { dataset } = document.documentElement;
    if (dataset.settled !== String(settled)) dataset.settled = String(settled);
  });
}
