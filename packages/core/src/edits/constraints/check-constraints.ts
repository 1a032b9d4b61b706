import { UsageError } from '../../base/errors.js';
import { EASES } from '../../base/math/easing.js';
import { lengthOf } from '../../base/math/functions.js';
import type { Vec3 } from '../../base/math/vector.js';
import {
  type DataPath,
  knownFieldsOf,
  listAt,
  numberAt,
  numbersAt,
  oneOf,
  switchAt,
  textAt,
} from '../../base/plain-data.js';
import {
  CONSTRAINT_EVENTS,
  CONSTRAINT_KINDS,
  CONSTRAINT_SPACES,
  type Constraint,
  type ConstraintGoal,
  type ConstraintKind,
  type ConstraintTime,
  type ConstraintTimes,
  type EventTime,
  type GoalKey,
  TIME_NAMES,
} from '../../options/constraint.js';
import { keysAt } from '../keys-at.js';
import { GOAL_COMPANY, GOAL_WORDS, KIND_FIELDS, SHARED_FIELDS } from './kind-fields.js';

/**
 * Constraints of a document, checked and copied.
 * @param at Where the list stands, for messages: `recipe.constraints`.
 * @throws UsageError that names the place of the first part that cannot be meant as it stands.
 */
export function checkConstraints(value: unknown, at: DataPath = 'constraints'): Constraint[] {
  return listAt(value, at).map((each, n) => checkConstraint(each, `${at}[${n}]`));
}

const CONSTRAINT_FIELDS: readonly string[] = [
  ...new Set([...SHARED_FIELDS, ...CONSTRAINT_KINDS.flatMap((kind) => KIND_FIELDS[kind])]),
];

function checkConstraint(value: unknown, at: DataPath): Constraint {
  const fields = knownFieldsOf(value, CONSTRAINT_FIELDS, at, 'a constraint has');
  const kind = oneOf(fields.kind, CONSTRAINT_KINDS, `${at}.kind`);
  for (const name of Object.keys(fields))
    if (!SHARED_FIELDS.some((each) => each === name) && !KIND_FIELDS[kind].some((each) => each === name))
      throw new UsageError(
        `${at}.${name}: goes with kind ${CONSTRAINT_KINDS.filter((each) => KIND_FIELDS[each].some((known) => known === name)).join(' or ')}, and this one is of kind ${kind}`,
      );
  const constraint: Constraint = { kind };
  for (const name of ['name', 'clip', 'joint', 'from'] as const)
    if (fields[name] !== undefined) constraint[name] = textAt(fields[name], `${at}.${name}`);
  if (kind !== 'balance' && constraint.joint === undefined)
    throw new UsageError(
      `${at}.joint: must name a joint, a body part or a query such as "every foot", and is left out`,
    );
  for (const name of ['offset', 'axis'] as const)
    if (fields[name] !== undefined)
      constraint[name] = vectorAt(fields[name], `${at}.${name}`, name === 'axis');
  if (fields.side !== undefined) constraint.side = oneOf(fields.side, ['above', 'on', 'below'], `${at}.side`);
  if (fields.bound !== undefined)
    constraint.bound = oneOf(fields.bound, ['equal', 'atMost', 'atLeast'], `${at}.bound`);
  if (fields.ease !== undefined) constraint.ease = oneOf(fields.ease, EASES, `${at}.ease`);
  if (fields.ramp !== undefined) constraint.ramp = oneOf(fields.ramp, ['give', 'paper'], `${at}.ramp`);
  if (fields.unit !== undefined)
    constraint.unit = oneOf(fields.unit, ['metres', 'height', 'limb'], `${at}.unit`);
  if (fields.space !== undefined) constraint.space = oneOf(fields.space, CONSTRAINT_SPACES, `${at}.space`);
  if (fields.level !== undefined) constraint.level = wholeAt(fields.level, `${at}.level`);
  if (fields.length !== undefined) constraint.length = amountAt(fields.length, `${at}.length`, true);
  if (fields.strength !== undefined) constraint.strength = amountAt(fields.strength, `${at}.strength`, false);
  if (fields.muted !== undefined) constraint.muted = switchAt(fields.muted, `${at}.muted`);
  if (kind === 'distance' && constraint.length === undefined)
    throw new UsageError(`${at}.length: must be a number, and is left out`);
  if (fields.times !== undefined) constraint.times = timesAt(fields.times, `${at}.times`);
  if (fields.goal !== undefined) constraint.goal = goalAt(fields.goal, `${at}.goal`);
  checkGoalKind(constraint.goal, kind, `${at}.goal`);
  return constraint;
}

function amountAt(value: unknown, at: DataPath, allowZero: boolean): number {
  const number = numberAt(value, at);
  if (number < 0 || (number === 0 && !allowZero))
    throw new UsageError(`${at}: must be ${allowZero ? '0 or more' : 'above 0'}, and is ${number}`);
  return number;
}

function wholeAt(value: unknown, at: DataPath): number {
  const number = numberAt(value, at);
  if (!Number.isInteger(number) || number < 0)
    throw new UsageError(`${at}: must be a whole number from 0, and is ${number}`);
  return number;
}

function vectorAt(value: unknown, at: DataPath, direction = false): Vec3 {
  const vector = numbersAt(value, at, 3) as Vec3;
  if (direction && !(lengthOf(vector) > 1e-9))
    throw new UsageError(`${at}: must point somewhere, and is 0, 0, 0`);
  return vector;
}

function timeAt(value: unknown, at: DataPath): ConstraintTime {
  if (typeof value === 'object' && value !== null)
    return { frame: numberAt(knownFieldsOf(value, ['frame'], at, 'a time has').frame, `${at}.frame`) };
  return numberAt(value, at);
}

const EVENT_FIELDS = ['event', 'near', 'joint', 'within'];

function momentAt(value: unknown, at: DataPath): ConstraintTime | EventTime {
  if (typeof value !== 'object' || value === null || !('event' in value)) return timeAt(value, at);
  const fields = knownFieldsOf(value, EVENT_FIELDS, at, 'an event has');
  return {
    event: oneOf(fields.event, CONSTRAINT_EVENTS, `${at}.event`),
    near: timeAt(fields.near, `${at}.near`),
    ...(fields.joint !== undefined && { joint: textAt(fields.joint, `${at}.joint`) }),
    ...(fields.within !== undefined && { within: amountAt(fields.within, `${at}.within`, true) }),
  };
}

function timesAt(value: unknown, at: DataPath): ConstraintTimes {
  const fields = knownFieldsOf(value, TIME_NAMES, at, 'times are');
  const times: ConstraintTimes = {};
  for (const name of TIME_NAMES)
    if (fields[name] !== undefined) times[name] = momentAt(fields[name], `${at}.${name}`);
  // What is given in one unit can be compared at once; frames need the clip's rate.
  let last: number | null = null;
  for (const name of TIME_NAMES) {
    const time = times[name];
    if (typeof time !== 'number') {
      if (time !== undefined) last = null;
      continue;
    }
    if (last !== null && time < last)
      throw new UsageError(
        `${at}.${name}: must not be before ${last} s, and is ${time}; in ≤ start ≤ end ≤ out`,
      );
    last = time;
  }
  return times;
}

const GOAL_FIELDS = [
  'place',
  'keys',
  'joint',
  'source',
  'node',
  'character',
  'offset',
  'axes',
  'degrees',
  'normal',
  'height',
] as const;

function goalAt(value: unknown, at: DataPath): ConstraintGoal {
  const fields = knownFieldsOf(value, GOAL_FIELDS, at, 'a goal has');
  const goal: ConstraintGoal = {};
  for (const name of ['place', 'offset', 'degrees', 'normal'] as const)
    if (fields[name] !== undefined) goal[name] = vectorAt(fields[name], `${at}.${name}`, name === 'normal');
  for (const name of ['joint', 'source', 'node', 'character'] as const)
    if (fields[name] !== undefined) goal[name] = textAt(fields[name], `${at}.${name}`);
  if (fields.axes !== undefined) goal.axes = oneOf(fields.axes, ['model', 'joint'], `${at}.axes`);
  if (fields.height !== undefined) goal.height = numberAt(fields.height, `${at}.height`);
  if (fields.keys !== undefined)
    goal.keys = keysAt(fields.keys, `${at}.keys`, timeAt, ['place', 'degrees'], goalKeyAt);
  return goal;
}

function goalKeyAt(fields: Record<string, unknown>, at: DataPath): Omit<GoalKey, 'time' | 'ease'> {
  const key: Omit<GoalKey, 'time' | 'ease'> = {};
  for (const name of ['place', 'degrees'] as const)
    if (fields[name] !== undefined) key[name] = vectorAt(fields[name], `${at}.${name}`);
  if (key.place === undefined && key.degrees === undefined)
    throw new UsageError(`${at}: must have a place or degrees, and has neither`);
  return key;
}

function checkGoalKind(goal: ConstraintGoal | undefined, kind: ConstraintKind, at: DataPath): void {
  const wanted = GOAL_WORDS[kind];
  const given = Object.keys(goal ?? {}) as (keyof ConstraintGoal)[];
  if (wanted.length === 0) {
    if (goal) throw new UsageError(`${at}: a constraint of kind ${kind} has none; leave it out`);
    return;
  }
  if (goal?.character !== undefined && goal.joint === undefined)
    throw new UsageError(
      `${at}.joint: must name a joint of the character "${goal.character}", and is left out`,
    );
  // A character's joint is told with it; the character says what the goal is.
  const word =
    goal?.character !== undefined ? 'character' : wanted.find((name) => goal?.[name] !== undefined);
  if (!word || !wanted.includes(word))
    throw new UsageError(`${at}: a constraint of kind ${kind} needs ${wanted.join(' or ')}`);
  for (const name of given)
    if (name !== word && !GOAL_COMPANY[word].includes(name))
      throw new UsageError(
        `${at}.${name}: does not go with ${word} in a goal of kind ${kind}; ${word} goes ${GOAL_COMPANY[word].length > 0 ? `with ${GOAL_COMPANY[word].join(' and ')}` : 'alone'}`,
      );
  const keyed = kind === 'orientation' ? 'degrees' : 'place';
  goal?.keys?.forEach((key, n) => {
    if (key[keyed] === undefined)
      throw new UsageError(`${at}.keys[${n}].${keyed}: must be 3 numbers, and is left out`);
  });
}
