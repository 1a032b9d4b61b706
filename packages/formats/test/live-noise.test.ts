import { fileURLToPath } from 'node:url';
import {
  type Contact,
  copyPose,
  createModelPose,
  createRetargeter,
  localToModel,
  normalizeQuaternion,
  PASS_NAMES,
  type Pose,
  type Role,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
  vectorAt,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core/test/tiny-rigs.js';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** A pose as a sensor gives it: every joint off by up to 0.08°, the hips by up to 0.4 mm, anew in each frame. */
function shake({ rotations, translations }: Pose, hips: number, random: () => number): void {
  for (let i = 0; i < rotations.length; i += 4) {
    for (let c = 0; c < 3; c++) rotations[i + c]! += 0.0007 * (2 * random() - 1);
    normalizeQuaternion(rotations, i, rotations, i);
  }
  for (let c = 0; c < 3; c++) translations[3 * hips + c]! += 0.0004 * (2 * random() - 1);
}

/** How far, in millimetres, a toe that stands goes from a frame to the next. */
function unrest(source: Scene, target: Scene, corrections: 'none' | 'auto', contacts: readonly Contact[]) {
  const { setup } = setUpScenes(source, target, { corrections });
  const clip = source.characters[0]!.clips[0]!;
  const retargeter = createRetargeter(setup);
  const pose = copyPose(setup.source.skeleton.rest);
  const { skeleton, joints } = setup.target;
  const model = createModelPose(skeleton.names.length);
  const random = createRandom(7);
  const before = new Map<string, number[]>();
  const steps: number[] = [];
  for (let k = 0; k < 60 * clip.duration; k++) {
    sampleClip(pose, clip, k / 60);
    shake(pose, setup.source.joints.hips!, random);
    localToModel(model, skeleton, retargeter.update(pose, 1 / 60));
    for (const side of ['left', 'right']) {
      const place = vectorAt(model.matrices, 16 * joints[`${side}Toes` as Role]! + 12);
      const stands = contacts.some(
        ({ point, start, end }) => point === `${side}Toe` && k / 60 > start + 0.1 && k / 60 < end - 0.1,
      );
      const last = before.get(side);
      if (stands && last) steps.push(1000 * Math.hypot(...place.map((value, c) => value - last[c]!)));
      if (stands) before.set(side, place);
      else before.delete(side);
    }
  }
  expect(steps.length).toBeGreaterThan(50);
  return steps.reduce((sum, step) => sum + step, 0) / steps.length;
}

describe('a live source that shakes', () => {
  it.each([
    ['walk.glb', 'child.glb'],
    ['wave-on-one-leg.glb', 'unreal-mannequin.glb'],
  ])('P2: %s on %s: feet that stand shake less than a third as much as copied', async (motion, body) => {
    const [source, target] = [
      await read(`${samples}motions/${motion}`),
      await read(`${samples}characters/${body}`),
    ];
    const { contacts } = retarget(source, target, { measure: false }).report.clips[0]!;
    const [copied, held] = (['none', 'auto'] as const).map((each) => unrest(source, target, each, contacts!));
    expect(copied!).toBeGreaterThan(1);
    expect(held! / copied!).toBeLessThan(1 / 3);
  });

  it('P2: the root goes first, then what the torso needs, then the limbs', () => {
    const order = ['moveRoot', 'settleHips', 'solveLimbs'] as const;
    expect([...order].sort((a, b) => PASS_NAMES.indexOf(a) - PASS_NAMES.indexOf(b))).toEqual(order);
  });
});
