/** A source of random choices that a seed repeats exactly. */
export type Random = {
  /** From 0 up to, not including, 1. */
  unit(): number;
  /** A whole number from 0 up to, not including, `count`; 0 where that is nothing. */
  below(count: number): number;
  /** One of a list. */
  pick<T>(list: readonly T[]): T;
  /** Whether something of a probability happens. */
  chance(probability: number): boolean;
};

/** Makes a source from two numbers: those of a run and of one case of it. */
export function createRandom(seed: number, index: number): Random {
  // The steps of a 32-bit generator by T. Ettinger (mulberry32); the case is mixed in by a large odd factor.
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35)) | 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (count: number) => Math.floor(unit() * count);
  return {
    unit,
    below,
    pick: (list) => list[below(list.length)]!,
    chance: (probability) => unit() < probability,
  };
}
