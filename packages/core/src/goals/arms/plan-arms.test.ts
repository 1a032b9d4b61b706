import { describe, expect, it } from 'vitest';
import {
  clipOf,
  distance,
  jointOf,
  modelAt,
  placeAt,
  rotationTrack,
  sceneOf,
  tinyHuman,
  translationTrack,
  turn,
} from '../../../test/tiny-rigs.js';
import type { Role } from '../../body/roles.js';
import { retarget } from '../../retarget.js';
import type { Clip } from '../../scene/clip.js';
import type { Skeleton } from '../../scene/skeleton.js';

const source = tinyHuman({ name: 'source' });
const hips = jointOf(source, 'hips');
const place = [0, 1, 2].map((c) => source.rest.translations[3 * hips + c]!) as [number, number, number];
const LIMBS: readonly Role[] = (['left', 'right'] as const).flatMap((side): Role[] => [
  `${side}UpperArm`,
  `${side}LowerArm`,
  `${side}UpperLeg`,
  `${side}LowerLeg`,
]);

/** Holds both hands before the chest: turned inwards by angles at shoulders and elbows, over time. */
function clasp(angles: readonly (readonly [shoulder: number, elbow: number])[], seconds = 1): Clip {
  const times = angles.map((_, k) => (seconds * k) / Math.max(1, angles.length - 1));
  const turns = (role: Role, of: (n: number) => number) =>
    rotationTrack(
      jointOf(source, role),
      times,
      angles.map((_, k) => turn([0, 1, 0], of(k))),
    );
  return clipOf([
    turns('leftUpperArm', (k) => -angles[k]![0]),
    turns('rightUpperArm', (k) => angles[k]![0]),
    turns('leftLowerArm', (k) => -angles[k]![1]),
    turns('rightLowerArm', (k) => angles[k]![1]),
    ...LIMBS.filter((role) => role.includes('Leg')).map((role) =>
      rotationTrack(
        jointOf(source, role),
        times,
        times.map(() => [0, 0, 0, 1] as const),
      ),
    ),
    translationTrack(
      hips,
      times,
      times.map(() => place),
    ),
  ]);
}

const STILL = (shoulder: number, elbow: number) =>
  clasp([
    [shoulder, elbow],
    [shoulder, elbow],
  ]);

const onto = (target: Skeleton, clip: Clip, corrections: 'none' | 'auto') =>
  retarget(sceneOf(source, [clip]), sceneOf(target), {
    corrections,
    keys: 'bake',
    wholeBody: true,
    measure: false,
  }).clips[0]!;

/** How far the knuckles are apart, in metres. */
function gap(skeleton: Skeleton, clip: Clip, time = 0.5): number {
  const model = modelAt(skeleton, clip, time);
  return distance(
    placeAt(model, jointOf(skeleton, 'leftMiddleProximal')),
    placeAt(model, jointOf(skeleton, 'rightMiddleProximal')),
  );
}

/** How far two motions have a hand from each other, in metres. */
function moved(skeleton: Skeleton, a: Clip, b: Clip, time: number, role: Role): number {
  return distance(
    placeAt(modelAt(skeleton, a, time), jointOf(skeleton, role)),
    placeAt(modelAt(skeleton, b, time), jointOf(skeleton, role)),
  );
}

describe('planArms', () => {
  const together = STILL(0.8, 2.07);
  const short = tinyHuman({ name: 'short arms', arms: 0.4 });

  it('P1, P3: hands that touch in the source touch on shorter arms', () => {
    const wanted = gap(source, together) / 0.55;
    expect(wanted).toBeLessThan(0.1);
    const plain = Math.abs(gap(short, onto(short, together, 'none')) / 0.4 - wanted);
    const ours = Math.abs(gap(short, onto(short, together, 'auto')) / 0.4 - wanted);
    expect(plain).toBeGreaterThan(0.05);
    expect(ours).toBeLessThan(0.03);
  });

  it('both arms give way alike', () => {
    const model = modelAt(short, onto(short, together, 'auto'), 0.5);
    const [left, right] = (['leftHand', 'rightHand'] as const).map((role) =>
      placeAt(model, jointOf(short, role)),
    );
    expect(left![0]).toBeCloseTo(-right![0], 3);
    expect(left![1]).toBeCloseTo(right![1], 3);
    expect(left![2]).toBeCloseTo(right![2], 3);
  });

  it('arms that touch nothing are as copied, to the last bit, however near hands are', () => {
    for (const [shoulder, elbow] of [
      [0.2, 0.3],
      [0.8, 1.6],
      [0.8, 1.8],
    ] as const) {
      const apart = STILL(shoulder, elbow);
      const [plain, ours] = [onto(short, apart, 'none'), onto(short, apart, 'auto')];
      for (const role of LIMBS.filter((each) => each.includes('Arm'))) {
        const turnsOf = (clip: Clip) =>
          clip.tracks.find((track) => track.joint === jointOf(short, role) && track.channel === 'rotation')
            ?.values;
        expect(turnsOf(ours)?.slice(0, 4)).toEqual(turnsOf(plain)?.slice(0, 4));
      }
    }
  });

  it('P1: a hand counts as it is about to touch: it is moved from 0.2 s before on, ever more, and not earlier', () => {
    const angles = Array.from({ length: 121 }, (_, k): [number, number] => {
      const s = Math.max(0, Math.min(1, (k - 40) / 40));
      return [0.8, 1.2 + 0.87 * s * s * (3 - 2 * s)];
    });
    const clip = clasp(angles, 2);
    const [plain, ours] = [onto(short, clip, 'none'), onto(short, clip, 'auto')];
    const steps = [0.4, 0.8, 1.0, 1.1, 1.2, 1.4, 1.9].map((time) =>
      moved(short, plain, ours, time, 'leftHand'),
    );
    expect(steps[0]).toBeLessThan(1e-7);
    expect(steps[1]).toBeLessThan(1e-7);
    for (let n = 2; n < 6; n++) expect(steps[n]!).toBeGreaterThan(steps[n - 1]! - 1e-4);
    expect(steps[6]).toBeGreaterThan(0.01);
    // They touch from 1.2 s on: before that it is on its way already.
    expect(steps[3]! / steps[6]!).toBeGreaterThan(0.1);
    expect(steps[4]! / steps[6]!).toBeGreaterThan(0.5);
    // Nothing jumps: no step of a frame is larger than a few times the mean one.
    const ways = Array.from({ length: 120 }, (_, k) => moved(short, plain, ours, k / 60, 'leftHand'));
    const most = Math.max(...ways.slice(1).map((way, k) => Math.abs(way - ways[k]!)));
    expect(most).toBeLessThan(0.2 * Math.max(...ways));
  });

  it('P1: and less and less as it moves away: for 0.2 s after it has touched, and no longer', () => {
    const angles = Array.from({ length: 121 }, (_, k): [number, number] => {
      const s = Math.max(0, Math.min(1, (80 - k) / 40));
      return [0.8, 1.2 + 0.87 * s * s * (3 - 2 * s)];
    });
    const clip = clasp(angles, 2);
    const [plain, ours] = [onto(short, clip, 'none'), onto(short, clip, 'auto')];
    const steps = [0.1, 0.8, 0.9, 1.05, 1.2, 1.6].map((time) => moved(short, plain, ours, time, 'leftHand'));
    expect(steps[0]).toBeGreaterThan(0.01);
    expect(steps[2]! / steps[0]!).toBeGreaterThan(0.1);
    for (let n = 2; n < 5; n++) expect(steps[n]!).toBeLessThan(steps[n - 1]! + 1e-7);
    expect(steps[4]).toBeLessThan(1e-7);
    expect(steps[5]).toBeLessThan(1e-7);
  });

  it('hands that meet in a clip that never stands on anything do so too', () => {
    const flying: Clip = { ...together, tracks: together.tracks.slice() };
    const up = flying.tracks.findIndex(({ joint, channel }) => joint === hips && channel === 'translation');
    flying.tracks[up] = translationTrack(
      hips,
      [0, 1],
      [
        [0, 3, 0],
        [0, 4, 0],
      ],
    );
    const wanted = gap(source, flying) / 0.55;
    expect(Math.abs(gap(short, onto(short, flying, 'auto')) / 0.4 - wanted)).toBeLessThan(0.03);
  });

  it('the same body has the same motion', () => {
    const same = tinyHuman({ name: 'same' });
    const [plain, ours] = [onto(same, together, 'none'), onto(same, together, 'auto')];
    for (const role of ['leftHand', 'rightHand', 'leftLowerArm'] as const)
      expect(moved(same, plain, ours, 0.5, role)).toBeLessThan(2e-3);
  });
});
