import { type OptionName, optionOf } from '@stuntdouble/core/engine';

/** How an option is asked for on the command line, without what follows; its name where it has no flag. */
export function flagOf(name: OptionName): string {
  return optionOf(name)?.flag?.typed.split(' ')[0] ?? name;
}
