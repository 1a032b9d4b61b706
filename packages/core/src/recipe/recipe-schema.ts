import { ROLES } from '../body/roles.js';
import { constraintsSchema } from '../edits/constraints/constraint-schema.js';
import { layersSchema } from '../edits/layers/layer-schema.js';
import { listOptions, OPTIONS } from '../options/list.js';
import { NO_ROLE } from '../options/rig-map-document.js';
import type { Schema } from '../options/shape.js';
import { describedSchema } from '../options/shape-schema.js';
import { PASS_NAMES } from '../passes/pipeline.js';

const TEXT: Schema = { type: 'string' };
const numbers = (count: number): Schema => ({
  type: 'array',
  items: { type: 'number' },
  minItems: count,
  maxItems: count,
});

const SIDE_SCHEMA: Schema = {
  type: 'object',
  properties: {
    file: { ...TEXT, description: 'where the file was; not needed to run' },
    sha256: { ...TEXT, description: 'the SHA-256 of its bytes; not needed to run' },
    family: {
      type: 'array',
      items: TEXT,
      description: 'files with the skeleton of the source by which it was understood, beside the recipe',
    },
    skeleton: { ...TEXT, description: 'name or number of the skeleton, where the file has several' },
    namingScheme: describedSchema(OPTIONS.sourceNaming.shape, {
      summary: 'which names the joints have: a scheme by its name, or joint names by body part',
      default: '',
    }),
    armature: { type: 'object', description: 'the chains that cover the skeleton, their solvers and limits' },
  },
};

const PAIR: { [name: string]: Schema } = {
  target: TEXT,
  sources: {
    type: 'array',
    items: TEXT,
    minItems: 1,
    description: 'parents first; the last one drives',
  },
  share: {
    type: 'object',
    required: ['from', 'weight'],
    properties: { from: TEXT, weight: { type: 'number', minimum: 0, maximum: 1 } },
  },
  role: { enum: [...ROLES, NO_ROLE], description: 'the body part, or none' },
};

const MAP_SCHEMA: Schema = {
  type: 'object',
  description: 'which joints of the source drive which of the target',
  properties: {
    version: { const: 1 },
    joints: {
      type: 'array',
      description: 'the whole map: target joints that are not listed are not driven',
      items: { type: 'object', required: ['target', 'sources'], properties: PAIR },
    },
    changes: {
      type: 'array',
      description: 'what is otherwise than in the map that is listed or found, one target joint each',
      items: {
        anyOf: [
          { type: 'object', required: ['target', 'sources'], properties: PAIR },
          {
            type: 'object',
            required: ['target', 'none'],
            properties: { target: TEXT, none: { const: true, description: 'nothing drives it' } },
          },
          {
            type: 'object',
            required: ['target', 'sources'],
            properties: { target: TEXT, sources: { type: 'null', description: 'nothing drives it' } },
          },
        ],
      },
    },
    roles: {
      type: 'object',
      description: 'body parts of joints whose names mean nothing',
      propertyNames: { enum: [...ROLES] },
      additionalProperties: TEXT,
    },
  },
};

const REFERENCE_WORDS: Schema = { enum: ['auto', 'rest', 'bind'] };

const BASE: Schema = {
  anyOf: [
    REFERENCE_WORDS,
    {
      type: 'object',
      properties: {
        clip: TEXT,
        frame: { type: 'number' },
        time: { type: 'number', description: 'seconds' },
        pose: {
          type: 'object',
          required: ['translations', 'rotations', 'scales'],
          properties: Object.fromEntries(
            ['translations', 'rotations', 'scales'].map((name) => [
              name,
              { type: 'array', items: { type: 'number' } },
            ]),
          ),
        },
      },
    },
  ],
};

const REFERENCE_SCHEMA: Schema = {
  anyOf: [
    REFERENCE_WORDS,
    {
      type: 'object',
      properties: {
        base: BASE,
        edits: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: TEXT,
              translation: numbers(3),
              rotation: numbers(4),
              turn: numbers(4),
              scale: numbers(3),
            },
          },
        },
      },
    },
  ],
};

/**
 * The JSON Schema of a whole {@link Recipe}, for editors to complete and check from. Its settings are the options of
 * the list. What {@link readRecipe} leaves out with a warning is no error here either.
 */
export function recipeSchema(): Schema {
  const settings = listOptions().filter(([, { saved = 'settings' }]) => saved === 'settings');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Stuntdouble recipe',
    description: 'How the motion of one character goes onto another',
    type: 'object',
    required: ['version'],
    properties: {
      version: { const: 1 },
      madeWith: { ...TEXT, description: 'the version of the program that wrote it' },
      source: SIDE_SCHEMA,
      target: SIDE_SCHEMA,
      map: MAP_SCHEMA,
      references: {
        type: 'object',
        description: 'the poses that turns are counted from',
        properties: { source: REFERENCE_SCHEMA, target: REFERENCE_SCHEMA },
      },
      passes: describedSchema({ kind: 'list', of: { kind: 'choice', words: PASS_NAMES } }, OPTIONS.passes),
      bind: {
        enum: ['own', 'retargeted'],
        description:
          'whether the mesh is driven through its own bind pose, or one that the source’s keys fit',
      },
      settings: {
        type: 'object',
        description: 'options of retarget',
        properties: Object.fromEntries(
          settings.map(([name, option]) => [name, describedSchema(option.shape, option)]),
        ),
      },
      constraints: constraintsSchema(),
      layers: layersSchema(),
    },
  };
}
