import { type JSONDocument, Logger, NodeIO } from '@gltf-transform/core';
import { JOINT, modelPoseOf, SKINNED, transformPoint } from '@stuntdouble/core/engine';
import { describe, expect, test } from 'vitest';
import {
  allFiles,
  cataloguedJoints,
  DATA_FOLDER,
  hasData,
  pathOf,
  present,
  readData,
} from '../../../test/data-files.js';
import { buildGltf } from '../../../test/gltf-builder.js';
import { read } from '../../read.js';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { isGlb, readGlb } from '../glb.js';
import { readMeshes } from './read-meshes.js';

const files = allFiles(/\.(glb|gltf|vrm|vrma)$/);

/** Extensions without which the independent reader refuses a file. */
const compressed = /child-draco|goblin-meshopt|viverse_mannequin|CyberbotRed|FinnTheFrog|RiggedFigure/;

async function readIndependently(file: string) {
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  if (!isGlb(readData(file))) return io.read(pathOf(file));
  // By hand, since a picture that is missing beside the file is no concern here.
  const parts = readGlb(readData(file));
  const json: JSONDocument['json'] = JSON.parse(new TextDecoder().decode(parts.json));
  const pictures = (json.images ?? []).flatMap(({ uri }) => (uri ? [[uri, new Uint8Array(4)] as const] : []));
  const resources = Object.fromEntries(pictures) as JSONDocument['resources'];
  if (parts.bin) resources['@glb.bin'] = new Uint8Array(parts.bin);
  return io.readJSON({ json, resources });
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.from(a).every((value, i) => value === b[i]);

function documentOf(scene: { document: unknown }): GltfDocument {
  if (!isGltfDocument(scene.document)) throw new Error('not a glTF document');
  return scene.document;
}

describe('reading our files, and real ones where they are', () => {
  test.each(files)('%s: the joints of the catalogue, parents before children', async (file) => {
    const scene = await read(pathOf(file));
    const { json } = documentOf(scene);
    const skinned = new Set((json.skins ?? []).flatMap(({ joints }) => joints));
    let count = 0;
    for (const { skeleton } of scene.characters) {
      const wrong: string[] = [];
      skeleton.parents.forEach((parent, joint) => {
        const node = skeleton.fileIndices[joint]!;
        const above = json.nodes!.findIndex(({ children }) => children?.includes(node));
        const isRight = parent < joint && above === (parent < 0 ? -1 : skeleton.fileIndices[parent]!);
        const isJoint = (skeleton.flags[joint]! & JOINT) !== 0;
        if (!isRight || (skinned.has(node) && !isJoint)) wrong.push(skeleton.names[joint]!);
        if (skinned.has(node)) count++;
      });
      expect(wrong).toEqual([]);
      for (const part of [skeleton.rest, ...(skeleton.bind ? [skeleton.bind] : [])])
        for (const values of [part.translations, part.rotations, part.scales])
          expect(values.every(Number.isFinite)).toBe(true);
    }
    const expected = cataloguedJoints(file);
    if (expected !== null) expect(count).toBe(expected);
    expect(scene.characters.length > 0).toBe(!file.includes('MorphStressTest'));
  });

  test.each(files.filter((file) => !compressed.test(file)))(
    'W1, W2, BP8, %s: joints stand and move as an independent reader has them',
    async (file) => {
      const scene = await read(pathOf(file), { skin: false });
      const root = (await readIndependently(file)).getRoot();
      const nodes = root.listNodes();
      for (const { skeleton } of scene.characters) {
        const { matrices } = modelPoseOf(skeleton, skeleton.rest);
        const size = Math.max(...matrices.map(Math.abs));
        let off = 0;
        skeleton.fileIndices.forEach((node, joint) => {
          const world = nodes[node]!.getWorldMatrix();
          for (let n = 0; n < 16; n++) off = Math.max(off, Math.abs(matrices[16 * joint + n]! - world[n]!));
        });
        expect(off).toBeLessThan(2e-6 * size);
      }
      for (const { skeleton, clips } of scene.characters) {
        const jointOf = new Map(Array.from(skeleton.fileIndices, (node, joint) => [nodes[node], joint]));
        for (const [a, animation] of root.listAnimations().entries()) {
          const name = animation.getName() || `clip${a}`;
          const clip = clips.find((one) => one.name === name);
          for (const channel of animation.listChannels()) {
            const node = channel.getTargetNode();
            const joint = node ? jointOf.get(node) : undefined;
            const path = channel.getTargetPath();
            if (joint === undefined || path === 'weights') continue;
            const track = clip?.tracks.find((one) => one.joint === joint && one.channel === path);
            const sampler = channel.getSampler()!;
            expect(track, `${name}: ${path} of ${skeleton.names[joint]}`).toBeDefined();
            expect(isSame(track!.times, sampler.getInput()!.getArray()!)).toBe(true);
            const output = sampler.getOutput()!;
            const values = output.getArray()!;
            if (values instanceof Float32Array) expect(isSame(track!.values, values)).toBe(true);
            else expect(track!.values.length).toBe(values.length);
          }
        }
      }
    },
  );

  test('bind equals rest wherever a file says so, whatever lies between mesh and scene', async () => {
    // Under a 0.01 armature, quantised, turned, or plain; the catalogue finds no difference in any of these.
    for (const file of present([
      'samples/characters/mixamo-guy.glb',
      'samples/characters/goblin.glb',
      'samples/characters/knight.glb',
      'samples/characters/vrm0-sister.vrm',
      'samples/formats/goblin-meshopt.glb',
      'khronos/CesiumMan.glb',
      'khronos/Fox.glb',
      'misc/viverse_mannequin.glb',
      'mesh2motion/human-female.glb',
      'npm/webxr_hand_left.glb',
      '100avatars/100Avatars_003_Jimmy.vrm',
    ])) {
      const { skeleton } = (await read(pathOf(file), { skin: false })).characters[0]!;
      for (const part of ['translations', 'rotations', 'scales'] as const)
        skeleton.bind![part].forEach((value, i) => {
          expect(Math.abs(value - skeleton.rest[part][i]!), `${file} ${part} ${i}`).toBeLessThan(1e-5);
        });
    }
  });

  test.skipIf(!hasData)(
    'a bind pose that differs from rest stands upright (needs ../shared/data)',
    async () => {
      for (const [file, hips, head, foot] of [
        ['misc/mannequiny-0.3.0.glb', 'pelvis', 'head', 'foot.l'],
        ['quaternius/Astronaut_FinnTheFrog-transformed.glb', 'Hips', 'Head', 'Foot.L'],
      ] as const) {
        const { skeleton } = (await read(pathOf(file))).characters[0]!;
        const { matrices } = modelPoseOf(skeleton, skeleton.bind!);
        const at = (name: string) => {
          const joint = skeleton.names.indexOf(name);
          return matrices.slice(16 * joint + 12, 16 * joint + 15);
        };
        expect(at(head)[1]).toBeGreaterThan(at(hips)[1]!);
        expect(at(hips)[1]).toBeGreaterThan(at(foot)[1]!);
        // Bound symmetrically: the head stands over the hips.
        expect(Math.abs(at(head)[0]! - at(hips)[0]!)).toBeLessThan(0.02);
      }
    },
  );

  test('W6: VRM 0.x and 1.0 and VRM animation say which joint is which body part', async () => {
    const old = (await read(pathOf('samples/characters/vrm0-sister.vrm'))).characters[0]!.skeleton;
    const partOf = (role: string) => old.names[old.metadataRoles![role]!];
    expect(old.declared).toEqual({ up: '+Y', facing: '-Z', unit: 1 });
    expect(partOf('hips')).toBe('J_hips');
    // The thumb's names of 0.x are shifted by one joint.
    for (const part of ['Metacarpal', 'Proximal', 'Distal'])
      expect(partOf(`leftThumb${part}`)).toBe(`J_leftThumb${part}`);
    const sister = (await read(pathOf('samples/characters/vrm1-sister.vrm'))).characters[0]!.skeleton;
    expect(sister.declared.facing).toBe('+Z');
    expect(sister.names[sister.metadataRoles!.leftUpperArm!]).toBe('J_leftUpperArm');
    const wave = await read(pathOf('samples/formats/wave.vrma'));
    expect(wave.format).toBe('vrma');
    expect(Object.keys(wave.characters[0]!.skeleton.metadataRoles!)).toHaveLength(52);
    expect(wave.characters[0]!.clips).toHaveLength(1);
  });

  test.skipIf(!hasData)('W6: so do files of others (needs ../shared/data)', async () => {
    const jimmy = (await read(`${DATA_FOLDER}100avatars/100Avatars_003_Jimmy.vrm`)).characters[0]!.skeleton;
    const nameOf = (role: string) => jimmy.names[jimmy.metadataRoles![role]!];
    expect(jimmy.declared).toEqual({ up: '+Y', facing: '-Z', unit: 1 });
    expect(nameOf('hips')).toBe('mixamorig:Hips');
    // The thumb's names of 0.x are shifted by one joint.
    expect(nameOf('leftThumbMetacarpal')).toBe('mixamorig:LeftHandThumb1');
    expect(nameOf('leftThumbProximal')).toBe('mixamorig:LeftHandThumb2');
    expect(nameOf('leftThumbDistal')).toBe('mixamorig:LeftHandThumb3');
    const one = (await read(`${DATA_FOLDER}vrm/basic_armature_vrm1.vrm`)).characters[0]!.skeleton;
    expect(one.declared.facing).toBe('+Z');
    expect(one.names[one.metadataRoles!.leftUpperArm!]).toBe('upper_arm.L');
    const motion = await read(`${DATA_FOLDER}vrm/test.vrma`);
    expect(motion.format).toBe('vrma');
    expect(Object.keys(motion.characters[0]!.skeleton.metadataRoles!)).toHaveLength(51);
    expect(motion.characters[0]!.clips).toHaveLength(1);
  });

  test.each(present(['samples/characters/goblin.glb', 'samples/animals/dog.glb', 'khronos/CesiumMan.glb']))(
    '%s: hulls hold the skin: every hull point is a vertex of the mesh in bind pose',
    async (file) => {
      const scene = await read(pathOf(file));
      const { skeleton } = scene.characters[0]!;
      const meshes = await readMeshes(scene);
      const point = new Float64Array(3);
      skeleton.hulls!.forEach((hull, joint) => {
        expect(hull !== null).toBe((skeleton.flags[joint]! & SKINNED) !== 0);
        let lowest = Number.POSITIVE_INFINITY;
        for (const { positions, skin } of meshes)
          for (let v = 0; v < positions.length / 3; v++) {
            const strongest = [0, 1, 2, 3].reduce((a, b) =>
              skin!.weights[4 * v + b]! > skin!.weights[4 * v + a]! ? b : a,
            );
            if (skin!.joints[4 * v + strongest] !== joint) continue;
            transformPoint(point, 0, skin!.inverseBinds, 16 * joint, positions, 3 * v);
            lowest = Math.min(lowest, point[1]!);
          }
        if (!hull) return;
        const hullLowest = Math.min(...hull.filter((_, i) => i % 3 === 1));
        expect(hullLowest).toBeCloseTo(lowest, 5);
      });
    },
  );

  test('Draco and meshopt give the same kind of skin as plain files', async () => {
    for (const file of present([
      'samples/formats/child-draco.glb',
      'samples/formats/goblin-meshopt.glb',
      'khronos/RiggedFigure-Draco/RiggedFigure.gltf',
      'misc/viverse_mannequin.glb',
    ])) {
      const scene = await read(pathOf(file));
      const { skeleton } = scene.characters[0]!;
      const { matrices } = modelPoseOf(skeleton, skeleton.rest);
      const meshes = await readMeshes(scene);
      const isSmall = file.startsWith('samples');
      expect(meshes.length).toBeGreaterThan(0);
      let top = Number.NEGATIVE_INFINITY;
      let bottom = Number.POSITIVE_INFINITY;
      const point = new Float64Array(3);
      skeleton.hulls!.forEach((hull, joint) => {
        for (let i = 0; hull && i < hull.length; i += 3) {
          transformPoint(point, 0, matrices, 16 * joint, hull, i);
          top = Math.max(top, point[1]!);
          bottom = Math.min(bottom, point[1]!);
        }
      });
      // Both stand on the ground and are as tall as people.
      expect(Math.abs(bottom)).toBeLessThan(0.02);
      expect(top).toBeGreaterThan(isSmall ? 1 : 1.3);
      expect(top).toBeLessThan(2);
    }
  });

  test('one character, whatever hangs under its root: feet, a sword, goals', async () => {
    for (const name of ['knight', 'unreal-mannequin', 'goblin'])
      expect((await read(pathOf(`samples/characters/${name}.glb`))).characters).toHaveLength(1);
  });

  test.skipIf(!hasData)(
    'one character per connected group: nested skins, hands (needs ../shared/data)',
    async () => {
      const counts = async (file: string) => (await read(pathOf(file))).characters.length;
      expect(await counts('threejs/RobotExpressive.glb')).toBe(1);
      expect(await counts('npm/webxr_hand_left.glb')).toBe(1);
      expect(await counts('khronos/RecursiveSkeletons.glb')).toBe(4);
      expect(await counts('misc/kenney_character.glb')).toBe(1);
    },
  );

  test('morph targets go by the names that the file has', async () => {
    const { morphs } = await read(pathOf('samples/characters/vrm1-sister.vrm'));
    expect(morphs!.flatMap(({ names }) => names)).toEqual(expect.arrayContaining(['aa', 'blink', 'happy']));
  });

  test.skipIf(!hasData)(
    'morph weights become one track per morph target (needs ../shared/data)',
    async () => {
      const scene = await read(`${DATA_FOLDER}threejs/RobotExpressive.glb`);
      expect(scene.morphs).toEqual([{ mesh: 'Head', names: ['Angry', 'Surprised', 'Sad'] }]);
      const dance = scene.characters[0]!.clips.find(({ name }) => name === 'Dance')!;
      expect(dance.morphs.map(({ morph }) => morph)).toEqual(['Angry', 'Surprised', 'Sad']);
      for (const { times, values } of dance.morphs) expect(values.length).toBe(times.length);
    },
  );
});

describe('skeletons', () => {
  const skin = (json: Record<string, unknown>, ...lists: number[][]) => {
    json.skins = lists.map((joints) => ({ joints }));
    json.meshes = [{ primitives: [{ attributes: {} }] }];
    return json;
  };

  test('S10, SP2: nodes in any order, children before parents', async () => {
    const file = buildGltf([
      { name: 'hand', translation: [0, 0, 3] },
      { name: 'arm', translation: [0, 2, 0], children: [0] },
      { name: 'root', translation: [1, 0, 0], children: [1] },
    ]);
    skin(file.json, [0, 1, 2]);
    const { skeleton } = (await read(file.glb())).characters[0]!;
    expect(skeleton.names).toEqual(['root', 'arm', 'hand']);
    expect([...skeleton.parents]).toEqual([-1, 0, 1]);
    expect([...skeleton.fileIndices]).toEqual([2, 1, 0]);
    expect([...modelPoseOf(skeleton, skeleton.rest).matrices.slice(44, 47)]).toEqual([1, 2, 3]);
  });

  test('what is above, between and below joints belongs to them; scenery does not', async () => {
    const file = buildGltf([
      { name: 'scene', children: [1, 7] },
      { name: 'armature', scale: [0.01, 0.01, 0.01], children: [2] },
      { name: 'hips', children: [3] },
      { name: 'between', children: [4] },
      { name: 'hand', children: [5, 6] },
      { name: 'socket' },
      { name: 'sword', mesh: 0 },
      { name: 'house', mesh: 0 },
    ]);
    skin(file.json, [2, 4]);
    const { skeleton } = (await read(file.glb())).characters[0]!;
    expect(skeleton.names).toEqual(['scene', 'armature', 'hips', 'between', 'hand', 'socket']);
    expect([...skeleton.flags]).toEqual([0, 0, JOINT, 0, JOINT, 2]);
    expect(skeleton.name).toBe('hips');
  });

  test('BP8: a mesh node that a clip moves is part of the skeleton', async () => {
    const file = buildGltf([
      { name: 'hips', children: [1] },
      { name: 'sword', mesh: 0 },
    ]);
    skin(file.json, [0]);
    const input = file.accessor(Float32Array.of(0, 1), 'SCALAR');
    const output = file.accessor(Float32Array.of(0, 0, 0, 1, 0, 0), 'VEC3');
    file.json.animations = [
      {
        channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
        samplers: [{ input, output }],
      },
    ];
    const { skeleton, clips } = (await read(file.glb())).characters[0]!;
    expect(skeleton.names).toEqual(['hips', 'sword']);
    expect(clips[0]!.tracks[0]).toMatchObject({ joint: 1, channel: 'translation' });
    expect(clips[0]).toMatchObject({ name: 'clip0', duration: 1 });
  });

  test('two bodies are two characters, two skins with a common joint are one', async () => {
    const apart = buildGltf([{ name: 'scene', children: [1, 2] }, { name: 'a' }, { name: 'b' }]);
    skin(apart.json, [1], [2]);
    expect((await read(apart.glb())).characters.map(({ skeleton }) => skeleton.names)).toEqual([
      ['scene', 'a'],
      ['scene', 'b'],
    ]);
    const shared = buildGltf([{ name: 'scene', children: [1, 2] }, { name: 'a' }, { name: 'b' }]);
    skin(shared.json, [1, 2], [2]);
    expect((await read(shared.glb())).characters).toHaveLength(1);
  });

  test('only the scene that the file shows counts, and all of it where none is named', async () => {
    const file = buildGltf([{ name: 'shown' }, { name: 'hidden' }]);
    skin(file.json, [0], [1]);
    file.json.scenes = [{ nodes: [0] }, { nodes: [1] }];
    expect((await read(file.glb())).characters).toHaveLength(2);
    file.json.scene = 0;
    expect((await read(file.glb())).characters.map(({ skeleton }) => skeleton.name)).toEqual(['shown']);
  });

  test('matrices are taken apart, unnamed nodes get a name from their index', async () => {
    const file = buildGltf([
      { children: [1] },
      { matrix: [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1] },
    ]);
    skin(file.json, [0, 1]);
    const { skeleton } = (await read(file.glb())).characters[0]!;
    expect(skeleton.names).toEqual(['node0', 'node1']);
    expect([...skeleton.rest.translations.slice(3)]).toEqual([3, 4, 5]);
    expect([...skeleton.rest.scales.slice(3)]).toEqual([2, 2, 2]);
    [0, 0, Math.SQRT1_2, Math.SQRT1_2].forEach((value, c) => {
      expect(skeleton.rest.rotations[4 + c]).toBeCloseTo(value, 12);
    });
  });

  test('a rig without mesh, skin or clip is taken by its nodes; a mere scene is not', async () => {
    const names = ['Armature', 'Hips', 'Spine', 'Chest', 'Head', 'Arm.L', 'Hand.L', 'Leg.L', 'Foot.L'];
    const children = [[1], [2, 7], [3], [4, 5], [], [6], [], [8], []];
    const file = buildGltf(names.map((name, i) => ({ name, children: children[i] })));
    const scene = await read(file.glb());
    expect(scene.characters[0]!.skeleton.names).toEqual(names);
    expect(scene.characters[0]!.skeleton.flags[0]).toBe(0);
    expect(scene.characters[0]!.skeleton.name).toBe('Hips');
    expect(scene.warnings.map(({ code }) => code)).toEqual(['joints-assumed']);
    const flat = buildGltf([{ children: [1, 2, 3, 4, 5, 6, 7, 8] }, {}, {}, {}, {}, {}, {}, {}, {}]);
    expect((await read(flat.glb())).characters).toEqual([]);
  });

  test('a cycle is one clear sentence', async () => {
    const file = buildGltf([{ children: [1] }, { children: [0] }]);
    await expect(read(file.glb())).rejects.toThrow(
      'glTF, nodes[0]: found a node that is its own ancestor; expected a tree',
    );
  });
});
