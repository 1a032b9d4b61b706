import { createSolverChain, measureChain, type SolverChain, type SolverGoal } from '@stuntdouble/core/engine';

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

/** A chain in some pose and a goal that it can reach. */
export type SolverCase = { chain: SolverChain; goal: SolverGoal; goalPosition: Float64Array };

/** Room for cases of chains with so many joints that turn, and an effector. */
export function createSolverCase(turning: number): SolverCase {
  const goalPosition = new Float64Array(3);
  return { chain: createSolverChain(turning + 1), goal: { position: goalPosition }, goalPosition };
}

/**
 * Makes a random case in place: bones that differ by up to four times, in units from a thousandth to a thousand;
 * every tenth chain straight, the others curled at random; a goal in any direction at 5 to 98 % of the reach,
 * and where one bone is longer than all others together no nearer than that leaves.
 */
export function randomiseCase({ chain, goalPosition }: SolverCase, random: () => number): void {
  const { offsets, rotations, parents } = chain;
  const unit = 10 ** Math.floor(7 * random() - 3);
  const straight = random() < 0.1;
  const direction = new Float64Array(3);
  let longest = 0;
  for (let i = 0; i < parents.length; i++) {
    const length = unit * (0.4 + 1.2 * random());
    if (i === 0 || !straight) setDirection(direction, random);
    for (let c = 0; c < 3; c++) offsets[3 * i + c] = length * direction[c]!;
    if (i > 0) longest = Math.max(longest, length);
    rotations.fill(0, 4 * i, 4 * i + 4);
    rotations[4 * i + 3] = 1;
  }
  measureChain(chain);
  const least = Math.max(0.05, (2 * longest) / chain.length - 1 + 1e-3);
  const away = chain.length * (least + Math.max(0, 0.98 - least) * random());
  setDirection(direction, random);
  for (let c = 0; c < 3; c++) goalPosition[c] = offsets[c]! + away * direction[c]!;
}

function setDirection(out: Float64Array, random: () => number): void {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  out[0] = r * Math.cos(angle);
  out[1] = r * Math.sin(angle);
  out[2] = z;
}
