import type { Contact } from '../contacts/find-contacts.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import type { GoalPlan } from './goal-plan.js';
import type { GoalSetup, LimbGoal } from './goal-setup.js';
import type { GoalRecord } from './plan-goals.js';
import { fadeOut, slowLeave, smoothCurve } from './smooth-curves.js';

/** Seconds in which a goal that was held goes back to where it would be. */
const EASE = 0.2;
/** Seconds between heel and toe contacts of one foot that are still one plant. */
const PLANT_GAP = 0.06;
/** How far, in hip heights, a held foot may be from where the source's is, before it follows: captures that skate. */
const LONGEST_HOLD = 0.08;
/** Seconds over which the pivot goes from heel to toe. */
const ROLL = 0.04;
/** Heights of contacts within this, in hip heights, are the floor's; from twice that on they count in full. */
const FLOOR_SLACK = 0.03;

/** Frames in which a foot stands, from first to last. */
type Plant = { first: number; last: number };

/**
 * Plans where feet are held: fills the shifts and weights of a plan for the legs.
 *
 * A foot stands from the first contact of its heel or toe to the last that touches it without a gap. While it
 * stands, the ankle's goal A rolls about what is in contact, without sliding: with h and t the heel and toe seen
 * from the ankle, turned as copied, and w the share of the toe,
 *
 *   A′ = −(1 − w) · h′ − w · t′
 *
 * so that heel strike, flat foot and toe-off follow from the copied turns of the foot, whatever its length. Of all
 * such paths the one is taken whose mean is that of the scaled source's. Heights are the floor's, or those of the
 * steps that the source stands on, scaled. Before and after, the difference is eased over 0.2 s, with the speed
 * that the foot has when it is let go, so that nothing jerks.
 * @returns per limb and frame how much the limb carries: 1 while it stands.
 */
export function planFeet(
  plan: GoalPlan,
  goals: GoalSetup,
  record: GoalRecord,
  contacts: readonly Contact[],
  vertical: number,
): Float64Array {
  const { count } = plan;
  const width = goals.limbs.length;
  const carried = new Float64Array(width * count);
  goals.limbs.forEach((limb, n) => {
    if (limb.kind !== 'leg') return;
    for (let k = 0; k < count; k++) plan.weights[width * k + n] = 1;
    planFoot(plan, goals, limb, n, record, contacts, vertical, carried);
  });
  return carried;
}

function planFoot(
  plan: GoalPlan,
  goals: GoalSetup,
  limb: LimbGoal,
  n: number,
  record: GoalRecord,
  contacts: readonly Contact[],
  vertical: number,
  carried: Float64Array,
): void {
  const { count } = plan;
  const width = goals.limbs.length;
  const points = goals.points.length;
  const [heel, toe] = [limb.points[0]!, limb.points[1]!];
  // The points seen from the ankle, turned as copied: heel xyz, toe xyz per frame.
  const arms = new Float64Array(6 * count);
  for (let k = 0; k < count; k++)
    for (let c = 0; c < 3; c++) {
      const end = record.ends[3 * (width * k + n) + c]!;
      arms[6 * k + c] = record.copied[3 * (points * k + heel) + c]! - end;
      arms[6 * k + 3 + c] = record.copied[3 * (points * k + toe) + c]! - end;
    }
  // Per frame which point is in contact, and at what height over the floor its support is.
  const touching = new Uint8Array(count);
  const supports = new Float64Array(2 * count);
  for (const { point, start, end, height } of contacts) {
    const e = point === goals.points[heel]!.name ? 0 : point === goals.points[toe]!.name ? 1 : -1;
    if (e < 0) continue;
    const level = vertical * goals.sourceHipHeight * offFloor(height);
    if (goals.floor + level < plan.floor) plan.floor = goals.floor + level;
    const last = Math.min(count - 1, Math.round(end * CONTACT_RATE));
    for (let k = Math.max(0, Math.round(start * CONTACT_RATE)); k <= last; k++) {
      touching[k]! |= 1 << e;
      supports[2 * k + e] = level;
    }
  }
  const plants = findPlants(touching);
  const shares = toeShares(touching);
  const standing = [heel, toe].map((point) => goals.hipHeight * goals.points[point]!.target.standing);
  const D = new Float64Array(3 * count);
  for (const plant of plants) {
    fillSupports(supports, touching, plant);
    rollFoot(D, plant, arms, shares, (k, e) => goals.floor + supports[2 * k + e]! + standing[e]!, {
      record,
      n,
      width,
      most: LONGEST_HOLD * goals.hipHeight,
    });
    for (let k = plant.first; k <= plant.last; k++) carried[width * k + n] = 1;
  }
  easePlants(D, plants, count);
  for (let k = 0; k < count; k++) {
    const o = 3 * (width * k + n);
    // Nothing of the foot under the floor, in flight either.
    let depth = 0;
    for (let e = 0; e < 2; e++) {
      const height = record.places[o + 1]! + D[3 * k + 1]! + arms[6 * k + 3 * e + 1]!;
      depth = Math.max(depth, plan.floor + standing[e]! - height);
    }
    D[3 * k + 1]! += depth;
    for (let c = 0; c < 3; c++) plan.shifts[o + c] = D[3 * k + c]!;
  }
}

/** Heights near the floor are the floor's: captures tremble. */
function offFloor(height: number): number {
  const size = Math.abs(height);
  if (size <= FLOOR_SLACK) return 0;
  return size >= 2 * FLOOR_SLACK ? height : Math.sign(height) * 2 * (size - FLOOR_SLACK);
}

function findPlants(touching: Uint8Array): Plant[] {
  const plants: Plant[] = [];
  const gap = Math.round(PLANT_GAP * CONTACT_RATE);
  for (let k = 0; k < touching.length; k++) {
    if (touching[k] === 0) continue;
    const before = plants[plants.length - 1];
    if (before && k - before.last <= gap + 1) before.last = k;
    else plants.push({ first: k, last: k });
  }
  return plants;
}

/** Per frame the share of the toe in carrying the foot, from 0 (heel) to 1, eased from one to the other. */
function toeShares(touching: Uint8Array): Float64Array {
  const shares = new Float64Array(touching.length).fill(0.5);
  for (let k = 0; k < touching.length; k++)
    shares[k] =
      touching[k] === 1 ? 0 : touching[k] === 2 ? 1 : touching[k] === 3 ? 0.5 : (shares[k - 1] ?? 0.5);
  return smoothCurve(shares, ROLL * CONTACT_RATE);
}

/** Within a plant a point that is off the ground takes the height of its next contact, else of the one before. */
function fillSupports(supports: Float64Array, touching: Uint8Array, { first, last }: Plant): void {
  for (let e = 0; e < 2; e++) {
    let known = -1;
    for (let k = first; k <= last; k++)
      if (((touching[k]! >> e) & 1) === 1) {
        if (known < 0) for (let j = first; j < k; j++) supports[2 * j + e] = supports[2 * k + e]!;
        known = k;
      } else if (known >= 0) supports[2 * k + e] = supports[2 * known + e]!;
    if (known < 0) for (let k = first; k <= last; k++) supports[2 * k + e] = supports[2 * k + 1 - e]!;
  }
}

/** Writes into D how far the rolling ankle is from its goal as placed, over a plant. */
function rollFoot(
  D: Float64Array,
  { first, last }: Plant,
  arms: Float64Array,
  shares: Float64Array,
  levelOf: (k: number, e: number) => number,
  { record, n, width, most }: { record: GoalRecord; n: number; width: number; most: number },
): void {
  const place = (k: number, c: number) => record.places[3 * (width * k + n) + c]!;
  const mean = [0, 0, 0];
  for (let k = first; k <= last; k++) {
    const w = k > first ? (shares[k]! + shares[k - 1]!) / 2 : shares[k]!;
    for (const c of [0, 2] as const) {
      const before = k > first ? place(k - 1, c) + D[3 * (k - 1) + c]! : place(k, c);
      const roll =
        k > first
          ? (1 - w) * (arms[6 * k + c]! - arms[6 * k - 6 + c]!) +
            w * (arms[6 * k + 3 + c]! - arms[6 * k - 3 + c]!)
          : 0;
      D[3 * k + c] = before - roll - place(k, c);
      mean[c]! += D[3 * k + c]!;
    }
    D[3 * k + 1] =
      (1 - w) * (levelOf(k, 0) - arms[6 * k + 1]!) + w * (levelOf(k, 1) - arms[6 * k + 4]!) - place(k, 1);
  }
  for (let k = first; k <= last; k++) {
    for (const c of [0, 2] as const) D[3 * k + c]! -= mean[c]! / (last - first + 1);
    const away = Math.hypot(D[3 * k]!, D[3 * k + 2]!);
    if (away <= most) continue;
    D[3 * k]! *= most / away;
    D[3 * k + 2]! *= most / away;
  }
}

/** Eases the differences between plants. The height at which most plants stand is no difference and stays. */
function easePlants(D: Float64Array, plants: readonly Plant[], count: number): void {
  if (plants.length === 0) return;
  const heights: number[] = [];
  for (const { first, last } of plants) for (let k = first; k <= last; k++) heights.push(D[3 * k + 1]!);
  heights.sort((a, b) => a - b);
  const usual = [0, heights[heights.length >> 1]!, 0];
  const eased = new Float64Array(3 * count);
  plants.forEach(({ first, last }, p) => {
    const before = first - (plants[p - 1]?.last ?? first - count);
    const after = (plants[p + 1]?.first ?? last + count) - last;
    for (const [from, way, gap] of [
      [last, 1, after],
      [first, -1, before],
    ] as const) {
      const frames = Math.min(EASE * CONTACT_RATE, gap);
      const inner = Math.min(2, last - first);
      for (let c = 0; c < 3; c++) {
        const value = D[3 * from + c]! - usual[c]!;
        const slope = inner > 0 ? (D[3 * from + c]! - D[3 * (from - way * inner) + c]!) / inner : 0;
        for (let i = 1; i < frames; i++) {
          const k = from + way * i;
          if (k < 0 || k >= count) break;
          const u = i / frames;
          eased[3 * k + c]! += value * fadeOut(u) + slope * frames * slowLeave(u);
        }
      }
    }
  });
  let next = 0;
  for (let k = 0; k < count; k++) {
    while (next < plants.length && plants[next]!.last < k) next++;
    if (next < plants.length && k >= plants[next]!.first) continue;
    for (let c = 0; c < 3; c++) D[3 * k + c] = usual[c]! + eased[3 * k + c]!;
  }
}
