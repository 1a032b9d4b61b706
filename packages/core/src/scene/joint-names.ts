import type { Skeleton } from './skeleton.js';

/** A joint's name, made unique by its file index where it has to be. */
export function jointLabel(skeleton: Skeleton, joint: number): string {
  const name = skeleton.names[joint]!;
  const unique = name !== '' && skeleton.names.indexOf(name) === skeleton.names.lastIndexOf(name);
  return unique ? name : `${name}@${skeleton.fileIndices[joint]}`;
}

/**
 * The joint that a label of {@link jointLabel} means; null where there is none. Where no joint has the very name, one
 * that a loader has renamed is found, as long as it is the only one: what was written down for a file holds in
 * three.js too, and the other way round.
 */
export function findJoint(skeleton: Skeleton, label: string): number | null {
  const exact = skeleton.names.indexOf(label);
  if (exact >= 0) return exact;
  const at = label.lastIndexOf('@');
  const index = at < 0 ? -1 : skeleton.fileIndices.indexOf(Number(label.slice(at + 1)));
  if (index >= 0 && skeleton.names[index] === label.slice(0, at)) return index;
  const plain = loadedName(label);
  let found: number | null = null;
  for (let joint = 0; joint < skeleton.names.length; joint++) {
    if (loadedName(skeleton.names[joint]!) !== plain) continue;
    if (found !== null) return null;
    found = joint;
  }
  return found;
}

/** A name as three.js's loaders leave it: blanks and what means something in the names of its tracks are gone. */
function loadedName(name: string): string {
  return name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');
}
