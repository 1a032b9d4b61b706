import type { SETUP_OPTIONS } from './list.js';
import type { OptionValues } from './option.js';

/** What a setup may be told; every part has a default. */
export type SetupOptions = OptionValues<typeof SETUP_OPTIONS>;
