import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseLimbScales, parseSolvers } from './solver-arguments.js';

describe('--solver', () => {
  it('K28: names a solver for one limb, for several, or for all', () => {
    expect(parseSolvers('damped')).toEqual({ all: 'damped' });
    expect(parseSolvers('all=two-bone')).toEqual({ all: 'twoBone' });
    expect(parseSolvers('arms=pseudo-inverse', parseSolvers('leftLeg=ccd-forward'))).toEqual({
      leftLeg: 'ccdForward',
      leftArm: 'pseudoInverse',
      rightArm: 'pseudoInverse',
    });
  });

  it('KP13: reads settings behind a colon', () => {
    expect(parseSolvers('leftArm=damped:iterations=20, damping=0.2,tolerance=1e-3,step=.5')).toEqual({
      leftArm: { solver: 'damped', maxIterations: 20, damping: 0.2, tolerance: 0.001, step: 0.5 },
    });
  });

  it.each([
    '',
    'leftArm=',
    'neck=ccd',
    'ik',
    'ccd:speed=2',
    'ccd:step',
    'ccd:step=fast',
    '=ccd',
    'leftArm=ccd=2',
  ])('refuses "%s"', (text) => {
    expect(() => parseSolvers(text)).toThrow(InvalidArgumentError);
  });
});

describe('--limb-scale', () => {
  it('K23: reads the scale of a limb, and of where it begins', () => {
    expect(parseLimbScales('leftArm=0.5', parseLimbScales('legs=1,0'))).toEqual({
      leftLeg: { limbScale: 1, rootScale: 0 },
      rightLeg: { limbScale: 1, rootScale: 0 },
      leftArm: { limbScale: 0.5 },
    });
  });

  it.each(['', 'arms', 'arms=', 'arms=1,', 'arms=1,2,3', 'arms=x', 'tail=1', 'all=1'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseLimbScales(text)).toThrow(InvalidArgumentError);
    },
  );
});
