import { theStage } from './stage/the-stage.js';
import { useDerived } from './state/derived-store.js';

let isIdle: () => boolean = () => false;
let arrived = false;
let fetching = 0;
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
 * for time. A motion that plays is never settled. That it is not is said at once, that it is only after whatever is
 * under way in this turn has asked for what it needs.
 */
export function updateSettled(): void {
  if (!isSettled()) tell(false);
  else if (!asked) {
    asked = true;
    setTimeout(() => {
      asked = false;
      tell(isSettled());
    });
  }
}

function isSettled(): boolean {
  const { busy, exporting, saved, opening } = useDerived.getState();
  const isQuiet = busy === null && opening === 0 && exporting === null && saved !== 'saving';
  return arrived && fetching === 0 && isQuiet && isIdle() && (theStage()?.isSettled() ?? false);
}

/** Says that a part of the page is waited for, which is not settled before that is shown. @returns Says that it is. */
export function beginFetching(): () => void {
  fetching++;
  updateSettled();
  // It is drawn in the frame after it has come.
  return () =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        fetching--;
        updateSettled();
      }),
    );
}

function tell(settled: boolean): void {
  const { dataset } = document.documentElement;
  if (dataset.settled !== String(settled)) dataset.settled = String(settled);
}
