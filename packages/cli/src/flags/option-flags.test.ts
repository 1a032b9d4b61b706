import { listOptions, OPTION_GROUPS } from '@stuntdouble/core';
import { asTyped, flagOf } from '@stuntdouble/jobs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addOptionFlags, optionsOfFlags } from './option-flags.js';

const parse = (...argv: string[]) => {
  const command = addOptionFlags(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  return optionsOfFlags(command.parse(argv, { from: 'user' }).opts());
};

describe('flags of options', () => {
  it('stand in the help under the headings of their groups, each once', () => {
    const help = addOptionFlags(new Command()).helpInformation();
    for (const title of Object.values(OPTION_GROUPS)) expect(help).toContain(`\n${title}:\n`);
    for (const [, { flag }] of listOptions())
      if (flag) expect(help.split(`\n  ${flag.typed} `)).toHaveLength(2);
  });

  it('are understood by the kind of the option, or by its own words', () => {
    expect(parse()).toEqual({});
    expect(parse('--speed', '2', '--scales', 'rest', '--mirror', '--no-measure')).toEqual({
      speed: 2,
      scales: 'rest',
      mirror: true,
      measure: false,
    });
    expect(parse('--fps', '30')).toEqual({ frameRate: 30, keys: 'bake' });
    expect(parse('--keys', '--ground', '--root-motion', 'in-place', '--imitate', 'arms=turn')).toEqual({
      keys: 'keep',
      ground: {},
      rootMotion: 'inPlace',
      imitation: { leftArm: 'worldDelta', rightArm: 'worldDelta' },
    });
    // What stands in a file is read when the files are.
    expect(parse('--clip', 'walk', '--map', 'map.json', '--contacts', 'steps.json')).toEqual({});
  });

  it.each([
    ['--speed', '0', /greater than 0/],
    ['--floor-source', 'abc', /It must be a number\./],
    ['--amount', '3', /It is 3; it goes from 0 to 1/],
    ['--scales', 'big', /one of rest, copied/],
    ['--passes', 'fly', /no pass "fly"/],
  ])('%s %s is a wrong use', (flag, text, message) => {
    expect(() => parse(flag, text)).toThrow(message);
  });

  it('are named as they are typed', () => {
    expect(flagOf('limbScalings')).toBe('--limb-scale');
    expect(flagOf('groundHeight')).toBe('groundHeight');
  });

  it('stand as they are typed in sentences of the engine, and what is quoted stays', () => {
    expect(asTyped('until 0.03 s; keepCalibration keeps it')).toBe(
      'until 0.03 s; --keep-calibration keeps it',
    );
    expect(asTyped("with corrections: 'none' nothing is held")).toBe(
      'with --corrections none nothing is held',
    );
    expect(asTyped("rootMotion: 'inPlace' stands")).toBe('--root-motion in-place stands');
    // Fields of documents and the values they may have are no options.
    for (const sentence of [
      'recipe.settings.rootMotion: must be a text',
      'recipe.constraints[0].kind: must be one of point, lookAt, lock, and is "poinnt"',
    ])
      expect(asTyped(sentence)).toBe(sentence);
    expect(asTyped('the option matching has no effect: matching by chains does')).toBe(
      'the option --matching has no effect: matching by chains does',
    );
    expect(asTyped('the option chains.tail.solver has no effect')).toBe(
      'the option chains.tail.solver has no effect',
    );
    expect(asTyped('the clip "keepCalibration" has a map of its own, groundHeight too')).toBe(
      'the clip "keepCalibration" has a map of its own, groundHeight too',
    );
  });
});
