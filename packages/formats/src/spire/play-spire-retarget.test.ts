import {
  composeMatrix,
  createMatrix,
  createRetargeter,
  createRig,
  createRigMap,
  createSetup,
  invertMatrix,
  modelPoseOf,
  multiplyMatrices,
  type Pose,
  poseAt,
  type Setup,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { clipOf, createRandom, jointOf, randomClip, tinyHuman } from '../../../core/test/tiny-rigs.js';
import { FormatError } from '../format-error.js';
import { createSpirePlayer, playSpireRetarget } from './play-spire-retarget.js';
import { type SpireRetarget, spireRetargetOf } from './spire-retarget.js';

function humans(): Setup {
  const source = createRig(tinyHuman({ name: 'capture', axes: createRandom(1) }));
  const target = createRig(tinyHuman({ name: 'model', axes: createRandom(2), legs: 0.6, armsDown: 0.7 }));
  return createSetup(source, target, createRigMap(source, target).map);
}

const clipFor = ({ source: { skeleton } }: Setup) =>
  randomClip(createRandom(5), skeleton, { travels: jointOf(skeleton, 'hips') });

/** What the engine skins with, by the stored numbers and its own rule (S8), written down anew. */
function skinOf(document: SpireRetarget, { target: { skeleton } }: Setup, pose: Pose): Float64Array {
  const { drivers, offsets, rootTranslationScale } = document;
  const joints = new Float64Array(16 * drivers.length);
  const skin = new Float64Array(16 * drivers.length);
  const local = createMatrix();
  const bind = skeleton.bind ?? skeleton.rest;
  drivers.forEach((driver, i) => {
    const at = Float64Array.from([0, 1, 2], (c) =>
      i === 0 ? pose.translations[3 * driver + c]! * rootTranslationScale[c]! : offsets[3 * i + c]!,
    );
    const rotations = driver < 0 ? bind.rotations : pose.rotations;
    composeMatrix(local, 0, at, 0, rotations, 4 * (driver < 0 ? i : driver), Float64Array.of(1, 1, 1), 0);
    if (skeleton.parents[i]! < 0) joints.set(local, 16 * i);
    else multiplyMatrices(joints, 16 * i, joints, 16 * skeleton.parents[i]!, local, 0);
    multiplyMatrices(skin, 16 * i, joints, 16 * i, Float64Array.from(document.inverseBinds), 16 * i);
  });
  return skin;
}

/** What a file with its own inverse binds skins with, joints standing as given. */
function ownSkin({ target: { skeleton } }: Setup, pose: Pose): Float64Array {
  const bind = modelPoseOf(skeleton, skeleton.bind ?? skeleton.rest).matrices;
  const joints = modelPoseOf(skeleton, pose).matrices;
  const skin = new Float64Array(joints.length);
  const inverse = createMatrix();
  for (let o = 0; o < joints.length; o += 16) {
    invertMatrix(inverse, 0, bind, o);
    multiplyMatrices(skin, o, joints, o, inverse, 0);
  }
  return skin;
}

const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (x, n) => Math.abs(x - b[n]!)));

describe('a .retarget file as all that playing needs', () => {
  it('S8, S9: the mesh with its own inverse binds looks as the engine shows it by the stored ones', () => {
    const setup = humans();
    const { document } = spireRetargetOf(setup);
    const clip = clipFor(setup);
    const player = createSpirePlayer(document, setup.source.skeleton, setup.target.skeleton);
    for (const time of [0, 0.7, 1.9]) {
      const pose = poseAt(setup.source.skeleton, clip, time);
      expect(farthest(ownSkin(setup, player.update(pose)), skinOf(document, setup, pose))).toBeLessThan(1e-5);
    }
  });

  it('S9: offsets, inverse binds and root scale that were changed in the file are what is played', () => {
    const setup = humans();
    const { document } = spireRetargetOf(setup);
    const pose = poseAt(setup.source.skeleton, clipFor(setup), 0.7);
    const shown = (changed: SpireRetarget) => {
      const player = createSpirePlayer(changed, setup.source.skeleton, setup.target.skeleton);
      const skin = ownSkin(setup, player.update(pose)).slice();
      expect(farthest(skin, skinOf(changed, setup, pose))).toBeLessThan(1e-5);
      return skin;
    };
    const plain = shown(document);
    const offsets = document.offsets.map((x, n) => (n > 2 ? 1.5 * x : x));
    const inverseBinds = document.inverseBinds.map((x, n) => (n % 16 === 12 ? x + 0.1 : x));
    const [x, y, z] = document.rootTranslationScale;
    for (const changed of [
      { offsets },
      { inverseBinds },
      { rootTranslationScale: [2 * x, y, 3 * z] as const },
    ])
      expect(farthest(shown({ ...document, ...changed } as SpireRetarget), plain)).toBeGreaterThan(0.01);
  });

  it('S9, X5: a clip that is played is the one that is computed, where the file was made by computing', () => {
    const setup = humans();
    const { document } = spireRetargetOf(setup);
    const { source, target } = setup;
    const clip = clipFor(setup);
    const played = playSpireRetarget(document, source.skeleton, target.skeleton, clip);
    const retargeter = createRetargeter(setup, { passes: ['copyRotations', 'moveRoot'] });
    for (const time of clip.tracks[0]!.times.slice(0, 4)) {
      const wanted = modelPoseOf(target.skeleton, retargeter.update(poseAt(source.skeleton, clip, time)));
      const shown = modelPoseOf(target.skeleton, poseAt(target.skeleton, played, time));
      // The engine knows no constant beside the root's scale; the bodies' own differ by less than a millimetre.
      expect(farthest(shown.matrices, wanted.matrices)).toBeLessThan(2e-3);
    }
    expect(played.name).toBe(clip.name);
    expect(playSpireRetarget(document, source.skeleton, target.skeleton, clipOf([])).tracks).toEqual([]);
  });

  it('S9: is refused for other skeletons', () => {
    const setup = humans();
    const { document } = spireRetargetOf(setup);
    const other = tinyHuman({ fingers: true });
    expect(() => createSpirePlayer(document, setup.source.skeleton, other)).toThrow(FormatError);
    const beyond = { ...document, drivers: document.drivers.map(() => 999) };
    expect(() => createSpirePlayer(beyond, setup.source.skeleton, setup.target.skeleton)).toThrow(
      /found 999/,
    );
  });

  it('SP3: joints of one name, and bones that are scaled at rest, are played by their places in the list', () => {
    const twins = (name: string) => (/Hand$|Foot$/.test(name) ? 'twin' : name);
    const source = createRig(tinyHuman({ name: 'capture', rename: twins }));
    const model = tinyHuman({ name: 'model', rename: twins });
    model.rest.scales.fill(1.3, 3 * jointOf(model, 'spine'), 3 * jointOf(model, 'spine') + 3);
    const target = createRig(model);
    const setup = createSetup(source, target, createRigMap(source, target).map);
    const { document } = spireRetargetOf(setup);
    for (const role of ['leftHand', 'rightHand', 'leftFoot'] as const)
      expect(document.drivers[jointOf(model, role)]).toBe(jointOf(source.skeleton, role));
    const clip = clipFor(setup);
    const player = createSpirePlayer(document, source.skeleton, target.skeleton);
    const pose = poseAt(source.skeleton, clip, 0.7);
    expect(farthest(ownSkin(setup, player.update(pose)), skinOf(document, setup, pose))).toBeLessThan(1e-4);
  });
});
