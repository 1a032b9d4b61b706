import { springToZero } from './damp.js';
import type { GoalSetup } from './goal-setup.js';
import type { Goals } from './goals.js';
import { LOWEST, reachOf, SHARE } from './plan-hips.js';
import { lowestPoint } from './skin-points.js';

/** How fast hips follow what carries the body, per second. */
const FOLLOW = 12;
/** How fast they come down for the reach of limbs, or up out of the floor: nearly at once. */
const GIVE = 60;
/** How fast they come back from where they were lowered or lifted to. */
const RETURN = 10;

/** Settling hips while a motion is played, without looking ahead. */
export type LiveHips = {
  /** Writes what the hips of a frame give way by, `seconds` after the one before. Allocates nothing. */
  update(goals: Goals, seconds: number): void;
  /** Forgets what was before. */
  reset(): void;
};

/**
 * The live form of `planHips`: offsets are followed as by a critically damped spring; lowering for the reach of
 * planted limbs, and lifting out of the floor, come quickly and go slowly.
 */
export function createLiveHips(setup: GoalSetup): LiveHips {
  const offset = new Float64Array(3);
  const speed = new Float64Array(3);
  const wanted = new Float64Array(3);
  const aim = new Float64Array(3);
  // Down and up.
  const given = new Float64Array(2);
  const givenSpeed = new Float64Array(2);
  const atEnds = new Set(setup.limbs.flatMap(({ points }) => points));
  const lying = setup.points.map((_, n) => n).filter((n) => !atEnds.has(n));
  let isFirst = true;
  return {
    update(goals, seconds) {
      offsetOf(wanted, goals, setup, lying);
      for (let c = 0; c < 3; c++) {
        if (isFirst) {
          offset[c] = wanted[c]!;
          aim[c] = wanted[c]!;
          speed[c] = 0;
        } else {
          // Twice, as what carries changes from one frame to the next: the first softens that, the second follows.
          aim[c] = wanted[c]! + (aim[c]! - wanted[c]!) * Math.exp(-FOLLOW * seconds);
          offset[c] = offset[c]! - aim[c]!;
          springToZero(offset, speed, c, FOLLOW, seconds);
          offset[c] = offset[c]! + aim[c]!;
        }
        goals.hips[c] = offset[c]!;
      }
      if (isFirst) {
        given.fill(0);
        givenSpeed.fill(0);
      }
      giveWay(given, givenSpeed, 0, stretchNeed(goals, setup), seconds);
      goals.hips[1] = goals.hips[1]! - given[0]!;
      let low = Number.POSITIVE_INFINITY;
      for (let n = 0; n < setup.trunk.length; n++) {
        const { joint, skin } = setup.trunk[n]!;
        low = Math.min(low, lowestPoint(goals.target.matrices, joint, skin));
      }
      giveWay(given, givenSpeed, 1, Math.max(0, setup.floor - low - goals.hips[1]!), seconds);
      goals.hips[1] = goals.hips[1]! + given[1]!;
      isFirst = false;
    },
    reset() {
      isFirst = true;
    },
  };
}

function giveWay(given: Float64Array, speed: Float64Array, i: number, need: number, seconds: number): void {
  given[i] = given[i]! - need;
  springToZero(given, speed, i, given[i]! < 0 ? GIVE : RETURN, seconds);
  given[i] = given[i]! + need;
}

function offsetOf(out: Float64Array, goals: Goals, setup: GoalSetup, lying: readonly number[]): void {
  out.fill(0);
  let weight = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    const w = goals.carried[n]!;
    if (!(w > 0)) continue;
    const end = 16 * setup.limbs[n]!.target.end + 12;
    weight += w;
    for (let c = 0; c < 3; c++)
      out[c] = out[c]! + SHARE * w * (goals.places[3 * n + c]! - goals.target.matrices[end + c]!);
  }
  if (weight > 0) {
    out[0] = out[0]! / weight;
    out[2] = out[2]! / weight;
  }
  for (let i = 0; i < lying.length; i++) {
    const n = lying[i]!;
    if (goals.touching[n] !== 1) continue;
    weight += 1;
    const level = setup.floor + goals.supports[n]! + setup.hipHeight * setup.points[n]!.target.standing;
    out[1] = out[1]! + level - goals.copied[3 * n + 1]!;
  }
  if (weight > 0) out[1] = out[1]! / weight;
}

function stretchNeed(goals: Goals, setup: GoalSetup): number {
  const m = goals.target.matrices;
  let most = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    if (!(goals.carried[n]! > 0)) continue;
    const { target, length } = setup.limbs[n]!;
    const upper = 16 * target.upper + 12;
    const end = 16 * target.end + 12;
    let across = 0;
    let down = 0;
    let copied = 0;
    for (let c = 0; c < 3; c++) {
      const d = goals.places[3 * n + c]! - m[upper + c]! - goals.hips[c]!;
      if (c === 1) down = -d;
      else across += d * d;
      copied += (m[end + c]! - m[upper + c]!) * (m[end + c]! - m[upper + c]!);
    }
    const reach = reachOf(Math.sqrt(copied), length);
    if (across + down * down <= reach * reach) continue;
    const drop = down - Math.sqrt(Math.max(0, reach * reach - across));
    if (drop > most) most = Math.min(drop, LOWEST * setup.hipHeight);
  }
  return most;
}
