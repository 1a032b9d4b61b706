/** Options of Babylon.js that say what its own function gives, feet as they come out; and how nodes are matched. */
type PlainOptions = {
  fixGroundReference?: boolean;
  checkHierarchy?: boolean;
  retargetAnimationKeys?: boolean;
  stuntdouble?: { match?: 'auto' | 'names' };
};

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
