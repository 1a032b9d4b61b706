import type { ArmSetup } from './arm-setup.js';
import { type ArmState, UNKNOWNS } from './arm-state.js';
import { OTHER_ARM, OTHER_HAND, TOUCHED } from './body-shape.js';
import { NEAR_OTHER, type NearNotes, notedOf } from './near-notes.js';
import { areNear, BALL_NUMBERS, probesNear, readBalls } from './near-parts.js';
import { gapsToPart, gapToPart, PART_NUMBERS, slack, wayOut } from './part-frame.js';
import { gapsToLine } from './read-gaps.js';
import { armAt, MOST_PROBES, PALM_AXES, PALM_PROBES, probeCount } from './shape-row.js';

/** All that is asked of both arms in a frame. Lengths in arm lengths of the target. */
export type ArmWants = {
  /** Per hand and one of `TOUCHED`: how much a touch counts, 0 to 1, and the gap that it shall have. */
  weights: Float64Array;
  gaps: Float64Array;
  /** Per hand and one of `TOUCHED`: how deep the source's own hand is in there; then the same of its arm. */
  depths: Float64Array;
  /** How much it counts where the right palm is seen from the left one, and the way: metres, model space. */
  palms: Float64Array;
  /** The same of wrists that carry something between them. */
  wrists: Float64Array;
};

/** Room for what is asked of both arms; nothing yet. */
export function createArmWants(): ArmWants {
  return {
    weights: new Float64Array(2 * TOUCHED.length),
    gaps: new Float64Array(2 * TOUCHED.length),
    depths: new Float64Array(4 * TOUCHED.length),
    palms: new Float64Array(4),
    wrists: new Float64Array(4),
  };
}

/** The equations of one frame: per arm JᵀJ (4 × 4) and Jᵀr; and how much farther the worst is from what is asked than it may be, in arm lengths. */
export type ArmSystem = { matrix: Float64Array; right: Float64Array; worst: Float64Array };

/** Room for equations. */
export function createArmSystem(): ArmSystem {
  return {
    matrix: new Float64Array(2 * UNKNOWNS * UNKNOWNS),
    right: new Float64Array(2 * UNKNOWNS),
    worst: new Float64Array(2),
  };
}

/** Skin gives way by this, in arm lengths: no deeper than half of what is seen. */
const DENT = 0.005;
/** Faces that are farther than the nearest by less than this, in arm lengths, say where out is too. */
const SOFT_FACES = 0.06;
/** An arm that is deeper than this in what it may not be in, in arm lengths, is a reason to move it; and a touch that is off by so much. */
const SEEN_INSIDE = 0.01;
const HARDLY = 0.002;
/** Probes of upper arm, elbow, forearm and wrist go with the elbow and with the wrist by these shares. */
const ELBOW_SHARES = [0.8, 1, 2 / 3, 1 / 3, 0] as const;
const WRIST_SHARES = [0, 0, 1 / 3, 2 / 3, 1] as const;
/** A hand that is farther from what it shall touch than this, in arm lengths, is drawn less and less; at twice not at all. */
export const FARTHEST_TOUCH = 0.35;
/** How much what wrists carry counts. */
const CARRY_WEIGHT = 4;
/** Where depths of arms begin behind those of hands. */
const ARMS = 2 * TOUCHED.length;

/** xyz, and for `wayOut` the gap and how soft faces are. */
const normal = new Float64Array(5);
const palm = new Float64Array(12);
/** Per thing the probe and part that are nearest, or deepest: gap, probe, part. */
const nearest = new Float64Array(3 * TOUCHED.length);
/** Per probe how much too deep it is, the gap there, and the number of the part. */
const deepest = new Float64Array(MOST_PROBES);
const deepestGap = new Float64Array(MOST_PROBES);
const deepestPart = new Int32Array(MOST_PROBES);
/** Per probe how far it is from what is looked at; and the same of both bones of the other arm. */
const found = new Float64Array(MOST_PROBES);
const nearBones = [new Float64Array(MOST_PROBES), new Float64Array(MOST_PROBES)] as const;
/** A row's want: how far its probe shall go, in arm lengths, and how much that counts. */
const asked = new Float64Array(2);
let balls: Float64Array = new Float64Array(0);

/** A frame in which arms are looked at: both bodies, the row of the target, its arms as they are now, and what is asked. */
export type ArmFrame = {
  setup: ArmSetup;
  /** Limbs of the arms that something is asked of, −1 for one that stays as it is. */
  limbs: ArmSetup['limbs'];
  row: Float64Array;
  /** Where the row begins. */
  o: number;
  states: readonly [ArmState, ArmState];
  wants: ArmWants;
  system: ArmSystem;
  /** Notes of what is near, and the frame's row in them; null where all is to be looked at. */
  near: NearNotes | null;
  slot: number;
};

/** Makes a system ask nothing. Of so few numbers a loop is quicker than to have them filled. */
export function clearSystem({ matrix, right, worst }: ArmSystem): void {
  for (let i = 0; i < matrix.length; i++) matrix[i] = 0;
  for (let i = 0; i < right.length; i++) right[i] = 0;
  for (let i = 0; i < worst.length; i++) worst[i] = 0;
}

/** How far it matters that arms could go without anything being asked of them, in arm lengths. */
const CLEAR_ROOM = 0.03;

/**
 * Writes down in the system of a frame what is asked of both arms as they are now; and where nothing is asked of arms
 * that neither touch nor carry, how far elbows and wrists could go, in metres, so that still nothing would be: see
 * {@link clearance}. Against the other arm that is half of what is between them, since both may go.
 */
export function gatherArms(frame: ArmFrame): void {
  const { setup, wants } = frame;
  const unit = setup.target.arm;
  clearSystem(frame.system);
  // Live no frame is looked at twice.
  clearance[0] = frame.near ? CLEAR_ROOM * unit : 0;
  if (!frame.near) balls = readBalls(balls, setup.target.parts, frame.row, frame.o);
  for (let hand = 0; hand < 2; hand++) {
    if (frame.limbs[hand]! < 0 || !setup.target.arms[hand]) continue;
    slack[0] = clearance[0]!;
    gatherBody(frame, hand);
    if (slack[0]! < clearance[0]!) clearance[0] = slack[0]!;
    if (!setup.target.arms[1 - hand] || !isOtherNoted(frame, hand)) continue;
    slack[0] = 2 * clearance[0]!;
    gatherOther(frame, hand);
    if (0.5 * slack[0]! < clearance[0]!) clearance[0] = 0.5 * slack[0]!;
  }
  slack[0] = 0;
  if (wants.palms[3]! > 0) gatherBetween(frame, wants.palms, 1, true);
  if (wants.wrists[3]! > 0) gatherBetween(frame, wants.wrists, CARRY_WEIGHT, false);
}

/** How far arms that were gathered last may go, see {@link gatherArms}; 0 where something is asked. */
export const clearance = new Float64Array(1);

/** Whether the other arm is so near that it has to be looked at. */
function isOtherNoted({ near, slot }: ArmFrame, hand: number): boolean {
  return !near || (notedOf(near, slot, hand) & NEAR_OTHER) !== 0;
}

/**
 * How far a probe may be from a part so that it is of interest, in metres: hands that shall touch look far for it, all
 * else only where it is too deep.
 */
export function mostOf(
  { setup, wants }: ArmFrame,
  hand: number,
  p: number,
  n: number,
  isTouched: boolean,
): number {
  const { parts, arm: unit, arms } = setup.target;
  const isHand = p >= PALM_PROBES || (p === PALM_PROBES - 1 && arms[hand]!.points.length === 0);
  if (isHand && isTouched) return 2 * FARTHEST_TOUCH * unit;
  const g = TOUCHED.length * hand + parts[n]!.touched;
  const own = wants.depths[isHand ? g : g + ARMS]! * unit;
  const allowed = setup.depths[hand]![parts.length * p + n]!;
  return -(allowed > own ? allowed : own) - DENT * unit;
}

function gatherBody(frame: ArmFrame, hand: number): void {
  const { setup, row, o, wants, near, slot } = frame;
  const state = frame.states[hand]!;
  const { target } = setup;
  const { parts, arm: unit } = target;
  const arm = target.arms[hand]!;
  const { probes } = state;
  const count = probeCount(arm);
  const handProbe = arm.points.length > 0 ? PALM_PROBES : PALM_PROBES - 1;
  for (let t = 0; t < OTHER_HAND; t++) nearest[3 * t] = Number.POSITIVE_INFINITY;
  let isDeep = false;
  let isTouching = false;
  for (let p = 0; p < count; p++) deepest[p] = 0;
  const noted = near ? near.row * slot + near.hand * hand : 0;
  for (let n = 0; n < parts.length; n++) {
    const part = parts[n]!;
    const { touched } = part;
    const isTouched = wants.weights[TOUCHED.length * hand + touched]! > 0;
    if (isTouched) isTouching = true;
    let bits = near
      ? near.masks[noted + n]!
      : nearBits(state, n, count, isTouched ? 2 * FARTHEST_TOUCH * unit : 0);
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const p = 31 - Math.clz32(bit);
      const most = mostOf(frame, hand, p, n, isTouched);
      found[p] = most;
      gapToPart(found, p, part, row, o + PART_NUMBERS * n, probes);
      const gap = found[p]!;
      if (isTouched && p >= handProbe) {
        if (!(gap < nearest[3 * touched]!)) continue;
        nearest[3 * touched] = gap;
        nearest[3 * touched + 1] = p;
        nearest[3 * touched + 2] = n;
      } else if (most - gap > deepest[p]!) {
        // Of several parts that a probe is in, the one that it is deepest in leads out of all.
        deepest[p] = most - gap;
        deepestGap[p] = gap;
        deepestPart[p] = n;
        isDeep = true;
      }
    }
  }
  for (let p = 0; p < count && isDeep; p++) {
    if (!(deepest[p]! > 0)) continue;
    const at = deepestPart[p]!;
    normal[3] = deepestGap[p]! + probes[4 * p + 3]!;
    normal[4] = SOFT_FACES * unit;
    wayOut(normal, parts[at]!, row, o + PART_NUMBERS * at, probes, 4 * p);
    asked[0] = deepest[p]! / unit;
    asked[1] = p >= PALM_PROBES ? 0.3 : 1;
    addRow(frame, hand, p, true);
  }
  if (!isTouching) return;
  for (let t = 0; t < OTHER_HAND; t++) {
    const g = TOUCHED.length * hand + t;
    const gap = nearest[3 * t]!;
    if (!(wants.weights[g]! > 0) || !(gap < 2 * FARTHEST_TOUCH * unit)) continue;
    const off = wants.gaps[g]! - gap / unit;
    const p = nearest[3 * t + 1]!;
    const n = nearest[3 * t + 2]!;
    normal[3] = gap + probes[4 * p + 3]!;
    normal[4] = SOFT_FACES * unit;
    wayOut(normal, parts[n]!, row, o + PART_NUMBERS * n, probes, 4 * p);
    asked[0] = off;
    asked[1] = wants.weights[g]!;
    pull();
    addRow(frame, hand, p, false);
  }
}

/** The probes of an arm whose balls are near that of a part: a bit each. */
function nearBits({ hand, probes }: ArmState, n: number, count: number, far: number): number {
  const b = BALL_NUMBERS * n;
  return probesNear(balls, b, probes, areNear(balls, b, hand, 0, far) ? count : PALM_PROBES, far);
}

/** Makes a touch count by how far it is: in full up to `FARTHEST_TOUCH`, not at all from twice that on. */
function pull(): void {
  const u = Math.min(1, Math.max(0, -asked[0]! / FARTHEST_TOUCH - 1));
  asked[1] = asked[1]! * (1 - u * u * (3 - 2 * u));
}

function gatherOther(frame: ArmFrame, hand: number): void {
  const { setup, row, o, states, wants } = frame;
  const { target } = setup;
  const unit = target.arm;
  const other = target.arms[1 - hand]!;
  const arm = target.arms[hand]!;
  const state = states[hand]!;
  const { joints } = states[1 - hand]!;
  const { probes } = state;
  const g = TOUCHED.length * hand;
  const a = o + armAt(target, 1 - hand);
  for (let c = 0; c < 9; c++) palm[c] = row[a + PALM_AXES + c]!;
  for (let c = 0; c < 3; c++) palm[9 + c] = joints[6 + c]!;
  const count = probeCount(arm);
  const share = frame.limbs[1 - hand]! < 0 ? 1 : 0.5;
  let best = Number.POSITIVE_INFINITY;
  let bestProbe = -1;
  let bestFrom = 0;
  const isAsked = wants.weights[g + OTHER_ARM]! > 0;
  const farthest = isAsked ? 2 * FARTHEST_TOUCH * unit : 0;
  // A hand that is far from the other arm and hand as a whole need not be looked at point by point.
  const thickest = Math.max(other.thick[0], other.thick[1], other.thick[2]);
  for (let i = 0; i < 2; i++) gapsToLine(nearBones[i]!, state.hand, 0, 1, joints, 3 * i);
  const away = Math.min(nearBones[0][0]!, nearBones[1][0]!);
  const isHandNear = away - thickest < farthest || areNear(state.hand, 0, states[1 - hand]!.hand, 0, 0);
  const last = isHandNear ? count : PALM_PROBES;
  if (!isHandNear) keepSlack(Math.min(away - thickest, apartOf(state.hand, states[1 - hand]!.hand)));
  found.fill(0, 0, last);
  gapsToPart(found, other.palm, palm, 0, probes, last);
  for (let i = 0; i < 2; i++) gapsToLine(nearBones[i]!, probes, 1, last, joints, 3 * i);
  for (let p = 1; p < last; p++) {
    const radius = probes[4 * p + 3]!;
    const inPalm = found[p]!;
    const tooDeep = -inPalm - Math.max(wants.depths[g + OTHER_HAND]! * unit, 0) - DENT * unit;
    if (tooDeep > 0 && !(wants.palms[3]! > 0) && !(wants.wrists[3]! > 0)) {
      normal[3] = inPalm + radius;
      normal[4] = SOFT_FACES * unit;
      wayOut(normal, other.palm, palm, 0, probes, 4 * p);
      asked[0] = (share * tooDeep) / unit;
      asked[1] = 0.3;
      addRow(frame, hand, p, true);
    } else if (-tooDeep < slack[0]!) slack[0] = -tooDeep;
    for (let i = 0; i < 6; i += 3) {
      const thick = i === 0 ? other.thick[0] : (other.thick[1] + other.thick[2]) / 2;
      const gap = nearBones[i / 3]![p]! - thick;
      if (p >= PALM_PROBES - 1 && gap < best) {
        best = gap;
        bestProbe = p;
        bestFrom = i;
      }
      const deep = -gap - Math.max(wants.depths[g + OTHER_ARM]! * unit, 0) - DENT * unit;
      if (!(deep > 0)) {
        if (-deep < slack[0]!) slack[0] = -deep;
        continue;
      }
      awayFromLine(probes, 4 * p, joints, i);
      asked[0] = (share * deep) / unit;
      asked[1] = p >= PALM_PROBES ? 0.3 : 1;
      addRow(frame, hand, p, true);
    }
  }
  const weight = wants.weights[g + OTHER_ARM]!;
  if (!(weight > 0) || bestProbe < 0 || !(best < 2 * FARTHEST_TOUCH * unit)) return;
  asked[0] = wants.gaps[g + OTHER_ARM]! - best / unit;
  asked[1] = weight;
  pull();
  awayFromLine(probes, 4 * bestProbe, joints, bestFrom);
  addRow(frame, hand, bestProbe, false);
}

/** How far two balls are from each other, less than 0 where they are not. */
function apartOf(a: Float64Array, b: Float64Array): number {
  const x = a[0]! - b[0]!;
  const y = a[1]! - b[1]!;
  const z = a[2]! - b[2]!;
  return Math.sqrt(x * x + y * y + z * z) - a[3]! - b[3]!;
}

function keepSlack(far: number): void {
  if (far < slack[0]!) slack[0] = far > 0 ? far : 0;
}

/** normal = the way to a point from the nearest point of a line between two others. */
function awayFromLine(probes: Float64Array, p: number, joints: Float64Array, i: number): void {
  let along = 0;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    const u = joints[i + 3 + c]! - joints[i + c]!;
    along += u * (probes[p + c]! - joints[i + c]!);
    square += u * u;
  }
  const s = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    normal[c] = probes[p + c]! - joints[i + c]! - s * (joints[i + 3 + c]! - joints[i + c]!);
    length += normal[c]! * normal[c]!;
  }
  const k = length > 1e-18 ? 1 / Math.sqrt(length) : 0;
  for (let c = 0; c < 3; c++) normal[c] = k * normal[c]!;
}

/** Asks that the right palm or wrist is seen from the left one as it shall be: each goes half of the way. */
function gatherBetween(frame: ArmFrame, wanted: Float64Array, weight: number, isPalms: boolean): void {
  const { setup, row, o, states, limbs } = frame;
  const { target } = setup;
  const unit = target.arm;
  const both = limbs[0] >= 0 && limbs[1] >= 0 ? 0.5 : 1;
  for (let c = 0; c < 3; c++) {
    let apart = 0;
    for (let hand = 0; hand < 2; hand++) {
      const a = o + armAt(target, hand);
      let at = states[hand]!.joints[6 + c]!;
      if (isPalms)
        for (let i = 0; i < 3; i++) at += row[a + PALM_AXES + 3 * i + c]! * target.arms[hand]!.palm.ball[i]!;
      apart += hand === 1 ? at : -at;
    }
    const off = (both * (wanted[c]! - apart)) / unit;
    normal.fill(0);
    for (let hand = 0; hand < 2; hand++) {
      if (limbs[hand]! < 0) continue;
      normal[c] = 1;
      asked[0] = hand === 1 ? off : -off;
      asked[1] = weight * wanted[3]!;
      addRow(frame, hand, PALM_PROBES - 1, false);
    }
  }
}

const turned = new Float64Array(3);
const lever = new Float64Array(3);
const slope = new Float64Array(3);

/**
 * Adds the row that a probe shall go as far as is `asked` along `normal`: weight · (J·x − r)². The wrist's way d turns the whole arm
 * about the shoulder by (line × d) / reach, and stretches it by what of d is along the line; so the elbow e goes along n
 * by d·((e × n) × line) / reach + (n·stretch)(line·d), what is before or behind it on its bones in proportion.
 */
function addRow(frame: ArmFrame, hand: number, p: number, isInside: boolean): void {
  const off = asked[0]!;
  const weight = asked[1]!;
  slack[0] = 0;
  const { setup, row, o, system: out } = frame;
  const state = frame.states[hand]!;
  const ofElbow = p < PALM_PROBES ? ELBOW_SHARES[p]! : 0;
  const ofWrist = p < PALM_PROBES ? WRIST_SHARES[p]! : 1;
  const { line, joints, probes, stretch } = state;
  const x = normal[0]!;
  const y = normal[1]!;
  const z = normal[2]!;
  for (let i = 0; i < 3; i++) slope[i] = ofWrist * normal[i]!;
  if (ofElbow > 0) {
    for (let i = 0; i < 3; i++) turned[i] = joints[3 + i]! - joints[i]!;
    lever[0] = turned[1]! * z - turned[2]! * y;
    lever[1] = turned[2]! * x - turned[0]! * z;
    lever[2] = turned[0]! * y - turned[1]! * x;
    const k = ofElbow / Math.max(line[3]!, 0.2 * setup.target.arm);
    const along = ofElbow * (x * stretch[0]! + y * stretch[1]! + z * stretch[2]!);
    slope[0] = slope[0]! + k * (lever[1]! * line[2]! - lever[2]! * line[1]!) + along * line[0]!;
    slope[1] = slope[1]! + k * (lever[2]! * line[0]! - lever[0]! * line[2]!) + along * line[1]!;
    slope[2] = slope[2]! + k * (lever[0]! * line[1]! - lever[1]! * line[0]!) + along * line[2]!;
  }
  const c = o + PART_NUMBERS * setup.chest;
  const j0 = row[c]! * slope[0]! + row[c + 1]! * slope[1]! + row[c + 2]! * slope[2]!;
  const j1 = row[c + 3]! * slope[0]! + row[c + 4]! * slope[1]! + row[c + 5]! * slope[2]!;
  const j2 = row[c + 6]! * slope[0]! + row[c + 7]! * slope[1]! + row[c + 8]! * slope[2]!;
  let j3 = 0;
  if (p < PALM_PROBES - 1) {
    // A turn about the line from the shoulder moves a probe by line × (probe − shoulder).
    for (let i = 0; i < 3; i++) turned[i] = (probes[4 * p + i]! - joints[i]!) / setup.target.arm;
    j3 =
      x * (line[1]! * turned[2]! - line[2]! * turned[1]!) +
      y * (line[2]! * turned[0]! - line[0]! * turned[2]!) +
      z * (line[0]! * turned[1]! - line[1]! * turned[0]!);
  }
  const m = UNKNOWNS * UNKNOWNS * hand;
  const r = UNKNOWNS * hand;
  const { matrix, right } = out;
  matrix[m] = matrix[m]! + weight * j0 * j0;
  matrix[m + 4] = matrix[m + 4]! + weight * j1 * j0;
  matrix[m + 5] = matrix[m + 5]! + weight * j1 * j1;
  matrix[m + 8] = matrix[m + 8]! + weight * j2 * j0;
  matrix[m + 9] = matrix[m + 9]! + weight * j2 * j1;
  matrix[m + 10] = matrix[m + 10]! + weight * j2 * j2;
  matrix[m + 12] = matrix[m + 12]! + weight * j3 * j0;
  matrix[m + 13] = matrix[m + 13]! + weight * j3 * j1;
  matrix[m + 14] = matrix[m + 14]! + weight * j3 * j2;
  matrix[m + 15] = matrix[m + 15]! + weight * j3 * j3;
  right[r] = right[r]! + weight * off * j0;
  right[r + 1] = right[r + 1]! + weight * off * j1;
  right[r + 2] = right[r + 2]! + weight * off * j2;
  right[r + 3] = right[r + 3]! + weight * off * j3;
  const needed = isInside ? off - SEEN_INSIDE : Math.abs(off) - HARDLY;
  if (needed > out.worst[hand]!) out.worst[hand] = needed;
}
