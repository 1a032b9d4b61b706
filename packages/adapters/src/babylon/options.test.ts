import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../bench/adapters-babylon-stage.js';
import { createGroup, createPuppet, turned } from '../../test/babylon-puppet.js';
import {
  type GroupReport,
  type RetargetGroupOptions,
  retargetAnimationGroup,
  retargetAnimationGroups,
  type StuntdoubleOptions,
} from './index.js';

const Z = new Vector3(0, 0, 1);

/** Sixty frames of an arm that goes up, hips that go ahead, a spine that grows and a head that rises. */
function moved(stuntdouble: StuntdoubleOptions = {}, flaw?: number) {
  const scene = createStage();
  const source = createPuppet(scene);
  const target = createPuppet(scene, { prefix: 'rig:', scale: 2 });
  const frames = Array.from({ length: 60 }, (_, frame) => frame);
  const keys = (valueAt: (frame: number) => unknown) =>
    frames.map((frame) => ({ frame, value: valueAt(frame) }));
  const group = createGroup(scene, 'walk', [
    [
      source.nodes.get('LeftArm'),
      'rotationQuaternion',
      keys((frame) => turned(Z, frame + (frame === flaw ? 180 : 0))),
    ],
    [source.nodes.get('Hips'), 'position', keys((frame) => new Vector3(0, 1, frame / 30))],
    [source.nodes.get('Spine1'), 'scaling', keys((frame) => new Vector3(1, 1 + frame / 300, 1))],
    [source.nodes.get('Head'), 'position', keys((frame) => new Vector3(0, 0.1 + frame / 3000, 0))],
  ]);
  const result = retargetAnimationGroup(target, group, { stuntdouble });
  const { report, rootMotion } = result.metadata.stuntdouble as GroupReport;
  const keysOf = (name: string, property: string) =>
    result.targetedAnimations
      .find(
        ({ target: node, animation }) => node.name === `rig:${name}` && animation.targetProperty === property,
      )
      ?.animation.getKeys();
  return {
    result,
    report: report!,
    rootMotion,
    keysOf,
    codes: [...report!.warnings, ...report!.notes].map(({ code }) => code),
  };
}

/** How far a joint turns from its first key to its last, in degrees. */
function turnOf({ keysOf }: ReturnType<typeof moved>, name: string): number {
  const keys = keysOf(name, 'rotationQuaternion');
  if (!keys) return 0;
  const dot = Math.abs(Quaternion.Dot(keys[0]!.value, keys.at(-1)!.value));
  return (360 / Math.PI) * Math.acos(Math.min(1, dot));
}

describe('options of the engine, through Babylon.js', () => {
  it('without any, the arm turns, hips travel and the spine grows', () => {
    const plain = moved();
    expect(turnOf(plain, 'LeftArm')).toBeCloseTo(59, 2);
    expect(plain.keysOf('Hips', 'position')!.at(-1)!.value.z).toBeCloseTo((2 * 59) / 30, 3);
    expect(plain.keysOf('Spine1', 'scaling')!.at(-1)!.value.y).toBeCloseTo(1 + 59 / 300, 4);
    expect(plain.rootMotion).toBeUndefined();
  });

  it('mirror, loop, reduce, repairKeys', () => {
    expect(turnOf(moved({ mirror: true }), 'LeftArm')).toBeLessThan(0.1);
    expect(turnOf(moved({ mirror: true }), 'RightArm')).toBeCloseTo(59, 2);
    expect(moved({ loop: true }).codes).toContain('loop-not-found');
    expect(moved({ reduce: true }).keysOf('Hips', 'position')).toHaveLength(2);
    expect(moved({ repairKeys: true }, 20).codes).toContain('keys-repaired');
  });

  it('translations, scales, imitation, root', () => {
    const rise = (translations: NonNullable<StuntdoubleOptions['translations']>) => {
      const keys = moved({ translations }).keysOf('Head', 'position');
      return keys ? keys.at(-1)!.value.y - keys[0]!.value.y : 0;
    };
    expect(rise('rest')).toBeCloseTo(0, 6);
    expect(rise('copied')).toBeGreaterThan(0.01);
    expect(moved({ scales: 'rest' }).keysOf('Spine1', 'scaling')).toBeUndefined();
    expect(turnOf(moved({ imitation: { leftArm: 'keep' } }), 'LeftArm')).toBeLessThan(0.1);
    const hips = moved({ root: { copyPosition: false } }).keysOf('Hips', 'position');
    expect(hips ? Vector3.Distance(hips[0]!.value, hips.at(-1)!.value) : 0).toBeCloseTo(0, 4);
  });

  it('spacing, lookAt: arms are spread, the head turns to a point', () => {
    const first = (stuntdouble: StuntdoubleOptions, name: string): Quaternion =>
      moved(stuntdouble).keysOf(name, 'rotationQuaternion')![0]!.value;
    const [wide, plain] = [first({ spacing: { arms: -0.5 } }, 'LeftArm'), first({}, 'LeftArm')];
    expect(2 * Math.acos(Math.abs(Quaternion.Dot(wide, plain)))).toBeCloseTo(Math.PI / 8, 3);
    expect(Math.abs(first({ lookAt: { point: [3, 3, 3] } }, 'Head').w)).toBeLessThan(0.999);
  });

  it('rootMotion apart stands in the report, rootMotionJoint says whose', () => {
    const apart = moved({ rootMotion: 'apart', rootMotionJoint: 'Hips' });
    expect(apart.rootMotion!.times.length).toBeGreaterThan(2);
    const hips = apart.keysOf('Hips', 'position')!;
    expect(hips.at(-1)!.value.z).toBeCloseTo(hips[0]!.value.z, 3);
    expect(() => moved({ rootMotion: 'apart', rootMotionJoint: 'Nobody' })).toThrow('Nobody');
  });

  it('corrections: feet and hands are held frame by frame', () => {
    expect(
      moved({ corrections: 'auto', limbScalings: { leftArm: { limbScale: 0.5 } } }).report.clips[0]!.way,
    ).toBe('frames');
    // Who says how a limb reaches its goal wants it to reach one.
    expect(moved({ limbScalings: { leftArm: { limbScale: 0.5 } } }).report.clips[0]!.way).toBe('frames');
    expect(moved({ corrections: 'none' }).report.clips[0]!.way).toBe('keys');
  });
});

describe('retargetAnimationGroups', () => {
  const stage = () => {
    const scene = createStage();
    const target = createPuppet(scene, { prefix: 'rig:' });
    const groupOf = (name: string, joint: string, options: Parameters<typeof createPuppet>[1] = {}) => {
      const { nodes } = createPuppet(scene, options);
      const keys = [0, 60].map((frame) => ({ frame, value: turned(Z, frame) }));
      return createGroup(scene, name, [[nodes.get(joint), 'rotationQuaternion', keys]]);
    };
    return { scene, target, groupOf };
  };
  const turnedNodes = ({ targetedAnimations }: AnimationGroup) =>
    targetedAnimations
      .filter(({ animation }) => animation.getKeys().length > 1)
      .filter(({ animation }) => {
        const keys = animation.getKeys();
        return animation.targetProperty === 'rotationQuaternion' && !keys[0]!.value.equals(keys[1]!.value);
      })
      .map(({ target }) => target.name);

  it('groups of several bodies go each from its own', () => {
    const { target, groupOf } = stage();
    const groups = [groupOf('a', 'LeftArm'), groupOf('b', 'RightArm', { scale: 3 }), groupOf('c', 'Head')];
    const results = retargetAnimationGroups(target, groups);
    expect(results.map(turnedNodes)).toEqual([['rig:LeftArm'], ['rig:RightArm'], ['rig:Head']]);
  });

  it('none at all is none, and where one fails nothing is left in the scene', () => {
    const { scene, target, groupOf } = stage();
    expect(retargetAnimationGroups(target, [])).toEqual([]);
    const good = groupOf('a', 'LeftArm');
    const before = scene.animationGroups.length;
    expect(() => retargetAnimationGroups(target, [good, undefined as never])).toThrow(
      'sourceAnimationGroups[1] is undefined; give an AnimationGroup',
    );
    const nothing: RetargetGroupOptions = { stuntdouble: { map: { version: 1, joints: [] } } };
    expect(() => retargetAnimationGroups(target, [good], nothing)).toThrow();
    expect(scene.animationGroups.length).toBe(before);
  });

  it('a warning that concerns all is told once', () => {
    const { target, groupOf } = stage();
    const told: string[] = [];
    retargetAnimationGroups(target, [groupOf('a', 'LeftArm'), groupOf('b', 'LeftArm')], {
      fixGroundReferenceDynamicRefNode: true,
      onWarning: ({ message }) => told.push(message),
    });
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told).size).toBe(told.length);
  });
});
