import { findJoint, type RigMapDocument } from '@stuntdouble/core/engine';
import type { Mapping } from '@stuntdouble/jobs';

/** Whether a map of another tool is for other files: it pairs nothing, and no part that it names is a joint of either. */
export function isMapForOthers(
  { roles = {}, joints, changes }: RigMapDocument,
  { map, source, target }: Mapping,
): boolean {
  if (map.joints.length === 0) return true;
  const isThere = (name: string) =>
    [source, target].some(({ skeleton }) => findJoint(skeleton, name) !== null);
  return !joints && !changes && !Object.values(roles).some(isThere);
}
