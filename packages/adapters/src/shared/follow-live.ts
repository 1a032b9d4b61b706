import type { Retargeter } from '@stuntdouble/core/engine';
import { NotYet, whenFetched } from './late.js';

/** A live retargeter of an engine's own. */
type Follower = {
  update(seconds?: number): void;
  setChains: Retargeter['setChains'];
  reset(): void;
  dispose(): void;
};

/** The same where parts of the engine may have to be fetched first: what is exchanged takes effect when it is there. */
export type FetchedFollower<Kind extends Follower> = Omit<Kind, 'setChains'> & {
  /** Exchanges what is told of the target's chains while it runs; see `Retargeter.setChains`. */
  setChains(...given: Parameters<Retargeter['setChains']>): Promise<ReturnType<Retargeter['setChains']>>;
};

/**
 * A live retargeter of which parts are fetched when they are needed for the first time. A frame that needs one leaves
 * the target as it stands until it is there.
 */
export async function followLive<Kind extends Follower>(create: () => Kind): Promise<FetchedFollower<Kind>> {
  const follower = await whenFetched(create);
  let isWaiting = false;
  let failure: { reason: unknown } | null = null;
  /** Does something now, or where a part of it is missing, fetches that, and does it then if it is not too late. */
  const attempt = (work: () => void, whenThere: () => void) => {
    try {
      work();
    } catch (reason) {
      if (!(reason instanceof NotYet)) throw reason;
      isWaiting = true;
      reason
        .fetch()
        .then(whenThere)
        .catch((why: unknown) => {
          failure = { reason: why };
        })
        .finally(() => {
          isWaiting = false;
        });
    }
  };
  const reset = () => attempt(follower.reset, reset);
  const dispose = () => attempt(follower.dispose, dispose);
  return {
    ...follower,
    update(seconds) {
      if (failure) {
        const { reason } = failure;
        failure = null;
        throw reason;
      }
      if (!isWaiting)
        attempt(
          () => follower.update(seconds),
          () => {},
        );
    },
    setChains: (...given) => whenFetched(() => follower.setChains(...given)),
    reset,
    dispose,
  };
}
