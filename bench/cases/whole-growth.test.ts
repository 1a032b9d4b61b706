import { goalsOf, retargetClip } from '@stuntdouble/core/engine';
import { expect, it } from 'vitest';
import { BAKE } from '../timing/workload.js';
import { createWholeCell, stepsOf } from './whole-growth.js';

it('feet take turns: at any time one of them stands on heel and toe', () => {
  const steps = stepsOf(3);
  for (const time of [0.25, 0.75, 1.25, 2.75]) {
    const standing = steps.filter(({ start, end }) => start <= time && end >= time);
    expect(standing.map(({ point }) => point)).toEqual(
      Math.floor(2 * time) % 2 === 0 ? ['leftHeel', 'leftToe'] : ['rightHeel', 'rightToe'],
    );
  }
});

it.each([20, 65])('the whole pipeline runs on a workload of %i joints', (joints) => {
  const { setup, clip, contacts: told } = createWholeCell({ ...BAKE, joints, frames: 90 });
  expect(goalsOf(setup)!.limbs).toHaveLength(4);
  const { contacts, way, frames } = retargetClip(setup, clip, { frameRate: BAKE.frameRate }, told);
  expect(way).toBe('frames');
  expect(frames).toBe(90);
  expect(contacts).toHaveLength(4);
});
