import { describe, expect, it } from 'vitest';
import { looseFeet } from '../../test/loose-feet.js';
import { retargetPlainly, setUpScenesPlainly } from '../../test/plainly.js';
import { underNode, withOtherAxes, withOtherRest, worldMotion } from '../../test/reexpress.js';
import { type Figure, sceneOf, stickFigure, turn, turnedPose } from '../../test/stick-figure.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { directionOf, subtractVectors, type Vec3, vectorAngle, vectorAt } from '../base/math/vector.js';
import { LIMBS } from '../body/roles.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import type { Character } from '../scene/scene.js';

type Body = ReturnType<typeof stickFigure>;
const degrees = (angle: number) => (angle * 180) / Math.PI;
const setUp = (source: Character, target: Character, options = {}) =>
  setUpScenesPlainly(sceneOf(source), sceneOf(target), options).setup;

/** Where a bone of a body points in a model pose. */
function bone(body: Body, matrices: Float64Array, from: string, to: string): Vec3 {
  const at = (part: string) => vectorAt(matrices, 16 * body.jointOf(part) + 12);
  return subtractVectors(at(to), at(from));
}
const ARM_BONES = ['left', 'right'].flatMap((side) => [
  [`${side}UpperArm`, `${side}LowerArm`] as const,
  [`${side}LowerArm`, `${side}Hand`] as const,
]);

/** The largest angle between arm bones of the source's reference and the aligned target, in degrees. */
function armDifference(source: Body, target: Body, options = {}): number {
  const setup = setUp(source, target, options);
  return Math.max(
    ...ARM_BONES.map(([from, to]) =>
      degrees(
        vectorAngle(
          bone(source, setup.sourceReference.matrices, from, to),
          bone(target, setup.alignment.model.matrices, from, to),
        ),
      ),
    ),
  );
}

describe('arms', () => {
  const ARMS = ['T', 'A', 'down', 'ahead'] as const;
  const pairs = ARMS.flatMap((a) => ARMS.map((b) => [a, b] as const));
  it.each(pairs)('M4: source arms %s, target arms %s: directions become the source’s', (a, b) => {
    const source = stickFigure({ arms: a });
    const target = stickFigure({ arms: b, names: 'unreal', axes: 'boneX', elbowBend: 15 });
    expect(armDifference(source, target)).toBeLessThan(1e-5);
  });

  it('MP4: arms that point exactly the other way', () => {
    const target = stickFigure({ names: 'unreal' });
    const opposite = withOtherRest(
      target,
      new Map([
        [target.jointOf('leftUpperArm'), turn([0, 0, 1], 180)],
        [target.jointOf('rightUpperArm'), turn([0, 1, 0], 180)],
      ]),
    );
    const setup = setUp(stickFigure(), opposite);
    expect(setup.alignment.pose.rotations.every(Number.isFinite)).toBe(true);
    const body = { ...target, skeleton: opposite.skeleton };
    expect(
      vectorAngle(bone(body, setup.alignment.model.matrices, 'leftUpperArm', 'leftHand'), [1, 0, 0]),
    ).toBeLessThan(1e-6);
    expect(
      vectorAngle(bone(body, setup.alignment.model.matrices, 'rightUpperArm', 'rightHand'), [-1, 0, 0]),
    ).toBeLessThan(1e-6);
  });

  it('bones of no length are left as they are', () => {
    const target = stickFigure({ arms: 'A' });
    target.skeleton.rest.translations.fill(
      0,
      3 * target.jointOf('leftLowerArm'),
      3 * target.jointOf('leftLowerArm') + 3,
    );
    const { alignment } = setUp(stickFigure(), target);
    expect(alignment.pose.rotations.every(Number.isFinite)).toBe(true);
    expect(alignment.pose.translations.every(Number.isFinite)).toBe(true);
  });

  it('collar bones, neck and torso keep their slopes: anatomy (F3)', () => {
    const target = stickFigure({ names: 'unreal' });
    for (const part of ['leftShoulder', 'chest', 'neck'])
      target.skeleton.rest.rotations.set(turn([0.3, 0, 1], 12), 4 * target.jointOf(part));
    const { alignment } = setUp(stickFigure(), target, { targetReference: 'rest' });
    for (const part of ['leftShoulder', 'chest', 'neck', 'head']) {
      const at = 4 * target.jointOf(part);
      expect(quaternionAngle(alignment.pose.rotations, at, target.skeleton.rest.rotations, at)).toBe(0);
    }
  });

  it('F3: hands and toes keep their slopes, arms are aligned bone by bone, the root goes by the ratio of heights', () => {
    const source = stickFigure();
    // Elbows that are bent at rest: the line of the arm is not where its bones point.
    const target = stickFigure({ names: 'unreal', arms: 'A', size: 0.8, elbowBend: 20 });
    const ends = ['leftHand', 'leftToes', 'rightToes', 'head'];
    for (const part of ends)
      target.skeleton.rest.rotations.set(turn([0.3, 0, 1], 12), 4 * target.jointOf(part));
    const setup = setUp(source, target, { targetReference: 'rest' });
    for (const part of ends) {
      const at = 4 * target.jointOf(part);
      const { rotations } = setup.alignment.pose;
      expect(quaternionAngle(rotations, at, target.skeleton.rest.rotations, at)).toBeLessThan(1e-9);
    }
    for (const [from, to] of ARM_BONES) {
      const angle = vectorAngle(
        bone(source, setup.sourceReference.matrices, from, to),
        bone(target, setup.alignment.model.matrices, from, to),
      );
      expect(degrees(angle)).toBeLessThan(1e-4);
    }
    expect(setup.rootScales.vertical).toBeCloseTo(0.8, 6);
  });

  it('rolls an arm by its bent elbow, a hand by its knuckles, and says so', () => {
    const source = stickFigure({ elbowBend: 20, fingers: true });
    const target = stickFigure({ elbowBend: 20, fingers: true, names: 'unreal' });
    // The target's left arm rolled by 70 degrees about itself, as if bound palms ahead.
    const rolled = withOtherRest(target, new Map([[target.jointOf('leftUpperArm'), turn([1, 0, 0], 70)]]));
    const setup = setUp(source, rolled);
    expect(setup.alignment.limbs.leftArm!.roll).toBe(true);
    const plain = modelPoseOf(target.skeleton, target.skeleton.rest).rotations;
    for (const part of ['leftUpperArm', 'leftLowerArm', 'leftHand']) {
      const at = 4 * target.jointOf(part);
      expect(degrees(quaternionAngle(setup.alignment.model.rotations, at, plain, at))).toBeLessThan(1e-4);
    }
  });

  it('does not roll a straight arm without knuckles: there is no evidence', () => {
    const target = stickFigure({ names: 'unreal' });
    const rolled = withOtherRest(target, new Map([[target.jointOf('leftUpperArm'), turn([1, 0, 0], 30)]]));
    const { alignment } = setUp(stickFigure(), rolled);
    expect(alignment.limbs.leftArm!.roll).toBe(false);
    expect(alignment.rolled).toEqual([]);
    const at = 4 * target.jointOf('leftUpperArm');
    expect(quaternionAngle(alignment.pose.rotations, at, rolled.skeleton.rest.rotations, at)).toBeLessThan(
      1e-9,
    );
  });

  it.each([-80, -40, 40, 75])(
    'X4: the same body bound with arms elsewhere by %s degrees rolls its hands alike',
    (angle) => {
      const target = stickFigure({ arms: 'A', fingers: true, names: 'unreal' });
      // Arms a little ahead of the body: there the smallest turn alone would remember its start.
      const ahead = withOtherRest(
        target,
        new Map([
          [target.jointOf('leftUpperArm'), turn([0, 1, 0], -20)],
          [target.jointOf('rightUpperArm'), turn([0, 1, 0], 20)],
        ]),
      );
      const other = withOtherRest(
        ahead,
        new Map([
          [target.jointOf('leftUpperArm'), turn([0, 0, 1], angle)],
          [target.jointOf('rightUpperArm'), turn([0, 0, 1], -angle)],
        ]),
      );
      const hands = (of: Character) => setUp(stickFigure(), of).alignment.model.rotations;
      for (const part of ['leftUpperArm', 'leftHand', 'rightHand']) {
        const at = 4 * target.jointOf(part);
        expect(degrees(quaternionAngle(hands(ahead), at, hands(other), at))).toBeLessThan(1e-4);
      }
    },
  );
});

describe('legs', () => {
  const legLine = (body: Body, matrices: Float64Array) =>
    directionOf(bone(body, matrices, 'leftUpperLeg', 'leftFoot'))!;

  it('the line from hip to ankle becomes the source’s; the knee’s bend and the sole stay', () => {
    const source = stickFigure();
    const target = stickFigure({ kneeBend: 40, names: 'unreal' });
    const wide = withOtherRest(
      target,
      new Map([
        [target.jointOf('leftUpperLeg'), turn([0, 0, 1], 15)],
        [target.jointOf('rightUpperLeg'), turn([0, 0, 1], -15)],
      ]),
    );
    const setup = setUp(source, wide);
    const { matrices, rotations } = setup.alignment.model;
    expect(
      vectorAngle(legLine(source, setup.sourceReference.matrices), legLine(target, matrices)),
    ).toBeLessThan(1e-6);
    const bend = vectorAngle(
      bone(target, matrices, 'leftUpperLeg', 'leftLowerLeg'),
      bone(target, matrices, 'leftLowerLeg', 'leftFoot'),
    );
    expect(degrees(bend)).toBeCloseTo(40, 6);
    const foot = 4 * target.jointOf('leftFoot');
    const reference = modelPoseOf(wide.skeleton, wide.skeleton.rest).rotations;
    expect(quaternionAngle(rotations, foot, reference, foot)).toBeLessThan(1e-6);
  });

  it('the hips are set so that the aligned ankles are as high as they were', () => {
    const target = stickFigure({ names: 'unreal' });
    const wide = withOtherRest(
      target,
      new Map([
        [target.jointOf('leftUpperLeg'), turn([0, 0, 1], 25)],
        [target.jointOf('rightUpperLeg'), turn([0, 0, 1], -25)],
      ]),
    );
    const ankle = 16 * target.jointOf('leftFoot') + 13;
    const before = modelPoseOf(wide.skeleton, wide.skeleton.rest).matrices[ankle]!;
    expect(setUp(stickFigure(), wide).alignment.model.matrices[ankle]).toBeCloseTo(before, 9);
  });

  it('knees that bend more than 60 degrees differently are aligned bone by bone, and it is said', () => {
    const setup = setUp(stickFigure(), stickFigure({ kneeBend: 75, names: 'unreal' }));
    expect(setup.alignment.limbs.leftLeg!.mode).toBe('bones');
    expect(setup.warnings.map(({ code }) => code)).toContain('knees-differ');
    const mild = setUp(stickFigure(), stickFigure({ kneeBend: 50, names: 'unreal' }));
    expect(mild.alignment.limbs.leftLeg!.mode).toBe('line');
  });
});

describe('torso', () => {
  const leaning = (angle: number) => {
    const target = stickFigure({ names: 'unreal' });
    target.skeleton.rest = turnedPose(
      target.skeleton,
      new Map([[target.jointOf('spine'), turn([1, 0, 0], angle)]]),
    );
    return target;
  };
  it('a slope is anatomy, a lean of more than 30 degrees is a pose and swung as one, and it is said', () => {
    const mild = setUp(stickFigure(), leaning(15), { targetReference: 'rest' });
    expect(mild.alignment.limbs.torso!.mode).toBe('keep');
    const setup = setUp(stickFigure(), leaning(45), { targetReference: 'rest' });
    expect(setup.alignment.limbs.torso!.mode).toBe('line');
    expect(setup.warnings.map(({ code }) => code)).toContain('torso-swung');
  });
});

describe('modes', () => {
  const source = () => stickFigure({ arms: 'T' });
  const target = () => stickFigure({ arms: 'A', names: 'unreal' });
  const keepAll = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep']));

  it('M6: aligned, both stand alike; kept, the initial offset persists through the motion', () => {
    for (const [alignment, offset] of [
      [{}, 0],
      [keepAll, 45],
    ] as const) {
      const [a, b] = [source(), target()];
      const { clips } = retargetPlainly(sceneOf(a), sceneOf(b), { alignment });
      expect(armDifference(a, b, { alignment })).toBeCloseTo(offset, 4);
      for (const time of [0, 0.25, 0.6, 1]) {
        const from = modelPoseOf(a.skeleton, poseAt(a.skeleton, a.clips[0]!, time)).matrices;
        const to = modelPoseOf(b.skeleton, poseAt(b.skeleton, clips[0]!, time)).matrices;
        const angle = vectorAngle(
          bone(a, from, 'leftUpperArm', 'leftLowerArm'),
          bone(b, to, 'leftUpperArm', 'leftLowerArm'),
        );
        expect(degrees(angle)).toBeCloseTo(offset, 2);
      }
    }
  });

  it('every limb can be told apart: keep, line or bones, and the report says so', () => {
    const { alignment } = setUp(source(), target(), { alignment: { leftArm: 'keep', rightArm: 'line' } });
    expect(alignment.limbs.leftArm).toMatchObject({ mode: 'keep', turn: 0, reason: 'as asked' });
    expect(alignment.limbs.rightArm).toMatchObject({ mode: 'line', reason: 'as asked' });
    expect(degrees(alignment.limbs.rightArm!.turn)).toBeCloseTo(45, 6);
  });
});

describe('joints that hang elsewhere', () => {
  it.each(['keep', 'extract', 'inPlace'] as const)(
    'R8: feet on the root are carried by the shins in every frame, root motion %s',
    (rootMotion) => {
      const source = stickFigure();
      const whole = stickFigure({ names: 'unreal', size: 0.8 });
      const loose = looseFeet({ names: 'unreal', size: 0.8 });
      const rooted = underNode(whole, { name: 'Root' });
      rooted.skeleton.flags[0] = 1;
      const instants = [0, 0.1, 1 / 3, 0.5, 0.9, 1];
      const parts = ['hips', 'leftLowerLeg', 'leftFoot', 'leftToes', 'rightFoot', 'rightToes', 'leftHand'];
      const motion = (target: Character, joints: number[]) => {
        const { clips, report } = retargetPlainly(sceneOf(source), sceneOf(target), {
          rootMotion,
          keys: 'bake',
        });
        return { report, places: worldMotion(target.skeleton, clips[0]!, instants, joints) };
      };
      const expected = motion(
        rooted,
        parts.map((part) => rooted.places[whole.jointOf(part)]!),
      );
      const found = motion(loose, parts.map(loose.jointOf));
      expect(found.report.notes.map(({ code }) => code)).toContain('joint-placed');
      found.places.forEach((value, i) => {
        expect(value).toBeCloseTo(expected.places[i]!, 5);
      });
    },
  );
});

describe('X4', () => {
  const bodies: Figure[] = [
    { names: 'unreal', axes: 'boneY' },
    { names: 'vrm', arms: 'A', fingers: true, unit: 0.01 },
    { arms: 'down', spine: 1, neck: 2, up: '+Z', facing: 33, declared: { up: '+Z', facing: null, unit: 1 } },
  ];

  it.each(bodies)(
    '(i): the source at its reference puts the target into its aligned reference: %o',
    (figure) => {
      const source = stickFigure();
      const target = stickFigure(figure);
      source.clips = [{ name: 'still', duration: 1, tracks: [], morphs: [] }];
      const { alignment } = setUp(source, target);
      const { clips } = retargetPlainly(sceneOf(source), sceneOf(target), { wholeBody: true });
      const pose = poseAt(target.skeleton, clips[0]!, 0.5);
      target.skeleton.names.forEach((_, joint) => {
        expect(quaternionAngle(pose.rotations, 4 * joint, alignment.pose.rotations, 4 * joint)).toBeLessThan(
          1e-5,
        );
      });
    },
  );

  it('(i): which is its own reference where the two poses agree', () => {
    const target = withOtherAxes(stickFigure({ names: 'unreal', size: 1.3 }));
    const { alignment } = setUp(stickFigure(), target);
    target.skeleton.names.forEach((_, joint) => {
      expect(
        quaternionAngle(alignment.pose.rotations, 4 * joint, target.skeleton.rest.rotations, 4 * joint),
      ).toBeLessThan(1e-7);
    });
  });

  it('(ii): onto itself nothing changes; (iv): there and back returns', () => {
    const source = stickFigure({ fingers: true });
    const self = retargetPlainly(sceneOf(source), sceneOf(stickFigure({ fingers: true }))).clips[0]!;
    const other = stickFigure({
      fingers: true,
      names: 'unreal',
      axes: 'boneX',
      arms: 'A',
      size: 0.7,
      facing: 90,
    });
    const references = { sourceReference: 'rest', targetReference: 'rest' } as const;
    const there = retargetPlainly(sceneOf(source), sceneOf(other), references).clips[0]!;
    const back = retargetPlainly(sceneOf({ ...other, clips: [there] }), sceneOf(source), references)
      .clips[0]!;
    for (const time of [0, 0.2, 0.5, 0.77, 1]) {
      const expected = poseAt(source.skeleton, source.clips[0]!, time);
      for (const [clip, within] of [
        [self, 1e-5],
        [back, 1e-4],
      ] as const) {
        const pose = poseAt(source.skeleton, clip, time);
        source.skeleton.names.forEach((_, joint) => {
          expect(quaternionAngle(pose.rotations, 4 * joint, expected.rotations, 4 * joint)).toBeLessThan(
            within,
          );
        });
        pose.translations.forEach((value, i) => {
          expect(value).toBeCloseTo(expected.translations[i]!, 4);
        });
      }
    }
  });

  it('WP2: a source that rests in the middle of its walk, with its reference named, moves the target alike', () => {
    const source = stickFigure();
    const target = stickFigure({ names: 'unreal', arms: 'A' });
    const joints = target.skeleton.names.map((_, i) => i);
    const motion = (of: Character, reference: object) =>
      worldMotion(
        target.skeleton,
        retargetPlainly(sceneOf(of), sceneOf(target), reference).clips[0]!,
        [0, 0.3, 0.7],
        joints,
      );
    const expected = motion(source, {});
    const paused = stickFigure();
    const standing = paused.skeleton.rest;
    paused.skeleton.rest = poseAt(paused.skeleton, paused.clips[0]!, 0.4);
    const found = motion(paused, { sourceReference: { pose: standing } });
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 4);
    });
    // And without the name it would not: that pose is no reference.
    const blind = motion(paused, { sourceReference: 'rest' });
    expect(Math.max(...blind.map((value, i) => Math.abs(value - expected[i]!)))).toBeGreaterThan(0.05);
  });
});
