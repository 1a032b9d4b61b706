import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { CubicEase } from '@babylonjs/core/Animations/easing.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, turned } from '../../../test/babylon-puppet.js';
import { type GroupReport, type RetargetGroupOptions, retargetAnimationGroup } from '../index.js';
import { type KeyReading, readKeys } from '../read/read-keys.js';
import { deferKeys } from './deferred-keys.js';

const AXES = [new Vector3(0, 0, 1), new Vector3(1, 0, 0), new Vector3(0.6, 0.8, 0)];
const NAMES = ['LeftArm', 'RightArm', 'LeftForeArm'];

/** Keys of three joints on the same frames: those of the first are read at once, the others may be put off. */
const waves = (): IAnimationKey[][] =>
  AXES.map((axis, n) =>
    Array.from({ length: 30 }, (_, k) => ({
      frame: 1.5 * k,
      // Every fifth key is the same turn by the other sign.
      value: turned(axis, (3 + n) * k).scaleInPlace(k % 5 === 4 ? -1 : 1),
    })),
  );

function createPair(isSame = false) {
  const scene = createStage();
  const source = createPuppet(scene);
  const avatar = createPuppet(scene, isSame ? {} : { prefix: 'my', legs: 1.2 });
  return { scene, source, avatar };
}

/** What comes of keys: who moves by which, and what is said of it. */
function told(keys: IAnimationKey[][], options: RetargetGroupOptions = {}, isSame = false): unknown {
  const { scene, source, avatar } = createPair(isSame);
  const moves = keys.map((each, n) => [source.nodes.get(NAMES[n]!), 'rotationQuaternion', each] as const);
  const group = createGroup(scene, 'wave', moves);
  return result(retargetAnimationGroup(avatar, group, options));
}

function result(group: AnimationGroup): unknown {
  const { report, warnings } = group.metadata.stuntdouble as GroupReport;
  const moves = group.targetedAnimations.map(({ target, animation }) => ({
    target: target.name,
    keys: animation.getKeys().map(({ frame, value }) => [frame, ...value.asArray().map(Math.fround)]),
  }));
  return { moves, report, warnings };
}

const reading = (): KeyReading => ({
  shared: new Set(),
  trust: false,
  defer: true,
  scratch: { room: (length) => new Float32Array(length) },
  simplified: new Set(),
});

/** What a key may turn out to be in the middle of others that look plain from both ends. */
const SURPRISES: Record<string, (keys: IAnimationKey[]) => void> = {
  'another frame': (keys) => (keys[11]!.frame += 0.25),
  'a step': (keys) => (keys[11]!.interpolation = 1),
  tangents: (keys) => {
    keys[11]!.outTangent = new Quaternion(0, 0.1, 0, 0);
    keys[12]!.inTangent = new Quaternion(0, 0.1, 0, 0);
  },
  easing: (keys) => (keys[11]!.easingFunction = new CubicEase()),
  'no number': (keys) => (keys[11]!.value.y = Number.NaN),
  'another length': (keys) => keys[11]!.value.scaleInPlace(3),
  'no turn': (keys) => keys[11]!.value.scaleInPlace(0),
  infinite: (keys) => (keys[11]!.value.w = Number.POSITIVE_INFINITY),
};

describe('keys that are read when they are moved', () => {
  it('are those of animations that move on the frames of others', () => {
    const { scene, source } = createPair();
    const [first, second] = waves().map((keys) => {
      const group = createGroup(scene, 'g', [[source.nodes.get('LeftArm'), 'rotationQuaternion', keys]]);
      return group.targetedAnimations[0]!.animation;
    });
    const how = reading();
    expect(deferKeys(first!, how)).toBeNull();
    const { frames } = readKeys(first!, 4, how)!;
    const later = deferKeys(second!, how)!;
    expect(later.frames).toBe(frames);
    const { values } = readKeys(second!, 4, { ...reading(), defer: false })!;
    expect(later.turns.read()).toEqual(values);
    for (const { value } of second!.getKeys()) value.copyFrom(second!.getKeys()[0]!.value);
    expect(deferKeys(second!, how)).toBeNull();
  });

  it('come out as keys that are read first do', () => {
    for (const options of [
      {},
      { stuntdouble: { corrections: 'auto' } },
      { stuntdouble: { frameRate: 24 } },
      { stuntdouble: { mirror: true } },
      { stuntdouble: { reduce: true } },
      { fixAnimations: true },
    ] as const) {
      const trusting = {
        ...options,
        stuntdouble: { ...('stuntdouble' in options && options.stuntdouble), trustKeys: true },
      };
      for (const isSame of [false, true]) {
        const [ours, expected] = [told(waves(), options, isSame), told(waves(), trusting, isSame)];
        expect(numbersOf(ours)).toEqual(numbersOf(expected).map((each) => expect.closeTo(each, 6)));
        expect(textOf(ours)).toEqual(textOf(expected));
      }
    }
  });

  it.each(Object.keys(SURPRISES))('are read first where one is not what it seemed: %s', (what) => {
    const surprise = SURPRISES[what]!;
    for (const n of [1, 2]) {
      const keys = waves();
      surprise(keys[n]!);
      const expected = told(keys, { stuntdouble: { trustKeys: true } });
      expect(told(keys)).toEqual(expected);
      expect(told(keys)).not.toEqual(told(waves()));
    }
  });

  it('without a value are told of in one sentence, and nothing is left in the scene', () => {
    const keys = waves();
    keys[2]![11]!.value = null;
    const { scene, source, avatar } = createPair();
    const moves = keys.map((each, n) => [source.nodes.get(NAMES[n]!), 'rotationQuaternion', each] as const);
    const group = createGroup(scene, 'wave', moves);
    expect(() => retargetAnimationGroup(avatar, group)).toThrow(/^key 11 of the animation .* has no value$/);
    expect(scene.animationGroups).toEqual([group]);
  });
});

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textOf) : [];
}
