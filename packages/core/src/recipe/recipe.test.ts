import { describe, expect, it } from 'vitest';
import { sceneOf as sceneOfFigure, stickFigure } from '../../test/stick-figure.js';
import { withStrands } from '../../test/strands.js';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { mergeRecipes, optionsOfRecipe, type Recipe, readRecipe, recipeOf } from './recipe.js';

const source = tinyHuman({ name: 'source', axes: createRandom(1) });
const walk = randomClip(createRandom(2), source, { travels: jointOf(source, 'hips') });
const from = sceneOf(source, [walk]);
const to = sceneOf(tinyHuman({ name: 'target', axes: createRandom(3), armsDown: 0.7, spines: 2, legs: 0.6 }));

/** Saved as JSON, read again, and run. */
function repeat(a: typeof from, b: typeof to, options: RetargetOptions) {
  const saved = JSON.stringify(recipeOf(setUpScenes(a, b, options).setup, options));
  const { recipe, warnings } = readRecipe(JSON.parse(saved));
  expect(warnings).toEqual([]);
  expect(recipe).toEqual(JSON.parse(saved));
  return retarget(a, b, optionsOfRecipe(recipe));
}

describe('a recipe', () => {
  it('finds ends of limbs on the map again that were found on it, and takes them for no pairs of the map', () => {
    const body = stickFigure({ arms: 'A' });
    const nameOf = (part: string) => body.skeleton.names[body.jointOf(part)]!;
    const paw = { name: 'Paw', at: [0.1, 0.08, 0.05] as [number, number, number] };
    const target = sceneOfFigure(withStrands(body, [{ ...paw, boundTo: { [nameOf('leftLowerLeg')]: 10 } }]));
    const changes = ['leftFoot', 'leftToes'].map((part) => ({ target: nameOf(part), none: true as const }));
    const mover = stickFigure({ arms: 'T' });
    const shin = mover.jointOf('leftLowerLeg');
    const swing = {
      ...{ joint: shin, channel: 'rotation' as const, interpolation: 'linear' as const },
      ...{ times: Float32Array.of(0, 1), values: Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8) },
    };
    const moves = sceneOfFigure({
      ...mover,
      clips: [{ name: 'swing', duration: 1, morphs: [], tracks: [swing] }],
    });
    const options: RetargetOptions = { map: { version: 1, changes } };
    const { setup } = setUpScenes(moves, target, options);
    expect(setup.alignment.ends).toHaveLength(1);
    expect(recipeOf(setup, options).map!.joints!.map((pair) => pair.target)).not.toContain('Paw');
    expect(repeat(moves, target, options).clips).toEqual(retarget(moves, target, options).clips);
  });

  const arm = to.characters[0]!.skeleton.names[jointOf(to.characters[0]!.skeleton, 'leftUpperArm')]!;
  const pose = to.characters[0]!.skeleton.rest;
  const choices: [string, RetargetOptions][] = [
    ['nothing', {}],
    ['a bake', { keys: 'bake', frameRate: 24, speed: 2, range: [0.2, 1.5] }],
    [
      'alignment and root',
      {
        alignment: { leftArm: 'keep', leftLeg: 'bones' },
        rootScales: { vertical: 1.3 },
        rootMotion: 'inPlace',
      },
    ],
    ['passes', { passes: ['copyRotations'] }],
    ['a reference frame', { sourceReference: { clip: 'clip', time: 0.5 } }],
    [
      'edits',
      {
        targetReference: {
          base: 'rest',
          edits: [{ name: arm, rotation: [0, 0, 0.6, 0.8], scale: [1, 1, 1] }],
        },
      },
    ],
    ['edits in their short form', { targetReference: { base: 'rest', edits: { [arm]: [0, 0, 0.6, 0.8] } } }],
    ['a pose of the caller', { targetReference: { pose } }],
    ['a map of the user', { map: { version: 1, joints: [{ target: arm, sources: ['rightUpperArm'] }] } }],
    ['skeletons', { sourceSkeleton: 'source', targetSkeleton: '0', clips: ['clip'] }],
  ];
  it.each(choices)('W18: saved and read again repeats the result exactly: %s', (_, options) => {
    const first = retarget(from, to, options);
    const again = repeat(from, to, options);
    expect(again.clips).toEqual(first.clips);
    expect(again.report.measures).toEqual(first.report.measures);
  });

  it('W18: repeats a clip that is taken over whole, and a part of one that is not', () => {
    const first = retarget(from, sceneOf(source), {});
    expect(first.report.clips[0]!.way).toBe('copy');
    expect(repeat(from, sceneOf(source), {}).report.clips[0]!.way).toBe('copy');
    const part = { map: { version: 1 as const, joints: [{ target: 'hips', sources: ['hips'] }] } };
    expect(repeat(from, sceneOf(source), part).clips).toEqual(retarget(from, sceneOf(source), part).clips);
    expect(repeat(from, sceneOf(source), part).report.clips[0]!.way).not.toBe('copy');
  });

  it('leaves out what is no data, and refuses what JSON cannot hold', () => {
    const { setup } = setUpScenes(from, to, {});
    const recipe = recipeOf(setup, { signal: { throwIfAborted() {} }, onProgress: () => {} });
    expect(Object.keys(recipe)).toEqual(['version', 'map']);
    expect(() => recipeOf(setup, { speed: Number.NaN })).toThrow(
      'options.speed: must be a number, and is NaN',
    );
  });

  it('takes every option of the engine, and names the place of one that is wrong', () => {
    const settings = {
      rootMotion: 'apart',
      root: { copyPosition: false, positionScale: 0.5 },
      imitation: { leftArm: 'direction', '*': 'keep' },
      translations: 'copied',
      scales: 'rest',
      ground: { dynamic: true },
      loop: { seconds: 0.5 },
      reduce: true,
      corrections: 'auto',
    };
    expect(readRecipe({ version: 1, settings })).toEqual({ recipe: { version: 1, settings }, warnings: [] });
    for (const [name, value] of [
      ['rootMotion', 'away'],
      ['imitation', { leftArm: 'dance' }],
      ['mirror', 'yes'],
      ['loop', 3],
      ['scales', 1],
      ['root', { positionScale: 'half' }],
    ] as const)
      expect(() => readRecipe({ version: 1, settings: { [name]: value } })).toThrow(
        `recipe.settings.${name}`,
      );
  });

  it('keeps options that it does not know, so that new ones need no change', () => {
    const { recipe, warnings } = readRecipe({
      version: 1,
      settings: { tomorrow: { feet: [1, { a: null }] } },
    });
    expect(optionsOfRecipe(recipe)).toEqual({ tomorrow: { feet: [1, { a: null }] } });
    expect(warnings.map(({ code }) => code)).toEqual(['recipe-entry-ignored']);
  });

  it('says whether the mesh is bound anew, in one of two words', () => {
    expect(readRecipe({ version: 1, bind: 'retargeted' })).toEqual({
      recipe: { version: 1, bind: 'retargeted' },
      warnings: [],
    });
    expect(() => readRecipe({ version: 1, bind: true })).toThrow(
      'recipe.bind: must be one of own, retargeted',
    );
  });

  it('holds constraints and layers, and hands them to the options', () => {
    const document = {
      version: 1,
      constraints: [{ kind: 'point', joint: 'rightHand', goal: { place: [0, 1, 2] } }],
      layers: [{ name: 'lean', joints: { spine: [{ time: 0, degrees: [5, 0, 0] }] } }],
      settings: { hold: 'none' },
    };
    const { recipe, warnings } = readRecipe(document);
    expect(recipe).toEqual(document);
    expect(warnings).toEqual([]);
    expect(optionsOfRecipe(recipe)).toEqual({
      constraints: document.constraints,
      layers: document.layers,
      hold: 'none',
    });
  });

  it('names the place of what is wrong about constraints and layers', () => {
    const wrong = (part: object) => () => readRecipe({ version: 1, ...part });
    expect(wrong({ constraints: [{ type: 'point', at: [0, 1, 2] }] })).toThrow('recipe.constraints[0].type');
    expect(wrong({ layers: [{ joints: { head: [{ time: Number.NaN, degrees: [0, 0, 0] }] } }] })).toThrow(
      'recipe.layers[0].joints.head[0].time',
    );
    expect(wrong({ settings: { hold: 'feet' } })).toThrow('recipe.settings.hold');
    expect(wrong({ settings: { layers: [] } })).toThrow('recipe.settings.layers');
  });
});

describe('readRecipe', () => {
  const wrong: [unknown, string][] = [
    [null, 'recipe: must be an object, and is null'],
    [[], 'recipe: must be an object, and is a list'],
    ['{}', 'recipe: must be an object, and is "{}"'],
    [{}, 'recipe.version: must be 1, and is left out'],
    [{ version: '1' }, 'recipe.version: must be 1, and is "1"'],
    [
      {
        version: 1,
        map: {
          joints: [
            { target: 'a', sources: ['b'] },
            { target: 3, sources: ['b'] },
          ],
        },
      },
      'recipe.map.joints[1].target: must be a text, and is 3',
    ],
    [
      { version: 1, map: { joints: [{ target: 'a', sources: [] }] } },
      'recipe.map.joints[0].sources: is empty',
    ],
    [
      { version: 1, map: { joints: [{ target: 'a', sources: ['b'], role: 'nose' }] } },
      'recipe.map.joints[0].role: "nose" is no body part',
    ],
    [
      { version: 1, map: { joints: [{ target: 'a', sources: ['b'], share: { from: 'c', weight: 2 } }] } },
      'recipe.map.joints[0].share.weight: must be from 0 to 1, and is 2',
    ],
    [{ version: 1, passes: ['copyRotations', 'fly'] }, 'recipe.passes[1]: must be one of copyRotations'],
    [
      { version: 1, references: { target: 'sitting' } },
      'recipe.references.target.base: must be one of auto, rest, bind, and is "sitting"',
    ],
    [
      { version: 1, references: { target: { edits: [{ name: 'a', rotation: [0, 0, 1] }] } } },
      'recipe.references.target.edits[0].rotation: must be 4 numbers, and is 3',
    ],
    [{ version: 1, settings: { map: {} } }, 'recipe.settings.map: is no setting'],
    [
      { version: 1, settings: { rootScales: { vertical: 'high' } } },
      'recipe.settings.rootScales.vertical: must be a number, and is "high"',
    ],
    [
      { version: 1, settings: { alignment: { leftArm: 'somehow' } } },
      'recipe.settings.alignment.leftArm: must be one of keep, line, bones',
    ],
    [{ version: 1, constraints: {} }, 'recipe.constraints: must be a list, and is an object'],
  ];
  it.each(wrong)('names the place that is wrong: %j', (document, message) => {
    expect(() => readRecipe(document)).toThrow(UsageError);
    expect(() => readRecipe(document)).toThrow(message);
  });

  it('refuses a newer version in one sentence', () => {
    expect(() => readRecipe({ version: 2, future: true })).toThrow(
      /^recipe\.version: 2 is newer than [^.]*$/,
    );
  });

  it('does not follow circles, nor let a name reach a prototype', () => {
    const circle: { settings: { mood: unknown }; version: 1 } = { version: 1, settings: { mood: null } };
    circle.settings.mood = circle;
    expect(() => readRecipe(circle)).toThrow(/nested too deep/);
    const { recipe } = readRecipe(
      JSON.parse('{"version":1,"layers":[{"joints":{"__proto__":[{"time":0,"degrees":[1,2,3]}]}}]}'),
    );
    expect(JSON.stringify(recipe.layers)).toBe('[{"joints":{"__proto__":[{"time":0,"degrees":[1,2,3]}]}}]');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('warns of entries that it does not know, and goes on', () => {
    const { recipe, warnings } = readRecipe({
      version: 1,
      colour: 'red',
      map: { version: 1, joints: [{ target: 'a', sources: ['b'], mood: 1 }] },
    });
    expect(warnings.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
      ['recipe-entry-ignored', 'recipe.colour'],
      ['recipe-entry-ignored', 'recipe.map.joints[0].mood'],
    ]);
    expect(recipe.map!.joints).toEqual([{ target: 'a', sources: ['b'] }]);
  });

  const unknown: [unknown, string, string | null][] = [
    [{ version: 1, contraints: [] }, 'recipe.contraints', 'constraints'],
    [{ version: 1, Passes: [] }, 'recipe.Passes', 'passes'],
    [{ version: 1, colour: 'red' }, 'recipe.colour', null],
    [{ version: 1, target: { skelton: 'a' } }, 'recipe.target.skelton', 'skeleton'],
    [{ version: 1, references: { tagret: 'rest' } }, 'recipe.references.tagret', 'target'],
    [
      { version: 1, references: { source: { edits: [{ name: 'a', rotaton: [0, 0, 0, 1] }] } } },
      'recipe.references.source.edits[0].rotaton',
      'rotation',
    ],
    [
      { version: 1, references: { source: { base: { clp: 'walk' } } } },
      'recipe.references.source.base.clp',
      'clip',
    ],
    [
      {
        version: 1,
        map: { joints: [{ target: 'a', sources: ['b'], share: { from: 'c', weight: 1, wieght: 0 } }] },
      },
      'recipe.map.joints[0].share.wieght',
      'weight',
    ],
    [{ version: 1, settings: { rootscale: {} } }, 'recipe.settings.rootscale', 'rootScales'],
    [
      { version: 1, settings: { contacts: { walk: [{ point: 'hips', start: 0, end: 1, until: 2 }] } } },
      'recipe.settings.contacts.walk[0].until',
      null,
    ],
    [{ version: 1, roles: { hips: 'a' }, constraints: [1] }, 'recipe.constraints', null],
    [{ version: 1, chains: [{ name: 'a', joints: [], sovler: {} }] }, 'recipe.chains[0].sovler', 'solver'],
    [{ version: 1, chains: [], settings: { speed: 2 } }, 'recipe.settings', null],
    [
      { version: 1, target: { armature: { version: 1, chains: [], limitts: {} } } },
      'recipe.target.armature.limitts',
      'limits',
    ],
    [{ namingScheme: 'dude', restPose: 1 }, 'recipe.restPose', null],
    [{ restPoseUpdate: [{ name: 'a', data: {}, dta: {} }] }, 'recipe.restPoseUpdate[0].dta', 'data'],
    [JSON.parse('{"version":1,"settings":{"__proto__":{"speed":2}}}'), 'recipe.settings.__proto__', null],
    [{ version: 1, constructor: 1 }, 'recipe.constructor', null],
  ];
  it.each(unknown)('warns of a field that it does not know, at any depth: %j', (document, path, meant) => {
    const { warnings } = readRecipe(document);
    expect(warnings.map(({ code }) => code)).toEqual(['recipe-entry-ignored']);
    expect(warnings[0]!.message).toBe(
      `${path} is nothing that this version knows; it has no effect${meant === null ? '' : ` (did you mean "${meant}"?)`}`,
    );
  });

  it.each([
    [{ root: { copyPositon: true } }, /recipe\.settings\.root: must be one of copyPosition/],
    [{ lookAt: { pont: [0, 0, 0] } }, /recipe\.settings\.lookAt: must be one of point/],
    [{ loop: { secs: 1 } }, /recipe\.settings\.loop: must be one of seconds/],
    [{ spacing: { amrs: 0.1 } }, /recipe\.settings\.spacing: must be one of arms/],
  ])('refuses parts of a setting that it does not know: %j', (settings, message) => {
    expect(() => readRecipe({ version: 1, settings })).toThrow(message);
  });

  it('tells of fields whose names are hostile in one line, and not a million times', () => {
    const joints = Array.from({ length: 10_000 }, () => ({ target: 'a', sources: ['b'], 'x\u202e\ny': 1 }));
    const { warnings } = readRecipe({ version: 1, map: { joints } });
    expect(warnings.length).toBe(100);
    expect(warnings[0]!.message).toMatch(/^recipe\.map\.joints\[0\]\.x· y is nothing/);
  });

  it('refuses a reference that is two things at once', () => {
    const pose = { translations: [], rotations: [], scales: [] };
    expect(() =>
      readRecipe({ version: 1, references: { source: { base: { pose, clip: 'walk' } } } }),
    ).toThrow('recipe.references.source.base: holds a pose and "clip"; give one of the two');
  });

  it('reads maps and armatures as recipes with one part', () => {
    const map = { version: 1, roles: { hips: 'Bone.003' } };
    expect(readRecipe(map).recipe).toEqual({ version: 1, map });
    const armature = { version: 1, chains: [{ name: 'tail', joints: ['a', 'b'] }] };
    expect(readRecipe(armature).recipe).toEqual({ version: 1, target: { armature } });
    expect(readRecipe(armature, 'source').recipe).toEqual({ version: 1, source: { armature } });
  });

  it('B27: reads an entry of Babylon’s data: path, naming scheme and changes of the rest pose', () => {
    const entry = {
      path: 'avatars/hero.glb',
      namingScheme: 'mixamo_full',
      restPoseUpdate: [
        { name: 'LeftArm', data: { quaternion: { _x: 0, _y: 0, _z: 0.6, _w: 0.8 } } },
        { name: 'Hips', data: { position: [0, 1, 0], scaling: { x: 1, y: 2, z: 1 }, quaternion: null } },
      ],
    };
    const { recipe } = readRecipe(entry);
    expect(recipe.target).toEqual({ file: 'avatars/hero.glb', namingScheme: 'mixamo_full' });
    expect(optionsOfRecipe(recipe).targetReference).toEqual({
      base: 'rest',
      edits: [
        { name: 'LeftArm', rotation: [0, 0, 0.6, 0.8] },
        { name: 'Hips', translation: [0, 1, 0], scale: [1, 2, 1] },
      ],
    });
    expect(() => readRecipe({ restPoseUpdate: [{ name: 'Hips', data: { position: [0, 1] } }] })).toThrow(
      'recipe.restPoseUpdate[0].data.position: must be 3 numbers, and is 2',
    );
  });

  it('puts parts together: a later part takes the place of an earlier one', () => {
    const parts: Recipe[] = [
      { version: 1, settings: { keys: 'bake', speed: 2 }, target: { file: 'a.glb' } },
      { version: 1, settings: { speed: 1 }, target: { skeleton: 'b' }, passes: ['copyRotations'] },
    ];
    expect(mergeRecipes(...parts)).toEqual({
      version: 1,
      settings: { keys: 'bake', speed: 1 },
      target: { file: 'a.glb', skeleton: 'b' },
      passes: ['copyRotations'],
    });
    expect(parts[0]!.settings).toEqual({ keys: 'bake', speed: 2 });
  });
});
