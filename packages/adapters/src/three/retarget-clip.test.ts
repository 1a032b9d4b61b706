import { goalsOf, RetargetError, UsageError } from '@stuntdouble/core/engine';
import {
  AnimationClip,
  AnimationMixer,
  Group,
  InterpolateDiscrete,
  InterpolateSmooth,
  type KeyframeTrack,
  LoopOnce,
  NumberKeyframeTrack,
  Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Skeleton,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, test } from 'vitest';
import { createLiveRetargeter, retargetClip, retargetClips } from '../../test/plainly-three.js';
import { type StickActor, stickActor } from '../../test/three-actors.js';
import * as three from './index.js';

const turn = (x: number, y: number, z: number) =>
  new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), 1.1).toArray();
const NO_TURN = [0, 0, 0, 1];

/** An arm that swings, and hips that rise. */
const wave = (extra: KeyframeTrack[] = []) =>
  new AnimationClip('wave', -1, [
    new QuaternionKeyframeTrack(
      'LeftUpperArm.quaternion',
      [0, 1, 2],
      [...NO_TURN, ...turn(0, 1, 1), ...NO_TURN],
    ),
    new QuaternionKeyframeTrack('Spine.quaternion', [0, 2], [...NO_TURN, ...turn(1, 0, 0)]),
    new VectorKeyframeTrack('Hips.position', [0, 2], [0, 1, 0, 0, 0.9, 0.5]),
    ...extra,
  ]);

function play(root: Object3D, clip: AnimationClip, time: number): AnimationMixer {
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).setLoop(LoopOnce, 1).play();
  mixer.setTime(time);
  root.updateWorldMatrix(true, true);
  return mixer;
}

/** World direction from the left shoulder to the elbow, seen from the actor. */
function armOf({ root, bones }: StickActor): Vector3 {
  root.updateWorldMatrix(true, true);
  const at = (name: string) => root.worldToLocal(bones.get(name)!.getWorldPosition(new Vector3()));
  return at('LeftLowerArm').sub(at('LeftUpperArm')).normalize();
}

/** The local transforms of all objects below one. */
const standing = (root: Object3D) => {
  const all: number[][] = [];
  root.traverse(({ position, quaternion, scale }) => {
    all.push([...position.toArray(), ...quaternion.toArray(), ...scale.toArray()]);
  });
  return all;
};

const valuesOf = (clip: AnimationClip) =>
  clip.tracks.map(({ name, times, values }) => [
    name,
    [...times],
    [...values].map((v) => Number(v.toFixed(5))),
  ]);

/** Keys of in-tangent, value, out-tangent, marked as GLTFLoader marks them. */
function cubicTrack(name: string, times: number[], values: number[]): KeyframeTrack {
  const track = new QuaternionKeyframeTrack(name, times, values);
  const factory = Object.assign(() => null, { isInterpolantFactoryMethodGLTFCubicSpline: true });
  return Object.assign(track, { createInterpolant: factory });
}

describe('retargetClip in three.js', () => {
  test('the result plays on the target, limbs as the source', () => {
    const source = stickActor();
    const target = stickActor({ rename: (name) => `rig_${name}`, size: 2 });
    const clip = retargetClip(target.root, source.root, wave());
    play(source.root, wave(), 1);
    play(target.root, clip, 1);
    expect(armOf(target).angleTo(armOf(source))).toBeLessThan(1e-3);
    const hips = target.bones.get('Hips')!.position;
    expect(hips.y).toBeCloseTo(1.9, 2);
    expect(hips.z).toBeCloseTo(0.5, 2);
  });

  test('R4, R5, WP2, BP1: neither place, turn, scale nor present pose of either object shows in the result', () => {
    const still = retargetClip(stickActor({ size: 2 }).root, stickActor().root, wave());
    const source = stickActor();
    const target = stickActor({ size: 2 });
    const stage = new Group();
    stage.scale.setScalar(3);
    stage.add(target.root, source.root);
    target.root.position.x = 5;
    target.root.rotation.y = Math.PI / 2;
    source.root.rotation.y = 2;
    play(source.root, wave(), 0.7);
    const other = new AnimationClip('other', -1, [
      new QuaternionKeyframeTrack('RightUpperLeg.quaternion', [0, 1], [...NO_TURN, ...turn(1, 0, 0)]),
      new QuaternionKeyframeTrack('Spine.quaternion', [0, 1], [...NO_TURN, ...turn(0, 0, 1)]),
    ]);
    play(target.root, other, 0.5);
    const moved = retargetClip(target.root, source.root, wave(), { wholeBody: true });
    const names = new Set(still.tracks.map(({ name }) => name));
    const same = moved.tracks.filter(({ name }) => names.has(name));
    expect(valuesOf({ ...moved, tracks: same } as AnimationClip)).toEqual(valuesOf(still));
    // The leg that the other clip has left raised is put down again, as the whole body is asked for.
    play(target.root, moved, 1);
    expect(target.bones.get('RightUpperLeg')!.quaternion.angleTo(new Quaternion())).toBeLessThan(1e-3);
  });

  test('W25: one track gives one track, corrected or not, and holds the rest where the whole body is asked for', () => {
    const [target, source] = [stickActor({ rename: (name) => `rig_${name}`, size: 2 }), stickActor()];
    // Another pose than the one it rests in, which the whole body holds and one track does not.
    for (const side of ['Left', 'Right'])
      target.bones.get(`${side}UpperLeg`)!.quaternion.set(...turn(0, 0, side === 'Left' ? 1 : -1));
    const one = new AnimationClip('one', -1, [
      new QuaternionKeyframeTrack('LeftUpperArm.quaternion', [0, 1], [...NO_TURN, ...turn(0, 0, 1)]),
    ]);
    for (const options of [{}, { corrections: 'none' }, { keys: 'bake' }] as const) {
      const { tracks } = three.retargetClip(target.root, source.root, one, options);
      expect(tracks.map(({ name }) => name)).toEqual([expect.stringContaining('.quaternion')]);
      const whole = three.retargetClip(target.root, source.root, one, { ...options, wholeBody: true });
      expect(whole.tracks.length).toBeGreaterThan(1);
    }
  });

  test('objects are left as they were', () => {
    const [target, source] = [stickActor(), stickActor({ size: 2 })];
    play(source.root, wave(), 0.7);
    const before = [target, source].map(({ root }) => standing(root));
    retargetClip(target.root, source.root, wave());
    expect([target, source].map(({ root }) => standing(root))).toEqual(before);
  });

  test('names that repeat, are empty or mean something in a track name lead to their bones', () => {
    const source = stickActor();
    const odd: Record<string, string> = {
      LeftUpperArm: 'mixamorig:LeftArm',
      Chest: 'Spine.001',
      Hips: 'Armature',
    };
    const target = stickActor({ rename: (name) => odd[name] ?? name });
    const names = Object.fromEntries([...target.bones].map(([name, bone]) => [bone.name, name]));
    // 'Armature' is the armature's name too: the first one found by name is not the bone.
    const { clips, report } = retargetClips(target.root, source.root, [wave()], {
      map: {
        version: 1,
        joints: [...target.bones].map(([name, bone], i) => ({
          target: name === 'Hips' ? `Armature@${i + 1}` : bone.name,
          sources: [name],
        })),
      },
    });
    expect(Object.keys(names)).toContain('Armature');
    expect(report.warnings.filter(({ code }) => code === 'map-entry-ignored')).toEqual([]);
    play(source.root, wave(), 1);
    play(target.root, clips[0]!, 1);
    expect(armOf(target).angleTo(armOf(source))).toBeLessThan(1e-3);
    expect(target.bones.get('Hips')!.position.y).toBeCloseTo(0.95, 3);
  });

  test('a skinned mesh is a target too, though its bones hang beside it', () => {
    const source = stickActor();
    for (const rename of [(name: string) => name, (name: string) => `a.b:${name}`]) {
      const target = stickActor({ rename, size: 2 });
      const clip = retargetClip(target.mesh, source.mesh, wave());
      play(source.root, wave(), 1);
      play(target.mesh, clip, 1);
      expect(armOf(target).angleTo(armOf(source))).toBeLessThan(1e-3);
    }
  });

  test('bare bones are a source and a target: { skeleton }', () => {
    const [source, target] = [stickActor(), stickActor({ size: 2 })];
    for (const { bones } of [source, target]) bones.get('Hips')!.removeFromParent();
    const skeletonOf = ({ bones }: StickActor) => ({ skeleton: new Skeleton([...bones.values()]) });
    const clip = retargetClip(skeletonOf(target), skeletonOf(source), wave());
    const at = ({ bones }: StickActor, shown: AnimationClip) => {
      play(bones.get('Hips')!, shown, 1);
      const place = (name: string) => bones.get(name)!.getWorldPosition(new Vector3());
      return place('LeftLowerArm').sub(place('LeftUpperArm'));
    };
    expect(at(target, clip).angleTo(at(source, wave()))).toBeLessThan(1e-3);
  });

  test('B4: morph tracks, all of a mesh in one or one by one, arrive by name', () => {
    const source = stickActor({ morphs: ['smile', 'blink'] });
    const target = stickActor({ morphs: ['blink', 'frown', 'smile'], faceName: 'Head_mesh' });
    const clip = wave([new NumberKeyframeTrack('Face.morphTargetInfluences', [0, 1], [0, 0, 1, 0.5])]);
    play(target.root, retargetClip(target.root, source.root, clip), 0.5);
    expect(target.face.morphTargetInfluences).toEqual([0.25, 0, 0.5]);
    const single = wave([new NumberKeyframeTrack('Face.morphTargetInfluences[blink]', [0, 1], [0, 1])]);
    play(target.root, retargetClip(target.root, source.root, single), 0.5);
    expect(target.face.morphTargetInfluences![0]).toBeCloseTo(0.5);
  });

  test('R3, BP5: cubic keys keep their tangents and play as curves; steps stay steps', () => {
    const [source, target] = [stickActor(), stickActor({ size: 2 })];
    const tangents = [0, 0, 0, 0];
    const values = [...tangents, ...NO_TURN, 0, 0, 2, 0, ...tangents, ...turn(0, 0, 1), ...tangents];
    const clip = new AnimationClip('curve', 1, [
      cubicTrack('LeftUpperArm.quaternion', [0, 1], values),
      new QuaternionKeyframeTrack(
        'Spine.quaternion',
        [0, 1],
        [...NO_TURN, ...turn(1, 0, 0)],
        InterpolateDiscrete,
      ),
    ]);
    const result = retargetClip(target.root, source.root, clip);
    const cubic = result.tracks.find(({ name }) => name === 'LeftUpperArm.quaternion')!;
    expect(cubic.values.length).toBe(24);
    expect([...cubic.values].map((v) => v + 0)).toEqual([...Float32Array.from(values)].map((v) => v + 0));
    play(target.root, result, 0.5);
    // Hermite by hand: 0.5·v0 + 0.125·m0 + 0.5·v1.
    const expected = new Quaternion(
      ...(turn(0, 0, 1).map((v, c) => 0.5 * NO_TURN[c]! + 0.5 * v + (c === 2 ? 0.25 : 0)) as [
        number,
        number,
        number,
        number,
      ]),
    ).normalize();
    expect(target.bones.get('LeftUpperArm')!.quaternion.angleTo(expected)).toBeLessThan(1e-5);
    expect(target.bones.get('Spine')!.quaternion.angleTo(new Quaternion())).toBeLessThan(1e-6);
    // A clip that was made is a source as well.
    const again = retargetClip(source.root, target.root, result);
    expect(again.tracks.find(({ name }) => name === cubic.name)!.values.length).toBe(24);
  });

  test("three's smooth keys come through as the curve that its mixer plays", () => {
    const [source, target] = [stickActor(), stickActor()];
    const clip = new AnimationClip('smooth', -1, [
      new VectorKeyframeTrack(
        'Hips.position',
        [0, 1, 1.5, 3],
        [0, 1, 0, 0, 1.4, 1, 0, 0.8, 1, 0, 1, 2],
        InterpolateSmooth,
      ),
    ]);
    const result = retargetClip(target.root, source.root, clip);
    for (const time of [0.4, 1.2, 2.3]) {
      play(source.root, clip, time);
      play(target.root, result, time);
      expect(target.bones.get('Hips')!.position.distanceTo(source.bones.get('Hips')!.position)).toBeLessThan(
        1e-5,
      );
    }
  });

  test('names, as in SkeletonUtils, are the whole map', () => {
    const [source, target] = [stickActor(), stickActor({ rename: (name) => `x${name}` })];
    const { report } = retargetClips(target.root, source.root, [wave()], {
      names: { xHips: 'Hips', xLeftUpperArm: 'LeftUpperArm' },
    });
    expect(report.map.joints.length).toBe(2);
    expect(report.map.joints.map(({ role }) => role)).toEqual(['hips', 'leftUpperArm']);
  });

  test('wrong use is said in one sentence', () => {
    const { root } = stickActor();
    expect(() => retargetClip(null as never, root, wave())).toThrow(UsageError);
    expect(() => retargetClip({ a: 1 } as never, root, wave())).toThrow(
      'target is an object with a; an Object3D, a glTF, a VRM, a Skeleton or a { skeleton } with bones is needed',
    );
    expect(() => retargetClip(root, root, undefined as never)).toThrow('clip is undefined');
    expect(() => retargetClips(root, root, [])).toThrow('clips is empty');
    expect(() => retargetClip(new Object3D(), root, wave())).toThrow(RetargetError);
    expect(() => retargetClip(root, root, wave(), { vrmBones: 'normalized' })).toThrow('no VRM');
    expect(() => retargetClip(root, root, wave(), { names: {}, map: { version: 1, joints: [] } })).toThrow(
      'choose one',
    );
  });

  test('options that cannot be meant are said in one sentence; null is none', () => {
    const { root } = stickActor();
    const move = (options: unknown) => () => retargetClip(root, stickActor().root, wave(), options as never);
    const follow = (options: unknown) => () =>
      createLiveRetargeter(root, stickActor().root, options as never).dispose();
    for (const call of [move, follow]) {
      expect(call(null)).not.toThrow();
      expect(call('x')).toThrow('options is x; give an object');
      expect(call({ vrmBones: 'both' })).toThrow("vrmBones is both; it is 'raw' or 'normalized'");
      expect(call({ names: new Map([['Hips', 'Hips']]) })).toThrow(
        /^names is a list or a Map; give an object/,
      );
      expect(call({ onWarning: 5 })).toThrow('onWarning is 5; give a function');
    }
    expect(() => retargetClips(root, root, wave() as never)).toThrow(UsageError);
  });

  test('a clip of another object is no clip of the source: target and source were exchanged', () => {
    const [source, target] = [stickActor(), stickActor({ rename: (name) => `x${name}` })];
    expect(() => retargetClip(source.root, target.root, wave())).toThrow(
      /^clip "wave" moves nothing of the source .*are target and source exchanged\?/,
    );
    // One of several is told of.
    const own = wave();
    for (const track of own.tracks) track.name = `x${track.name}`;
    const { report } = retargetClips(source.root, target.root, [own, wave()]);
    expect(report.warnings.map(({ code }) => code)).toContain('channel-dropped');
  });

  test('B6: warnings are told one by one where asked for, with one clip too', () => {
    const [source, target] = [stickActor(), stickActor({ size: 2 })];
    const told: string[] = [];
    const onWarning = ({ code }: { code: string }) => told.push(code);
    const lost = new VectorKeyframeTrack('Nobody.position', [0], [1, 2, 3]);
    retargetClip(target.root, source.root, wave([lost]), { onWarning });
    expect(told).toContain('channel-dropped');
    told.length = 0;
    const live = createLiveRetargeter(target.root, source.root, { onWarning });
    expect(told).toEqual(live.warnings.map(({ code }) => code));
  });

  test('keys and tracks that mean nothing give no NaN', () => {
    const [source, target] = [stickActor(), stickActor({ size: 2 })];
    const { clips, report } = retargetClips(target.root, source.root, [
      wave([
        new QuaternionKeyframeTrack('Head.quaternion', [0, 1], [Number.NaN, 0, 0, 1, ...NO_TURN]),
        new VectorKeyframeTrack('Nobody.position', [0], [1, 2, 3]),
        new NumberKeyframeTrack('Head.visible', [0], [1]),
      ]),
    ]);
    for (const { values } of clips[0]!.tracks) expect([...values].every(Number.isFinite)).toBe(true);
    expect(report.warnings.map(({ code }) => code)).toContain('channel-dropped');
  });
});

describe('createLiveRetargeter in three.js', () => {
  test('B17, R5: the target follows, the source and other nodes are untouched, dispose gives the pose back', () => {
    const source = stickActor();
    const targets = [stickActor({ size: 2 }), stickActor({ rename: (name) => `rig_${name}` })];
    targets[0]!.root.position.x = 5;
    targets[0]!.bones.get('LeftLowerLeg')!.quaternion.fromArray(turn(1, 0, 0));
    targets[0]!.face.quaternion.fromArray(turn(0, 1, 0));
    const before = targets.map(({ root }) => standing(root));
    const live = targets.map(({ root }) => createLiveRetargeter(root, source.root));
    play(source.root, wave(), 1);
    source.face.morphTargetInfluences![1] = 0.7;
    const untouched = standing(source.root);
    for (const one of live) one.update(1 / 60);
    for (const target of targets) expect(armOf(target).angleTo(armOf(source))).toBeLessThan(1e-3);
    expect(targets[0]!.face.morphTargetInfluences).toEqual([0, 0.7]);
    expect(targets[0]!.face.quaternion.toArray()).toEqual(turn(0, 1, 0));
    expect(targets[0]!.bones.get('LeftLowerLeg')!.quaternion.angleTo(new Quaternion())).toBeLessThan(1e-3);
    expect(standing(source.root)).toEqual(untouched);
    for (const one of live) {
      one.dispose();
      one.update(1 / 60);
      one.dispose();
    }
    expect(targets.map(({ root }) => standing(root))).toEqual(before);
  });

  test('R8: updates agree with the clip, in any order', () => {
    const [source, target, other] = [stickActor(), stickActor({ size: 2 }), stickActor({ size: 2 })];
    const clip = retargetClip(other.root, source.root, wave());
    const live = createLiveRetargeter(target.root, source.root);
    for (const time of [1.7, 0.2, 1]) {
      play(source.root, wave(), time);
      live.update();
      play(other.root, clip, time);
      for (const [name, bone] of target.bones) {
        const expected = other.bones.get(name)!;
        expect(bone.quaternion.angleTo(expected.quaternion), name).toBeLessThan(1e-3);
        expect(bone.position.distanceTo(expected.position), name).toBeLessThan(1e-4);
      }
    }
  });
});

describe('the default in three.js', () => {
  test('feet and hands are corrected, clips and live, unless that is turned off', () => {
    const [target, source] = [stickActor({ size: 2 }), stickActor()];
    const wayOf = (options?: three.RetargetClipOptions) =>
      three.retargetClips(target.root, source.root, [walk()], options).report.clips[0]!;
    expect(wayOf().contacts?.length).toBeGreaterThan(0);
    expect(wayOf({ corrections: 'none' }).contacts).toBeUndefined();
    expect(wayOf({ keys: 'keep' }).way).toBe('keys');
    const live = three.createLiveRetargeter(target.root, source.root);
    expect(goalsOf(live.setup)).not.toBeNull();
    const plain = three.createLiveRetargeter(target.root, source.root, { corrections: 'none' });
    expect(goalsOf(plain.setup)).toBeNull();
  });
});

/** A body that sinks and rises on legs that stay put: every limb has keys, as captures have them. */
function walk(): AnimationClip {
  const legs = ['Left', 'Right'].flatMap((side) =>
    ['UpperLeg', 'LowerLeg', 'Foot'].map(
      (part) => new QuaternionKeyframeTrack(`${side}${part}.quaternion`, [0, 2], [...NO_TURN, ...NO_TURN]),
    ),
  );
  return wave(legs);
}
