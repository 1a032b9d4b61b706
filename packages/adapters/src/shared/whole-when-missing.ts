/*
 * The entries of pages that move clips bring what our samples call, down to single branches; `scripts/bundle-page.mjs`
 * cuts them so. Where a body or an option needs more the call is begun again with all of the engine, fetched then.
 * Nothing is left out silently: what was cut throws, and a result that something was missing from is never given.
 */
import { whenFetched } from './late.js';

/** Thrown where something is called that the entry of a page does not bring. */
export class Missing extends Error {}

let wasMissed = false;

/** Stands where something was cut out. Whoever catches what it throws does not hide it. */
export function notBrought(): never {
  wasMissed = true;
  throw new Missing('more is needed than a page brings');
}

/** Does work with what is there. @throws Missing where something was not, whatever came of the work. */
function withWhatIsThere<Result>(work: () => Result): Result {
  wasMissed = false;
  try {
    return work();
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: what was made without something that is missing is thrown away.
    if (wasMissed) throw new Missing('more is needed than a page brings');
  }
}

/**
 * A function that does what is asked with what is there, and with the whole engine where that is not enough; from then
 * on with the whole engine alone.
 */
export function wholeWhenMissing<Given extends unknown[], Result>(
  here: (...given: Given) => Result,
  fetchWhole: () => Promise<(...given: Given) => Result>,
): (...given: Given) => Promise<Result> {
  let whole: ((...given: Given) => Result) | null = null;
  return async (...given) => {
    if (!whole)
      try {
        return await whenFetched(() => withWhatIsThere(() => here(...given)));
      } catch (reason) {
        if (!(reason instanceof Missing)) throw reason;
        whole = await fetchWhole();
      }
    return whole(...given);
  };
}
