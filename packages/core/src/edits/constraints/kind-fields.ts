import type { Constraint, ConstraintGoal, ConstraintKind } from '../../options/constraint.js';

/*
 * What belongs to what in a constraint, for the reader and the schema alike. A field that would be passed over in silence
 * is refused: whoever writes `side` on a point means something that would not happen.
 */

/** Fields that every constraint may have. */
export const SHARED_FIELDS = [
  'name',
  'clip',
  'kind',
  'goal',
  'times',
  'ease',
  'ramp',
  'level',
  'strength',
  'from',
  'muted',
  'unit',
  'space',
] as const satisfies readonly (keyof Constraint)[];

/** Fields that a constraint of a kind may have beside them. */
export const KIND_FIELDS: Readonly<Record<ConstraintKind, readonly (keyof Constraint)[]>> = {
  point: ['joint', 'offset'],
  orientation: ['joint'],
  plane: ['joint', 'offset', 'side'],
  distance: ['joint', 'offset', 'length', 'bound'],
  relative: ['joint', 'offset'],
  lookAt: ['joint', 'axis'],
  lock: ['joint', 'offset'],
  balance: [],
};

/** Fields of a goal that say by themselves what it is about. */
export type GoalWord = Exclude<keyof ConstraintGoal, 'offset' | 'axes' | 'height'>;

/** What a goal of each kind may be: one of these; none for kinds that have no goal. */
export const GOAL_WORDS: Readonly<Record<ConstraintKind, readonly GoalWord[]>> = {
  point: ['place', 'keys', 'joint', 'source', 'node', 'character'],
  orientation: ['degrees', 'keys'],
  plane: ['normal'],
  distance: ['place', 'keys', 'joint', 'source', 'node', 'character'],
  relative: ['joint', 'character'],
  lookAt: ['place', 'keys', 'joint', 'source', 'node', 'character'],
  lock: [],
  balance: [],
};

/** What may stand in a goal beside each of them. */
export const GOAL_COMPANY: Readonly<Record<GoalWord, readonly (keyof ConstraintGoal)[]>> = {
  place: [],
  keys: [],
  joint: ['offset', 'axes'],
  source: ['offset'],
  node: ['offset'],
  character: ['joint', 'offset'],
  degrees: [],
  normal: ['height'],
};
