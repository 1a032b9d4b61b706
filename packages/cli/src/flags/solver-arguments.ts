import {
  type LimbScaling,
  type LimbScalings,
  type LimbSolvers,
  SOLVED_LIMBS,
  SOLVERS,
  type SolverChoice,
  type SolverName,
} from '@stuntdouble/core/engine';
import { InvalidArgumentError } from 'commander';

/** Solvers as they are typed: `twoBone` is `two-bone`. */
const SOLVER_WORDS: Readonly<Record<string, SolverName>> = Object.fromEntries(
  (Object.keys(SOLVERS) as SolverName[]).map((name) => [typedSolver(name), name]),
);

/** A solver as it is typed. */
export function typedSolver(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Settings as they are typed, and what they are called in the library. */
const SETTINGS = {
  iterations: 'maxIterations',
  tolerance: 'tolerance',
  damping: 'damping',
  step: 'step',
} as const;

type SolvedLimb = (typeof SOLVED_LIMBS)[number];

/** Words that stand for several limbs. */
const GROUPS: Readonly<Record<string, readonly SolvedLimb[]>> = {
  arms: ['leftArm', 'rightArm'],
  legs: ['leftLeg', 'rightLeg'],
};

/**
 * Reads `SOLVER` or `LIMB=SOLVER`, with settings behind a colon (`arms=damped:iterations=20,damping=0.2`), onto what
 * was read before; `arms`, `legs` and `all` stand for several limbs.
 */
export function parseSolvers(text: string, before: LimbSolvers = {}): LimbSolvers {
  const at = (text.split(':')[0] ?? '').indexOf('=');
  const choice = parseSolver(text.slice(at + 1));
  const name = at < 0 ? 'all' : text.slice(0, at).trim();
  const limbs = name === 'all' ? (['all'] as const) : limbsOf(name, ['all']);
  return { ...before, ...Object.fromEntries(limbs.map((limb) => [limb, choice])) };
}

/** Reads `SOLVER`, with settings behind a colon. */
export function parseSolver(text: string): SolverName | SolverChoice {
  const [head = '', ...tail] = text.split(':');
  const solver = SOLVER_WORDS[head.trim()];
  if (!solver)
    throw new InvalidArgumentError(
      `"${head.trim()}" is no solver; there are ${Object.keys(SOLVER_WORDS).join(', ')}.`,
    );
  const settings = readSettings(tail.join(':'));
  return Object.keys(settings).length > 0 ? { solver, ...settings } : solver;
}

function readSettings(text: string): Record<string, number> {
  const settings: Record<string, number> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    const setting = SETTINGS[name as keyof typeof SETTINGS];
    if (!setting)
      throw new InvalidArgumentError(
        `"${name}" is no setting of a solver; there are ${Object.keys(SETTINGS).join(', ')}.`,
      );
    const number = value === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) throw new InvalidArgumentError(`${name} must be a number, not "${value}".`);
    settings[setting] = number;
  }
  return settings;
}

/**
 * Reads `LIMB=SCALE` or `LIMB=SCALE,ROOT` onto what was read before: where a limb's goal is, 0 for where the source's
 * hand or foot is, 1 for the same reach; and likewise where the limb is taken to begin.
 */
export function parseLimbScales(text: string, before: LimbScalings = {}): LimbScalings {
  const [name = '', scales = ''] = text.split('=').map((side) => side.trim());
  const numbers = scales.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  if (numbers.length > 2 || !numbers.every(Number.isFinite))
    throw new InvalidArgumentError(
      'It must be LIMB=SCALE or LIMB=SCALE,ROOT, such as arms=1 or leftArm=0,0.',
    );
  const scaling: LimbScaling = {
    limbScale: numbers[0]!,
    ...(numbers.length > 1 && { rootScale: numbers[1]! }),
  };
  return { ...before, ...Object.fromEntries(limbsOf(name, []).map((limb) => [limb, scaling])) };
}

function limbsOf(name: string, others: readonly string[]): readonly SolvedLimb[] {
  const limbs = GROUPS[name] ?? SOLVED_LIMBS.filter((limb) => limb === name);
  if (limbs.length === 0)
    throw new InvalidArgumentError(
      `There is no limb "${name}" to solve; there are ${[...others, ...Object.keys(GROUPS), ...SOLVED_LIMBS].join(', ')}.`,
    );
  return limbs;
}
