import {
  composeMatrix,
  createBindPlayer,
  createMatrix,
  createRetargetedBind,
  createRetargeter,
  createRig,
  createRigMap,
  createSetup,
  modelPoseOf,
  multiplyMatrices,
  type Pose,
  poseAt,
  retarget,
  type Setup,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from '../../../core/test/tiny-rigs.js';
import { DATA_FOLDER, describeData } from '../../test/data-files.js';
import { FormatError } from '../format-error.js';
import { read } from '../read.js';
import {
  optionsOfSpireRetarget,
  readSpireRetarget,
  type SpireRetarget,
  spireRetargetOf,
  writeSpireRetarget,
} from './spire-retarget.js';

/**
 * What the engine does with a file (S8), written down anew: the root's translation times the scale, offsets
 * elsewhere, driven joints turned by the animation, the others as bound; then the inverse binds.
 * @returns joint matrices and skinning matrices, in the animation's axes and the model's unit.
 */
function play(document: SpireRetarget, parents: Int32Array, bind: Pose, pose: Pose) {
  const count = document.drivers.length;
  const joints = new Float64Array(16 * count);
  const skin = new Float64Array(16 * count);
  const local = createMatrix();
  for (let i = 0; i < count; i++) {
    const driver = document.drivers[i]!;
    const t = Float64Array.from(document.offsets.subarray(3 * i, 3 * i + 3));
    if (i === 0)
      for (let c = 0; c < 3; c++)
        t[c] = pose.translations[3 * driver + c]! * document.rootTranslationScale[c]!;
    const rotations = driver < 0 ? bind.rotations : pose.rotations;
    composeMatrix(local, 0, t, 0, rotations, 4 * (driver < 0 ? i : driver), Float64Array.of(1, 1, 1), 0);
    if (parents[i]! < 0) joints.set(local, 16 * i);
    else multiplyMatrices(joints, 16 * i, joints, 16 * parents[i]!, local, 0);
    multiplyMatrices(skin, 16 * i, joints, 16 * i, Float64Array.from(document.inverseBinds), 16 * i);
  }
  return { joints, skin };
}

function humans(from: Parameters<typeof tinyHuman>[0], to: Parameters<typeof tinyHuman>[0]): Setup {
  const source = createRig(tinyHuman({ name: 'capture', ...from }));
  const target = createRig(tinyHuman({ name: 'model', ...to }));
  return createSetup(source, target, createRigMap(source, target).map);
}

const turnedArms = () =>
  humans({ axes: createRandom(1) }, { axes: createRandom(2), legs: 0.6, armsDown: 0.7 });

describe('a .retarget file', () => {
  const { document } = spireRetargetOf(turnedArms());
  const bytes = writeSpireRetarget(document);

  it('S9: is read as it was written, byte for byte, names beyond ASCII included', () => {
    expect(readSpireRetarget(bytes)).toEqual(document);
    const named = { ...document, modelSkeleton: 'Zoë 人', animationSkeleton: '' };
    const again = writeSpireRetarget(named);
    expect(readSpireRetarget(again)).toEqual(named);
    expect(writeSpireRetarget(readSpireRetarget(again))).toEqual(again);
  });

  it('S9: lies as the engine lays it out', () => {
    const view = new DataView(bytes.buffer);
    const count = document.drivers.length;
    expect(view.getInt32(0, true)).toBe('model'.length);
    expect(new TextDecoder().decode(bytes.subarray(4, 9))).toBe('model');
    expect(view.getInt32(9, true)).toBe('capture'.length);
    expect(view.getFloat32(20, true)).toBe(Math.fround(document.rootTranslationScale[0]));
    expect(view.getInt32(32, true)).toBe(count);
    expect(view.getFloat32(36, true)).toBe(document.offsets[0]);
    expect(view.getFloat32(36 + 12 * count, true)).toBe(document.inverseBinds[0]);
    expect(view.getFloat32(36 + 76 * count, true)).toBe(document.corrections[0]);
    expect(view.getInt32(36 + 92 * count, true)).toBe(document.drivers[0]);
    expect(bytes.length).toBe(36 + 96 * count);
  });

  it('gives a FormatError where it is cut anywhere, longer, or holds what cannot be meant', () => {
    for (let length = 0; length < bytes.length; length += length < 60 ? 1 : 97)
      expect(() => readSpireRetarget(bytes.slice(0, length))).toThrow(FormatError);
    expect(() => readSpireRetarget(Uint8Array.from([...bytes, 0]))).toThrow(FormatError);
    const changed = (at: number, write: (view: DataView) => void) => {
      const copy = bytes.slice();
      write(new DataView(copy.buffer, at));
      return () => readSpireRetarget(copy);
    };
    const count = document.drivers.length;
    expect(changed(0, (v) => v.setInt32(0, -1, true))).toThrow(/byte 0: found -1/);
    expect(changed(0, (v) => v.setInt32(0, 2 ** 31 - 1, true))).toThrow(FormatError);
    expect(changed(32, (v) => v.setInt32(0, 2 ** 30, true))).toThrow(/1073741824 joints/);
    expect(changed(40, (v) => v.setFloat32(0, Number.NaN, true))).toThrow(/byte 40: found NaN/);
    expect(changed(36 + 92 * count, (v) => v.setInt32(0, -7, true))).toThrow(/found -7/);
  });

  it('survives altered bytes: a document or a FormatError, never else', () => {
    const random = createRandom(3);
    for (let n = 0; n < 300; n++) {
      const copy = bytes.slice();
      for (let k = 0; k < 3; k++) copy[Math.floor(random() * Math.min(copy.length, 200))] = 256 * random();
      try {
        expect(readSpireRetarget(copy).drivers.length).toBe(document.drivers.length);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});

describe('a setup as a .retarget document', () => {
  it('S5, S6, S8, X5: shows in the engine what the usual way shows', () => {
    const setup = turnedArms();
    const { document, losses } = spireRetargetOf(setup);
    expect(losses).toEqual([]);
    const { skeleton } = setup.source;
    const clip = randomClip(createRandom(5), skeleton, { travels: jointOf(skeleton, 'hips') });
    const player = createBindPlayer(createRetargetedBind(setup));
    const { parents, rest } = setup.target.skeleton;
    const { travel } = createRetargetedBind(setup);
    for (const time of [0, 0.7, 2]) {
      const pose = poseAt(skeleton, clip, time);
      const { skin } = play(document, parents, rest, pose);
      player.update(pose).forEach((wanted, n) => {
        // The engine has no constant beside the scale: both stand on floors at 0, so there is next to none.
        const shift = n % 16 > 11 ? (travel!.offset[n % 4] ?? 0) : 0;
        expect(skin[n]! + (n % 16 === 15 ? 0 : shift)).toBeCloseTo(wanted, 5);
      });
    }
  });

  it('S9: is refused for other skeletons, and gives the same motion back for its own', () => {
    const setup = turnedArms();
    const { source, target } = setup;
    const document = readSpireRetarget(writeSpireRetarget(spireRetargetOf(setup).document));
    const other = createRig(tinyHuman({ fingers: true }));
    expect(() => optionsOfSpireRetarget(document, source, other)).toThrow(
      /found \d+ for "model"; expected \d+/,
    );
    const beyond = { ...document, drivers: document.drivers.map(() => 999) };
    expect(() => optionsOfSpireRetarget(beyond, source, target)).toThrow(/drivers\[0\]: found 999/);
    const options = optionsOfSpireRetarget(document, source, target);
    const clip = randomClip(createRandom(6), source.skeleton, { travels: jointOf(source.skeleton, 'hips') });
    const from = sceneOf(source.skeleton, [clip]);
    const to = sceneOf(target.skeleton);
    const passes = ['copyRotations', 'moveRoot'] as const;
    const usual = retarget(from, to, { keys: 'bake', passes, measure: false }).clips[0]!;
    const again = retarget(from, to, { ...options, keys: 'bake', passes, measure: false }).clips[0]!;
    for (const time of [0.1, 1.1]) {
      const a = modelPoseOf(target.skeleton, poseAt(target.skeleton, usual, time)).matrices;
      const b = modelPoseOf(target.skeleton, poseAt(target.skeleton, again, time)).matrices;
      // A millimetre: the hips of the aligned pose stand a little lower or higher than R alone leaves them.
      for (let n = 0; n < a.length; n++) expect(Math.abs(a[n]! - b[n]!)).toBeLessThan(1e-3);
    }
  });

  it('SP4, SP6: says what the engine cannot do: hips that are not the first joint, joints it does not know', () => {
    expect(spireRetargetOf(humans({}, { root: true })).losses.join()).toMatch(/is not the first joint/);
    expect(spireRetargetOf(humans({ spines: 5 }, { spines: 2 })).losses.join()).toMatch(/would not reach/);
  });
});

describeData('real captures (needs ../shared/data)', () => {
  it('X5: a capture drives the skeleton of another through the file as the usual way does', async () => {
    const source = await read(`${DATA_FOLDER}cmu/02_01.bvh`);
    const target = await read(`${DATA_FOLDER}cmu/69_08.bvh`);
    const { setup } = setUpScenes(source, target, { sourceReference: 'rest', targetReference: 'rest' });
    const { document, losses } = spireRetargetOf(setup);
    // Zero poses hang at the origin: the engine's rule for the root has no way to lift them onto a floor.
    expect(losses.filter((loss) => !/would stand/.test(loss))).toEqual([]);
    const { skeleton, rest } = { skeleton: setup.target.skeleton, rest: setup.target.skeleton.rest };
    const retargeter = createRetargeter(setup, { passes: ['copyRotations', 'moveRoot'] });
    const clip = source.characters[0]!.clips[0]!;
    const units = Math.hypot(...skeleton.container.subarray(0, 3));
    let farthest = 0;
    for (const time of [0.5, 1.5, 2.5]) {
      const pose = poseAt(setup.source.skeleton, clip, time);
      const { joints } = play(document, skeleton.parents, rest, pose);
      const model = modelPoseOf(skeleton, retargeter.update(pose)).matrices;
      for (let i = 1; i < skeleton.names.length; i++)
        for (let c = 12; c < 15; c++) {
          const found = (joints[16 * i + c]! - joints[c]!) * units;
          const wanted = model[16 * i + c]! - model[c]!;
          farthest = Math.max(farthest, Math.abs(found - wanted));
        }
    }
    expect(farthest / setup.target.space.height).toBeLessThan(1e-4);
  });
});
