import {
  type Clip,
  copyPose,
  modelPoseOf,
  quaternionAngle,
  type Scene,
  sampleClip,
  type Track,
  vectorAt,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { buildFbx, type FbxBuilder, type Properties } from '../../../test/fbx-builder.js';
import { quaternionFromEuler } from './model-transform.js';
import { readFbx } from './read-fbx.js';

const LINEAR = 0x404;
const CUBIC = 0x408;
const AUTO = 0x108;
const STEP = 0x402;

/** A chain of two joints and a tip, one unit apart. */
function chain(properties: Properties = {}): { file: FbxBuilder; a: number; b: number } {
  const file = buildFbx();
  const a = file.model('a', 0, properties);
  const b = file.model('b', a, { 'Lcl Translation': [0, 1, 0] });
  file.model('c', b, { 'Lcl Translation': [0, 1, 0] });
  return { file, a, b };
}

const clipOf = (scene: Scene, n = 0): Clip => scene.characters[0]!.clips[n]!;

const trackOf = (scene: Scene, joint: string, channel: Track['channel']): Track | undefined => {
  const { names } = scene.characters[0]!.skeleton;
  return clipOf(scene).tracks.find((track) => names[track.joint] === joint && track.channel === channel);
};

/** The place of a joint at a time of the first clip. */
function placeAt(scene: Scene, joint: string, time: number): number[] {
  const { skeleton } = scene.characters[0]!;
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clipOf(scene), time);
  return vectorAt(modelPoseOf(skeleton, pose).matrices, 16 * skeleton.names.indexOf(joint) + 12);
}

const near = (found: ArrayLike<number>, expected: readonly number[], digits = 5) => {
  expected.forEach((value, c) => {
    expect(found[c]).toBeCloseTo(value, digits);
  });
};

describe('takes become clips', () => {
  it('each stack is a clip under its own name, counted from its own start', () => {
    const { file, a } = chain();
    for (const [name, start] of [
      ['Armature|walk', 2],
      ['mixamo.com', 0],
    ] as const) {
      const layer = file.layer(file.stack(name, [start, start + 1]));
      const times = [start, start + 0.5, start + 1];
      file.animate(layer, a, 'Lcl Translation', { X: { times, values: [0, 5, 10] } });
    }
    const scene = readFbx(file.binary());
    expect(scene.characters[0]!.clips.map(({ name, duration }) => [name, duration])).toEqual([
      ['Armature|walk', 1],
      ['mixamo.com', 1],
    ]);
    near(placeAt(scene, 'a', 0.25), [2.5, 0, 0]);
    near(placeAt(scene, 'a', 1), [10, 0, 0]);
  });

  it('a property with a curve for one number alone keeps the others', () => {
    const { file, a } = chain({ 'Lcl Translation': [1, 2, 3], 'Lcl Rotation': [10, 20, 30] });
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Translation', { Y: { times: [0, 1], values: [2, 4] } });
    file.animate(layer, a, 'Lcl Rotation', { Z: { times: [0, 1], values: [30, 60] } }, { X: 11 });
    const scene = readFbx(file.binary());
    near(placeAt(scene, 'a', 1), [1, 4, 3]);
    const expected = new Float64Array(4);
    // What the curve node says of a number without a curve counts more than the model.
    quaternionFromEuler(expected, 0, [11, 20, 60], 'ZYX');
    const track = trackOf(scene, 'a', 'rotation')!;
    const last = track.values.subarray(track.values.length - 4);
    expect(quaternionAngle(last, 0, expected, 0)).toBeLessThan(1e-6);
  });

  it('what stands still has no track, or one key', () => {
    const { file, a, b } = chain({ 'Lcl Translation': [1, 2, 3] });
    const layer = file.layer(file.stack('take', [0, 1]));
    const still = (value: number) => ({ times: [0, 0.5, 1], values: [value, value, value] });
    file.animate(layer, a, 'Lcl Translation', { X: still(1), Y: still(2), Z: still(3) });
    file.animate(layer, b, 'Lcl Translation', { X: still(7), Y: still(1), Z: still(0) });
    const scene = readFbx(file.binary());
    expect(trackOf(scene, 'a', 'translation')).toBeUndefined();
    expect(trackOf(scene, 'b', 'translation')!.times.length).toBe(1);
    expect(clipOf(scene).duration).toBe(1);
  });

  it('steps hold and jump', () => {
    const { file, a, b } = chain();
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Translation', {
      X: { times: [0, 0.5, 1], values: [0, 4, 8], flags: [STEP] },
    });
    // One number steps, another does not.
    file.animate(layer, b, 'Lcl Translation', {
      X: { times: [0, 0.5, 1], values: [0, 4, 8], flags: [STEP] },
      Y: { times: [0, 0.5, 1], values: [0, 1, 2], flags: [LINEAR] },
    });
    const scene = readFbx(file.binary());
    expect(trackOf(scene, 'a', 'translation')!.interpolation).toBe('step');
    near(placeAt(scene, 'a', 0.499), [0, 0, 0]);
    near(placeAt(scene, 'a', 0.5), [4, 0, 0]);
    near(placeAt(scene, 'b', 0.49), [0, 0.98, 0], 2);
    near(placeAt(scene, 'b', 0.5), [8, 1, 0], 2);
  });

  it('cubics follow their slopes', () => {
    const { file, a } = chain();
    const layer = file.layer(file.stack('take', [0, 1]));
    // From 0 to 1 with level tangents: 3u² − 2u³. Then with the slope 3 at the start.
    file.animate(layer, a, 'Lcl Translation', {
      X: { times: [0, 1], values: [0, 1], flags: [CUBIC], data: [0, 0, 0, 0] },
      Y: { times: [0, 1], values: [0, 1], flags: [CUBIC], data: [3, 0, 0, 0] },
    });
    const scene = readFbx(file.binary());
    for (let frame = 0; frame <= 30; frame++) {
      const u = frame / 30;
      const smooth = 3 * u * u - 2 * u ** 3;
      near(placeAt(scene, 'a', u), [smooth, smooth + 3 * (u ** 3 - 2 * u * u + u), 0]);
    }
  });

  it('automatic tangents lead through neighbours and are level at the ends', () => {
    const { file, a } = chain();
    const layer = file.layer(file.stack('take', [0, 2]));
    file.animate(layer, a, 'Lcl Translation', { X: { times: [0, 1, 2], values: [0, 1, 2], flags: [AUTO] } });
    const scene = readFbx(file.binary());
    const slope = (placeAt(scene, 'a', 1 + 1 / 30)[0]! - placeAt(scene, 'a', 1 - 1 / 30)[0]!) * 15;
    expect(slope).toBeCloseTo(1, 1);
    expect(placeAt(scene, 'a', 1 / 30)[0]!).toBeLessThan(0.005);
  });

  it('weighted tangents reach as far as their weights say', () => {
    const { file, a } = chain();
    const layer = file.layer(file.stack('take', [0, 1]));
    const weights = new Float32Array(new Uint32Array([(2000 << 16) | 8000]).buffer)[0]!;
    file.animate(layer, a, 'Lcl Translation', {
      X: { times: [0, 1], values: [0, 1], flags: [CUBIC | 0x3000000], data: [0, 0, weights, 0] },
    });
    const scene = readFbx(file.binary());
    // At parameter ½ of the Bézier curve x = ⅜·0.8 + ⅜·0.8 + ⅛ and y = ⅜·1 + ⅛.
    near(placeAt(scene, 'a', 0.725), [0.5, 0, 0], 2);
  });

  it('large turns go the way of their angles, a full turn included', () => {
    const { file, a } = chain();
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Rotation', { Z: { times: [0, 1], values: [0, 360] } });
    const scene = readFbx(file.binary());
    for (let frame = 0; frame <= 30; frame++) {
      const angle = (frame / 30) * 2 * Math.PI;
      near(placeAt(scene, 'b', frame / 30), [-Math.sin(angle), Math.cos(angle), 0], 4);
    }
  });

  it('ASCII and binary are the same, 32 and 64 bits', () => {
    const { file, a } = chain({ PreRotation: [10, 20, 30], RotationOrder: [2] });
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Rotation', {
      X: { times: [0, 0.4, 1], values: [0, 70, 20], flags: [CUBIC], data: [40, -20, 0, 0] },
    });
    const scenes = [file.binary(7400), file.binary(7700), file.ascii()].map((bytes) => readFbx(bytes));
    for (const scene of scenes) {
      expect(scene.characters[0]!.skeleton.names).toEqual(['a', 'b', 'c']);
      for (const time of [0, 0.3, 0.77]) near(placeAt(scene, 'c', time), placeAt(scenes[0]!, 'c', time), 6);
    }
  });
});

describe('transforms of models', () => {
  it('pivots: a joint turns about its pivot, not about its origin', () => {
    const { file, a } = chain({ RotationPivot: [0, 1, 0] });
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, a, 'Lcl Rotation', { Z: { times: [0, 1], values: [0, 90] } });
    const scene = readFbx(file.binary());
    for (const time of [0, 8 / 30, 0.5, 1]) near(placeAt(scene, 'b', time), [0, 1, 0], 4);
    near(placeAt(scene, 'a', 1), [1, 1, 0]);
    near(placeAt(scene, 'c', 1), [-1, 1, 0]);
  });

  it('scaling pivots and offsets: a joint grows from its pivot', () => {
    const { file, a } = chain({ ScalingPivot: [0, 2, 0], ScalingOffset: [5, 0, 0] });
    const layer = file.layer(file.stack('take', [0, 1]));
    const grow = { times: [0, 1], values: [1, 3] };
    file.animate(layer, a, 'Lcl Scaling', { X: grow, Y: grow, Z: grow });
    const scene = readFbx(file.binary());
    // c stands at the pivot.
    for (const time of [0, 0.5, 1]) near(placeAt(scene, 'c', time), [5, 2, 0], 4);
    near(placeAt(scene, 'b', 1), [5, -1, 0]);
  });

  it('pre- and post-rotations stand before and after the turn', () => {
    const file = buildFbx();
    const a = file.model('a', 0, {
      PreRotation: [0, 0, 90],
      PostRotation: [0, 0, 30],
      'Lcl Rotation': [0, 0, 20],
    });
    file.model('b', a, { 'Lcl Translation': [1, 0, 0] });
    const { skeleton } = readFbx(file.binary()).characters[0]!;
    const angle = ((90 + 20 - 30) * Math.PI) / 180;
    near(vectorAt(modelPoseOf(skeleton, skeleton.rest).matrices, 16 + 12), [
      Math.cos(angle),
      Math.sin(angle),
      0,
    ]);
  });

  // By FBX's own numbers: the first letter turns first.
  it.each([
    [0, 'XYZ'],
    [1, 'XZY'],
    [2, 'YZX'],
    [3, 'YXZ'],
    [4, 'ZXY'],
    [5, 'ZYX'],
    [6, 'XYZ'],
  ] as const)('rotation order %d turns %s', (order, letters) => {
    const angles = { X: 25, Y: -40, Z: 70 };
    const file = buildFbx();
    let parent = file.model('a', 0, {
      RotationOrder: [order],
      'Lcl Rotation': [angles.X, angles.Y, angles.Z],
    });
    file.model('tip', parent, { 'Lcl Translation': [1, 2, 3] });
    // The same as three models: the first to turn stands lowest.
    parent = 0;
    for (const letter of [...letters].reverse() as ('X' | 'Y' | 'Z')[]) {
      const rotation = [0, 0, 0];
      rotation['XYZ'.indexOf(letter)] = angles[letter];
      parent = file.model(`turn ${letter}`, parent, { 'Lcl Rotation': rotation });
    }
    file.model('other tip', parent, { 'Lcl Translation': [1, 2, 3] });
    const scene = readFbx(file.binary());
    const [tip, other] = ['tip', 'other tip'].map((name) => {
      const { skeleton } = scene.characters.find((one) => one.skeleton.names.includes(name))!;
      const { matrices } = modelPoseOf(skeleton, skeleton.rest);
      return vectorAt(matrices, 16 * skeleton.names.indexOf(name) + 12);
    });
    near(tip!, other!, 9);
  });

  it('RrSs: scales come after all turns, so that nothing is sheared', () => {
    const file = buildFbx();
    const a = file.model('a', 0, { 'Lcl Scaling': [2, 1, 1], 'Lcl Rotation': [0, 0, 0] });
    const b = file.model('b', a, { InheritType: [0], 'Lcl Rotation': [0, 0, 90] });
    file.model('c', b, { 'Lcl Translation': [1, 0, 0] });
    const { skeleton } = readFbx(file.binary()).characters[0]!;
    // b's x axis points along y, and is twice as long: its scale is taken over, turned with it.
    near(vectorAt(modelPoseOf(skeleton, skeleton.rest).matrices, 32 + 12), [0, 2, 0]);
  });

  it('Rrs: a parent that grows moves its child and leaves its size', () => {
    const file = buildFbx();
    const a = file.model('a');
    const b = file.model('b', a, { InheritType: [2], 'Lcl Translation': [0, 1, 0] });
    file.model('c', b, { 'Lcl Translation': [0, 1, 0] });
    const layer = file.layer(file.stack('take', [0, 1]));
    const grow = { times: [0, 1], values: [1, 3] };
    file.animate(layer, a, 'Lcl Scaling', { X: grow, Y: grow, Z: { times: [0, 1], values: [1, 2] } });
    const scene = readFbx(file.binary());
    near(placeAt(scene, 'b', 1), [0, 3, 0]);
    near(placeAt(scene, 'c', 1), [0, 4, 0]);
  });

  it.each([0, 1, 2])('a scale that shrinks to nothing leaves finite numbers, inherited by way %d', (way) => {
    const file = buildFbx();
    let parent = 0;
    const layer = file.layer(file.stack('take', [0, 1]));
    for (let n = 0; n < 12; n++) {
      parent = file.model(`${n}`, parent, {
        InheritType: [way],
        'Lcl Translation': [1, 2, 3],
        'Lcl Rotation': [10, 20, 30],
        'Lcl Scaling': [-1, 1, 1],
      });
      file.animate(layer, parent, 'Lcl Scaling', { X: { times: [0, 1], values: [-1, 0] } });
      file.animate(layer, parent, 'Lcl Rotation', { X: { times: [0, 1], values: [0, 90] } });
    }
    const { tracks } = clipOf(readFbx(file.binary()));
    expect(tracks.length).toBeGreaterThan(0);
    for (const { values } of tracks) expect(values.every(Number.isFinite)).toBe(true);
  });

  it('below a shear every joint is still where the file puts it', () => {
    const file = buildFbx();
    const a = file.model('a', 0, { 'Lcl Scaling': [3, 1, 1], 'Lcl Rotation': [0, 0, 20] });
    const b = file.model('b', a, {
      InheritType: [2],
      'Lcl Translation': [0, 1, 0],
      'Lcl Rotation': [0, 0, 35],
    });
    const c = file.model('c', b, { 'Lcl Translation': [1, 1, 0], 'Lcl Rotation': [40, 0, 0] });
    file.model('d', c, { 'Lcl Translation': [0, 1, 1] });
    const { skeleton } = readFbx(file.binary()).characters[0]!;
    const { matrices } = modelPoseOf(skeleton, skeleton.rest);
    const turned = (x: number, y: number, degrees: number) => {
      const r = (degrees * Math.PI) / 180;
      return [x * Math.cos(r) - y * Math.sin(r), x * Math.sin(r) + y * Math.cos(r)] as const;
    };
    // b: a's matrix takes (0, 1) there. c: b has a's turn and its own, and no scale.
    const [bx, by] = turned(0, 1, 20);
    const [cx, cy] = turned(1, 1, 55);
    near(vectorAt(matrices, 16 + 12), [bx, by, 0]);
    near(vectorAt(matrices, 32 + 12), [bx + cx, by + cy, 0]);
    const forty = (40 * Math.PI) / 180;
    const [dx, dy] = turned(0, Math.cos(forty) - Math.sin(forty), 55);
    near(vectorAt(matrices, 48 + 12), [bx + cx + dx, by + cy + dy, Math.sin(forty) + Math.cos(forty)]);
  });
});

describe('layers are flattened', () => {
  const layered = (properties: Properties, letter: 'Lcl Translation' | 'Lcl Rotation' | 'Lcl Scaling') => {
    const { file, a } = chain();
    const stack = file.stack('take', [0, 1]);
    const base = file.layer(stack);
    const over = file.layer(stack, properties);
    file.animate(base, a, letter, {
      X: { times: [0, 1], values: [10, 10] },
      Y: { times: [0, 1], values: [2, 2] },
      Z: { times: [0, 1], values: [3, 3] },
    });
    file.animate(over, a, letter, {
      X: { times: [0, 1], values: [0, 20] },
      Y: { times: [0, 1], values: [2, 2] },
      Z: { times: [0, 1], values: [1, 1] },
    });
    return readFbx(file.binary());
  };

  it('additive layers add by their weight', () => {
    near(placeAt(layered({ BlendMode: [0], Weight: [50] }, 'Lcl Translation'), 'a', 1), [20, 3, 3.5]);
  });

  it('overriding layers are blended over by their weight', () => {
    near(placeAt(layered({ BlendMode: [1], Weight: [25] }, 'Lcl Translation'), 'a', 1), [12.5, 2, 2.5]);
  });

  it('muted layers are not heard', () => {
    near(placeAt(layered({ BlendMode: [1], Mute: [1] }, 'Lcl Translation'), 'a', 1), [10, 2, 3]);
  });

  it('additive scales multiply, or add where the layer says so', () => {
    const scaleOf = (properties: Properties) => {
      const track = trackOf(layered(properties, 'Lcl Scaling'), 'a', 'scale')!;
      return track.values.subarray(track.values.length - 3);
    };
    near(scaleOf({ BlendMode: [0], Weight: [100] }), [200, 4, 3]);
    near(scaleOf({ BlendMode: [0], Weight: [100], ScaleAccumulationMode: [1] }), [30, 4, 4]);
  });

  it('additive turns multiply, or add their angles where the layer says so', () => {
    const turnOf = (properties: Properties) => {
      const track = trackOf(layered(properties, 'Lcl Rotation'), 'a', 'rotation')!;
      return track.values.subarray(track.values.length - 4);
    };
    const expected = new Float64Array(4);
    quaternionFromEuler(expected, 0, [30, 4, 4], 'ZYX');
    expect(
      quaternionAngle(turnOf({ BlendMode: [0], RotationAccumulationMode: [1] }), 0, expected, 0),
    ).toBeLessThan(1e-6);
    const multiplied = turnOf({ BlendMode: [0] });
    const angle = quaternionAngle(multiplied, 0, expected, 0);
    expect(angle).toBeGreaterThan(1e-3);
    expect(angle).toBeLessThan(0.05);
  });
});

describe('blend shapes', () => {
  it('channels become morphs, percent become weights', () => {
    const file = buildFbx();
    const a = file.model('a');
    file.model('b', a, { 'Lcl Translation': [0, 1, 0] });
    const face = file.model('face', a, {}, 'Mesh');
    const geometry = file.object('Geometry', 'faceShape', 'Mesh', []);
    const shape = file.object('Deformer', 'shapes', 'BlendShape', []);
    const channel = file.object('Deformer', 'smile', 'BlendShapeChannel', []);
    file.connect(geometry, face);
    file.connect(shape, geometry);
    file.connect(channel, shape);
    const layer = file.layer(file.stack('take', [0, 1]));
    file.animate(layer, channel, 'DeformPercent', {
      DeformPercent: { times: [0, 0.5, 1], values: [0, 100, 25] },
    });
    const scene = readFbx(file.binary());
    expect(scene.morphs).toEqual([{ mesh: 'face', names: ['smile'] }]);
    const [track] = clipOf(scene).morphs;
    expect([track!.mesh, track!.morph, ...track!.values]).toEqual(['face', 'smile', 0, 1, 0.25]);
  });
});

describe('what a file says of its space', () => {
  it('axes, unit', () => {
    const { file } = chain();
    for (const [name, value] of Object.entries({
      UpAxis: 2,
      UpAxisSign: 1,
      FrontAxis: 1,
      FrontAxisSign: -1,
      CoordAxis: 0,
      CoordAxisSign: 1,
      UnitScaleFactor: 2.54,
    }))
      file.setting(name, value);
    const { skeleton } = readFbx(file.binary()).characters[0]!;
    expect(skeleton.declared).toEqual({ up: '+Z', facing: '-Y', unit: 0.0254 });
  });
});

describe('skeletons', () => {
  it('several meshes on one skeleton, and each joint once', () => {
    const file = buildFbx();
    const a = file.model('a');
    const b = file.model('b', a, { 'Lcl Translation': [0, 1, 0] });
    for (const name of ['body', 'clothes']) {
      const mesh = file.model(name, 0, {}, 'Mesh');
      const geometry = file.object('Geometry', name, 'Mesh', []);
      const skin = file.object('Deformer', name, 'Skin', []);
      file.connect(geometry, mesh);
      file.connect(skin, geometry);
      for (const joint of [a, b]) {
        const cluster = file.object('Deformer', name, 'Cluster', []);
        file.connect(cluster, skin);
        file.connect(joint, cluster);
      }
    }
    const scene = readFbx(file.binary());
    expect(scene.characters.map(({ skeleton }) => skeleton.names)).toEqual([['a', 'b']]);
  });

  it('roots of one armature are one skeleton, other trees are others', () => {
    const file = buildFbx();
    const armature = file.model('Armature', 0, {}, 'Null');
    file.model('body', armature);
    file.model('footIK', armature);
    file.model('other');
    const scene = readFbx(file.binary());
    expect(scene.characters.map(({ skeleton }) => skeleton.names)).toEqual([
      ['Armature', 'body', 'footIK'],
      ['other'],
    ]);
  });

  it('models that are their own ancestors are refused', () => {
    const loop = buildFbx();
    const c = loop.object('Model', 'c', 'LimbNode', []);
    const d = loop.object('Model', 'd', 'LimbNode', []);
    loop.connect(c, d);
    loop.connect(d, c);
    expect(() => readFbx(loop.binary())).toThrow(/"c", which is its own ancestor/);
  });
});
