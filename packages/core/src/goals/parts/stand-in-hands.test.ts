import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../../test/stick-figure.js';
import type { Rig } from '../../body/rig.js';
import { createRig } from '../../body/understand/create-rig.js';
import { modelPoseOf } from '../../scene/pose.js';
import { addStandInHands, isHandJoint } from './stand-in-hands.js';

const whole = createRig(stickFigure({ fingers: true }).skeleton);

/** The figure as one whose fingers hang on the forearm: its hand is there, but nobody calls it one. */
const handless: Rig = {
  ...whole,
  joints: Object.fromEntries(Object.entries(whole.joints).filter(([role]) => !/Hand$/.test(role))),
};

const modelOf = (rig: Rig) => modelPoseOf(rig.skeleton, rig.reference.pose);
const complete = (source: Rig, target: Rig) =>
  addStandInHands(
    source,
    target,
    { source: source.joints, target: target.joints },
    modelOf(source),
    modelOf(target),
  );

describe('addStandInHands', () => {
  it('what a forearm ends in stands in for a hand that has no joint, and moves with the forearm', () => {
    const both = { source: { ...whole.joints }, target: { ...handless.joints } };
    delete both.source.leftHand;
    delete both.source.rightHand;
    const roles = addStandInHands(whole, handless, both, modelOf(whole), modelOf(handless));
    for (const side of ['left', 'right'] as const) {
      expect(roles.target[`${side}Hand`]).toBe(whole.joints[`${side}Hand`]);
      expect(roles.source[`${side}Hand`]).toBe(whole.joints[`${side}Hand`]);
      expect(roles.rigid.has(side)).toBe(true);
    }
  });

  it('hands that both have stay, and those that a map leaves out on purpose are not brought back', () => {
    expect(complete(whole, whole).rigid.size).toBe(0);
    expect(complete(whole, whole).target).toEqual(whole.joints);
    const without = { source: { ...handless.joints }, target: { ...handless.joints } };
    const roles = addStandInHands(whole, whole, without, modelOf(whole), modelOf(whole));
    expect(roles.target.leftHand).toBeUndefined();
  });

  it('an arm that ends in nothing stays without a hand', () => {
    const bare = createRig(stickFigure({ without: ['leftHand', 'rightHand'] }).skeleton);
    expect(complete(bare, bare).target.leftHand).toBeUndefined();
    expect(complete(bare, bare).rigid.size).toBe(0);
  });
});

describe('isHandJoint', () => {
  it('fingers are of the hand; what reaches farther than a forearm, with its skin, is held by it', () => {
    const { skeleton, joints } = whole;
    const hand = joints.leftHand!;
    const finger = joints.leftMiddleDistal!;
    const limb = { middle: joints.leftLowerArm!, end: hand };
    expect(isHandJoint(whole, modelOf(whole), limb)(finger)).toBe(true);
    const hulls = skeleton.names.map((_, joint) =>
      joint === finger ? Float32Array.of(0, 0, 0, 0, 0, 2) : null,
    );
    const { leftMiddleDistal, ...others } = joints;
    expect(leftMiddleDistal).toBe(finger);
    const armed: Rig = { ...whole, joints: others, skeleton: { ...skeleton, hulls } };
    expect(isHandJoint(armed, modelOf(whole), limb)(finger)).toBe(false);
    expect(isHandJoint({ ...armed, joints }, modelOf(whole), limb)(finger)).toBe(true);
  });
});
