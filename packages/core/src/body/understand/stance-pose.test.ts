import { expect, it } from 'vitest';
import { createRig, createSkeleton, type JointDescription, type Role } from '../../index.js';
import { editsBetween } from './edits-between.js';
import { boneDirection, stancePose } from './stance-pose.js';

/** A figure whose arms hang 30 degrees down and forward, with joints turned in odd ways. */
function figure() {
  const joints: JointDescription[] = [];
  const add = (name: string, parent: number, translation: number[], rotation?: number[]) => {
    joints.push({ name, parent, translation, ...(rotation && { rotation }) });
    return joints.length - 1;
  };
  const hips = add('Hips', -1, [0, 1, 0]);
  const spine = add('Spine', hips, [0, 0.2, 0]);
  const chest = add('Chest', spine, [0, 0.2, 0]);
  const neck = add('Neck', chest, [0, 0.2, 0]);
  add('Head', neck, [0, 0.1, 0]);
  for (const [side, sign] of [
    ['Left', 1],
    ['Right', -1],
  ] as const) {
    const upperLeg = add(`${side}UpLeg`, hips, [0.1 * sign, -0.05, 0]);
    const lowerLeg = add(`${side}Leg`, upperLeg, [0, -0.45, 0]);
    add(`${side}Foot`, lowerLeg, [0, -0.45, 0]);
    const upper = add(`${side}Arm`, chest, [0.2 * sign, 0.15, 0], [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)]);
    const lower = add(`${side}ForeArm`, upper, [0.26 * sign, -0.1, 0.05], [0, 0.3, 0, Math.sqrt(1 - 0.09)]);
    add(`${side}Hand`, lower, [0.25 * sign, -0.05, 0]);
  }
  return createRig(createSkeleton('figure', joints).skeleton);
}

it.each([
  ['T', 0],
  ['A', Math.PI / 4],
] as const)('arms of a %s-pose point aside, in model space, whatever the reference was', (stance, slope) => {
  const rig = figure();
  const pose = stancePose(rig, rig.reference.pose, stance);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const)
    for (const [from, to] of [
      ['UpperArm', 'LowerArm'],
      ['LowerArm', 'Hand'],
    ] as const) {
      const way = boneDirection(
        rig,
        pose,
        rig.joints[`${side}${from}` as Role]!,
        rig.joints[`${side}${to}` as Role]!,
      )!;
      expect(way[0]).toBeCloseTo(sign * Math.cos(slope), 6);
      expect(way[1]).toBeCloseTo(-Math.sin(slope), 6);
      expect(way[2]).toBeCloseTo(0, 6);
    }
});

it('changes the arms alone, and a pose that is there already not at all', () => {
  const rig = figure();
  const pose = stancePose(rig, rig.reference.pose, 'T');
  const names = editsBetween(rig.skeleton, rig.reference.pose, pose).map(({ name }) => name);
  expect(names.sort()).toEqual(['LeftArm', 'LeftForeArm', 'RightArm', 'RightForeArm']);
  expect(editsBetween(rig.skeleton, pose, stancePose(rig, pose, 'T'))).toEqual([]);
});

it('tells the channels that differ, and no others', () => {
  const { skeleton } = figure();
  const pose = structuredClone(skeleton.rest);
  pose.translations[3] = 0.5;
  pose.scales[8] = 2;
  expect(editsBetween(skeleton, skeleton.rest, pose)).toEqual([
    { name: 'Spine', translation: [0.5, 0.2, 0] },
    { name: skeleton.names[2], scale: [1, 1, 2] },
  ]);
});
