import { type Clip, copyPose, quaternionAngle, type Scene, sampleClip, type Track } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { buildFbx, type CurveDescription } from '../../../test/fbx-builder.js';
import { quaternionFromEuler } from './model-transform.js';
import { readFbx } from './read-fbx.js';

const CUBIC = 0x408;
const AUTO = 0x108;
const LINEAR = 0x404;
const STEP = 0x402;
const WEIGHTED = 0x3000000;

type Property = 'Lcl Translation' | 'Lcl Rotation' | 'Lcl Scaling';

function read(property: Property, curves: Record<string, CurveDescription>, properties = {}): Scene {
  const file = buildFbx();
  const joint = file.model('joint', 0, properties);
  // Scales are handed on plainly, or the whole body would be baked.
  file.model('tip', joint, { 'Lcl Translation': [0, 1, 0], InheritType: [1] });
  file.animate(file.layer(file.stack('take')), joint, property, curves);
  return readFbx(file.binary());
}

const clipOf = (scene: Scene): Clip => scene.characters[0]!.clips[0]!;

const trackOf = (scene: Scene): Track => clipOf(scene).tracks[0]!;

const poseAt = (scene: Scene, time: number) => {
  const pose = copyPose(scene.characters[0]!.skeleton.rest);
  sampleClip(pose, clipOf(scene), time);
  return pose;
};

/** The Hermite curve between two keys, as the format describes it. */
const hermite = (u: number, span: number, a: number, out: number, b: number, into: number) =>
  (2 * u ** 3 - 3 * u ** 2 + 1) * a +
  (u ** 3 - 2 * u ** 2 + u) * span * out +
  (3 * u ** 2 - 2 * u ** 3) * b +
  (u ** 3 - u ** 2) * span * into;

/** A curve from 0 to 4 to −2 over 2 s, its slopes, and what it is at a time. */
const BENT: CurveDescription = {
  times: [0, 0.75, 2],
  values: [0, 4, -2],
  flags: [CUBIC, CUBIC, CUBIC],
  data: [6, -3, 0, 0, 2, 5, 0, 0, 0, 0, 0, 0],
};
const bentAt = (time: number) =>
  time <= 0.75 ? hermite(time / 0.75, 0.75, 0, 6, 4, -3) : hermite((time - 0.75) / 1.25, 1.25, 4, 2, -2, 5);

const TIMES = Array.from({ length: 81 }, (_, i) => i / 40);

describe('cubic keys', () => {
  it('stay the keys they are, and the curve between them exactly', () => {
    const scene = read('Lcl Translation', { X: BENT });
    const track = trackOf(scene);
    expect(track.interpolation).toBe('cubic');
    expect([...track.times]).toEqual([0, 0.75, 2]);
    for (const time of TIMES) expect(poseAt(scene, time).translations[0]).toBeCloseTo(bentAt(time), 5);
  });

  it('numbers with keys at other times are parted without a change', () => {
    const other = { times: [0, 0.3, 1.9, 2], values: [1, 3, 2, 8], flags: [AUTO] };
    const apart = read('Lcl Translation', { Y: other });
    const scene = read('Lcl Translation', { X: BENT, Y: other, Z: { times: [0, 2], values: [0, 4] } });
    expect(trackOf(scene).interpolation).toBe('cubic');
    expect([...trackOf(scene).times].map((time) => Math.round(100 * time))).toEqual([0, 30, 75, 190, 200]);
    for (const time of TIMES) {
      const [x, y, z] = poseAt(scene, time).translations;
      expect(x).toBeCloseTo(bentAt(time), 5);
      expect(y).toBeCloseTo(poseAt(apart, time).translations[1]!, 5);
      expect(z).toBeCloseTo(2 * time, 5);
    }
  });

  it('of scales too, and of places with an offset', () => {
    expect(trackOf(read('Lcl Scaling', { X: BENT })).interpolation).toBe('cubic');
    const scene = read('Lcl Translation', { X: BENT }, { RotationOffset: [10, 20, 30] });
    for (const time of TIMES) {
      const [x, y, z] = poseAt(scene, time).translations;
      expect(x).toBeCloseTo(10 + bentAt(time), 4);
      expect(y).toBeCloseTo(20, 9);
      expect(z).toBeCloseTo(30, 9);
    }
  });

  it('of a take that cuts a curve are cut with it', () => {
    const file = buildFbx();
    const joint = file.model('joint');
    file.model('tip', joint);
    const layer = file.layer(file.stack('take', [0.5, 1.5]));
    file.animate(layer, joint, 'Lcl Translation', { X: BENT });
    const scene = readFbx(file.binary());
    expect(trackOf(scene).interpolation).toBe('cubic');
    for (const time of [0, 0.1, 0.25, 0.6, 1])
      expect(poseAt(scene, time).translations[0]).toBeCloseTo(bentAt(0.5 + time), 5);
  });

  it('of morph targets are weights', () => {
    const file = buildFbx();
    const mesh = file.model('face', 0, {}, 'Mesh');
    const geometry = file.object('Geometry', 'face', 'Mesh', []);
    const shape = file.object('Deformer', 'shapes', 'BlendShape', []);
    const channel = file.object('Deformer', 'smile', 'BlendShapeChannel', []);
    for (const [from, to] of [
      [geometry, mesh],
      [shape, geometry],
      [channel, shape],
    ] as const)
      file.connect(from, to);
    const layer = file.layer(file.stack('take'));
    const curve = { times: [0, 1], values: [0, 100], flags: [CUBIC], data: [0, 0, 0, 0] };
    file.animate(layer, channel, 'DeformPercent', { DeformPercent: curve });
    const scene = readFbx(file.binary());
    const clips = scene.otherClips ?? scene.characters[0]!.clips;
    const [track] = clips[0]!.morphs;
    expect(track!.interpolation).toBe('cubic');
    expect([...track!.values]).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it('become lines where a track cannot hold them, or needs not', () => {
    const flat = { times: [0, 1, 2], values: [1, 1, 1], flags: [CUBIC], data: [0, 0, 0, 0] };
    expect(clipOf(read('Lcl Translation', { X: flat })).tracks[0]!.times.length).toBe(1);
    const straight = { times: [0, 2], values: [0, 4], flags: [CUBIC], data: [2, 2, 0, 0] };
    expect(trackOf(read('Lcl Translation', { X: straight })).interpolation).toBe('linear');
    const weighted = { ...BENT, flags: [CUBIC | WEIGHTED], data: [6, -3, 0, 0] };
    expect(trackOf(read('Lcl Translation', { X: weighted })).interpolation).toBe('linear');
    const mixed = { ...BENT, flags: [CUBIC, STEP, CUBIC] };
    expect(trackOf(read('Lcl Translation', { X: mixed })).interpolation).toBe('linear');
    const frames = Array.from({ length: 31 }, (_, i) => i / 30);
    const dense = { times: frames, values: frames.map((t) => t * t), flags: [AUTO] };
    expect(trackOf(read('Lcl Translation', { X: dense })).interpolation).toBe('linear');
  });

  it('of angles become turns that are never off by 0.01°, however fast', () => {
    const curves = {
      X: { times: [0, 1], values: [0, 300], flags: [CUBIC], data: [0, 900, 0, 0] },
      Y: { times: [0, 0.4, 1], values: [0, 80, -60], flags: [AUTO] },
      Z: { times: [0, 1], values: [-40, 500], flags: [LINEAR] },
    };
    const scene = read('Lcl Rotation', curves);
    const exact = {
      X: (t: number) => hermite(t, 1, 0, 0, 300, 900),
      // Automatic slopes: level at the ends, from the first to the last at the middle key.
      Y: (t: number) =>
        t <= 0.4 ? hermite(t / 0.4, 0.4, 0, 0, 80, -60) : hermite((t - 0.4) / 0.6, 0.6, 80, -60, -60, 0),
      Z: (t: number) => -40 + 540 * t,
    };
    const turn = new Float64Array(4);
    let worst = 0;
    for (let i = 0; i <= 1000; i++) {
      const t = i / 1000;
      quaternionFromEuler(turn, 0, [exact.X(t), exact.Y(t), exact.Z(t)], 'ZYX');
      worst = Math.max(worst, quaternionAngle(poseAt(scene, t).rotations, 0, turn, 0));
    }
    expect((worst * 180) / Math.PI).toBeLessThan(0.01);
  });
});
