import { readFileSync } from 'node:fs';
import {
  type Character,
  type Clip,
  chooseCharacter,
  copyPose,
  createRig,
  END,
  modelPoseOf,
  type Pose,
  type Role,
  type Scene,
  SKINNED,
  type Skeleton,
  sampleClip,
  subtractVectors,
  vectorAngle,
  vectorAt,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import {
  cataloguedJoints,
  DATA_FOLDER,
  dataFiles,
  describeData,
  hasData,
  present,
  readData,
  sampleFiles,
} from '../../../test/data-files.js';
import { readWithBabylon } from '../../../test/fbx-babylon.js';
import { type OracleScene, positionsOf, readWithThree } from '../../../test/fbx-loader.js';
import { readBvh } from '../../bvh/index.js';
import { FormatError } from '../../format-error.js';
import { gltf } from '../../gltf/index.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { encodeAscii } from '../write/encode-ascii.js';
import { encodeBinary } from '../write/encode-binary.js';
import { readFbx } from './read-fbx.js';
import { readFbxMeshes } from './read-meshes.js';

type Labels = Record<
  string,
  { kind: string; facing: string | null; up: string | null; roles?: Record<string, { name: string }> }
>;

const FILES = dataFiles(/\.fbx$/);
const ALL = [...sampleFiles(/\.fbx$/), ...FILES];
const labels: Labels = hasData ? JSON.parse(readFileSync(`${DATA_FOLDER}roles.json`, 'utf8')) : {};

const mainOf = (file: string): Character => {
  const scene = readFbx(readData(file), { name: file });
  return scene.characters[chooseCharacter(scene).character]!;
};

/** The largest extent of a pose along an axis, which is its height or its span. */
function sizeOf(skeleton: Skeleton, pose: Pose): number {
  const { matrices } = modelPoseOf(skeleton, pose);
  const extents = [12, 13, 14].map((place) => {
    const values = skeleton.names.map((_, i) => matrices[16 * i + place]!);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.max(...extents);
}

/** The farthest that a joint is from where another reader puts it, in parts of the body's size. */
function farthest(skeleton: Skeleton, pose: Pose, oracle: ReturnType<typeof positionsOf>): number {
  const { matrices } = modelPoseOf(skeleton, pose);
  let worst = 0;
  let found = 0;
  skeleton.names.forEach((name, i) => {
    const position = oracle.get(name);
    if (!position) return;
    found++;
    const [x, y, z] = vectorAt(matrices, 16 * i + 12);
    worst = Math.max(worst, Math.hypot(x - position.x, y - position.y, z - position.z));
  });
  expect(found).toBeGreaterThan(0.9 * skeleton.names.length);
  return worst / sizeOf(skeleton, pose);
}

const poseAt = (skeleton: Skeleton, clip: Clip, time: number): Pose => {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
};

describe('readFbx on our files, and on real ones where they are, beside other readers', () => {
  /*
   * What three's loader gets wrong: it does not know of scale that is not inherited once it moves
   * (maya_anim_no_inherit_scale), and multiplies the 0.01 of every joint of maya_human_ik along the chain,
   * which leaves a man of 14 cm; here he is 1.8 m tall.
   */
  // A file whose +Z is up is turned by it, to +Y.
  const isWrongInThree = (file: string) => /no_inherit_scale|human_ik|child-greeting/.test(file);

  it.each(
    [...sampleFiles(/\.fbx$/), ...FILES].filter((file) => !file.includes('z_up') && !isWrongInThree(file)),
  )('%s: joints are where three puts them, at rest and at keys', (file) => {
    const bytes = readData(file);
    const oracle: OracleScene = readWithThree(bytes);
    const { skeleton, clips } = mainOf(file);
    expect(farthest(skeleton, skeleton.rest, positionsOf(oracle))).toBeLessThan(1e-9);
    for (const clip of clips) {
      const theirs = oracle.clips.find(({ name }) => name === clip.name)!;
      for (const part of [0, 0.13, 0.25, 0.5, 0.77, 1]) {
        // Between keys the two differ by design: angles are interpolated here, quaternions there.
        const time = nearestKey(clip, part * clip.duration);
        const far = farthest(skeleton, poseAt(skeleton, clip, time), positionsOf(oracle, theirs, time));
        // Where keys are sparse, at other times for each joint (in the captures for each axis), some are between keys.
        const isKeyOfAll = clip.tracks.every(({ times }) => times.length < 2 || times.includes(time));
        const limit = isKeyOfAll && (part === 0 || !file.startsWith('cmu')) ? 1e-6 : 2e-3;
        expect(far, `${clip.name} at ${time}`).toBeLessThan(limit);
      }
    }
  });

  it.each(
    present([
      'samples/formats/guy-walk.fbx',
      'ufbx/maya_human_ik_7400_binary.fbx',
      'ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx',
      'ozz/walk.fbx',
    ]),
  )('%s: joints are where Babylon.js puts them', async (file) => {
    const bytes = readData(file);
    const { skeleton, clips } = mainOf(file);
    // Frames of both rates, 24 and 30: between keys it has other tangents (0.02 % of the body).
    const seconds = [0, 1 / 6, 0.5, 2 / 3, 1];
    const theirs = await readWithBabylon(bytes, seconds);
    seconds.forEach((time, n) => {
      const pose = clips[0] ? poseAt(skeleton, clips[0], time) : skeleton.rest;
      const { matrices } = modelPoseOf(skeleton, pose);
      skeleton.names.forEach((name, i) => {
        const away = subtractVectors(vectorAt(matrices, 16 * i + 12), theirs[n]!.get(name)!);
        expect(Math.hypot(...away) / sizeOf(skeleton, skeleton.rest), `${name} at ${time}`).toBeLessThan(
          1e-5,
        );
      });
    });
  });
});

describe('readFbx on all files', () => {
  it.each(ALL.filter((file) => readData(file).length < 340_000))(
    '%s is the same with 32 and 64 bits and as ASCII',
    (file) => {
      const bytes = readData(file);
      const { nodes, version } = parseFbx(bytes);
      const readAll = ({ characters, morphs, warnings }: Scene) => [characters, morphs, warnings];
      const expected = readAll(readFbx(bytes));
      for (const dressed of [
        encodeBinary(nodes, 7400),
        encodeBinary(nodes, 7700),
        encodeAscii(nodes, version),
      ])
        expect(readAll(readFbx(dressed))).toEqual(expected);
    },
  );

  it('meshes are whole: triangles, unit normals, weights that sum to one', () => {
    for (const file of ALL) {
      const scene = readFbx(readData(file));
      for (const mesh of readFbxMeshes(scene)) {
        const count = mesh.positions.length / 3;
        expect(Math.max(...mesh.triangles), file).toBeLessThan(count);
        // This one's normals are of other points, so that there are none.
        expect(mesh.normals === null, file).toBe(file.endsWith('Geno.fbx'));
        for (let v = 0; v < count; v++) {
          if (mesh.normals) expect(Math.hypot(...vectorAt(mesh.normals, 3 * v))).toBeCloseTo(1, 4);
          if (!mesh.skin) continue;
          const sum = mesh.skin.weights.subarray(4 * v, 4 * v + 4).reduce((a, b) => a + b, 0);
          if (Math.abs(sum - 1) > 1e-5) expect(sum, `${file} vertex ${v}`).toBeCloseTo(1, 5);
        }
      }
    }
  });
});

describeData('readFbx on real files (needs ../shared/data)', () => {
  it('reads every FBX of the folder', () => {
    expect(FILES.length).toBe(15);
    for (const file of FILES) {
      const scene = readFbx(readData(file), { name: file });
      expect(scene.format).toBe('fbx');
      // A file of a cube, a lamp and a camera has no body.
      expect(scene.characters.length, file).toBe(file.includes('z_up') ? 0 : 1);
    }
  });

  it.each(FILES.filter((file) => !file.includes('z_up')))('%s has the joints of the catalogue', (file) => {
    const { skeleton } = mainOf(file);
    const limbs = cataloguedJoints(file)!;
    // Plain nodes above the joints are part of a skeleton and not of the catalogue's count.
    expect(skeleton.names.length).toBeGreaterThanOrEqual(limbs);
    expect(skeleton.names.length).toBeLessThanOrEqual(limbs + 2);
    expect(new Set(skeleton.names).size).toBe(skeleton.names.length);
  });

  it.each(FILES.filter((file) => labels[file]?.kind === 'humanoid'))('W8: %s plays its roles', (file) => {
    const { skeleton, clips } = mainOf(file);
    const rig = createRig(skeleton, { clips });
    const wrong = Object.entries(labels[file]!.roles!).filter(([role, { name }]) => {
      const joint = rig.joints[role as Role];
      return joint === undefined || skeleton.names[joint] !== name;
    });
    // Labels allow an alternative here and there (`alt:` in their notes).
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(2);
  });

  it('segment scale compensation: joints of one scale each do not shrink along the chain', () => {
    const { skeleton } = mainOf('ufbx/maya_human_ik_7400_binary.fbx');
    // Metres: UnitScaleFactor is 100.
    expect(skeleton.declared.unit).toBe(1);
    expect(sizeOf(skeleton, skeleton.rest)).toBeCloseTo(1.8, 1);
  });

  it('segment scale compensation: a parent that grows moves its child and does not make it grow', () => {
    const { skeleton, clips } = mainOf('ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx');
    const clip = clips[0]!;
    const modelScale = (pose: Pose, joint: number) => {
      const { matrices } = modelPoseOf(skeleton, pose);
      return [0, 4, 8].map((column) => Math.hypot(...vectorAt(matrices, 16 * joint + column)));
    };
    let grows = 0;
    for (let frame = 0; frame <= 24; frame++) {
      const pose = poseAt(skeleton, clip, frame / 24);
      const parent = modelScale(pose, 0);
      grows = Math.max(grows, Math.abs(parent[0]! - 1));
      // The child has its own scale alone, whatever its parent's, where it has any of its own.
      const child = skeleton.names.indexOf('joint4');
      const own = modelScale(pose, child);
      const straight = modelScale(skeleton.rest, child);
      own.forEach((value, c) => {
        expect(value).toBeCloseTo(straight[c]!, 4);
      });
    }
    expect(grows).toBeGreaterThan(0.4);
  });

  it('rest and bind are the poses that their author published as BVH', () => {
    const { skeleton } = mainOf('misc/Geno.fbx');
    for (const [pose, name] of [
      [skeleton.bind!, 'Geno_bind'],
      [skeleton.rest, 'Geno_stance'],
    ] as const) {
      const published = readBvh(readData(`misc/${name}.bvh`), { name }).characters[0]!;
      const theirs = modelPoseOf(published.skeleton, poseAt(published.skeleton, published.clips[0]!, 0));
      const ours = modelPoseOf(skeleton, pose);
      skeleton.names.forEach((joint, i) => {
        const j = published.skeleton.names.indexOf(joint);
        const [p, q] = [vectorAt(ours.matrices, 16 * i + 12), vectorAt(theirs.matrices, 16 * j + 12)];
        // Centimetres, of 170.
        expect(Math.hypot(...subtractVectors(p, q)), `${name} ${joint}`).toBeLessThan(1e-5);
      });
    }
  });

  it('files that were saved in their bind pose say so', () => {
    for (const file of [
      'rocketbox/Male_Adult_18.fbx',
      'rocketbox/Dog_Beagle_01.fbx',
      'assimp/huesitos.fbx',
    ]) {
      const { skeleton } = mainOf(file);
      expect(
        skeleton.flags.some((flag) => flag & SKINNED),
        file,
      ).toBe(true);
      const away = skeleton.bind!.translations.map((value, i) =>
        Math.abs(value - skeleton.rest.translations[i]!),
      );
      expect(Math.max(...away) / sizeOf(skeleton, skeleton.rest), file).toBeLessThan(1e-4);
    }
  });

  it('hulls enclose the body: soles under the feet, hair over the head', () => {
    const { skeleton } = mainOf('rocketbox/Male_Adult_18.fbx');
    const rig = createRig(skeleton);
    const { matrices } = modelPoseOf(rig.skeleton, rig.skeleton.rest);
    const reach = (role: Role) => {
      const joint = rig.joints[role]!;
      const hull = skeleton.hulls![joint]!;
      const heights: number[] = [];
      for (let i = 0; i < hull.length; i += 3)
        heights.push(
          matrices[16 * joint + 1]! * hull[i]! +
            matrices[16 * joint + 5]! * hull[i + 1]! +
            matrices[16 * joint + 9]! * hull[i + 2]! +
            matrices[16 * joint + 13]!,
        );
      return { low: Math.min(...heights), high: Math.max(...heights), at: matrices[16 * joint + 13]! };
    };
    expect(reach('leftFoot').low).toBeLessThan(reach('leftFoot').at - 0.04);
    expect(Math.abs(reach('leftFoot').low)).toBeLessThan(0.03);
    expect(reach('head').high).toBeGreaterThan(reach('head').at + 0.1);
  });

  it('ends of bones are ends: Nubs of 3ds Max, _end of Blender', () => {
    const max = mainOf('rocketbox/f_cheer_03.max.fbx').skeleton;
    max.names.forEach((name, i) => {
      if (/Nub$/.test(name)) expect(max.flags[i], name).toBe(END);
    });
    const blender = mainOf('assimp/huesitos.fbx').skeleton;
    expect(blender.names.filter((_, i) => blender.flags[i]! & END)).toEqual(['Bone.006_end', 'Bone.008_end']);
  });

  it('a take is as long as it says, whatever keys lie beyond', () => {
    const scene = readFbx(readData('ozz/walk.fbx'));
    expect(scene.characters[0]!.clips[0]!.duration).toBeCloseTo(4 / 3, 5);
    expect(scene.warnings.map(({ message }) => message).join()).toMatch(/reach from 0\.00 s to 1\.90 s/);
  });

  it('a skinned mesh stands around its joints in the bind pose', () => {
    const scene = readFbx(readData('misc/Geno.fbx'));
    const { skeleton } = scene.characters[0]!;
    const [mesh] = readFbxMeshes(scene);
    const { matrices } = modelPoseOf(skeleton, skeleton.bind!);
    let high = Number.NEGATIVE_INFINITY;
    let low = Number.POSITIVE_INFINITY;
    for (let v = 0; v < mesh!.positions.length / 3; v++) {
      const joint = mesh!.skin!.joints[4 * v]!;
      const inverse = mesh!.skin!.inverseBinds.subarray(16 * joint, 16 * joint + 16);
      const [x, y, z] = vectorAt(mesh!.positions, 3 * v);
      const p = [0, 1, 2].map(
        (r) => inverse[r]! * x + inverse[4 + r]! * y + inverse[8 + r]! * z + inverse[12 + r]!,
      );
      const m = matrices.subarray(16 * joint, 16 * joint + 16);
      const height = m[1]! * p[0]! + m[5]! * p[1]! + m[9]! * p[2]! + m[13]!;
      high = Math.max(high, height);
      low = Math.min(low, height);
    }
    expect(low).toBeGreaterThan(-2);
    expect(low).toBeLessThan(2);
    expect(high).toBeGreaterThan(165);
    expect(high).toBeLessThan(190);
  });

  it.each(['91_48', '91_50'])('Pair B: %s as FBX and as BVH moves limbs alike', (name) => {
    const fbx = mainOf(`cmu/${name}.daz.fbx`);
    const bvh = readBvh(readData(`cmu/${name}.bvh`), { name }).characters[0]!;
    const sides = [fbx, bvh].map(({ skeleton, clips }) => ({
      rig: createRig(skeleton, { clips }),
      clip: clips[0]!,
    }));
    const bones = ['left', 'right'].flatMap((side) =>
      [
        ['UpperArm', 'LowerArm'],
        ['UpperLeg', 'LowerLeg'],
        ['LowerLeg', 'Foot'],
      ].map(([a, b]) => [`${side}${a}`, `${side}${b}`] as [Role, Role]),
    );
    const sums = bones.map(() => 0);
    let count = 0;
    for (let time = 0.1; time < 3.5; time += 0.1, count++)
      bones.forEach(([a, b], n) => {
        const [first, second] = sides.map(({ rig, clip }) => {
          const { matrices } = modelPoseOf(rig.skeleton, poseAt(rig.skeleton, clip, time));
          return subtractVectors(
            vectorAt(matrices, 16 * rig.joints[b]! + 12),
            vectorAt(matrices, 16 * rig.joints[a]! + 12),
          );
        });
        sums[n]! += (vectorAngle(first!, second!) * 180) / Math.PI;
      });
    // The catalogue: 2 to 10 degrees, on average over limbs.
    const means = sums.map((sum) => sum / count);
    expect(means.reduce((a, b) => a + b) / means.length).toBeLessThan(10);
    for (const mean of means) expect(mean).toBeLessThan(12);
  });

  it('Pair G: one character as FBX and as VRM has limbs in the same directions', async () => {
    const name = '100avatars/100Avatars_003_Jimmy';
    const vrm = (await gltf.read(readData(`${name}.vrm`), {})).characters[0]!;
    const rigs = [mainOf(`${name}.fbx`), vrm].map(({ skeleton }) => createRig(skeleton));
    for (const [a, b] of [
      ['hips', 'neck'],
      ['leftUpperArm', 'leftLowerArm'],
      ['rightLowerArm', 'rightHand'],
      ['leftUpperLeg', 'leftLowerLeg'],
      ['rightLowerLeg', 'rightFoot'],
    ] as const) {
      expect(rigs[0]!.skeleton.names[rigs[0]!.joints[a]!]).toBe(rigs[1]!.skeleton.names[rigs[1]!.joints[a]!]);
      const [first, second] = rigs.map(({ skeleton, joints }) => {
        const { matrices } = modelPoseOf(skeleton, skeleton.rest);
        return subtractVectors(
          vectorAt(matrices, 16 * joints[b]! + 12),
          vectorAt(matrices, 16 * joints[a]! + 12),
        );
      });
      expect((vectorAngle(first!, second!) * 180) / Math.PI, a).toBeLessThan(4);
    }
  });

  it('a clip is left out of no character, and none is empty of times', () => {
    for (const file of FILES)
      for (const { clips } of readFbx(readData(file)).characters)
        for (const clip of clips)
          for (const { times, values } of clip.tracks) {
            expect(times.length).toBeGreaterThan(0);
            for (let k = 1; k < times.length; k++) expect(times[k]!).toBeGreaterThan(times[k - 1]!);
            expect(times[times.length - 1]!).toBeLessThanOrEqual(clip.duration + 1e-6);
            expect(values.every(Number.isFinite)).toBe(true);
          }
  });
});

/** The time of the key nearest to a time, of the densest track. */
function nearestKey({ tracks, duration }: Clip, time: number): number {
  let densest: ArrayLike<number> = [0];
  for (const { times } of tracks) if (times.length > densest.length) densest = times;
  let nearest = 0;
  for (const key of Array.from(densest)) if (Math.abs(key - time) < Math.abs(nearest - time)) nearest = key;
  return Math.min(nearest, duration);
}

describe('readFbx on files that are none', () => {
  const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

  it.each([
    [
      '; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n}',
      /FBX 6\.1, a format of before 2011/,
    ],
    ['Kaydara FBX Binary  \x00\x1a\x00\xd4\x17\x00\x00', /FBX 6\.1, a format of before 2011/],
    ['Kaydara FBX Binary  \x00\x1a\x00', /found the end of the file/],
    ['Kaydara FBX Binary  \x00\x1a\x00\xe8\x1c\x00\x00', /found a file without records/],
    ['; FBX 7.4.0 project file\n', /found a file without records/],
    [
      '; FBX 7.4.0 project file\nObjects:  {\n',
      /found the end of the file; expected the \} that ends a record/,
    ],
    ['; FBX 7.4.0 project file\nObjects:  {\n\tModel: 1, "M\n}', /a text that ends with a quotation mark/],
    ['; FBX 7.4.0 project file\nA: *3 {\n\ta: 1,2\n}', /line 2: found 2 numbers in an array; expected 3/],
    [`; FBX 7.4.0 project file\n${'A:  {\n'.repeat(100)}`, /records in each other/],
  ])('%j', (text, message) => {
    expect(() => readFbx(bytesOf(text))).toThrow(FormatError);
    expect(() => readFbx(bytesOf(text))).toThrow(message);
  });
});
