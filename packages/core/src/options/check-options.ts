import { fieldsOf } from '../base/plain-data.js';
import { checkShape } from './check-shape.js';
import { listOptions, SETUP_OPTIONS } from './list.js';
import type { ListedOptions } from './retarget-options.js';
import type { SetupOptions } from './setup-options.js';

/*
 * What types say and JavaScript does not check: a misspelt word would silently be the default, and a number that
 * is none would go through to the last key. What depends on files is looked at where it is used.
 */

const SETUP_LIST = listOptions().filter(([name]) => name in SETUP_OPTIONS);
const OTHER_OPTIONS = listOptions().filter(([name]) => !(name in SETUP_OPTIONS));

/** Makes sure that the options of `retarget` can be meant, but for those of its setup. @throws UsageError that names the option. */
export function checkRetargetOptions(options: ListedOptions): void {
  check(fieldsOf(options, 'options'), OTHER_OPTIONS);
}

/** Makes sure that the options of a setup can be meant. @throws UsageError that names the option. */
export function checkSetupOptions(options: SetupOptions): void {
  check(options, SETUP_LIST);
}

function check(options: Readonly<Record<string, unknown>>, meant: ReturnType<typeof listOptions>): void {
  for (const [name, { shape }] of meant) {
    const value = options[name];
    if (value === undefined) continue;
    // The ground is switched off by null, too.
    if (value === null && name === 'ground') continue;
    checkShape(shape, value, name);
  }
}
