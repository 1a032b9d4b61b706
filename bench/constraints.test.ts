import {
  compileLayers,
  copyPose,
  createLayerStep,
  type Layer,
  modelPoseOf,
  type Vec3,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { SAMPLE_CHARACTERS, samplesFolder } from '../samples/catalogue.js';
import { CASES, type ConstrainedMotion, prepareMotion } from './cases/constraint-cases.js';
import { runRandom } from './constraint-random.js';
import { scoreConstraints } from './constraints.js';

const sample = (file: string) => read(`${samplesFolder}${file}`);

async function motionOf(motion: string, body: string): Promise<ConstrainedMotion> {
  return prepareMotion(
    `${motion} → ${body}`,
    await sample(`motions/${motion}.glb`),
    await sample(`characters/${body}`),
  );
}

describe('constraints on sample motions', () => {
  const inReach = CASES.slice(0, 10).map(({ name }) => name);

  it('M12, M18, M19: what is in reach is met to 0.01 % of the height in every frame', async () => {
    const motion = await motionOf('walk', 'goblin.glb');
    for (const each of CASES.filter(({ name }) => inReach.includes(name))) {
      const score = scoreConstraints(motion, each);
      expect(score.miss, each.name).toBeLessThan(0.01);
      expect([score.cut, score.broken], each.name).toEqual([0, 0]);
      expect(score.jerk, each.name).toBeLessThan(1.5);
      expect(score.jump, each.name).toBeLessThan(3 * score.jumpBefore);
    }
  });

  it('M20, M22: a hand out of reach is smooth, and a second one of a lower level changes nothing of it', async () => {
    const motion = await motionOf('jump', 'vrm-girl.vrm');
    const alone = scoreConstraints(motion, CASES.find(({ name }) => name === 'a hand out of reach')!);
    expect(alone.miss).toBeGreaterThan(0.5);
    expect(alone.jerk).toBeLessThan(1.5);
    expect(alone.cut).toBe(0);
  });

  it('M13, M18: limbs take up what makes the trunk jerk, also where nothing jumps, and all stays met', async () => {
    const motion = await motionOf('jump', 'vrm-girl.vrm');
    for (const name of [/^eight planes/, /^pick and release/, /moving point$/]) {
      const score = scoreConstraints(motion, CASES.find((each) => name.test(each.name))!);
      expect(score.miss, String(name)).toBeLessThan(0.01);
      // 1.7 where only jumps are drawn anew: least strain throws the hips aside as a straight arm swings past them.
      expect(score.jerk, String(name)).toBeLessThan(1.5);
    }
  });

  it('M18: a foot that a plane lifts bends its leg, and does not swing it aside from frame to frame', async () => {
    const motion = await motionOf('jump', 'vrm-girl.vrm');
    const score = scoreConstraints(motion, CASES.find(({ name }) => name.startsWith('feet up stairs'))!);
    expect(score.miss).toBeLessThan(0.01);
    // 3.5 times as much where nothing keeps the foot along its plane.
    expect(score.jump).toBeLessThan(2 * score.jumpBefore);
  });

  it('M18: a straight body that is pressed from head to feet stoops, and does not bulge ahead in one frame and back in the next', async () => {
    const motion = await motionOf('jump', 'vrm-girl.vrm');
    const score = scoreConstraints(motion, CASES.find(({ name }) => name.startsWith('seven'))!);
    // 4.7 times as much where every frame starts from the motion as it came; 1.4 times stooped.
    expect(score.jump).toBeLessThan(2 * score.jumpBefore);
  });

  it('M18, M20: hands that are pulled across the body of a walk keep to one of their two answers', async () => {
    const motion = await motionOf('walk', 'goblin.glb');
    const score = scoreConstraints(motion, CASES.find(({ name }) => name.startsWith('hands pulled across'))!);
    // Every frame for itself changes over twice a step.
    expect(score.jumpAlone).toBeGreaterThan(10 * score.jumpBefore);
    expect(score.jump).toBeLessThan(1.5 * score.jumpBefore);
    expect(score.jerk).toBeLessThan(1.5);
    expect(score.miss).toBeLessThan(0.01);
  });

  it('M18: random sets over time do not jump, where every frame for itself does', async () => {
    const motion = await motionOf('jump', 'goblin.glb');
    const { jumps, broken, over } = runRandom(motion, 8, true, 2);
    expect([broken, over]).toEqual([0, 0]);
    expect(Math.max(...jumps.map(({ alone }) => alone))).toBeGreaterThan(10);
    expect(Math.max(...jumps.map(({ times }) => times))).toBeLessThan(5);
  });

  it('M18: what is changed ends smoothly where only balance over nothing is left, which does not count', async () => {
    // The set of ten thousand that showed it: drawn frames were not taken once no task was left, 3.2 times the motion's jump.
    const motion = await motionOf('jump', 'goblin.glb');
    const { jumps } = runRandom(motion, 681, true, 2, 680);
    expect(jumps[0]!.alone).toBeGreaterThan(10);
    expect(jumps[0]!.times).toBeLessThan(2);
  });

  it('MP6: random sets give numbers within the steps of a frame', async () => {
    const motion = await motionOf('jump', 'goblin.glb');
    const found = runRandom(motion, 150, false, 3);
    expect([found.broken, found.over]).toEqual([0, 0]);
  });
});

describe('a layer on every sample body', () => {
  const layer: Layer = {
    joints: { head: [{ time: 0, degrees: [0, 20, 0] }], chest: [{ time: 0, degrees: [15, 0, 0] }] },
  };

  it('M10, M11: turns the same joints about the same axes of the same motion', async () => {
    const turns: Vec3[] = [];
    for (const { file, map } of SAMPLE_CHARACTERS) {
      if (map || !file.startsWith('characters/')) continue;
      const motion = await motionOf('walk', file.replace('characters/', ''));
      const { body, frames } = motion;
      const data = compileLayers(body, [layer], { when: 'before' });
      expect(data.warnings, file).toEqual([]);
      const before = frames[40]!;
      const pose = copyPose(before);
      createLayerStep(data)(pose, 0, modelPoseOf(body.skeleton, before));
      const head = 4 * body.joints.head!;
      const [p, q] = [before, pose].map((each) =>
        modelPoseOf(body.skeleton, each).rotations.slice(head, head + 4),
      );
      // q · p⁻¹ as a vector, which at these angles is nearly the turn itself.
      turns.push([
        2 * (-q![3]! * p![0]! + q![0]! * p![3]! - q![1]! * p![2]! + q![2]! * p![1]!),
        2 * (-q![3]! * p![1]! + q![1]! * p![3]! - q![2]! * p![0]! + q![0]! * p![2]!),
        2 * (-q![3]! * p![2]! + q![2]! * p![3]! - q![0]! * p![1]! + q![1]! * p![0]!),
      ]);
    }
    expect(turns.length).toBeGreaterThan(3);
    for (const turn of turns) {
      const dot = turn.reduce((sum, x, c) => sum + x * turns[0]![c]!, 0);
      const angle = Math.acos(Math.min(1, Math.abs(dot) / (Math.hypot(...turn) * Math.hypot(...turns[0]!))));
      expect((angle * 180) / Math.PI).toBeLessThan(7);
    }
  });
});
