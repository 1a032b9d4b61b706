import { expect, it } from 'vitest';
import type { FileFacts, Understanding } from '../../engine/protocol.js';
import { mapGroups } from './map-rows.js';

const facts = (names: string[], roles: (string | null)[], chains: string[]) =>
  ({
    skeleton: { names },
    roles,
    chains,
    joints: Object.fromEntries(roles.flatMap((role, joint) => (role ? [[role, joint]] : []))),
  }) as unknown as FileFacts;
const source = facts(
  ['Hips', 'Spine', 'LeftArm', 'LeftHand'],
  ['hips', 'spine', 'leftUpperArm', 'leftHand'],
  [],
);
const target = facts(
  ['pelvis', 'spine_01', 'arm_l', 'hand_l', 'cape'],
  ['hips', 'spine', 'leftUpperArm', 'leftHand', null],
  ['torso', 'torso', 'leftArm', 'leftArm', 'none'],
);
const understanding = {
  map: {
    joints: [
      { target: 0, sources: [0], confidence: 1, reason: 'both are hips', role: 'hips' },
      { target: 1, sources: [1], confidence: 0.5, reason: 'torso joint 1 of 1 on both', role: 'spine' },
      { target: 2, sources: [2], confidence: 0.98, reason: 'both are leftUpperArm', role: 'leftUpperArm' },
    ],
    unmapped: {
      source: [],
      target: [
        { joint: 3, reason: 'leftHand is not paired' },
        { joint: 4, reason: 'no part' },
      ],
    },
  },
} as unknown as Understanding;

it('S12: every joint of the character is listed, with its driver or none', () => {
  const rows = mapGroups(source, target, understanding).flatMap((group) => group.rows);
  expect(rows.map(({ name }) => name).sort()).toEqual(['arm_l', 'cape', 'hand_l', 'pelvis', 'spine_01']);
  expect(rows.find(({ name }) => name === 'arm_l')!.drivers).toEqual(['LeftArm']);
  expect(rows.find(({ name }) => name === 'hand_l')!.driver).toBe(-1);
});

it('what is unmapped or unsure comes first, ornaments that nothing drives do not', () => {
  const groups = mapGroups(source, target, understanding);
  expect(groups.map(({ chain, isUnsure }) => [chain, isUnsure])).toEqual([
    ['torso', true],
    ['leftArm', true],
    ['none', false],
  ]);
  expect(groups[0]!.rows[0]!.name).toBe('spine_01');
  expect(groups[1]!.rows[0]!.name).toBe('hand_l');
  expect([groups[1]!.driven, groups[1]!.total]).toEqual([1, 2]);
});

it('finds joints by name, driver, body part and reason', () => {
  const names = (search: string) =>
    mapGroups(source, target, understanding, search).flatMap((group) => group.rows.map(({ name }) => name));
  expect(names('HAND')).toEqual(['hand_l']);
  expect(names('leftarm')).toEqual(['arm_l']);
  expect(names('not paired')).toEqual(['hand_l']);
  expect(names('nothing like it')).toEqual([]);
});
