/** The value holds until the next key. */
export const STEP = 0;
/** The next key's value holds from here on. */
export const STEP_NEXT = 1;
/** A straight line to the next key. */
export const LINEAR = 2;
/** A cubic (weighted: Bézier) to the next key. */
export const CUBIC = 3;

/* The bits of KeyAttrFlags that matter here, as FBX SDK's fbxanimcurve.h names them. */
const CONSTANT_BIT = 0x2;
const LINEAR_BIT = 0x4;
const CONSTANT_NEXT_BIT = 0x100;

/** The program works the tangent out itself. */
export const TANGENT_AUTO = 0x100;
/** The tangent is given by tension, continuity and bias. */
export const TANGENT_TCB = 0x200;
/** The tangent is given by its slopes. */
export const TANGENT_USER = 0x400;
/** An automatic tangent is level at a key that equals a neighbour. */
export const CLAMP = 0x1000;
/** An automatic tangent never leads beyond a neighbour. */
export const CLAMP_PROGRESSIVE = 0x4000;
/** The tangent after the key has a weight of its own. */
export const WEIGHTED_RIGHT = 0x1000000;
/** The tangent before the next key has a weight of its own. */
export const WEIGHTED_NEXT_LEFT = 0x2000000;

/** How a curve goes on from a key with the given flags; in a line, where it has none. */
export function modeOf(flags = LINEAR_BIT): number {
  if (flags & CONSTANT_BIT) return flags & CONSTANT_NEXT_BIT ? STEP_NEXT : STEP;
  return flags & LINEAR_BIT ? LINEAR : CUBIC;
}
