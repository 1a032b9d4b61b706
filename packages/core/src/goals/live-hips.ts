import { springToZero } from './damp.js';
import type { GoalSetup } from './goal-setup.js';
import type { Goals } from './goals.js';
import { ARM_SHARE, LOWEST, reachOf, SHARE } from './plan-hips.js';
import { lowestOfTrunk } from './trunk.js';

/** How fast hips follow what carries the body, per second. */
const FOLLOW = 20;
/** How fast they come down for the reach of limbs, or up out of the floor: nearly at once. */
const GIVE = 60;
/** How fast they come back from where they were lowered or lifted to. */
const RETURN = 10;
/** What follows a steady change as a critically damped spring is late by 2 / ω: so much sooner it begins. */
const AHEAD = 2 / GIVE;
/** At most by so many hip heights, and by a change that is averaged over so many seconds. */
const MOST_AHEAD = 0.03;
const AVERAGE = 0.03;
/** A foot that is lower than this over the floor, in hip heights, is about to stand, and the lower the surer. */
const NEAR = 0.2;

/** Settling hips while a motion is played, without looking ahead. */
export type LiveHips = {
  /** Writes what the hips of a frame give way by, `seconds` after the one before. Allocates nothing. */
  update(goals: Goals, seconds: number): void;
  /** Forgets what was before. */
  reset(): void;
};

/** What the loops of live hips read and remember. */
type Live = {
  setup: GoalSetup;
  /** Points that lie on something but are no ends of limbs. */
  lying: Int32Array;
  /** What carries the body asks for, what that is softened to, and what follows it: xyz each. */
  wanted: Float64Array;
  aim: Float64Array;
  offset: Float64Array;
  speed: Float64Array;
  /** What shall be given way by, down and up; what is, and how fast that changes. */
  asked: Float64Array;
  given: Float64Array;
  givenSpeed: Float64Array;
  /** What limbs need, and how fast that has grown. */
  needed: Float64Array;
  /** Seconds since the frame before. */
  seconds: number;
  isFirst: boolean;
};

/**
 * The live form of `planHips`: offsets are followed as by a critically damped spring; lowering for the reach of
 * planted limbs, and lifting out of the floor, come quickly and go slowly. Feet that are about to stand are looked at
 * too, so that the hips are low enough when they do.
 */
export function createLiveHips(setup: GoalSetup): LiveHips {
  const atEnds = new Set(setup.limbs.flatMap(({ points }) => points));
  const live: Live = {
    setup,
    lying: Int32Array.from(setup.points.map((_, n) => n).filter((n) => !atEnds.has(n))),
    wanted: new Float64Array(3),
    aim: new Float64Array(3),
    offset: new Float64Array(3),
    speed: new Float64Array(3),
    asked: new Float64Array(2),
    given: new Float64Array(2),
    givenSpeed: new Float64Array(2),
    needed: new Float64Array(2),
    seconds: 0,
    isFirst: true,
  };
  return {
    update(goals, seconds) {
      live.seconds = seconds;
      settle(live, goals);
    },
    reset() {
      live.isFirst = true;
    },
  };
}

function settle(live: Live, goals: Goals): void {
  const { setup, wanted, aim, offset, speed, asked, given, givenSpeed, needed, seconds, isFirst } = live;
  offsetOf(wanted, goals, setup, live.lying);
  if (isFirst) {
    aim.set(wanted);
    offset.set(wanted);
    speed.fill(0);
    given.fill(0);
    givenSpeed.fill(0);
  }
  for (let c = 0; c < 3; c++) {
    // Twice, as what carries changes from one frame to the next: the first softens that, the second follows.
    aim[c] = wanted[c]! + (aim[c]! - wanted[c]!) * Math.exp(-FOLLOW * seconds);
    offset[c] = offset[c]! - aim[c]!;
    springToZero(offset, speed, c, FOLLOW, seconds);
    offset[c] = offset[c]! + aim[c]!;
    goals.hips[c] = offset[c]!;
  }
  const low = lowestOfTrunk(setup.trunks.target.trunk, goals.target.matrices);
  asked[1] = Math.max(0, setup.floor - low - goals.hips[1]!);
  giveWay(live, 1);
  goals.hips[1] = goals.hips[1]! + given[1]!;
  // What is left of a lift, or of what arms carried, is no reason for a foot not to stand: it is taken back first.
  const before = needed[0]!;
  stretchNeed(needed, goals, setup);
  const need = needed[0]!;
  const rise = isFirst || !(seconds > 0) ? 0 : (need - before) / seconds;
  needed[1] = isFirst ? 0 : rise + (needed[1]! - rise) * Math.exp(-seconds / AVERAGE);
  const ahead = need > 0 ? Math.max(0, Math.min(MOST_AHEAD * setup.hipHeight, AHEAD * needed[1]!)) : 0;
  asked[0] = need + ahead;
  giveWay(live, 0);
  const lowest = Math.min(goals.hips[1]!, setup.floor - low);
  goals.hips[1] = Math.max(lowest, goals.hips[1]! - given[0]!);
  live.isFirst = false;
}

function giveWay({ asked, given, givenSpeed, seconds }: Live, i: number): void {
  given[i] = given[i]! - asked[i]!;
  springToZero(given, givenSpeed, i, given[i]! < 0 ? GIVE : RETURN, seconds);
  given[i] = given[i]! + asked[i]!;
}

function offsetOf(out: Float64Array, goals: Goals, setup: GoalSetup, lying: Int32Array): void {
  out.fill(0);
  // A floor that is not where it is expected is no difference between two bodies: all of the body is put on it.
  const down = goals.ground[0]!;
  let weight = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    const w = goals.carried[n]!;
    if (!(w > 0)) continue;
    const { kind, target } = setup.limbs[n]!;
    const share = kind === 'arm' ? ARM_SHARE : SHARE;
    const end = 16 * target.end + 12;
    weight += w;
    for (let c = 0; c < 3; c++) {
      const lower = c === 1 ? down : 0;
      out[c] = out[c]! + share * w * (goals.places[3 * n + c]! - goals.target.matrices[end + c]! + lower);
    }
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
    out[1] = out[1]! + level - goals.copied[3 * n + 1]! + down;
  }
  if (weight > 0) out[1] = out[1]! / weight;
  out[1] = out[1]! - down;
}

/** out[0] = how far the hips must come down for limbs that stand, or are about to, to reach their goals. */
function stretchNeed(out: Float64Array, goals: Goals, setup: GoalSetup): void {
  const m = goals.target.matrices;
  let most = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    if (goals.carried[n]! > 0) near[0] = 1;
    else readNearness(goals, setup, n);
    const weight = near[0]!;
    if (!(weight > 0)) continue;
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
    const drop = weight * (down - Math.sqrt(Math.max(0, reach * reach - across)));
    if (drop > most) most = Math.min(drop, LOWEST * setup.hipHeight + Math.max(0, goals.hips[1]!));
  }
  out[0] = most;
}

/** How near the goal of a foot in the air is to the floor: 1 on it, 0 where it is high; 0 for hands. */
const near = new Float64Array(1);

function readNearness(goals: Goals, { limbs, points, floor, hipHeight }: GoalSetup, n: number): void {
  const { kind, target, points: ends } = limbs[n]!;
  near[0] = 0;
  if (kind !== 'leg') return;
  let low = Number.POSITIVE_INFINITY;
  for (let e = 0; e < ends.length; e++) {
    const point = ends[e]!;
    const arm = goals.copied[3 * point + 1]! - goals.target.matrices[16 * target.end + 13]!;
    const height = goals.places[3 * n + 1]! + arm - floor - hipHeight * points[point]!.target.standing;
    if (height < low) low = height;
  }
  near[0] = Math.min(1, Math.max(0, 1 - low / (NEAR * hipHeight)));
}
