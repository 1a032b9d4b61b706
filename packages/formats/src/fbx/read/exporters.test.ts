import {
  type Clip,
  copyPose,
  JOINT,
  modelPoseOf,
  type Scene,
  sampleClip,
  vectorAt,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { buildFbx } from '../../../test/fbx-builder.js';
import { childrenOf } from '../parse/child-records.js';
import { createArray as array, createNode, type FbxNode } from '../parse/fbx-node.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { encodeAscii } from '../write/encode-ascii.js';
import { encodeBinary } from '../write/encode-binary.js';
import { writeFbx } from '../write/write-fbx.js';
import { readFbx } from './read-fbx.js';

/* What programs write that the files of the test data do not show, each built small. */

const placeAt = (scene: Scene, name: string, time?: number): number[] => {
  const { skeleton, clips } = scene.characters[0]!;
  const pose = copyPose(skeleton.rest);
  if (time !== undefined) sampleClip(pose, clips[0]!, time);
  return [...vectorAt(modelPoseOf(skeleton, pose).matrices, 16 * skeleton.names.indexOf(name) + 12)];
};

const near = (found: readonly number[], expected: readonly number[]) => {
  expected.forEach((value, c) => {
    expect(found[c]).toBeCloseTo(value, 4);
  });
};

/** Hips and a spine 10 above them. */
function body(kinds: readonly [string, string] = ['LimbNode', 'LimbNode'], names = ['hips', 'spine']) {
  const file = buildFbx();
  const hips = file.model(names[0]!, 0, { 'Lcl Translation': [0, 90, 0] }, kinds[0]);
  const spine = file.model(names[1]!, hips, { 'Lcl Translation': [0, 10, 0] }, kinds[1]);
  return { file, hips, spine };
}

const jointsOf = (scene: Scene): string[] => {
  const { names, flags } = scene.characters[0]!.skeleton;
  return names.filter((_, i) => flags[i]! & JOINT);
};

describe('files of many exporters', () => {
  it('joints are joints by their attributes too, where all models are plain nodes', () => {
    const { file, hips, spine } = body(['Null', 'Null']);
    file.model('prop', 0, {}, 'Null');
    for (const model of [hips, spine]) file.connect(file.object('NodeAttribute', '', 'LimbNode', []), model);
    const scene = readFbx(file.binary());
    expect(scene.characters.length).toBe(1);
    expect(jointsOf(scene)).toEqual(['hips', 'spine']);
  });

  it.each([
    ['Root', 'LimbNode'],
    ['Limb', 'Limb'],
    ['LimbNode', 'Null'],
  ] as const)('hips as %s and a spine as %s are one skeleton', (a, b) => {
    const scene = readFbx(body([a, b]).file.binary());
    expect(scene.characters.length).toBe(1);
    expect(scene.characters[0]!.skeleton.names).toEqual(['hips', 'spine']);
  });

  it('namespaces stay in names, in both dresses', () => {
    const { file } = body(['LimbNode', 'LimbNode'], ['Hero:ns:Hips', 'Model::Spine']);
    const [binary, ascii] = [readFbx(file.binary()), readFbx(file.ascii())];
    expect(binary.characters[0]!.skeleton.names[0]).toBe('Hero:ns:Hips');
    expect(ascii.characters[0]!.skeleton.names[0]).toBe('Hero:ns:Hips');
  });

  it('without settings nothing is known of axes and unit, and nothing is lost', () => {
    const { file } = body();
    const nodes = file.nodes().filter(({ name }) => name !== 'GlobalSettings');
    for (const bytes of [encodeBinary(nodes, 7400), encodeAscii(nodes, 7400)]) {
      const scene = readFbx(bytes);
      expect(scene.characters[0]!.skeleton.declared).toEqual({ up: null, facing: null, unit: null });
      near(placeAt(scene, 'spine'), [0, 100, 0]);
    }
  });

  it.each([
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['lines that end in CR LF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['lines that end in CR', (text: string) => text.replaceAll('\n', '\r')],
    ['tabs and comments', (text: string) => text.replaceAll('\n', '\t; note\n')],
    ['braces on lines of their own', (text: string) => text.replaceAll(/ \{$/gm, '\n\t{')],
    [
      'all on one line',
      (text: string) =>
        text
          .replace(/^;.*\n;.*\n/, '')
          .replaceAll('\n', '\t')
          .replaceAll(' {', '{'),
    ],
  ])('ASCII with %s is the same file', (_, change) => {
    const { file, hips } = body();
    const layer = file.layer(file.stack('walk', [0, 1]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [0, 1], values: [0, 4] } });
    const plain = new TextDecoder().decode(file.ascii());
    const scene = readFbx(new TextEncoder().encode(change(plain)));
    expect(scene.characters[0]!.clips).toEqual(readFbx(file.ascii()).characters[0]!.clips);
    near(placeAt(scene, 'spine', 0.5), [2, 100, 0]);
  });

  it.each([
    [1, 0.01],
    [2.54, 0.0254],
    [100, 1],
    [0.1, 0.001],
  ])('UnitScaleFactor %s is %s m', (factor, metres) => {
    const { file } = body();
    file.setting('UnitScaleFactor', factor);
    file.setting('OriginalUnitScaleFactor', 7);
    file.setting('UpAxis', 1);
    file.setting('OriginalUpAxis', 2);
    const { declared } = readFbx(file.binary()).characters[0]!.skeleton;
    expect(declared.unit).toBeCloseTo(metres, 9);
    expect(declared.up).toBe('+Y');
  });

  it('a negative scale mirrors what is below it', () => {
    const file = buildFbx();
    const armature = file.model('armature', 0, { 'Lcl Scaling': [-1, 1, 1], InheritType: [1] }, 'Null');
    const hips = file.model('hips', armature, {
      'Lcl Translation': [5, 90, 0],
      'Lcl Rotation': [0, 0, 90],
      InheritType: [1],
    });
    file.model('spine', hips, { 'Lcl Translation': [10, 0, 0], InheritType: [1] });
    const scene = readFbx(file.binary());
    near(placeAt(scene, 'hips'), [-5, 90, 0]);
    near(placeAt(scene, 'spine'), [-5, 100, 0]);
  });

  it('a take without curves is none, and the others are read', () => {
    const { file, hips } = body();
    file.layer(file.stack('Take 001', [0, 1]));
    const layer = file.layer(file.stack('walk', [0, 1]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [0, 1], values: [0, 4] } });
    const scene = readFbx(file.binary());
    expect(scene.characters[0]!.clips.map(({ name }) => name)).toEqual(['walk']);
  });

  it.each([0, 1, 2])('a layer that hangs on none of %d stacks is a take', (count) => {
    const { file, hips } = body();
    for (let n = 0; n < count; n++) file.stack(`walk ${n}`, [0, 1]);
    const layer = file.object('AnimationLayer', 'layer', '', []);
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [0, 2], values: [0, 4] } });
    const [clip] = readFbx(file.binary()).characters[0]!.clips;
    expect([clip!.name, clip!.duration]).toEqual(count === 1 ? ['walk 0', 1] : ['layer', 2]);
  });

  it('takes that begin before zero count from their own start', () => {
    const { file, hips } = body();
    const layer = file.layer(file.stack('walk', [-1, 1]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [-1, 1], values: [0, 4] } });
    const scene = readFbx(file.binary());
    expect(scene.characters[0]!.clips[0]!.duration).toBe(2);
    near(placeAt(scene, 'hips', 1), [2, 90, 0]);
  });

  it('"always" and "never" are no times', () => {
    const { file, hips } = body();
    const never = 2 ** 63 / 46186158000;
    const layer = file.layer(file.stack('walk', [-never, never]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [-never, 0, 2], values: [9, 0, 4] } });
    const scene = readFbx(file.ascii());
    expect(scene.characters[0]!.clips[0]!.duration).toBe(2);
    near(placeAt(scene, 'hips', 1), [2, 90, 0]);
  });

  it('constraints and characters of the animator are no joints', () => {
    const { file, hips, spine } = body();
    const constraint = file.object('Constraint', 'look', 'Aim', []);
    file.connect(hips, constraint, 'Constrained Object');
    file.connect(spine, constraint, 'Source');
    file.connect(spine, hips, 'LookAtProperty');
    file.object('Constraint', 'Character1', 'Character', []);
    const scene = readFbx(file.binary());
    expect(scene.characters[0]!.skeleton.names).toEqual(['hips', 'spine']);
    near(placeAt(scene, 'spine'), [0, 100, 0]);
  });

  it('times count in the parts of a second that the header names', async () => {
    const { file, hips } = body();
    const layer = file.layer(file.stack('walk', [0, 1]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [0, 1], values: [0, 4] } });
    const withHeader = (version: number, definition: number) =>
      file
        .nodes()
        .map((node) =>
          node.name === 'FBXHeaderExtension'
            ? createNode(
                'FBXHeaderExtension',
                '',
                [],
                [
                  createNode('FBXHeaderVersion', 'I', [version]),
                  createNode('FBXVersion', 'I', [7700]),
                  createNode('OtherFlags', '', [], [createNode('TCDefinition', 'I', [definition])]),
                ],
              )
            : node,
        );
    const durationOf = (scene: Scene) => scene.characters[0]!.clips[0]!.duration;
    // 127: 46,186,158,000 a second, as all files before FBX 7.7 have it. 0: 141,120,000.
    for (const [version, definition, seconds] of [
      [1004, 127, 1],
      [1003, 0, 1],
      [1004, 0, 46186158000 / 141120000],
    ] as const)
      for (const bytes of [
        encodeBinary(withHeader(version, definition), 7700),
        encodeAscii(withHeader(version, definition), 7700),
      ]) {
        const scene = readFbx(bytes);
        expect(durationOf(scene)).toBeCloseTo(seconds, 3);
        // What is written into the file counts as it does.
        const written = await writeFbx(
          { scene, character: 0, clips: scene.characters[0]!.clips },
          { replace: true },
        );
        expect(durationOf(readFbx(written.bytes))).toBeCloseTo(seconds, 3);
      }
  });

  it.each([
    ['without a label', (text: string) => text.replaceAll(/\ba: /g, '')],
    ['with blanks and comments between', (text: string) => text.replaceAll(/\ba: /g, '; numbers\n\t a :\t')],
    ['over many lines', (text: string) => text.replaceAll(/(?<=\d),(?=[\d-])/g, ',\r\n')],
    ['with commas at the start of lines', (text: string) => text.replaceAll(/(?<=\d),(?=[\d-])/g, '\n\t,')],
    ['as plain values', (text: string) => text.replaceAll(/\*\d+ \{\s*a: ([^}]*?)\s*\}/g, '$1')],
    ['of numbers with exponents', (text: string) => text.replaceAll(/\b4(?=[,\n])/g, '4.000000e+000')],
  ])('ASCII arrays %s are the same arrays', (_, change) => {
    const { file, hips } = body();
    const layer = file.layer(file.stack('walk', [0, 1]));
    file.animate(layer, hips, 'Lcl Translation', {
      X: { times: [0, 0.5, 1], values: [0, 4, -1], flags: [0x408], data: [3, 1, 0, 0] },
    });
    const plain = new TextDecoder().decode(file.ascii());
    const changed = change(plain);
    expect(changed).not.toBe(plain);
    const scene = readFbx(new TextEncoder().encode(changed));
    expect(scene.characters[0]!.clips).toEqual(readFbx(file.ascii()).characters[0]!.clips);
    expect(scene.warnings).toEqual([]);
  });

  it.each(['binary', 'ascii'] as const)('%s names that are no UTF-8 stay apart', async (dress) => {
    const { file } = body(['LimbNode', 'LimbNode'], ['hAps', 'spAne']);
    const bytes = file[dress]();
    // Latin letters, one byte each.
    for (let i = 0; i + 1 < bytes.length; i++)
      if (bytes[i] === 65 && (bytes[i + 1] === 112 || bytes[i + 1] === 110)) bytes[i] = 0xfc;
    const scene = readFbx(bytes);
    expect(scene.characters[0]!.skeleton.names).toEqual(['hüps', 'spüne']);
    const clip: Clip = {
      name: 'nod',
      duration: 1,
      tracks: [
        {
          joint: 1,
          channel: 'translation',
          interpolation: 'linear',
          times: Float32Array.of(0, 1),
          values: Float32Array.of(0, 10, 0, 0, 12, 0),
        },
      ],
      morphs: [],
    };
    const written = await writeFbx({ scene, character: 0, clips: [clip] }, {});
    const again = readFbx(written.bytes);
    expect(again.characters[0]!.skeleton.names).toEqual(['hüps', 'spüne']);
    expect(again.characters[0]!.clips[0]!.tracks.length).toBe(1);
    if (dress === 'binary')
      expect(Buffer.from(written.bytes).includes(Buffer.from('h\xfcps', 'latin1'))).toBe(true);
  });

  it('an object with the number of the scene is the scene', () => {
    const { file } = body();
    const nodes = file
      .nodes()
      .map((node) =>
        node.name === 'Objects'
          ? createNode(
              'Objects',
              '',
              [],
              [createNode('Model', 'LSS', [0, 'RootNode\x00\x01Model', 'Null'], []), ...childrenOf(node)],
            )
          : node,
      );
    const scene = readFbx(encodeBinary(nodes, 7400));
    expect(scene.warnings).toEqual([]);
    expect(scene.characters[0]!.skeleton.names).toEqual(['hips', 'spine']);
  });

  it('pictures inside an ASCII file stay in it', () => {
    const { file } = body();
    file.object('Video', 'skin', 'Clip', [createNode('Content', 'R', [Uint8Array.of(1, 2, 3, 250)])]);
    const text = new TextDecoder().decode(file.ascii());
    expect(text).toContain('Content: ,\n\t\t"AQID+g=="\n');
    const { nodes, version } = parseFbx(new TextEncoder().encode(text));
    expect(new TextDecoder().decode(encodeAscii(nodes, version))).toContain('Content: ,\n\t\t"AQID+g=="\n');
  });

  it('a file of the other byte order is refused by name', () => {
    const bytes = body().file.binary();
    bytes[22] = 1;
    expect(() => readFbx(bytes)).toThrow(/big-endian/);
  });

  it('tension, continuity and bias make tangents', () => {
    const slopesOf = (tension: number, continuity: number, bias: number) => {
      const { file, hips } = body();
      const layer = file.layer(file.stack('walk', [0, 3]));
      const data = [0, 0, 0, 0, tension, continuity, bias, 0, 0, 0, 0, 0];
      file.animate(layer, hips, 'Lcl Translation', {
        X: { times: [0, 1, 3], values: [0, 2, 10], flags: [0x408, 0x208, 0x408], data },
      });
      const scene = readFbx(file.binary());
      const x = (time: number) => placeAt(scene, 'hips', time)[0]!;
      return [(x(1) - x(1 - 1e-3)) / 1e-3, (x(1 + 1e-3) - x(1)) / 1e-3];
    };
    const close = (found: number[], expected: number[]) => {
      expected.forEach((value, n) => {
        expect(Math.abs(found[n]! - value)).toBeLessThan(0.03);
      });
    };
    // The ways to the key and from it are 2 and 4 a second.
    close(slopesOf(0, 0, 0), [3, 3]);
    close(slopesOf(1, 0, 0), [0, 0]);
    close(slopesOf(0, -1, 0), [2, 4]);
    close(slopesOf(0, 0, 1), [2, 2]);
    close(slopesOf(0, 0, -1), [4, 4]);
  });

  it('a layer above a muted one is put on the pose at rest', () => {
    const { file, hips } = body();
    const stack = file.stack('walk', [0, 1]);
    const base = file.layer(stack, { Mute: [1] });
    const over = file.layer(stack, { BlendMode: [0], Weight: [50] });
    file.animate(base, hips, 'Lcl Translation', { Y: { times: [0, 1], values: [500, 500] } });
    file.animate(over, hips, 'Lcl Translation', { Y: { times: [0, 1], values: [0, 20] } });
    near(placeAt(readFbx(file.binary()), 'hips', 1), [0, 100, 0]);
  });

  it('a turn that is blended over another by half is half way', () => {
    const { file, hips } = body();
    const stack = file.stack('walk', [0, 1]);
    const base = file.layer(stack);
    const still = (value: number) => ({ times: [0, 1], values: [value, value] });
    file.animate(base, hips, 'Lcl Rotation', { X: still(0), Y: still(0), Z: still(0) });
    // A turn by 120° about (1, 1, 1) takes y to z; half of it takes it to 60°.
    const over = file.layer(stack, { BlendMode: [1], Weight: [50] });
    file.animate(over, hips, 'Lcl Rotation', { X: still(90), Y: still(0), Z: still(90) });
    near(placeAt(readFbx(file.binary()), 'spine', 0.5), [-10 / 3, 90 + 20 / 3, 20 / 3]);
    const added = file.layer(stack, { BlendMode: [0] });
    file.animate(added, hips, 'Lcl Rotation', { Z: still(180) });
    near(placeAt(readFbx(file.binary()), 'spine', 0.5), [10 / 3, 90 - 20 / 3, -20 / 3]);
  });

  it('a layer is blended over by the weight that its own curve has', () => {
    const { file, hips } = body();
    const stack = file.stack('walk', [0, 1]);
    const base = file.layer(stack);
    const over = file.layer(stack, { Weight: [100], BlendMode: [1] });
    file.animate(base, hips, 'Lcl Translation', { X: { times: [0, 1], values: [0, 0] } });
    file.animate(over, hips, 'Lcl Translation', { X: { times: [0, 1], values: [8, 8] } });
    const node = file.object('AnimationCurveNode', 'Weight', '', []);
    const seconds = (values: readonly number[]): FbxNode[] => [
      createNode('KeyTime', 'l', [array('l', [0, 46186158000])]),
      createNode('KeyValueFloat', 'f', [array('f', values)]),
    ];
    const curve = file.object('AnimationCurve', '', '', seconds([0, 100]));
    file.connect(node, over, 'Weight');
    file.connect(curve, node, 'd|Weight');
    const scene = readFbx(file.binary());
    near(placeAt(scene, 'hips', 0), [0, 90, 0]);
    near(placeAt(scene, 'hips', 0.5), [4, 90, 0]);
    near(placeAt(scene, 'hips', 1), [8, 90, 0]);
  });
});
