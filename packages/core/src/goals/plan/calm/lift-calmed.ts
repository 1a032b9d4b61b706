import { smoothCurve, widenCurve } from '../../../base/math/smooth-curves.js';
import { type PlannedClip, type Planning, slotOf } from '../planning.js';
import { createLimbEnd, readEnd, readEndPoint } from './limb-end.js';
import type { LimbTurns } from './limb-turns.js';

/** A foot may be put into the floor by so much by calming, in hip heights: a quarter of what is measured as sunk. */
const SINKS = 0.005;
/** Seconds to either side over which a foot comes up for that, and goes down again. */
const EASE = 0.1;

/**
 * Lifts the goal of a leg where its calmed joints would put heel or ball into the floor: a foot that turns over fast just over
 * the floor is swept through it by turns that are spread over time.
 * @param turns The leg's turns, calmed.
 * @returns Whether anything was lifted, and the leg is to be solved and calmed anew.
 */
export function liftCalmed(
  planning: Pick<Planning, keyof PlannedClip | 'carried'>,
  n: number,
  turns: LimbTurns,
): boolean {
  const { plan, goals, carried } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const { kind, hangs } = goals.limbs[n]!;
  // A foot that is placed by itself is where it was put, however its leg is turned.
  if (kind !== 'leg' || !hangs) return false;
  const depths = new Float64Array(count);
  let sinks = false;
  for (let k = 0; k < count; k++) {
    depths[k] = Math.max(0, depthAt(planning, n, k, turns));
    if (depths[k]! > SINKS * goals.hipHeight) sinks = true;
  }
  if (!sinks) return false;
  const ease = Math.round(EASE * plan.rate);
  const lifts = smoothCurve(widenCurve(depths, ease), ease / 2);
  for (let k = 0; k < count; k++) {
    const i = slotOf(width, k, n);
    // A foot that carries is held where it stands.
    plan.shifts[3 * i + 1]! += (1 - carried[i]!) * lifts[k]!;
  }
  return true;
}

const end = createLimbEnd();
const place = new Float64Array(3);

/** How deep the lower one of heel and ball of a leg is under the floor in a frame, in metres; negative over it. */
function depthAt(planning: PlannedClip, n: number, k: number, turns: LimbTurns): number {
  const { plan, goals } = planning;
  readEnd(end, planning, n, k, turns);
  let depth = Number.NEGATIVE_INFINITY;
  for (const point of goals.limbs[n]!.points) {
    readEndPoint(place, end, planning, n, k, point);
    depth = Math.max(depth, plan.floor + goals.hipHeight * goals.points[point]!.target.standing - place[1]!);
  }
  return depth;
}
