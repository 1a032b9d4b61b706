import type { DataPath } from '../base/plain-data.js';
import type { Armature } from '../body/chains/armature.js';
import type { Rig } from '../body/rig.js';
import type { ChainSolver } from '../solvers/create-solver.js';
import { checkShape } from './check-shape.js';
import { choice, either, field, number, record, type Shape, table } from './shape.js';

/** The solvers by the words that stand for them. */
export const SOLVERS = {
  none: { method: 'none' },
  twoBone: { method: 'twoBone' },
  ccd: { method: 'ccd', sweep: 'backward' },
  ccdForward: { method: 'ccd', sweep: 'forward' },
  fabrik: { method: 'fabrik' },
  transpose: { method: 'jacobian', variant: 'transpose' },
  pseudoInverse: { method: 'jacobian', variant: 'pseudoInverse' },
  damped: { method: 'jacobian', variant: 'damped' },
} as const satisfies Record<string, ChainSolver>;

/** A solver of a limb: `twoBone` bends one joint, the others turn every joint of the limb's chain (K28–K32). */
export type SolverName = keyof typeof SOLVERS;

/** What each solver does to a limb, in a few words that a stranger understands; the command's help says them. */
export const SOLVER_SUMMARIES: Readonly<Record<SolverName, string>> = {
  none: 'leaves the limb as copied',
  twoBone: 'bends knee or elbow, exactly and at once',
  ccd: 'turns joint after joint from the tip on, which curls',
  ccdForward: 'turns joint after joint from the root on, which swings',
  fabrik: 'reaches along straight lines',
  transpose: 'shares the way among all joints, with the least arithmetic',
  pseudoInverse: 'shares the way among all joints, as directly as can be',
  damped: 'shares the way among all joints, and stays calm near straight limbs',
};

/** A solver with its settings; lengths are shares of the chain's length, so that no unit matters. */
export type SolverChoice = {
  solver: SolverName;
  /** 100 if left out. */
  maxIterations?: number;
  /** At this share of the chain's length the goal counts as reached; a millionth if left out, so that feet stand. */
  tolerance?: number;
  /** For `damped`: share of the chain's length; a tenth if left out. */
  damping?: number;
  /** Share of each step that is gone, above 0 to 1; 1 if left out. */
  step?: number;
};

/** The limbs that are brought to goals. */
export const SOLVED_LIMBS = ['leftLeg', 'rightLeg', 'leftArm', 'rightArm'] as const;

/** Solvers by limb, `all` for those that are not named; `twoBone` if left out. */
export type LimbSolvers = Partial<Record<(typeof SOLVED_LIMBS)[number] | 'all', SolverName | SolverChoice>>;

/** More than this many steps in a frame is a mistake, and would look like a hang. */
const MOST_ITERATIONS = 10_000;

const SOLVER = choice(...(Object.keys(SOLVERS) as SolverName[]));

/** The shape of a solver: its name, or its name and settings. */
export const SOLVER_CHOICE: Shape<SolverName | SolverChoice> = either(
  SOLVER,
  record<SolverChoice>({
    solver: { ...field(SOLVER, '', 'the method'), isRequired: true },
    maxIterations: field(
      number({ least: 1, most: MOST_ITERATIONS, isWhole: true }),
      '100',
      'most steps in a frame',
    ),
    tolerance: field(
      number({ least: 0, unit: 'of the limb’s length' }),
      '0.000001',
      'how near to the goal is near enough',
    ),
    damping: field(
      number({ least: 0, unit: 'of the limb’s length' }),
      '0.1',
      'how much damped steps hold back',
    ),
    step: field(number({ above: 0, most: 1 }), '1', 'share of each step that is gone'),
  }),
);

/** The shape of {@link LimbSolvers}. */
export const LIMB_SOLVERS: Shape<LimbSolvers> = table('limb', SOLVER_CHOICE, ['all', ...SOLVED_LIMBS]);

/**
 * The solver of a limb, as {@link createSolver} takes it.
 * @throws UsageError where the option is nothing that there is.
 */
export function limbSolverOf(solvers: LimbSolvers | undefined, limb: string): ChainSolver {
  const own = SOLVED_LIMBS.find((name) => name === limb);
  return chainSolverOf((own && solvers?.[own]) ?? solvers?.all ?? 'twoBone');
}

/** A solver as options or an armature name it, as {@link createSolver} takes it. */
export function chainSolverOf(given: SolverName | SolverChoice | ChainSolver): ChainSolver {
  if (typeof given === 'object' && 'method' in given) return { tolerance: 1e-6, ...given };
  const { solver, ...settings } = typeof given === 'string' ? { solver: given } : given;
  return { ...SOLVERS[solver], tolerance: 1e-6, ...settings };
}

/** Settings that a solver makes nothing of, and why in words that follow "has no effect:". */
export function idleSettingsOf(given: SolverName | SolverChoice): [setting: string, why: string][] {
  if (typeof given === 'string') return [];
  const { solver, ...settings } = given;
  const told = Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (solver === 'none') return told.map((name) => [name, 'none leaves it as copied']);
  return told.flatMap((name): [string, string][] =>
    name === 'damping' && solver !== 'damped'
      ? [[name, `only damped steps are held back, not ${solver}`]]
      : [],
  );
}

/** The solver of an armature's chain as options name it. */
export function solverChoiceOf(given: ChainSolver): SolverChoice {
  const { method, sweep = 'backward', variant = 'damped', ...settings } = given;
  const solver: SolverName =
    method === 'jacobian' ? variant : method === 'ccd' && sweep === 'forward' ? 'ccdForward' : method;
  return { solver, ...settings };
}

/**
 * The solvers of an armature's chains (K28), as the option `solvers` takes them: each limb has that of the chain its
 * knee or elbow is in. Limbs in no chain, or in one that is switched off, are left out.
 */
export function solversOfArmature({ chains }: Pick<Armature, 'chains'>, { joints }: Rig): LimbSolvers {
  const solvers: LimbSolvers = {};
  for (const limb of SOLVED_LIMBS) {
    const side = limb.startsWith('left') ? 'left' : 'right';
    const knee = limb.endsWith('Leg') ? (`${side}LowerLeg` as const) : (`${side}LowerArm` as const);
    const middle = joints[knee];
    const chain = chains.find(({ enabled, joints: own }) => enabled && own.includes(middle ?? -1));
    if (!chain) continue;
    solvers[limb] = solverChoiceOf(chain.solver);
  }
  return solvers;
}

/** Makes sure that an option says which solver solves which limb. @throws UsageError that names the place. */
export function checkLimbSolvers(value: unknown, at: DataPath): void {
  checkShape(LIMB_SOLVERS, value, at);
}
