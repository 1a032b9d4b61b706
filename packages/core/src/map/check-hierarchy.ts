import type { Warning } from '../base/warnings.js';
import type { Rig } from '../body/rig.js';
import { leaveOut } from './leave-out.js';
import { driverOf, type JointPair, type RigMap } from './rig-map.js';

/**
 * Takes joints out of a map that hang otherwise than their drivers: Babylon.js's `checkHierarchy` (B15). Going up
 * from both, the mapped joints met must be each other's, in the same order; joints in no pair are passed over,
 * so extra twists and nodes do no harm. Roots are looked at as any other, and names need not be unique (BP10).
 */
export function checkHierarchy(source: Rig, target: Rig, map: RigMap): { map: RigMap; warnings: Warning[] } {
  const byTarget = new Map(map.joints.map((pair) => [pair.target, pair]));
  const drivers = new Set(map.joints.map(driverOf));
  const isOff = (pair: JointPair): boolean => {
    const above: number[] = [];
    for (let at = target.skeleton.parents[pair.target]!; at >= 0; at = target.skeleton.parents[at]!) {
      const carrier = byTarget.get(at);
      // Joints that share a turn have the same driver as the next: counted once.
      if (carrier && driverOf(carrier) !== above.at(-1) && driverOf(carrier) !== driverOf(pair))
        above.push(driverOf(carrier));
    }
    let n = 0;
    for (let at = source.skeleton.parents[driverOf(pair)]!; at >= 0; at = source.skeleton.parents[at]!)
      if (drivers.has(at)) {
        if (above[n] !== at) return true;
        n++;
      }
    return n < above.length;
  };
  const off = new Set(map.joints.filter(isOff));
  return {
    map: leaveOut(map, (pair) => off.has(pair), 'hangs otherwise than its driver'),
    warnings: [...off].map((pair) => ({
      code: 'hierarchy-mismatch',
      joint: target.skeleton.names[pair.target]!,
      message: `"${target.skeleton.names[pair.target]}" hangs otherwise than its driver "${source.skeleton.names[driverOf(pair)]}"; it is not moved`,
    })),
  };
}
