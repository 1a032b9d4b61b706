import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../../test/stick-figure.js';
import { createRandom, randomSkeleton, skeletonOf } from '../../../test/tiny-rigs.js';
import { UsageError } from '../../base/errors.js';
import { chainOf } from './armature.js';
import { readArmature, writeArmature } from './armature-document.js';
import { createArmature } from './create-armature.js';
import { setChain } from './edit-armature.js';

const figure = stickFigure({ names: 'vrm' });
const { skeleton, jointOf } = figure;
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('writeArmature, readArmature', () => {
  it('K3, R18: chains, order, solver, priority, goal and limits come back as they were', () => {
    let armature = createArmature(skeleton);
    const { name } = chainOf(armature, jointOf('leftHand'))!;
    armature = setChain(armature, name, {
      solver: { method: 'jacobian', variant: 'damped', damping: 0.05, maxIterations: 40, tolerance: 1e-3 },
      priority: 3.5,
      enabled: false,
      goal: { name: 'reach', weight: 0.25 },
    });
    armature.limits[jointOf('leftLowerArm')] = {
      type: 'hinge',
      axis: 'x',
      forward: 'y',
      angleDegrees: [0, 145.1],
    };
    armature.limits[jointOf('leftUpperArm')] = {
      type: 'swingTwist',
      twistAxis: 'y',
      twistDegrees: [-30, 60.7],
      swingDegrees: { x: [-80, 80], z: [-10, 120] },
    };
    const document = writeArmature(armature, skeleton);
    const { armature: back, warnings } = readArmature(throughText(document), skeleton);
    expect(back).toEqual(armature);
    expect(warnings).toEqual([]);
    expect(writeArmature(back, skeleton)).toEqual(document);
  });

  it('R18, KP15: reading again changes nothing, on any tree, with names that repeat', () => {
    const random = createRandom(9);
    for (let round = 0; round < 30; round++) {
      const any = randomSkeleton(random, 1 + Math.floor(20 * random()));
      any.names = any.names.map((_, i) => ['bone', '', 'arm', `j${i}`][i % 4]!);
      const document = writeArmature(createArmature(any), any);
      const once = readArmature(throughText(document), any).armature;
      const twice = readArmature(throughText(writeArmature(once, any)), any).armature;
      expect(once).toEqual(createArmature(any));
      expect(twice).toEqual(once);
    }
  });

  it('K3: reads the older shape, with its limits', () => {
    const { armature, warnings } = readArmature(
      {
        SkeletonStructure: {
          arm: { Root: 'leftUpperArm', EndEffector: 'leftHand' },
          eye: { Root: 'head', EndEffector: 'head' },
        },
        JointLimits: {
          leftLowerArm: {
            Type: 'Hinge',
            HingeAxis: 'z',
            BoneForward: 'x',
            MinAngleDegrees: 0,
            MaxAngleDegrees: 140,
          },
          leftUpperArm: {
            Type: 'SwingXZTwistY',
            MinTwist: -20,
            MaxTwist: 30,
            MinXSwing: -50,
            MaxXSwing: 60,
            MinZSwing: -70,
            MaxZSwing: 80,
          },
          leftHand: { Type: 'Unconstrained' },
        },
      },
      skeleton,
    );
    expect(warnings).toEqual([]);
    expect(
      armature.chains.map(({ name, joints }) => [name, joints.map((joint) => skeleton.names[joint])]),
    ).toEqual([
      ['arm', ['leftUpperArm', 'leftLowerArm', 'leftHand']],
      // A chain of one joint is one, and does not walk on to the root (KP15).
      ['eye', ['head']],
    ]);
    expect(armature.chains[0]!.goal!.name).toBe('arm target');
    expect(armature.limits).toEqual({
      [jointOf('leftLowerArm')]: { type: 'hinge', axis: 'z', forward: 'x', angleDegrees: [0, 140] },
      [jointOf('leftUpperArm')]: {
        type: 'swingTwist',
        twistAxis: 'y',
        twistDegrees: [-20, 30],
        swingDegrees: { x: [-50, 60], z: [-70, 80] },
      },
    });
  });

  it('K3: what it has read from the older shape it writes in the new one', () => {
    const old = { SkeletonStructure: { arm: { Root: 'leftUpperArm', EndEffector: 'leftHand' } } };
    const { armature } = readArmature(old, skeleton);
    expect(readArmature(throughText(writeArmature(armature, skeleton)), skeleton).armature).toEqual(armature);
  });

  it('KP17: gives a joint that two chains hold to the first, and says so', () => {
    const { armature, warnings } = readArmature(
      {
        version: 1,
        chains: [
          { name: 'arm', joints: ['leftUpperArm', 'leftLowerArm'] },
          { name: 'hand', joints: ['leftLowerArm', 'leftHand'] },
        ],
      },
      skeleton,
    );
    expect(armature.chains.map(({ joints }) => joints.map((joint) => skeleton.names[joint]))).toEqual([
      ['leftUpperArm', 'leftLowerArm'],
      ['leftHand'],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['map-entry-ignored']);
  });

  it('warns in one line of at most 300 characters, whatever names a document holds', () => {
    const { warnings } = readArmature(
      { version: 1, chains: [], controls: ['x\n\u202e'.repeat(200)] },
      skeleton,
    );
    expect(warnings.map(({ message }) => message.length)).toEqual([300]);
    expect(warnings[0]!.message).not.toMatch(/[\n\u202e]/);
  });

  it('leaves out what is not there, and says so', () => {
    const { armature, warnings } = readArmature(
      { SkeletonStructure: { tail: { Root: 'tail1', EndEffector: 'tail9' } } },
      skeleton,
    );
    expect(armature.chains).toEqual([]);
    expect(warnings[0]!.message).toContain('"tail1"');
  });

  it.each([
    [null, 'the armature must be an object'],
    [[], 'the armature must be an object'],
    [{}, 'has version undefined'],
    [{ version: 2, chains: [] }, 'has version 2; this reads version 1'],
    [{ version: 1, chains: 'x' }, 'must be a list'],
    [{ version: 1, chains: [{ name: 1, joints: [] }] }, 'chains[0].name must be a text'],
    [{ version: 1, chains: [{ name: 'a', joints: ['head'], kind: 'nose' }] }, 'chains[0].kind is "nose"'],
    [
      { version: 1, chains: [{ name: 'a', joints: ['head'], solver: { method: 'magic' } }] },
      'solver.method is "magic"',
    ],
    [{ version: 1, chains: [{ name: 'a', joints: ['head'], priority: '1' }] }, 'priority must be a number'],
    [{ version: 1, chains: [{ name: 'a', joints: ['head', 'leftFoot'] }] }, 'does not hang on'],
    [
      {
        version: 1,
        chains: [],
        limits: { head: { type: 'hinge', axis: 'x', forward: 'x', angleDegrees: [0, 1] } },
      },
      'points along',
    ],
    [
      {
        version: 1,
        chains: [],
        limits: { head: { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [2, 1] } },
      },
      'larger number first',
    ],
    [{ SkeletonStructure: { a: { Root: 'head' } } }, 'EndEffector must be a text'],
    [{ SkeletonStructure: {}, JointLimits: { head: { Type: 'Ball' } } }, 'Type is "Ball"'],
  ])('says what is wrong with %j', (json, message) => {
    expect(() => readArmature(json, skeleton)).toThrow(UsageError);
    expect(() => readArmature(json, skeleton)).toThrow(message);
  });

  it('has nothing to say of a skeleton without joints', () => {
    const empty = skeletonOf([]);
    expect(readArmature(writeArmature(createArmature(empty), empty), empty).armature.chains).toEqual([]);
  });
});
