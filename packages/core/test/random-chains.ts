/** A repeatable source of numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A unit direction, all equally likely. */
export function randomDirection(random: () => number): [number, number, number] {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}

/** A unit quaternion, all equally likely. */
export function randomRotation(random: () => number): [number, number, number, number] {
  const u = random();
  const a = 2 * Math.PI * random();
  const b = 2 * Math.PI * random();
  const p = Math.sqrt(1 - u);
  const q = Math.sqrt(u);
  return [p * Math.sin(a), p * Math.cos(a), q * Math.sin(b), q * Math.cos(b)];
}
