import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRig, retarget, type Scene, trimClip, UsageError } from '@stuntdouble/core';
import { AnimationMixer, SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { pathOf, present, readData } from '../../../test/data-files.js';
import { farthestApart, skinMeshes } from '../../../test/skin-meshes.js';
import { countErrors, newErrors } from '../../../test/validate-gltf.js';
import { read } from '../../read.js';
import { readMeshes } from '../../read-meshes.js';
import { writeBytes } from '../../write.js';
import { isGltfDocument } from '../document.js';
import { rebind } from './rebind.js';

const sample = (path: string) =>
  fileURLToPath(new URL(`../../../../../samples/files/${path}`, import.meta.url));

function jsonOf({ document }: Scene) {
  if (!isGltfDocument(document)) throw new Error('not a glTF document');
  return document.json;
}

/** Both ways over one clip: how far vertices are apart at most, of the height, and how far they move. */
async function compare(from: string, to: string, clipName?: string) {
  const source = await read(from);
  const target = await read(to);
  const all = source.characters.flatMap(({ clips }) => clips);
  const original =
    all.find(({ name }) => name === clipName) ?? all.reduce((a, b) => (b.duration > a.duration ? b : a));
  const options = { clips: [original.name], measure: false };
  const usual = retarget(source, target, { ...options, corrections: 'none' });
  // A pose that a capture holds for calibration is left out by both ways.
  const { start = 0 } = usual.report.clips[0]!;
  const clip = start > 0 ? trimClip(original, start, original.duration) : original;
  const bound = await rebind(source, target, options);
  const { bytes, warnings } = await writeBytes('glb', bound);
  const file = await read(bytes);
  const before = target.characters[usual.character]!;
  const after = file.characters[bound.character]!;
  const meshesOf = async (scene: Scene, character: number) =>
    (await readMeshes(scene)).filter((mesh) => mesh.character === character);
  const [own, other] = [await meshesOf(target, usual.character), await meshesOf(file, bound.character)];
  const { space, skeleton } = createRig(before.skeleton, { clips: before.clips });
  const height = space.height / Math.hypot(...skeleton.container.subarray(0, 3));
  const played = after.clips[0]!;
  let moved = 0;
  const still = skinMeshes(before.skeleton, own, usual.clips[0]!, 0, 150);
  const { times } = clip.tracks.find(({ channel }) => channel === 'rotation')!;
  const [onKeys, between] = [
    (k: number) => times[Math.floor((k * times.length) / 6)]!,
    (k: number) => (clip.duration * (k + 0.3)) / 6,
  ].map((timeOf) => {
    let apart = 0;
    for (let k = 0; k < 6; k++) {
      const a = skinMeshes(before.skeleton, own, usual.clips[0]!, timeOf(k), 150);
      apart = Math.max(apart, farthestApart(a, skinMeshes(after.skeleton, other, played, timeOf(k), 150)));
      moved = Math.max(moved, farthestApart(a, still));
    }
    return apart / height;
  }) as [number, number];
  return {
    ...{ onKeys, between },
    moved: moved / height,
    vertices: still.length / 3,
    core: usual.report.clips[0]!.way,
    ...{ clip, played, file, bytes, target, bound, skeleton: after.skeleton },
    warnings: [...bound.report.notes, ...bound.report.warnings, ...warnings],
  };
}

/** The numbers of a track as a file holds them, bit by bit. */
const bitsOf = (values: ArrayLike<number>) =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');

/**
 * The joints of the file whose rotation keys are not, bit by bit, those of the source, or those with x, y and z
 * negated; joints aside that are said to have keys of their own, or that the clip does not turn and one key holds.
 */
function strangers({ played, clip, skeleton, warnings }: Awaited<ReturnType<typeof compare>>): string[] {
  const said = warnings.flatMap(({ code, message }) => (code === 'keys-resampled' ? message : [])).join();
  const turns = clip.tracks.filter(({ channel }) => channel === 'rotation');
  const known = new Set(
    turns.flatMap(({ times, values }) => [
      bitsOf(times) + bitsOf(values),
      bitsOf(times) + bitsOf(values.map((x, n) => (n % 4 === 3 ? x : -x))),
    ]),
  );
  return played.tracks
    .filter(
      ({ channel, times, values }) =>
        channel === 'rotation' && times.length > 1 && !known.has(bitsOf(times) + bitsOf(values)),
    )
    .map(({ joint }) => skeleton.names[joint]!)
    .filter((name) => !said.includes(`"${name}"`));
}

/** Of the height: what float32 leaves of joints far from the origin. */
const ALIKE = 5e-6;
/** Where the usual way bakes, its lines between frames are not the turns themselves, which are played here. */
const BAKED = 2e-4;

const SAMPLES = [
  ['motions/walk.bvh', 'characters/vrm-girl.vrm'],
  ['motions/run-turn.glb', 'characters/unreal-mannequin.glb'],
  ['motions/walk.glb', 'characters/robot.glb'],
  ['motions/wave-on-one-leg.glb', 'characters/goblin.glb'],
  ['motions/jump.glb', 'characters/child.glb'],
] as const;

describe('a file that plays the source’s own keys', () => {
  it.each(SAMPLES)('S4, S5, S7, S8, X5: %s on %s, bit by bit, skinned as the usual way', async (from, to) => {
    const compared = await compare(sample(from), sample(to));
    const { onKeys, between, moved, bytes, vertices, core } = compared;
    expect(vertices).toBeGreaterThan(300);
    expect(moved).toBeGreaterThan(0.05);
    expect(onKeys).toBeLessThan(ALIKE);
    expect(between).toBeLessThan(core === 'keys' ? ALIKE : BAKED);
    expect(strangers(compared)).toEqual([]);
    expect([...(await countErrors(bytes))]).toEqual([]);
  });

  it('X5: three.js plays it with the vertices where they should be', async () => {
    const { bytes, clip, target, skeleton, file, played } = await compare(
      sample('motions/run-turn.glb'),
      sample('characters/unreal-mannequin.glb'),
    );
    expect(target.name).toBe('unreal-mannequin');
    const loaded = await new GLTFLoader().parseAsync(new Uint8Array(bytes).buffer, '');
    const mixer = new AnimationMixer(loaded.scene);
    mixer.clipAction(loaded.animations[0]!).play();
    const time = clip.tracks[0]!.times[Math.floor(clip.tracks[0]!.times.length / 2)]!;
    mixer.setTime(time);
    loaded.scene.updateMatrixWorld(true);
    const places: number[] = [];
    const point = new Vector3();
    loaded.scene.traverse((object) => {
      if (!(object instanceof SkinnedMesh)) return;
      const count = object.geometry.getAttribute('position').count;
      for (let v = 0; v < count; v += Math.max(1, Math.floor(count / 400)))
        places.push(...object.localToWorld(object.getVertexPosition(v, point)));
    });
    const ours = skinMeshes(skeleton, await readMeshes(file), played, time);
    expect(places.length).toBeGreaterThan(900);
    expect(farthestApart(Float64Array.from(places), ours)).toBeLessThan(1e-4);
  });

  it('leaves the target that was read as it was, and every byte of its meshes and pictures', async () => {
    const source = await read(sample('motions/walk.glb'));
    const target = await read(sample('characters/robot.glb'));
    const before = JSON.stringify(jsonOf(target));
    const { scene } = await rebind(source, target, { measure: false });
    expect(JSON.stringify(jsonOf(target))).toBe(before);
    const { nodes: _n, skins: _s, accessors, bufferViews, buffers: _b, ...rest } = jsonOf(scene);
    const { nodes: _o, skins: _t, accessors: own, bufferViews: views, buffers: _c, ...old } = jsonOf(target);
    expect(rest).toEqual(old);
    expect(accessors!.slice(0, own!.length)).toEqual(own);
    expect(bufferViews!.slice(0, views!.length)).toEqual(views);
  });

  it('cuts and speeds up where asked, and values of keys stay', async () => {
    const source = await read(sample('motions/walk.glb'));
    const target = await read(sample('characters/robot.glb'));
    const { clips } = await rebind(source, target, { range: [0.2, 0.8], speed: 2, measure: false });
    expect(clips[0]!.duration).toBeCloseTo(0.3, 6);
  });

  it('M8: twist joints have keys of their own and are named; where keys are kept they stay still and are named', async () => {
    const source = await read(sample('motions/run-turn.glb'));
    const target = await read(sample('characters/unreal-mannequin.glb'));
    const [free, kept] = [
      await rebind(source, target, { measure: false }),
      await rebind(source, target, { measure: false, keys: 'keep' }),
    ];
    const twists = ({ scene, character, clips }: typeof free) => {
      const { names } = scene.characters[character]!.skeleton;
      const turning = clips[0]!.tracks.filter(
        ({ channel, times }) => channel === 'rotation' && times.length > 1,
      );
      return turning.map(({ joint }) => names[joint]!).filter((name) => name.includes('twist'));
    };
    const saidOf = ({ report }: typeof free, asked: string) =>
      [...report.notes, ...report.warnings].find(({ code }) => code === asked)?.message ?? '';
    expect(twists(free)).toContain('lowerarm_twist_01_l');
    for (const name of twists(free)) expect(saidOf(free, 'keys-resampled')).toContain(`"${name}"`);
    expect(twists(kept)).toEqual([]);
    for (const name of twists(free)) expect(saidOf(kept, 'twist-left-out')).toContain(`"${name}"`);
  });

  it('where both skeletons are one, keys fit as they are and nothing is changed', async () => {
    const source = await read(sample('motions/walk.glb'));
    const target = await read(sample('characters/mixamo-guy.glb'));
    const { scene, report } = await rebind(source, target, { measure: false });
    expect(scene).toBe(target);
    expect(report.warnings.map(({ code }) => code)).toContain('option-without-effect');
  });

  it.each([
    [{ mirror: true }, 'mirror'],
    [{ frameRate: 30 }, 'frameRate'],
    [{ corrections: 'auto' }, 'corrections'],
    [{ ground: {} }, 'ground'],
    [{ solvers: { all: 'ccd' } }, 'solvers'],
    [{ rootMotion: 'inPlace' }, 'rootMotion'],
    [{ loop: true }, 'loop'],
  ] as const)('refuses %o in one sentence', async (options, name) => {
    const scene = await read(sample('characters/robot.glb'));
    const asked = rebind(await read(sample('motions/walk.glb')), scene, options);
    await expect(asked).rejects.toThrow(UsageError);
    await expect(asked).rejects.toThrow(`${name} changes the keys`);
  });

  it('refuses what is no scene, a BVH, and a character without a skin, in one sentence', async () => {
    const walk = await read(sample('motions/walk.glb'));
    const capture = await read(sample('motions/walk.bvh'));
    await expect(rebind(walk, capture)).rejects.toThrow('"walk" is BVH; only glTF, GLB and VRM');
    for (const none of [undefined, null, 'hero.glb'] as unknown as (typeof walk)[])
      await expect(rebind(walk, none)).rejects.toThrow(UsageError);
    const { bytes } = await writeBytes('glb', { scene: walk, character: 0, clips: [] }, { meshes: false });
    await expect(rebind(capture, await read(bytes, { name: 'bones' }))).rejects.toThrow(
      '"bones" has no skin on that skeleton',
    );
  });
});

/** Source, target, and why the pair is here. */
const PAIRS = present([
  ['samples/motions/walk.glb', 'samples/characters/vrm-girl.vrm', 'T on T'],
  [
    'samples/captures/walk-cmu.bvh',
    'samples/characters/vrm0-sister.vrm',
    'a capture on VRM 0.x, which faces away',
  ],
  ['samples/formats/guy-walk.fbx', 'samples/characters/goblin.glb', 'FBX in centimetres'],
  ['samples/motions/jump.glb', 'samples/characters/knight.glb', 'skirt and sword'],
  ['mesh2motion/human-base-animations.DEF.glb', 'misc/viverse_mannequin.glb', 'T on T, meshopt', 'Walk_Loop'],
  ['mesh2motion/m2m-sample-rig.glb', 'mesh2motion/human-female.glb', 'other proportions'],
  ['cmu/02_01.bvh', '100avatars/100Avatars_051_Polybot.vrm', 'a capture on VRM 0.x, which faces away'],
  ['threejs/RobotExpressive.glb', 'kaykit/Knight.glb', 'scaled armature, rest is not bind'],
  ['cmu/05_11.bvh', 'threejs/RobotExpressive.glb', 'meshes on joints, scaled binds'],
  ['quaternius/Fox.glb', 'quaternius/Wolf.glb', 'animals'],
  ['kaykit/Knight.glb', 'khronos/CesiumMan.glb', 'turns that are shared', 'Walking_A'],
  ['rocketbox/f_walk_fast_02.max.fbx', 'kaykit/Knight.glb', 'FBX in centimetres, 3ds Max'],
  ['ozz/walk.fbx', 'mesh2motion/human-female.glb', 'arms down, other names'],
] as const);

describe('files that play the source’s own keys on other characters', () => {
  it.each(PAIRS)('S4, S5, S6, S8, X5: %s drives %s (%s)', async (from, to, _why, clip?: string) => {
    const compared = await compare(pathOf(from), pathOf(to), clip);
    const { onKeys, between, moved, bytes, vertices, core } = compared;
    expect(vertices).toBeGreaterThan(150);
    expect(moved).toBeGreaterThan(0.02);
    expect(onKeys).toBeLessThan(ALIKE);
    expect(between).toBeLessThan(core === 'keys' ? ALIKE : BAKED);
    expect(strangers(compared)).toEqual([]);
    const beside = (uri: string) => Promise.resolve(readFileSync(join(dirname(pathOf(to)), uri)));
    expect(newErrors(await countErrors(readData(to), beside), await countErrors(bytes, beside))).toEqual([]);
  });

  it('says that clips of the file are dropped, and drops them', async () => {
    const source = await read(pathOf('samples/captures/walk-cmu.bvh'));
    // Characters of ours bring no clips: one that was given some before.
    const [walk, bare] = [
      await read(pathOf('samples/motions/walk.glb')),
      await read(pathOf('samples/characters/goblin.glb')),
    ];
    const { bytes } = await writeBytes('glb', retarget(walk, bare, { measure: false, corrections: 'none' }));
    const { scene, report } = await rebind(source, await read(bytes), { measure: false });
    expect(report.warnings.map(({ message }) => message)).toContain(
      '1 clip of the file was made for its old bind pose and is left out.',
    );
    expect(jsonOf(scene).animations).toBeUndefined();
  });
});
