import { copyPose, JOINT, modelPoseOf, type Scene, sampleClip, vectorAt } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { buildFbx } from '../../test/fbx-builder.js';
import { encodeAscii } from './encode-ascii.js';
import { encodeBinary } from './encode-binary.js';
import { createArray as array, createNode, type FbxNode } from './fbx-node.js';
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

  it('takes that begin before zero count from their own start', () => {
    const { file, hips } = body();
    const layer = file.layer(file.stack('walk', [-1, 1]));
    file.animate(layer, hips, 'Lcl Translation', { X: { times: [-1, 1], values: [0, 4] } });
    const scene = readFbx(file.binary());
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
