import { describe, expect, expectTypeOf, it } from 'vitest';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { PASSES } from '../passes/pipeline.js';
import { describeOption } from './describe-options.js';
import { listOptions, type OptionName, optionOf, SETUP_OPTIONS } from './list.js';
import { OPTION_GROUPS } from './option.js';
import type { RootRule } from './root-rule.js';
import type { SetupOptions } from './setup-options.js';

describe('the list of options', () => {
  it('is where their types come from', () => {
    expectTypeOf<keyof RetargetOptions>().toEqualTypeOf<OptionName>();
    expectTypeOf<RetargetOptions['keys']>().toEqualTypeOf<'auto' | 'keep' | 'bake' | 'refine' | undefined>();
    expectTypeOf<RetargetOptions['root']>().toEqualTypeOf<RootRule | undefined>();
    expectTypeOf<SetupOptions['rootMotion']>().toEqualTypeOf<RetargetOptions['rootMotion']>();
    expectTypeOf<SetupOptions>().not.toHaveProperty('mirror');
  });

  it.each(listOptions())('%s is described in a line, under a heading, its parts too', (name, option) => {
    expect(Object.keys(OPTION_GROUPS)).toContain(option.group);
    for (const row of describeOption(name)) {
      expect(row.summary).toMatch(/^[a-z0-9].*[^.]$/);
      expect(row.takes).not.toBe('');
      expect(row.default).not.toBe('');
    }
    expect(option.flag?.typed ?? '--x').toMatch(/^--[a-z-]+( [<[].+[\]>])?$/);
  });

  it('a pass that alone carries an option out names it, and what a pass names is there', () => {
    for (const [name, { pass }] of listOptions())
      if (pass) {
        const names = PASSES.find((each) => each.name === pass)?.options.map((path) => path.split('.')[0]);
        expect(names, `${name} of ${pass}`).toContain(name);
      }
    for (const { options } of PASSES)
      for (const path of options) expect(describeOption(path)[0]!.name).toBe(path);
  });

  it('what a setup is made from means something live', () => {
    for (const [name, { live }] of Object.entries(SETUP_OPTIONS)) expect([name, live]).toEqual([name, true]);
  });

  it('knows no name that it has only from every object', () => {
    expect(optionOf('constructor')).toBeUndefined();
    expect(() => describeOption('root.copyTaste')).toThrow('there is no option root.copyTaste');
  });
});
