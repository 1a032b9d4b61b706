import { describe, expect, it } from 'vitest';
import { underNode } from '../../test/reexpress.js';
import { sceneOf, stickFigure, turn } from '../../test/stick-figure.js';
import { RetargetError, UsageError } from '../base/errors.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import { REQUIRED_ROLES } from './roles.js';
import { chooseCharacter, createRig } from './understand/create-rig.js';

const codes = (rig: ReturnType<typeof createRig>) => rig.warnings.map(({ code }) => code);

describe('createRig', () => {
  it('understands nothing of nothing, without a fall', () => {
    const rig = createRig(createSkeleton('empty', []).skeleton);
    expect(rig.joints).toEqual({});
    expect(rig.space.height).toBe(0);
  });

  it('takes one joint, joints that coincide, duplicate and empty names', () => {
    const one = createRig(createSkeleton('one', [{ name: 'Hips', parent: -1 }]).skeleton);
    expect(one.guesses.length).toBe(1);
    const heap = createSkeleton(
      'heap',
      ['Hips', 'Hips', '', '', 'LeftArm', 'LeftArm'].map((name, i) => ({ name, parent: i - 1 })),
    );
    expect(createRig(heap.skeleton).space.height).toBe(0);
  });

  it('gives finite answers for a rest that is not', () => {
    const { skeleton, clips } = stickFigure();
    skeleton.rest.translations[3] = Number.NaN;
    const rig = createRig(skeleton, { clips });
    expect(Number.isFinite(rig.space.height)).toBe(true);
    expect(Number.isFinite(rig.floor.height)).toBe(true);
    expect(rig.skeleton.container.every(Number.isFinite)).toBe(true);
  });

  it('takes a skin without vertices for none', () => {
    const { skeleton } = stickFigure();
    skeleton.hulls = skeleton.names.map(() => null);
    expect(createRig(skeleton).skeleton.hulls).toBeUndefined();
    skeleton.hulls[0] = Float32Array.of(0, 0, 0);
    expect(createRig(skeleton).skeleton.hulls).toBe(skeleton.hulls);
  });

  it.each(['mixamo', 'unreal', 'vrm'] as const)(
    'W6, W8: knows every part of a body with %s names',
    (names) => {
      const { skeleton, jointOf } = stickFigure({ names, fingers: true, twist: true });
      const rig = createRig(skeleton);
      for (const role of REQUIRED_ROLES) expect(rig.joints[role]).toBe(jointOf(role));
      expect(Object.keys(rig.joints).length).toBe(52);
    },
  );

  it('R4, R6: model space does not depend on unit, up, facing or place of the file', () => {
    const plain = stickFigure();
    const expected = modelPoseOf(createRig(plain.skeleton).skeleton, plain.skeleton.rest).matrices;
    for (const figure of [
      stickFigure({ unit: 0.01 }),
      stickFigure({ up: '+Z', declared: { up: '+Z', facing: null, unit: 1 } }),
      stickFigure({ up: '+X', unit: 0.01, facing: 123, declared: { up: null, facing: null, unit: 0.01 } }),
      stickFigure({ axes: 'boneX', facing: 180 }),
    ]) {
      const rig = createRig(figure.skeleton);
      modelPoseOf(rig.skeleton, rig.reference.pose).matrices.forEach((value, i) => {
        if (i % 16 >= 12) expect(value).toBeCloseTo(expected[i]!, 9);
      });
    }
  });

  it('SP4: the hips are found under any armature, and are not joint 0', () => {
    const figure = stickFigure();
    const rooted = underNode(underNode(figure, { name: 'root', translation: [0, 0.1, 0] }), {
      name: 'Armature',
      rotation: turn([0, 1, 0], 180),
      scale: [0.01, 0.01, 0.01],
    });
    expect(createRig(rooted.skeleton).joints.hips).toBe(2);
  });

  it('follows the feet where names have left and right the wrong way round, and says so', () => {
    const { skeleton, jointOf } = stickFigure({ swapSides: true });
    const rig = createRig(skeleton);
    expect(rig.joints.leftUpperArm).toBe(jointOf('leftUpperArm'));
    expect(codes(rig)).toContain('side-contradiction');
    expect(rig.space.facing.direction[2]).toBeCloseTo(1, 9);
  });

  it("never doubts a VRM's own word", () => {
    const { skeleton, jointOf } = stickFigure({ swapSides: true });
    skeleton.metadataRoles = Object.fromEntries(
      REQUIRED_ROLES.map((role) => [
        role,
        jointOf(role.replace(/^(left|right)/, (side) => (side === 'left' ? 'right' : 'left'))),
      ]),
    );
    const rig = createRig(skeleton);
    expect(codes(rig)).not.toContain('side-contradiction');
    expect(rig.joints.leftUpperArm).toBe(jointOf('rightUpperArm'));
  });

  it.each([
    ['hips', ['hips']],
    ['legs only', ['spine']],
    ['upper body only', ['leftUpperLeg', 'rightUpperLeg']],
  ])('a body without %s is a body still', (_, without) => {
    const figure = stickFigure({ names: 'vrm', without: without[0] === 'hips' ? [] : without });
    if (without[0] === 'hips') figure.skeleton.names[figure.jointOf('hips')] = 'thing';
    const rig = createRig(figure.skeleton);
    expect(Object.keys(rig.joints).length).toBeGreaterThan(6);
    expect(rig.reference.pose.rotations.every(Number.isFinite)).toBe(true);
    expect(rig.space.facing.direction[2]).toBeCloseTo(1, 9);
  });

  it('a hand alone is understood, and does not face the floor', () => {
    const figure = stickFigure({ fingers: true });
    const hand = figure.jointOf('leftHand');
    const below = figure.skeleton.names.map((_, i) => i).filter((i) => i >= hand && i < hand + 16);
    const { skeleton } = createSkeleton(
      'hand',
      below.map((joint) => ({
        name: figure.skeleton.names[joint]!,
        parent: below.indexOf(figure.skeleton.parents[joint]!),
        translation: figure.skeleton.rest.translations.subarray(3 * joint, 3 * joint + 3),
      })),
      { declared: { up: '+Y', facing: null, unit: 1 } },
    );
    const rig = createRig(skeleton);
    expect(rig.joints.leftHand).toBe(0);
    expect(rig.space.up.direction).toEqual([0, 1, 0]);
  });

  it("roles by the user's word replace every guess for those roles and joints", () => {
    const { skeleton, jointOf } = stickFigure({ names: 'number' });
    const told = createRig(skeleton, {
      roles: { hips: jointOf('hips'), head: jointOf('head'), leftHand: jointOf('leftHand') },
    });
    expect(told.joints).toMatchObject({ hips: jointOf('hips'), leftHand: jointOf('leftHand') });
    expect(told.guesses[jointOf('head')]).toEqual({ role: 'head', confidence: 1, reason: 'as told' });
    const named = stickFigure();
    const moved = createRig(named.skeleton, { roles: { leftHand: named.jointOf('leftLowerArm') } });
    expect(moved.joints.leftHand).toBe(named.jointOf('leftLowerArm'));
    expect(moved.joints.leftLowerArm).toBeUndefined();
    expect(moved.guesses[named.jointOf('leftHand')]!.role).toBeNull();
    for (const joint of [-1, 999, Number.NaN])
      expect(() => createRig(skeleton, { roles: { hips: joint } })).toThrow(UsageError);
  });

  it("WP2: is not changed by the clip that happens to play: a reference of one's own is a copy", () => {
    const { skeleton, clips } = stickFigure();
    const before = createRig(skeleton, { clips, reference: { frame: 10 } });
    expect(before.reference.kind).toBe('frame');
    const rest = createRig(skeleton, { clips, reference: 'rest' });
    expect([...rest.reference.pose.rotations]).toEqual([...skeleton.rest.rotations]);
    expect(rest.reference.pose.rotations).not.toBe(skeleton.rest.rotations);
  });

  it("lifts a capture's zero pose at the origin to the floor on which its clip walks", () => {
    const { skeleton, clips, jointOf } = stickFigure({
      unit: 0.01,
      arms: 'A',
      declared: { up: null, facing: null, unit: null, capture: true },
    });
    skeleton.rest.translations.fill(0, 0, 3);
    const rig = createRig(skeleton, { clips });
    const { matrices } = modelPoseOf(rig.skeleton, rig.reference.pose);
    // Hips a metre up, to what the toes of a walk do.
    expect(matrices[16 * jointOf('hips') + 13]).toBeGreaterThan(0.9);
    expect(matrices[16 * jointOf('hips') + 13]).toBeLessThan(1.1);
  });

  it('stands a capture without a clip, which hangs at the origin, on the ground plane', () => {
    const { skeleton, jointOf } = stickFigure({
      unit: 0.01,
      declared: { up: null, facing: null, unit: null, capture: true },
    });
    const standing = modelPoseOf(createRig(skeleton).skeleton, skeleton.rest).matrices;
    const hipHeight = standing[16 * jointOf('hips') + 13]!;
    skeleton.rest.translations.fill(0, 0, 3);
    const { reference, floor, skeleton: complete } = createRig(skeleton);
    expect(reference.reason).toContain('stood on the ground plane');
    expect(floor.height).toBeCloseTo(0, 6);
    const { matrices } = modelPoseOf(complete, reference.pose);
    expect(matrices[16 * jointOf('hips') + 13]).toBeCloseTo(hipHeight, 1);
  });
});

describe('a space that is told', () => {
  const capture = () =>
    stickFigure({ unit: 0.01, declared: { up: null, facing: null, unit: null, capture: true } });

  it('R6: up, facing and unit are as told, and sure', () => {
    const { skeleton, clips } = capture();
    const { space, warnings } = createRig(skeleton, {
      clips,
      space: { up: '+Z', facing: '-Y', unit: 0.0254 },
    });
    expect(space.up).toMatchObject({ direction: [0, 0, 1], confidence: 1, reason: 'as told' });
    expect(space.facing).toMatchObject({ direction: [0, -1, 0], confidence: 1 });
    expect(space.unit).toMatchObject({ metres: 0.0254, confidence: 1 });
    expect(warnings.map(({ code }) => code)).not.toContain('unit-guessed');
    expect(() => createRig(skeleton, { clips, space: { up: '+Y', facing: '-Y' } })).toThrow(/cannot face -Y/);
  });

  it("a floor that is told lifts a capture's reference with it, and no other body", () => {
    const { skeleton, clips, jointOf } = capture();
    const hipsOf = (rig: ReturnType<typeof createRig>) =>
      modelPoseOf(rig.skeleton, rig.reference.pose).matrices[16 * jointOf('hips') + 13]!;
    const found = createRig(skeleton, { clips });
    const told = createRig(skeleton, { clips, space: { floor: 50 } });
    expect(told.floor).toMatchObject({ height: 0.5, confidence: 1 });
    expect(hipsOf(told) - told.floor.height).toBeCloseTo(hipsOf(found) - found.floor.height, 6);
    const body = stickFigure();
    const lower = createRig(body.skeleton, { space: { floor: -0.1 } });
    expect(lower.floor.height).toBe(-0.1);
    expect([...lower.reference.pose.translations]).toEqual([...body.skeleton.rest.translations]);
  });
});

describe('chooseCharacter', () => {
  const body = stickFigure();
  const prop = { skeleton: createSkeleton('prop', [{ name: 'Bone', parent: -1 }]).skeleton, clips: [] };
  const scene = { ...sceneOf(body), characters: [prop, body] };

  it('B3: looks over all skeletons, takes the one with most body parts, and says so', () => {
    expect(chooseCharacter(scene)).toMatchObject({ character: 1, warnings: [{ code: 'several-skeletons' }] });
    expect(chooseCharacter(sceneOf(body))).toEqual({ character: 0, warnings: [] });
  });
  it('B3: by name, then by number', () => {
    expect(chooseCharacter(scene, 'prop').character).toBe(0);
    expect(chooseCharacter(scene, '1').character).toBe(1);
    for (const wrong of ['2', '-1', 'nobody', '0.5', ''])
      expect(() => chooseCharacter(scene, wrong)).toThrow(/"prop" \(0\), "figure" \(1\)/);
  });
  it('says where there is none', () => {
    expect(() => chooseCharacter({ ...scene, characters: [] })).toThrow(RetargetError);
  });
});
