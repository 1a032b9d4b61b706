/*
 * The live entries bring what a first frame needs and nothing else; all the rest is fetched when it is called for the
 * first time. `scripts/bundle-live.mjs` cuts them so. What is called too early throws `NotYet`, and whoever began the
 * work waits for it and begins again: setting up a pair changes nothing but memories, so it may be begun twice.
 *
 * Some of it a first frame can do without: skirts and tails that come along, twist that is shared out, what is told of
 * a pair. While a follower begins, these give what they give where there is nothing to do.
 */
import { isRemembering, switchMemory } from '@stuntdouble/core/engine';

let isBeginning = false;

/** Whether a follower is made of what is there, to copy turns and travel until all is. */
export function begins(): boolean {
  return isBeginning;
}

/** Makes something of what is there. Nothing of it is remembered: when the rest has come, all is found anew. */
export function whileBeginning<Result>(work: () => Result): Result {
  const wasRemembering = isRemembering();
  isBeginning = true;
  switchMemory(false);
  try {
    return work();
  } finally {
    isBeginning = false;
    switchMemory(wasRemembering);
  }
}

/** Functions of a file that is fetched when one of them is called for the first time, by name. */
export type LatePart = Record<string, (...given: never[]) => unknown>;

/** Thrown where a function is called that has not been fetched yet. */
export class NotYet extends Error {
  /** @param fetch Fetches it, once, however often it is asked. */
  constructor(
    name: string,
    readonly fetch: () => Promise<void>,
  ) {
    super(`${name} has not been fetched yet`);
  }
}

/**
 * A file to be fetched; until then every function of it throws {@link NotYet}.
 * @param isSoon Whether it is fetched at once, without anybody waiting for it.
 */
export function latePart(load: () => Promise<object>, isSoon = false): LatePart {
  let coming: Promise<void> | null = null;
  const fetch = () => {
    coming ??= load().then(
      (file) => void Object.assign(part, file),
      (reason) => {
        // The next call asks for it again.
        coming = null;
        throw reason;
      },
    );
    return coming;
  };
  const part: LatePart = Object.create(
    new Proxy(
      {},
      {
        get(_, name) {
          throw new NotYet(String(name), fetch);
        },
      },
    ),
  );
  // Whoever needs it hears of it where it does not come.
  if (isSoon) fetch().catch(() => {});
  return part;
}

/** A function of such a file, as it is called before the file is there and after. */
export function late(part: LatePart, name: string): (...given: never[]) => unknown {
  return (...given) => part[name]!(...given);
}

/** Does work, and does it again from the beginning as often as something of it had to be fetched first. */
export async function whenFetched<Result>(work: () => Result): Promise<Result> {
  for (;;) {
    try {
      return work();
    } catch (reason) {
      if (!(reason instanceof NotYet)) throw reason;
      await reason.fetch();
    }
  }
}
