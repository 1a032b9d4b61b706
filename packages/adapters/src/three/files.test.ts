import { readdirSync } from 'node:fs';
import { AnimationClip, Group, Matrix4, type Mesh, NumberKeyframeTrack, type SkinnedMesh } from 'three';
import { describe, expect, test } from 'vitest';
import {
  DATA_FOLDER,
  loadBvh,
  loadFbx,
  loadGltf,
  SAMPLES_FOLDER,
} from '../../../../bench/adapters-three-files.js';
import {
  type Actor,
  limbAngles,
  measureInWorld,
  playAt,
  rolePairs,
  silently,
} from '../../../../bench/adapters-three-world.js';
import { describeData } from '../../../core/test/real-data.js';
import { createLiveRetargeter, retargetClip, retargetClips } from '../../test/plainly-three.js';

/** QUALITY: arms within a tenth of a degree. */
const LIMIT = 0.1;

const ARMS = [
  ['leftUpperArm', 'leftLowerArm'],
  ['leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm'],
  ['rightLowerArm', 'rightHand'],
] as const;

const gltfActor = async (path: string, clip?: string): Promise<Actor> => {
  const { scene, animations } = await loadGltf(path, clip);
  return { root: scene, clips: animations };
};

describe('three.js adapter on our samples', () => {
  const characters = readdirSync(`${SAMPLES_FOLDER}characters`);

  test('a motion plays on every character, arms as the source', async () => {
    const source = await gltfActor(`${SAMPLES_FOLDER}motions/wave-on-one-leg.glb`);
    for (const file of characters) {
      // Its joints have no names; the map that says what they are is not at hand here.
      if (file === 'robot.glb') continue;
      const target = await gltfActor(`${SAMPLES_FOLDER}characters/${file}`);
      const { source: from, target: to } = rolePairs(target, source).setup;
      const isOpposite = from.space.facing.direction[2] * to.space.facing.direction[2] < 0;
      const { armsWorst } = measureInWorld(
        target,
        source,
        source.clips[0]!,
        (t, s, c) => retargetClip(t.root, s.root, c),
        isOpposite,
      );
      expect(armsWorst, file).toBeLessThan(LIMIT);
    }
  });

  test('a clip without a report is the one that comes with a report, on every character', async () => {
    const source = await gltfActor(`${SAMPLES_FOLDER}motions/walk.glb`);
    for (const file of characters) {
      const target = await gltfActor(`${SAMPLES_FOLDER}characters/${file}`);
      const alone = retargetClip(target.root, source.root, source.clips[0]!);
      const { clips, report } = retargetClips(target.root, source.root, [source.clips[0]!]);
      const keys = ({ tracks }: AnimationClip) =>
        tracks.map(({ name, times, values }) => [name, [...times], [...values]]);
      expect(keys(alone), file).toEqual(keys(clips[0]!));
      expect(report.verdict, file).not.toBeNull();
    }
  });

  describe.each([
    ['vrm0-sister.vrm', true],
    ['vrm1-sister.vrm', false],
  ] as const)('%s of three-vrm, as it comes', (file, isOpposite) => {
    const open = async () => {
      const source = await gltfActor(`${SAMPLES_FOLDER}motions/wave-on-one-leg.glb`);
      const vrm = (await loadGltf(`${SAMPLES_FOLDER}characters/${file}`)).userData.vrm!;
      const target: Actor = { root: vrm.scene, clips: [] };
      const { pairs } = rolePairs(target, source);
      const expectInStep = () => {
        vrm.scene.updateMatrixWorld(true);
        for (const angle of limbAngles(target, source, pairs, ARMS, isOpposite))
          expect(angle).toBeLessThan(LIMIT);
      };
      return { source, vrm, target, clip: source.clips[0]!, expectInStep };
    };

    test.each([true, false])('a clip plays where autoUpdateHumanBones is %s', async (isAutomatic) => {
      const { source, vrm, target, clip, expectInStep } = await open();
      vrm.humanoid.autoUpdateHumanBones = isAutomatic;
      const made = retargetClip(vrm, source.root, clip);
      expect(made.tracks.some(({ name }) => name.startsWith('Normalized_'))).toBe(isAutomatic);
      for (const time of [0.3, 0.9]) {
        playAt(source, clip, time);
        playAt(target, made, time);
        vrm.update(1 / 60);
        expectInStep();
      }
    });

    test.each(['before', 'after'])('live works %s vrm.update()', async (when) => {
      const { source, vrm, clip, expectInStep } = await open();
      const live = createLiveRetargeter(vrm, source.root);
      for (const time of [0.3, 0.9]) {
        playAt(source, clip, time);
        if (when === 'before') live.update(1 / 60);
        vrm.update(1 / 60);
        if (when === 'after') live.update(1 / 60);
        expectInStep();
      }
      live.dispose();
    });

    test('its clips drive others, whichever bones they move', async () => {
      const { source, vrm, clip } = await open();
      const other = await gltfActor(`${SAMPLES_FOLDER}characters/child.glb`);
      for (const vrmBones of ['normalized', 'raw'] as const) {
        const made = retargetClip(vrm, source.root, clip, { vrmBones });
        const again = retargetClip(other.root, vrm, made);
        const { pairs } = rolePairs(other, source);
        for (const time of [0.3, 0.9]) {
          playAt(source, clip, time);
          playAt(other, again, time);
          for (const angle of limbAngles(other, source, pairs, ARMS, false))
            expect(angle, vrmBones).toBeLessThan(LIMIT);
        }
      }
    });

    test('normalized bones have the skin of the raw ones', async () => {
      const { source, vrm, clip } = await open();
      const soles = (['normalized', 'raw'] as const).map((vrmBones) => {
        const { setup } = createLiveRetargeter(vrm, source.root, { vrmBones, clips: [clip] });
        return setup.target.floor.height;
      });
      expect(soles[0]).toBeCloseTo(soles[1]!, 5);
      const { setup } = createLiveRetargeter(vrm, source.root, { clips: [clip] });
      expect(setup.target.skeleton.hulls!.filter((hull) => hull !== null).length).toBeGreaterThan(15);
    });
  });

  test('soles are where the vertices are, also of a mesh that was changed meanwhile', async () => {
    const { scene } = await loadGltf(`${SAMPLES_FOLDER}characters/vrm-girl.vrm`);
    const source = await loadGltf(`${SAMPLES_FOLDER}motions/walk.glb`);
    const floor = () => createLiveRetargeter(scene, source.scene).setup.target.floor.height;
    const before = floor();
    const moved = new Set<Matrix4>();
    scene.traverse((node) => {
      const { geometry } = node as Mesh;
      if (!geometry) return;
      geometry.attributes.position!.applyMatrix4(new Matrix4().makeTranslation(0, -0.1, 0));
      geometry.attributes.position!.needsUpdate = true;
    });
    expect(floor()).toBeCloseTo(before - 0.1, 2);
    // Bound anew, a tenth higher: the feet are where they were first.
    scene.traverse((node) => {
      const { skeleton } = node as SkinnedMesh;
      for (const inverse of skeleton?.boneInverses ?? [])
        if (!moved.has(inverse)) inverse.multiply(new Matrix4().makeTranslation(0, 0.1, 0));
      for (const inverse of skeleton?.boneInverses ?? []) moved.add(inverse);
    });
    expect(floor()).toBeCloseTo(before, 2);
  });

  test('W18: a map that was written down for the files holds here, whatever the loader calls the bones', async () => {
    const target = await loadGltf(`${SAMPLES_FOLDER}characters/goblin.glb`);
    const source = await loadGltf(`${SAMPLES_FOLDER}motions/walk.glb`);
    const joints = [
      { target: 'Bip01 Pelvis', sources: ['mixamorig:Hips'] },
      { target: 'Bip01 L UpperArm', sources: ['mixamorig:LeftArm'] },
    ];
    const { report } = retargetClips(target, source, source.animations, { map: { version: 1, joints } });
    expect(report.map.joints).toHaveLength(2);
    expect(report.warnings.map(({ code }) => code)).not.toContain('map-entry-ignored');
  });

  test('R3: cubic keys that GLTFLoader reads are kept', async () => {
    const source = await loadGltf(`${SAMPLES_FOLDER}motions/wave-on-one-leg.glb`);
    const target = await loadGltf(`${SAMPLES_FOLDER}characters/vrm-girl.vrm`);
    const [clip] = source.animations;
    const sizes = (tracks: AnimationClip['tracks']) => new Set(tracks.map((track) => track.getValueSize()));
    expect(sizes(clip!.tracks)).toContain(12);
    const { clips, report } = retargetClips(target, source, [clip!]);
    expect(report.clips[0]!.way).toBe('keys');
    expect(sizes(clips[0]!.tracks)).toContain(12);
  });
});

describeData('three.js adapter on files of every loader, needs ../shared/data', () => {
  let human: Promise<Actor> | undefined;
  const humans = () => {
    human ??= gltfActor(`${DATA_FOLDER}mesh2motion/human-female.glb`);
    return human;
  };

  test('a VRM of three-vrm: the raw bones, and the normalized ones that it copies onto them', async () => {
    const source = await gltfActor(`${DATA_FOLDER}mesh2motion/human-base-animations.DEF.glb`, 'Dance_Loop');
    const clip = source.clips.find(({ name }) => name === 'Dance_Loop')!;
    for (const [file, isOpposite] of [
      ['100avatars/100Avatars_003_Jimmy.vrm', true],
      ['vrm/basic_armature_vrm1.vrm', false],
    ] as const) {
      const vrm = (await loadGltf(DATA_FOLDER + file)).userData.vrm!;
      const target: Actor = { root: vrm.scene, clips: [] };
      const { pairs } = rolePairs(target, source);
      vrm.scene.position.x = 5;
      for (const vrmBones of ['normalized', 'raw'] as const) {
        const made = retargetClip(vrm, source.root, clip, { vrmBones });
        vrm.humanoid.autoUpdateHumanBones = vrmBones === 'normalized';
        for (const time of [0.2, 0.7]) {
          playAt(source, clip, time);
          playAt(target, made, time);
          vrm.update(0);
          vrm.scene.updateMatrixWorld(true);
          for (const angle of limbAngles(target, source, pairs, ARMS, isOpposite))
            expect(angle, `${file} ${vrmBones}`).toBeLessThan(LIMIT);
        }
      }
    }
  });

  test('expressions of a VRM arrive by name', async () => {
    const vrm = (await loadGltf(`${DATA_FOLDER}100avatars/100Avatars_003_Jimmy.vrm`)).userData.vrm!;
    const other = (await loadGltf(`${DATA_FOLDER}100avatars/100Avatars_003_Jimmy.vrm`)).userData.vrm!;
    const [expression] = vrm.expressionManager!.expressions;
    const name = expression!.expressionName;
    const clip = new AnimationClip('talk', -1, [
      new NumberKeyframeTrack(vrm.expressionManager!.getExpressionTrackName(name)!, [0, 1], [0, 1]),
    ]);
    playAt({ root: other.scene }, retargetClip(other, vrm, clip), 0.5);
    expect(other.expressionManager!.getExpression(name)!.weight).toBeCloseTo(0.5);
  });

  test('a BVH of BVHLoader, as it lies there and in mid-play', async () => {
    const bvh = loadBvh(`${DATA_FOLDER}cmu/12_01.bvh`);
    const target = await humans();
    const source: Actor = { root: bvh.skeleton.bones[0]!, clips: [bvh.clip] };
    const fresh = retargetClip(target.root, bvh, bvh.clip);
    const live = createLiveRetargeter(target.root, bvh);
    const { pairs } = rolePairs(target, source);
    for (const time of [1, 2, 3]) {
      playAt(source, bvh.clip, time);
      live.update(1 / 60);
      target.root.updateMatrixWorld(true);
      const turned = limbAngles(target, { ...source, root: target.root }, pairs, ARMS, false);
      for (const angle of turned) expect(angle).toBeLessThan(LIMIT);
    }
    live.dispose();
    const again = retargetClip(target.root, bvh, bvh.clip);
    expect(again.tracks.map(({ name }) => name)).toEqual(fresh.tracks.map(({ name }) => name));
    again.tracks.forEach((track, n) => {
      const miss = track.values.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - fresh.tracks[n]!.values[i]!)),
        0,
      );
      expect(miss, track.name).toBeLessThan(1e-4);
    });
  });

  test('a clip of FBXLoader, whose group itself is turned and scaled', async () => {
    const root = loadFbx(`${DATA_FOLDER}cmu/91_48.daz.fbx`);
    // The loader has put the file's turn to Y-up on the group: limbs are compared as they stand in the scene.
    const stage = new Group().add(root);
    const source: Actor = { root: stage, clips: root.animations };
    const target = await humans();
    const { armsWorst } = measureInWorld(
      target,
      source,
      source.clips[0]!,
      (t, _, c) => retargetClip(t.root, root, c, { keepCalibration: true }),
      false,
    );
    expect(armsWorst).toBeLessThan(LIMIT);
  });

  test('cameras that move beside the body are no part of it: feet hold', async () => {
    const target = await loadGltf(`${SAMPLES_FOLDER}characters/child.glb`);
    const source = loadFbx(`${DATA_FOLDER}ozz/walk.fbx`);
    // What follows is no walk: the take itself ends there, which FBXLoader does not mind.
    const { report } = retargetClips(target, source, source.animations, {
      corrections: 'auto',
      range: [0, 1.33],
      measure: true,
    });
    expect(report.source.space.height).toBeCloseTo(1.8, 1);
    expect(report.measures[0]!.motion!.slide!.result.mean).toBeLessThan(1);
  });

  test('B4: morph tracks that come with a skeletal file are on the result', async () => {
    const source = await loadGltf(`${DATA_FOLDER}threejs/RobotExpressive.glb`);
    const target = await loadGltf(`${DATA_FOLDER}threejs/RobotExpressive.glb`);
    const clip = source.animations.find(({ tracks }) => tracks.some(({ name }) => /morph/.test(name)))!;
    const made = retargetClip(target, source, clip);
    expect(made.tracks.some(({ name }) => /morphTargetInfluences/.test(name))).toBe(true);
    silently(() => playAt({ root: source.scene }, clip, 0.3));
    silently(() => playAt({ root: target.scene }, made, 0.3));
    const weights = (gltf: typeof source) => {
      const all: number[] = [];
      gltf.scene.traverse((node) =>
        all.push(...((node as { morphTargetInfluences?: number[] }).morphTargetInfluences ?? [])),
      );
      return all;
    };
    weights(target).forEach((weight, n) => {
      expect(weight).toBeCloseTo(weights(source)[n]!, 5);
    });
  });
});
