import type { Contender } from './contender.js';
import type { Workload } from './workload.js';

/** A core of ours as a contender, and the floor that it is measured by. */
export type OwnContender = Contender & { floor: 'key floor' | 'frame floor' };

/** Our cores on a workload. What a bake does once per pair of bodies (map, references) is not part of a run. */
export function createOurs(_workload: Workload): OwnContender[] {
  return [];
}
