import { CHAIN_OPTIONS, CHAIN_RULE_OPTIONS } from './lists/chain-options.js';
import { CHOICE_OPTIONS } from './lists/choice-options.js';
import { CLIP_OPTIONS } from './lists/clip-options.js';
import { CONTACT_OPTIONS, CORRECTION_LIST } from './lists/correction-options.js';
import { EDIT_OPTIONS } from './lists/edit-options.js';
import { ROOT_OPTIONS } from './lists/root-options.js';
import { RUN_OPTIONS } from './lists/run-options.js';
import { TURN_OPTIONS } from './lists/turn-options.js';
import type { OptionData } from './option.js';

/**
 * The options that a setup is made from; `SetupOptions` is their type. Types are put together from the lists' own, since
 * editors then show what is said of an option where it stands.
 */
export const SETUP_OPTIONS: typeof TURN_OPTIONS &
  typeof ROOT_OPTIONS &
  typeof CORRECTION_LIST &
  typeof CHAIN_RULE_OPTIONS &
  typeof EDIT_OPTIONS = {
  ...TURN_OPTIONS,
  ...ROOT_OPTIONS,
  ...CORRECTION_LIST,
  ...CHAIN_RULE_OPTIONS,
  ...EDIT_OPTIONS,
};

/**
 * Every option of `retarget`, once. Its type (`RetargetOptions`), checks, recipe and schema, warnings of options
 * without effect, flags of the command line and documentation come from here: an option that is added to one of the
 * lists beside this is in all of them.
 */
export const OPTIONS: typeof CHOICE_OPTIONS &
  typeof CHAIN_OPTIONS &
  typeof CLIP_OPTIONS &
  typeof SETUP_OPTIONS &
  typeof CONTACT_OPTIONS &
  typeof RUN_OPTIONS = {
  ...CHOICE_OPTIONS,
  ...CHAIN_OPTIONS,
  ...CLIP_OPTIONS,
  ...SETUP_OPTIONS,
  ...CONTACT_OPTIONS,
  ...RUN_OPTIONS,
};

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** An option by its name, or a part of one: `lookAt.point`. */
export type OptionPath = OptionName | `${OptionName}.${string}`;

/** Every option that there is and its name, in the order in which they are told of. */
export function listOptions(): [OptionName, OptionData][] {
  return Object.entries(OPTIONS) as [OptionName, OptionData][];
}

/** An option by its name, be it one that there is not. */
export function optionOf(name: string): OptionData | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
}

/** The names of options of which something holds. */
export function namesWhere(holds: (option: OptionData) => unknown): OptionName[] {
  return listOptions().flatMap(([name, option]) => (holds(option) ? [name] : []));
}
