import { listOptions, type OptionName } from './list.js';
import type { ListedOptions } from './retarget-options.js';

/**
 * The option that asks for other rotation keys than the source's own, where one does: such options make no sense
 * where keys are played as they are, through a retargeted bind pose.
 * @returns its name; null where no option does.
 */
export function findKeyChange(options: ListedOptions): OptionName | null {
  const found = listOptions().find(([name, { changesKeys }]) => {
    const value: unknown = options[name];
    if (changesKeys === undefined || value === undefined) return false;
    if (changesKeys === 'given') return true;
    return changesKeys === 'on' ? Boolean(value) : changesKeys.includes(value as string);
  });
  return found?.[0] ?? null;
}
