import {
  createArmature,
  optionsOfArmature,
  optionsOfRecipe,
  type RetargetOptions,
  type Rig,
  readArmature,
  readContacts,
  readRecipe,
  recipeOf,
  retarget,
  type Scene,
  type Setup,
  setUpScenes,
  writeArmature,
  writeRigMapDocument,
} from '@stuntdouble/core';
import {
  optionsOfSpireRetarget,
  readSpireRetarget,
  spireRetargetOf,
  writeSpireRetarget,
} from '@stuntdouble/formats';
import { attempt, createVerdict, type FuzzCase, note, type Verdict } from './attempt.js';
import { judgeResult } from './judge-result.js';
import { judgeWarnings } from './judge-scene.js';
import { mutateBytes } from './mutate/mutate-bytes.js';
import { changeJson } from './mutate/mutate-json.js';
import { createRandom, type Random } from './random/random.js';
import { hostileName } from './random/random-names.js';
import { readBareSample, shortMotion } from './seeds.js';

/** The documents that are mutated. */
export const DOCUMENTS = ['map', 'recipe', 'armature', 'contacts', 'spire'] as const;

/** One of {@link DOCUMENTS}. */
export type DocumentKind = (typeof DOCUMENTS)[number];

type Stage = { source: Scene; target: Scene; setup: Setup };

/** Opens a kind of document: makes sound ones, and gives what makes cases of them. */
export async function openDocuments(kind: DocumentKind): Promise<(seed: number, index: number) => FuzzCase> {
  const source = await shortMotion('motions/walk.glb');
  const target = await readBareSample('characters/goblin.glb');
  const stage: Stage = { source, target, setup: setUpScenes(source, target).setup };
  if (kind === 'spire') return openSpire(stage);
  const texts = soundDocuments(kind, stage).map((document) => JSON.stringify(document));
  return (seed, index) => {
    const random = createRandom(seed, index);
    const text = mutateText(random, random.pick(texts));
    return {
      from: kind,
      run: () => useDocument(kind, JSON.parse(text), stage),
      file: () => ({ bytes: new TextEncoder().encode(text), extension: 'json' }),
    };
  };
}

/** Changes a document of JSON; what comes out is JSON still. */
function mutateText(random: Random, text: string): string {
  const json = JSON.parse(text) as Record<string, unknown>;
  // Most often one change: a document that is broken in one place is read furthest.
  const rounds = random.chance(0.6) ? 1 : 1 + random.below(5);
  for (let n = 0; n < rounds; n++) changeJson(random, json);
  const changed = JSON.stringify(json);
  if (!random.chance(0.15)) return changed;
  // A name that nobody would give in place of one of the document's texts, be it a key.
  const names = [...changed.matchAll(/"(?:[^"\\]|\\.)*"/g)];
  if (names.length === 0) return changed;
  const { 0: name, index } = random.pick(names);
  return changed.slice(0, index) + JSON.stringify(hostileName(random)) + changed.slice(index + name.length);
}

function soundDocuments(kind: Exclude<DocumentKind, 'spire'>, { source, target, setup }: Stage): object[] {
  const map = writeRigMapDocument(setup.map, setup.source, setup.target);
  const hips = setup.target.skeleton.names[setup.target.joints.hips!]!;
  switch (kind) {
    case 'map':
      return [
        map,
        { version: 1, roles: { hips, head: 'head', leftFoot: 'no joint' } },
        { ...map, roles: { hips } },
      ];
    case 'recipe':
      return [...SETTINGS.map((options) => recipeOf(setup, options)), babylonEntry(hips)];
    case 'armature': {
      const { skeleton } = setup.target;
      return [writeArmature(createArmature(skeleton), skeleton), olderArmature(setup.target)];
    }
    case 'contacts': {
      const { clips } = retarget(source, target).report;
      return [
        { version: 1, clips: Object.fromEntries(clips.map(({ name, contacts }) => [name, contacts ?? []])) },
      ];
    }
  }
}

/** Options that a recipe can hold, all of them in some. */
const SETTINGS: readonly RetargetOptions[] = [
  {},
  {
    range: [0, 0.2],
    speed: 2,
    frameRate: 30,
    keys: 'bake',
    rootMotion: 'extract',
    root: { copyPosition: true, copyRotation: true, positionScale: 0.5 },
    imitation: { leftArm: 'direction', '*': 'worldDelta' },
    translations: 'copied',
    scales: 'copied',
    sourceReference: { base: 'rest', edits: [] },
    targetReference: { frame: 0 },
  },
  {
    corrections: 'auto',
    ground: { dynamic: true },
    limbScalings: { leftArm: { limbScale: 1, weight: [{ time: 0, value: 1, easing: 'smooth' }] } },
    limits: {
      leftLowerLeg: { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [0, 150], axes: 'body' },
    },
    solvers: { all: 'fabrik', leftLeg: { solver: 'damped', maxIterations: 20, damping: 0.1 } },
    reach: 'together',
    spacing: { arms: 0.2, legs: -0.1 },
    lookAt: { point: [0, 1, 2], headDegrees: [40, 20], speed: 1, weight: 0.5 },
    contacts: { walk: [{ point: 'leftToe', start: 0, end: 0.2 }] },
    morphs: { happy: 'joy' },
    passes: ['copyRotations', 'moveRoot', 'limitJoints', 'placeGoals', 'solveLimbs'],
  },
  {
    mirror: true,
    measure: true,
    repairKeys: true,
    checkHierarchy: true,
    loop: { seconds: 0.1 },
    reduce: { position: 1e-3, angleDegrees: 0.5 },
    rootScales: { horizontal: 1, vertical: 0.9 },
    alignment: { leftArm: 'bones', rightLeg: 'keep' },
    sourceSkeleton: '0',
  },
];

function babylonEntry(name: string): object {
  return {
    path: 'hero.glb',
    namingScheme: 'mixamo_full',
    restPoseUpdate: [
      {
        name,
        data: {
          position: { x: 0, y: 1, z: 0 },
          quaternion: { x: 0, y: 0, z: 0, w: 1 },
          scaling: { x: 1, y: 1, z: 1 },
        },
      },
    ],
  };
}

function olderArmature({ skeleton, joints }: Rig): object {
  const name = (joint: number | undefined) => skeleton.names[joint ?? 0]!;
  return {
    SkeletonStructure: { arm: { Root: name(joints.leftUpperArm), EndEffector: name(joints.leftHand) } },
    JointLimits: {
      [name(joints.leftLowerArm)]: {
        Type: 'Hinge',
        HingeAxis: 'z',
        BoneForward: 'x',
        MinAngleDegrees: 0,
        MaxAngleDegrees: 140,
      },
      [name(joints.leftUpperArm)]: {
        Type: 'SwingXZTwistY',
        MinTwist: -20,
        MaxTwist: 30,
        MinXSwing: -50,
        MaxXSwing: 60,
        MinZSwing: -70,
        MaxZSwing: 80,
      },
      [name(joints.leftHand)]: { Type: 'Unconstrained' },
    },
  };
}

/** Reads a document as its kind asks for, and does what it says; what no reader has looked at is told as well. */
async function useDocument(
  kind: Exclude<DocumentKind, 'spire'>,
  json: unknown,
  { source, target, setup }: Stage,
): Promise<Verdict> {
  const verdict = createVerdict();
  const move = async (step: string, options: RetargetOptions) => {
    const result = await attempt(verdict, step, () => retarget(source, target, options));
    if (result) note(verdict, step, judgeResult(result));
  };
  if (kind === 'contacts') {
    const document = await attempt(verdict, 'readContacts', () => readContacts(json));
    if (document) await move('retarget', { contacts: document.clips });
    await move('retarget, unread', { contacts: (json as { clips: never } | null)?.clips as never });
    return verdict;
  }
  if (kind === 'armature') {
    const read = await attempt(verdict, 'readArmature', () => readArmature(json, setup.target.skeleton));
    if (read) {
      note(verdict, 'readArmature', judgeWarnings(read.warnings));
      await attempt(verdict, 'writeArmature', () => writeArmature(read.armature, setup.target.skeleton));
    }
    const asked = await attempt(verdict, 'optionsOfArmature', () => optionsOfArmature(json, setup.target));
    if (asked) await move('retarget', asked.options);
  }
  const read = await attempt(verdict, 'readRecipe', () => readRecipe(json));
  if (read) {
    note(verdict, 'readRecipe', judgeWarnings(read.warnings));
    await move('retarget', optionsOfRecipe(read.recipe));
  }
  if (kind === 'map') await move('retarget, unread', { map: json as never });
  if (kind === 'recipe')
    await move('retarget, unread', (json as { settings?: RetargetOptions } | null)?.settings ?? {});
  return verdict;
}

/** `.retarget` files are bytes: counts, names, matrices. */
function openSpire({ source, target, setup }: Stage): (seed: number, index: number) => FuzzCase {
  const sound = writeSpireRetarget(spireRetargetOf(setup).document);
  const counts = sound.length - 96 * setup.target.skeleton.names.length;
  return (seed, index) => {
    const random = createRandom(seed, index);
    const bytes = random.chance(0.4)
      ? mutateBytes(random, sound, sound)
      : changeNumbers(random, sound, counts);
    return {
      from: 'spire',
      run: async () => {
        const verdict = createVerdict();
        const document = await attempt(verdict, 'readSpireRetarget', () => readSpireRetarget(bytes));
        if (!document) return verdict;
        const options = await attempt(verdict, 'optionsOfSpireRetarget', () =>
          optionsOfSpireRetarget(document, setup.source, setup.target),
        );
        if (!options) return verdict;
        const result = await attempt(verdict, 'retarget', () => retarget(source, target, options));
        if (result) note(verdict, 'retarget', judgeResult(result));
        return verdict;
      },
      file: () => ({ bytes, extension: 'retarget' }),
    };
  };
}

/** Changes some of the numbers behind a place, floats and integers alike. */
function changeNumbers(random: Random, sound: Uint8Array, from: number): Uint8Array {
  const bytes = sound.slice();
  const view = new DataView(bytes.buffer);
  for (let n = random.below(5); n >= 0; n--) {
    const place = from + 4 * random.below(Math.floor((bytes.length - from) / 4));
    if (random.chance(0.6))
      view.setFloat32(place, random.pick([0, -1, 1, 1e-30, 1e30, 3e38, Number.NaN]), true);
    else view.setInt32(place, random.pick([0, -1, -2, 1, 30, 2 ** 31 - 1]), true);
  }
  return bytes;
}
