import type { Character, Scene } from '../../scene/scene.js';
import type { Skeleton } from '../../scene/skeleton.js';

/** Bones of one family differ by less than this share of the longest: exporters print four digits. */
const SAME_BONE = 1e-3;

/**
 * Whether two skeletons are of one family: the same names, parents, and ways from each joint to the next, as all captures
 * of one actor have them. Where the roots stand, and how joints are turned at rest, may differ.
 */
export function isSameFamily(a: Skeleton, b: Skeleton): boolean {
  const count = a.names.length;
  if (b.names.length !== count) return false;
  for (let i = 0; i < count; i++)
    if (a.names[i] !== b.names[i] || a.parents[i] !== b.parents[i]) return false;
  let longest = 0;
  let furthest = 0;
  for (let i = 0; i < count; i++) {
    if (a.parents[i]! < 0) continue;
    for (let c = 3 * i; c < 3 * i + 3; c++) {
      longest = Math.max(longest, Math.abs(a.rest.translations[c]!));
      furthest = Math.max(furthest, Math.abs(a.rest.translations[c]! - b.rest.translations[c]!));
    }
  }
  return furthest <= SAME_BONE * longest;
}

/** The characters of some scenes that are of a skeleton's family, itself left out. */
export function familyMembers(skeleton: Skeleton, scenes: Scene | readonly Scene[]): Character[] {
  const list: readonly Scene[] = Array.isArray(scenes) ? scenes : [scenes as Scene];
  return list
    .flatMap(({ characters }) => characters)
    .filter((character) => character.skeleton !== skeleton && isSameFamily(skeleton, character.skeleton));
}
