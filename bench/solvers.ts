import { type ChainSolver, createSolver } from '@stuntdouble/core/engine';
import { createSolverCase, randomiseCase, seededRandom } from './cases/solver-cases.js';
import { createFrameFloor } from './timing/floors.js';
import { timeContenders } from './timing/time-contenders.js';
import { BAKE, createWorkload } from './timing/workload.js';

/*
 * Every solver on random chains of 2 to 12 joints and goals at 5 to 98 % of reach, in any unit: how many goals
 * are met to 0.1 % of the chain's length, in how many steps, at what cost.
 *
 *   node --expose-gc bench/dist/solvers.js [CASES [SOLVER …]]
 *
 * 11,000 cases and all solvers if left out; a million takes minutes.
 *
 * The ratio is what one solve costs over what the frame floor takes for one frame of 65 joints, in the same run.
 */

/** The solvers that are compared. */
export const SOLVERS: readonly { name: string; solver: ChainSolver; joints: readonly number[] }[] = [
  { name: 'two-bone', solver: { method: 'twoBone' }, joints: [2] },
  { name: 'FABRIK', solver: { method: 'fabrik' }, joints: range(2, 12) },
  { name: 'CCD, backward', solver: { method: 'ccd', sweep: 'backward' }, joints: range(2, 12) },
  { name: 'CCD, forward', solver: { method: 'ccd', sweep: 'forward' }, joints: range(2, 12) },
  { name: 'transpose', solver: { method: 'jacobian', variant: 'transpose' }, joints: range(2, 12) },
  { name: 'pseudo-inverse', solver: { method: 'jacobian', variant: 'pseudoInverse' }, joints: range(2, 12) },
  { name: 'damped', solver: { method: 'jacobian', variant: 'damped' }, joints: range(2, 12) },
];

/** How one solver did. */
export type SolverScore = {
  name: string;
  cases: number;
  met: number;
  /** Cases with a number that is none anywhere in the answer. */
  broken: number;
  meanIterations: number;
  /** The 99th of a hundred. */
  manyIterations: number;
};

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Runs one solver over random cases, the same ones for the same count. */
export function scoreSolver({ name, solver, joints }: (typeof SOLVERS)[number], count: number): SolverScore {
  const each = Math.ceil(count / joints.length);
  const iterations: number[] = [];
  let met = 0;
  let broken = 0;
  for (const turning of joints) {
    const random = seededRandom(turning);
    const one = createSolverCase(turning);
    const solve = createSolver(one.chain, solver);
    for (let k = 0; k < each; k++) {
      randomiseCase(one, random);
      solve(one.goal);
      const { chain } = one;
      if (chain.miss <= 1e-3 * chain.length) met++;
      if (!(chain.rotations.every(Number.isFinite) && Number.isFinite(chain.miss))) broken++;
      iterations.push(chain.iterations);
    }
  }
  iterations.sort((a, b) => a - b);
  const cases = each * joints.length;
  return {
    name,
    cases,
    met,
    broken,
    meanIterations: iterations.reduce((sum, n) => sum + n, 0) / cases,
    manyIterations: iterations[Math.floor(0.99 * cases)]!,
  };
}

/** How many cases are timed together, and for how many milliseconds; the quickest time counts. */
const TIMED = 50;
const TURN = 120;

/** Microseconds a solve, the mean over all numbers of joints. */
function timeSolver({ solver, joints }: (typeof SOLVERS)[number]): number {
  let sum = 0;
  for (const turning of joints) {
    const random = seededRandom(turning);
    const cases = Array.from({ length: TIMED }, () => {
      const one = createSolverCase(turning);
      randomiseCase(one, random);
      return { one, solve: createSolver(one.chain, solver), start: one.chain.rotations.slice() };
    });
    let best = Number.POSITIVE_INFINITY;
    for (const end = performance.now() + TURN; performance.now() < end; ) {
      const from = performance.now();
      for (const { one, solve, start } of cases) {
        one.chain.rotations.set(start);
        solve(one.goal);
      }
      best = Math.min(best, performance.now() - from);
    }
    sum += (1000 * best) / TIMED;
  }
  return sum / joints.length;
}

/** The table of all solvers, in Markdown. */
export function solverTable(count: number, solvers: typeof SOLVERS = SOLVERS): string {
  const [floor] = timeContenders([createFrameFloor(createWorkload(BAKE))], {
    rounds: 10,
    turn: 40,
    warmUp: 200,
  });
  const frame = (1000 * floor!.milliseconds) / BAKE.frames;
  const lines = [
    '| solver | joints | cases | met | NaN | steps, mean | steps, p99 | µs | of a floor frame |',
    '|---|---|---|---|---|---|---|---|---|',
  ];
  for (const solver of solvers) {
    const score = scoreSolver(solver, count);
    const microseconds = timeSolver(solver);
    const { joints } = solver;
    lines.push(
      `| ${[
        score.name,
        joints.length > 1 ? `${joints[0]}–${joints.at(-1)}` : joints[0],
        score.cases.toLocaleString('en'),
        `${((100 * score.met) / score.cases).toFixed(3)} %`,
        score.broken,
        score.meanIterations.toFixed(1),
        score.manyIterations,
        microseconds.toFixed(2),
        `${(microseconds / frame).toFixed(1)}×`,
      ].join(' | ')} |`,
    );
  }
  return lines.join('\n');
}

if (process.argv[1]?.endsWith('solvers.js')) {
  const count = Number(process.argv[2] ?? 11_000);
  if (!(Number.isInteger(count) && count > 0)) throw new Error(`not a number of cases: ${process.argv[2]}`);
  console.log(`solvers, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`);
  const names = process.argv.slice(3);
  console.log(
    solverTable(
      count,
      SOLVERS.filter(({ name }) => names.length === 0 || names.includes(name)),
    ),
  );
}
