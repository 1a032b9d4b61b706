import { CURVE_EASES } from '../../base/math/easing.js';
import type { Schema } from '../../options/shape.js';

const LAYER_TEXT: Schema = { type: 'string' };
const numbers = (count: number): Schema => ({
  type: 'array',
  items: { type: 'number' },
  minItems: count,
  maxItems: count,
});

const keysOf = (value: { [name: string]: Schema }): Schema => ({
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['time', ...Object.keys(value)],
    properties: { time: { type: 'number' }, ...value, ease: { enum: [...CURVE_EASES] } },
    additionalProperties: false,
  },
});

const TURNS_SCHEMA: Schema = {
  type: 'object',
  description: 'turns by body part or joint name: rotation vectors in degrees, in axes of the reference pose',
  additionalProperties: keysOf({ degrees: numbers(3) }),
};

const BANDED_SCHEMA: Schema = {
  type: 'object',
  description: 'the body parts and joints whose motion is scaled, each with an empty list; all if left out',
  additionalProperties: { type: 'array', maxItems: 0 },
};

const LAYER_PARTS: { [name: string]: Schema } = {
  name: { ...LAYER_TEXT, description: 'for people' },
  clip: { ...LAYER_TEXT, description: 'the clip that it is for; every clip if left out' },
  when: { enum: ['before', 'after'], description: 'before or after corrections and constraints' },
  weight: { anyOf: [{ type: 'number' }, keysOf({ value: { type: 'number' } })] },
  muted: { type: 'boolean' },
  hips: { ...keysOf({ place: numbers(3) }), description: 'ways in shares of the hips’ height' },
};

/** The JSON Schema of a list of layers: curves that are added, or a band that is scaled. */
export function layersSchema(): Schema {
  return {
    type: 'array',
    description: 'what is added to the motion',
    items: {
      anyOf: [
        { type: 'object', properties: { ...LAYER_PARTS, joints: TURNS_SCHEMA }, additionalProperties: false },
        {
          type: 'object',
          required: ['band'],
          properties: {
            ...LAYER_PARTS,
            joints: BANDED_SCHEMA,
            band: {
              ...numbers(2),
              items: { type: 'number', minimum: 0 },
              description: 'cycles a second, from and to',
            },
            gain: { type: 'number', description: '0 takes the band out, 2 doubles it' },
          },
          additionalProperties: false,
        },
      ],
    },
  };
}
