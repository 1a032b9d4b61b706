import type { RetargetGroupOptions } from './retarget-animation-group.js';

/** Options of Babylon.js that say what its own function gives, feet as they come out. */
type PlainOptions = Pick<RetargetGroupOptions, 'fixGroundReference' | 'stuntdouble'> &
  Partial<Pick<RetargetGroupOptions, 'checkHierarchy' | 'retargetAnimationKeys'>>;

/**
 * What holds where nobody says whether feet and hands are corrected: they are, as everywhere. But who gives a ground
 * node, has the hierarchy checked, keeps keys as they are, or has nodes found by their names alone describes the result
 * of Babylon's own function, and gets that.
 */
export function unlessPlain({
  fixGroundReference,
  checkHierarchy,
  retargetAnimationKeys,
  stuntdouble,
}: PlainOptions): 'auto' | 'none' {
  const isPlain =
    fixGroundReference || checkHierarchy || retargetAnimationKeys === false || stuntdouble?.match === 'names';
  return isPlain ? 'none' : 'auto';
}
