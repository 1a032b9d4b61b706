import type { TransformControls } from 'three/addons/controls/TransformControls.js';

type Controls = typeof TransformControls;

let fetched: Controls | null = null;
let fetching = false;

/**
 * What makes the handles that joints and goals are dragged by; null until it is fetched, with the first that is needed.
 * @param onFetched Called when it is there.
 */
export function fetchControls(onFetched: () => void): Controls | null {
  if (!fetched && !fetching) {
    fetching = true;
    import('three/addons/controls/TransformControls.js').then(
      (module) => {
        fetched = module.TransformControls;
        fetching = false;
        onFetched();
      },
      () => {
        fetching = false;
      },
    );
  }
  return fetched;
}

/** Whether handles are on their way. */
export function areControlsComing(): boolean {
  return fetching;
}
