import { driverOf, type JointPair, type RigMap } from './rig-map.js';

/** Why joints are out that a person told to stay as they are. */
export const STAYS_AS_ASKED = 'stays in its own reference, as asked';

/** Takes joints out of a map, with a reason for those who read it. */
export function leaveOut(map: RigMap, isOut: (pair: JointPair) => boolean, reason: string): RigMap {
  const out = map.joints.filter(isOut);
  if (out.length === 0) return map;
  return {
    joints: map.joints.filter((pair) => !isOut(pair)),
    unmapped: {
      source: [...map.unmapped.source, ...out.map((pair) => ({ joint: driverOf(pair), reason }))],
      target: [...map.unmapped.target, ...out.map(({ target }) => ({ joint: target, reason }))],
    },
  };
}
