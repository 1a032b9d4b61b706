import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  DEGREES,
  inverse,
  jointOf,
  modelAt,
  placeAt,
  type Quat,
  quatAt,
  randomClip,
  rotationTrack,
  sceneOf,
  times,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { crossVectors, directionOf, subtractVectors, type Vec3 } from '../base/math/vector.js';
import type { Role } from '../body/roles.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Clip } from '../scene/clip.js';
import { createSetup } from '../setup/create-setup.js';
import { retargetClip } from '../ways/retarget-clip.js';
import { measure, measureClip } from './measure.js';

const random = createRandom(3);
const source = tinyHuman({ axes: random, fingers: true });
const target = tinyHuman({ axes: random, fingers: true, armsDown: 40 * DEGREES, arms: 0.7, legs: 0.6 });
const rigs = [createRig(source), createRig(target)] as const;
const setup = createSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map);
const clip = randomClip(random, source, { travels: jointOf(source, 'hips'), most: 0.6 });
const good = retargetClip(setup, clip, { frameRate: 60 }).clip;

/** The result with one joint turned in model space at every key, by an angle about an axis found there. */
function spoil(role: Role, axisOf: (model: ReturnType<typeof modelAt>) => Vec3, angle: number): Clip {
  const joint = jointOf(target, role);
  const parent = target.parents[joint]!;
  return {
    ...good,
    tracks: good.tracks.map((track) => {
      if (track.joint !== joint || track.channel !== 'rotation') return track;
      const quats = [...track.times].map((time, k): Quat => {
        const model = modelAt(target, good, time);
        const above = quatAt(model.rotations, parent);
        return times(inverse(above), turn(axisOf(model), angle), above, quatAt(track.values, k));
      });
      return rotationTrack(joint, [...track.times], quats);
    }),
  };
}

const boneAt = (model: ReturnType<typeof modelAt>, from: Role, to: Role): Vec3 =>
  subtractVectors(placeAt(model, jointOf(target, to)), placeAt(model, jointOf(target, from)));

describe('measureClip', () => {
  it('a true result has no error to speak of', () => {
    const measures = measureClip(setup, clip, good);
    expect(measures.direction.worst).toBeLessThan(0.01);
    expect(measures.rotation.worst).toBeLessThan(0.01);
    expect(measures.twist!.worst).toBeLessThan(0.01);
    expect(measures.samples).toBe(121);
  });

  it('a forearm turned by 3 degrees is a direction error of 3 degrees on that arm alone', () => {
    const bent = spoil(
      'leftLowerArm',
      (model) => crossVectors(boneAt(model, 'leftLowerArm', 'leftHand'), [0.3, 0.5, 1]),
      3 * DEGREES,
    );
    const { direction, rotation } = measureClip(setup, clip, bent);
    expect(direction.limbs.leftArm!.worst).toBeCloseTo(3, 2);
    expect(direction.limbs.rightArm!.worst).toBeLessThan(0.01);
    expect(direction.worst).toBeCloseTo(3, 2);
    expect(direction.mean).toBeLessThan(2);
    expect(rotation.worst).toBeCloseTo(3, 2);
  });

  it('M7: a hand rolled by 5 degrees is a twist of 5 degrees and no direction error of the arm', () => {
    const rolled = spoil(
      'rightHand',
      (model) => boneAt(model, 'rightHand', 'rightMiddleProximal'),
      5 * DEGREES,
    );
    const { direction, rotation, twist } = measureClip(setup, clip, rolled);
    expect(twist!.worst).toBeCloseTo(5, 2);
    expect(rotation.worst).toBeCloseTo(5, 2);
    expect(direction.limbs.rightArm!.worst).toBeLessThan(0.01);
  });

  it('a bend of the hand is no twist', () => {
    const bent = spoil(
      'rightHand',
      (model) => crossVectors(directionOf(boneAt(model, 'rightHand', 'rightMiddleProximal'))!, [0.1, 1, 0.2]),
      5 * DEGREES,
    );
    const { twist, direction } = measureClip(setup, clip, bent);
    expect(twist!.worst).toBeLessThan(0.01);
    expect(direction.limbs.rightArm!.worst).toBeCloseTo(5, 2);
  });

  it('without evidence of roll there is no twist to measure', () => {
    const plain = [createRig(tinyHuman()), createRig(tinyHuman({ arms: 0.7 }))] as const;
    const bare = createSetup(plain[0], plain[1], createRigMap(plain[0], plain[1]).map);
    const dance = randomClip(createRandom(4), plain[0].skeleton);
    expect(measureClip(bare, dance, retargetClip(bare, dance).clip).twist).toBeNull();
  });

  it('one bad instant shows in the worst and hardly in the mean', () => {
    const joint = jointOf(target, 'leftHand');
    const spiked: Clip = {
      ...good,
      tracks: good.tracks.map((track) => {
        if (track.joint !== joint) return track;
        const values = track.values.slice();
        values.set(times(quatAt(values, 60), turn([1, 0.2, 0.4], 1)), 4 * 60);
        return { ...track, values };
      }),
    };
    const { rotation } = measureClip(setup, clip, spiked);
    expect(rotation.worst).toBeCloseTo(1 / DEGREES, 1);
    expect(rotation.mean).toBeLessThan(0.2);
    expect(rotation.p99).toBeLessThan(rotation.worst);
  });

  it('empty, endless and broken clips give numbers', () => {
    const empty: Clip = { name: 'empty', duration: 0, tracks: [], morphs: [] };
    const broken = clipOf([
      rotationTrack(
        0,
        [0, 1],
        [
          [Number.NaN, 0, 0, 1],
          [0, 0, 0, 1],
        ],
      ),
    ]);
    for (const [a, b] of [
      [empty, empty],
      [clip, empty],
      [
        { ...clip, duration: 1e30 },
        { ...good, duration: 1e30 },
      ],
      [{ ...clip, duration: Number.NaN }, good],
      [
        { ...clip, duration: Number.POSITIVE_INFINITY },
        { ...good, duration: Number.POSITIVE_INFINITY },
      ],
      [broken, broken],
    ] as const) {
      const { direction, rotation, samples } = measureClip(setup, a, b);
      for (const value of [direction.worst, direction.mean, rotation.worst, rotation.p99, samples])
        expect(Number.isFinite(value)).toBe(true);
      expect(samples).toBeLessThanOrEqual(1200);
    }
  });
});

describe('measure', () => {
  const named = (name: string, each: Clip): Clip => ({ ...each, name });

  it('pairs clips by name, as told, or the two lone ones', () => {
    const from = (...clips: Clip[]) => sceneOf(source, clips);
    const to = (...clips: Clip[]) => sceneOf(target, clips);
    const byName = measure(from(named('a', clip), named('b', clip)), to(named('b', good), named('c', good)));
    expect(byName.clips.map(({ name }) => name)).toEqual(['b']);
    const told = measure(from(named('a', clip)), to(named('x', good), named('y', good)), {
      pairs: [['a', 'y']],
      curves: true,
    });
    expect(told.curves).toHaveLength(1);
    expect(told.warnings.map(({ code }) => code)).not.toContain('option-without-effect');
    expect(told.clips.map(({ name }) => name)).toEqual(['y']);
    const lone = measure(from(named('a', clip)), to(named('z', good)));
    expect(lone.clips[0]!.name).toBe('z');
    expect(lone.clips[0]!.rotation.worst).toBeLessThan(0.01);
  });

  it('clips that do not belong together are a wrong use, and their names are told', () => {
    const from = sceneOf(source, [named('a', clip), named('b', clip)]);
    const to = sceneOf(target, [named('c', good)]);
    expect(() => measure(from, to)).toThrow(UsageError);
    expect(() => measure(from, to)).toThrow(/"a", "b".*"c"/);
    expect(() => measure(from, to, { pairs: [['a', 'nobody']] })).toThrow(
      /there is no clip "nobody"; there are "c"/,
    );
    expect(() => measure(from, sceneOf(target))).toThrow(/none/);
  });
});

it('gives finite figures of a source whose keys are no turns', () => {
  const root = jointOf(source, 'hips');
  const tracks = clip.tracks.map((track) =>
    track.joint === root && track.channel === 'rotation'
      ? { ...track, values: new Float32Array(track.values.length) }
      : track,
  );
  const { rotation, direction } = measureClip(setup, { ...clip, tracks }, good);
  for (const value of [rotation.mean, rotation.worst, direction.mean])
    expect(value).toBeGreaterThanOrEqual(0);
});
