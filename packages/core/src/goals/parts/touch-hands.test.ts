import { describe, expect, it } from 'vitest';
import {
  clipOf,
  distance,
  jointOf,
  modelAt,
  placeAt,
  quatAt,
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

/** Holds both hands before the chest, a little apart: turned inwards by an angle at shoulders and elbows. */
function clasp(shoulder: number, elbow: number): Clip {
  const hips = jointOf(source, 'hips');
  const at = [0, 1, 2].map((c) => source.rest.translations[3 * hips + c]!) as [number, number, number];
  const still = (role: Role, angle: number) =>
    rotationTrack(jointOf(source, role), [0, 1], [turn([0, 1, 0], angle), turn([0, 1, 0], angle)]);
  return clipOf([
    still('leftUpperArm', -shoulder),
    still('rightUpperArm', shoulder),
    still('leftLowerArm', -elbow),
    still('rightLowerArm', elbow),
    translationTrack(hips, [0, 1], [at, at]),
  ]);
}

const between = (skeleton: Skeleton, clip: Clip, a: Role, b: Role) => {
  const model = modelAt(skeleton, clip, 0.5);
  return distance(placeAt(model, jointOf(skeleton, a)), placeAt(model, jointOf(skeleton, b)));
};

const onto = (target: Skeleton, clip: Clip, corrections: 'none' | 'auto') =>
  retarget(sceneOf(source, [clip]), sceneOf(target), { corrections, wholeBody: true, measure: false })
    .clips[0]!;

/** The tiny human's hands reach to the roots of their middle fingers. */
const gap = (skeleton: Skeleton, clip: Clip) =>
  between(skeleton, clip, 'leftMiddleProximal', 'rightMiddleProximal');

describe('touchHands', () => {
  const together = clasp(0.8, 2.07);
  const target = tinyHuman({ name: 'short arms', arms: 0.4 });

  it('P1, P3: hands that meet in the source meet on shorter arms, as near in arm lengths', () => {
    const wanted = gap(source, together) / 0.55;
    expect(wanted).toBeLessThan(0.1);
    const plain = Math.abs(gap(target, onto(target, together, 'none')) / 0.4 - wanted);
    const ours = Math.abs(gap(target, onto(target, together, 'auto')) / 0.4 - wanted);
    expect(plain).toBeGreaterThan(0.05);
    expect(ours).toBeLessThan(plain / 2);
  });

  it('both arms give way alike', () => {
    const result = onto(target, together, 'auto');
    const model = modelAt(target, result, 0.5);
    const [left, right] = (['leftHand', 'rightHand'] as const).map((role) =>
      placeAt(model, jointOf(target, role)),
    );
    expect(left![0]).toBeCloseTo(-right![0], 3);
    expect(left![1]).toBeCloseTo(right![1], 3);
    expect(left![2]).toBeCloseTo(right![2], 3);
  });

  it('what is farther than a third of an arm is left alone', () => {
    const apart = clasp(0.2, 0.3);
    expect(gap(source, apart) / 0.55).toBeGreaterThan(1 / 3);
    const [plain, ours] = [onto(target, apart, 'none'), onto(target, apart, 'auto')];
    expect(gap(target, ours)).toBeCloseTo(gap(target, plain), 5);
  });

  it('hands that meet in a clip that never stands on anything do so too', () => {
    const flying = { ...together, tracks: together.tracks.slice() };
    const hips = jointOf(source, 'hips');
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
    const plain = Math.abs(gap(target, onto(target, flying, 'none')) / 0.4 - wanted);
    expect(Math.abs(gap(target, onto(target, flying, 'auto')) / 0.4 - wanted)).toBeLessThan(plain / 2);
  });

  it('hands that hang keep their distance from the hips on shorter and longer arms', () => {
    const hanging = hang(1.45);
    const wanted = beside(source, hanging) / 0.55;
    for (const arms of [0.42, 0.62]) {
      const body = tinyHuman({ name: 'other', arms });
      const plain = Math.abs(beside(body, onto(body, hanging, 'none')) / arms - wanted);
      const ours = Math.abs(beside(body, onto(body, hanging, 'auto')) / arms - wanted);
      expect(plain).toBeGreaterThan(0.02);
      expect(ours).toBeLessThan(plain / 3);
    }
  });

  it('arms that are spread on purpose are not drawn to the hips again', () => {
    const hanging = hang(1.45);
    const body = tinyHuman({ name: 'other', arms: 0.7 });
    const spread = (corrections: 'none' | 'auto') =>
      retarget(sceneOf(source, [hanging]), sceneOf(body), {
        corrections,
        spacing: { arms: 0.5 },
        keys: 'bake',
        measure: false,
      }).clips[0]!;
    expect(beside(body, spread('auto'))).toBeCloseTo(beside(body, spread('none')), 4);
  });
});

/** Lets both arms hang by an angle, and raises them a little. */
function hang(angle: number): Clip {
  const hips = jointOf(source, 'hips');
  const at = [0, 1, 2].map((c) => source.rest.translations[3 * hips + c]!) as [number, number, number];
  return clipOf([
    rotationTrack(
      jointOf(source, 'leftUpperArm'),
      [0, 1],
      [turn([0, 0, 1], -angle), turn([0, 0, 1], 0.02 - angle)],
    ),
    rotationTrack(
      jointOf(source, 'rightUpperArm'),
      [0, 1],
      [turn([0, 0, 1], angle), turn([0, 0, 1], angle - 0.02)],
    ),
    ...STANDING.map(held),
    translationTrack(hips, [0, 1], [at, at]),
  ]);
}

/** A limb is corrected where a clip has tracks for it, be they still. */
const STANDING: readonly Role[] = [
  ...(['leftLowerArm', 'rightLowerArm'] as const),
  ...(['leftUpperLeg', 'leftLowerLeg', 'rightUpperLeg', 'rightLowerLeg'] as const),
];

/** A track that holds a joint of the source as it rests. */
function held(role: Role) {
  const joint = jointOf(source, role);
  const rest = quatAt(source.rest.rotations, joint);
  return rotationTrack(joint, [0, 1], [rest, rest]);
}

/** How far the wrist is from the thigh's root beside it. */
const beside = (skeleton: Skeleton, clip: Clip) => between(skeleton, clip, 'leftHand', 'leftUpperLeg');
