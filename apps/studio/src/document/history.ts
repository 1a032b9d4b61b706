/** A state that was, and what was done to leave it. */
export type Step<T> = { state: T; label: string; gesture: string | null };

/** A state with the way that led there, and the way back to where it was undone from. */
export type History<T> = { past: Step<T>[]; present: T; future: Step<T>[] };

/** Steps that can be undone; the oldest are forgotten beyond that. */
const MOST_STEPS = 500;

/** A history without steps. */
export function createHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/**
 * Goes on to another state. All changes of one gesture are one step: a drag is undone at once.
 * @param gesture An id that all changes of a drag share; null for a change by itself.
 */
export function commit<T>(
  history: History<T>,
  label: string,
  state: T,
  gesture: string | null = null,
): History<T> {
  if (state === history.present) return history;
  const last = history.past.at(-1);
  if (gesture !== null && last?.gesture === gesture)
    return { past: history.past, present: state, future: [] };
  const past = [...history.past, { state: history.present, label, gesture }].slice(-MOST_STEPS);
  return { past, present: state, future: [] };
}

/** One step back; the same history where there is none. */
export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const step = past.at(-1);
  if (!step) return history;
  // A gesture that was undone has ended: what is dragged next is another step.
  const back = { state: present, label: step.label, gesture: null };
  return { past: past.slice(0, -1), present: step.state, future: [back, ...future] };
}

/** One step forward again; the same history where there is none. */
export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [step, ...rest] = future;
  if (!step) return history;
  return {
    past: [...past, { state: present, label: step.label, gesture: null }],
    present: step.state,
    future: rest,
  };
}
