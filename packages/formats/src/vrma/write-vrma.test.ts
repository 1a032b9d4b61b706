import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import {
  createVRMAnimationClip,
  type VRMAnimation,
  VRMAnimationLoaderPlugin,
  VRMLookAtQuaternionProxy,
} from '@pixiv/three-vrm-animation';
import {
  type Clip,
  createRig,
  modelPoseOf,
  poseAt,
  ROLES,
  retarget,
  type Scene,
  UsageError,
} from '@stuntdouble/core';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import { hasData, present, readData } from '../../test/data-files.js';
import { buildGltf } from '../../test/gltf-builder.js';
import { countErrors } from '../../test/validate-gltf.js';
import { read } from '../read.js';
import { writeBytes } from '../write.js';

const sample = (path: string) =>
  new Uint8Array(readFileSync(fileURLToPath(new URL(`../../../../samples/files/${path}`, import.meta.url))));

const bufferOf = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;

async function loadVrm(bytes: Uint8Array): Promise<VRM> {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  return (await loader.parseAsync(bufferOf(bytes), '')).userData.vrm as VRM;
}

async function loadAnimation(bytes: Uint8Array): Promise<VRMAnimation> {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const [animation] = (await loader.parseAsync(bufferOf(bytes), '')).userData.vrmAnimations as VRMAnimation[];
  return animation!;
}

/** Clips as a new .vrma, and the scene that was read back from it. */
async function toVrma(scene: Scene, clips: readonly Clip[]): Promise<{ bytes: Uint8Array; back: Scene }> {
  const { bytes } = await writeBytes('vrma', { scene, character: 0, clips });
  return { bytes, back: await read(bytes, { name: 'back' }) };
}

/** The largest distance between the body parts of two characters over a clip, in heights of the first. */
function worstDistance(a: Scene, clipA: Clip, b: Scene, clipB: Clip, count = 20): number {
  const rigs = [a, b].map(({ characters: [character] }) =>
    createRig(character!.skeleton, { clips: character!.clips }),
  );
  let worst = 0;
  for (let k = 0; k <= count; k++) {
    const [first, second] = [clipA, clipB].map((clip, n) => {
      const rig = rigs[n]!;
      const { matrices } = modelPoseOf(rig.skeleton, poseAt(rig.skeleton, clip, (clip.duration * k) / count));
      return (role: (typeof ROLES)[number]) => {
        const joint = rig.joints[role];
        return joint === undefined ? null : [0, 1, 2].map((c) => matrices[16 * joint + 12 + c]!);
      };
    });
    for (const role of ROLES) {
      const x = first!(role);
      const y = second!(role);
      if (x && y) worst = Math.max(worst, Math.hypot(...x.map((value, c) => value - y[c]!)));
    }
  }
  return worst / rigs[0]!.space.height;
}

/**
 * Plays a .vrma on a VRM by three-vrm and says how far its body parts are from those of our own clip on the
 * same file, in heights.
 */
async function worstOnThreeVrm(vrmBytes: Uint8Array, vrmaBytes: Uint8Array, clip: Clip): Promise<number> {
  const vrm = await loadVrm(vrmBytes);
  if (vrm.lookAt) {
    const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt);
    proxy.name = 'proxy';
    vrm.scene.add(proxy);
  }
  const mixer = new AnimationMixer(vrm.scene);
  mixer.clipAction(createVRMAnimationClip(await loadAnimation(vrmaBytes), vrm)).play();
  const scene = await read(vrmBytes);
  const { skeleton } = scene.characters[0]!;
  const rig = createRig(skeleton);
  // As the file stands, without our container: that is where three puts it.
  const plain = { ...rig.skeleton, container: skeleton.container };
  let worst = 0;
  for (let k = 0; k < 10; k++) {
    const time = (clip.duration * k) / 10;
    mixer.setTime(time);
    vrm.humanoid.update();
    vrm.scene.updateWorldMatrix(true, true);
    const { matrices } = modelPoseOf(plain, poseAt(plain, clip, time));
    for (const role of ROLES) {
      const joint = rig.joints[role];
      const node = vrm.humanoid.getRawBoneNode(role);
      if (joint === undefined || !node || role.endsWith('Eye')) continue;
      const there = node.getWorldPosition(new Vector3());
      worst = Math.max(
        worst,
        Math.hypot(
          there.x - matrices[16 * joint + 12]!,
          there.y - matrices[16 * joint + 13]!,
          there.z - matrices[16 * joint + 14]!,
        ),
      );
    }
  }
  return worst / rig.space.height;
}

describe('writeVrma', () => {
  test('plays on a VRM 1.0 by three-vrm as the clip does in the VRM itself', async () => {
    const girl = await read(sample('characters/vrm-girl.vrm'), { name: 'girl' });
    for (const motion of ['walk.bvh', 'jump.glb']) {
      const { clips } = retarget(await read(sample(`motions/${motion}`)), girl, { measure: false });
      const { bytes, back } = await toVrma(girl, clips);
      expect(back.format).toBe('vrma');
      expect(await worstOnThreeVrm(sample('characters/vrm-girl.vrm'), bytes, clips[0]!)).toBeLessThan(1e-5);
      expect(await countErrors(bytes)).toEqual(new Map());
    }
  });

  test('a T-pose in metres that faces +Z, whatever the character was', async () => {
    for (const name of ['goblin.glb', 'mixamo-guy.glb', 'unreal-mannequin.glb', 'child.glb']) {
      const scene = await read(sample(`characters/${name}`), { name });
      const still: Clip = { name: 'still', duration: 0, tracks: [], morphs: [] };
      const { back } = await toVrma(scene, [still]);
      const { skeleton } = back.characters[0]!;
      const { matrices } = modelPoseOf(skeleton, skeleton.rest);
      const at = (role: string) => {
        const joint = skeleton.metadataRoles![role]!;
        return [0, 1, 2].map((c) => matrices[16 * joint + 12 + c]!);
      };
      for (const [side, sign] of [
        ['left', 1],
        ['right', -1],
      ] as const) {
        const [upper, lower, hand] = ['UpperArm', 'LowerArm', 'Hand'].map((part) => at(side + part));
        for (const [from, to] of [
          [upper!, lower!],
          [lower!, hand!],
        ] as const) {
          const way = to.map((value, c) => value - from[c]!);
          expect((sign * way[0]!) / Math.hypot(...way), `${name} ${side}`).toBeGreaterThan(1 - 1e-6);
        }
        const leg = at(`${side}Foot`).map((value, c) => value - at(`${side}UpperLeg`)[c]!);
        expect(-leg[1]! / Math.hypot(...leg), `${name} ${side} leg`).toBeGreaterThan(1 - 1e-6);
      }
      expect(skeleton.rest.rotations.every((value, i) => value === (i % 4 === 3 ? 1 : 0))).toBe(true);
      const hips = at('hips')[1]!;
      expect(hips, name).toBeGreaterThan(0.3);
      expect(hips, name).toBeLessThan(1.3);
    }
  });

  test('body parts move as they did: there and back', async () => {
    const scene = await read(sample('motions/walk.bvh'), { name: 'walk' });
    const clip = scene.characters[0]!.clips[0]!;
    const { back } = await toVrma(scene, [clip]);
    const again = await toVrma(back, back.characters[0]!.clips);
    const once = back.characters[0]!.clips[0]!;
    expect(worstDistance(back, once, again.back, again.back.characters[0]!.clips[0]!)).toBeLessThan(1e-6);
    // The walk's skeleton has body parts alone, and its bones keep their length: nothing is lost on the way.
    expect(worstDistance(scene, clip, back, once)).toBeLessThan(1e-5);
  });

  test('curves between keys are followed, with frames only where they are needed', async () => {
    const scene = await read(sample('motions/wave-on-one-leg.glb'), { name: 'wave' });
    const clip = scene.characters[0]!.clips[0]!;
    expect(clip.tracks.some(({ interpolation }) => interpolation === 'cubic')).toBe(true);
    const { back } = await toVrma(scene, [clip]);
    const played = back.characters[0]!.clips[0]!;
    expect(worstDistance(scene, clip, back, played, 200)).toBeLessThan(2e-4);
    const frames = Math.max(...played.tracks.map(({ times }) => times.length));
    expect(frames / played.duration).toBeLessThan(150);
    const walk = await read(sample('motions/walk.bvh'), { name: 'walk' });
    const even = (await toVrma(walk, walk.characters[0]!.clips)).back.characters[0]!.clips[0]!;
    expect(even.tracks[0]!.times.length).toBe(walk.characters[0]!.clips[0]!.tracks[0]!.times.length);
  });

  test('expressions and the gaze come back, weights within 0 and 1', async () => {
    const girl = await read(sample('characters/vrm-girl.vrm'), { name: 'girl' });
    const times = Float32Array.of(0, 1);
    const gaze = {
      interpolation: 'linear' as const,
      times,
      values: Float32Array.of(0, 0, 0, 1, 0, 0.1, 0, Math.sqrt(0.99)),
    };
    const clip: Clip = {
      name: 'face',
      duration: 1,
      tracks: [],
      morphs: [
        { mesh: '', morph: 'happy', interpolation: 'linear', times, values: Float32Array.of(0, 2) },
        { mesh: 'Face', morph: 'jawOpen', interpolation: 'step', times, values: Float32Array.of(-1, 0.5) },
        { mesh: '', morph: 'lookUp', interpolation: 'linear', times, values: Float32Array.of(0, 1) },
      ],
      gaze,
    };
    const { bytes, back } = await toVrma(girl, [clip]);
    const face = back.characters[0]!.clips[0]!;
    expect(face.morphs.map(({ mesh, morph, values }) => [mesh, morph, ...values])).toEqual([
      ['', 'happy', 0, 1],
      ['', 'jawOpen', 0, 0.5],
    ]);
    expect(back.morphs).toEqual([{ mesh: '', names: ['happy', 'jawOpen'] }]);
    expect([...face.gaze!.values]).toEqual([...gaze.values]);
    const animation = await loadAnimation(bytes);
    expect([...animation.expressionTracks.preset.keys()]).toEqual(['happy']);
    expect([...animation.expressionTracks.custom.keys()]).toEqual(['jawOpen']);
    expect([...animation.lookAtTrack!.values]).toEqual([...gaze.values]);
    // Into the animation's own file: the same once more.
    const { bytes: second } = await writeBytes(
      'vrma',
      { scene: back, character: 0, clips: [face] },
      { replace: true },
    );
    const twice = (await read(second)).characters[0]!.clips[0]!;
    expect(twice.morphs.map(({ morph, values }) => [morph, ...values])).toEqual([
      ['happy', 0, 1],
      ['jawOpen', 0, 0.5],
    ]);
    expect([...twice.gaze!.values]).toEqual([...gaze.values]);
  });

  test('a gaze and an expression of a .vrma arrive on a VRM: eyes turn, morph targets follow', async () => {
    const file = buildGltf([
      { name: 'hips', translation: [0, 1, 0], children: [1, 2, 3] },
      { name: 'spine', translation: [0, 0.2, 0], children: [4] },
      { name: 'leftUpperLeg', translation: [0.1, 0, 0], children: [7] },
      { name: 'rightUpperLeg', translation: [-0.1, 0, 0], children: [8] },
      { name: 'head', translation: [0, 0.4, 0], children: [5, 6] },
      { name: 'leftEye', translation: [0.03, 0.05, 0.05] },
      { name: 'rightEye', translation: [-0.03, 0.05, 0.05] },
      { name: 'leftFoot', translation: [0, -0.9, 0] },
      { name: 'rightFoot', translation: [0, -0.9, 0] },
      { name: 'Face', mesh: 0 },
    ]);
    const names = file.json.nodes.slice(0, 9).map(({ name }) => name as string);
    const position = file.accessor(new Float32Array(9), 'VEC3', { min: [0, 0, 0], max: [0, 0, 0] });
    file.json.meshes = [
      {
        name: 'Face',
        primitives: [
          { attributes: { POSITION: position }, targets: [{ POSITION: position }, { POSITION: position }] },
        ],
      },
    ];
    const humanBones = Object.fromEntries(names.map((name, node) => [name, { node }]));
    const happy = { morphTargetBinds: [{ node: 9, index: 1, weight: 0.5 }] };
    file.json.extensions = {
      VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones }, expressions: { preset: { happy } } },
    };
    const hero = await read(file.glb(), { name: 'hero' });
    expect(hero.morphs).toContainEqual({ mesh: '', names: ['happy'] });

    const times = Float32Array.of(0, 1);
    const values = Float32Array.of(0, 0, 0, 1, 0, Math.sin(0.1), 0, Math.cos(0.1));
    const clip: Clip = {
      name: 'look',
      duration: 1,
      tracks: [],
      morphs: [{ mesh: '', morph: 'happy', interpolation: 'linear', times, values: Float32Array.of(0, 1) }],
      gaze: { interpolation: 'linear', times, values },
    };
    const source = (await toVrma(hero, [clip])).back;
    const result = retarget(source, hero, { measure: false });
    const { bytes } = await writeBytes('glb', { scene: hero, character: 0, clips: result.clips });
    const written = (await read(bytes)).characters[0]!;
    const [played] = written.clips;
    for (const eye of ['leftEye', 'rightEye']) {
      const track = played!.tracks.find(
        ({ joint, channel }) => written.skeleton.names[joint] === eye && channel === 'rotation',
      );
      expect(track!.values[5]!).toBeCloseTo(Math.sin(0.1), 5);
    }
    const weights = played!.morphs.find(({ mesh, morph }) => mesh === 'Face' && morph === 'morph1')!;
    expect([...weights.values]).toEqual([0, 0.5]);
  });

  test('what has no hips or no clip is refused in one sentence', async () => {
    const file = buildGltf([{ name: 'a', children: [1] }, { name: 'b' }]);
    file.json.skins = [{ joints: [0, 1] }];
    const scene = await read(file.glb(), { name: 'chain' });
    const clip: Clip = { name: 'x', duration: 1, tracks: [], morphs: [] };
    await expect(toVrma(scene, [clip])).rejects.toThrow(UsageError);
    await expect(toVrma(scene, [clip])).rejects.toThrow('no joint of "a" plays the hips');
    await expect(toVrma(scene, [])).rejects.toThrow('no clips to write');
    await expect(toVrma({ ...scene, characters: [] }, [clip])).rejects.toThrow('"chain" has no skeleton');
    const girl = await read(sample('characters/vrm-girl.vrm'), { name: 'girl' });
    await expect(toVrma(girl, [{ ...clip, duration: 1e9 }])).rejects.toThrow('more than a million frames');
  });

  describe('our files, and real ones where they are', () => {
    test.each(
      present([
        ['samples/characters/vrm1-sister.vrm', 'VRM 1.0'],
        ['samples/characters/vrm0-sister.vrm', 'VRM 0.x, which faces -Z'],
        ['vrm/basic_armature_vrm1.vrm', 'VRM 1.0'],
        ['vrm/EmissionMigration_v0.107.0.vrm', 'VRM 0.x, which faces -Z'],
      ] as const),
    )('plays on %s (%s) by three-vrm as in the file', async (file) => {
      const hero = await read(readData(file), { name: 'hero' });
      const { clips } = retarget(await read(readData('samples/captures/walk-cmu.bvh')), hero, {
        measure: false,
      });
      const { bytes } = await toVrma(hero, clips);
      expect(await worstOnThreeVrm(readData(file), bytes, clips[0]!)).toBeLessThan(1e-5);
    });

    test.skipIf(!hasData)(
      'a .vrma of real exporters is read with its expression and gaze, and written again (needs ../shared/data)',
      async () => {
        const scene = await read(readData('vrm/test.vrma'), { name: 'test' });
        expect(scene.format).toBe('vrma');
        const clip = scene.characters[0]!.clips[0]!;
        expect(clip.morphs.map(({ mesh, morph }) => [mesh, morph])).toEqual([['', 'happy']]);
        expect(clip.gaze!.times.length).toBeGreaterThan(1);
        // As a new file: turns relative to a rest of its own become turns relative to a plain T-pose.
        const fresh = await writeBytes('vrma', {
          scene: { ...scene, format: 'glb', document: null },
          character: 0,
          clips: [clip],
        });
        const [ours, theirs] = await Promise.all([
          loadAnimation(fresh.bytes),
          loadAnimation(readData('vrm/test.vrma')),
        ]);
        // three-vrm-animation gives turns relative to the rest pose: they do not depend on how a file rests.
        for (const [role, track] of theirs.humanoidTracks.rotation) {
          const own = ours.humanoidTracks.rotation.get(role)!;
          const a = track.createInterpolant(new Float32Array(4)) as { evaluate(time: number): Float32Array };
          const b = own.createInterpolant(new Float32Array(4)) as { evaluate(time: number): Float32Array };
          for (let k = 0; k < track.times.length; k++) {
            const x = [...a.evaluate(track.times[k]!)];
            const y = [...b.evaluate(track.times[k]!)];
            // Handwritten keys: of four digits, not quite of unit length.
            const dot = Math.abs(x.reduce((sum, value, c) => sum + value * y[c]!, 0)) / Math.hypot(...x);
            expect(dot, `${role} key ${k}`).toBeGreaterThan(1 - 1e-6);
          }
        }
        expect(ours.expressionTracks.preset.get('happy')!.values).toEqual(
          theirs.expressionTracks.preset.get('happy')!.values,
        );
        expect(ours.lookAtTrack!.values).toEqual(theirs.lookAtTrack!.values);
      },
    );
  });
});
