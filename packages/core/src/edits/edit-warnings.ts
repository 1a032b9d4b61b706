/** What is told of constraints and layers that could not be done as they were written, and what each means. */
export const EDIT_WARNINGS = {
  'constraint-ignored':
    'A constraint names a joint, node, character or clip that is not there; the others hold.',
  'constraint-jumps': 'A constraint begins or ends at once, without a ramp: the motion jumps there.',
  'constraint-missed': 'A constraint was not met: out of reach, or a higher level forbids it.',
  'constraint-not-settled': 'A frame took more steps than it may; the best pose so far was kept.',
  'layer-joint-missing': 'A layer moves a joint that this body does not have; that part of it was left out.',
  'layer-turns-far':
    'A layer turns a joint by more than half a turn from one key to the next; the short way was taken.',
} as const satisfies Record<string, string>;

/** The code of such a warning. */
export type EditWarningCode = keyof typeof EDIT_WARNINGS;

/** A warning about an edit. */
export type EditWarning = { code: EditWarningCode; message: string; joint?: string };
