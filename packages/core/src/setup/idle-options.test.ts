import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { UsageError } from '../base/errors.js';
import type { Constraint } from '../options/constraint.js';
import { LEG_JOINT_LIMITS } from '../passes/limit-joints.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import type { Scene } from '../scene/scene.js';
import { setUpScenes } from './set-up-scenes.js';

const figure = stickFigure();
const source = sceneOf(figure, 'source');
const target = sceneOf(stickFigure({ arms: 'A', size: 0.7, names: 'unreal' }), 'target');
const legless = sceneOf(stickFigure({ without: ['leftUpperLeg', 'rightUpperLeg', 'head'] }), 'legless');

/** What is said to be without effect, in the words before the colon. */
function idle(options: RetargetOptions, onto: Scene = target): string[] {
  return retarget(source, onto, { measure: false, ...options })
    .report.warnings.filter(({ code }) => code === 'option-without-effect')
    .map(({ message }) => /^the option (\S+) has no effect: \S/.exec(message)?.[1] ?? message);
}

describe('B6: an option that changes nothing is told of', () => {
  it('nothing is said of options that do', () => {
    for (const options of [
      {},
      { corrections: 'auto', solvers: { all: 'ccd' }, limbScalings: { leftArm: {} }, reach: 'together' },
      {
        corrections: 'none',
        rootMotion: 'inPlace',
        rootMotionJoint: 'mixamorig:Hips',
        spacing: { arms: 0.1 },
      },
      { limits: LEG_JOINT_LIMITS, lookAt: { point: [0, 1, 2] }, groundHeight: () => 0, ground: {} },
      { passes: ['copyRotations', 'moveRoot'], rootScales: { vertical: 1 }, alignment: { leftArm: 'keep' } },
      { mirror: false, speed: 2, loop: true, reduce: true, clips: undefined, misspelt: undefined },
    ] as RetargetOptions[])
      expect(idle(options), JSON.stringify(options)).toEqual([]);
  });

  it.each<[string, RetargetOptions, string[]]>([
    ['a misspelt one', { rootmotion: 'inPlace' } as RetargetOptions, ['rootmotion']],
    ['solvers without corrections', { corrections: 'none', solvers: { all: 'ccd' } }, ['solvers']],
    ['a reach without them', { corrections: 'none', reach: 'together' }, ['reach']],
    ['limb scalings without them', { corrections: 'none', limbScalings: { leftArm: {} } }, ['limbScalings']],
    ['contacts without them', { corrections: 'none', contacts: {} }, ['contacts']],
    ['corrections without their passes', { passes: ['copyRotations'], corrections: 'auto' }, ['corrections']],
    ['a look without its pass', { passes: ['copyRotations'], lookAt: { point: [0, 1, 2] } }, ['lookAt']],
    ['root motion without its pass', { passes: ['copyRotations'], rootMotion: 'inPlace' }, ['rootMotion']],
    ['limits without a pass', { passes: ['copyRotations'], limits: LEG_JOINT_LIMITS }, ['limits']],
    ['a joint of root motion that is kept', { rootMotionJoint: 'mixamorig:Hips' }, ['rootMotionJoint']],
    ['a limb of neither', { alignment: { leftThumb: 'bones' } }, ['alignment.leftThumb']],
  ])('%s', (_, options, names) => {
    expect(idle(options)).toEqual(names);
  });

  it('parts that a body does not have', () => {
    const options: RetargetOptions = {
      corrections: 'auto',
      solvers: { leftLeg: 'ccd' },
      limits: LEG_JOINT_LIMITS,
      spacing: { legs: 0.5 },
      lookAt: { point: [0, 1, 2] },
      groundHeight: () => 0,
    };
    expect(idle(options, legless).sort()).toEqual(
      ['corrections', 'groundHeight', 'limits', 'lookAt', 'solvers', 'spacing'].sort(),
    );
    const oneArmed = sceneOf(stickFigure({ without: ['leftUpperArm'] }), 'one-armed');
    expect(idle({ solvers: { leftArm: 'ccd', rightArm: 'ccd' } }, oneArmed)).toEqual(['solvers.leftArm']);
  });

  it('contacts of a clip that there is not', () => {
    expect(idle({ contacts: { flight: [] } })).toEqual([
      'contacts are told for a clip "flight", which "source" does not have',
    ]);
  });

  it('constraints that begin when all clips are over', () => {
    const times = { start: 20, end: 40 };
    const place: [number, number, number] = [0, 1, 0];
    const asked: Constraint = { kind: 'point', joint: 'rightHand', goal: { place }, times };
    const told = (constraint: Constraint) =>
      retarget(source, target, { measure: false, constraints: [constraint] })
        .report.warnings.filter(({ code }) => code === 'constraint-ignored')
        .map(({ message }) => message);
    expect(told(asked)).toEqual([
      expect.stringMatching(
        /^constraints\[0\]\.times: begins at 20\.00 s, and ".*" is over at .* s; times are seconds, \{ "frame": 20 \} is a frame$/,
      ),
    ]);
    expect(told({ ...asked, muted: true })).toEqual([]);
    expect(told({ ...asked, times: { start: { frame: 1 }, end: { frame: 2 } } })).toEqual([]);
  });

  it('live too: a setup carries them', () => {
    const { warnings } = setUpScenes(source, target, { corrections: 'none', reach: 'together' });
    expect(warnings.map(({ code }) => code)).toContain('option-without-effect');
  });
});

it('keys cannot be kept beside contacts that are told, where there is something to hold', () => {
  const contacts = { [figure.clips[0]!.name]: [{ point: 'leftHeel', start: 0, end: 1 } as const] };
  const both = (onto: Scene) => () => retarget(source, onto, { keys: 'keep', measure: false, contacts });
  expect(both(target)).toThrow(UsageError);
  expect(both(target)).toThrow(/cannot be kept exactly: feet and hands are held/);
  expect(both(legless)).not.toThrow();
});

it('contacts that are told hold feet on one and the same body too, which is else taken over whole', () => {
  const [clip] = figure.clips;
  const plain = retarget(source, source, { measure: false });
  expect(plain.report.clips[0]!.way).toBe('copy');
  const told = retarget(source, source, {
    measure: false,
    contacts: { [clip!.name]: [{ point: 'leftHeel', start: 0, end: 1 }] },
  });
  expect(told.report.clips[0]!.way).toBe('frames');
});
