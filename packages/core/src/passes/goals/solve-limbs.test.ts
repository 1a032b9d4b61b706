import { describe, expect, it } from 'vitest';
import { withHock } from '../../../test/solve-goals.js';
import {
  clipOf,
  distance,
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
} from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Role } from '../../body/roles.js';
import { retarget } from '../../retarget.js';
import { createRetargeter } from '../../retargeter.js';
import type { Clip, Track } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import { copyPose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { planClip } from '../../ways/plan/plan-clip.js';
import { retargetClip } from '../../ways/retarget-clip.js';
import { LEG_JOINT_LIMITS } from '../limit-joints.js';
import { foundOf } from '../pass.js';
import { PASS_NAMES } from '../pipeline.js';
import { createFrame, prepareSteps } from '../run-passes.js';
import { placeGoals } from './place-goals.js';

const MOMENTS = Array.from({ length: 61 }, (_, k) => k / 30);

/** Bends both knees and stands up again, feet where they are, and turns the arms up. */
function squat(skeleton: Skeleton, legs = 0.85): Clip {
  const shin = legs / 2;
  const bend = (time: number) => 0.45 * (1 - Math.cos(Math.PI * time));
  const tracks: Track[] = [];
  const add = (role: Role, angle: (time: number) => number, axis: Vec3) => {
    const joint = jointOf(skeleton, role);
    const rest = quatAt(skeleton.rest.rotations, joint);
    tracks.push(
      rotationTrack(
        joint,
        MOMENTS,
        MOMENTS.map((time) => times(turn(axis, angle(time)), rest)),
      ),
    );
  };
  for (const side of ['left', 'right'] as const) {
    add(`${side}UpperLeg`, (time) => -bend(time), [1, 0, 0]);
    add(`${side}LowerLeg`, (time) => 2 * bend(time), [1, 0, 0]);
    add(`${side}Foot`, (time) => -bend(time), [1, 0, 0]);
    add(`${side}UpperArm`, (time) => (side === 'left' ? 0.5 : -0.5) * time, [0, 0, 1]);
  }
  const hips = jointOf(skeleton, 'hips');
  const [x, y, z] = [0, 1, 2].map((c) => skeleton.rest.translations[3 * hips + c]!);
  const down = (time: number) => 2 * shin * (1 - Math.cos(bend(time)));
  tracks.push(
    translationTrack(
      hips,
      MOMENTS,
      MOMENTS.map((time): Vec3 => [x!, y! - down(time), z!]),
    ),
  );
  return clipOf(tracks, 'squat');
}

const source = tinyHuman({ name: 'source' });
const clip = squat(source);

/** How far a joint of a result strays along the ground from where it is at first. */
function strays(skeleton: Skeleton, result: Clip, role: Role): number {
  const first = placeAt(modelAt(skeleton, result, 0), jointOf(skeleton, role));
  return Math.max(
    ...MOMENTS.map((time) => {
      const at = placeAt(modelAt(skeleton, result, time), jointOf(skeleton, role));
      return Math.hypot(at[0] - first[0], at[2] - first[2]);
    }),
  );
}

const BODIES = [
  ['short legs', tinyHuman({ name: 'short', legs: 0.5 })],
  ['long legs', tinyHuman({ name: 'long', legs: 1.1 })],
  ['feet under the root', tinyHuman({ name: 'loose', legs: 0.6, root: true, feetUnderRoot: true })],
] as const;

describe('corrections', () => {
  it.each(BODIES)('the source squats with its feet planted, and so does a body with %s', (_, target) => {
    expect(strays(source, clip, 'leftFoot')).toBeLessThan(2e-3);
    const { clips, report } = retarget(sceneOf(source, [clip]), sceneOf(target), { corrections: 'auto' });
    expect(report.clips[0]!.way).toBe('frames');
    for (const role of ['leftFoot', 'rightFoot', 'leftToes'] as const)
      expect(strays(target, clips[0]!, role)).toBeLessThan(1e-3);
    const floor = Math.min(
      ...MOMENTS.map((time) => placeAt(modelAt(target, clips[0]!, time), jointOf(target, 'leftToes'))[1]),
    );
    expect(floor).toBeGreaterThan(0.02 - 1e-3);
  });

  it.each(BODIES)(
    'a source that stands as in its reference leaves a body with %s as in its own',
    (_, target) => {
      const standing = {
        ...clip,
        tracks: clip.tracks.map((track) => ({ ...track, values: track.values.slice() })),
      };
      for (const { joint, channel, values } of standing.tracks) {
        const size = channel === 'rotation' ? 4 : 3;
        const rest = channel === 'rotation' ? source.rest.rotations : source.rest.translations;
        for (let i = 0; i < values.length; i++) values[i] = rest[size * joint + (i % size)]!;
      }
      const { clips } = retarget(sceneOf(source, [standing]), sceneOf(target), {
        corrections: 'auto',
        keys: 'bake',
      });
      const [rest, result] = [
        modelAt(target, { ...clips[0]!, tracks: [] }, 0),
        modelAt(target, clips[0]!, 1),
      ];
      for (let joint = 0; joint < target.names.length; joint++)
        expect(distance(placeAt(rest, joint), placeAt(result, joint))).toBeLessThan(1e-6);
    },
  );

  it('straight legs stay straight where the source’s are, and one foot a little higher than the other', () => {
    const target = tinyHuman({ name: 'straight', legs: 0.7 });
    for (const side of ['left', 'right'] as const)
      for (const part of ['LowerLeg', 'Foot'] as const)
        target.rest.translations[3 * jointOf(target, `${side}${part}`) + 2] = 0;
    target.rest.translations[3 * jointOf(target, 'leftFoot') + 1]! += 0.004;
    const still = clipOf(
      [
        rotationTrack(
          jointOf(source, 'head'),
          [0, 1],
          [0, 1].map(() => quatAt(source.rest.rotations, jointOf(source, 'head'))),
        ),
      ],
      'still',
    );
    const { clips } = retarget(sceneOf(source, [still]), sceneOf(target), {
      corrections: 'auto',
      keys: 'bake',
    });
    const [rest, result] = [
      modelAt(target, { ...clips[0]!, tracks: [] }, 0),
      modelAt(target, clips[0]!, 0.5),
    ];
    for (let joint = 0; joint < target.names.length; joint++)
      expect(distance(placeAt(rest, joint), placeAt(result, joint)), target.names[joint]).toBeLessThan(1e-5);
  });

  it('arms that touch nothing point as they do without corrections', () => {
    const target = tinyHuman({ name: 'other', legs: 0.6, arms: 0.7 });
    const [plain, corrected] = (['none', 'auto'] as const).map(
      (corrections) =>
        retarget(sceneOf(source, [clip]), sceneOf(target), { corrections, keys: 'bake' }).clips[0]!,
    );
    for (const time of [0, 0.5, 1]) {
      const [a, b] = [modelAt(target, plain!, time), modelAt(target, corrected!, time)];
      const arm = (model: typeof a) => {
        const from = placeAt(model, jointOf(target, 'leftUpperArm'));
        return placeAt(model, jointOf(target, 'leftHand')).map((value, c) => value - from[c]!) as Vec3;
      };
      expect(distance(arm(a), arm(b))).toBeLessThan(1e-5);
    }
  });

  it('R8: planned frames may come in any order, and knees bend forwards in all of them', () => {
    const target = tinyHuman({ name: 'other', legs: 0.6 });
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), { corrections: 'auto' });
    const plan = planClip(setup, clip, PASS_NAMES);
    expect(foundOf(plan, placeGoals)).not.toBeNull();
    const steps = prepareSteps(setup, plan, PASS_NAMES);
    const frame = createFrame(setup, plan);
    const run = (order: readonly number[]) => {
      const knees = new Map<number, number[]>();
      for (const k of order) {
        frame.time = MOMENTS[k]!;
        frame.source = poseAt(source, clip, frame.time);
        for (const step of steps) step(frame);
        knees.set(k, [...frame.target.rotations]);
      }
      return knees;
    };
    const inOrder = run(MOMENTS.map((_, k) => k));
    const shuffled = run(MOMENTS.map((_, k) => (k * 17) % MOMENTS.length));
    for (const [k, rotations] of shuffled) expect(rotations).toEqual(inOrder.get(k));
    const { clip: moved } = retargetClip(setup, clip);
    const model = modelAt(target, moved, 1);
    const [hip, knee, foot] = (['leftUpperLeg', 'leftLowerLeg', 'leftFoot'] as const).map((role) =>
      placeAt(model, jointOf(target, role)),
    );
    expect(knee![2]).toBeGreaterThan(Math.max(hip![2], foot![2]) + 0.05);
  });

  it('live: feet hold pose by pose, without new arrays, and reset() forgets', () => {
    const target = tinyHuman({ name: 'other', legs: 0.6 });
    const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), { corrections: 'auto' });
    const retargeter = createRetargeter(setup);
    const { rotations } = retargeter.pose;
    const play = () => MOMENTS.map((time) => copyPose(retargeter.update(poseAt(source, clip, time), 1 / 30)));
    const first = play();
    expect(retargeter.pose.rotations).toBe(rotations);
    expect(play().at(-1)!.rotations).not.toEqual(first[0]!.rotations);
    retargeter.reset();
    expect(play()).toEqual(first);
    const tracks = target.names.map((_, joint): Track => {
      const values = first.flatMap((pose) => [...pose.rotations.slice(4 * joint, 4 * joint + 4)]);
      return {
        joint,
        channel: 'rotation',
        interpolation: 'linear',
        times: Float32Array.from(MOMENTS),
        values: Float32Array.from(values),
      };
    });
    const hips = jointOf(target, 'hips');
    const points = first.map((pose) => [...pose.translations.slice(3 * hips, 3 * hips + 3)] as Vec3);
    const live = clipOf([...tracks, translationTrack(hips, MOMENTS, points)]);
    expect(strays(target, live, 'leftToes')).toBeLessThan(5e-3);
  });

  it('leaves a clip alone that touches nothing, and is a wrong use where one that does shall keep its keys', () => {
    const target = tinyHuman({ name: 'other', legs: 0.6 });
    const hips = jointOf(source, 'hips');
    const lifted: Clip = {
      ...clip,
      tracks: clip.tracks.map((track) =>
        track.joint === hips && track.channel === 'translation'
          ? { ...track, values: track.values.map((value, i) => value + 2 + (i / 30) * (i % 3 === 2 ? 1 : 0)) }
          : track,
      ),
    };
    for (const keys of ['auto', 'keep'] as const) {
      const corrected = (moved: Clip) =>
        retarget(sceneOf(source, [moved]), sceneOf(target), { corrections: 'auto', keys });
      expect(corrected(lifted).report.clips[0]!.way).toBe('keys');
      if (keys === 'keep')
        expect(() => corrected(clip)).toThrow(/cannot be kept exactly: feet and hands are held/);
      else expect(corrected(clip).report.clips[0]!.way).toBe('frames');
    }
  });

  it.each([
    ['no arms', (name: string) => !/Arm|Hand|Shoulder|Middle/.test(name)],
    ['no toes', (name: string) => !/Toes/.test(name)],
    ['one leg', (name: string) => !/right.*(Leg|Foot|Toes)/.test(name)],
  ])('a body with %s gets numbers, and what it has is corrected', (_, keep) => {
    const whole = tinyHuman({ name: 'part', legs: 0.6 });
    const target = { ...whole, metadataRoles: { ...whole.metadataRoles! } };
    for (const role of Object.keys(target.metadataRoles)) if (!keep(role)) delete target.metadataRoles[role];
    target.names = target.names.map((name, i) => (keep(name) ? name : `thing${i}`));
    const { clips } = retarget(sceneOf(source, [clip]), sceneOf(target), { corrections: 'auto' });
    for (const { values } of clips[0]!.tracks) expect(values.every(Number.isFinite)).toBe(true);
    expect(strays(target, clips[0]!, 'leftFoot')).toBeLessThan(1e-3);
  });

  it('R11: clips of no length, one frame, and joints that coincide give numbers', () => {
    const target = tinyHuman({ name: 'other', legs: 0.6 });
    const foot = jointOf(target, 'leftFoot');
    for (let c = 0; c < 3; c++) target.rest.translations[3 * foot + c] = 0;
    const still = { ...clip, duration: 0 };
    for (const each of [clip, still]) {
      const { clips } = retarget(sceneOf(source, [each]), sceneOf(target), { corrections: 'auto' });
      for (const { values } of clips[0]!.tracks) expect(values.every(Number.isFinite)).toBe(true);
    }
  });

  it('R8: frames may come in any order with every solver, with limits, and with a spine that reaches', () => {
    const target = withHock(0.08);
    const hock = target.names.indexOf('leftHock');
    for (const solver of ['ccd', 'fabrik', 'damped'] as const) {
      const { setup } = setUpScenes(sceneOf(source, [clip]), sceneOf(target), {
        corrections: 'auto',
        solvers: { all: solver },
        limits: { rightUpperLeg: LEG_JOINT_LIMITS.rightUpperLeg! },
        reach: 'together',
        limbScalings: { leftArm: { limbScale: 0, rootScale: 0 }, rightArm: { rootScale: 0 } },
      });
      const plan = planClip(setup, clip, PASS_NAMES);
      const steps = prepareSteps(setup, plan, PASS_NAMES);
      const frame = createFrame(setup, plan);
      const at = (k: number) => {
        frame.time = MOMENTS[k]!;
        frame.source = poseAt(source, clip, frame.time);
        for (const step of steps) step(frame);
        return frame.target.rotations.slice();
      };
      const inOrder = MOMENTS.map((_, k) => at(k));
      for (let k = 0; k < MOMENTS.length; k += 3) expect(at((k * 17) % 61)).toEqual(inOrder[(k * 17) % 61]);
      const { clip: moved } = retargetClip(setup, clip, { frameRate: 30 });
      expect(moved.tracks.some(({ joint, channel }) => joint === hock && channel === 'rotation')).toBe(true);
    }
  });
});
