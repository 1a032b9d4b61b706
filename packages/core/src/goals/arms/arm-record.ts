import { borrow } from '../../base/lend-room.js';
import type { ArmSetup } from './arm-setup.js';
import { type BodyShape, OTHER_HAND, TOUCHED } from './body-shape.js';
import { type FoundCarry, findCarriedOnGrid, HAND_FRAME, type HandCourse, mayCarry } from './find-carried.js';
import { createGapCourse, type FoundTouch, findTouches, type GapCourse, TOUCH_ENDS } from './find-touches.js';
import type { HandContacts } from './hand-contacts.js';
import { areNear, BALL_NUMBERS, ballOfHand, isBeyondFace, probesNear, readBalls } from './near-parts.js';
import { gapToPart, PART_NUMBERS } from './part-frame.js';
import { createHandGaps, type HandGaps, readGaps, readPalms } from './read-gaps.js';
import {
  armAt,
  MOST_PROBES,
  PALM_AXES,
  PALM_PROBES,
  placeArmProbes,
  placeHandProbes,
  probeCount,
  readRow,
  rowLength,
} from './shape-row.js';

/** All that arms are planned from: the shapes of both bodies over a clip, where that is of interest. */
export type ArmRecord = HandCourse & {
  /** Of the source. */
  course: GapCourse;
  /** Rows of the target as copied, one behind another, of the frames in which something is near. */
  rows: Float64Array;
  /** Per frame the number of its row, or −1; and how many there are. */
  slots: Int32Array;
  stored: number;
  /** Whether every frame is stored, since somebody has told what touches. */
  isWhole: boolean;
  /** Frames from one that is looked at to the next, see {@link strideOf}. */
  stride: number;
  /** Touches and carried things, found or told before arms are planned. */
  found: HandContacts;
  /** Per frame, hand and one of `TOUCHED` how deep the source's arm is in there, without its hand: in arm lengths. */
  depths: Float32Array;
  /** Per frame and hand the middle of the source's palm, xyz. */
  palms: Float32Array;
};

/** A part of the target that a probe is nearer to than this, in arm lengths, makes a frame one of interest. */
const NEAR_PART = 0.02;

/** Room for the record of a clip. */
export function createArmRecord(
  { arm, ahead, up }: BodyShape,
  { count, rate }: { count: number; rate: number },
  isWhole: boolean,
): ArmRecord {
  gaps ??= createHandGaps();
  gapsAhead ??= createHandGaps();
  return {
    count,
    rate,
    stride: strideOf(rate),
    arm,
    ahead,
    up,
    found: { touches: [], carries: [] },
    course: createGapCourse(count, rate),
    rows: new Float64Array(0),
    slots: new Int32Array(count).fill(-1),
    stored: 0,
    isWhole,
    hands: new Float32Array(HAND_FRAME * count),
    depths: new Float32Array(2 * TOUCHED.length * count),
    palms: new Float32Array(6 * count),
  };
}

/** Made with the first record. */
let gaps: HandGaps;
/** Gaps of the frame that is looked at before it is known whether those before it are to be looked at too. */
let gapsAhead: HandGaps;
/** Rows of both bodies of the frames since the last that was looked at. */
let sourceRows: Float64Array = new Float64Array(0);
let targetRows: Float64Array = new Float64Array(0);
const joints = new Float64Array(9);
const probes = new Float64Array(4 * MOST_PROBES);
/** Per hand and thing where the palm was in what it is nearest to, and in which part: for speeds. */
const before = new Float64Array(6 * TOUCHED.length);
const beforePart = new Int32Array(2 * TOUCHED.length);

/** Finds what hands of the source touch and carry in a clip that was noted. */
export function findHandContacts(record: ArmRecord): HandContacts {
  const touches = findTouches(record.course);
  return { touches, carries: findCarriedOnGrid(record).filter((carry) => !isBetween(touches, carry)) };
}

/** Whether hands lie on each other in most of a stretch in which they keep their distance: then nothing is between them. */
function isBetween(touches: readonly FoundTouch[], { first, last }: FoundCarry): boolean {
  let count = 0;
  for (const touch of touches)
    if (touch.hand === 0 && touch.touched === OTHER_HAND)
      count += Math.max(0, Math.min(last, touch.last) - Math.max(first, touch.first) + 1);
  return 2 * count > last - first + 1;
}

/** Seconds from one frame that is looked at to the next at most: less than a touch lasts. */
const LOOKED_EVERY = 1 / 12;
/** The most frames from one that is looked at to the next. */
const MOST_STRIDE = 3;

/** Frames from one that is looked at to the next, by their rate; as arms are solved in. */
function strideOf(rate: number): number {
  return Math.max(1, Math.min(MOST_STRIDE, Math.floor(LOOKED_EVERY * rate + 1e-9)));
}

/** The frame that was looked at last, whether anything of the source was near in it, and whether its row was stored. */
let lookedAt = -1;
let wasNear = false;
let wasStored = false;

/**
 * Notes a frame. Frames come one after another. Every third is looked at, and those between two where something is near
 * in one of these: what touches does so for a tenth of a second, and is near in one that is looked at.
 */
export function recordArms(
  record: ArmRecord,
  { source, sourceDepths, target, depths, limbs }: ArmSetup,
  sourceMatrices: Float64Array,
  targetMatrices: Float64Array,
  k: number,
): void {
  if (k === 0) beginRecord();
  const width = rowLength(source);
  const length = rowLength(target);
  sourceRows = withRoom(sourceRows, width);
  targetRows = withRoom(targetRows, length);
  const slot = k % record.stride;
  readRow(sourceRows, width * slot, source, sourceMatrices);
  readRow(targetRows, length * slot, target, targetMatrices);
  recordHands(record, source, width * slot, k);
  if (slot !== 0 && k < record.count - 1 && !record.isWhole) return;
  const before = lookedAt;
  const isNear = lookAtSource(gapsAhead, source, sourceDepths, width * slot) || mayCarry(record, k);
  for (let at = before + 1; at < k; at++) {
    const o = width * (at % record.stride);
    if (wasNear || isNear) {
      lookAtSource(gaps, source, sourceDepths, o);
      noteSource(record, source, gaps, o, at);
    } else noteSkipped(record, at);
  }
  noteSource(record, source, gapsAhead, width * slot, k);
  for (let at = before + 1; at < k && !(wasNear || isNear); at++) joinDepths(record, before, at, k);
  const o = length * slot;
  let isStored = isNear || record.isWhole;
  if (!isStored) {
    balls = readBalls(balls, target.parts, targetRows, o);
    for (let hand = 0; hand < 2 && !isStored; hand++)
      isStored = limbs[hand]! >= 0 && isNearPart(target, depths[hand]!, targetRows, o, hand);
  }
  for (let at = before + 1; at < k; at++)
    if (wasStored || isStored) storeRow(record, length, at % record.stride, at);
  if (isStored) storeRow(record, length, slot, k);
  wasNear = isNear;
  wasStored = isStored;
}

/** Rows with room for the frames that are kept at a time, each so long. */
function withRoom(rows: Float64Array, length: number): Float64Array {
  return rows.length < MOST_STRIDE * length ? new Float64Array(MOST_STRIDE * length) : rows;
}

function beginRecord(): void {
  beforePart.fill(-1);
  lookedAt = -1;
  wasNear = false;
  wasStored = false;
}

/** Keeps the row of a frame of the target. */
function storeRow(record: ArmRecord, length: number, slot: number, k: number): void {
  if (length * (record.stored + 1) > record.rows.length) record.rows = largerRows(record, length, k);
  record.rows.set(targetRows.subarray(length * slot, length * (slot + 1)), length * record.stored);
  record.slots[k] = record.stored++;
}

/** The rows of a record with room for as many as there will be if the rest of the clip is as what was noted up to a frame. */
function largerRows({ rows, stored, count }: ArmRecord, length: number, k: number): Float64Array {
  const likely = Math.ceil((1.1 * stored * count) / (k + 1));
  const larger = borrow(length * Math.min(count, Math.max(64, 2 * stored, likely)));
  larger.set(rows);
  return larger;
}

/**
 * Notes what of the source's hands can touch what in a frame. Frames come one after another.
 * @param depths How deep arms and parts are in each other in the reference.
 */
export function recordSource(
  record: ArmRecord,
  shape: BodyShape,
  depths: readonly [Float64Array, Float64Array],
  matrices: Float64Array,
  k: number,
): void {
  if (k === 0) beginRecord();
  sourceRows = withRoom(sourceRows, rowLength(shape));
  readRow(sourceRows, 0, shape, matrices);
  recordHands(record, shape, 0, k);
  lookAtSource(gaps, shape, depths, 0);
  noteSource(record, shape, gaps, 0, k);
}

/** Reads how far hands of the source are from what they can touch; whether something is so near that it may touch. */
function lookAtSource(
  out: HandGaps,
  shape: BodyShape,
  depths: readonly [Float64Array, Float64Array],
  o: number,
): boolean {
  out.most[0] = 1.5 * TOUCH_ENDS * shape.arm;
  readGaps(out, shape, sourceRows, o, depths);
  let isNear = false;
  for (let g = 0; g < out.gaps.length; g++) if (out.gaps[g]! / shape.arm < TOUCH_ENDS) isNear = true;
  return isNear;
}

/** Notes what was read of a frame. */
function noteSource(
  { course, depths, rate }: ArmRecord,
  shape: BodyShape,
  read: HandGaps,
  o: number,
  k: number,
): void {
  const width = 2 * TOUCHED.length;
  const since = (k - lookedAt) * shape.arm;
  for (let g = 0; g < width; g++) {
    course.gaps[width * k + g] = read.gaps[g]! / shape.arm;
    depths[width * k + g] = Math.max(0, -read.arms[g]! / shape.arm);
    const speed = (rate * stepAlongPart(read, g, o)) / since;
    const last = k > 0 ? course.speeds[width * (k - 1) + g]! : 0;
    course.speeds[width * k + g] = speed >= 0 ? speed : last;
  }
  lookedAt = k;
}

/** Notes that nothing is near in a frame. */
function noteSkipped({ course: { speeds } }: ArmRecord, k: number): void {
  const width = 2 * TOUCHED.length;
  for (let g = width * k; g < width * (k + 1); g++) speeds[g] = k > 0 ? speeds[g - width]! : 0;
}

/** Writes how deep arms are between two frames that were looked at. */
function joinDepths({ depths }: ArmRecord, before: number, k: number, after: number): void {
  const width = 2 * TOUCHED.length;
  const share = (k - before) / (after - before);
  for (let g = 0; g < width; g++)
    depths[width * k + g] =
      before < 0
        ? depths[width * after + g]!
        : (1 - share) * depths[width * before + g]! + share * depths[width * after + g]!;
}

/**
 * How far a palm went along the part that it is nearest to, since the frame that was looked at before; less than nothing
 * where it was nearest to another part, or to none.
 */
function stepAlongPart({ parts, palms }: HandGaps, g: number, row: number): number {
  const n = parts[g]!;
  const was = beforePart[g]!;
  beforePart[g] = n;
  if (n < 0) return -1;
  const o = row + PART_NUMBERS * n;
  const hand = g < TOUCHED.length ? 0 : 1;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    let along = 0;
    for (let i = 0; i < 3; i++)
      along += sourceRows[o + 3 * c + i]! * (palms[3 * hand + i]! - sourceRows[o + 9 + i]!);
    const step = along - before[3 * g + c]!;
    square += step * step;
    before[3 * g + c] = along;
  }
  return was === n ? Math.sqrt(square) : -1;
}

/** Notes where hands and chest of the source are in a frame, of rows that begin at `o`. */
function recordHands({ hands, palms }: ArmRecord, source: BodyShape, o: number, k: number): void {
  readPalms(gaps, source, sourceRows, o);
  for (let c = 0; c < 6; c++) palms[6 * k + c] = gaps.palms[c]!;
  const h = HAND_FRAME * k;
  for (let hand = 0; hand < 2; hand++) {
    const a = o + armAt(source, hand);
    for (let c = 0; c < 9; c++) hands[h + 12 * hand + c] = sourceRows[a + PALM_AXES + c]!;
    for (let c = 0; c < 3; c++) {
      hands[h + 12 * hand + 9 + c] = sourceRows[a + 6 + c]!;
      hands[h + 36 + 3 * hand + c] = sourceRows[a + c]!;
    }
  }
  const { chest } = source;
  for (let c = 0; c < 12 && chest >= 0; c++) hands[h + 24 + c] = sourceRows[o + PART_NUMBERS * chest + c]!;
}

const handBall = new Float64Array(BALL_NUMBERS);
const found = new Float64Array(MOST_PROBES);
let balls: Float64Array = new Float64Array(0);

/** Whether an arm of the target as copied is in the rest of its body, or nearly so. */
function isNearPart(
  target: BodyShape,
  depths: Float64Array,
  at: Float64Array,
  o: number,
  hand: number,
): boolean {
  const arm = target.arms[hand];
  if (!arm) return false;
  const a = o + armAt(target, hand);
  for (let i = 0; i < 9; i++) joints[i] = at[a + i]!;
  placeArmProbes(probes, arm, joints);
  const count = probeCount(arm);
  ballOfHand(handBall, 0, arm, at, a);
  let isPlaced = false;
  const { parts } = target;
  const near = NEAR_PART * target.arm;
  for (let n = 0; n < parts.length; n++) {
    const b = BALL_NUMBERS * n;
    const isHandNear =
      areNear(balls, b, handBall, 0, near) &&
      !isBeyondFace(parts[n]!, at, o + PART_NUMBERS * n, handBall, 0, near);
    if (isHandNear && !isPlaced) placeHandProbes(probes, arm, at, a, joints);
    isPlaced ||= isHandNear;
    const last = isHandNear ? count : PALM_PROBES;
    let bits = probesNear(balls, b, probes, last, near);
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const p = 31 - Math.clz32(bit);
      const most = near - depths[parts.length * p + n]!;
      found[p] = most;
      gapToPart(found, p, parts[n]!, at, o + PART_NUMBERS * n, probes);
      if (found[p]! < most) return true;
    }
  }
  return false;
}
