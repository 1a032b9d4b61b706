import type { Retargeter } from '@stuntdouble/core/engine';
import { NotYet, whenFetched, whileBeginning } from './late.js';
import type { LiveCharacter } from './live-character.js';

/** A live retargeter of an engine's own. */
type Follower = LiveCharacter<unknown> & { update(seconds?: number): void; dispose(): void };

/** The same where parts of the engine may have to be fetched first: what is exchanged takes effect when it is there. */
export type FetchedFollower<Kind extends Follower> = Omit<Kind, 'setChains'> & {
  /**
   * Settles when feet and hands are held: mostly it has when the retargeter is there, and a frame is late where the
   * network is slow. Until then turns and travel are copied.
   */
  readonly held: Promise<void>;
  /** Exchanges what is told of the target's chains while it runs; see `Retargeter.setChains`. */
  setChains(...given: Parameters<Retargeter['setChains']>): Promise<ReturnType<Retargeter['setChains']>>;
};

/**
 * What copies turns and travel until all is there; null for a body that what is there does not know: only all of it can
 * say what is to be done, or why nothing can.
 */
function beginWith<Kind>(create: () => Kind): Kind | null {
  try {
    return whileBeginning(create);
  } catch {
    return null;
  }
}

/**
 * A live retargeter of which parts are fetched when they are needed for the first time. A frame that needs one leaves
 * the target as it stands until it is there.
 * @param create Binds the two, or lets the target copy turns and travel alone, of body parts that names tell, and tells
 * nobody of it.
 * @param mayBegin Whether it may begin with that, since nobody has asked for anything else.
 */
export async function followLive<Kind extends Follower>(
  create: (copies: boolean) => Kind,
  mayBegin: boolean,
): Promise<FetchedFollower<Kind>> {
  /** The latest last: those before are there to give the target back what it had. */
  const followers: Kind[] = [];
  const latest = () => followers.at(-1)!;
  const bind = async () => {
    const follower = await whenFetched(() => create(false));
    if (!isDisposed) followers.push(follower);
  };
  let isDisposed = false;
  let isWaiting = false;
  let failure: { reason: unknown } | null = null;
  /** Hears of something that went wrong while nobody waited: the next frame says it. */
  const fail = (reason: unknown) => {
    failure = { reason };
  };
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
        .catch(fail)
        .finally(() => {
          isWaiting = false;
        });
    }
  };
  let whole = Promise.resolve();
  if (!mayBegin) await bind();
  else
    try {
      followers.push(create(false));
    } catch (reason) {
      if (!(reason instanceof NotYet)) throw reason;
      const begun = beginWith(() => create(true));
      if (begun) {
        followers.push(begun);
        whole = bind();
        whole.catch(fail);
      } else await bind();
    }
  const reset = () => attempt(() => latest().reset(), reset);
  const dispose = () => {
    isDisposed = true;
    attempt(() => {
      while (followers.length > 1) followers.pop()!.dispose();
      latest().dispose();
    }, dispose);
  };
  return {
    ...latest(),
    get setup() {
      return latest().setup;
    },
    get notes() {
      return latest().notes;
    },
    get warnings() {
      return latest().warnings;
    },
    get rootMotion() {
      return latest().rootMotion;
    },
    held: whole,
    update(seconds) {
      if (failure) {
        const { reason } = failure;
        failure = null;
        throw reason;
      }
      if (!isWaiting)
        attempt(
          () => latest().update(seconds),
          () => {},
        );
    },
    setChains: async (...given) => {
      await whole;
      return whenFetched(() => latest().setChains(...given));
    },
    reset,
    dispose,
  };
}
