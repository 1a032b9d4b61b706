import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../../test/stick-figure.js';
import {
  clipOf,
  createRandom,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  translationTrack,
  turn,
  turnVector,
} from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Role } from '../../body/roles.js';
import { createRig } from '../../body/understand/create-rig.js';
import type { GroundHeight } from '../../options/root-rule.js';
import { retarget } from '../../retarget.js';
import { createRetargeter } from '../../retargeter.js';
import type { Clip, Track } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { LEG_JOINT_LIMITS } from '../limit-joints.js';

const MOMENTS = Array.from({ length: 91 }, (_, k) => k / 30);
const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', axes: createRandom(5) });

/** Stands, then lifts the left foot, carries it ahead with the body, and stands again, within three seconds. */
function step(skeleton: Skeleton): Clip {
  const tracks: Track[] = [];
  const add = (role: Role, angle: (time: number) => number) => {
    const joint = jointOf(skeleton, role);
    const rest = quatAt(skeleton.rest.rotations, joint);
    const turns = MOMENTS.map((time) => times(turn([1, 0, 0], angle(time)), rest));
    tracks.push(rotationTrack(joint, MOMENTS, turns));
  };
  const swing = (time: number) => Math.sin(Math.PI * Math.min(1, Math.max(0, time - 1))) ** 2;
  add('leftUpperLeg', (time) => -0.6 * swing(time));
  add('leftLowerLeg', (time) => 1.2 * swing(time));
  add('leftFoot', (time) => -0.6 * swing(time));
  const hips = jointOf(skeleton, 'hips');
  const [x, y, z] = [0, 1, 2].map((c) => skeleton.rest.translations[3 * hips + c]!);
  tracks.push(
    translationTrack(
      hips,
      MOMENTS,
      MOMENTS.map((): Vec3 => [x!, y!, z!]),
    ),
  );
  return clipOf(tracks, 'step');
}

const clip = step(source);
const stand = (groundHeight?: GroundHeight) =>
  retarget(sceneOf(source, [clip]), sceneOf(target), {
    frameRate: 60,
    ...(groundHeight && { groundHeight }),
  }).clips[0]!;
const at = (of: Clip, time: number, role: Role) => placeAt(modelAt(target, of, time), jointOf(target, role));
const rises = (of: Clip, flat: Clip, time: number, role: Role) =>
  at(of, time, role)[1] - at(flat, time, role)[1];

describe('placeFeet', () => {
  const flat = stand();

  it('W23: the lower foot takes the root along, the other leg bends to where its foot stands', () => {
    const onStep = stand((x) => (x > 0 ? 0.15 : -0.1));
    for (const time of [0.2, 0.6, 2.5]) {
      expect(rises(onStep, flat, time, 'leftFoot')).toBeCloseTo(0.15, 3);
      expect(rises(onStep, flat, time, 'rightFoot')).toBeCloseTo(-0.1, 3);
      expect(rises(onStep, flat, time, 'hips')).toBeCloseTo(-0.1, 3);
      // The knee goes ahead, as knees do.
      expect(at(onStep, time, 'leftLowerLeg')[2]).toBeGreaterThan(at(flat, time, 'leftLowerLeg')[2] + 0.1);
    }
  });

  it('W23: even ground at another height moves the whole body, and changes no leg', () => {
    const raised = stand(() => 0.4);
    for (const time of [0, 1.5, 3])
      for (const role of ['hips', 'head', 'leftFoot', 'rightLowerLeg'] as const)
        expect(rises(raised, flat, time, role)).toBeCloseTo(0.4, 5);
  });

  it('W23: soles lie along a slope', () => {
    const sloped = stand((_, z) => 0.3 * z);
    const foot = jointOf(target, 'rightFoot');
    const up = (of: Clip) => {
      const rest = quatAt(modelPoseOf(target, target.rest).rotations, foot);
      const own = turnVector([-rest[0], -rest[1], -rest[2], rest[3]], [0, 1, 0]);
      return turnVector(quatAt(modelAt(target, of, 0.5).rotations, foot), own);
    };
    expect(up(flat)[1]).toBeCloseTo(1, 5);
    const slope = Math.hypot(1, 0.3);
    expect(up(sloped)[1]).toBeCloseTo(1 / slope, 3);
    expect(up(sloped)[2]).toBeCloseTo(-0.3 / slope, 3);
  });

  it('W23: live the root follows at 5 a second, and a height per foot is enough', () => {
    const heights = [0, 0];
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), { groundHeight: heights });
    const live = createRetargeter(setup);
    const height = (role: Role) => {
      live.update(poseAt(source, clip, 0.3), 1 / 60);
      return placeAt(modelPoseOf(target, live.pose), jointOf(target, role))[1];
    };
    const [hips, foot] = [height('hips'), height('leftFoot')];
    heights[0] = 0.2;
    heights[1] = 0.1;
    expect(height('hips') - hips).toBeCloseTo(0.1 * (1 - Math.exp(-5 / 60)), 4);
    for (let k = 0; k < 180; k++) height('hips');
    expect(height('hips') - hips).toBeCloseTo(0.1, 4);
    expect(height('leftFoot') - foot).toBeCloseTo(0.2, 3);
    live.reset();
    heights[1] = 0;
    expect(height('hips') - hips).toBeCloseTo(0, 6);
  });

  it('a foot in the air goes over an edge, and nothing jumps', () => {
    // A kerb that only the lifted foot's arc passes over.
    const kerb = stand((x, z) => (x > 0 && z > 0.06 ? 0.3 : 0));
    let most = 0;
    for (let k = 1; k <= 180; k++) {
      const [a, b] = [k - 1, k].map((j) => at(kerb, j / 60, 'leftFoot'));
      most = Math.max(most, Math.abs(b![1] - a![1]));
    }
    expect(most).toBeLessThan(0.06);
    expect(rises(kerb, flat, 1.5, 'rightFoot')).toBeCloseTo(0, 3);
  });

  it.each([0, 90, 180, 263])(
    'W22: a body that faces %s° elsewhere, and does not say so, bends its knees where it faces',
    (facing) => {
      const figure = stickFigure({ facing, axes: 'boneY' });
      const plain = stickFigure();
      const { clips } = retarget(sceneOf(plain.skeleton, plain.clips), sceneOf(figure.skeleton), {
        groundHeight: [0.25, 0],
        limits: LEG_JOINT_LIMITS,
        range: [0, 0.1],
        measure: false,
      });
      const rig = createRig(figure.skeleton);
      const [x, , z] = rig.space.facing.direction;
      expect(Math.atan2(x, z)).toBeCloseTo(
        Math.atan2(Math.sin(facing / 57.29578), Math.cos(facing / 57.29578)),
        3,
      );
      const model = modelAt(rig.skeleton, clips[0]!, 0);
      const [hip, knee, foot] = (['leftUpperLeg', 'leftLowerLeg', 'leftFoot'] as const).map((role) =>
        placeAt(model, rig.joints[role]!),
      );
      expect(knee![2]).toBeGreaterThan(Math.max(hip![2], foot![2]) + 0.02);
    },
  );

  it('R11: ground that is no number is even, and out of reach is no NaN', () => {
    expect(() => stand(5 as unknown as number[])).toThrow('groundHeight');
    const nowhere = stand(() => Number.NaN);
    expect(rises(nowhere, flat, 1, 'hips')).toBeCloseTo(0, 6);
    const gap = stand((x) => (x > 0 ? -5 : 3));
    for (const { values } of gap.tracks)
      for (const value of values) expect(Number.isFinite(value)).toBe(true);
  });
});
