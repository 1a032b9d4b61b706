import type { OPTIONS } from './list.js';
import type { OptionValues } from './option.js';

/** What the options of the list may be set to. Which passes there are is known later: there the type is narrowed. */
export type ListedOptions = OptionValues<typeof OPTIONS>;
