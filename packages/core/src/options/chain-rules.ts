import { numbersAt } from '../base/plain-data.js';
import type { AlignmentMode, ImitationMode } from './joint-rules.js';
import type { LimbScaling } from './limb-rules.js';
import { SOLVER_CHOICE, type SolverChoice, type SolverName } from './limb-solvers.js';
import { choice, data, either, field, number, onOff, record, type Shape, table } from './shape.js';

/** Where the end of a chain shall be. */
export type ChainGoalRule = {
  /** A place in metres of the target's model space; if left out, that of the source's end, scaled to the chain. */
  place?: readonly [number, number, number];
  /** 0 leaves the chain as copied, 1, if left out, brings it to its goal; a number, or a curve over time. */
  weight?: LimbScaling['weight'];
};

/** What is told of one chain of the target; everything may be left out. */
export type ChainRule = Pick<LimbScaling, 'limbScale' | 'rootScale'> & {
  /** By which method it is brought to its goal, with settings. */
  solver?: SolverName | SolverChoice;
  /** Where its end shall be, or `none`. */
  goal?: 'none' | ChainGoalRule;
  /** Chains of a higher priority are solved later, and have the last word; equal ones in the armature's order. */
  priority?: number;
  imitation?: ImitationMode;
  alignment?: AlignmentMode;
  /** Whether it stays as copied, whatever else is told. */
  muted?: boolean;
};

/**
 * By chain of the target's armature, by limb (`leftArm`, `torso`) or by kind (`tail`, `spine`, `digit`), which then
 * stands for all of that kind.
 */
export type ChainRules = Record<string, ChainRule>;

const curve = { kind: 'curve' } as Shape<NonNullable<LimbScaling['weight']>>;

const place = data<readonly [number, number, number]>(
  'three numbers, in metres of model space',
  { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
  (value, at) => void numbersAt(value, at, 3),
);

/** The shape of {@link ChainRules}. */
export const CHAIN_RULES: Shape<ChainRules> = table(
  'chain, limb or kind of chain of the target',
  record<ChainRule>({
    solver: field(SOLVER_CHOICE, 'as the armature has it', 'by which method it is brought to its goal'),
    goal: field(
      either(
        choice('none'),
        record<ChainGoalRule>({
          place: field(place, 'where the source’s end is, scaled to the chain', 'where its end shall be'),
          weight: field(curve, '1', '0 leaves it as copied, 1 brings it to its goal'),
        }),
      ),
      'where the source’s end is, scaled to the chain',
      'where its end shall be, or none',
    ),
    limbScale: field(
      curve,
      '1',
      '0 reaches as far as the source in metres, 1 as far in lengths of the chain',
    ),
    rootScale: field(curve, '1', '0 begins where the source’s chain begins, 1 where the target’s does'),
    priority: field(number(), '1', 'chains of a higher one are solved later and have the last word'),
    imitation: field(choice('worldDelta', 'direction', 'keep'), 'worldDelta', 'how it follows the source'),
    alignment: field(choice('keep', 'line', 'bones'), 'by what it is', 'how its reference is aligned'),
    muted: field(onOff(), 'false', 'leave it as copied, whatever else is told'),
  }),
);
