import type { EditedBody } from './edited-body.js';

/*
 * What carries what in a body. The hierarchy of a file says so for all joints but those that hang elsewhere than their body part:
 * a foot on the root, which handles moved where the file was made, is the end of its leg all the same.
 */

/** Per joint what carries it; −1 for nothing. */
export function carriersIn({
  skeleton,
  detached = [],
}: Pick<EditedBody, 'skeleton' | 'detached'>): Int32Array {
  if (detached.length === 0) return skeleton.parents;
  const carriers = skeleton.parents.slice();
  for (const { joint, carrier } of detached) carriers[joint] = carrier;
  return carriers;
}

/** Whether `above` is `joint` or carries it. What carries a joint may come after it in the list. */
export function isCarriedBy(carriers: Int32Array, above: number, joint: number): boolean {
  let at = joint;
  while (at >= 0 && at !== above) at = carriers[at]!;
  return at === above;
}

/** How many joints carry a joint. */
export function depthIn(carriers: Int32Array, joint: number): number {
  let depth = 0;
  for (let at = carriers[joint]!; at >= 0; at = carriers[at]!) depth++;
  return depth;
}
