import type { Warning } from '../base/warnings.js';

/** The codes of what is told of constraints and layers that could not be done as they were written. */
export type EditWarningCode = Extract<Warning['code'], `constraint-${string}` | `layer-${string}`>;

/** A warning about an edit. */
export type EditWarning = Warning & { code: EditWarningCode };
