import { CURVE_EASES, EASES } from '../../base/math/easing.js';
import {
  CONSTRAINT_EVENTS,
  CONSTRAINT_KINDS,
  CONSTRAINT_SPACES,
  type Constraint,
  type ConstraintGoal,
  type ConstraintKind,
  TIME_NAMES,
} from '../../options/constraint.js';
import type { Schema } from '../../options/shape.js';
import { GOAL_COMPANY, GOAL_WORDS, KIND_FIELDS, SHARED_FIELDS } from './kind-fields.js';

const NAME_SCHEMA: Schema = { type: 'string' };
const VECTOR_SCHEMA: Schema = { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 };

const closed = (properties: { [name: string]: Schema }, required: string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  additionalProperties: false,
});

const TIME_SCHEMA: Schema = { anyOf: [{ type: 'number' }, closed({ frame: { type: 'number' } }, ['frame'])] };

const MOMENT_SCHEMA: Schema = {
  description: 'seconds of the source’s clip, a frame of it, or an event near a time',
  anyOf: [
    TIME_SCHEMA,
    closed(
      {
        event: { enum: [...CONSTRAINT_EVENTS] },
        near: TIME_SCHEMA,
        joint: NAME_SCHEMA,
        within: { type: 'number', minimum: 0 },
      },
      ['event', 'near'],
    ),
  ],
};

const keysOf = (needed: 'place' | 'degrees'): Schema => ({
  type: 'array',
  minItems: 1,
  items: closed(
    { time: TIME_SCHEMA, place: VECTOR_SCHEMA, degrees: VECTOR_SCHEMA, ease: { enum: [...CURVE_EASES] } },
    ['time', needed],
  ),
});

const GOAL_PARTS: Readonly<Record<Exclude<keyof ConstraintGoal, 'keys'>, Schema>> = {
  place: { ...VECTOR_SCHEMA, description: 'a place' },
  joint: { ...NAME_SCHEMA, description: 'a joint of the own body, or of the character' },
  source: { ...NAME_SCHEMA, description: 'a joint of the source: its place, scaled as travel is' },
  node: { ...NAME_SCHEMA, description: 'a node of the target’s file' },
  character: { ...NAME_SCHEMA, description: 'another character, or a prop' },
  offset: { ...VECTOR_SCHEMA, description: 'is added to the place of a joint, source or node' },
  axes: { enum: ['model', 'joint'], description: 'whose axes the offset is in' },
  degrees: { ...VECTOR_SCHEMA, description: 'a rotation vector from the reference pose' },
  normal: { ...VECTOR_SCHEMA, description: 'what the plane is square to' },
  height: { type: 'number', description: 'how far along its normal the plane lies' },
};

function goalSchema(kind: ConstraintKind): Schema {
  const part = (name: keyof ConstraintGoal): Schema =>
    name === 'keys' ? keysOf(kind === 'orientation' ? 'degrees' : 'place') : GOAL_PARTS[name];
  return {
    anyOf: GOAL_WORDS[kind].map((word) =>
      closed(
        Object.fromEntries([word, ...GOAL_COMPANY[word]].map((name) => [name, part(name)])),
        word === 'character' ? ['character', 'joint'] : [word],
      ),
    ),
  };
}

const CONSTRAINT_PARTS: Readonly<Record<Exclude<keyof Constraint, 'kind' | 'goal'>, Schema>> = {
  name: { ...NAME_SCHEMA, description: 'for people, and for reports' },
  clip: { ...NAME_SCHEMA, description: 'the clip that it is for; every clip if left out' },
  joint: { ...NAME_SCHEMA, description: 'a body part, a joint’s name, or a query such as "every foot"' },
  offset: {
    ...VECTOR_SCHEMA,
    description: 'the point of the joint that counts, in axes of the reference pose',
  },
  side: { enum: ['above', 'on', 'below'] },
  length: { type: 'number', minimum: 0 },
  bound: { enum: ['equal', 'atMost', 'atLeast'] },
  axis: { ...VECTOR_SCHEMA, description: 'the direction that looks; ahead if left out' },
  times: {
    ...closed(Object.fromEntries(TIME_NAMES.map((name) => [name, MOMENT_SCHEMA]))),
    description: 'in ≤ start ≤ end ≤ out; the whole clip if left out',
  },
  ease: { enum: [...EASES] },
  ramp: { enum: ['give', 'paper'] },
  level: { type: 'integer', minimum: 0, description: 'lower ones come first; 1 if left out' },
  strength: { type: 'number', exclusiveMinimum: 0 },
  from: { ...NAME_SCHEMA, description: 'the topmost joint that it may move' },
  muted: { type: 'boolean' },
  unit: { enum: ['metres', 'height', 'limb'] },
  space: { enum: [...CONSTRAINT_SPACES] },
};

/**
 * The JSON Schema of a list of constraints: one form for each kind. Left to the reader is what a schema cannot say: the
 * order of times, directions that point nowhere, names that no body has.
 */
export function constraintsSchema(): Schema {
  return {
    type: 'array',
    description: 'what shall hold for a time',
    items: {
      anyOf: CONSTRAINT_KINDS.map((kind) => {
        const names = [...SHARED_FIELDS, ...KIND_FIELDS[kind]].filter(
          (name): name is keyof typeof CONSTRAINT_PARTS => name !== 'kind' && name !== 'goal',
        );
        const hasGoal = GOAL_WORDS[kind].length > 0;
        return closed(
          {
            kind: { const: kind },
            ...Object.fromEntries(names.map((name) => [name, CONSTRAINT_PARTS[name]])),
            ...(hasGoal && { goal: goalSchema(kind) }),
          },
          [
            'kind',
            ...(kind === 'balance' ? [] : ['joint']),
            ...(hasGoal ? ['goal'] : []),
            ...(kind === 'distance' ? ['length'] : []),
          ],
        );
      }),
    },
  };
}
