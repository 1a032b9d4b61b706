import { createRig, modelPoseOf, poseAt as poseOfClip, type Role, vectorAt } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { placeBody } from './body/body.js';
import { SAMPLE_CAPTURES, samplesFolder } from './catalogue.js';
import { guyBody } from './characters/mixamo-guy.js';
import { BVH_DIALECTS, type BvhDialect } from './formats/bvh-dialects.js';
import { MOTIONS } from './make-motions.js';
import { poseAt } from './sample-motion.js';

const RATE = 30;

/** What a reader may say about each: captures do not tell their unit, and one poses as nobody stands. */
const EXPECTED = new Set(['unit-guessed', 'reference-chosen']);

describe.each(SAMPLE_CAPTURES)('capture $name', ({ file, motion, dialect }) => {
  const played = MOTIONS.find(({ name }) => name === motion)!;
  const written: BvhDialect = BVH_DIALECTS[dialect];

  it('is read as the motion that was captured: in metres, upright, looking ahead', async () => {
    const scene = await read(samplesFolder + file);
    const { skeleton, clips } = scene.characters[0]!;
    const rig = createRig(skeleton, { clips });
    expect(rig.space.unit.metres).toBeCloseTo(written.unit, 6);
    expect(scene.warnings).toEqual([]);
    for (const { code, message } of rig.warnings) expect(EXPECTED, message).toContain(code);
    const first = written.startsInTPose === false ? 0 : 1;
    for (const frame of [0, 7, 23, 40, 58]) {
      const now = placeBody(guyBody, poseAt(played, frame / RATE));
      const model = modelPoseOf(rig.skeleton, poseOfClip(rig.skeleton, clips[0]!, (frame + first) / RATE));
      for (const role of ['hips', 'head', 'leftHand', 'rightHand', 'leftFoot', 'rightLowerLeg'] as Role[]) {
        const at = vectorAt(model.matrices, 16 * rig.joints[role]! + 12);
        const gap = Math.hypot(...now[role]!.translation.map((value, c) => value - at[c]!));
        expect(gap, `${role} in frame ${frame}`).toBeLessThan(0.002);
      }
    }
  });
});

describe('captures', () => {
  it('differ in unit, order of turns, zero pose and number of joints', () => {
    const dialects = Object.values<BvhDialect>(BVH_DIALECTS);
    expect(new Set(dialects.map(({ unit }) => unit)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(dialects.map(({ order }) => order)).size).toBeGreaterThanOrEqual(4);
    expect(dialects.filter(({ zeroPose, axes }) => zeroPose ?? axes).length).toBeGreaterThanOrEqual(2);
  });

  it.each(SAMPLE_CAPTURES.filter(({ motion }) => motion === 'walk'))(
    '$name is known by what wrote it',
    async (entry) => {
      const names: Record<string, string> = {
        biovision: 'Biovision names',
        cmu: 'CMU (cgspeed, MotionBuilder-friendly)',
        lafan1: 'LAFAN1',
        xsens: 'Xsens MVN',
        rokoko: 'Rokoko Studio',
        neuron: 'Perception Neuron',
        smpl: 'SMPL export',
        mixamo: 'Mixamo',
        motionbuilder: 'MotionBuilder',
      };
      expect((await read(samplesFolder + entry.file)).dialect?.name).toBe(names[entry.dialect]);
    },
  );
});
