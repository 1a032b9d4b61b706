/** Room for keys that are read for one call and forgotten with it. */
export type KeyScratch = {
  /** Room for so many numbers, whatever stands in it; it lasts until the scratch is given back. */
  room(length: number): Float32Array;
  /** Lets the next call have the same room. */
  giveBack(): void;
};

/** The block that nobody uses now. Held weakly: who retargets nothing for a while keeps nothing. */
let idle: WeakRef<Float32Array> | null = null;
/** How many numbers the last call had room for. */
let wanted = 0;

/**
 * Takes the room that the last call had, if it is there: new memory for the keys of a group takes as long as a quarter
 * of reading them. Who asks in the middle of another call, from a function that reports progress, gets room of its own.
 */
export function takeScratch(): KeyScratch {
  let block = idle?.deref() ?? null;
  idle = null;
  if (wanted > (block?.length ?? 0)) block = new Float32Array(wanted);
  let used = 0;
  return {
    room(length) {
      const from = used;
      used += length;
      return block && used <= block.length ? block.subarray(from, used) : new Float32Array(length);
    },
    giveBack() {
      wanted = used;
      if (block) idle = new WeakRef(block);
    },
  };
}
