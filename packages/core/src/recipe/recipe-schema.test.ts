import { describe, expect, it } from 'vitest';
import type { Schema } from '../options/shape.js';
import { describedSchema } from '../options/shape-schema.js';
import { PASS_NAMES } from '../passes/pipeline.js';
import { readRecipe } from './recipe.js';
import { recipeSchema } from './recipe-schema.js';

/** Whether a value is valid, by those words of JSON Schema that are used here; any other word is a mistake. */
function isValid(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([word, says]) => holds(word, says, schema, value));
}

function holds(word: string, says: unknown, schema: Schema, value: unknown): boolean {
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  const entries = Object.entries(fields ?? {});
  const own = (schema.properties ?? {}) as Record<string, Schema>;
  switch (word) {
    case '$schema':
    case 'title':
    case 'description':
      return true;
    case 'const':
      return value === says;
    case 'enum':
      return (says as unknown[]).includes(value);
    case 'type':
      if (says === 'object') return fields !== null;
      if (says === 'array') return Array.isArray(value);
      return says === 'integer' ? Number.isInteger(value) : typeof value === says;
    case 'minimum':
      return !((value as number) < (says as number));
    case 'maximum':
      return !((value as number) > (says as number));
    case 'exclusiveMinimum':
      return !((value as number) <= (says as number));
    case 'minItems':
      return !Array.isArray(value) || value.length >= (says as number);
    case 'maxItems':
      return !Array.isArray(value) || value.length <= (says as number);
    case 'items':
      return !Array.isArray(value) || value.every((each) => isValid(says as Schema, each));
    case 'required':
      return !fields || (says as string[]).every((name) => name in fields);
    case 'properties':
      return entries.every(([name, each]) => !Object.hasOwn(own, name) || isValid(own[name]!, each));
    case 'propertyNames':
      return entries.every(([name]) => isValid(says as Schema, name));
    case 'additionalProperties': {
      const others = entries.filter(([name]) => !Object.hasOwn(own, name));
      return says === false ? others.length === 0 : others.every(([, each]) => isValid(says as Schema, each));
    }
    case 'anyOf':
      return (says as Schema[]).some((each) => isValid(each, value));
    default:
      throw new Error(`the schema uses "${word}", which the test does not know`);
  }
}

const isRead = (recipe: unknown) => {
  try {
    return readRecipe(recipe).warnings.length === 0;
  } catch {
    return false;
  }
};

const hinge = { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [0, 90] };

/** By option values that are right, and values that are wrong. */
const SETTINGS: Record<string, [right: unknown[], wrong: unknown[]]> = {
  clips: [
    [[], ['walk']],
    ['walk', [1]],
  ],
  range: [[[0, 2]], [[0], [0, 'end'], 3]],
  speed: [
    [0.5, 2],
    [0, -1, 'fast'],
  ],
  mirror: [
    [true, false],
    ['yes', 'true', 1, null],
  ],
  repairKeys: [[true], [1]],
  loop: [
    [true, { seconds: 0.5 }, {}],
    [3, { seconds: 0 }, { second: 1 }, { travel: 1.5 }],
  ],
  pingPong: [
    [true, false],
    ['yes', 1],
  ],
  calm: [
    [6, 12.5],
    [0, -3, '8', true],
  ],
  clean: [
    [true, false],
    ['yes', 1],
  ],
  amount: [
    [0, 0.5, 1],
    [-0.1, 1.5, 'half', null],
  ],
  reduce: [
    [true, { position: 0.001, angleDegrees: 1 }],
    [{ angle: 1 }, { position: 0 }],
  ],
  keys: [
    ['auto', 'keep', 'bake'],
    ['kept', true],
  ],
  frameRate: [[30], [0, '30']],
  morphs: [[{ smile: 'happy', frown: '' }], [{ smile: 1 }, 'smile']],
  mapIsTold: [[true], ['no']],
  mode: [['turns', 'intermediate'], ['monzani']],
  restPosture: [['shared', 'kept'], [true]],
  branches: [
    ['body', 'every'],
    ['none', true],
  ],
  matching: [
    [
      {},
      { by: 'chains', weights: { direction: 3, end: 0 }, assignment: 'greedy', threshold: 0.5 },
      { fixed: [{ source: 'Tail', target: null }] },
    ],
    [
      'chains',
      { by: 'names' },
      { weights: { gamma: 3 } },
      { threshold: 2 },
      { fixed: [{ source: 3, target: 'Tail' }] },
      { fixed: 'Tail' },
    ],
  ],
  indexing: [
    ['index', 'nearest', 'length'],
    ['far', 3],
  ],
  surplusJoints: [['share', 'rest'], ['drop']],
  alignment: [[{ leftArm: 'bones', torso: 'keep' }], [{ leftArm: 'somehow' }, { wing: 'keep' }, 'keep']],
  imitation: [
    ['keep', { leftArm: 'direction', '*': 'worldDelta' }],
    ['dance', { leftArm: 'dance' }, 1],
  ],
  checkHierarchy: [[false], ['false']],
  translations: [
    ['copied', { Jaw: 'rootScaled' }],
    ['move', { Jaw: 2 }],
  ],
  scales: [['rest'], [1]],
  limits: [
    [{}, { leftLowerLeg: hinge }, { leftLowerLeg: { ...hinge, axes: 'body' } }],
    [3, { knee: { type: 'ball' } }, { knee: { ...hinge, axes: 'mine' } }, { knee: { ...hinge, axis: 'w' } }],
  ],
  spacing: [[{ arms: 0.2, legs: -1 }], [{ arms: 7 }, { arm: 0.2 }, 0.2]],
  twist: [
    ['limbs', 'none', { upperarm_twist_01_l: 0.25 }],
    ['all', { upperarm_twist_01_l: 2 }, { leftUpperArm: 'half' }, 0.5],
  ],
  lookAt: [
    [{ point: [0, 1, 2] }, { joint: 'head', headDegrees: [60, 30], speed: 1, weight: 0 }],
    [{ point: [0, 1] }, { at: [0, 1, 2] }, { joint: 3 }, { joint: 'a', eyeDegrees: [9] }, { speed: 2 }],
  ],
  rootScales: [
    [
      { horizontal: 0, vertical: 2 },
      { x: 2, vertical: 1, z: 3 },
    ],
    [{ vertical: -1 }, { y: 1 }, { vertical: 'high' }],
  ],
  chains: [
    [
      {},
      {
        tail: {
          solver: 'fabrik',
          goal: { weight: 0.5 },
          limbScale: [{ time: 0, value: 1, easing: 'smoother' }],
        },
      },
      {
        spine: { goal: { place: [0, 1, 2] }, priority: 3, imitation: 'keep', alignment: 'line', muted: true },
      },
      { tail: { goal: 'none', rootScale: 0, solver: { solver: 'ccd', maxIterations: 5 } } },
    ],
    [
      [],
      { tail: 'fabrik' },
      { tail: { solver: 'magic' } },
      { tail: { goal: { place: [0, 1] } } },
      { tail: { goal: 'somewhere' } },
      { tail: { muted: 1 } },
    ],
  ],
  root: [
    [{ copyPosition: false, positionScale: 0.5 }],
    [{ positionScale: 'half' }, { positionScale: 2 }, { copyposition: true }],
  ],
  between: [[0.5], [0, '1']],
  keepCalibration: [[true, false], ['yes']],
  wholeBody: [[true], [1]],
  rootMotion: [['keep', 'inPlace'], ['in-place']],
  travel: [
    ['asGiven', 'fromFeet'],
    ['from-feet', true],
  ],
  rootMotionJoint: [['hips'], [0]],
  ground: [
    [{}, { joint: 'leftToes', dynamic: true }],
    [true, { dynmic: true }, { joint: 5 }],
  ],
  corrections: [['none', 'auto'], [true]],
  limbScalings: [
    [{ leftArm: { limbScale: 1, weight: [{ time: 0, value: 0, easing: 'smooth' }] } }],
    [{ leftWing: {} }, { leftArm: 0 }, { leftArm: { limb: 0 } }, { leftArm: { weight: [{ time: 0 }] } }],
  ],
  solvers: [
    [{ all: 'damped', leftLeg: { solver: 'ccd', maxIterations: 30, step: 1 } }],
    [{ all: 'best' }, { tail: 'ccd' }, { all: { step: 1 } }, { all: { solver: 'ccd', maxIterations: 2.5 } }],
  ],
  reach: [['limbs', 'together'], ['far']],
  hold: [['contacts', 'none'], ['feet']],
  jointWeights: [
    [{ spine: 0, leftArm: 2 }, { 'every knee': [{ time: 0, value: 1, easing: 'smooth' }] }],
    [2, { spine: 'stiff' }, { spine: [{ time: 0 }] }],
  ],
  contacts: [
    [{}, { walk: [{ point: 'leftToe', start: 0, end: 1 }] }],
    [[], { walk: 3 }],
  ],
  measure: [[false], [0]],
  ...Object.fromEntries(
    ['sourceUp', 'targetUp', 'sourceFacing', 'targetFacing'].map((name) => [
      name,
      [
        ['+Y', '-Z'],
        ['Y', 'up', 1],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['sourceUnit', 'targetUnit'].map((name) => [
      name,
      [
        ['cm', 'm', 0.0254],
        [0, -1, 1e300, 'inch'],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['sourceFloor', 'targetFloor'].map((name) => [
      name,
      [
        [0, -92.5],
        ['low', null],
      ],
    ]),
  ),
};

describe('the schema of recipes', () => {
  const schema = recipeSchema();
  const settings = ((schema.properties as Schema).settings as Schema).properties as Record<string, Schema>;

  it('W18: has every option that a recipe keeps, in words', () => {
    expect(Object.keys(settings).sort()).toEqual(Object.keys(SETTINGS).sort());
    for (const part of Object.values(settings)) expect(part.description).toMatch(/\. If left out: /);
  });

  it.each(Object.entries(SETTINGS))('W18: agrees with the reader on %s', (name, [right, wrong]) => {
    for (const [values, verdict] of [
      [right, true],
      [wrong, false],
    ] as const)
      for (const value of values) {
        const recipe = { version: 1, settings: { [name]: value } };
        const said = JSON.stringify(value);
        expect([said, isRead(recipe)]).toEqual([said, verdict]);
        expect([said, isValid(schema, recipe)]).toEqual([said, verdict]);
      }
  });

  it.each([
    [{ version: 1 }, true],
    [{ $schema: 'recipe.schema.json', version: 1, passes: [...PASS_NAMES], bind: 'own' }, true],
    [{ version: 1, source: { file: 'a.glb', skeleton: '0' }, target: { armature: { chains: [] } } }, true],
    [
      { version: 1, map: { joints: [{ target: 'a', sources: ['b'], role: 'hips' }], roles: { hips: 'a' } } },
      true,
    ],
    [
      { version: 1, references: { source: 'bind', target: { base: { clip: 'a', time: 1 }, edits: [] } } },
      true,
    ],
    [{ version: 1, constraints: [], layers: [] }, true],
    [{}, false],
    [{ version: 2 }, false],
    [{ version: 1, passes: ['fly'] }, false],
    [{ version: 1, bind: 'new' }, false],
    [{ version: 1, source: { file: 3 } }, false],
    [{ version: 1, map: { joints: [{ target: 'a', sources: [] }] } }, false],
    [{ version: 1, map: { joints: [{ target: 'a', sources: ['b'], role: 'nose' }] } }, false],
    [
      { version: 1, map: { joints: [{ target: 'a', sources: ['b'], share: { from: 'c', weight: 2 } }] } },
      false,
    ],
    [{ version: 1, map: { roles: { nose: 'a' } } }, false],
    [{ version: 1, references: { target: 'sitting' } }, false],
    [{ version: 1, references: { target: { edits: [{ name: 'a', rotation: [0, 0, 1] }] } } }, false],
    [{ version: 1, constraints: {} }, false],
    [[], false],
  ])('W18: agrees with the reader on %j', (recipe, verdict) => {
    expect([isRead(recipe), isValid(schema, recipe)]).toEqual([verdict, verdict]);
  });

  const point = { kind: 'point', joint: 'head', goal: { place: [0, 1, 0] } };
  const other = { kind: 'plane', joint: 'every foot', goal: { normal: [0, 1, 0], height: 0.1 } };

  it.each<[unknown, boolean]>([
    [point, true],
    [{ ...point, offset: [0, 0, 1], times: { in: 0, start: { frame: 20 } }, ease: 'linear', level: 0 }, true],
    [
      { ...point, times: { start: { event: 'still', near: 1, within: 0.1 } }, unit: 'limb', muted: true },
      true,
    ],
    [{ ...point, goal: { keys: [{ time: 0, place: [0, 0, 0], ease: 'spline' }] } }, true],
    [{ ...point, goal: { joint: 'left hand', offset: [0, 0, 0], axes: 'joint' } }, true],
    [{ ...point, goal: { character: 'Ben', joint: 'head', offset: [0, 0, 0] } }, true],
    [{ ...point, goal: { source: 'head' }, space: 'model', from: 'chest', ramp: 'paper' }, true],
    [{ ...other, side: 'above', strength: 2, name: 'mat', clip: 'walk' }, true],
    [{ kind: 'orientation', joint: 'head', goal: { keys: [{ time: 0, degrees: [0, 9, 0] }] } }, true],
    [{ kind: 'distance', joint: 'head', length: 0, bound: 'atMost', goal: { node: 'cup' } }, true],
    [{ kind: 'relative', joint: 'head', goal: { joint: 'hips' } }, true],
    [{ kind: 'lookAt', joint: 'head', axis: [0, 0, 1], goal: { joint: 'hips' } }, true],
    [{ kind: 'lock', joint: 'head' }, true],
    [{ kind: 'balance' }, true],
    [{ kind: 'balance', joint: 'head' }, false],
    [{}, false],
    [5, false],
    [{ ...point, kind: 'hold' }, false],
    [{ kind: 'point', goal: { place: [0, 1, 0] } }, false],
    [{ ...point, goal: {} }, false],
    [{ ...point, goal: { place: [0, 1] } }, false],
    [{ ...point, goal: { place: [0, 1, 0], joint: 'hips' } }, false],
    [{ ...point, goal: { character: 'Ben' } }, false],
    [{ ...point, goal: { keys: [] } }, false],
    [{ ...point, goal: { keys: [{ time: 0, degrees: [0, 0, 0] }] } }, false],
    [{ ...point, goal: { keys: [{ time: 0, place: [0, 0, 0], easing: 'linear' }] } }, false],
    [{ ...point, side: 'on' }, false],
    [{ ...point, times: { begin: 0 } }, false],
    [{ ...point, times: { start: '0' } }, false],
    [{ ...point, times: { start: { event: 'fall', near: 0 } } }, false],
    [{ ...point, level: -1 }, false],
    [{ ...point, level: 0.5 }, false],
    [{ ...point, strength: 0 }, false],
    [{ ...point, ease: 'spline' }, false],
    [{ ...point, colour: 'red' }, false],
    [{ ...other, goal: { height: 0 } }, false],
    [{ kind: 'distance', joint: 'head', goal: { joint: 'hips' } }, false],
    [{ kind: 'lock', joint: 'head', goal: { place: [0, 0, 0] } }, false],
    [{ kind: 'orientation', joint: 'head', goal: { place: [0, 0, 0] } }, false],
  ])('W18: agrees with the reader on the constraint %j', (constraint, verdict) => {
    const recipe = { version: 1, constraints: [constraint] };
    expect([isRead(recipe), isValid(schema, recipe)]).toEqual([verdict, verdict]);
  });

  const keys = [{ time: 0, degrees: [0, 9, 0], ease: 'smooth' }];

  it.each<[unknown, boolean]>([
    [{}, true],
    [{ name: 'nod', clip: 'walk', when: 'after', weight: 0.5, muted: false, joints: { head: keys } }, true],
    [{ weight: [{ time: 0, value: 1 }], hips: [{ time: 0, place: [0, 0.1, 0] }] }, true],
    [{ band: [4, 30], gain: 0, joints: { head: [] } }, true],
    [{ joints: { head: [] } }, false],
    [{ band: [4, 30], joints: { head: keys } }, false],
    [{ joints: { head: [{ time: 0, degrees: [0, 9] }] } }, false],
    [{ joints: { head: [{ time: 0, degrees: [0, 9, 0], easing: 'smooth' }] } }, false],
    [{ joints: { head: [{ degrees: [0, 9, 0] }] } }, false],
    [{ hips: [{ time: 0, degrees: [0, 9, 0] }] }, false],
    [{ when: 'during' }, false],
    [{ weight: 'much' }, false],
    [{ gain: 2 }, false],
    [{ band: [4] }, false],
    [{ joint: 'head' }, false],
  ])('W18: agrees with the reader on the layer %j', (layer, verdict) => {
    const recipe = { version: 1, layers: [layer] };
    expect([isRead(recipe), isValid(schema, recipe)]).toEqual([verdict, verdict]);
  });

  it('says units where a number has one', () => {
    const about = { summary: 'how long', default: '1' };
    expect(describedSchema({ kind: 'number', unit: 's', above: 0 }, about)).toEqual({
      description: 'how long (s). If left out: 1',
      type: 'number',
      exclusiveMinimum: 0,
    });
  });
});
