import { readFileSync } from 'node:fs';
import {
  type Clip,
  composeMatrix,
  copyPose,
  createMatrix,
  createModelPose,
  createRig,
  createSkeleton,
  END,
  JOINT,
  type JointDescription,
  localToModel,
  modelPoseOf,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionAngle,
  type Skeleton,
  sampleClip,
  type Track,
  UsageError,
} from '@stuntdouble/core/engine';
import { AnimationMixer, Vector3 } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';
import { describe, expect, it } from 'vitest';
import { allFiles, pathOf } from '../../test/data-files.js';
import { gltf } from '../gltf/index.js';
import { EULER_ORDERS } from '../shared/euler.js';
import { bvh, readBvh, writeBvh } from './index.js';
import { parseBvh } from './parse-bvh.js';

const files = allFiles(/\.bvh$/);

type Animated = { skeleton: Skeleton; clip: Clip };

/** The one character of a text, with its clip. */
function reread(text: string): Animated {
  const scene = readBvh(text);
  expect(scene.warnings.map((warning) => warning.code)).not.toContain('file-repaired');
  expect(scene.characters).toHaveLength(1);
  const { skeleton, clips } = scene.characters[0]!;
  return { skeleton, clip: clips[0]! };
}

/** Model-space rotations and positions at a time; turns are from the rest pose. */
function modelAt({ skeleton, clip }: Animated, time: number) {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  const model = createModelPose(skeleton.names.length);
  localToModel(model, skeleton, pose);
  const rest = modelPoseOf(skeleton, skeleton.rest);
  const turns = new Float64Array(model.rotations.length);
  for (let i = 0; i < skeleton.names.length; i++) {
    const inverse = Float64Array.of(
      -rest.rotations[4 * i]!,
      -rest.rotations[4 * i + 1]!,
      -rest.rotations[4 * i + 2]!,
      rest.rotations[4 * i + 3]!,
    );
    multiplyQuaternions(turns, 4 * i, model.rotations, 4 * i, inverse, 0);
  }
  return { turns, position: (i: number) => model.matrices.subarray(16 * i + 12, 16 * i + 15) };
}

/** The largest extent of a body at rest, in model space. */
function heightOf(skeleton: Skeleton): number {
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  return Math.max(
    ...[12, 13, 14].map((c) => {
      const along = skeleton.names.map((_, i) => matrices[16 * i + c]!);
      return Math.max(...along) - Math.min(...along);
    }),
  );
}

/**
 * Expects the joints named in both to be at the same places and to have turned the same way from rest,
 * positions within a share of the body's height, rotations in degrees.
 */
function expectSameMotion(
  a: Animated,
  b: Animated,
  scale = 1,
  limits = { place: 1e-5, degrees: 0.01 },
): void {
  const pairs = a.skeleton.names.flatMap((name, i) => {
    const j = b.skeleton.names.indexOf(name);
    return a.skeleton.flags[i]! & (JOINT | END) && j >= 0 ? [[i, j] as const] : [];
  });
  const joints = Array.from(a.skeleton.flags).filter((flag) => flag & JOINT).length;
  expect(pairs.length).toBeGreaterThanOrEqual(joints);
  const height = heightOf(a.skeleton);
  let place = 0;
  let turn = 0;
  for (let k = 0; k <= 40; k++) {
    // At the frames themselves: between them programs interpolate as they like.
    const times = b.clip.tracks[0]!.times;
    const n = Math.round((k / 40) * (times.length - 1));
    const own = a.clip.tracks.find((track) => track.times.length === times.length);
    const here = modelAt(a, own ? own.times[n]! : times[n]!);
    const there = modelAt(b, times[n]!);
    for (const [i, j] of pairs) {
      const p = here.position(i);
      const q = there.position(j);
      place = Math.max(
        place,
        Math.hypot(p[0]! - q[0]! / scale, p[1]! - q[1]! / scale, p[2]! - q[2]! / scale),
      );
      turn = Math.max(turn, quaternionAngle(here.turns, 4 * i, there.turns, 4 * j));
    }
  }
  expect(place).toBeLessThan(limits.place * height);
  expect((turn * 180) / Math.PI).toBeLessThan(limits.degrees);
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function randomRotation(random: () => number): Float64Array {
  const q = Float64Array.of(random(), random(), random(), random());
  normalizeQuaternion(q, 0, q, 0);
  return q;
}

/**
 * A character as exporters leave it: centimetres under an armature of scale 0.01 that is turned upright, a
 * plain node between, rest rotations of any kind, in a container that faces the other way.
 */
function character(seed: number, change: (joint: JointDescription, index: number) => void = () => {}) {
  const random = createRandom(seed);
  const names = [
    'Scene',
    'Armature',
    'Hips',
    'Spine',
    'between',
    'Head',
    'Arm',
    'Hand',
    'Leg',
    'Foot',
    'Tip',
  ];
  const parents = [-1, 0, 1, 2, 3, 4, 3, 6, 2, 8, 9];
  const joints: JointDescription[] = names.map((name, i) => ({
    name,
    parent: parents[i]!,
    translation: i < 2 ? [0.1 * random(), 0, 0.2] : [20 * random(), 20 * random(), 20 * random()],
    rotation: i === 0 ? [0, 0, 0, 1] : i === 1 ? [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] : randomRotation(random),
    scale: i === 1 ? [0.01, 0.01, 0.01] : [1, 1, 1],
    flags: i < 2 || name === 'between' ? 0 : name === 'Tip' ? END : JOINT,
  }));
  joints.forEach(change);
  const container = createMatrix();
  composeMatrix(
    container,
    0,
    Float64Array.of(0.3, 0, -0.2),
    0,
    Float64Array.of(0, 1, 0, 0),
    0,
    Float64Array.of(1.5, 1.5, 1.5),
    0,
  );
  const { skeleton } = createSkeleton('character', joints, { container });
  const times = Float32Array.from({ length: 31 }, (_, k) => k / 30);
  const tracks: Track[] = skeleton.names.flatMap((name, joint) => {
    if (name === 'Scene' || name === 'Tip' || name === 'between') return [];
    const values = new Float32Array(4 * times.length);
    const q = randomRotation(random);
    const step = Float64Array.of(0.1 * random(), 0.1 * random(), 0.1 * random(), 1);
    normalizeQuaternion(step, 0, step, 0);
    for (let k = 0; k < times.length; k++) {
      values.set(q, 4 * k);
      multiplyQuaternions(q, 0, q, 0, step, 0);
    }
    return [{ joint, channel: 'rotation', interpolation: 'linear', times, values }];
  });
  const hips = skeleton.names.indexOf('Hips');
  const travel = Float32Array.from({ length: 93 }, (_, n) => 40 * Math.sin(n / 11) + random());
  tracks.push({ joint: hips, channel: 'translation', interpolation: 'linear', times, values: travel });
  const clip: Clip = { name: 'walk', duration: 1, tracks, morphs: [] };
  return { skeleton, clip };
}

const rootLine = (text: string) =>
  text
    .split('\n')
    .find((line) => line.includes('CHANNELS'))!
    .trim();

describe('writeBvh: a character with a scaled, turned armature', () => {
  it.each([1, 2, 3, 4, 5])('puts every joint where it was, in metres (W2), seed %i', (seed) => {
    const original = character(seed);
    expectSameMotion(original, reread(writeBvh(original.skeleton, original.clip, { unit: 'm' })));
  });

  it('writes centimetres if not asked', () => {
    const original = character(6);
    expectSameMotion(original, reread(writeBvh(original.skeleton, original.clip)), 100);
  });

  it.each(EULER_ORDERS)('writes rotations in order %s (S22)', (order) => {
    const original = character(7);
    const text = writeBvh(original.skeleton, original.clip, { unit: 'm', order });
    expect(rootLine(text)).toBe(
      `CHANNELS 6 Xposition Yposition Zposition ${[...order].map((axis) => `${axis}rotation`).join(' ')}`,
    );
    expectSameMotion(original, reread(text));
  });

  it('shows the reference pose where all angles are zero', () => {
    const original = character(8);
    const { skeleton } = reread(writeBvh(original.skeleton, original.clip, { unit: 'm' }));
    const rest = modelPoseOf(original.skeleton, original.skeleton.rest);
    const zero = modelPoseOf(skeleton, skeleton.rest);
    const hips = original.skeleton.names.indexOf('Hips');
    skeleton.names.forEach((name, j) => {
      const i = original.skeleton.names.indexOf(name);
      if (i < 0 || !(original.skeleton.flags[i]! & JOINT)) return;
      for (const c of [12, 13, 14])
        expect(zero.matrices[16 * j + c]).toBeCloseTo(
          rest.matrices[16 * i + c]! - rest.matrices[16 * hips + c]!,
          6,
        );
    });
    const reference = copyPose(original.skeleton.rest);
    sampleClip(reference, original.clip, 0.5);
    const posed = reread(writeBvh(original.skeleton, original.clip, { unit: 'm', reference }));
    const middle = modelAt(posed, 0.5);
    for (let i = 0; i < posed.skeleton.names.length; i++)
      expect(quaternionAngle(middle.turns, 4 * i, Float64Array.of(0, 0, 0, 1), 0)).toBeLessThan(1e-5);
  });

  it('drops the nodes above the first joint, keeps those between, and has positions on the root alone', () => {
    const { skeleton, clip } = character(9);
    const text = writeBvh(skeleton, clip);
    const names = reread(text).skeleton.names;
    expect(names[0]).toBe('Hips');
    expect(names).toContain('between');
    expect(names).not.toContain('Armature');
    expect(text.match(/CHANNELS 6/g)).toHaveLength(1);
  });

  it('says exactly where joints go that stretch, scale or are scaled unevenly', () => {
    const stretched = character(10);
    const times = Float32Array.of(0, 1);
    const arm = stretched.skeleton.names.indexOf('Arm');
    stretched.clip.tracks.push({
      joint: arm,
      channel: 'translation',
      interpolation: 'linear',
      times,
      values: Float32Array.of(1, 2, 3, 30, -20, 10),
    });
    const scaled = character(11);
    scaled.clip.tracks.push({
      joint: scaled.skeleton.names.indexOf('Spine'),
      channel: 'scale',
      interpolation: 'linear',
      times,
      values: Float32Array.of(1, 1, 1, 2, 2, 2),
    });
    const uneven = character(12, (joint) => {
      if (joint.name === 'Spine') joint.scale = [1, 2, 0.5];
    });
    for (const original of [stretched, scaled, uneven]) {
      const text = writeBvh(original.skeleton, original.clip, { unit: 'm', frameRate: 30 });
      expect(text).not.toMatch(/CHANNELS 3/);
      expectSameMotion(original, reread(text));
    }
  });

  it('takes mirrored nodes as what they are', () => {
    const original = character(13, (joint) => {
      if (joint.name === 'Arm') joint.scale = [-1, 1, 1];
    });
    expectSameMotion(original, reread(writeBvh(original.skeleton, original.clip, { unit: 'm' })));
  });

  it('puts several roots under one', () => {
    const original = character(14, (joint) => {
      if (joint.name === 'Leg') joint.parent = 1;
    });
    const text = writeBvh(original.skeleton, original.clip, { unit: 'm' });
    expect(text.match(/ROOT/g)).toHaveLength(1);
    expectSameMotion(original, reread(text));
  });

  it('is read alike by three, which adds positions to OFFSETs', () => {
    const original = character(15);
    const text = writeBvh(original.skeleton, original.clip, { unit: 'm' });
    const { skeleton, clip } = new BVHLoader().parse(text);
    const mixer = new AnimationMixer(skeleton.bones[0]!);
    mixer.clipAction(clip).play();
    mixer.setTime(0.5);
    skeleton.bones[0]!.updateMatrixWorld(true);
    const here = modelAt(original, 0.5);
    let compared = 0;
    for (const bone of skeleton.bones) {
      const i = original.skeleton.names.indexOf(bone.name);
      if (i < 0) continue;
      compared++;
      const at = new Vector3().setFromMatrixPosition(bone.matrixWorld);
      expect(Array.from(here.position(i))).toEqual([at.x, at.y, at.z].map((x) => expect.closeTo(x, 5)));
    }
    expect(compared).toBe(8);
  });
});

describe('writeBvh: edges', () => {
  const still: Clip = { name: 'still', duration: 0, tracks: [], morphs: [] };

  it('makes names of one word each, none empty and none twice (R11)', () => {
    const { skeleton } = createSkeleton('names', [
      { name: 'Bip01 L Thigh', parent: -1 },
      { name: 'same', parent: 0 },
      { name: 'same', parent: 1 },
      { name: '', parent: 1 },
      { name: 'a{b}\tc\n', parent: 1 },
      { name: 'mixamorig:Hüfte.L', parent: 1 },
    ]);
    expect(reread(writeBvh(skeleton, still)).skeleton.names.filter((name) => !name.endsWith('_end'))).toEqual(
      ['Bip01_L_Thigh', 'same', 'same_2', 'joint_3', 'a_b_c', 'mixamorig:Hüfte.L'],
    );
  });

  it('gives leaves an end site, and end sites no joint', () => {
    const { skeleton } = createSkeleton('ends', [
      { name: 'a', parent: -1 },
      { name: 'b', parent: 0 },
      { name: 'tip', parent: 0, flags: END, translation: [1, 2, 3] },
    ]);
    const text = writeBvh(skeleton, still, { unit: 'm' });
    expect(text.match(/End Site/g)).toHaveLength(2);
    expect(text).not.toContain('tip');
    expect(text).toContain('OFFSET 1.00000000 2.00000000 3.00000000');
  });

  it('makes a joint of an end site that moves', () => {
    const { skeleton } = createSkeleton('ends', [
      { name: 'a', parent: -1 },
      { name: 'tip', parent: 0, flags: END, translation: [1, 2, 3] },
    ]);
    const times = Float32Array.of(0, 1);
    const values = Float32Array.of(1, 2, 3, 2, 3, 4);
    const clip: Clip = {
      name: 'reach',
      duration: 1,
      tracks: [{ joint: 1, channel: 'translation', interpolation: 'linear', times, values }],
      morphs: [],
    };
    const again = reread(writeBvh(skeleton, clip, { unit: 'm' }));
    expect(again.skeleton.names).toEqual(['a', 'tip', 'tip_end']);
    expectSameMotion({ skeleton, clip }, again);
  });

  it('writes a clip without keys as one frame of the rest pose', () => {
    const { skeleton } = character(16);
    const { clip } = reread(writeBvh(skeleton, still));
    expect(clip.tracks[0]!.times).toHaveLength(1);
  });

  it('writes an empty skeleton, one joint alone, and one of no size', () => {
    for (const joints of [
      [],
      [{ name: 'a', parent: -1 }],
      [
        { name: 'a', parent: -1 },
        { name: 'b', parent: 0 },
      ],
    ])
      expect(reread(writeBvh(createSkeleton('tiny', joints).skeleton, still)).clip).toBeDefined();
  });

  it('lets nothing that is not finite through', () => {
    const { skeleton, clip } = character(17);
    clip.tracks[0]!.values.fill(Number.NaN);
    skeleton.rest.translations[10] = Number.POSITIVE_INFINITY;
    expect(writeBvh(skeleton, clip)).not.toMatch(/nan|inf/i);
  });

  it('bakes sparse and curved keys at 30 frames a second at least, and at any rate asked for', () => {
    const { skeleton } = character(18);
    const clip: Clip = {
      name: 'sparse',
      duration: 2,
      morphs: [],
      tracks: [
        {
          joint: 3,
          channel: 'rotation',
          interpolation: 'cubic',
          times: Float32Array.of(0, 2),
          values: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
        },
      ],
    };
    expect(writeBvh(skeleton, clip)).toContain('Frames: 61\nFrame Time: 0.033333333\n');
    const text = writeBvh(skeleton, clip, { frameRate: 50, unit: 'm' });
    expect(text).toContain('Frames: 101\nFrame Time: 0.02\n');
    expectSameMotion({ skeleton, clip }, reread(text));
  });

  it('keeps the moments of even linear keys, whatever their rate', () => {
    const { skeleton, clip } = character(19);
    for (const track of clip.tracks) track.times = track.times.map((time) => (time * 30) / 12.5);
    clip.duration = 30 / 12.5;
    expect(writeBvh(skeleton, clip)).toContain('Frames: 31\nFrame Time: 0.08\n');
  });

  it('has the frames of most tracks where others have keys in between', () => {
    const { skeleton, clip } = character(19);
    const framesOf = (of: Clip) => /Frames: (\d+)/.exec(writeBvh(skeleton, of))?.[1];
    const [first, ...others] = clip.tracks;
    const keyedAt = (times: number[]): Track => ({
      ...first!,
      times: Float32Array.from(times),
      values: Float32Array.from(
        times.flatMap((time) => [...first!.values.slice(4 * Math.floor(30 * time))].slice(0, 4)),
      ),
    });
    const between = [...first!.times, 0.25, 0.26, 0.71].sort((a, b) => a - b);
    expect(framesOf({ ...clip, tracks: [keyedAt(between), ...others] })).toBe('31');
    // Keys at other moments are no frames with keys added.
    const elsewhere = Array.from({ length: 51 }, (_, k) => k / 50);
    expect(framesOf({ ...clip, tracks: [keyedAt(elsewhere), ...others] })).toBe('61');
    // Nor are three poses a second.
    const slow = [keyedAt(between), ...others].map((track) => ({
      ...track,
      times: track.times.map((time) => 10 * time),
    }));
    expect(framesOf({ ...clip, duration: 10, tracks: slow })).toBe('301');
  });

  it('refuses options that make no sense', () => {
    const { skeleton, clip } = character(20);
    expect(() => writeBvh(skeleton, clip, { frameRate: 0 })).toThrow(UsageError);
    expect(() => writeBvh(skeleton, clip, { frameRate: Number.NaN })).toThrow(UsageError);
    expect(() => writeBvh(skeleton, clip, { order: 'ZXZ' as 'ZXY' })).toThrow(UsageError);
    expect(() => writeBvh(skeleton, clip, { unit: 'km' as 'm' })).toThrow(UsageError);
    expect(() => writeBvh(skeleton, { ...clip, duration: 1e7 }, { frameRate: 1000 })).toThrow(UsageError);
  });
});

describe('the bvh format: writing', () => {
  it('writes the first clip and says what it leaves out', async () => {
    const { skeleton, clip } = character(21);
    const face = {
      mesh: 'Face',
      morph: 'smile',
      interpolation: 'linear',
      times: new Float32Array(1),
      values: new Float32Array(1),
    } as const;
    const { bytes, warnings } = await bvh.write!(
      {
        scene: {
          format: 'glb',
          name: 'hero',
          characters: [{ skeleton, clips: [] }],
          morphs: [],
          document: null,
          warnings: [],
        },
        character: 0,
        clips: [{ ...clip, morphs: [face] }, clip],
      },
      { extension: 'bvh' },
    );
    expect(warnings.map((warning) => warning.code)).toEqual(['clip-dropped', 'morph-dropped']);
    const rig = createRig(skeleton);
    expectSameMotion({ skeleton: rig.skeleton, clip }, reread(new TextDecoder().decode(bytes)), 100);
  });

  it('refuses a character that is not there', async () => {
    const scene = readBvh('HIERARCHY ROOT A { OFFSET 0 0 0 } MOTION Frames: 0 Frame Time: 1');
    await expect(bvh.write!({ scene, character: 3, clips: [] }, { extension: 'bvh' })).rejects.toThrow(
      UsageError,
    );
  });

  it('keeps other roots of the file as they were, and adds channels only where needed', async () => {
    const scene = readBvh(
      `HIERARCHY
       ROOT A { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition JOINT A1 { OFFSET 0 1 0 } }
       ROOT B { OFFSET 0 0 0 CHANNELS 4 Yrotation Xposition Yposition Zposition JOINT B1 { OFFSET 0 2 0 CHANNELS 0 } }
       MOTION Frames: 2 Frame Time: 0.5
       1 2 3 10 4 5 6
       1 2 3 20 7 8 9`,
    );
    const other = scene.characters[1]!;
    const turned: Clip = {
      name: 'turned',
      duration: 0.5,
      morphs: [],
      tracks: [
        {
          joint: 1,
          channel: 'rotation',
          interpolation: 'linear',
          times: Float32Array.of(0, 0.5),
          values: Float32Array.of(0, 0, 0, 1, 1, 0, 0, 0),
        },
      ],
    };
    const { bytes } = await bvh.write!({ scene, character: 0, clips: [turned] }, { extension: 'bvh' });
    const again = readBvh(bytes);
    expect(again.warnings).toEqual([]);
    expect(again.characters[1]!.skeleton.names).toEqual(other.skeleton.names);
    expectSameMotion(
      { skeleton: other.skeleton, clip: other.clips[0]! },
      { skeleton: again.characters[1]!.skeleton, clip: again.characters[1]!.clips[0]! },
    );
    expectSameMotion(
      { skeleton: scene.characters[0]!.skeleton, clip: turned },
      { skeleton: again.characters[0]!.skeleton, clip: again.characters[0]!.clips[0]! },
    );
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain('CHANNELS 3 Xposition Yposition Zposition\n');
    expect(text).toContain('CHANNELS 3 Zrotation Xrotation Yrotation\n');
    expect(text).toContain('CHANNELS 0\n');
  });
});

describe('writeBvh: our files, and real ones where they are', () => {
  /** The hierarchy with numbers to four digits, which is what can be compared as text. */
  const hierarchyOf = (text: string) =>
    text
      .split('MOTION')[0]!
      .replace(/-?\d+\.?\d*(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(4)) + 0))
      .split(/\s+/)
      .join(' ')
      .trim();

  it('turns a character that faces the other way, and rests in the pose that looks like a body', async () => {
    const scene = await gltf.read(readFileSync(pathOf('samples/characters/vrm0-sister.vrm')), {
      skin: false,
    });
    const before = createRig(scene.characters[0]!.skeleton);
    expect(before.space.facing.direction).toEqual([0, 0, -1].map((x) => expect.closeTo(x, 9)));
    const written = await bvh.write!({ scene, character: 0, clips: [] }, { extension: 'bvh' });
    const after = createRig(reread(new TextDecoder().decode(written.bytes)).skeleton);
    expect(after.space.facing.direction).toEqual([0, 0, 1].map((x) => expect.closeTo(x, 9)));
    expect(after.space.unit.metres).toBe(0.01);
    expect(after.space.height).toBeCloseTo(before.space.height, 2);
  });

  it.each(files)('%s: reading, writing and reading again is no change', (path) => {
    const scene = readBvh(readFileSync(pathOf(path)));
    const { skeleton, clips } = scene.characters[0]!;
    const original = { skeleton, clip: clips[0]! };
    expectSameMotion(original, reread(writeBvh(skeleton, original.clip, { unit: 'm' })));
  });

  it.each(files)('%s: written into itself it keeps hierarchy, channels and motion', async (path) => {
    const bytes = readFileSync(pathOf(path));
    const scene = readBvh(bytes);
    const { skeleton, clips } = scene.characters[0]!;
    const written = await bvh.write!({ scene, character: 0, clips }, { extension: 'bvh' });
    const text = new TextDecoder().decode(written.bytes);
    expect(hierarchyOf(text)).toBe(hierarchyOf(bytes.toString()));
    expectSameMotion({ skeleton, clip: clips[0]! }, reread(text));
    // Positions mean what they meant: added to the OFFSET where they were.
    const before = parseBvh(bytes);
    const after = parseBvh(written.bytes);
    const channels = before.joints.flatMap((joint) => joint.channels);
    const size = heightOf(skeleton);
    let worst = 0;
    for (let i = 0; i < before.values.length; i++)
      if (channels[i % channels.length]!.endsWith('position'))
        worst = Math.max(worst, Math.abs(before.values[i]! - after.values[i]!));
    expect(worst).toBeLessThan(1e-5 * size);
  });
});

describe('keys a moment apart', () => {
  it('are no frame rate: the file stays small', () => {
    const { skeleton } = createSkeleton('odd', [{ name: 'Hips', parent: -1 }]);
    const track = (...times: number[]): Track => ({
      joint: 0,
      channel: 'translation',
      interpolation: 'linear',
      times: Float64Array.from(times),
      values: new Float64Array(3 * times.length),
    });
    const clip: Clip = { name: 'odd', duration: 1, tracks: [track(0, 1e-9), track(0, 0.3, 1)], morphs: [] };
    expect(writeBvh(skeleton, clip).length).toBeLessThan(100_000);
  });
});

it('does not fill hours from a handful of keys, unless a frame rate says that it is meant', () => {
  const { skeleton } = createSkeleton(
    'line',
    Array.from({ length: 60 }, (_, i) => ({ name: `joint${i}`, parent: i - 1, flags: JOINT })),
  );
  const clip: Clip = {
    name: 'long',
    duration: 2000,
    morphs: [],
    tracks: [
      {
        joint: 0,
        channel: 'rotation',
        interpolation: 'linear',
        times: Float32Array.of(0, 0.01, 2000),
        values: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1),
      },
    ],
  };
  expect(() => writeBvh(skeleton, clip)).toThrow('has 3 keys and would take');
  expect(readBvh(writeBvh(skeleton, clip, { frameRate: 1 })).characters[0]!.clips[0]!.duration).toBe(2000);
});
