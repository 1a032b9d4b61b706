import { distanceFlat } from '../../base/math/flat-vectors.js';
import { hypot } from '../../base/math/functions.js';
import { EASE_BACK } from '../goal-rules.js';
import { reachOf } from '../parts/reach.js';
import { easeStretches, type Stretch, stretchesOf } from './ease-stretches.js';
import { type PlannedClip, type Planning, type Resting, slotOf } from './planning.js';

/** Hips come down for feet by so many hip heights before steps are made shorter instead. */
const EASY_STEP = 0.07;

/**
 * Makes steps shorter that a body would have to squat for: where planted legs do not reach with the hips somewhat lower,
 * the foot is planted nearer, in one place for as long as it stands. Hips that only came down would go down to the floor
 * for a step across on a body of broad hips and short legs, and the foot would slide all the same. Of a foot that is out
 * of reach ahead at first and behind at last, as in a stride, only the difference counts.
 * @returns Whether any was.
 */
export function shortenSteps(planning: Pick<Planning, keyof PlannedClip | 'standing'>): boolean {
  return plantNearer(planning, 'leg', null);
}

/** An arm that carries is hardly straighter than this, share of its length. */
const EASY_REACH = 0.985;

/**
 * The same for hands of a body that kneels: hips that knees hold up do not come down for them, and an arm that is pulled
 * straight snaps when it bends again.
 */
export function shortenReaches(
  planning: Pick<Planning, keyof PlannedClip | 'standing'>,
  { knees }: Resting,
): void {
  plantNearer(planning, 'arm', knees);
}

/** Plants limbs of a kind nearer, where one is given only while knees rest. */
function plantNearer(
  planning: Pick<Planning, keyof PlannedClip | 'standing'>,
  kind: 'leg' | 'arm',
  knees: Float64Array | null,
): boolean {
  const { plan, goals, standing } = planning;
  const { count, shifts } = plan;
  const width = goals.limbs.length;
  let shortened = false;
  const marks = new Float64Array(count);
  for (let n = 0; n < width; n++) {
    if (goals.limbs[n]!.kind !== kind) continue;
    for (let k = 0; k < count; k++) marks[k] = standing[slotOf(width, k, n)]!;
    const stands = stretchesOf(marks, 0);
    const pulls = new Float64Array(2 * count);
    let pulled = false;
    for (const stretch of stands) {
      const [x, z] = pullOf(planning, n, stretch, knees);
      if (x === 0 && z === 0) continue;
      pulled = true;
      for (let k = stretch.first; k <= stretch.last; k++) {
        pulls[2 * k] = x;
        pulls[2 * k + 1] = z;
      }
    }
    if (!pulled) continue;
    shortened = true;
    easeStretches(plan, pulls, 2, stands, [0, 0], [EASE_BACK, EASE_BACK]);
    for (let k = 0; k < count; k++) {
      shifts[3 * slotOf(width, k, n)]! += pulls[2 * k]!;
      shifts[3 * slotOf(width, k, n) + 2]! += pulls[2 * k + 1]!;
    }
  }
  return shortened;
}

/** How far a foot is planted nearer, x and z: what its leg asks for to one side less what it asks for to the other. */
function pullOf(
  { plan, goals, record: { places, uppers, ends } }: PlannedClip,
  n: number,
  { first, last }: Stretch,
  knees: Float64Array | null,
): [number, number] {
  const width = goals.limbs.length;
  const { length } = goals.limbs[n]!;
  let [left, right, back, ahead] = [0, 0, 0, 0];
  for (let k = first; k <= last; k++) {
    const o = 3 * slotOf(width, k, n);
    const x = places[o]! + plan.shifts[o]! - uppers[o]! - plan.hips[3 * k]!;
    const z = places[o + 2]! + plan.shifts[o + 2]! - uppers[o + 2]! - plan.hips[3 * k + 2]!;
    const down = uppers[o + 1]! + plan.hips[3 * k + 1]! - places[o + 1]! - plan.shifts[o + 1]!;
    if (knees && !(knees[k]! > 0.5)) continue;
    const reach = knees ? EASY_REACH * length : reachOf(distanceFlat(uppers, o, ends, o), length);
    const lower = Math.max(0, down - (knees ? 0 : EASY_STEP * goals.hipHeight));
    const across = hypot(x, z);
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
