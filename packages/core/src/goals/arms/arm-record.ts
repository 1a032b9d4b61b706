import { CONTACT_RATE } from '../../contacts/track-points.js';
import type { ArmSetup } from './arm-setup.js';
import { type BodyShape, TOUCHED } from './body-shape.js';
import { findCarried, HAND_FRAME, type HandCourse, mayCarry } from './find-carried.js';
import { createGapCourse, findTouches, type GapCourse, TOUCH_ENDS } from './find-touches.js';
import type { HandContacts } from './hand-contacts.js';
import { areNear, BALL_NUMBERS, ballOfHand, isBeyondFace, probesNear, readBalls } from './near-parts.js';
import { gapToPart, PART_NUMBERS } from './part-frame.js';
import { createHandGaps, type HandGaps, readGaps } from './read-gaps.js';
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
export function createArmRecord({ arm, ahead, up }: BodyShape, count: number, isWhole: boolean): ArmRecord {
  gaps ??= createHandGaps();
  return {
    count,
    arm,
    ahead,
    up,
    found: { touches: [], carries: [] },
    course: createGapCourse(count),
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
const joints = new Float64Array(9);
const probes = new Float64Array(4 * MOST_PROBES);
let sourceRow = new Float64Array(0);
let row = new Float64Array(0);
/** Per hand and thing where the palm was in what it is nearest to, and in which part: for speeds. */
const before = new Float64Array(6 * TOUCHED.length);
const beforePart = new Int32Array(2 * TOUCHED.length);

/** Finds what hands of the source touch and carry in a clip that was noted. */
export function findHandContacts(record: ArmRecord): HandContacts {
  return { touches: findTouches(record.course), carries: findCarried(record) };
}

/** Notes a frame. Frames come one after another. */
export function recordArms(
  record: ArmRecord,
  setup: ArmSetup,
  source: Float64Array,
  target: Float64Array,
  k: number,
): void {
  if (row.length < rowLength(setup.target)) row = new Float64Array(rowLength(setup.target));
  const isAsked = recordSource(record, setup.source, setup.sourceDepths, source, k) || record.isWhole;
  readRow(row, 0, setup.target, target);
  if (!isAsked) balls = readBalls(balls, setup.target.parts, row, 0);
  if (!isAsked && !isNearPart(setup, row, 0) && !isNearPart(setup, row, 1)) return;
  const length = rowLength(setup.target);
  if (length * (record.stored + 1) > record.rows.length) {
    record.rows = largerRows(record, length, k);
  }
  record.rows.set(row.length === length ? row : row.subarray(0, length), length * record.stored);
  record.slots[k] = record.stored++;
}

/** The rows of a record with room for as many as there will be if the rest of the clip is as what was noted up to a frame. */
function largerRows({ rows, stored, count }: ArmRecord, length: number, k: number): Float64Array {
  const likely = Math.ceil((1.1 * stored * count) / (k + 1));
  const larger = new Float64Array(length * Math.min(count, Math.max(64, 2 * stored, likely)));
  larger.set(rows);
  return larger;
}

/**
 * Notes what of the source's hands can touch what in a frame.
 * @param depths How deep arms and parts are in each other in the reference.
 * @returns Whether something is so near that it may touch, or be carried.
 */
export function recordSource(
  record: ArmRecord,
  shape: BodyShape,
  depths: readonly [Float64Array, Float64Array],
  matrices: Float64Array,
  k: number,
): boolean {
  const { course } = record;
  if (sourceRow.length < rowLength(shape)) sourceRow = new Float64Array(rowLength(shape));
  readRow(sourceRow, 0, shape, matrices);
  gaps.most[0] = 1.5 * TOUCH_ENDS * shape.arm;
  readGaps(gaps, shape, sourceRow, 0, depths);
  const width = 2 * TOUCHED.length;
  if (k === 0) beforePart.fill(-1);
  let isNear = false;
  for (let g = 0; g < width; g++) {
    const gap = gaps.gaps[g]! / shape.arm;
    course.gaps[width * k + g] = gap;
    if (gap < TOUCH_ENDS) isNear = true;
    record.depths[width * k + g] = Math.max(0, -gaps.arms[g]! / shape.arm);
    course.speeds[width * k + g] = speedOf(shape, g, k > 0 ? course.speeds[width * (k - 1) + g]! : 0);
  }
  recordHands(record, shape, k);
  return isNear || mayCarry(record, k);
}

/** How fast a palm goes along the part that it is nearest to; as fast as before where that has changed. */
function speedOf(shape: BodyShape, g: number, last: number): number {
  const n = gaps.parts[g]!;
  const was = beforePart[g]!;
  beforePart[g] = n;
  if (n < 0) return last;
  const o = PART_NUMBERS * n;
  const hand = g < TOUCHED.length ? 0 : 1;
  let square = 0;
  for (let c = 0; c < 3; c++) {
    let along = 0;
    for (let i = 0; i < 3; i++)
      along += sourceRow[o + 3 * c + i]! * (gaps.palms[3 * hand + i]! - sourceRow[o + 9 + i]!);
    const step = along - before[3 * g + c]!;
    square += step * step;
    before[3 * g + c] = along;
  }
  return was === n ? (Math.sqrt(square) * CONTACT_RATE) / shape.arm : last;
}

function recordHands({ hands, palms }: ArmRecord, source: BodyShape, k: number): void {
  for (let c = 0; c < 6; c++) palms[6 * k + c] = gaps.palms[c]!;
  const o = HAND_FRAME * k;
  for (let hand = 0; hand < 2; hand++) {
    const a = armAt(source, hand);
    for (let c = 0; c < 9; c++) hands[o + 12 * hand + c] = sourceRow[a + PALM_AXES + c]!;
    for (let c = 0; c < 3; c++) {
      hands[o + 12 * hand + 9 + c] = sourceRow[a + 6 + c]!;
      hands[o + 36 + 3 * hand + c] = sourceRow[a + c]!;
    }
  }
  const { chest } = source;
  for (let c = 0; c < 12 && chest >= 0; c++) hands[o + 24 + c] = sourceRow[PART_NUMBERS * chest + c]!;
}

const handBall = new Float64Array(BALL_NUMBERS);
const found = new Float64Array(MOST_PROBES);
let balls: Float64Array = new Float64Array(0);

/** Whether an arm of the target as copied is in the rest of its body, or nearly so. */
function isNearPart({ target, depths, limbs }: ArmSetup, at: Float64Array, hand: number): boolean {
  const arm = target.arms[hand];
  if (!arm || limbs[hand]! < 0) return false;
  const a = armAt(target, hand);
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
      !isBeyondFace(parts[n]!, at, PART_NUMBERS * n, handBall, 0, near);
    if (isHandNear && !isPlaced) placeHandProbes(probes, arm, at, a, joints);
    isPlaced ||= isHandNear;
    const last = isHandNear ? count : PALM_PROBES;
    let bits = probesNear(balls, b, probes, last, near);
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const p = 31 - Math.clz32(bit);
      const most = near - depths[hand]![parts.length * p + n]!;
      found[p] = most;
      gapToPart(found, p, parts[n]!, at, PART_NUMBERS * n, probes);
      if (found[p]! < most) return true;
    }
  }
  return false;
}
