import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { UsageError } from '../base/errors.js';
import { createRig } from '../body/understand/create-rig.js';
import { mirrorScene } from '../clips/mirror-scene.js';
import { measure } from '../measures/measure.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import { copyPose, type Pose } from '../scene/pose.js';
import type { Scene } from '../scene/scene.js';
import { setUpScenes } from '../setup/set-up-scenes.js';

const source = sceneOf(stickFigure(), 'source');
const target = sceneOf(stickFigure({ arms: 'A', size: 0.7, names: 'unreal' }), 'target');

/** Options as JavaScript lets people write them. */
const loosely = (options: unknown) => () => retarget(source, target, options as RetargetOptions);

function restWith(change: (pose: Pose) => void): Pose {
  const pose = copyPose(target.characters[0]!.skeleton.rest);
  change(pose);
  return pose;
}

describe('what types forbid and JavaScript lets through', () => {
  it.each([
    ['null', null, /^options: must be an object/],
    ['clips', { clips: 'walk' }, /^clips: must be a list/],
    ['keys', { keys: 'kept' }, /^keys: must be one of auto, keep, bake, refine, and is "kept"/],
    ['passes', { passes: ['copyRotation'] }, /^passes\[0\]: must be one of copyRotations, /],
    ['map', { map: 'map.json' }, /^map: must be an object/],
    ['morphs', { morphs: 'smile' }, /^morphs: must be an object/],
    ['rootMotion', { rootMotion: 'in-place' }, /^rootMotion: must be one of .*inPlace, and is "in-place"/],
    ['scales', { scales: 'copy' }, /^scales: must be one of rest, copied/],
    ['corrections', { corrections: true }, /^corrections: must be one of none, auto/],
    ['rootScales', { rootScales: 2 }, /^rootScales: must be an object/],
    ['a root scale', { rootScales: { horizontal: Number.NaN } }, /^rootScales\.horizontal: must be a number/],
    ['a negative root scale', { rootScales: { vertical: -1 } }, /^rootScales\.vertical is -1/],
    ['a root scale’s name', { rootScales: { y: 1 } }, /^rootScales: must be one of horizontal, vertical/],
    ['a limb', { alignment: { tail: 'keep' } }, /^alignment: must be one of .*leftArm/],
    [
      'alignment',
      { alignment: { leftArm: 'bone' } },
      /^alignment\.leftArm: must be one of keep, line, bones/,
    ],
    ['ground', { ground: true }, /^ground: must be an object/],
    ['a ground joint', { ground: { joint: 5 } }, /^ground\.joint: must be a text/],
    ['an entry of ground', { ground: { dynmic: true } }, /^ground: must be one of joint, dynamic/],
    ['an entry of root', { root: { copyposition: false } }, /^root: must be one of copyPosition/],
    ['an entry of loop', { loop: { second: 3 } }, /^loop: must be one of seconds, travel/],
    ['loop', { loop: 'yes' }, /^loop: must be an object/],
    ['an entry of reduce', { reduce: { angle: 1 } }, /^reduce: must be one of position, angleDegrees/],
    ['an entry of spacing', { spacing: { arm: 0.2 } }, /^spacing: must be one of arms, legs/],
    ['too much spacing', { spacing: { arms: 7 } }, /^spacing\.arms is 7; it goes from -1 to 1/],
    ['an entry of lookAt', { lookAt: { at: [0, 1, 2] } }, /^lookAt: must be one of point, joint/],
    ['a scaled limb', { limbScalings: { leftWing: {} } }, /^limbScalings: must be one of leftLeg/],
    ['a limb scaling', { limbScalings: { leftArm: 0 } }, /^limbScalings\.leftArm: must be an object/],
    [
      'an entry of a limb scaling',
      { limbScalings: { leftArm: { limb: 0 } } },
      /^limbScalings\.leftArm: must be one of limbScale, rootScale, weight/,
    ],
    [
      'an easing',
      { limbScalings: { leftArm: { limbScale: [{ time: 0, value: 0, easing: 'bounce' }] } } },
      /^limbScalings\.leftArm\.limbScale\[0\]\.easing: must be one of step, linear, smooth/,
    ],
    ['contacts', { contacts: [] }, /^contacts: must be an object/],
    ['a reference', { sourceReference: 'tpose' }, /no reference pose "tpose"; there are auto, rest, bind/],
  ])('B6: %s', (_, options, message) => {
    expect(loosely(options)).toThrow(UsageError);
    expect(loosely(options)).toThrow(message);
  });

  it('a forgotten await, a path or nothing at all in place of a scene', () => {
    const called = (a: unknown, b: unknown) => () => retarget(a as Scene, b as Scene);
    expect(called(Promise.resolve(source), target)).toThrow(/^source is a promise.*await read/);
    expect(called(source, 'hero.glb')).toThrow(/^target is "hero.glb".*await read\("hero.glb"\)/);
    expect(called(undefined, target)).toThrow(/^source must be a scene/);
    expect(called(source, {})).toThrow(UsageError);
    expect(() => setUpScenes(source, null as unknown as Scene, {})).toThrow(UsageError);
  });

  /** A copy of a scene with something about its first character changed, as JavaScript lets people. */
  const broken = (
    change: (character: Record<string, never>, scene: Record<string, never>) => void,
  ): Scene => {
    const fresh = sceneOf(stickFigure(), 'source');
    const scene = { ...fresh, characters: fresh.characters.map((each) => ({ ...each })) };
    scene.characters[0]!.skeleton = { ...scene.characters[0]!.skeleton };
    change(scene.characters[0] as never, scene as never);
    return scene;
  };
  const track = { joint: 0, channel: 'rotation', interpolation: 'linear' };
  const keys = { times: Float32Array.of(0), values: Float32Array.of(0, 0, 0, 1) };
  const clipWith = (...tracks: unknown[]) => ({ name: 'clip', duration: 1, tracks, morphs: [] });

  it.each([
    ['clips', { clips: null }, 'clips: must be a list, and is null'],
    ['a clip', { clips: [null] }, 'clips[0]: must be an object, and is null'],
    ['a name', { clips: [{ ...clipWith(), name: 5 }] }, 'clips[0].name: must be a text'],
    ['a duration', { clips: [{ ...clipWith(), duration: '1' }] }, 'clips[0].duration: must be a number'],
    ['tracks', { clips: [{ ...clipWith(), tracks: null }] }, 'clips[0].tracks: must be a list, and is null'],
    ['morphs', { clips: [{ ...clipWith(), morphs: undefined }] }, 'clips[0].morphs: must be a list'],
    ['a morph', { clips: [{ ...clipWith(), morphs: [keys] }] }, 'clips[0].morphs[0].interpolation: must be'],
    ['a track', { clips: [clipWith(undefined)] }, 'clips[0].tracks[0]: must be an object, and is left out'],
    [
      'a channel',
      { clips: [clipWith({ ...track, ...keys, channel: 'quaternion' })] },
      'clips[0].tracks[0].channel: must be one of translation, rotation, scale, and is "quaternion"',
    ],
    [
      'an interpolation',
      { clips: [clipWith({ ...track, ...keys, interpolation: 'LINEAR' })] },
      'clips[0].tracks[0].interpolation: must be one of step, linear, cubic',
    ],
    [
      'values',
      { clips: [clipWith({ ...track, ...keys, values: [0, 0, 0, 1] })] },
      'clips[0].tracks[0].values: must be a Float32Array, and is a list',
    ],
    [
      'a joint',
      { clips: [clipWith({ ...track, ...keys, joint: 'Hips' })] },
      'clips[0].tracks[0].joint: must be the number of a joint, and is Hips',
    ],
    ['its skeleton', { skeleton: undefined }, 'skeleton: must be an object'],
  ])('B6: a scene with something else for %s', (_, parts, message) => {
    const scene = broken((character) => Object.assign(character, parts));
    for (const call of [
      () => retarget(scene, target),
      () => measure(scene, target),
      () => measure(source, scene),
      () => mirrorScene(scene),
    ]) {
      expect(call).toThrow(UsageError);
      expect(call).toThrow(message);
    }
  });

  it.each([
    ['names', 'names: must be a list'],
    ['parents', 'parents: must be a typed array of'],
    ['flags', 'flags: must be a typed array, and is left out'],
    ['container', 'container: must be a typed array of 16 numbers, and is left out'],
    ['declared', 'declared: must be an object'],
    ['rest', 'rest: must be an object'],
  ])('B6: a skeleton without %s', (name, message) => {
    const { skeleton } = broken(({ skeleton: own }) => delete own[name]).characters[0]!;
    expect(() => createRig(skeleton)).toThrow(UsageError);
    expect(() => createRig(skeleton)).toThrow(`skeleton.${message}`);
  });

  it('a skeleton whose parts are not of as many joints, or whose parents come after their children', () => {
    const { skeleton } = broken(() => {}).characters[0]!;
    const rest = { ...skeleton.rest, scales: new Float64Array(3) };
    expect(() => createRig({ ...skeleton, rest })).toThrow(
      /^skeleton.rest.scales: must be \d+ numbers, and is 3/,
    );
    for (const parent of [2, 5, -2]) {
      const parents = skeleton.parents.slice();
      parents[2] = parent;
      expect(() => createRig({ ...skeleton, parents })).toThrow(
        /^skeleton.parents\[2\]: must be −1 or a joint/,
      );
    }
  });

  it('a clip that nobody looks into does no harm, and one that is looked into is named', () => {
    const scene = broken((character) =>
      Object.assign(character, { clips: [clipWith({ ...track, ...keys }), { name: 'odd', tracks: null }] }),
    );
    expect(retarget(scene, target, { clips: ['clip'], measure: false }).clips).toHaveLength(1);
    expect(setUpScenes(source, scene).setup).toBeDefined();
    expect(() => retarget(scene, target)).toThrow('source.characters[0].clips[1].duration');
    // A skeleton that says nothing of its axes: they are read from its clips.
    const { skeleton, clips } = scene.characters[0]!;
    const bare = { ...skeleton, names: skeleton.names.map((_, i) => `${i}`) };
    bare.declared = { up: null, facing: null, unit: null };
    expect(() => createRig(bare, { clips })).toThrow('clips[1].duration: must be a number of seconds');
  });

  it('a scene without its lists of morphs and warnings', () => {
    expect(() =>
      retarget(
        broken((_, scene) => delete scene.morphs),
        target,
      ),
    ).toThrow('source.morphs: must be a list, and is left out');
    expect(() =>
      retarget(
        source,
        broken((_, scene) => delete scene.warnings),
      ),
    ).toThrow('target.warnings');
  });

  it('a given pose with numbers that are none, or rotations that are none', () => {
    for (const pose of [
      restWith(({ rotations }) => rotations.fill(Number.NaN, 8, 12)),
      restWith(({ rotations }) => rotations.fill(0, 8, 12)),
      restWith(({ translations }) => translations.fill(Number.POSITIVE_INFINITY, 6, 9)),
      { ...restWith(() => {}), scales: new Float64Array(2) },
    ])
      expect(loosely({ targetReference: { pose } })).toThrow(/the given pose has no transform for ".*"/);
  });

  it('live too', () => {
    const { setup } = setUpScenes(source, target, {});
    expect(() => createRetargeter(setup, { passes: ['fly' as 'moveRoot'] })).toThrow(/^passes\[0\]/);
  });

  it('what is meant passes: nothing, undefined, and root scales of 0', () => {
    for (const options of [
      undefined,
      {},
      { rootScales: { horizontal: 0 }, ground: {}, alignment: { leftArm: 'keep' }, passes: [] },
      { rootScales: { horizontal: undefined }, keys: undefined, corrections: 'none' },
    ])
      expect(loosely(options)().clips).toHaveLength(1);
  });
});
