import { describe, expect, it } from 'vitest';
import { PASS_NAMES } from '../passes/pipeline.js';
import { type CorrectionsChoice, chooseCorrections } from './choose-corrections.js';

describe('chooseCorrections', () => {
  it.each<[string, CorrectionsChoice, 'none' | 'auto']>([
    ['nothing is asked for', {}, 'auto'],
    ['a bake is asked for', { keys: 'bake' }, 'auto'],
    ['keys are kept', { keys: 'keep' }, 'none'],
    ['all passes are named', { passes: PASS_NAMES }, 'auto'],
    ['no pass is', { passes: [] }, 'none'],
    ['goals are not placed', { passes: PASS_NAMES.filter((pass) => pass !== 'placeGoals') }, 'none'],
    ['goals are not reached', { passes: PASS_NAMES.filter((pass) => pass !== 'solveLimbs') }, 'none'],
    ['contacts are told', { passes: ['copyRotations'], contacts: {} }, 'auto'],
    ['solvers are told', { solvers: { all: 'ccd' } }, 'auto'],
    ['a reach is told', { reach: 'limbs', passes: ['copyRotations'] }, 'auto'],
    ['limb scalings are told', { limbScalings: { leftArm: {} } }, 'auto'],
    ['none are wanted', { corrections: 'none', contacts: {} }, 'none'],
    ['they are wanted', { corrections: 'auto', keys: 'keep' }, 'auto'],
  ])('where %s', (_, options, choice) => {
    expect(chooseCorrections(options)).toBe(choice);
  });

  it('leaves them out where the caller does, unless something is asked for that needs them', () => {
    expect(chooseCorrections({}, 'none')).toBe('none');
    expect(chooseCorrections({ solvers: { all: 'ccd' } }, 'none')).toBe('auto');
    expect(chooseCorrections({ corrections: 'auto' }, 'none')).toBe('auto');
  });
});
