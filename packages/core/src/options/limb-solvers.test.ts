import { describe, expect, it } from 'vitest';
import { sceneOf, tinyHuman } from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { createArmature } from '../body/chains/create-armature.js';
import { solveLimbs } from '../passes/goals/solve-limbs.js';
import { compiledOf } from '../passes/pass.js';
import { optionsOfRecipe, readRecipe, recipeOf } from '../recipe/recipe.js';
import { setUpScenes } from '../setup/set-up-scenes.js';
import { checkLimbSolvers, type LimbSolvers, limbSolverOf, solversOfArmature } from './limb-solvers.js';

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', legs: 0.7 });
const setUp = (options: object) =>
  setUpScenes(sceneOf(source), sceneOf(target), { corrections: 'auto', ...options }).setup;

describe('solvers by limb', () => {
  it('K28: what is said of a limb comes before what is said of all, and two bones before nothing', () => {
    const solvers: LimbSolvers = { all: 'damped', leftArm: 'fabrik', rightArm: { solver: 'ccd', step: 0.5 } };
    expect(limbSolverOf(solvers, 'leftLeg')).toMatchObject({ method: 'jacobian', variant: 'damped' });
    expect(limbSolverOf(solvers, 'leftArm')).toMatchObject({ method: 'fabrik' });
    expect(limbSolverOf(solvers, 'rightArm')).toMatchObject({ method: 'ccd', sweep: 'backward', step: 0.5 });
    expect(limbSolverOf(undefined, 'leftLeg')).toMatchObject({ method: 'twoBone' });
  });

  it.each([
    ['damped', /solvers: must be an object/],
    [{ tail: 'ccd' }, /solvers.*tail/],
    [{ leftArm: 'ik' }, /solvers\.leftArm.*ik/],
    [{ all: { solver: 'ccd', speed: 2 } }, /solvers\.all.*speed/],
    [{ all: { maxIterations: 5 } }, /solvers\.all\.solver/],
    [{ all: { solver: 'ccd', maxIterations: 0 } }, /maxIterations.*from 1/],
    [{ all: { solver: 'ccd', maxIterations: 1e9 } }, /maxIterations.*10000/],
    [{ all: { solver: 'ccd', maxIterations: 2.5 } }, /maxIterations.*whole/],
    [{ all: { solver: 'ccd', tolerance: -1 } }, /tolerance.*0 on/],
    [{ all: { solver: 'damped', damping: Number.NaN } }, /damping.*number/],
    [{ all: { solver: 'ccd', step: 0 } }, /step.*above 0/],
    [{ all: { solver: 'ccd', step: 1.1 } }, /step.*at most 1/],
  ])('%j is a wrong use that is named, to the library and in a recipe', (solvers, message) => {
    expect(() => checkLimbSolvers(solvers, 'solvers')).toThrow(UsageError);
    expect(() => checkLimbSolvers(solvers, 'solvers')).toThrow(message);
    expect(() => setUp({ solvers })).toThrow(message);
    expect(() => readRecipe({ version: 1, settings: { solvers } })).toThrow(UsageError);
  });

  it('reach is one of two words', () => {
    expect(() => setUp({ reach: 'far' })).toThrow(/reach.*far/);
    expect(() => readRecipe({ version: 1, settings: { reach: 'far' } })).toThrow(UsageError);
  });

  it('two bones without limits are solved as ever, and so is what was never asked for', () => {
    expect(compiledOf(setUp({}), solveLimbs)!.solving).toBeNull();
    expect(
      compiledOf(setUp({ solvers: { all: 'twoBone' }, reach: 'limbs' }), solveLimbs)!.solving,
    ).toBeNull();
    expect(
      compiledOf(setUp({ solvers: { leftArm: 'fabrik' } }), solveLimbs)!.solving!.limbs.map(
        (limb) => limb?.solver.method,
      ),
    ).toEqual([undefined, undefined, 'fabrik', undefined]);
  });

  it('W18: a recipe keeps solvers and reach, and gives them back', () => {
    const options = {
      corrections: 'auto' as const,
      solvers: { all: 'damped', leftLeg: { solver: 'ccd', maxIterations: 30 } } as LimbSolvers,
      reach: 'together' as const,
    };
    const json = JSON.parse(JSON.stringify(recipeOf(setUp(options), options)));
    const { recipe, warnings } = readRecipe(json);
    expect(warnings).toEqual([]);
    expect(optionsOfRecipe(recipe)).toMatchObject(options);
  });

  it('K28: chains of an armature bring their solvers along', () => {
    const { target: rig } = setUp({});
    const armature = createArmature(rig.skeleton);
    const chainOf = (joint: number) => armature.chains.find(({ joints }) => joints.includes(joint))!;
    chainOf(rig.joints.leftLowerArm!).solver = {
      method: 'jacobian',
      variant: 'transpose',
      maxIterations: 40,
    };
    chainOf(rig.joints.rightLowerArm!).solver = { method: 'ccd', sweep: 'forward', step: 0.5 };
    chainOf(rig.joints.leftLowerLeg!).solver = { method: 'jacobian' };
    chainOf(rig.joints.rightLowerLeg!).enabled = false;
    const solvers = solversOfArmature(armature, rig);
    expect(solvers).toEqual({
      leftLeg: { solver: 'damped' },
      leftArm: { solver: 'transpose', maxIterations: 40 },
      rightArm: { solver: 'ccdForward', step: 0.5 },
    });
    expect(
      compiledOf(setUp({ solvers }), solveLimbs)!.solving!.limbs.map((limb) => limb?.solver.variant),
    ).toEqual(['damped', undefined, 'transpose', undefined]);
  });
});
