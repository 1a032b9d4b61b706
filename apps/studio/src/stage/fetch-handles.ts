/** What handles are made by. */
export type Handles = typeof import('./gizmo-handles.js');

let fetched: Handles | null = null;
let fetching = false;

/**
 * What makes the handles that joints and goals are dragged by; null until it is fetched, with the first that is needed.
 * @param onFetched Called when it is there.
 */
export function fetchHandles(onFetched: () => void): Handles | null {
  if (!fetched && !fetching) {
    fetching = true;
    import('./gizmo-handles.js').then(
      (module) => {
        fetched = module;
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
export function areHandlesComing(): boolean {
  return fetching;
}
