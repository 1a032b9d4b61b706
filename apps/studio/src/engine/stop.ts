/**
 * What tells a worker that is at work, and so hears no message, that nobody wants its answer any more: a flag in shared
 * memory where pages may have that, which takes headers that not every host sends; elsewhere the address of an empty
 * blob, which leads nowhere once it is revoked.
 */
export type StopSign = Int32Array | string;

/** A sign, and how it is raised. */
export type Stop = { sign: StopSign; raise: () => void };

/** Makes a sign for one piece of work. */
export function createStop(shared: boolean = globalThis.crossOriginIsolated): Stop {
  if (shared) {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    return { sign: flag, raise: () => Atomics.store(flag, 0, 1) };
  }
  const address = URL.createObjectURL(new Blob());
  return { sign: address, raise: () => URL.revokeObjectURL(address) };
}

/** Thrown where work was stopped. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** Milliseconds between two looks: the engine asks more often, and a look at an address takes one of them. */
const BETWEEN_LOOKS = 30;

/** The sign as the engine asks for it. */
export function signalOf(sign: StopSign): { throwIfAborted(): void } {
  let looked = performance.now();
  return {
    throwIfAborted() {
      const now = performance.now();
      if (now - looked < BETWEEN_LOOKS) return;
      looked = now;
      if (isRaised(sign)) throw new Stopped('nobody waits for this any more');
    },
  };
}

function isRaised(sign: StopSign): boolean {
  if (typeof sign !== 'string') return Atomics.load(sign, 0) === 1;
  try {
    const request = new XMLHttpRequest();
    request.open('GET', sign, false);
    request.send();
    return false;
  } catch {
    return true;
  }
}
