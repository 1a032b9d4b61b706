import { distanceFlat } from '../../base/math/flat-vectors.js';
import { exp } from '../../base/math/functions.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { fadeEach } from '../../base/math/smooth-curves.js';
import { springToZero } from '../../base/math/spring.js';
import { lowestOfSurface } from '../../contacts/body-surfaces.js';
import {
  ARM_SHARE,
  HIGHEST_FOR_KNEES,
  LEG_SHARE,
  LOW_TRUNK,
  LOWEST_HIPS,
  RAISED,
  RESTS,
  SKIN_SLACK,
} from '../goal-rules.js';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { reachOf } from '../parts/reach.js';
import { createShinOverFloor, measureShin } from '../parts/shin-over-floor.js';
import { lowestOfTrunk } from '../parts/trunk.js';
import { type CalmHips, createCalmHips } from './calm-live-hips.js';

/** How fast hips follow what carries the body, per second. */
const FOLLOW = 20;
/** How fast they come down for the reach of limbs, or up out of the floor: nearly at once. */
const GIVE = 60;
/** … for that of arms. */
const ARM_GIVE = 20;
/** How fast they come back from where they were lowered or lifted to. */
const RETURN = 10;
/** Hips that follow a steady change as a critically damped spring are late by 2 / ω: so much sooner it begins. */
const SOONER = 2 / GIVE;
/** At most by so many hip heights, and by a change that is averaged over so many seconds. */
const MOST_AHEAD = 0.03;
const AVERAGE = 0.03;
/** Hips that would have to come down by more than this, in hip heights, rather go along, by at most so much. */
const EASY_LOWERING = 0.2;
const FARTHEST_ALONG = 0.5;
/** How fast they go along, per second. */
const GO = 30;
/** Of what limbs ask for upwards resting knees leave a tenth. */
const KNEES_LEAVE = 0.9;
/** A foot that is lower than this over the floor, in hip heights, is about to stand, and the lower the surer. */
const ABOUT_TO_STAND = 0.2;

/** Settling hips while a motion is played, without looking ahead. */
export type LiveHips = {
  /** Writes what the hips of a frame give way by, `goals.seconds` after the one before. Allocates nothing. */
  update(goals: Goals): void;
  /** Forgets what was before. */
  reset(): void;
};

/** The state that the loops of live hips read and remember. */
type HipsState = {
  setup: GoalSetup;
  /** Points that lie on something but are no ends of limbs. */
  lying: Int32Array;
  /** Per point 1 for seat, back and head; and 1 where it is held by something over the floor, as by a chair. */
  isTrunk: Uint8Array;
  raised: Uint8Array;
  /** The offset that carrying limbs ask for, that softened, and the one that follows it: xyz each. */
  wanted: Float64Array;
  aim: Float64Array;
  offset: Float64Array;
  speed: Float64Array;
  /** The way that hips shall give, down, up, along x, along z, up for knees and down for arms; that they give, and how fast it changes. */
  asked: Float64Array;
  given: Float64Array;
  givenSpeed: Float64Array;
  /** The lowering that limbs need, and how fast it has grown. */
  needed: Float64Array;
  /** The least lift of the hips: one number. */
  low: Float64Array;
  /** How low the trunk of the source is, of the target, and its arms and thighs; and how much that matters. */
  lows: Float64Array;
  matters: Float64Array;
  /** How much seat, back or head rest, and how much knees do, coming and going softly; and the lowest of a surface. */
  rests: Float64Array;
  lowest: Float64Array;
  /** Seconds since the frame before: one number. */
  seconds: Float64Array;
  calm: CalmHips;
  isFirst: boolean;
};

/**
 * The live form of `planHips`: offsets are followed as by a critically damped spring; lowering for the reach of
 * planted limbs, and lifting out of the floor, come quickly and go slowly. Feet that are about to stand are looked at
 * too, so that the hips are low enough when they do. Where lowering does not do, they go along.
 */
export function createLiveHips(setup: GoalSetup): LiveHips {
  const atEnds = new Set(setup.limbs.flatMap(({ points }) => points));
  const live: HipsState = {
    setup,
    lying: Int32Array.from(setup.points.flatMap(({ lies }, n) => (lies && !atEnds.has(n) ? [n] : []))),
    isTrunk: Uint8Array.from(setup.points, ({ name }) => (/^(?:hips|back|head)$/.test(name) ? 1 : 0)),
    raised: new Uint8Array(setup.points.length),
    wanted: new Float64Array(3),
    aim: new Float64Array(3),
    offset: new Float64Array(3),
    speed: new Float64Array(3),
    asked: new Float64Array(6),
    given: new Float64Array(6),
    givenSpeed: new Float64Array(6),
    needed: new Float64Array(2),
    low: new Float64Array(1),
    lows: new Float64Array(3),
    matters: new Float64Array(1),
    rests: new Float64Array(2),
    lowest: new Float64Array(1),
    seconds: new Float64Array(1),
    calm: createCalmHips(setup.hipHeight),
    isFirst: true,
  };
  return {
    update(goals) {
      live.seconds[0] = goals.seconds[0]!;
      settle(live, goals);
    },
    reset() {
      live.isFirst = true;
      live.calm.reset();
    },
  };
}

function settle(live: HipsState, goals: Goals): void {
  const { setup, wanted, aim, offset, speed, asked, given, givenSpeed, needed, seconds, isFirst } = live;
  offsetOf(wanted, goals, setup, live);
  if (isFirst) {
    aim.set(wanted);
    offset.set(wanted);
    speed.fill(0);
    given.fill(0);
    givenSpeed.fill(0);
  }
  for (let c = 0; c < 3; c++) {
    // Twice, as what carries changes from one frame to the next: the first softens that, the second follows.
    aim[c] = wanted[c]! + (aim[c]! - wanted[c]!) * exp(-FOLLOW * seconds[0]!);
    offset[c] = offset[c]! - aim[c]!;
    springToZero(offset, speed, c, FOLLOW, seconds);
    offset[c] = offset[c]! + aim[c]!;
    goals.hips[c] = offset[c]!;
  }
  readLow(live, goals);
  asked[1] = Math.max(0, live.low[0]! - goals.hips[1]!);
  giveWay(live, 1);
  goals.hips[1] = goals.hips[1]! + given[1]!;
  live.calm.update(goals.hips, seconds);
  // A lift that is left over, or a way that arms carried, is no reason for a foot not to stand: it is taken back first.
  goAlong(live, goals);
  const before = needed[0]!;
  stretchNeed(needed, goals, setup, 'leg');
  // Whoever lies is not pulled through the floor by a foot or a hand.
  needed[0] = needed[0]! * (1 - live.rests[0]!);
  const need = needed[0]!;
  const rise = isFirst || !(seconds[0]! > 0) ? 0 : (need - before) / seconds[0]!;
  needed[1] = isFirst ? 0 : rise + (needed[1]! - rise) * exp(-seconds[0]! / AVERAGE);
  const ahead = need > 0 ? Math.max(0, Math.min(MOST_AHEAD * setup.hipHeight, SOONER * needed[1]!)) : 0;
  asked[0] = need + ahead;
  giveWay(live, 0);
  const lowest = Math.min(goals.hips[1]!, live.low[0]!);
  goals.hips[1] = Math.max(lowest, goals.hips[1]! - given[0]!);
  // Arms that lack something ask for it as softly as what carries does: at once, every hand that comes down pulled a body along.
  stretchNeed(armNeed, goals, setup, 'arm');
  asked[FOR_ARMS] = armNeed[0]! * (1 - live.rests[0]!);
  comeTo(live, FOR_ARMS, given[FOR_ARMS]! < asked[FOR_ARMS]! ? ARM_GIVE : RETURN);
  goals.hips[1] = Math.max(Math.min(goals.hips[1]!, live.low[0]!), goals.hips[1]! - given[FOR_ARMS]!);
  readKnees(live, goals);
  giveWay(live, KNEES);
  goals.hips[1] = goals.hips[1]! + given[KNEES]!;
  live.isFirst = false;
}

/** Reads how high the hips must be at least, so that torso and head are out of the floor. */
function readLow({ setup, low }: HipsState, goals: Goals): void {
  lowestOfTrunk(low, 0, setup.trunks.target.trunk, goals.target.matrices);
  low[0] = setup.floor - low[0]!;
}

/** Where it stands what is given way by for knees. */
const KNEES = 4;
/** … and for arms that carry. */
const FOR_ARMS = 5;
const armNeed = new Float64Array(1);
const leg = createShinOverFloor();

/** Asks for how far the hips must be lifted for knees to be out of the floor; see `planShins`. */
function readKnees({ setup, asked }: HipsState, goals: Goals): void {
  const { limbs, floor, hipHeight } = setup;
  const m = goals.target.matrices;
  const { upper, middle, end, goal, bend, found } = leg;
  asked[KNEES] = 0;
  for (let n = 0; n < limbs.length; n++) {
    const { kind, shin, target } = limbs[n]!;
    if (kind !== 'leg' || shin.points.length === 0) continue;
    for (let c = 0; c < 3; c++) {
      const hips = goals.hips[c]!;
      upper[c] = m[16 * target.upper + 12 + c]! + hips;
      middle[c] = m[16 * target.middle + 12 + c]! + hips;
      end[c] = m[16 * target.end + 12 + c]! + hips;
      goal[c] = goals.places[3 * n + c]! + goals.follows[n]! * hips;
    }
    // The knee is no lower than a thigh below the hip joint.
    if (upper[1]! - distanceFlat(upper, 0, middle, 0) - shin.girths[0] > floor) continue;
    leg.floor[0] = floor;
    rotateVector(bend, 0, goals.target.rotations, 4 * target.upper, limbs[n]!.bend, 0);
    measureShin(leg, limbs[n]!, m, 16 * target.middle, 4);
    if (!(found[0]! > SKIN_SLACK * hipHeight) || found[1]! > 0.5) continue;
    asked[KNEES] = Math.max(
      asked[KNEES]!,
      Math.min(found[0]! / (1 - found[1]!), HIGHEST_FOR_KNEES * hipHeight),
    );
  }
}

/** Where the ways along x and z stand in what is given way by. */
const GIVEN_ALONG = 2;

function giveWay(live: HipsState, i: number): void {
  comeTo(live, i, live.given[i]! < live.asked[i]! ? GIVE : RETURN);
}

/** Lets what is given way by come to what is asked for. */
function comeTo({ asked, given, givenSpeed, seconds }: HipsState, i: number, rate: number): void {
  given[i] = given[i]! - asked[i]!;
  springToZero(given, givenSpeed, i, rate, seconds);
  given[i] = given[i]! + asked[i]!;
}

/**
 * Moves the hips along towards feet that stand farther away than lowering would do for: a stance as wide as the
 * source's is out of reach of short legs, and of two legs one is bent while the other lacks it.
 */
function goAlong(live: HipsState, goals: Goals): void {
  const { setup, asked, given } = live;
  findPull(asked, goals, setup);
  let more = 0;
  for (let c = GIVEN_ALONG; c < GIVEN_ALONG + 2; c++) more += asked[c]! * asked[c]! - given[c]! * given[c]!;
  for (let c = 0; c < 2; c++) {
    comeTo(live, GIVEN_ALONG + c, more > 0 ? GO : RETURN);
    goals.hips[2 * c] = goals.hips[2 * c]! + given[GIVEN_ALONG + c]!;
  }
}

const most = new Float64Array(4);

/**
 * Asks for how far along the hips must go, x and z, for feet that stand, or are about to, to be in reach of hips that are
 * lowered by what is easy. Feet that pull in opposite ways pull by their difference; one that hangs below the reach of
 * its leg does not pull, as going along is no help.
 */
function findPull(out: Float64Array, goals: Goals, setup: GoalSetup): void {
  most.fill(0);
  for (let n = 0; n < setup.limbs.length; n++) {
    if (setup.limbs[n]!.kind !== 'leg' || !readLimb(goals, setup, n)) continue;
    const across = limb[ACROSS]!;
    const down = limb[DOWN]!;
    const reach = limb[REACHES]!;
    const drop = down - Math.sqrt(Math.max(0, reach * reach - across * across));
    const left = Math.max(0, down - Math.min(drop, EASY_LOWERING * setup.hipHeight));
    const over = across - Math.sqrt(Math.max(0, reach * reach - left * left));
    if (!(over > 0) || left >= reach) continue;
    // Softly where the leg hangs nearly straight down.
    const by = (limb[WEIGHT]! * over * Math.min(1, (5 * (reach - left)) / reach)) / across;
    most[0] = Math.max(most[0]!, by * limb[X]!);
    most[1] = Math.min(most[1]!, by * limb[X]!);
    most[2] = Math.max(most[2]!, by * limb[Z]!);
    most[3] = Math.min(most[3]!, by * limb[Z]!);
  }
  const limit = FARTHEST_ALONG * setup.hipHeight;
  for (let c = 0; c < 2; c++)
    out[GIVEN_ALONG + c] = Math.max(-limit, Math.min(limit, most[2 * c]! + most[2 * c + 1]!));
}

function offsetOf(out: Float64Array, goals: Goals, setup: GoalSetup, live: HipsState): void {
  const { lying, lows, matters } = live;
  out.fill(0);
  // A floor that is not where it is expected is no difference between two bodies: all of the body is put on it.
  const down = goals.ground[0]!;
  let weight = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    const w = goals.carried[n]!;
    if (!(w > 0)) continue;
    const { kind, target } = setup.limbs[n]!;
    const share = kind === 'arm' ? ARM_SHARE : LEG_SHARE;
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
  readResting(live, goals);
  const { rests, lowest } = live;
  const limbs = (1 - rests[0]!) * (1 - KNEES_LEAVE * rests[1]!);
  weight *= limbs;
  out[1] = out[1]! * limbs;
  let trunk = Number.POSITIVE_INFINITY;
  for (let i = 0; i < setup.surfaces.length; i++) {
    const { surface, point } = setup.surfaces[i]!;
    if (goals.touching[point] !== 1 || live.raised[point] === 1) continue;
    lowestOfSurface(lowest, 0, surface, goals.target.matrices);
    const gap = lowest[0]! - setup.floor - down;
    if (live.isTrunk[point] === 1) trunk = gap < trunk ? gap : trunk;
    else {
      weight += 1 - rests[0]!;
      out[1] = out[1]! - (1 - rests[0]!) * gap;
    }
  }
  if (trunk < Number.POSITIVE_INFINITY) {
    weight += 1;
    out[1] = out[1]! - trunk;
  }
  for (let i = 0; i < lying.length; i++) {
    const n = lying[i]!;
    if (goals.touching[n] !== 1 || live.raised[n] !== 1) continue;
    weight += 1;
    const level = setup.floor + goals.supports[n]! + setup.hipHeight * setup.points[n]!.target.standing;
    out[1] = out[1]! + level - goals.copied[3 * n + 1]! + down;
  }
  readLying(live, goals);
  if (matters[0]! > 0) {
    weight += matters[0]!;
    out[1] = out[1]! - matters[0]! * lows[0]!;
  }
  if (weight > 0) out[1] = out[1]! / weight;
  out[1] = out[1]! - down;
}

/** Reads how much seat, back or head rest on the floor, and how much knees do. */
function readResting(live: HipsState, { touching, supports }: Goals): void {
  const { setup, rests, raised, isTrunk, seconds, isFirst } = live;
  let trunk = 0;
  let knees = 0;
  for (let i = 0; i < setup.surfaces.length; i++) {
    const n = setup.surfaces[i]!.point;
    raised[n] = supports[n]! > RAISED * setup.hipHeight ? 1 : 0;
    if (touching[n] !== 1 || raised[n] === 1) continue;
    if (isTrunk[n] === 1) trunk = 1;
    else if (setup.points[n]!.name.endsWith('Knee')) knees = 1;
  }
  const stays = isFirst ? 0 : exp(-RESTS * seconds[0]!);
  rests[0] = trunk + (rests[0]! - trunk) * stays;
  rests[1] = knees + (rests[1]! - knees) * stays;
}

/**
 * Reads how far a body is too high over the floor whose source is on it, rolling or falling, and how much that matters:
 * the live form of `stayLow`. What is too high is written to the first of `lows`.
 */
function readLying({ setup, lows, matters }: HipsState, goals: Goals): void {
  const { trunks, floor, sourceFloor, sourceHipHeight, hipHeight } = setup;
  const scale = hipHeight / sourceHipHeight;
  const ground = goals.ground[0]!;
  const level = sourceFloor + trunks.source.trunk[0]!.thickness + ground / scale;
  matters[0] = 0;
  lowestOfTrunk(lows, 0, trunks.source.trunk, goals.source.matrices, level + 2 * LOW_TRUNK * sourceHipHeight);
  const height = lows[0]! - level;
  if (!(height < 2 * LOW_TRUNK * sourceHipHeight)) return;
  lowestOfTrunk(lows, 1, trunks.target.trunk, goals.target.matrices);
  lowestOfTrunk(lows, 2, trunks.target.limbs, goals.target.matrices);
  const lowest = lows[1]! < lows[2]! ? lows[1]! : lows[2]!;
  const high = height > 0 ? scale * height : 0;
  lows[0] = lowest - trunks.target.trunk[0]!.thickness - floor - ground - high;
  if (!(lows[0]! > 0)) return;
  matters[0] = height / (LOW_TRUNK * sourceHipHeight) - 1;
  fadeEach(matters);
}

/** out[0] = how far the hips must come down for legs or arms that stand, or are about to, to reach their goals. */
function stretchNeed(out: Float64Array, goals: Goals, setup: GoalSetup, kind: 'leg' | 'arm'): void {
  let furthest = 0;
  for (let n = 0; n < setup.limbs.length; n++) {
    if (setup.limbs[n]!.kind !== kind || !readLimb(goals, setup, n)) continue;
    const across = limb[ACROSS]!;
    const reach = limb[REACHES]!;
    const drop = limb[WEIGHT]! * (limb[DOWN]! - Math.sqrt(Math.max(0, reach * reach - across * across)));
    if (drop > furthest)
      furthest = Math.min(drop, LOWEST_HIPS * setup.hipHeight + Math.max(0, goals.hips[1]!));
  }
  out[0] = furthest;
}

/** A limb whose goal is out of reach, as places of what is known of it: see {@link readLimb}. */
const limb = new Float64Array(6);
const WEIGHT = 0;
const X = 1;
const DOWN = 2;
const Z = 3;
const ACROSS = 4;
const REACHES = 5;

/**
 * Reads how much a limb carries, or is about to; how far its goal is from its root, along x, down, along z and along the
 * floor; and what it reaches. False where it carries nothing, or reaches its goal.
 */
function readLimb(goals: Goals, setup: GoalSetup, n: number): boolean {
  if (goals.carried[n]! > 0) near[0] = 1;
  else readNearness(goals, setup, n);
  if (!(near[0]! > 0)) return false;
  const { target, length } = setup.limbs[n]!;
  const m = goals.target.matrices;
  const upper = 16 * target.upper + 12;
  const end = 16 * target.end + 12;
  let copied = 0;
  for (let c = 0; c < 3; c++) copied += (m[end + c]! - m[upper + c]!) * (m[end + c]! - m[upper + c]!);
  const reach = reachOf(Math.sqrt(copied), length);
  const x = goals.places[3 * n]! - m[upper]! - goals.hips[0]!;
  const down = m[upper + 1]! + goals.hips[1]! - goals.places[3 * n + 1]!;
  const z = goals.places[3 * n + 2]! - m[upper + 2]! - goals.hips[2]!;
  limb[WEIGHT] = near[0]!;
  limb[X] = x;
  limb[DOWN] = down;
  limb[Z] = z;
  limb[ACROSS] = Math.sqrt(x * x + z * z);
  limb[REACHES] = reach;
  return x * x + z * z + down * down > reach * reach;
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
  near[0] = Math.min(1, Math.max(0, 1 - low / (ABOUT_TO_STAND * hipHeight)));
}
