import { distanceFlat } from '../../base/math/flat-vectors.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { reachOf } from '../parts/reach.js';
import { EASE, easeStretches, type Stretch, stretchesOf } from './ease-stretches.js';

/** Hips come down for feet by so many hip heights before steps are made shorter instead. */
const EASY = 0.07;

/**
 * Makes steps shorter that a body would have to squat for: where planted legs do not reach with the hips somewhat lower,
 * the foot is planted nearer, in one place for as long as it stands. Hips that only came down would go down to the floor
 * for a step across on a body of broad hips and short legs, and the foot would slide all the same. Of a foot that is out
 * of reach ahead at first and behind at last, as in a stride, only the difference counts.
 * @param carried Per limb and frame, 1 while it stands.
 * @returns Whether any was.
 */
export function shortenSteps(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  carried: Float64Array,
): boolean {
  const { count, shifts } = plan;
  const width = goals.limbs.length;
  let shortened = false;
  goals.limbs.forEach(({ kind, length }, n) => {
    if (kind !== 'leg') return;
    const stands = stretchesOf(count, (k) => carried[width * k + n]! > 0, 0);
    const pulls = new Float64Array(2 * count);
    let pulled = false;
    for (const stretch of stands) {
      const [x, z] = pullOf(plan, goals, record, n, length, stretch);
      if (x === 0 && z === 0) continue;
      pulled = true;
      for (let k = stretch.first; k <= stretch.last; k++) {
        pulls[2 * k] = x;
        pulls[2 * k + 1] = z;
      }
    }
    if (!pulled) return;
    shortened = true;
    easeStretches(pulls, 2, stands, count, [0, 0], [EASE, EASE]);
    for (let k = 0; k < count; k++) {
      shifts[3 * (width * k + n)]! += pulls[2 * k]!;
      shifts[3 * (width * k + n) + 2]! += pulls[2 * k + 1]!;
    }
  });
  return shortened;
}

/** How far a foot is planted nearer, x and z: what its leg asks for to one side less what it asks for to the other. */
function pullOf(
  plan: GoalPlan,
  goals: GoalSetup,
  { places, uppers, ends }: GoalRecord,
  n: number,
  length: number,
  { first, last }: Stretch,
): [number, number] {
  const width = goals.limbs.length;
  let [left, right, back, ahead] = [0, 0, 0, 0];
  for (let k = first; k <= last; k++) {
    const o = 3 * (width * k + n);
    const x = places[o]! + plan.shifts[o]! - uppers[o]! - plan.hips[3 * k]!;
    const z = places[o + 2]! + plan.shifts[o + 2]! - uppers[o + 2]! - plan.hips[3 * k + 2]!;
    const down = uppers[o + 1]! + plan.hips[3 * k + 1]! - places[o + 1]! - plan.shifts[o + 1]!;
    const reach = reachOf(distanceFlat(uppers, o, ends, o), length);
    const lower = Math.max(0, down - EASY * goals.hipHeight);
    const across = Math.hypot(x, z);
    const room = Math.sqrt(Math.max(0, reach * reach - lower * lower));
    if (!(across > room)) continue;
    const share = (across - room) / across;
    right = Math.max(right, -share * x);
    left = Math.min(left, -share * x);
    ahead = Math.max(ahead, -share * z);
    back = Math.min(back, -share * z);
  }
  return [left + right, back + ahead];
}
