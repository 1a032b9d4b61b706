import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger, NodeIO } from '@gltf-transform/core';
import {
  type Clip,
  createMatrix,
  createSkeleton,
  modelPoseOf,
  type Scene,
  sampleTrack,
  type Track,
} from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { allFiles, DATA_FOLDER, hasData, pathOf, present, readData } from '../../../test/data-files.js';
import { buildGltf } from '../../../test/gltf-builder.js';
import { countErrors, newErrors } from '../../../test/validate-gltf.js';
import { read } from '../../read.js';
import { writeBytes } from '../../write.js';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { isGlb } from '../glb.js';

const files = allFiles(/\.(glb|gltf|vrm|vrma)$/).filter((file) => !file.includes('MorphStressTest'));

function documentOf(scene: { document: unknown }): GltfDocument {
  if (!isGltfDocument(scene.document)) throw new Error('not a glTF document');
  return scene.document;
}

/** The bytes of a file's buffer views as they stand in it. */
function viewBytes({ json, buffers }: GltfDocument): (Uint8Array | null)[] {
  return (json.bufferViews ?? []).map((view) => {
    const {
      buffer,
      byteOffset = 0,
      byteLength,
    } = (view.extensions?.EXT_meshopt_compression ?? view) as typeof view;
    return buffers[buffer]?.subarray(byteOffset, byteOffset + byteLength) ?? null;
  });
}

/** All that writing must leave alone. */
function untouched({ json }: GltfDocument): object {
  const { animations: _a, accessors: _c, bufferViews: _v, buffers: _b, ...rest } = json;
  // By way of text, where −0 is 0.
  return JSON.parse(JSON.stringify(rest));
}

/** A clip with every kind of key on the first joints: shared times, a spline, a single key. */
function trialClip(scene: Scene, character = 0): Clip {
  const joints = scene.characters[character]!.skeleton.names.length;
  const times = Float32Array.of(0, 0.25, 1);
  const turn = (joint: number): Track => ({
    joint,
    channel: 'rotation',
    interpolation: 'linear',
    times,
    values: Float32Array.from([0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.6, 0, 0.8]),
  });
  const tracks: Track[] = Array.from({ length: joints }, (_, joint) => turn(joint));
  tracks.push(
    {
      joint: 0,
      channel: 'translation',
      interpolation: 'cubic',
      times: Float32Array.of(0, 1),
      values: Float32Array.from({ length: 18 }, (_, i) => i / 8),
    },
    {
      joint: 0,
      channel: 'scale',
      interpolation: 'step',
      times: Float32Array.of(0.5),
      values: Float32Array.of(1, 2, 1),
    },
  );
  return { name: 'trial', duration: 1, tracks, morphs: [] };
}

const plain = (clip: Clip) => ({
  ...clip,
  tracks: clip.tracks.map((track) => ({ ...track, times: [...track.times], values: [...track.values] })),
});

describe('writing into our files, and into real ones where they are', () => {
  test.each(files)('%s: the clip is in, everything else is as it was, no new error', async (file) => {
    const scene = await read(pathOf(file), { skin: false });
    const before = documentOf(scene);
    const clip = trialClip(scene);
    const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [clip] });
    const result = await read(bytes, { skin: false });
    const after = documentOf(result);

    const hasPictureOutside = before.json.images?.some(({ uri }) => uri !== undefined);
    const hasMatrix = before.json.nodes?.some(({ matrix }) => matrix);
    const { images: _i, nodes: nodesBefore, ...restBefore } = untouched(before) as Record<string, unknown>;
    const { images: _j, nodes: nodesAfter, ...restAfter } = untouched(after) as Record<string, unknown>;
    expect(restAfter).toEqual(restBefore);
    if (!hasPictureOutside) expect(after.json.images).toEqual(before.json.images);
    if (!hasMatrix) expect(nodesAfter).toEqual(nodesBefore);
    const accessors = before.json.accessors ?? [];
    expect(after.json.accessors!.slice(0, accessors.length)).toEqual(accessors);
    const animations = before.json.animations ?? [];
    expect(after.json.animations!.slice(0, animations.length)).toEqual(animations);
    const bytesAfter = viewBytes(after);
    const changed = viewBytes(before).findIndex(
      (view, i) => view && Buffer.compare(view, bytesAfter[i]!) !== 0,
    );
    expect(changed).toBe(-1);

    expect(plain(result.characters[0]!.clips.at(-1)!)).toEqual(plain(clip));
    const beside = (uri: string) => readFile(join(dirname(pathOf(file)), decodeURIComponent(uri)));
    const errorsBefore = await countErrors(readData(file), beside);
    expect(newErrors(errorsBefore, await countErrors(bytes, beside))).toEqual([]);
  });

  test.each(
    present([
      ['samples/animals/dog.glb', 'gltf', {}],
      ['samples/animals/dog.glb', 'glb', { replace: true }],
      ['samples/animals/dog.glb', 'glb', { meshes: false }],
      ['samples/formats/child-draco.glb', 'glb', { replace: true }],
      ['samples/formats/goblin-meshopt.glb', 'gltf', {}],
      ['samples/characters/vrm0-sister.vrm', 'vrm', {}],
      ['samples/characters/vrm1-sister.vrm', 'glb', { meshes: false }],
      ['kaykit/Knight.glb', 'gltf', {}],
      ['kaykit/Knight.glb', 'glb', { replace: true }],
      ['kaykit/Knight.glb', 'glb', { meshes: false }],
      ['kaykit/mannequin_v2/manny_med_mod.gltf', 'gltf', {}],
      ['khronos/CesiumMan.glb', 'glb', { replace: true }],
      ['khronos/SimpleSkin.gltf', 'glb', { replace: true }],
      ['khronos/RecursiveSkeletons.glb', 'glb', { meshes: false }],
      ['khronos/RiggedFigure-Draco/RiggedFigure.gltf', 'glb', { replace: true }],
      ['misc/viverse_mannequin.glb', 'gltf', {}],
      ['100avatars/100Avatars_003_Jimmy.vrm', 'vrm', {}],
      ['vrm/debug_robot.vrm', 'glb', { meshes: false }],
    ] as const),
  )('%s as %s with %o passes the validator and reads back', async (file, extension, options) => {
    const scene = await read(pathOf(file), { skin: false });
    const clip = trialClip(scene);
    const { bytes } = await writeBytes(extension, { scene, character: 0, clips: [clip] }, options);
    expect(isGlb(bytes)).toBe(extension !== 'gltf');
    const before = await countErrors(readData(file), (uri) => readFile(join(dirname(pathOf(file)), uri)));
    expect(newErrors(before, await countErrors(bytes))).toEqual([]);
    const result = await read(bytes, { skin: false });
    const clips = result.characters[0]!.clips;
    expect(plain(clips.at(-1)!)).toEqual(plain(clip));
    if ('replace' in options || 'meshes' in options) expect(clips).toHaveLength(1);
    const [was, is] = [scene.characters[0]!.skeleton, result.characters[0]!.skeleton];
    expect(is.names).toEqual(was.names);
    expect([...is.parents]).toEqual([...was.parents]);
    for (const part of ['translations', 'rotations', 'scales'] as const)
      expect(is.rest[part].every((value, i) => Math.abs(value - was.rest[part][i]!) < 1e-12)).toBe(true);
  });

  test.each(
    present([
      'samples/animals/dog.glb',
      'kaykit/Knight.glb',
      'khronos/CesiumMan.glb',
      'misc/mannequiny-0.3.0.glb',
    ]),
  )(
    '%s with its old clips dropped is smaller, and its meshes and pictures are byte for byte the same',
    async (file) => {
      const scene = await read(pathOf(file), { skin: false });
      const before = documentOf(scene);
      const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [] }, { replace: true });
      const after = documentOf(await read(bytes, { skin: false }));
      expect(bytes.length).toBeLessThan(readData(file).length);
      expect(after.json.animations).toBeUndefined();
      expect(untouched(after)).toEqual(untouched(before));
      const used = new Set(
        [
          ...before.json.meshes!.flatMap(({ primitives }) =>
            primitives.flatMap(({ attributes, indices }) => [...Object.values(attributes), indices!]),
          ),
          before.json.skins![0]!.inverseBindMatrices!,
        ].map((accessor) => before.json.accessors![accessor]!.bufferView!),
      );
      for (const { bufferView } of before.json.images ?? []) used.add(bufferView!);
      const [was, is] = [viewBytes(before), viewBytes(after)];
      for (const view of used) expect(Buffer.compare(was[view]!, is[view]!)).toBe(0);
    },
  );

  test.each(
    present([
      ['samples/animals/dog.glb', 'walk'],
      ['kaykit/Knight.glb', 'Walking_A'],
    ] as const),
  )('%s: an independent reader plays the written clip %s the same', async (file, clip) => {
    const scene = await read(pathOf(file), { skin: false });
    const own = scene.characters[0]!.clips.find(({ name }) => name === clip)!;
    const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [own] }, { replace: true });
    const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const root = (await io.readBinary(bytes)).getRoot();
    const nodes = root.listNodes();
    const [animation] = root.listAnimations();
    expect(animation!.getName()).toBe(clip);
    expect(animation!.listChannels()).toHaveLength(own.tracks.length);
    const sample = new Float64Array(4);
    for (const channel of animation!.listChannels()) {
      const joint = scene.characters[0]!.skeleton.fileIndices.indexOf(
        nodes.indexOf(channel.getTargetNode()!),
      );
      const track = own.tracks.find((one) => one.joint === joint && one.channel === channel.getTargetPath())!;
      const times = channel.getSampler()!.getInput()!;
      for (let k = 0; k < times.getCount(); k++) {
        const value = channel.getSampler()!.getOutput()!.getElement(k, []);
        sampleTrack(sample, 0, track, times.getScalar(k));
        value.forEach((number, c) => {
          expect(number).toBeCloseTo(sample[c]!, 5);
        });
      }
    }
  });

  test.skipIf(!hasData)(
    'pictures beside the file are taken in, one that is missing is said (needs ../shared/data)',
    async () => {
      const manny = await read(`${DATA_FOLDER}kaykit/mannequin_v2/manny_med_mod.gltf`);
      const written = await writeBytes('glb', { scene: manny, character: 0, clips: [] });
      expect(written.warnings).toEqual([]);
      const { json, buffers } = documentOf(await read(written.bytes));
      expect(json.images![0]).toMatchObject({ mimeType: 'image/png' });
      const { byteOffset = 0, byteLength } = json.bufferViews![json.images![0]!.bufferView!]!;
      const picture = readData('kaykit/mannequin_v2/mannequin_texture.png');
      expect(Buffer.compare(buffers[0]!.subarray(byteOffset, byteOffset + byteLength), picture)).toBe(0);

      const kenney = await read(`${DATA_FOLDER}misc/kenney_character.glb`);
      const result = await writeBytes('glb', { scene: kenney, character: 0, clips: [] });
      expect(result.warnings.map(({ code }) => code)).toEqual(['feature-ignored']);
      expect(documentOf(await read(result.bytes)).json.images).toEqual(documentOf(kenney).json.images);
    },
  );

  test('a taken name gets a suffix and a warning', async () => {
    const scene = await read(pathOf('samples/animals/dog.glb'));
    const clip = { ...trialClip(scene), name: 'walk' };
    const { bytes, warnings } = await writeBytes('glb', { scene, character: 0, clips: [clip, clip] });
    expect(warnings.map(({ code }) => code)).toEqual(['clip-name-taken', 'clip-name-taken']);
    const names = (await read(bytes)).characters[0]!.clips.map(({ name }) => name);
    expect(names).toEqual(['walk', 'walk (2)', 'walk (3)']);
  });

  test.skipIf(!hasData)(
    'morph weights go back into the mesh they came from (needs ../shared/data)',
    async () => {
      const scene = await read(`${DATA_FOLDER}threejs/RobotExpressive.glb`);
      const dance = scene.characters[0]!.clips.find(({ name }) => name === 'Dance')!;
      const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [dance] }, { replace: true });
      const [written] = (await read(bytes)).characters[0]!.clips;
      expect(written!.morphs).toEqual(dance.morphs);
      // One weight alone: the others keep the file's default.
      const alone = { ...dance, tracks: [], morphs: [dance.morphs[1]!] };
      const second = await writeBytes('glb', { scene, character: 0, clips: [alone] }, { replace: true });
      const morphs = (await read(second.bytes)).characters[0]!.clips[0]!.morphs;
      expect(morphs[1]).toEqual(dance.morphs[1]);
      expect(morphs[0]!.values.every((value) => value === 0)).toBe(true);
      const bare = await writeBytes('glb', { scene, character: 0, clips: [dance] }, { meshes: false });
      expect(bare.warnings.map(({ code }) => code)).toEqual(['morph-dropped']);
    },
  );

  test('a BVH becomes a file in metres that stands on its feet', async () => {
    for (const file of present([
      'samples/captures/walk-cmu.bvh',
      'samples/captures/walk-smpl.bvh',
      'samples/captures/walk-biovision.bvh',
      'cmu/02_01.bvh',
      'makehuman/tpose.bvh',
      'misc/performs_mixamorig_Idle.bvh',
    ])) {
      const scene = await read(pathOf(file));
      const { bytes } = await writeBytes('glb', { scene, character: 0, clips: scene.characters[0]!.clips });
      expect([...(await countErrors(bytes)).keys()], file).toEqual([]);
      const { skeleton, clips } = (await read(bytes)).characters[0]!;
      expect(clips[0]!.duration).toBeCloseTo(scene.characters[0]!.clips[0]!.duration, 5);
      const { matrices } = modelPoseOf(skeleton, skeleton.rest);
      const heights = Array.from(skeleton.names, (_, joint) => matrices[16 * joint + 13]!);
      expect(Math.max(...heights) - Math.min(...heights), file).toBeGreaterThan(1.2);
      expect(Math.max(...heights) - Math.min(...heights), file).toBeLessThan(2.2);
    }
  });

  test('only a VRM can be written as .vrm', async () => {
    const scene = await read(pathOf('samples/animals/dog.glb'));
    await expect(writeBytes('vrm', { scene, character: 0, clips: [] })).rejects.toThrow('"dog" is no VRM');
  });
});

describe('clips that need care', () => {
  const target = async (node: Record<string, unknown> = {}) => {
    const file = buildGltf([{ name: 'joint', ...node }]);
    file.json.scene = 0;
    file.json.scenes = [{ nodes: [0] }];
    file.json.skins = [{ joints: [0] }];
    return read(file.glb());
  };
  const roundTrip = async (clip: Partial<Clip>, node?: Record<string, unknown>) => {
    const scene = await target(node);
    const whole: Clip = { name: 'clip', duration: 0, tracks: [], morphs: [], ...clip };
    const { bytes, warnings } = await writeBytes('glb', { scene, character: 0, clips: [whole] });
    expect([...(await countErrors(bytes)).keys()]).toEqual([]);
    const result = await read(bytes);
    return { clip: result.characters[0]!.clips[0]!, codes: warnings.map(({ code }) => code), result };
  };
  const move = (times: number[], values: number[], more: Partial<Track> = {}): Track => ({
    joint: 0,
    channel: 'translation',
    interpolation: 'linear',
    times: Float64Array.from(times),
    values: Float64Array.from(values),
    ...more,
  });

  test('a view that leads out of its buffer finds nothing of what is put behind it', async () => {
    const file = buildGltf([{ name: 'a' }]);
    file.json.skins = [{ joints: [0] }];
    const input = file.accessor(Float32Array.of(0, 1), 'SCALAR');
    const output = file.accessor(Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8), 'VEC4');
    file.json.animations = [
      {
        samplers: [{ input, output }],
        channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
      },
    ];
    const view = file.json.bufferViews![file.json.accessors[output]!.bufferView as number]!;
    view.byteOffset = Number(view.byteOffset ?? 0) + 8;
    const scene = await read(file.glb());
    expect(scene.characters[0]!.clips).toEqual([]);
    const clips = [{ ...trialClip(scene), name: 'added' }];
    const again = await read((await writeBytes('glb', { scene, character: 0, clips })).bytes);
    expect(again.characters[0]!.clips.map(({ name }) => name)).toEqual(['added']);
  });

  test('a clip that moves nothing holds the rest pose for as long as it lasts', async () => {
    const { clip, codes } = await roundTrip({ duration: 2 }, { translation: [1, 2, 3] });
    expect(codes).toEqual(['clip-empty']);
    expect(clip.duration).toBe(2);
    expect([...clip.tracks[0]!.values]).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('a clip that stands still at its end keeps its length', async () => {
    const { clip } = await roundTrip({ duration: 3, tracks: [move([0, 1], [0, 0, 0, 1, 1, 1])] });
    expect(clip.duration).toBe(3);
    expect([...clip.tracks[0]!.values]).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });

  test('times before zero are moved, times that round to one are one key', async () => {
    const early = await roundTrip({ tracks: [move([-1, 1], [0, 0, 0, 1, 1, 1])] });
    expect([...early.clip.tracks[0]!.times]).toEqual([0, 2]);
    expect(early.codes).toEqual(['file-repaired']);
    const close = await roundTrip({ tracks: [move([1, 1 + 1e-12, 2], [0, 0, 0, 1, 1, 1, 2, 2, 2])] });
    expect([...close.clip.tracks[0]!.times]).toEqual([1, 2]);
  });

  test('a spline of one key is a step; numbers that are not finite never reach the file', async () => {
    const single = move([0], [9, 9, 9, 1, 2, 3, 9, 9, 9], { interpolation: 'cubic' });
    expect((await roundTrip({ tracks: [single] })).clip.tracks[0]).toMatchObject({ interpolation: 'step' });
    const broken = await roundTrip({ tracks: [move([0, 1], [1, 2, 3, Number.NaN, 5, 6])] });
    expect([...broken.clip.tracks[0]!.values]).toEqual([1, 2, 3, 1, 5, 6]);
    expect(broken.codes).toEqual(['value-not-finite']);
  });

  test('a node given as a matrix becomes translation, rotation and scale when it is moved', async () => {
    const matrix = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1];
    const { result, codes } = await roundTrip({ tracks: [move([0], [1, 2, 3])] }, { matrix });
    expect(codes).toEqual(['file-repaired']);
    expect(documentOf(result).json.nodes![0]).toMatchObject({ translation: [5, 6, 7], scale: [2, 2, 2] });
  });

  test('tracks that share their times share one accessor, by content too', async () => {
    const scene = await target();
    const tracks = [move([0, 1], [0, 0, 0, 1, 1, 1]), move([0, 1], [1, 1, 1, 2, 2, 2], { channel: 'scale' })];
    const clip = { name: 'clip', duration: 1, tracks, morphs: [] };
    const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [clip] });
    expect(documentOf(await read(bytes)).json.accessors).toHaveLength(3);
  });

  test('a track that cannot be meant is a usage error', async () => {
    const scene = await target();
    const write = (track: Track) =>
      writeBytes('glb', {
        scene,
        character: 0,
        clips: [{ name: 'c', duration: 0, tracks: [track], morphs: [] }],
      });
    await expect(write(move([0], [1, 2, 3], { joint: 7 }))).rejects.toThrow('joint 7, which is not there');
    await expect(write(move([0], [1, 2]))).rejects.toThrow('2 numbers for 1 keys of 3');
    await expect(writeBytes('glb', { scene, character: 4, clips: [] })).rejects.toThrow('character is 4');
  });

  test('a target from another format becomes a new file, its container a node above it', async () => {
    const container = createMatrix();
    for (const n of [0, 5, 10]) container[n] = 0.01;
    const { skeleton } = createSkeleton(
      'Hips',
      [
        { name: 'Hips', parent: -1, translation: [0, 90, 0] },
        { name: 'Spine', parent: 0, translation: [0, 10, 0] },
      ],
      { container },
    );
    const scene: Scene = {
      format: 'bvh',
      name: 'capture',
      characters: [{ skeleton, clips: [] }],
      morphs: [],
      document: { kind: 'something else' },
      warnings: [],
    };
    const clip = trialClip(scene);
    const { bytes } = await writeBytes('glb', { scene, character: 0, clips: [clip] });
    expect([...(await countErrors(bytes)).keys()]).toEqual([]);
    const result = (await read(bytes)).characters[0]!;
    expect(result.skeleton.names).toEqual(['capture space', 'Hips', 'Spine']);
    result.skeleton.rest.scales.slice(0, 3).forEach((scale) => {
      expect(scale).toBeCloseTo(0.01, 12);
    });
    expect(result.clips[0]!.tracks).toHaveLength(clip.tracks.length);
  });
});
