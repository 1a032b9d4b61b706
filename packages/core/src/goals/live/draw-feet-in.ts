import { fadeEach, softly } from '../../base/math/smooth-curves.js';
import { DRAWN_IN } from '../goal-rules.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { reachOf } from '../parts/reach.js';

/** A foot whose ankle is lower than this over the floor, in hip heights, is drawn in along the floor: it shall land. */
const LANDING_HEIGHT = 0.3;
/** How softly a leg comes to its reach, in its lengths: with 0.02, as where one looks ahead, knees stop with a snap. */
const REACH_SOFTNESS = 0.05;

const line = new Float64Array(3);
/** Numbers travel in these: as an argument, or given back, each would be made anew on the heap. */
const shares = new Float64Array(2);
const stretch = new Float64Array(3);

/**
 * Draws the goals of feet in the air towards the hips until legs are no straighter than they may be, as copied or 0.97,
 * once it is known where the hips are; and notes by how much, with how far they went along with the hips, so that feet come
 * down where they are. What stands must be reached, what flies need not be; legs that are pulled straight in the air snap.
 * High feet come along the leg, low ones along the floor.
 */
export function drawFeetIn(goals: Goals, setup: GoalSetup): void {
  const { places, drawn, free, follows, hips } = goals;
  const { limbs, hipHeight, floor } = setup;
  drawn.fill(0);
  for (let n = 0; n < limbs.length; n++) {
    if (limbs[n]!.kind !== 'leg' || !(free[n]! > 0)) continue;
    for (let c = 0; c < 3; c++) drawn[3 * n + c] = follows[n]! * hips[c]!;
    shares[0] = free[n]! / DRAWN_IN;
    shares[1] = (places[3 * n + 1]! - floor) / (LANDING_HEIGHT * hipHeight);
    // How much it is held where it was, of how long it has been free; and along the floor, of how high it is.
    fadeEach(shares);
    if (!readStretch(goals, setup, n)) continue;
    const far = stretch[0]!;
    const left = stretch[1]!;
    const across = stretch[2]!;
    const down = Math.min(left, -line[1]!);
    const along = across > 0 ? Math.sqrt(Math.max(0, left * left - down * down)) / across : 1;
    for (let c = 0; c < 3; c++) {
      const leg = (line[c]! * left) / far;
      const flat = c === 1 ? -down : Math.min(1, along) * line[c]!;
      const by = leg + shares[1]! * (flat - leg) - line[c]!;
      drawn[3 * n + c] = drawn[3 * n + c]! + by;
      places[3 * n + c] = places[3 * n + c]! + by;
    }
  }
}

/** How far a goal is from its leg's root, how far it shall be, and how far it is along the floor; false where it stays. */
function readStretch({ places, target }: Goals, { limbs }: GoalSetup, n: number): boolean {
  const { target: joints, length } = limbs[n]!;
  const m = target.matrices;
  let far = 0;
  let copied = 0;
  let away = 0;
  for (let c = 0; c < 3; c++) {
    const upper = m[16 * joints.upper + 12 + c]!;
    const end = m[16 * joints.end + 12 + c]! - upper;
    line[c] = places[3 * n + c]! - upper;
    far += line[c]! * line[c]!;
    copied += end * end;
    away += (line[c]! - end) * (line[c]! - end);
  }
  far = Math.sqrt(far);
  const over = far - reachOf(Math.sqrt(copied), length);
  const by = (1 - shares[0]!) * softly(over, Math.min(REACH_SOFTNESS * length, 0.3 * Math.sqrt(away)));
  stretch[0] = far;
  stretch[1] = far - by;
  stretch[2] = Math.sqrt(line[0]! * line[0]! + line[2]! * line[2]!);
  return by > 1e-9 * length && by < far;
}
