import {
  type Character,
  type Clip,
  chooseCharacter,
  copyPose,
  modelPoseOf,
  type Pose,
  quaternionAngle,
  type Scene,
  type Skeleton,
  sampleClip,
  vectorAt,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { allFiles, hasData, present, readData } from '../../../test/data-files.js';
import { readWithBabylon } from '../../../test/fbx-babylon.js';
import { buildFbx } from '../../../test/fbx-builder.js';
import { positionsOf, readWithThree } from '../../../test/fbx-loader.js';
import { readBvh } from '../../bvh/index.js';
import { gltf } from '../../gltf/index.js';
import { readMeshes } from '../../read-meshes.js';
import { fbx } from '../index.js';
import { childrenOf } from '../parse/child-records.js';
import type { FbxNode } from '../parse/fbx-node.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { unpackArray } from '../parse/unpack-array.js';
import { readFbx } from '../read/read-fbx.js';
import { encodeAscii } from './encode-ascii.js';
import { encodeBinary } from './encode-binary.js';

const FILES = allFiles(/\.fbx$/);
const MOVING = FILES.filter((file) => /^samples|daz|rocketbox\/[fM]|huesitos|walk|no_inherit/.test(file));

const poseAt = (skeleton: Skeleton, clip: Clip, time: number): Pose => {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
};

function sizeOf(skeleton: Skeleton): number {
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  return Math.max(
    ...[12, 13, 14].map((place) => {
      const values = skeleton.names.map((_, i) => matrices[16 * i + place]!);
      return Math.max(...values) - Math.min(...values);
    }),
  );
}

/** How far a clip is from another on the same skeleton: joints in parts of the size, turns in degrees. */
function distance(a: Character, clip: Clip, b: Character, other: Clip): { place: number; turn: number } {
  const size = sizeOf(a.skeleton);
  let place = 0;
  let turn = 0;
  for (const part of [0, 0.137, 0.31, 0.5, 0.61, 0.9, 1]) {
    const time = part * clip.duration;
    const [p, q] = [
      modelPoseOf(a.skeleton, poseAt(a.skeleton, clip, time)),
      modelPoseOf(b.skeleton, poseAt(b.skeleton, other, time)),
    ];
    a.skeleton.names.forEach((name, i) => {
      expect(b.skeleton.names[i]).toBe(name);
      const [v, w] = [vectorAt(p.matrices, 16 * i + 12), vectorAt(q.matrices, 16 * i + 12)];
      place = Math.max(place, Math.hypot(v[0] - w[0], v[1] - w[1], v[2] - w[2]) / size);
      turn = Math.max(turn, (quaternionAngle(p.rotations, 4 * i, q.rotations, 4 * i) * 180) / Math.PI);
    });
  }
  return { place, turn };
}

const mainOf = (scene: Scene): { index: number; character: Character } => {
  const { character: index } = chooseCharacter(scene);
  return { index, character: scene.characters[index]! };
};

const write = (scene: Scene, character: number, clips: readonly Clip[], options = {}) =>
  fbx.write!({ scene, character, clips }, { extension: 'fbx', ...options });

/** Everything in records but how their arrays are packed. */
const plain = (node: FbxNode): unknown => [
  node.name,
  node.values.map((value) =>
    typeof value === 'object' && 'kind' in value
      ? [...unpackArray(value, { bytes: Number.POSITIVE_INFINITY }, '')]
      : value,
  ),
  childrenOf(node).map(plain),
];

describe('records are kept', () => {
  it('binary files come out byte for byte', () => {
    let same = 0;
    for (const file of FILES) {
      const bytes = readData(file);
      const { nodes, version, footer, encoding } = parseFbx(bytes);
      if (encoding !== 'binary') continue;
      const untouched = encodeBinary(nodes, version, footer);
      for (const node of nodes) plain(node);
      const written = encodeBinary(nodes, version, footer);
      // Whether someone has looked into records or not, they are the same.
      expect(Buffer.compare(written, untouched), file).toBe(0);
      // Blender pads the end of a file otherwise than Autodesk's own writer.
      const records = bytes.length - footer.length;
      expect(
        written.subarray(0, records).every((byte, i) => byte === bytes[i]),
        file,
      ).toBe(true);
      if (written.length === bytes.length && written.every((byte, i) => byte === bytes[i])) same++;
    }
    if (hasData) expect(same).toBe(7);
  });

  it('ASCII files come out with the same records', () => {
    for (const file of FILES.filter((name) => /ascii|child-greeting/.test(name))) {
      const { nodes, version } = parseFbx(readData(file));
      expect(parseFbx(encodeAscii(nodes, version)).nodes.map(plain)).toEqual(nodes.map(plain));
    }
  });
});

describe('clips into the file they came from', () => {
  it.each(MOVING)('%s: the same motion comes back, here and in three', async (file) => {
    const scene = readFbx(readData(file));
    const { index, character } = mainOf(scene);
    const [clip] = character.clips;
    const { bytes } = await write(scene, index, [clip!], { replace: true });
    const again = readFbx(bytes);
    const back = again.characters[index]!;
    expect(back.clips.map(({ name }) => name)).toEqual([clip!.name]);
    const { place, turn } = distance(character, clip!, back, back.clips[0]!);
    expect(place).toBeLessThan(1e-5);
    expect(turn).toBeLessThan(0.01);
    // three's loader does not know of scale that is not inherited, and turns a file whose +Z is up.
    if (/no_inherit|child-greeting/.test(file)) return;
    const oracle = readWithThree(bytes);
    for (const part of [0, 0.5, 1]) {
      const time = part * clip!.duration;
      const positions = positionsOf(oracle, oracle.clips[0], time);
      const { matrices } = modelPoseOf(character.skeleton, poseAt(character.skeleton, clip!, time));
      character.skeleton.names.forEach((name, i) => {
        const [x, y, z] = vectorAt(matrices, 16 * i + 12);
        const p = positions.get(name)!;
        expect(Math.hypot(x - p.x, y - p.y, z - p.z) / sizeOf(character.skeleton), name).toBeLessThan(1e-5);
      });
    }
  });

  it.each(
    present([
      ['samples/formats/guy-walk.fbx', 'mixamorig:Head', 'walk'],
      ['samples/formats/child-greeting.fbx', null, 'greeting'],
      ['rocketbox/Male_Adult_18.fbx', 'Bip01 Head', 'Take 001'],
    ] as const),
  )('%s: all but the animation stays as it was', async (file, head, take) => {
    const scene = readFbx(readData(file));
    const { character } = mainOf(scene);
    const clip: Clip = {
      name: 'nod',
      duration: 1,
      morphs: [],
      tracks: [
        {
          joint: head === null ? 0 : character.skeleton.names.indexOf(head),
          channel: 'rotation',
          interpolation: 'linear',
          times: Float32Array.of(0, 0.5, 1),
          values: Float32Array.of(0, 0, 0, 1, 0.1, 0, 0, 0.995, 0, 0, 0, 1),
        },
      ],
    };
    const { bytes } = await write(scene, 0, [clip]);
    const [before, after] = [parseFbx(readData(file)), parseFbx(bytes)];
    expect(after.version).toBe(before.version);
    for (const [n, node] of before.nodes.entries()) {
      const now = after.nodes[n]!;
      expect(now.name).toBe(node.name);
      const rest = childrenOf(now).slice(0, childrenOf(node).length);
      if (['Objects', 'Connections', 'Takes'].includes(node.name))
        expect(rest.map(plain)).toEqual(childrenOf(node).map(plain));
      else if (node.name !== 'Definitions') expect(plain(now)).toEqual(plain(node));
    }
    expect(readFbx(bytes).characters[0]!.clips.map(({ name }) => name)).toEqual([take, 'nod']);
  });

  it.each(
    present([
      ['samples/formats/guy-walk.fbx', 'walk'],
      ['assimp/huesitos.fbx', 'Armature|Action'],
    ] as const),
  )('%s: a name that is taken gets a suffix and a warning', async (file, take) => {
    const scene = readFbx(readData(file));
    const { bytes, warnings } = await write(scene, 0, scene.characters[0]!.clips);
    expect(warnings.map(({ code }) => code)).toEqual(['clip-name-taken']);
    expect(readFbx(bytes).characters[0]!.clips.map(({ name }) => name)).toEqual([take, `${take} (2)`]);
  });

  it.skipIf(!hasData)('a file without takes gets its first (needs ../shared/data)', async () => {
    const scene = readFbx(readData('rocketbox/Dog_Beagle_01.fbx'));
    const { skeleton } = scene.characters[0]!;
    const times = Float32Array.from({ length: 31 }, (_, k) => k / 30);
    const values = new Float32Array(4 * 31);
    times.forEach((time, k) => {
      values[4 * k + 2] = Math.sin(time);
      values[4 * k + 3] = Math.cos(time);
    });
    const tracks: Clip['tracks'] = skeleton.names.map((_, joint) => ({
      joint,
      channel: 'rotation',
      interpolation: 'linear',
      times,
      values,
    }));
    const clip: Clip = { name: 'curl', duration: 1, tracks, morphs: [] };
    const back = readFbx((await write(scene, 0, [clip])).bytes).characters[0]!;
    const found = distance(scene.characters[0]!, clip, back, back.clips[0]!);
    expect(found.place).toBeLessThan(1e-5);
    expect(found.turn).toBeLessThan(0.01);
  });
});

describe('new files', () => {
  it.each(
    present([
      'samples/animals/dog.glb',
      'samples/characters/vrm0-sister.vrm',
      'samples/motions/walk.glb',
      'samples/captures/walk-cmu.bvh',
      'samples/captures/walk-lafan1.bvh',
      'misc/mannequiny-0.3.0.glb',
      'threejs/RobotExpressive.glb',
      'misc/kenney_character.glb',
      'quaternius/Enemy_2Legs.glb',
      'khronos/Fox.glb',
      'vrm/basic_armature_vrm1.vrm',
      'cmu/05_11.bvh',
      'makehuman/walk1.bvh',
      'misc/pybvh_test1.bvh',
    ]),
  )('%s: skeleton, clips and meshes come back, here and in three', async (file) => {
    const bytes = readData(file);
    const scene = file.endsWith('bvh') ? readBvh(bytes, { name: 'x' }) : await gltf.read(bytes, {});
    const { index, character } = mainOf(scene);
    const clips = character.clips.slice(0, 2);
    const written = await write(scene, index, clips);
    const again = readFbx(written.bytes);
    expect(again.characters.length).toBe(1);
    const back = again.characters[0]!;
    expect(back.skeleton.names).toEqual(character.skeleton.names);
    expect(back.skeleton.parents).toEqual(character.skeleton.parents);
    expect(back.clips.map(({ name }) => name)).toEqual(clips.map(({ name }) => name));
    clips.forEach((clip, n) => {
      const { place, turn } = distance(character, clip, back, back.clips[n]!);
      expect(place, clip.name).toBeLessThan(1e-5);
      expect(turn, clip.name).toBeLessThan(0.01);
    });
    const { declared } = character.skeleton;
    if (declared.up) expect(back.skeleton.declared.up).toBe(declared.up);
    if (declared.unit) expect(back.skeleton.declared.unit).toBeCloseTo(declared.unit, 9);

    const meshes = (await readMeshes(scene)).filter((mesh) => mesh.character === index);
    const theirs = await readMeshes(again);
    const triangles = (list: typeof meshes) => list.reduce((sum, mesh) => sum + mesh.triangles.length, 0);
    expect(triangles(theirs)).toBe(triangles(meshes));
    const { bind } = character.skeleton;
    if (bind && meshes.some(({ skin }) => skin)) {
      const [p, q] = [modelPoseOf(character.skeleton, bind), modelPoseOf(back.skeleton, back.skeleton.bind!)];
      const size = sizeOf(character.skeleton);
      for (let i = 12; i < p.matrices.length; i += 16)
        for (let c = 0; c < 3; c++)
          expect(Math.abs(p.matrices[i + c]! - q.matrices[i + c]!) / size).toBeLessThan(1e-5);
    }

    // three makes the joints of a second skinned mesh once more, and animates one of the two.
    if (meshes.filter(({ skin }) => skin).length > 1) return;
    const oracle = readWithThree(written.bytes);
    const isZUp = back.skeleton.declared.up === '+Z';
    for (const clip of clips) {
      const positions = positionsOf(
        oracle,
        oracle.clips.find(({ name }) => name === clip.name),
        clip.duration,
      );
      const { matrices } = modelPoseOf(character.skeleton, poseAt(character.skeleton, clip, clip.duration));
      character.skeleton.names.forEach((name, i) => {
        const p = positions.get(name);
        if (!p || character.skeleton.names.indexOf(name) !== i) return;
        const [x, y, z] = vectorAt(matrices, 16 * i + 12);
        // A file whose +Z is up is turned by three, to +Y.
        const [py, pz] = isZUp ? [-p.z, p.y] : [p.y, p.z];
        expect(Math.hypot(x - p.x, y - py, z - pz) / sizeOf(character.skeleton), name).toBeLessThan(1e-5);
      });
    }
  });

  it.each(
    present([
      'samples/animals/dog.glb',
      'samples/captures/kneel-lafan1.bvh',
      'khronos/Fox.glb',
      'mesh2motion/m2m-sample-rig.glb',
      'cmu/05_11.bvh',
    ]),
  )('%s: Babylon.js reads the same motion from what was written', async (file) => {
    const bytes = readData(file);
    const scene = file.endsWith('bvh') ? readBvh(bytes, { name: 'x' }) : await gltf.read(bytes, {});
    const { index, character } = mainOf(scene);
    const [clip] = character.clips;
    const written = await write(scene, index, [clip!]);
    // Keys: between them it has a frame rate of its own.
    const keys = clip!.tracks[0]!.times;
    const seconds = [0, keys[keys.length >> 1]!, clip!.duration];
    const theirs = await readWithBabylon(written.bytes, seconds);
    seconds.forEach((time, n) => {
      const { matrices } = modelPoseOf(character.skeleton, poseAt(character.skeleton, clip!, time));
      character.skeleton.names.forEach((name, i) => {
        const [x, y, z] = vectorAt(matrices, 16 * i + 12);
        const [px, py, pz] = theirs[n]!.get(name)!;
        const away = Math.hypot(x - px, y - py, z - pz) / sizeOf(character.skeleton);
        expect(away, `${name} at ${time}`).toBeLessThan(1e-5);
      });
    });
  });

  it('without meshes, an FBX target gives its skeleton alone', async () => {
    const scene = readFbx(readData('samples/formats/guy-walk.fbx'));
    const { bytes } = await write(scene, 0, scene.characters[0]!.clips, { meshes: false });
    const again = readFbx(bytes);
    expect(again.characters[0]!.skeleton.names).toEqual(scene.characters[0]!.skeleton.names);
    expect(await readMeshes(again)).toEqual([]);
    expect(bytes.length).toBeLessThan(readData('samples/formats/guy-walk.fbx').length / 2);
  });
});

describe('clips of any length', () => {
  const write2 = (times: number[]) => {
    const file = buildFbx();
    file.model('b', file.model('a'), { 'Lcl Translation': [0, 1, 0] });
    const scene = readFbx(file.binary());
    const half = Math.SQRT1_2;
    const values = Float32Array.of(0, 0, 0, 1, half, 0, 0, half, 0.5, 0.5, 0.5, 0.5).subarray(
      0,
      4 * times.length,
    );
    const track = { joint: 0, channel: 'rotation', interpolation: 'linear', values } as const;
    const clip: Clip = {
      name: 'long',
      duration: times[times.length - 1]!,
      tracks: [{ ...track, times: Float64Array.from(times) }],
      morphs: [],
    };
    return write(scene, 0, [clip]);
  };

  it.each([[[0, 1, 1e30]], [[-1e30, 0, 1]], [[0, 1, 1e9]]])(
    'keys at %s are refused in one sentence',
    async (times) => {
      await expect(write2(times)).rejects.toThrow(
        /clip "long" reaches .* s; an FBX file can hold up to 86400 s/,
      );
    },
  );

  it('hours between keys are written with keys enough, and no more', async () => {
    const { bytes } = await write2([0, 1, 40_000]);
    expect(bytes.length).toBeLessThan(1e6);
  });
});

describe('turns become angles', () => {
  const target = (properties: Record<string, number[]>) => {
    const file = buildFbx();
    const a = file.model('a', 0, properties);
    file.model('b', a, { 'Lcl Translation': [0, 1, 0] });
    return readFbx(file.binary());
  };
  const spin = (interpolation: 'linear' | 'step' | 'cubic'): Clip => {
    const half = Math.SQRT1_2;
    const keys = [
      [0, 0, 0, 1],
      [half, 0, 0, half],
      [0.5, 0.5, 0.5, 0.5],
      [0, half, 0, half],
    ];
    const values = keys.flatMap((q) => (interpolation === 'cubic' ? [0, 0, 0, 0, ...q, 0, 0, 0, 0] : q));
    return {
      name: 'spin',
      duration: 3,
      morphs: [],
      tracks: [
        {
          joint: 0,
          channel: 'rotation',
          interpolation,
          times: Float32Array.of(0, 1, 2, 3),
          values: Float32Array.from(values),
        },
      ],
    };
  };

  it.each([0, 1, 2, 3, 4, 5])(
    'in rotation order %d, with pre-rotation and pivots, through gimbal lock',
    async (order) => {
      const scene = target({
        RotationOrder: [order],
        PreRotation: [30, 40, 50],
        PostRotation: [5, 6, 7],
        RotationPivot: [1, 2, 3],
      });
      for (const kind of ['linear', 'cubic'] as const) {
        const clip = spin(kind);
        const back = readFbx((await write(scene, 0, [clip])).bytes).characters[0]!;
        for (let time = 0; time <= 3; time += 0.05) {
          const [p, q] = [
            poseAt(scene.characters[0]!.skeleton, clip, time),
            poseAt(back.skeleton, back.clips[0]!, time),
          ];
          expect((quaternionAngle(p.rotations, 0, q.rotations, 0) * 180) / Math.PI).toBeLessThan(0.02);
          for (let c = 0; c < 3; c++) expect(q.translations[c]!).toBeCloseTo(p.translations[c]!, 3);
        }
      }
    },
  );

  it('steps stay steps', async () => {
    const scene = target({});
    const back = readFbx((await write(scene, 0, [spin('step')])).bytes).characters[0]!;
    const [track] = back.clips[0]!.tracks;
    expect([track!.interpolation, ...track!.times]).toEqual(['step', 0, 1, 2, 3]);
  });

  it('morph weights go to the blend shapes of their names', async () => {
    const file = buildFbx();
    const a = file.model('a');
    file.model('b', a, { 'Lcl Translation': [0, 1, 0] });
    const face = file.model('face', a, {}, 'Mesh');
    const geometry = file.object('Geometry', 'shape', 'Mesh', []);
    const shapes = file.object('Deformer', 'shapes', 'BlendShape', []);
    const smile = file.object('Deformer', 'smile', 'BlendShapeChannel', []);
    file.connect(geometry, face);
    file.connect(shapes, geometry);
    file.connect(smile, shapes);
    const scene = readFbx(file.ascii());
    const times = Float32Array.of(0, 0.5, 1);
    const track = { interpolation: 'linear', times, values: Float32Array.of(0, 1, 0.25) } as const;
    const clip: Clip = {
      name: 'talk',
      duration: 1,
      tracks: [],
      morphs: [
        { mesh: 'face', morph: 'smile', ...track },
        { mesh: 'face', morph: 'frown', ...track },
      ],
    };
    const { bytes, warnings } = await write(scene, 0, [clip]);
    expect(warnings.map(({ code }) => code)).toEqual(['morph-dropped']);
    const [back] = readFbx(bytes).characters[0]!.clips;
    expect(back!.morphs.map(({ mesh, morph, values }) => [mesh, morph, ...values])).toEqual([
      ['face', 'smile', 0, 1, 0.25],
    ]);
  });
});
