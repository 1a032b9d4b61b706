import { isAbove, smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { type Bend, bendGap, bendsOf } from './bend-gap.js';
import { type Planning, slotOf } from './planning.js';

/** An elbow is turned out of the floor by at most this about the line from shoulder to hand: radians. */
export const LARGEST_SWING = 1.3;
/** An elbow that the source has in the air is turned until it is this high, in hip heights: nearer it would carry too. */
export const ELBOW_CLEARS = 0.05;
/** One that lies may be so deep, in hip heights, before it is turned out. */
export const LIES_DEEP = 0.01;
/** … and is turned by at most this then: its hand lies as it lies, and by more its wrist would be bent over. */
const LIES_SWING = 0.5;
/** It is tried in steps of this, and what is between two is taken as a line. */
export const SWING_STEP = LARGEST_SWING / 8;
/** Seconds over which it comes and goes, and by which it begins early and ends late. */
const SWING_SMOOTHING = 0.1;
const SWING_AHEAD = 0.2;

/**
 * Turns the elbows of arms that carry out of the floor, sideways about the line from shoulder to hand, as people do whose
 * arms are longer than they are high on their knees. What that leaves the hips are lifted for, see `liftElbows`; lifted
 * for all of it they took the knees off the floor.
 */
export function swingElbows(planning: Planning): void {
  const { plan, goals, carried, resting } = planning;
  const { count } = plan;
  const width = goals.limbs.length;
  const surfaces = goals.surfaces.length;
  for (const elbow of bendsOf(planning, 'arm')) {
    const { s, n } = elbow;
    const needs = new Float64Array(count);
    const clear = new Float64Array(count);
    let out = 0;
    for (let k = 0; k < count; k++) {
      // Whoever lies does so on the elbows too.
      const lies = resting && (resting.trunk[k]! > 0 || resting.flags[slotOf(surfaces, k, s)] === 1);
      if (!lies && !(carried[slotOf(width, k, n)]! > 0)) continue;
      clear[k] = lies ? 0 : ELBOW_CLEARS * goals.hipHeight;
      didWork(8);
      if (gapAt(planning, elbow, k, 0) >= clear[k]! - (lies ? LIES_DEEP * goals.hipHeight : 0)) continue;
      needs[k] = 1;
      out += outwards(planning, elbow, k);
    }
    if (!isAbove(needs)) continue;
    const way = out < 0 ? -1 : 1;
    for (let k = 0; k < count; k++) {
      if (!(needs[k]! > 0)) continue;
      const most = clear[k] === 0 ? LIES_SWING : LARGEST_SWING;
      needs[k] = Math.min(most, swingOf(planning, elbow, k, way, clear[k]!));
    }
    const wide = widenCurve(needs, Math.round(SWING_AHEAD * plan.rate));
    const swings = smoothCurve(wide, SWING_SMOOTHING * plan.rate);
    for (let k = 0; k < count; k++) plan.swivels[slotOf(width, k, n)]! += way * swings[k]!;
  }
}

function gapAt(planning: Planning, { s, n }: Bend, k: number, swing: number): number {
  return bendGap(planning, planning.goals.surfaces[s]!, n, k, 0, swing);
}

/** Which way the elbow comes up: how much higher it is turned one way than the other. */
function outwards(planning: Planning, elbow: Bend, k: number): number {
  didWork(16);
  return gapAt(planning, elbow, k, LARGEST_SWING / 2) - gapAt(planning, elbow, k, -LARGEST_SWING / 2);
}

/** The least turn one way that takes an elbow that high over the floor; the one that takes it up most where none does. */
function swingOf(planning: Planning, elbow: Bend, k: number, way: number, clear: number): number {
  let before = gapAt(planning, elbow, k, 0);
  let [best, highest] = [0, before];
  for (let swing = SWING_STEP; swing <= LARGEST_SWING + 1e-9; swing += SWING_STEP) {
    didWork(8);
    const gap = gapAt(planning, elbow, k, way * swing);
    if (gap >= clear) return swing - (SWING_STEP * (gap - clear)) / (gap - before);
    if (gap > highest) [best, highest] = [swing, gap];
    before = gap;
  }
  return best;
}
