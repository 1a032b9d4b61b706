import { borrow } from '../../base/lend-room.js';
import { smoothCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import type { GoalRecord } from '../goal-record.js';
import type { LimbGoal } from '../goal-setup.js';
import { framesOver } from '../grid-rate.js';
import { readLean } from '../parts/lean.js';
import { type Stretch, stretchesOf } from './ease-stretches.js';
import { movedContact } from './moved-contact.js';
import { type Planning, slotOf } from './planning.js';

/** Seconds for which a foot is held before and after its contact: a speed over 66 ms looks that far beyond it. */
const HELD_LONGER = 1 / 60;
/** Seconds from one contact of a heel or toe to the next of that foot in which it is still one plant. */
const PLANT_GAP = 0.1;
/** Seconds over which the goals of feet in the air are smoothed, as seen from where they are copied to. */
const CALM = 0.05;

/** Seconds over which leaps between heel and toe, or from one contact to the next, are smoothed. */
const LEAP_SMOOTHING = 0.06;

/** The heel's bit in {@link Foot.touching}. */
export const HEEL = 1;
/** The toe's bit in {@link Foot.touching}. */
export const TOE = 2;

/** One foot as it is known while it is planned: everything per grid frame. */
export type Foot = {
  limb: LimbGoal;
  /** Number of the limb. */
  n: number;
  count: number;
  /** Frames a second. */
  rate: number;
  /** Heel and toe seen from the ankle, turned as copied and then as held: xyz, xyz. */
  arms: Float64Array;
  /** Bits of what is in contact. */
  touching: Uint8Array;
  /** Model-space heights at which heel and toe stand. */
  levels: Float64Array;
  /** Goals of the ankle as placed: xyz. */
  places: Float64Array;
  /** The shift of those points in the air, where they need not follow every tremble of the source's sole: xyz. */
  calm: Float64Array;
  /** How much it is the toe that a foot turns about while both are in contact, 0 to 1: whichever is lower. */
  leans: Float64Array;
  /** 1 where it treads without standing still, and goes along the floor as the source's does. */
  glides: Uint8Array;
  /** How far contacts were moved by whoever edited them: x and z on the target's stage. */
  moved: (Stretch & { x: number; z: number })[];
};

/**
 * Reads all that is known of one foot of a clip: when its heel and toe stand, how high, and where its ankle is placed.
 * Lowers the plan's floor to the lowest step that is stood on.
 */
export function readFoot(planning: Planning, n: number): Foot {
  const { plan, goals, record, contacts } = planning;
  const { horizontal, vertical } = planning.scales;
  const { count, rate } = plan;
  const limb = goals.limbs[n]!;
  const width = goals.limbs.length;
  const points = goals.points.length;
  const foot: Foot = {
    limb,
    n,
    count,
    rate,
    arms: borrow(6 * count),
    touching: new Uint8Array(count),
    levels: borrow(2 * count),
    places: borrow(3 * count),
    calm: calmed(record, width, n),
    leans: new Float64Array(count),
    glides: new Uint8Array(count),
    moved: [],
  };
  const { arms, places } = foot;
  const { copied, ends, treading } = record;
  for (let k = 0; k < count; k++)
    for (let c = 0; c < 3; c++) {
      const o = 3 * slotOf(width, k, n) + c;
      places[3 * k + c] = record.places[o]!;
      arms[6 * k + c] = copied[3 * slotOf(points, k, limb.points[0]!) + c]! - ends[o]!;
      arms[6 * k + 3 + c] = copied[3 * slotOf(points, k, limb.points[1]!) + c]! - ends[o]!;
    }
  didWork(6 * count);
  // Seen from ground that moves: what stands on it stands still, and differences are the same.
  for (let k = 0; k < count; k++) {
    const time = k / rate;
    foot.places[3 * k]! -= horizontal * record.ground[0] * time;
    foot.places[3 * k + 2]! -= horizontal * record.ground[1] * time;
  }
  didWork(3 * count);
  const names = limb.points.map((point) => goals.points[point]!.name);
  const standing = limb.points.map((point) => goals.hipHeight * goals.points[point]!.target.standing);
  const supports = borrow(2 * count);
  // Which contact it is that a point is in; 0 for none.
  const stages = new Int32Array(2 * count);
  for (let c = 0; c < contacts.length; c++) {
    const contact = contacts[c]!;
    const { point, start, end, height } = contact;
    const number = c + 1;
    const e = names.indexOf(point);
    if (e < 0) continue;
    const level = vertical * goals.sourceHipHeight * height;
    plan.floor = Math.min(plan.floor, goals.floor + level);
    const first = Math.max(0, Math.round(start * rate));
    const last = Math.min(count - 1, Math.round(end * rate));
    const move = movedContact(planning, contact, limb.points[e]!, { first, last });
    if (move) foot.moved.push({ first, last, ...move });
    const [from, to] = framesOver(start - HELD_LONGER, end + HELD_LONGER, rate);
    for (let k = Math.max(0, from); k <= Math.min(count - 1, to); k++) {
      foot.touching[k]! |= e === 0 ? HEEL : TOE;
      stages[2 * k + e] = number;
      // As high as the source's: a heel that begins to rise within its contact does so on every body.
      const over = Math.max(0, record.heights[slotOf(points, k, limb.points[e]!)]! - height);
      supports[2 * k + e] = level + vertical * goals.sourceHipHeight * over;
    }
  }
  for (let i = 0; i < 2 * count && treading.length > 0; i++) {
    const k = i >> 1;
    const at = slotOf(points, k, limb.points[i & 1]!);
    if (treading[at] !== 1) continue;
    // As high as the source's, as where it stands.
    if (foot.touching[k] === 0) foot.glides[k] = 1;
    foot.touching[k]! |= (i & 1) === 0 ? HEEL : TOE;
    supports[i] = vertical * goals.sourceHipHeight * Math.max(0, record.heights[at]!);
  }
  const [heel, toe] = limb.points;
  for (let k = 0; k < count; k++)
    readLean(foot.leans, k, record.heights, slotOf(points, k, heel!), slotOf(points, k, toe!));
  for (const plant of plantsOf(foot)) {
    fillSupports(supports, foot.touching, plant);
    for (let e = 0; e < 2; e++) {
      const leaps = new Float64Array(plant.last - plant.first + 1);
      for (let k = plant.first + 1; k <= plant.last; k++)
        if (stages[2 * k + e] !== stages[2 * k - 2 + e])
          leaps[k - plant.first] = supports[2 * k + e]! - supports[2 * k - 2 + e]!;
      softenLeaps(supports, 2, e, { ...plant, rate }, leaps);
    }
  }
  for (let i = 0; i < supports.length; i++) foot.levels[i] = goals.floor + supports[i]! + standing[i % 2]!;
  return foot;
}

/**
 * The correction that takes the trembling out of how far a goal is from where the foot is copied to: xyz. Captured feet turn by tens
 * of degrees from one frame to the next; on a foot of another length the ankle would jump with every one of these.
 */
function calmed({ places, ends, count, rate }: GoalRecord, width: number, n: number): Float64Array {
  const calm = borrow(3 * count);
  const away = new Float64Array(count);
  for (let c = 0; c < 3; c++) {
    for (let k = 0; k < count; k++) {
      const o = 3 * slotOf(width, k, n) + c;
      away[k] = places[o]! - ends[o]!;
    }
    const smooth = smoothCurve(away, CALM * rate);
    for (let k = 0; k < count; k++) calm[3 * k + c] = smooth[k]! - away[k]!;
    didWork(3 * count);
  }
  return calm;
}

/** From when to when a foot stands on its heel, its toe or both. */
export function plantsOf({ touching, rate }: Pick<Foot, 'touching' | 'rate'>): Stretch[] {
  // A contact's first and last frame stand at its ends or beyond.
  return stretchesOf(touching, Math.max(0, Math.floor(PLANT_GAP * rate + 1e-6) - 2));
}

/**
 * Spreads leaps of a curve within a plant over time: a foot that goes from its heel to its toe without having been
 * flat, or from the floor onto what the source hovers on, would else jump.
 * @param leaps Per frame of the plant how much of the curve's step from the frame before is one; overwritten.
 */
export function softenLeaps(
  curve: Float64Array,
  size: number,
  c: number,
  { first, last, rate }: Stretch & { rate: number },
  leaps: Float64Array,
): void {
  if (!isAny(leaps)) return;
  for (let i = 1; i < leaps.length; i++) leaps[i]! += leaps[i - 1]!;
  const soft = smoothCurve(leaps, LEAP_SMOOTHING * rate);
  for (let k = first; k <= last; k++) curve[size * k + c]! += soft[k - first]! - leaps[k - first]!;
}

/** Whether a curve is anything but 0 anywhere. */
function isAny(curve: Float64Array): boolean {
  for (let i = 0; i < curve.length; i++) if (curve[i] !== 0) return true;
  return false;
}

/** Within a plant a point that is off the ground takes the height of its next contact, else of the one before. */
function fillSupports(supports: Float64Array, touching: Uint8Array, { first, last }: Stretch): void {
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
