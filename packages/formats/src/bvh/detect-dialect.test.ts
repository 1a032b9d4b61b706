import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { present, readData } from '../../test/data-files.js';
import { readBvh } from './read-bvh.js';

/** A BVH of a chain of joints, which is all that names need. */
function bvhOf(
  names: readonly string[],
  { order = 'Zrotation Xrotation Yrotation', frameTime = 0.01, offset = '0 1 0', blank = '' } = {},
): string {
  const lines = ['HIERARCHY'];
  names.forEach((name, i) => {
    const channels = i === 0 ? `6 Xposition Yposition Zposition ${order}` : `3 ${order}`;
    lines.push(
      `${i === 0 ? 'ROOT' : 'JOINT'} ${name}`,
      '{',
      `OFFSET ${offset}`,
      `CHANNELS ${channels}${blank}`,
    );
  });
  lines.push('End Site', '{', 'OFFSET 0 1 0', '}', ...names.map(() => '}'));
  const frame = new Array(3 * names.length + 3).fill('0').join(' ');
  return [...lines, 'MOTION', 'Frames: 1', `Frame Time: ${frameTime}`, frame, ''].join('\n');
}

const words = (text: string) => text.split(' ');

const LAFAN =
  'Hips LeftUpLeg LeftLeg LeftFoot LeftToe RightUpLeg RightLeg RightFoot RightToe Spine Spine1 Spine2 Neck Head LeftShoulder LeftArm LeftForeArm LeftHand RightShoulder RightArm RightForeArm RightHand';

describe('detectDialect', () => {
  test.each([
    [
      'Xsens MVN',
      'Hips Chest Chest2 Chest3 Chest4 LeftCollar LeftHip LeftKnee',
      { order: 'Yrotation Xrotation Zrotation' },
    ],
    ['Bandai Namco Research Motion Dataset', 'joint_Root Hips UpperLeg_L LowerLeg_L Foot_L Toes_L', {}],
    ['Rokoko Studio', 'Hips LeftThigh LeftShin LeftShoulder LeftArm LeftForeArm', {}],
    ['Perception Neuron', 'Hips LeftHand LeftInHandIndex', {}],
    ['SMPL export', 'Pelvis L_Hip L_Knee L_Ankle L_Collar L_Shoulder', {}],
    ['Mixamo', 'mixamorig:Hips mixamorig:Spine', {}],
    ['3ds Max Biped', 'Bip01 Bip01_Pelvis', {}],
    ['MotionBuilder', 'ns:Hips ns:LeftUpLeg ns:LeftLeg ns:LeftForeArm', { blank: ' ' }],
    ['Biovision names', 'Hips LeftHip LeftKnee LeftAnkle LeftShoulder LeftElbow LeftWrist', {}],
    ['LAFAN1', LAFAN, { order: 'Zrotation Yrotation Xrotation', offset: '43.5 0 0' }],
    [
      'SMPL export (joints named as in LAFAN1)',
      LAFAN,
      { order: 'Zrotation Yrotation Xrotation', offset: '0 -0.4 0' },
    ],
  ])('knows %s', (name, joints, options) => {
    const scene = readBvh(bvhOf(words(joints), options));
    expect(scene.dialect?.name).toBe(name);
    expect(scene.dialect!.reason.length).toBeGreaterThan(10);
  });

  test('says nothing of what it does not know, and the unit where it is one for all', () => {
    const scene = readBvh(bvhOf(['a', 'b', 'c']));
    expect(scene.dialect).toBeUndefined();
    expect(scene.characters[0]!.skeleton.declared).toEqual({
      up: null,
      facing: null,
      unit: null,
      capture: true,
    });
    const known = readBvh(
      bvhOf(words(LAFAN), { order: 'Zrotation Yrotation Xrotation', offset: '43.5 0 0' }),
    );
    expect(known.characters[0]!.skeleton.declared).toEqual({
      up: '+Y',
      facing: null,
      unit: 0.01,
      capture: true,
    });
  });

  test('names alone where nothing says more', () => {
    const path = fileURLToPath(new URL('../../../../samples/files/motions/walk.bvh', import.meta.url));
    expect(readBvh(new Uint8Array(readFileSync(path))).dialect?.name).toBe('Biovision names');
  });

  // Files that are not listed are nobody's claim: a capture that is added breaks nothing.
  const CMU = 'CMU (cgspeed, MotionBuilder-friendly)';
  test.each(
    present([
      ['samples/captures/walk-cmu.bvh', CMU],
      ['samples/captures/crawl-cmu.bvh', CMU],
      ['samples/captures/walk-lafan1.bvh', 'LAFAN1'],
      ['samples/captures/walk-xsens.bvh', 'Xsens MVN'],
      ['samples/captures/walk-rokoko.bvh', 'Rokoko Studio'],
      ['samples/captures/walk-neuron.bvh', 'Perception Neuron'],
      ['samples/captures/walk-smpl.bvh', 'SMPL export'],
      ['samples/captures/walk-mixamo.bvh', 'Mixamo'],
      ['samples/captures/walk-motionbuilder.bvh', 'MotionBuilder'],
      ['samples/captures/walk-biovision.bvh', 'Biovision names'],
      ['cmu/02_01.bvh', CMU],
      ['cmu/05_11.bvh', CMU],
      ['cmu/12_01.bvh', CMU],
      ['cmu/49_06.bvh', CMU],
      ['cmu/69_08.bvh', CMU],
      ['cmu/91_48.bvh', CMU],
      ['cmu/91_50.bvh', CMU],
      ['cmu/Boxing_Toes.bvh', 'Biovision names'],
      ['makehuman/tpose.bvh', 'MakeHuman'],
      ['makehuman/walk1.bvh', 'MakeHuman (early rig)'],
      ['misc/Geno_bind.bvh', 'MotionBuilder'],
      ['misc/Geno_stance.bvh', 'MotionBuilder'],
      ['misc/alien.bvh', 'Blender'],
      ['misc/momask_smpl22.bvh', 'SMPL export (joints named as in LAFAN1)'],
      ['misc/performs_mixamorig_Idle.bvh', 'Mixamo'],
      ['misc/pybvh_test1.bvh', 'HumanIK names'],
      ['misc/rotation_first_root.bvh', undefined],
      ['threejs/pirouette.bvh', 'CMU (cgspeed, Daz-friendly)'],
    ] as const),
  )('%s by what wrote it', (file, dialect) => {
    expect(readBvh(readData(file)).dialect?.name).toBe(dialect);
  });
});
